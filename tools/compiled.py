"""Install the compiled wheel into an environment of its own, and test it there.

    python tools/compiled.py build      compile, unless it is done already
    python tools/compiled.py install    `make compiled`: install the wheel in .compiled
    python tools/compiled.py test       a part of `make test`

The environment has the dependencies of .venv, but not the clone: `parlour` is the wheel.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from wheel import PAGE, ROOT, build, cached, can_compile, compiled_modules, export

INSTALLED = ROOT / ".compiled"
TESTS = (
    "tests/compiled/compiled_form.py",
    "tests/contract",
    "tests/core/test_dice.py",
    "tests/referee/test_old_headers.py",
    "tests/referee/test_old_transcripts.py",
    "tests/plugins/test_liars_dice.py",
)
"""Golden, contract, counting and fixture tests, and a game of another package."""
CHECK = """
import importlib, sys
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    if not module.__file__.endswith((".so", ".pyd")):
        sys.exit(f"compiled: {name} is not compiled: {module.__file__}")
"""


def python_of(environment: Path) -> str:
    return str(environment / "bin" / "python")


def install(wheel: Path, environment: Path) -> None:
    """Make the environment, install the wheel alone, and let it find the dependencies of this one."""
    venv.EnvBuilder(clear=True, symlinks=True, with_pip=False).create(environment)
    uv = shutil.which("uv")
    installer = [sys.executable, "-m", "pip", "--python"] if uv is None else [uv, "pip"]
    where = [python_of(environment), "install"] if uv is None else ["install", "--python", python_of(environment)]
    quiet = ["--quiet", *(["--disable-pip-version-check"] if uv is None else [])]
    subprocess.run([*installer, *where, *quiet, "--no-deps", "--no-index", str(wheel)], check=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", vars=paths))
    # Files named .pth in the folder that is added are not read, and so not the one that leads to the clone.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")


def variables() -> dict[str, str]:
    """Those of a process that imports nothing from the clone."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


def check(environment: Path, cwd: Path) -> None:
    """Stop unless all modules on the list are compiled."""
    names = [name.removesuffix(".py").replace("/", ".") for name in compiled_modules()]
    if subprocess.run([python_of(environment), "-c", CHECK, *names], cwd=cwd, env=variables(), check=False).returncode:
        raise SystemExit(1)


def compare_transcripts(environment: Path, tree: Path) -> None:
    """Play the same matches in both forms at once."""
    command = ["-m", "tests.compiled.transcripts"]
    forms = {"compiled": python_of(environment), "pure": sys.executable}
    # The clone is on the path of .venv anyway; `tests` is in the folder where both run.
    running = {
        form: subprocess.Popen(
            [python, *command], cwd=tree, env=variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for form, python in forms.items()
    }
    told = {form: process.communicate() for form, process in running.items()}
    for form, (_, said) in told.items():
        if running[form].returncode or said.decode().strip() != form:
            raise SystemExit(f"compiled: the {form} form could not play: {said.decode()}")
    matches, others = (told[form][0].decode().splitlines() for form in forms)
    if matches != others:
        different = next(pair for pair in zip(matches, others, strict=False) if pair[0] != pair[1])
        raise SystemExit(f"compiled: a transcript differs:\n  compiled {different[0]}\n  pure     {different[1]}")
    print(f"{len(matches)} transcripts are the same in both forms.", flush=True)


def test(workers: str) -> None:
    """Test the compiled wheel in a copy of the clone that has no `parlour`."""
    with tempfile.TemporaryDirectory() as folder:
        environment, tree = Path(folder, "environment"), Path(folder, "tree")
        install(cached(has_page=False), environment)
        export(tree, without="parlour/")
        check(environment, tree)
        compare_transcripts(environment, tree)
        command = [
            python_of(environment),
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-n",
            workers,
            "--dist",
            "loadfile",
        ]
        done = subprocess.run(
            [*command, "--hypothesis-profile", "brief", *TESTS], cwd=tree, env=variables(), check=False
        )
        if done.returncode:
            raise SystemExit(done.returncode)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description="Install the compiled wheel into an environment of its own, and test it."
    )
    parser.add_argument("what", choices=("build", "install", "test"))
    parser.add_argument("-n", dest="workers", default="2", help="how many test processes run at a time (default: 2)")
    given = parser.parse_args(arguments)
    is_compiled = can_compile()
    if given.what == "install":
        has_page = (PAGE / "index.html").is_file()
        with tempfile.TemporaryDirectory() as folder:
            install(cached(has_page) if is_compiled else build(Path(folder), False, has_page), INSTALLED)
        if is_compiled:
            check(INSTALLED, INSTALLED)
        subprocess.run([INSTALLED / "bin" / "parlour", "--version"], check=True)
        print(
            f"It is {INSTALLED.relative_to(ROOT)}/bin/parlour"
            + ("" if has_page else ", without the page (`make page`)")
        )
    elif not is_compiled:
        print("The tests of compiled modules are skipped.", file=sys.stderr)
    elif given.what == "build":
        cached(has_page=False)
    else:
        test(given.workers)


if __name__ == "__main__":
    main()

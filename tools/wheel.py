"""Build the wheel of this clone, compiled if possible: `make wheel`.

The sources are copied out of the clone and built there, so no compiled module ever lies beside its source, where it
would hide later changes. Without a C compiler the wheel is pure Python; under CI=true that is an error.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".wheels"
PAGE = ROOT / "parlour" / "web"
PACKED = ("parlour/", "tools/wheel", "pyproject.toml", "README.md", "LICENSE")
"""What the wheel is made of, and how."""
BUILDERS = ("hatchling", "hatch-mypyc", "mypy", "mypy-extensions", "msgspec", "setuptools")


def compiled_modules(root: Path = ROOT) -> list[str]:
    """The files that are compiled. pyproject.toml lists them for the build hook."""
    project = tomllib.loads((root / "pyproject.toml").read_text())
    hooks = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]
    return [pattern.removeprefix("/") for pattern in hooks["mypyc"]["include"]]


def sources(root: Path = ROOT) -> list[str]:
    """The files of the clone, with changes that are not committed, and without anything that Git ignores."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit("wheel: this needs a Git clone, for Git lists the files") from None
    return [name for name in sorted({*listed.split("\0")}) if name and (root / name).is_file()]


def export(target: Path, without: str = "", root: Path = ROOT) -> None:
    """Copy the files of the clone, except those under one folder."""
    for name in sources(root):
        if not (without and name.startswith(without)):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, target / name)


def why_not_compiled() -> str | None:
    """What is missing for a compiled wheel."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        return f"there is no C compiler ({compiler.split()[0]}; on Debian: apt-get install gcc libc6-dev)"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return f"Python.h is not in {sysconfig.get_path('include')} (on Debian: apt-get install python3-dev)"
    if find_spec("hatch_mypyc") is None:
        return "hatch-mypyc is not installed (`make setup` installs it)"
    return None


def build(out: Path, is_compiled: bool, has_page: bool) -> Path:
    """Build in a copy of the clone; returns the wheel."""
    variables = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": str(is_compiled).lower()}
    if not has_page:
        variables["PARLOUR_WHEEL_WITHOUT_PAGE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        tree, made = Path(folder, "tree"), Path(folder, "made")
        export(tree)
        if has_page:
            shutil.copytree(PAGE, tree / "parlour" / "web", dirs_exist_ok=True)
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
        done = subprocess.run(command, cwd=tree, env=variables, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{done.stdout}{done.stderr}wheel: the build failed; the reason is above")
        [wheel] = made.glob("*.whl")
        if is_compiled:
            check(wheel)
        out.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(wheel, out))


def check(wheel: Path) -> None:
    """Every module on the list is compiled, and no other."""
    listed = {name.removesuffix(".py") for name in compiled_modules()}
    packed = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]
    found = {name.partition(".")[0] for name in packed if "__mypyc." not in name}
    if found != listed:
        raise SystemExit(f"wheel: compiled other modules than listed: {', '.join(sorted(found ^ listed))}")


def digest(has_page: bool) -> str:
    """A hash of everything that a wheel depends on."""
    found = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    for name in BUILDERS:
        found.update(f"{name} {version(name)}\n".encode())
    for name in sources():
        if name.startswith(PACKED):
            found.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    if has_page:
        found.update((PAGE / "build.txt").read_bytes())
    return found.hexdigest()[:16]


def cached(has_page: bool) -> Path:
    """The compiled wheel of these sources. It is built once, and those of earlier sources are removed."""
    kind = "page" if has_page else "plain"
    folder = CACHE / f"{kind}-{digest(has_page)}"
    if not [*folder.glob("*.whl")]:
        for old in CACHE.glob(f"{kind}-*"):
            shutil.rmtree(old)
        print("Compiling (about a minute; the wheel is kept until a source changes) ...", flush=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as unfinished:
            build(Path(unfinished, "wheel"), is_compiled=True, has_page=has_page)
            Path(unfinished, "wheel").replace(folder)
    [wheel] = folder.glob("*.whl")
    return wheel


def can_compile() -> bool:
    """Whether wheels can be compiled here. If not, this is said, and under CI=true it is an error."""
    why = why_not_compiled()
    if why is None:
        return True
    if os.environ.get("CI") == "true":
        raise SystemExit(f"wheel: cannot compile: {why}")
    print(f"The wheel is pure Python, and games are several times slower: {why}.", file=sys.stderr)
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the wheel of this clone, compiled if possible.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the wheel (default: dist)")
    parser.add_argument("--pure", action="store_true", help="do not compile")
    parser.add_argument("--without-page", action="store_true", help="leave the built page out: only the API is served")
    given = parser.parse_args()
    is_compiled = not given.pure and can_compile()
    has_page = not given.without_page
    given.out.mkdir(parents=True, exist_ok=True)
    wheel = Path(shutil.copy(cached(has_page), given.out)) if is_compiled else build(given.out, False, has_page)
    print(f"{wheel}  ({'compiled' if is_compiled else 'pure Python'}, {wheel.stat().st_size // 1024} KiB)")


if __name__ == "__main__":
    main()

"""Wheels of Parlour have the built page in them."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.here import ROOT

WITHOUT = "PARLOUR_WHEEL_WITHOUT_PAGE"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A clone in which the page is not built, and little else is."""
    folder = tmp_path / "project"
    (folder / "parlour").mkdir(parents=True)
    (folder / "tools").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "parlour/__init__.py", "tools/wheel_page.py"):
        shutil.copy(ROOT / name, folder / name)
    (folder / ".gitignore").write_text("parlour/web/\n")
    return folder


def wheel(project: Path, kind: str = "wheel", **more: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != WITHOUT} | more
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(project / "dist")]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=60)


def packed(project: Path) -> list[str]:
    [file] = (project / "dist").iterdir()
    return zipfile.ZipFile(file).namelist()


def test_a_wheel_has_the_built_page(project: Path) -> None:
    (project / "parlour" / "web" / "assets").mkdir(parents=True)
    (project / "parlour" / "web" / "index.html").write_text("the page")
    (project / "parlour" / "web" / "assets" / "main-1.js.br").write_text("a script")
    assert wheel(project).returncode == 0
    assert {"parlour/web/index.html", "parlour/web/assets/main-1.js.br"} <= set(packed(project)), (
        "though git ignores it"
    )


def test_a_wheel_without_the_page_is_refused(project: Path) -> None:
    refused = wheel(project)
    assert refused.returncode != 0 and not [*(project / "dist").glob("*")]
    said = refused.stdout + refused.stderr
    assert "parlour/web/index.html does not exist" in said and WITHOUT in said and "Traceback" not in said


def test_a_wheel_without_the_page_can_be_asked_for(project: Path) -> None:
    assert wheel(project, **{WITHOUT: "1"}).returncode == 0
    assert "parlour/__init__.py" in packed(project)


def test_an_editable_install_needs_no_page(project: Path) -> None:
    assert wheel(project, "wheel:editable").returncode == 0


def test_a_source_archive_makes_a_pure_wheel(project: Path, tmp_path: Path) -> None:
    """It needs neither a compiler nor mypyc."""
    assert wheel(project, "sdist").returncode == 0
    [archive] = (project / "dist").iterdir()
    shutil.unpack_archive(archive, tmp_path / "unpacked")
    [source] = (tmp_path / "unpacked").iterdir()
    assert wheel(source, **{WITHOUT: "1"}).returncode == 0
    [made] = (source / "dist").iterdir()
    assert made.name.endswith("-py3-none-any.whl")
    assert not [name for name in packed(source) if name.endswith((".so", ".pyd", ".c"))]


def make_wheel(project: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """`make wheel` on a machine without a C compiler."""
    shutil.copy(ROOT / "tools" / "wheel.py", project / "tools" / "wheel.py")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    variables = {name: value for name, value in os.environ.items() if name not in ("CI", WITHOUT)}
    command = [sys.executable, "tools/wheel.py", "--without-page"]
    return subprocess.run(
        command,
        cwd=project,
        env={**variables, "CC": "no-such-compiler", **more},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_without_a_compiler_the_wheel_is_pure_and_this_is_said(project: Path) -> None:
    done = make_wheel(project)
    assert done.returncode == 0 and "py3-none-any.whl  (pure Python, " in done.stdout
    [said] = done.stderr.splitlines()
    assert said.startswith("The wheel is pure Python") and "no C compiler (no-such-compiler;" in said
    assert "parlour/__init__.py" in packed(project)


def test_without_a_compiler_a_release_fails(project: Path) -> None:
    done = make_wheel(project, CI="true")
    assert done.returncode == 1 and done.stderr.startswith("wheel: cannot compile: there is no C compiler")
    assert not (project / "dist").exists()

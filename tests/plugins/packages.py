"""Install packages for tests, without a network: one that is built, and small ones that are written on the spot."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from unittest.mock import patch

from parlour import plugins
from tests.here import ROOT

OFFLINE = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target")


def build(source: Path, target: Path) -> Path:
    """Build a package with the build backend of the tests' own environment, and install it into a folder."""
    uv = shutil.which("uv")
    installer = [sys.executable, "-m", "pip"] if uv is None else [uv, "pip"]
    where = [] if uv is None else ["--python", sys.executable]
    command = [*installer, "install", *where, *OFFLINE, str(target), str(source)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=100)
    return target


def write(folder: Path, package: str, points: Mapping[str, str], code: str, group: str = "parlour.games") -> Path:
    """A package of one module, as an installer leaves it. Entry points are by name: an object of that module."""
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(code)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {module}:{thing}\n" for name, thing in points.items()]
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{''.join(lines)}")
    return folder


def without_entry_points(folder: Path) -> Path:
    """The metadata of Parlour as if it brought no game, no venue and no command of a game."""
    parlour = distribution("parlour")
    metadata = folder / f"parlour-{parlour.version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: parlour\nVersion: {parlour.version}\n")
    return folder


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """The tests' own process finds packages in this folder, too."""
    with patch.object(sys, "path", [str(folder), *sys.path]):
        plugins.refresh()
        try:
            yield
        finally:
            for name in [path.stem for path in folder.glob("*.py")]:
                sys.modules.pop(name, None)
    plugins.refresh()

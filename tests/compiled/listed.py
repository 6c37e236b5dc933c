"""The modules that compiled wheels have as machine code."""

import tomllib

from tests.here import ROOT


def compiled_modules() -> list[str]:
    """Their names, from the list for the build hook."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]
    return [pattern.strip("/").removesuffix(".py").replace("/", ".") for pattern in included]

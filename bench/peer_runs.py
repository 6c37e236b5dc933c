"""Install the programs that we compare ourselves with, each into an environment of its own, and run scripts there.

    python bench/peer_runs.py install               # all, into .peers/NAME
    python bench/peer_runs.py install pyminion      # one
    python bench/peer_runs.py run rlcard SCRIPT 3   # a script of bench/peers, with its arguments

A peer is a file NAME.txt of pinned packages in bench/peers. A script prints its figures as lines of JSON; `figures`
reads them. Scripts may import `measure` from the same folder.
"""

import json
import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PINS = HERE / "peers"
INSTALLED = HERE.parent / ".peers"


class NoPeer(Exception):
    """A peer is unknown, not installed, or its script failed; the message says which."""


def known() -> list[str]:
    return sorted(path.stem for path in PINS.glob("*.txt"))


def pins_of(name: str) -> Path:
    if name not in known():
        raise NoPeer(f"unknown peer {name!r}. Peers: {', '.join(known())}")
    return PINS / f"{name}.txt"


def install(name: str) -> bool:
    """Install a peer; False if it is there already with these pins."""
    pins, folder = pins_of(name), INSTALLED / name
    mark, wanted = folder / "installed.txt", sha256(pins.read_bytes()).hexdigest()
    if mark.is_file() and mark.read_text() == wanted:
        return False
    venv.create(folder, clear=True, with_pip=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "-r", str(pins)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoPeer(f"{name} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    mark.write_text(wanted)
    return True


def figures(name: str, script: str, *arguments: str) -> list[dict[str, Any]]:
    """Run a script of bench/peers in the environment of a peer, and read the lines of JSON that it prints."""
    pins_of(name)
    python = INSTALLED / name / "bin/python"
    if not (INSTALLED / name / "installed.txt").is_file():
        raise NoPeer(f"{name} is not installed: make peers")
    path = PINS / script
    done = subprocess.run([str(python), str(path), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoPeer(f"{script} failed with {name}: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main(arguments: list[str]) -> None:
    match arguments:
        case ["install", *names]:
            for name in names or known():
                print(f"{name}: {'installed' if install(name) else 'already installed'}", flush=True)
        case ["run", name, script, *rest]:
            for figure in figures(name, script, *rest):
                print(json.dumps(figure))
        case _:
            raise NoPeer("usage: peer_runs.py install [NAME ...] | run NAME SCRIPT [ARGUMENT ...]")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except NoPeer as e:
        sys.exit(str(e))

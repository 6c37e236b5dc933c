"""Remake the golden transcripts: `make golden`. Read the difference, and mean it."""

from tests.golden.render import FOLDER, GOLDEN, render

for name in GOLDEN:
    (FOLDER / f"{name}.txt").write_text(render(name))

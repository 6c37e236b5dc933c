"""The programs that the page shows to authors of bots, put together as the page does it."""

from pathlib import Path

SNIPPETS = Path(__file__).parents[2] / "web/src/bots/snippets"
GAMES = ("forsale", "dominion", "maze", "colorfight", "tradecraft")
WHOLE = ("python",)
"""Ways whose programs are whole files. The others have a frame into which the part for the game is put."""
FILES = {
    "python": "bot.py",
    "tcp": "bot.py",
    "node": "bot.mjs",
    "cpp": "bot.cpp",
    "java": "Bot.java",
    "go": "bot.go",
    "rust": "bot.rs",
}
"""By way, the name of the program's file."""


def program(way: str, game: str, port: int, tcp_port: int | None) -> str:
    """The program for a game, for an arena on this machine."""
    suffix = FILES[way].partition(".")[2]
    own = (SNIPPETS / way / f"{game}.{suffix}").read_text(encoding="utf-8")
    if way not in WHOLE:
        frame = (SNIPPETS / way / f"main.{suffix}").read_text(encoding="utf-8").splitlines()
        own = (
            "\n".join(own.rstrip("\n") if line.strip() in ("# decide", "// decide") else line for line in frame) + "\n"
        )
    told = {"GAME": game, "127.0.0.1:8000": f"127.0.0.1:{port}", '"127.0.0.1", 8001': f'"127.0.0.1", {tcp_port}'}
    for placeholder, value in told.items():
        own = own.replace(placeholder, value)
    return own

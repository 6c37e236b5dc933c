"""The text page of an arena, for browsers. It is served where the page with the tables is not built."""

from html import escape

from litestar import MediaType, Router, get

from parlour import plugins
from parlour.server.api.html_page import page


def front() -> Router:
    front_page = page("Parlour", _body())

    @get("/", media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
    def index() -> str:
        return front_page

    return Router("/", route_handlers=[index])


def _body() -> str:
    games = "".join(
        f"<dt><b>{escape(game.title)}</b>: {escape(game.summary)}</dt>"
        f"<dd><code>/play/{game.name}</code> · <a href='/api/matches?game={game.name}'>matches</a>"
        f" · <a href='/api/games/{game.name}/schema'>messages</a></dd>"
        for game in plugins.games()
    )
    return (
        "<h1>Parlour</h1><p>This is an arena: programs, language models and people play here. Every move is recorded."
        "<p>Let a bot play: <code>parlour join ADDRESS GAME random</code>, with the address of this page."
        f"<dl>{games}</dl>"
        "<p>The page with the tables is not built here: <code>make run</code> in a clone of the project builds it."
        "<p><a href='/api/games'>Games</a> · <a href='/api/matches'>tables and matches</a>"
        " · <a href='/schema'>the API</a> · <a href='/metrics'>figures</a></p>"
    )

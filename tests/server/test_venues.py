"""Venues as plug-ins: found by name, set in sections of their own, opened and stopped by any server."""

from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Router, get
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from parlour import plugins
from parlour.core import Sitting
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.records import Account
from parlour.referee.transcript import Header, header
from parlour.server.settings import BadSettings, Settings, read_settings
from parlour.server.venue import OpenVenue, Premises, Venue, VenueTable
from parlour.venues.colorfight.settings import RoomSettings
from tests.here import mistake_here
from tests.server.arenas import Hall, House, Seat, evening

HERE = "tests.server.test_venues"
Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Installs these venues, by name and place, and no others."""

    def installed(**venues: str) -> None:
        ours = [EntryPoint(name, place, plugins.VENUES) for name, place in venues.items()]
        monkeypatch.setattr(
            plugins, "entry_points", lambda group: ours if group == plugins.VENUES else entry_points(group=group)
        )
        plugins.refresh()

    yield installed
    monkeypatch.undo()
    plugins.refresh()


# A venue of another package


class StandSettings(Struct, frozen=True, forbid_unknown_fields=True):
    greeting: str = "hello"
    closed: bool = False


class Stand(OpenVenue):
    """A page, a door in front of everything, and a table that is full."""

    def __init__(self, greeting: str) -> None:
        self.greeting = greeting
        self.web = ""
        self.stopped: list[object] = []

    def routes(self) -> Sequence[Router]:
        @get("/stand", media_type="text/plain")
        async def stand() -> str:
            return self.greeting

        return (Router("/", route_handlers=[stand]),)

    def wrap(self, app: ASGIApp) -> ASGIApp:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("path") == "/front":
                scope["path"] = "/stand"
            await app(scope, receive, send)

        return wrapped

    def table(self, id: str | None) -> VenueTable | None:
        return FullTable() if id == "stand" else None

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        return (f"{web}/stand",)

    async def park(self) -> None:
        self.stopped.append("parked")

    async def close(self) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=None) as client:
            self.stopped.append((await client.get(f"{self.web}/stand")).status_code)


class FullTable:
    def header(self) -> Header:
        return header(plugins.game("forsale"), [Sitting(name) for name in "abc"], b"seed")

    async def check(self, sitting: Sitting, address: str) -> None:
        if sitting.about.get("key") != "open":
            raise RequestError(403, "bad_key", "that is not the key")

    async def seat(self, player: RemotePlayer, name: str, account: Account) -> None:
        raise RequestError(409, "full", f"there is no seat for {name}")


class StandVenue(Venue[StandSettings]):
    settings = StandSettings
    moved = ("greeting",)

    def check(self, section: StandSettings) -> None:
        if not section.greeting:
            raise BadSettings("greeting: say something")

    async def open(self, section: StandSettings, premises: Premises) -> Stand | None:
        return None if section.closed else Stand(section.greeting)


class BrokenVenue(StandVenue):
    async def open(self, section: StandSettings, premises: Premises) -> Stand | None:
        raise KeyError("no stand")


STAND, BROKEN, NO_VENUE = StandVenue(), BrokenVenue(), "a text"


def test_a_server_opens_the_venue_of_another_package(install: Install, tmp_path: Path) -> None:
    install(forsale=f"{HERE}:STAND")
    stands: list[Stand] = []

    async def work(hall: Hall) -> None:
        stand = hall.serving.venues["forsale"]
        assert isinstance(stand, Stand) and [*hall.serving.venues] == ["forsale"]
        stands.append(stand)
        stand.web = hall.url
        assert (await hall.http.get("/stand")).text == (await hall.http.get("/front")).text == "good evening"
        for key, code in (("closed", "bad_key"), ("open", "full")):
            async with hall.connect("/play/forsale/stand") as line:
                guest = Seat(line)
                await guest.hello("bob", about={"key": key})
                assert (await guest.hear("error"))["code"] == code

    venues = {"forsale": StandSettings(greeting="good evening")}
    evening(House(tmp_path, log="off", venues=venues), work)
    assert stands[0].stopped == ["parked", 200], "the web server is still there for its last words"


def test_a_venue_can_be_closed_by_its_settings(install: Install, tmp_path: Path) -> None:
    install(forsale=f"{HERE}:STAND")

    async def work(hall: Hall) -> None:
        assert not hall.serving.venues
        assert (await hall.http.get("/stand")).status_code == 404

    evening(House(tmp_path, log="off", venues={"forsale": StandSettings(closed=True)}), work)


# What is broken or missing


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("tests.server.nowhere:VENUE", "the venue 'colorfight' cannot be used: ModuleNotFoundError: No module named"),
        (f"{HERE}:NO_VENUE", "the venue 'colorfight' cannot be used: a str is not a Venue"),
        (f"{HERE}:BROKEN", "the venue 'colorfight' cannot be opened: KeyError: 'no stand'"),
    ],
)
def test_a_server_works_without_a_venue_that_is_broken(place: str, why: str, install: Install, tmp_path: Path) -> None:
    house = House(tmp_path, log="off", rooms=2)

    async def register(hall: Hall) -> str:
        async with hall.connect("/action_channel") as line:
            await line.send('{"action":"register","username":"ada","password":"secret"}')
            assert '"uid":1' in str(await line.recv())
        assert hall.rooms is not None and hall.rooms.public.game is not None
        return hall.rooms.public.game.id

    async def without(hall: Hall) -> None:
        [problem] = hall.serving.problems
        assert problem.startswith(why)
        assert not hall.serving.venues and (await hall.http.get("/health")).status_code == 200
        assert (await hall.http.get("/get_gameroom_list")).status_code == 404

    game = evening(house, register)
    install(colorfight=place)
    evening(House(tmp_path, log="off", venues={}), without)
    install(colorfight="parlour.venues.colorfight.venue:VENUE")
    assert evening(house, register) == game, "what is stored of a venue stays"


def test_a_game_whose_venue_is_missing_is_reported(install: Install, tmp_path: Path) -> None:
    install()

    async def work(hall: Hall) -> None:
        assert hall.serving.problems == ("ColorfightII has no venue; it is only played at tables",)
        table = await hall.table(await hall.account("ada"), "colorfight", "open", "greedy")
        assert table["table"]["game"] == "colorfight"

    evening(House(tmp_path, log="off", venues={}), work)
    assert mistake_here("host", "colorfight") == ("ColorfightII has no tables, and its venue is not installed")


def test_the_venue_of_a_game_that_is_not_installed_is_no_problem(install: Install, tmp_path: Path) -> None:
    install(chess=f"{HERE}:STAND", colorfight="parlour.venues.colorfight.venue:VENUE")

    async def work(hall: Hall) -> None:
        assert hall.serving.problems == () and "chess" not in hall.serving.venues

    evening(House(tmp_path, log="off"), work)


# Settings


def read(text: str, tmp_path: Path, **environment: str) -> Settings:
    (tmp_path / "arena.toml").write_text(text)
    return read_settings(tmp_path / "arena.toml", environment)


def test_a_section_comes_from_the_file_and_then_from_the_environment(tmp_path: Path) -> None:
    text = '[venues.colorfight]\nrooms = 3\nadmin_password = "a"\n'
    environment = {
        "PARLOUR_VENUES_COLORFIGHT_ROOMS": "5",
        "PARLOUR_VENUES_COLORFIGHT_ROOM_BOTS": "greedy, random",
        "PARLOUR_VENUES_COLORFIGHT_STANDING_ROOMS": "not here",
    }
    settings = read(text, tmp_path, **environment)
    assert settings.venues == {
        "colorfight": RoomSettings(rooms=5, admin_password="a", room_bots=("greedy", "random")),
    }
    assert read("", tmp_path) == Settings() and Settings().venue("colorfight", RoomSettings) == RoomSettings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rooms = 5", "rooms: this setting is now in the section [venues.colorfight]"),
        ("[standing_rooms.lab]", "standing_rooms: this setting is now in the section [venues.colorfight]"),
        ("allowed_origins = []", "allowed_origins: this setting is now in the section [venues.tradecraft]"),
        ("[venues.colourfight]", "Object contains unknown field `colourfight` - at `$.venues`"),
        ("[venues.colorfight]\nseats = 3", "Object contains unknown field `seats` - at `$.venues.colorfight`"),
        ("[venues.colorfight]\nrooms = -1", "Expected `int` >= 0 - at `$.venues.colorfight.rooms`"),
        ("[venues]\ncolorfight = 3", "Expected `object`, got `int` - at `$.venues.colorfight`"),
        ("venues = 3", "Expected `object`, got `int` - at `$.venues`"),
    ],
)
def test_what_a_file_cannot_set(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadSettings) as refusal:
        read(text, tmp_path)
    assert str(refusal.value) == words


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ROOMS", "VENUES_COLORFIGHT_ROOMS"),
        ("ROOM_RULESET", "VENUES_COLORFIGHT_ROOM_RULESET"),
        ("ROOM_BOTS", "VENUES_COLORFIGHT_ROOM_BOTS"),
        ("ADMIN_PASSWORD", "VENUES_COLORFIGHT_ADMIN_PASSWORD"),
        ("ALLOWED_ORIGINS", "VENUES_TRADECRAFT_ALLOWED_ORIGINS"),
    ],
)
def test_the_environment_has_other_names_for_settings_of_venues_now(old: str, new: str) -> None:
    with pytest.raises(BadSettings, match=f"^PARLOUR_{old}: this setting is now PARLOUR_{new}$"):
        read_settings(None, {f"PARLOUR_{old}": "1"})


def test_the_section_of_a_venue_of_another_package(install: Install, tmp_path: Path) -> None:
    install(forsale=f"{HERE}:STAND", dominion=f"{HERE}:NO_VENUE")
    text = "[venues.dominion]\nanything = 1\n[venues.forsale]\n"
    assert read(text + 'greeting = "hi"', tmp_path).venues == {"forsale": StandSettings("hi")}, "one is broken"
    for wrong, words in (
        (text + 'greeting = ""', "venues.forsale.greeting: say something"),
        ('greeting = "hi"', "greeting: this setting is now in the section [venues.forsale]"),
    ):
        with pytest.raises(BadSettings) as refusal:
            read(wrong, tmp_path)
        assert str(refusal.value) == words

"""The full feed: numbered events in words, views, clocks and asks, for spectators and for each seat."""

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection

from parlour.core import Sitting
from parlour.games.forsale.values import Chose, Raised
from parlour.plugins import game
from parlour.protocol.feed import FeedMessage
from parlour.referee.match import Match, Out
from parlour.referee.transcript import header
from parlour.server.accounts import Doorkeeper
from parlour.server.api.spectators import Watching
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.tables.match_feed import TAIL, Feeds, Watchers
from parlour.transports.limits import WATCH_QUEUE
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.test_tokens import number
from tests.server.test_watching import play, streamed, told
from tests.turned import SOON_S, run, settle, turn, until

FEED = msgspec.json.Decoder(FeedMessage)

Message = dict[str, Any]


def of_type(messages: list[Message], kind: str) -> list[Message]:
    return [message for message in messages if message["type"] == kind]


def numbers(messages: list[Message]) -> list[int]:
    return [message["n"] for message in of_type(messages, "event")]


async def so_far(line: ClientConnection) -> list[Message]:
    """The messages of a watcher that has just come, up to its view, and its ask if it has one."""
    messages: list[Message] = []
    while not messages or messages[-1]["type"] != "view":
        messages.append(json.loads(await asyncio.wait_for(line.recv(), 60)))
    return messages


async def seated(hall: Hall, token: str, line: ClientConnection, **hello: Any) -> Seat:
    seat = Seat(line)
    await seat.hello("ada", token=token, **hello)
    return seat


async def table(hall: Hall, token: str, *seats: str, **terms: Any) -> str:
    id: str = (await hall.table(token, "forsale", *(seats or ("open", "random", "random")), **terms))["table"]["id"]
    return id


def test_a_whole_match_as_spectators_and_as_its_seat_are_sent_it(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        id = await table(hall, token, bank_s=60)
        async with hall.connect(f"/play/forsale/{id}") as line:
            seat = await seated(hall, token, line, about={"kind": "person"})
            asked = await seat.hear("ask")
            public, own = f"/watch/{id}?full=true", f"/watch/{id}/me?full=true"
            async with hall.connect(public) as one, hall.connect(own, token) as other:
                watching = [
                    asyncio.ensure_future(each)
                    for each in (
                        told(one),
                        told(other),
                        streamed(hall, f"/matches/{id}/events?full=true"),
                        streamed(hall, f"/matches/{id}/events/me?full=true", token),
                    )
                ]
                await hall.figure("parlour_connections", 2, way="watch")
                await hall.figure("parlour_connections", 2, way="events")
                await settle()
                await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
                await play(seat)
                everybody, ada, everybody_too, ada_too = await asyncio.gather(*watching)
        key = (await hall.get("/key")).json()["public_key"]
        assert [*map(untimed, everybody)] == [*map(untimed, everybody_too)]
        assert [*map(untimed, ada)] == [*map(untimed, ada_too)]
        for heard, own_seat in ((everybody, None), (ada, 0)):
            check_feed(heard, own_seat)
            assert heard[0]["players"] == [
                {"name": "ada", "kind": "person"},
                {"name": "random", "kind": "bot"},
                {"name": "random", "kind": "bot"},
            ]
            assert heard[-1]["public_key"] == key and len(heard[-1]["signature"]) == 128
        assert {message["type"] for message in everybody} == {"begin", "event", "view", "over"}
        first = of_type(ada, "ask")[0]
        assert first["id"] == asked["id"] and first["limit_ms"] == 3_600_000 and first["bank_ms"] == 60_000
        assert 0 < first["left_ms"] <= 3_600_000 and first["attempt"] == 1
        assert len(of_type(ada, "event")) > len(of_type(everybody, "event")), "ada sees her own choices in a sale"

    evening(House(tmp_path, log="off"), work)


def untimed(message: Message) -> Message:
    return {**message, "clocks": [], "left_ms": 0}


def check_feed(heard: list[Message], seat: int | None) -> None:
    """Every message has its type; events are numbered one by one, and a view is sent only if it or its event is new."""
    for message in heard:
        FEED.decode(json.dumps(message))
    assert [message["type"] for message in heard].count("begin") == 1 and heard[0]["type"] == "begin"
    assert heard[0]["seat"] == seat and heard[-1]["type"] == "over"
    assert numbers(heard) == [*range(1, len(numbers(heard)) + 1)]
    assert all(event["words"] and event["words"][0] == event["words"][0].strip() for event in of_type(heard, "event"))
    views = of_type(heard, "view")
    for view in views:
        msgspec.convert(view["view"], game("forsale").rules.view)
    assert all((one["n"], one["view"]) != (other["n"], other["view"]) for one, other in pairwise(views))
    assert views[0]["part"] == "Auction 1" and views[-1]["part"] == "End" and not views[-1]["clocks"]
    last = 0
    for message in heard:
        last = message["n"] if message["type"] == "event" else last
        assert message["type"] != "view" or message["n"] == last
    for view in views:
        others = [clock for clock in view["clocks"] if clock["seat"] != seat]
        assert [clock["seat"] for clock in others] == [
            each for each in [view["view"]["turn"]] if each not in (None, seat)
        ]
        assert all(clock["bank_ms"] is None for clock in others)


def test_a_late_watcher_and_a_restart_change_no_number(tmp_path: Path) -> None:
    house = House(tmp_path, log="off")

    async def watched(hall: Hall, id: str, token: str) -> list[list[Message]]:
        found = []
        for path, by in ((f"/watch/{id}?full=true", None), (f"/watch/{id}/me?full=true", token)):
            async with hall.connect(path, by) as line:
                found.append(await so_far(line))
        return found

    async def begin(hall: Hall) -> tuple[str, str, list[list[Message]]]:
        token = await hall.account("ada")
        id = await table(hall, token)
        async with hall.connect(f"/play/forsale/{id}") as line:
            seat = await seated(hall, token, line, about={"kind": "model"})
            while (asked := await seat.hear("ask"))["view"]["part"] == 1 or asked["view"]["round"] < 2:
                await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0])
            await until(lambda: len(hall.serving.arena.playing[id].match.open) == 1)  # all bots have chosen
            return id, token, await watched(hall, id, token)

    async def again(hall: Hall) -> list[list[Message]]:
        await until(lambda: len(hall.serving.arena.playing[id].match.open) == 1)
        return await watched(hall, id, token)

    id, token, before = evening(house, begin)
    after = evening(house, again)
    for one, other in zip(before, after, strict=True):
        assert [*map(untimed, one)] == [*map(untimed, other)]
        assert numbers(one)[0] == 1 and numbers(one) == [*range(1, len(numbers(one)) + 1)]
        assert one[0]["players"][0] == {"name": "ada", "kind": "model"}
    assert len(numbers(before[1])) > len(numbers(before[0]))


def test_a_waiting_table_tells_of_its_seats_and_then_becomes_a_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        id = await table(hall, ada, "open", "open", "random")
        await hall.post(f"/tables/{id}/join", ada)
        async with (
            hall.connect(f"/watch/{id}?full=true") as public,
            hall.connect(f"/watch/{id}/me?full=true", ada) as own,
        ):
            for line in (public, own):
                assert [seat["name"] for seat in (await Seat(line).hear("waiting"))["seats"]] == ["ada", None, "random"]
            assert (await hall.get(f"/matches/{id}/events/me?full=true", bob)).status_code == 403
            await hall.serving.arena.evict(await hall.id(bob))  # has no seat, so nothing is sent
            await hall.post(f"/tables/{id}/join", bob)
            for line in (public, own):
                seats = (await Seat(line).hear("waiting"))["seats"]
                assert [seat["name"] for seat in seats] == ["ada", "bob", "random"]
                assert FEED.decode(json.dumps({"type": "waiting", "game": "forsale", "seats": seats}))
            assert (await Seat(public).hear("begin"))["seat"] is None
            assert (await Seat(own).hear("begin"))["seat"] == 0
            assert (await Seat(own).hear("view"))["part"] == "Auction 1"

    evening(House(tmp_path, log="off"), work)


def test_a_seat_that_is_freed_and_a_table_that_is_dropped(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        id = await table(hall, ada, "open", "open", "random")
        await hall.post(f"/tables/{id}/join", bob)
        async with hall.connect(f"/watch/{id}?full=true") as public:
            assert (await Seat(public).hear("waiting"))["seats"][0]["name"] == "bob"
            await hall.serving.arena.evict(await hall.id(bob))
            assert (await Seat(public).hear("waiting"))["seats"][0]["name"] is None
            await hall.serving.arena.drop(id)
            assert [message["type"] for message in await told(public)] == ["dropped"]

    evening(House(tmp_path, log="off"), work)


def test_a_table_that_closes_just_before_its_first_message_is_told_as_dropped(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        arena = hall.serving.arena
        id = await table(hall, await hall.account("ada"), "open", "open", "random")
        watching = Watching(arena, Doorkeeper(hall.store), Settings(), Metrics())
        messages = await watching.public(id, full=True)
        await arena.drop(id)
        async with asyncio.timeout(SOON_S):
            assert [json.loads(message)["type"] async for message in messages] == ["waiting", "dropped"]

    evening(House(tmp_path, log="off"), work)


@pytest.mark.parametrize("begun", [False, True])
def test_a_revoked_token_ends_the_feed_of_its_seat(tmp_path: Path, begun: bool) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        id = await table(hall, ada, "open", "random" if begun else "open", "random")
        await hall.post(f"/tables/{id}/join", ada)
        token = (await hall.post("/tokens", ada, scopes=["play"])).json()["token"]
        async with hall.connect(f"/watch/{id}/me?full=true", token) as own:
            await Seat(own).hear("ask" if begun else "waiting")
            assert (await hall.delete(f"/tokens/{await number(hall, token)}", ada)).status_code == 204
            assert await told(own) == []
            assert id in (hall.serving.arena.playing if begun else hall.serving.arena.open)

    evening(House(tmp_path, log="off"), work)


def test_spectators_get_all_of_it_later_and_a_seat_at_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        id = await table(hall, token)
        async with hall.connect(f"/play/forsale/{id}") as line:
            await (await seated(hall, token, line)).hear("ask")
            async with hall.connect(f"/watch/{id}?full=true") as public:
                async with hall.connect(f"/watch/{id}/me?full=true", token) as own:
                    await so_far(own)
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.3):
                        await public.recv()
                turn(600)
                assert (await so_far(public))[0]["type"] == "begin"

    evening(House(tmp_path, log="off", watch_delay_s=600.0), work)


def test_full_is_true_or_false(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        id = await table(hall, token)
        await hall.post(f"/tables/{id}/join", token)
        for path in (f"/watch/{id}?full=maybe", f"/watch/{id}/me?full=maybe"):
            async with hall.connect(path, token) as line:
                assert (await Seat(line).hear("error"))["code"] == "bad_request"
        assert (await hall.get(f"/matches/{id}/events?full=maybe")).status_code == 400
        async with hall.connect(f"/watch/{id}?full=false") as line:
            assert json.loads(await line.recv())["type"] == "view"

    evening(House(tmp_path, log="off"), work)


def test_a_room_is_watched_too_and_tells_of_players_that_join(tmp_path: Path) -> None:
    async def work(hall: Hall) -> str:
        assert hall.rooms is not None and hall.rooms.public.game is not None
        id = hall.rooms.public.game.id
        token = await hall.account("bob")
        async with hall.connect(f"/watch/{id}?full=true") as line, hall.connect("/play/colorfight") as played:
            watcher = Seat(line)
            assert (await watcher.hear("begin"))["players"] == []
            assert (await watcher.hear("view"))["part"] == "Round 0"
            await Seat(played).hello("bob", token=token, about={"kind": "person"})
            assert (await watcher.hear("begin"))["players"] == [{"name": "bob", "kind": "person"}]
            assert (await watcher.hear("event"))["words"][0].startswith("bob joins, with a home")
            assert len((await watcher.hear("view"))["view"]["users"]) == 1
            async with hall.connect(f"/watch/{id}/me?full=true", token) as own:
                assert numbers(await so_far(own)) == [1]
        return id

    async def again(hall: Hall) -> list[Message]:
        async with hall.connect(f"/watch/{id}?full=true") as line:
            return await so_far(line)

    house = House(tmp_path, log="off", rooms=1)
    id = evening(house, work)
    after = evening(house, again)
    assert numbers(after) == [1] and after[0]["players"] == [{"name": "bob", "kind": "program"}]


# Without a server


def forsale_match(seats: int = 3) -> Match[Any]:
    sittings = [Sitting(f"P{seat}") for seat in range(seats)]
    return Match(game("forsale"), header(game("forsale"), sittings, b"s" * 32), b"s" * 32)


def no_errors(error: Exception) -> None:
    raise error


async def all_of(watcher: Any) -> list[Message]:
    watcher.tell(None)
    return [json.loads(message) async for message in watcher]


def test_a_seat_that_is_refused_is_told_and_nobody_else_is() -> None:
    async def work() -> None:
        match = forsale_match()
        feed = Feeds(match, {}, no_errors)
        feed.take(match.begin(0.0), 0.0)
        [seat] = match.open
        watchers = {who: feed.messages(who, 0.0) for who in (None, seat, (seat + 1) % 3)}
        feed.take(match.answer(seat, {"type": "Bid", "amount": 99}, 1.0), 1.0)
        heard = {who: await all_of(watcher) for who, watcher in watchers.items()}
        assert [message["type"] for message in heard.pop(seat)] == ["begin", "view", "ask", "fault", "ask"]
        assert all([message["type"] for message in others] == ["begin", "view"] for others in heard.values())

    run(work())


def test_a_watcher_that_does_not_read_is_given_up_and_the_others_are_told() -> None:
    async def work() -> None:
        watchers = Watchers()
        slow, quick = watchers.add([]), watchers.add([])
        for n in range(WATCH_QUEUE + 1):
            watchers.tell(b"%d" % n)
            assert await anext(quick) == b"%d" % n
        assert len([message async for message in slow]) == WATCH_QUEUE
        watchers.tell(b"more")
        assert await anext(quick) == b"more"

    run(work())


def test_only_the_last_events_are_sent_to_a_late_watcher_with_their_numbers() -> None:
    async def work() -> None:
        match = forsale_match()
        match.begin(0.0)
        out = Out([], [Raised(0, 1), Chose(1, 9)])  # all see the first, seat 1 the second
        feed = Feeds(match, {}, no_errors, [out] * (TAIL + 50))
        for who, last in ((None, TAIL + 50), (1, 2 * TAIL + 100), (2, TAIL + 50)):
            heard = await all_of(feed.messages(who, 0.0))
            assert numbers(heard) == [*range(last - TAIL + 1, last + 1)]
            assert of_type(heard, "view")[0]["n"] == last

    run(work())


def test_an_error_in_the_words_of_a_game_stops_nothing() -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError

    async def work() -> None:
        match = forsale_match()
        match.game = replace(match.game, words=replace(match.game.words, say=broken, part=broken, to_act=broken))
        errors: list[Exception] = []
        feed = Feeds(match, {}, errors.append)
        feed.take(match.begin(0.0), 0.0)
        watcher = feed.messages(None, 0.0)
        [seat] = match.open
        feed.take(match.answer(seat, match.open[seat].ask.choices[0], 0.0), 0.0)  # type: ignore[index]
        heard = await all_of(watcher)
        assert [message["type"] for message in heard] == ["begin", "view", "event", "view"]
        assert heard[2]["words"] == [] and heard[3]["part"] is None and errors

    run(work())


def test_nothing_is_encoded_while_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    match = forsale_match()
    feed = Feeds(match, {}, no_errors)
    monkeypatch.setattr("parlour.tables.match_feed.encode", None)
    feed.take(match.begin(0.0), 0.0)
    while match.end is None:
        [seat, *_] = match.open
        feed.take(match.answer(seat, match.open[seat].ask.choices[0], 0.0), 0.0)  # type: ignore[index]


@pytest.mark.parametrize("collected", [1, 7, 1000])
def test_a_late_watcher_gets_the_same_whether_events_were_counted_or_collected(
    collected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        match, other = forsale_match(), forsale_match()
        counting, collecting = Feeds(match, {}, no_errors), Feeds(other, {}, no_errors)
        counting.plain(None)
        for of, feeds in ((match, counting), (other, collecting)):
            feeds.take(of.begin(0.0), 0.0)
            for now in range(1, 30):
                [seat, *_] = of.open
                feeds.take(of.answer(seat, of.open[seat].ask.choices[0], float(now)), float(now))  # type: ignore[index]
        for who in (None, 0, 1, 2):
            heard = [await all_of(feeds.messages(who, 30.0)) for feeds in (counting, collecting)]
            assert heard[0] == heard[1] and numbers(heard[0])
            plain = [await all_of(feeds.plain(None).messages(b"{}")) for feeds in (counting, collecting)]
            assert plain[0] == plain[1] and len(plain[0]) > 10

    monkeypatch.setattr("parlour.tables.match_feed.MOST_UNTOLD", collected)
    run(work())

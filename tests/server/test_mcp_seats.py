"""Seats of agents: several agents, programs and bots in one match; faults; lost connections and restarts."""

import asyncio
import json
from pathlib import Path
from typing import Any

from parlour.transports.limits import AGENT_IDLE_S
from tests.server.agents import Agent, Facts, agent, suggested
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import soon, turn, until


def house(folder: Path, **settings: Any) -> House:
    return House(folder, **{"log": "off", "tables_per_account": 50, **settings})


async def seated(hall: Hall, ada: Agent, host: str, *seats: str, **terms: Any) -> str:
    """Seat the agent at a new table of For Sale with these others; returns the id of the table."""
    table: str = (await hall.table(host, "forsale", "open", *seats, **terms))["table"]["id"]
    await ada.sit(table=table)
    return table


async def faults(hall: Hall, match: str) -> list[str]:
    """The codes of all faults in the transcript."""
    await hall.over(match)
    text = (await hall.http.get(f"/api/matches/{match}/transcript")).text
    return [line["fault"]["code"] for line in map(json.loads, text.splitlines()) if line.get("fault")]


async def decides(agent: Agent) -> None:
    """Answer the next ask."""
    facts = await agent.turn()
    await agent.does("answer", seat=agent.seat, action=suggested(facts))


async def turn_beside(agent: Agent, other: Agent) -> Facts:
    """The agent's next turn. The other one answers until then, because the dice say which is asked first."""
    while (facts := await agent.does("wait", seat=agent.seat, seconds=1))["state"] == "waiting":
        theirs = await other.does("wait", seat=other.seat, seconds=0)
        if theirs["state"] == "your_turn":
            await other.does("answer", seat=other.seat, action=suggested(theirs))
    return facts


async def program_plays(program: Seat) -> None:
    """Play the first choice over protocol 1 to the end."""
    await program.hello("program")
    while (said := json.loads(await program.line.recv()))["type"] != "over":
        if said["type"] == "ask":
            await program.say(type="answer", id=said["id"], action=said["ask"]["choices"][0])


def test_two_agents_a_program_and_a_bot_play_one_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        created = await hall.table(host, "forsale", "open", "invited", "open", "thinker")
        table, key = created["table"]["id"], created["key"]
        async with (
            agent(hall.url, host) as own,
            agent(hall.url, mode="legacy") as guest,
            hall.connect(f"/play/forsale/{table}") as line,
        ):
            playing = asyncio.ensure_future(program_plays(Seat(line)))
            await own.sit(game="For Sale", table=table)
            assert own.seat == f"forsale/{table}"
            await until(lambda: hall.serving.arena.open[table].seats.people() == 2)
            assert await guest.fails("sit", table=table, key="wrong") == "key_needed"
            await guest.sit(table=table, key=key, name="Guest")
            assert guest.seat.startswith(f"forsale/{table}/parlour_")
            first, second = await asyncio.gather(own.play(), guest.play())
            await playing
        assert first["scores"] == second["scores"] and first["your_seat"] != second["your_seat"]
        assert {*first["players"]} == {"host", "Guest", "program", "thinker"}
        assert (await hall.proof(table)).holds == "yes"

    evening(house(tmp_path), work)


def test_what_an_answer_costs(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        async with agent(hall.url, host) as ada:
            created = await hall.table(host, "forsale", "open", "open", "minimum")
            await ada.sit(table=created["table"]["id"])
            assert await ada.fails("answer", action="pass") == "not_asked"
            assert (await ada.does("wait", seconds=0))["state"] == "waiting"
            async with agent(hall.url, await hall.guest()) as bob:
                await bob.sit(table=created["table"]["id"])
                turn_ = await turn_beside(ada, bob)
                for junk in ("hm", {"action": "dance"}, {}, "bid 5 or pass", 7.5, "x" * 20_000):
                    assert await ada.fails("answer", action=junk) in ("unclear", "ambiguous", "bad_arguments"), junk
                assert await ada.fails("answer", action="pass", ask=turn_["ask"] + 7) == "stale"
                failed, text, _ = await ada.tries("answer", action={"action": "bid", "amount": 19})
                assert failed and 'Understood {"action":"bid","amount":19}. Your answer was refused: ' in text
                again = await ada.turn()
                assert (again["ask"], again["attempt"]) == (turn_["ask"] + 1, 2)
                assert again["events"][-1].startswith("Your answer was refused: ")
                least = again["schema"]["properties"]["amount"]["minimum"]
                said = f"I'll bid {least}, because why not"
                assert (await ada.does("answer", ask=again["ask"], action=said, note="why"))["accepted"]
                if (await ada.does("view"))["state"] == "waiting":
                    assert await ada.fails("answer", action="pass") in ("not_asked", "answered")
                    assert await ada.fails("answer", action="pass", ask=again["ask"]) in ("not_asked", "stale")
                over, _ = await asyncio.gather(ada.play(), bob.play())
                assert await ada.fails("answer", action="pass") == "over"
                assert (await ada.does("leave"))["state"] == "over"
                assert len(await faults(hall, over["match"])) == 1

    evening(house(tmp_path), work)


def test_an_agent_goes_on_after_a_restart(tmp_path: Path) -> None:
    """A guest uses the name of its seat, and an account its token."""
    kept = house(tmp_path, port=0)
    seats: dict[str, str] = {}

    async def first(hall: Hall) -> None:
        host = seats["token"] = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "open", "minimum"))["table"]["id"]
        async with agent(hall.url, host) as ada, agent(hall.url) as bob:
            await ada.sit(table=table)
            await bob.sit(table=table)
            await asyncio.gather(decides(ada), decides(bob))  # the dice say which of them is asked first
            seats.update(ada=ada.seat, bob=bob.seat)

    async def second(hall: Hall) -> None:
        async with agent(hall.url, seats["token"]) as ada, agent(hall.url) as bob:
            assert await bob.fails("wait", seat=seats["ada"]) == "bad_seat"
            assert await bob.fails("wait", seat=seats["bob"] + "x") == "bad_token"
            bob.seat = seats["bob"]
            over, _ = await asyncio.gather(ada.play(), bob.play())
            assert over["seat"] == seats["ada"]
        assert await faults(hall, over["match"]) == []
        assert (await hall.proof(over["match"])).holds == "yes"

    evening(kept, first)
    evening(kept, second)


def test_a_waiting_agent_is_told_that_the_server_stops(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with agent(hall.url, host := await hall.account("host")) as ada:
            await seated(hall, ada, host, "open", "open")
            waiting = asyncio.ensure_future(ada.does("wait", seconds=300))
            await until(lambda: any(each.seat.calls for each in hall.serving.agents.sessions))
            await hall.serving.client_desk.park()
            facts = await soon(waiting)
            assert (facts["state"], facts["code"]) == ("disconnected", "parked") and "try again" in facts["words"]

    evening(house(tmp_path), work)


def test_an_agent_that_vanishes_loses_its_connection_and_may_return(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host, desk = await hall.account("host"), hall.serving.agents
        async with agent(hall.url, host) as ada:
            table = await seated(hall, ada, host, "minimum", "minimum")
            await ada.turn()
            waiting = asyncio.ensure_future(ada.client.call_tool("wait", {"seconds": 100}))
            await waiting
        [session] = desk.sessions
        chair = hall.serving.arena.playing[table].chairs[0]
        turn(AGENT_IDLE_S + 1)
        await until(lambda: not chair.is_connected and chair.leaving is not None)
        assert not session.is_here and not desk.sessions
        async with agent(hall.url, host) as ada:
            await ada.does("wait", seconds=0)
            assert chair.is_connected and chair.leaving is None
            ada.seat = f"forsale/{table}"
            await ada.play()

    evening(house(tmp_path), work)


def test_a_call_that_waits_keeps_the_seat_and_a_cancelled_one_does_not(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        told: list[str] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            told.append(message or "")

        async with agent(hall.url) as ada:
            table = (await hall.table(await hall.account("host"), "forsale", "open", "open", "open"))["table"]["id"]
            await ada.sit(table=table)
            [session] = hall.serving.agents.sessions
            call = {"seat": ada.seat, "seconds": 300}
            waiting = asyncio.ensure_future(ada.client.call_tool("wait", call, progress_callback=note))
            await until(lambda: session.seat.calls)
            turn(6)
            await until(lambda: told)
            assert told[0].startswith("waiting for the others")
            waiting.cancel()
            await until(lambda: not session.seat.calls)
            turn(AGENT_IDLE_S + 1)
            await until(lambda: not session.is_here)
            free = await ada.does("list_games")  # the arena serves on
            assert free["games"]

    evening(house(tmp_path), work)


def test_a_seat_is_taken_by_another_connection_and_taken_back(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        async with agent(hall.url, host) as ada, agent(hall.url, host) as same:
            table = await seated(hall, ada, host, "minimum", "minimum")
            facts = await ada.turn()
            assert (await same.does("wait"))["ask"] == facts["ask"]
            async with hall.connect(f"/play/forsale/{table}", host) as line:
                program = Seat(line)
                await program.hello("host")
                await program.hear("ask")
                gone = await ada.does("wait")
                assert (gone["state"], gone["code"]) == ("disconnected", "replaced")
                assert await ada.fails("answer", action="pass") == "replaced"
                await ada.sit(seat=ada.seat)
                assert (await program.hear("error"))["code"] == "replaced"
            said = await asyncio.gather(
                *(each.tries("answer", action="pass", ask=facts["ask"]) for each in (ada, same))
            )
            assert sorted(failed for failed, _, _ in said) == [False, True]
            await ada.play()

    evening(house(tmp_path), work)


def test_a_client_that_leaves_is_not_waited_for(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        async with agent(hall.url, host) as ada:
            assert await ada.fails("leave") == "no_such_seat"
            waiting = await seated(hall, ada, host, "open", "open")
            assert (await ada.does("leave", seat=ada.seat))["state"] == "left"
            await until(lambda: hall.serving.arena.open[waiting].seats.people() == 0)
            table = await seated(hall, ada, host, "minimum", "minimum")
            await ada.turn()
            assert (await ada.does("leave", seat=ada.seat))["state"] == "left"
            await hall.over(table)
            again = await ada.does("wait", seat=ada.seat)
            assert again["state"] == "over" and again["scores"] and again["players"][again["your_seat"]] == "host"

    evening(house(tmp_path), work)


def test_an_agent_with_several_seats_names_one(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        async with agent(hall.url, host) as ada:
            first = await seated(hall, ada, host, "open", "open")
            second = await seated(hall, ada, host, "open", "open")
            failed, text, facts = await ada.tries("wait")
            assert failed and facts["error"] == "which_seat" and first in text and second in text
            assert await ada.fails("view", seat="forsale/nowhere") == "no_such_table"
            assert await ada.fails("sit", seat=f"forsale/{await unowned(hall)}") == "not_yours"
            for junk in ("", "x", "a/b/c/d", "//", f"forsale/{first}/", "maze/x y"):
                failed, text, facts = await ada.tries("view", seat=junk)
                assert failed and "\n" not in text, junk

    async def unowned(hall: Hall) -> str:
        table: str = (await hall.table(await hall.account("other"), "forsale", "open", "open", "open"))["table"]["id"]
        return table

    evening(house(tmp_path), work)


def test_a_free_question_is_answered(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        async with agent(hall.url, host) as ada:
            table = (await hall.table(host, "tradecraft", "open", "random"))["table"]["id"]
            await ada.sit(table=table)
            await ada.turn()
            assert '"title":"' in (await ada.does("read_rules", game="tradecraft"))["rules"]
            failed, text, facts = await ada.tries("ask", question={"type": "Nothing"})
            assert failed and facts["error"] == "bad_query" and "The types are: " in text
            kind = text.partition("The types are: ")[2].partition(",")[0].partition(";")[0]
            failed, text, _ = await ada.tries("ask", question={"type": kind})
            assert "internal" not in text
            forsale = await seated(hall, ada, host, "minimum", "minimum")
            assert await ada.fails("ask", seat=f"forsale/{forsale}", question="x") == "no_queries"

    evening(house(tmp_path), work)

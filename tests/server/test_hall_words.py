"""Texts of players reach others without control and direction characters, over every protocol."""

from tests.games.tradecraft.test_rules import CLEAN, DIRTY
from tests.players.clients import run
from tests.server.guests import THREE, Inn, line
from tests.turned import until


def test_words_that_come_by_any_way_are_clean_and_the_record_of_them_holds() -> None:  # RULES 3.8
    """A record keeps what was sent, as it always did."""

    async def evening() -> None:
        async with Inn(THREE) as inn:
            ada = await inn.player("ada")
            await until(lambda: inn.waiting() == 1)
            bob = await line(inn, "TCP", "bob")
            await until(lambda: inn.waiting() == 2)
            cleo = await line(inn, "WebSocket", "cleo")
            for guest in (bob, cleo):
                await guest.hears("start_proposal")
            await ada.hears("start_proposal")
            await ada.plays("submit_proposal", proposal={"partner": "bob"}, message=DIRTY)
            assert (await bob.hears("proposal"))["message"] == CLEAN
            await bob.says("decide", decision="reject", message=DIRTY)
            assert (await ada.hears("proposal_reply_message"))["message"] == CLEAN
            await ada.plays("craft_done")
            for guest in (bob, cleo):
                await guest.says("done_crafting")
            await bob.hears("start_proposal", turn_index=2)
            await bob.says("propose", partner="cleo", message=DIRTY)
            assert (await cleo.hears("proposal"))["message"] == CLEAN
            await cleo.says("decide", decision="reject", message=DIRTY)
            assert (await bob.hears("proposal_reply_message"))["message"] == CLEAN
            await cleo.says("query", what="history")
            told = await cleo.hears("history")
            assert CLEAN in str(told) and "\\u202e" not in ascii(told)
            await ada.plays("craft_done")
            for guest in (bob, cleo):
                await guest.says("done_crafting")
            await ada.hears("game_over")
            await inn.next()
            assert inn.holds() and "\u202e" in b"".join(inn.records[0]).decode()

    run(evening())

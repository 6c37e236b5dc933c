"""Hosting: bots that play, seats that agree with the rules, dialects that exist."""

from typing import Any

from parlour.core import STRENGTHS, AnswerRefused, Result, Sitting
from parlour.players.player_specs import load
from parlour.referee.driver import drive
from parlour.referee.match import Match
from parlour.referee.player import Mind, bot_dice, place_of
from parlour.referee.transcript import header
from parlour.testing.contract.base import ContractTests

MOST_DECISIONS = 12
"""How many decisions of each bot are looked at."""


class HostingContract(ContractTests):
    """The fields of `Hosting`."""

    def test_there_is_a_random_bot(self) -> None:
        bot = self.game.hosting.bots.get("random")
        assert bot is not None, "hosting.bots has no 'random'. Tests and hosts need it."
        assert not isinstance(bot, type), "The bot 'random' is a class. It must be a function of view, ask and dice."

    def test_every_bot_has_a_strength(self) -> None:
        bots, strengths = self.game.hosting.bots, self.game.hosting.strengths
        assert not bots.keys() - strengths.keys(), f"Bots without a strength: {sorted(bots.keys() - strengths.keys())}"
        assert not strengths.keys() - bots.keys(), f"Strengths without a bot: {sorted(strengths.keys() - bots.keys())}"
        unknown = {name: strength for name, strength in strengths.items() if strength not in STRENGTHS}
        assert not unknown, f"Unknown strengths: {unknown}. There are: {', '.join(STRENGTHS)}"
        assert strengths["random"] == "random", f"The bot 'random' has the strength {strengths['random']!r}."

    def test_the_house_bot_is_one_of_the_bots(self) -> None:
        bots, house = self.game.hosting.bots, self.game.hosting.house_bot
        assert house in bots, f"hosting.house_bot is {house!r}, which is no bot. Bots: {', '.join(bots)}"

    def test_no_bot_is_stronger_than_the_best(self) -> None:
        hosting = self.game.hosting
        best = hosting.best_bot()
        assert best in hosting.bots, f"hosting.best_bot() is {best!r}, which is no bot."
        ranks = {name: STRENGTHS.index(hosting.strengths[name]) for name in hosting.bots}
        strongest = [name for name, rank in ranks.items() if rank == max(ranks.values())]
        assert best == strongest[-1], f"hosting.best_bot() is {best!r}, but the strongest bot is {strongest[-1]!r}."

    def test_seating_agrees_with_the_rules(self) -> None:
        seating, seats = self.game.hosting.seating, self.game.rules.seats
        assert len(seats), "rules.seats is empty."
        assert seating in ("fixed", "sign_up", "open"), f"hosting.seating is {seating!r}, which is unknown."
        if seating == "fixed":
            assert 0 not in seats, "hosting.seating is 'fixed', but rules.seats has 0: players may join later."
        else:
            assert 0 in seats, (
                f"hosting.seating is {seating!r}, so all players join later, but 0 is not in rules.seats."
            )
        more = [number for number in self.game.table_seats() if number not in seats]
        assert not more, f"hosting.served has numbers of seats that the rules do not allow: {more}"

    def test_random_bots_finish_a_short_match(self) -> None:
        """Under the options for a quick demonstration; if there are none, under the default ones."""
        short, kind = self.game.hosting.short, self.game.rules.options
        assert short is None or isinstance(short, kind), f"hosting.short is no {kind.__name__}: {short!r}"
        match = self._match(short)
        end = drive(match, [self.game.hosting.bots["random"]] * len(match.header.players))
        assert isinstance(end, Result), f"A short match between random bots ended without a result: {end}"

    def test_every_bot_answers_legally(self) -> None:
        for name in self.game.hosting.bots:
            self._check_bot(name)

    def _check_bot(self, name: str) -> None:
        """The bot sits at the last seat; random bots sit at the others."""
        match = self._match(self.subject.options[0])
        out = match.begin(0.0)
        last = len(match.names) - 1
        minds = [self._mind(match, name if seat == last else "random", seat) for seat in range(last + 1)]
        decisions = 0
        while match.end is None and decisions < MOST_DECISIONS:
            for seat, mind in enumerate(minds):
                mind.hear(out.to(seat))
            seat, open = next((seat, open) for seat, open in match.open.items() if open.ask.waits)
            said = minds[seat].decide(match.state.view(seat), open.ask)
            out = match.answer(seat, said, 0.0)
            decisions += seat == last
            refused = [
                notice.fault for notice in out.notices if isinstance(notice, AnswerRefused) and notice.seat == last
            ]
            assert not refused, f"The bot {name!r} answered {open.ask} by {said}: {refused[0].words}"

    def _mind(self, match: Match[Any], name: str, seat: int) -> Mind:
        mind = Mind(load(self.game, name).make(), bot_dice(match.seed, seat))  # type: ignore[union-attr]  # a built-in bot
        mind.sit(place_of(match, seat))
        return mind

    def _match(self, options: Any) -> Match[Any]:
        """A new match with as few seats as a table may have."""
        seats = next(number for number in self.game.table_seats() if number)
        players = [Sitting(f"player {seat}", f"salt {seat}") for seat in range(seats)]
        return Match(self.game, header(self.game, players, b"hosting", options=options), b"hosting")

    def test_dialects_that_are_mentioned_exist(self) -> None:
        hosting = self.game.hosting
        named = {"command_dialect": hosting.command_dialect, "socket_dialect": hosting.socket_dialect}
        mentioned = [(where, name) for where, name in named.items() if name is not None]
        mentioned += [("ports", name) for name in hosting.ports]
        for where, name in mentioned:
            known = ", ".join(hosting.dialects) or "none"
            assert name in hosting.dialects, f"hosting.{where} names the dialect {name!r}. Dialects: {known}"

    def test_socket_dialects_of_fixed_seats_introduce_their_players(self) -> None:
        """Where seats are fixed, a client has to say who it is before it can be seated."""
        hosting = self.game.hosting
        if hosting.seating == "fixed" and hosting.socket_dialect is not None:
            name = hosting.socket_dialect
            introduces = hosting.lets_connect(name)
            assert introduces, f"The socket dialect {name!r} does not introduce its players (Dialect.introduces)."

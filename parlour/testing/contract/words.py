"""The game in words: there is text for all that occurs."""

from typing import Any

from hypothesis import strategies as st

from parlour.core import Board, Event
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, few, needs, seats_of
from parlour.testing.walk import Case


class WordsContract(ContractTests):
    """The game's words for people and language models."""

    @few
    def test_there_are_words_for_every_event(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        names = [*walk.match.names, "late", "later"]
        for out in walk.outs:
            for event in out.notices:
                if isinstance(event, Event):
                    for who in seats_of(walk.match):
                        if (seen := event.seen_by(who)) is not None:
                            check_text(self.game.words.say(seen, names), f"words.say of {seen}")

    @few
    def test_every_view_can_be_shown_as_a_board(self, data: st.DataObject) -> None:
        match = a_walk(data, self.subject).match
        for who in seats_of(match):
            view = match.state.view(who)
            board = self.game.words.board(view, match.names)
            assert isinstance(board, Board), f"words.board gives a {type(board).__name__}, which is no Board."
            check_text(board.heading, f"the heading of the board of {view}")
            assert board.columns, f"The board of {view} has no columns."
            for row in board.rows:
                assert len(row) == len(board.columns), f"The row {row} does not fit the columns {board.columns}."
                texts = all(isinstance(cell, str) for cell in row)
                assert texts, f"The row {row} of the board has entries that are no text."

    @needs(lambda subject: subject.game.words.part)
    @few
    def test_every_view_has_a_part(self, data: st.DataObject) -> None:
        part, match = self.game.words.part, a_walk(data, self.subject).match
        assert part is not None
        for who in seats_of(match):
            view = match.state.view(who)
            check_text(part(view), f"words.part of {view}")

    @needs(lambda subject: subject.game.words.to_act)
    @few
    def test_spectators_see_which_seats_have_to_act(self, data: st.DataObject) -> None:
        to_act, match = self.game.words.to_act, a_walk(data, self.subject).match
        assert to_act is not None
        seats = [*to_act(match.state.view(None))]
        known = set(seats) <= set(range(len(match.names))) and len(set(seats)) == len(seats)
        assert known, f"words.to_act gives {seats}, but the seats are 0 to {len(match.names) - 1}, each once."
        assert not seats or match.state.result() is None, f"words.to_act gives {seats} after the end."

    @needs(lambda subject: subject.game.words.opening)
    def test_there_are_words_for_every_first_position(self) -> None:
        opening = self.game.words.opening
        assert opening is not None
        for seats in self.subject.seats:
            for options in self.subject.options:
                match = Case(self.subject, seats, options, b"opening", 0, False).match()
                match.begin(0.0)
                for who in seats_of(match):
                    told = opening(match.state.view(who), match.names)
                    assert isinstance(told, str), f"words.opening for seat {who} gives {told!r}, which is no text."

    @needs(lambda subject: subject.game.words.hint)
    @few
    def test_there_is_a_hint_for_every_ask(self, data: st.DataObject) -> None:
        hint = self.game.words.hint
        assert hint is not None
        for seat, ask in a_walk(data, self.subject).match.state.asks().items():
            if seat is not None:
                assert isinstance(hint(ask), str), f"words.hint of {ask} gives {hint(ask)!r}, which is no text."


def check_text(said: Any, what: str) -> None:
    assert isinstance(said, str) and said.strip(), f"{what} gives {said!r} instead of text.".capitalize()

"""The rules of Maze, in the order of RULES.md."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from parlour.core import (
    Ask,
    BadOptions,
    By,
    Close,
    Comparable,
    Dice,
    Event,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Position,
    Result,
    Seat,
    Stop,
    Table,
)
from parlour.games.maze.board import OPPOSITE, Board, Cell, carried, fixed, line
from parlour.games.maze.setup import SERVED, cell, check, colour, fresh_board, prepared_board, spot
from parlour.games.maze.tiles import DEGREES
from parlour.games.maze.values import (
    Ack,
    Action,
    Began,
    Decided,
    GoalGiven,
    Hear,
    Joined,
    Left,
    Move,
    Moved,
    Options,
    Pass,
    Passed,
    Prepared,
    SetUp,
    Slide,
    Spot,
    TakeTurn,
    View,
)
from parlour.games.maze.view import view

Phase: TypeAlias = Literal["registration", "setup", "play", "end", "over"]
Why: TypeAlias = Literal["home", "passes", "rounds", "nobody", "time"]


@mypyc_attr(allow_interpreted_subclasses=True)
class Player(Comparable):
    """A seat's avatar, and its secret goal and treasures."""

    def __init__(self, colour: str, at: Cell, home: Cell, goal: Cell, place: int = -1) -> None:
        self.colour = colour
        self.at = at
        self.home = home
        self.goal = goal
        self.going_home = False
        self.treasures = 0
        self.here = True
        """False if the player has left."""
        self.place = place
        """The player's entry in a prepared position; entries may have equal colours."""

    def copy(self) -> "Player":
        twin = Player(self.colour, self.at, self.home, self.goal, self.place)
        twin.going_home, twin.treasures, twin.here = self.going_home, self.treasures, self.here
        return twin


@mypyc_attr(allow_interpreted_subclasses=True)
class State(Position[View]):
    options: Options
    start: Prepared | None
    dice: Dice
    board: Board
    phase: Phase
    players: list[Player]
    """By seat; seats are in the order of signing up."""
    queue: list[Cell]
    """Goals not given to a player yet."""
    last: Slide | None
    round: int
    turn: int
    """Turns taken so far."""
    upcoming: list[Seat]
    """Seats that have not taken their turn in this round, in turn order."""
    passed: list[Seat]
    """Seats that have passed in this round."""
    pending: list[Seat]
    """Seats that have not acknowledged the first set-up, their new goal or the end."""
    winners: list[Seat] | None

    @classmethod
    def new(cls, seats: int, options: Options, start: Prepared | None, dice: Dice) -> "State":
        """RULES 2. With 0 seats, players sign up until the table closes registration."""
        state = cls()
        state.options, state.start, state.dice = options, start, dice
        if start is not None:
            check(start)
        elif seats and seats not in SERVED:
            raise BadOptions(f"Maze is for {SERVED[0]} to {SERVED[-1]} players, not {seats}")
        state.board = fresh_board(options, dice) if start is None else prepared_board(start)
        state.last = None if start is None else start.last
        state.players, state.queue = [], []
        state.round = state.turn = 0
        state.upcoming, state.passed, state.pending = [], [], []
        state.winners = None
        state.phase = "registration"
        if seats > state.most():
            raise BadOptions(f"there is room for {state.most()} players, not for {seats}")
        for _ in range(seats):
            state._sign_up()
        if seats:
            state._close([])
        return state

    # Signing up (RULES 2)

    def most(self) -> int:
        """The maximum number of players."""
        if self.start is not None:
            return len(self.start.players)
        return min(SERVED[-1], len(fixed(self.board.rows, self.board.columns)))

    def _sign_up(self) -> None:
        seat = len(self.players)
        if self.start is not None:  # provisional; `_close` assigns the entries (RULES 2.6)
            taken = [player.place for player in self.players if player.here]
            free = [place for place in range(self.most()) if place not in taken]
            self.players.append(self._placed(free[-1]))
            return
        still = fixed(self.board.rows, self.board.columns)
        homes = [player.home for player in self.players if player.here]
        home = self.dice.pick([tile for tile in still if tile not in homes])
        goal = self.dice.pick([tile for tile in still if tile != home])
        self.players.append(Player(colour(seat), home, home, goal))

    def _placed(self, place: int) -> Player:
        """A player with this entry of the prepared position."""
        assert self.start is not None
        entry = self.start.players[place]
        at, home, goal = self._cell(entry.at), self._cell(entry.home), self._cell(entry.goal)
        return Player(entry.colour, at, home, goal, place=place)

    def _close(self, events: list[Event]) -> None:
        """End registration. The last player to sign up moves first (RULES 2.3) and has the first entry (2.5)."""
        here = self.here()
        if self.start is not None:
            for place, seat in enumerate(reversed(here)):
                self.players[seat] = self._placed(place)
                events.append(GoalGiven(seat, self._spot(self.players[seat].goal), False, 0))
            self.queue = [self._cell(goal) for goal in self.start.goals]
        else:
            still = fixed(self.board.rows, self.board.columns)
            further = (self.options.goals_per_player - 1) * len(here) + self.options.extra_goals
            self.queue = [self.dice.pick(still) for _ in range(further)]
        self.phase = "setup"
        self.pending = here
        if not here:
            self._decide("nobody", None, events)

    # Rounds (RULES 3, 5)

    def _begin_round(self, events: list[Event]) -> None:
        if self.round == 0:
            events.append(Began(tuple(reversed(self.here()))))
        self.phase = "play"
        self.round += 1
        self.upcoming = self.here()[::-1]
        self.passed = []

    def _move(self, seat: Seat, move: Move, events: list[Event]) -> None:
        slide: Slide = (move.index, move.direction)
        along = line(self.board.rows, self.board.columns, *slide)
        self.board.slide(*slide, move.degrees)
        for player in self.players:
            player.at = carried(player.at, along)
        self.players[seat].at = self._cell((move.row, move.column))
        self.last = slide
        events.append(Moved(seat, *slide, move.degrees, (move.row, move.column)))
        self._turn_taken(seat)
        self._arrive(seat, events)

    def _arrive(self, seat: Seat, events: list[Event]) -> None:
        """RULES 4."""
        player = self.players[seat]
        if player.at != player.goal:
            return
        if player.going_home:
            self._decide("home", seat, events)
            return
        player.treasures += 1
        player.goal = self.queue.pop(0) if self.queue else player.home
        player.going_home = not self.queue and player.goal == player.home
        self.pending = [seat]
        events.append(GoalGiven(seat, self._spot(player.goal), player.going_home, player.treasures))

    def _turn_taken(self, seat: Seat) -> None:
        self.upcoming.remove(seat)
        self.turn += 1

    def _go_on(self, events: list[Event]) -> None:
        """Advance the phase or the round once no acknowledgement is pending."""
        if self.pending or self.phase in ("registration", "over"):
            return
        if self.phase == "end":
            self.phase = "over"
        elif not self.here():
            self._decide("nobody", None, events)
        elif self.phase == "setup":
            self._begin_round(events)
        elif not self.upcoming:
            self._end_round(events)

    def _end_round(self, events: list[Event]) -> None:
        """RULES 5.1."""
        if all(seat in self.passed for seat in self.here()):
            self._decide("passes", None, events)
        elif self.round == self.options.round_cap:
            self._decide("rounds", None, events)
        else:
            self._begin_round(events)

    # The end (RULES 5)

    def _decide(self, why: Why, ender: Seat | None, events: list[Event]) -> None:
        """RULES 5.2. `ender` is the seat that came home."""
        winners = self.here()
        most = max((self.players[seat].treasures for seat in winners), default=0)
        winners = [seat for seat in winners if self.players[seat].treasures == most]
        if ender in winners:
            winners = [ender]
        nearest = min(map(self._distance, winners), default=0)
        self.winners = [seat for seat in winners if self._distance(seat) == nearest]
        self.phase = "end"
        self.pending = self.here()
        self.upcoming = []
        events.append(Decided(tuple(self.winners), why))
        self._go_on(events)

    def _distance(self, seat: Seat) -> int:
        """Squared, from the avatar to its goal."""
        player = self.players[seat]
        (row, column), (to_row, to_column) = self._spot(player.at), self._spot(player.goal)
        return (row - to_row) ** 2 + (column - to_column) ** 2

    # The referee's interface

    def here(self) -> list[Seat]:
        """Seats that have not left, in the order of signing up."""
        return [seat for seat, player in enumerate(self.players) if player.here]

    def known_goal(self, seat: Seat) -> Spot | None:
        """The goal; in a prepared position None until registration closes, or if the player withdrew (RULES 2.6)."""
        player = self.players[seat]
        settled = self.start is None or (self.phase != "registration" and player.here)
        return self._spot(player.goal) if settled else None

    def order(self) -> list[Seat]:
        """Seats that have not left, in turn order, starting with the next to act."""
        order = self.here()[::-1]
        first = self.upcoming[0] if self.upcoming else None
        return order if first is None else order[order.index(first) :] + order[: order.index(first)]

    def _new_asks(self) -> dict[By, Ask[Any]]:
        if self.phase == "registration":
            return {None: Ask()}  # the host closes registration, not the clock
        if self.phase == "end":
            return {seat: Hear(won=seat in (self.winners or ())) for seat in self.pending}
        if self.pending:
            whole = self.phase == "setup"
            return {seat: SetUp(goal=self._spot(self.players[seat].goal), whole=whole) for seat in self.pending}
        return {self.upcoming[0]: TakeTurn()} if self.phase == "play" else {}

    def play(self, by: By, action: Action | Table) -> list[Event]:
        events: list[Event] = []
        if by is None:
            self._play_table_act(action, events)
        elif by not in self.asks():
            raise IllegalAction("not_asked", "you are not asked anything now")
        elif self.pending:
            if not isinstance(action, Ack):
                raise IllegalAction("wrong_kind", f"{type(action).__name__}: there is nothing to decide")
            self.pending.remove(by)
        else:
            self._take_turn(by, action, events)
        self._go_on(events)
        self._changed()
        return events

    def _take_turn(self, seat: Seat, action: Action | Table, events: list[Event]) -> None:
        match action:
            case Move():
                check_move(self.board, self.players[seat].at, self.last, action)
                self._move(seat, action, events)
            case Pass():
                self.passed.append(seat)
                self._turn_taken(seat)
                events.append(Passed(seat))
            case _:
                raise IllegalAction("wrong_kind", f"{type(action).__name__}: it is your turn, move or pass")

    def _play_table_act(self, act: Action | Table, events: list[Event]) -> None:
        match act:
            case Join(name=name, salt=salt) if self.phase == "registration" and len(self.here()) < self.most():
                if salt:
                    self.dice.stir(salt.encode())
                self._sign_up()
                seat, player = len(self.players) - 1, self.players[-1]
                events.append(Joined(seat, name))
                if self.start is None:
                    events.append(GoalGiven(seat, self._spot(player.goal), False, 0))
            case Close() if self.phase == "registration":
                self._close(events)
            case Leave(seat=seat, why=why) if 0 <= seat < len(self.players) and self.players[seat].here:
                if self.phase == "over":
                    raise IllegalAction("over", "the match is over")
                self._leave(seat, why, events)
            case Stop() if self.phase == "end":
                self.pending = []
            case Stop() if self.phase != "over":
                self._decide("time", None, events)
            case _:
                raise IllegalAction("not_here", f"{type(act).__name__}: there is no such thing in Maze now")

    def _leave(self, seat: Seat, why: str, events: list[Event]) -> None:
        """RULES 6.2, 6.3. A winner who leaves has not won, and no other player wins instead."""
        self.players[seat].here = False
        for waiting in (self.pending, self.upcoming, self.passed, self.winners or []):
            if seat in waiting:
                waiting.remove(seat)
        events.append(Left(seat, why))

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> Action | Leave | None:
        """Every fault costs the seat, unasked answers included (RULES 6.1)."""
        return Leave(seat, faults[-1].code) if self.players[seat].here and self.phase != "over" else None

    def _new_view(self, who: By) -> View:
        return view(self, who)

    def result(self) -> Result | None:
        """RULES 5.3."""
        if self.phase != "over":
            return None
        winners = self.winners or []
        merits = [
            (seat in winners, player.here, (player.treasures, -self._distance(seat)) if player.here else (0, 0))
            for seat, player in enumerate(self.players)
        ]
        better = [sum(other > merit for other in merits) for merit in merits]
        nobody = 0 if winners else 1
        return Result(tuple(player.treasures for player in self.players), tuple(1 + nobody + n for n in better))

    def copy(self) -> "State":
        twin = State()
        twin.options, twin.start, twin.phase = self.options, self.start, self.phase
        twin.dice, twin.board = self.dice.copy(), self.board.copy()
        twin.players = [player.copy() for player in self.players]
        twin.queue, twin.upcoming, twin.passed, twin.pending = (
            self.queue[:],
            self.upcoming[:],
            self.passed[:],
            self.pending[:],
        )
        twin.last, twin.round, twin.turn = self.last, self.round, self.turn
        twin.winners = None if self.winners is None else self.winners[:]
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        """Redraw the others' pending answers and, before the end, their goals and treasures and the queue."""
        twin = self.copy()
        rows, columns = self.board.rows, self.board.columns
        still = fixed(rows, columns) or range(rows * columns)  # prepared positions may have no fixed tiles
        if self.winners is None:
            for other, player in enumerate(twin.players):
                if other != seat:
                    player.going_home = not self.queue and dice.below(2) == 1
                    player.goal = player.home if player.going_home else dice.pick(still)
                    player.treasures = dice.below(3)
            twin.queue = [dice.pick(still) for _ in self.queue]
        twin.pending = self._redealt_pending(seat, dice)
        twin.dice = dice.split()
        return twin

    def _redealt_pending(self, seat: Seat, dice: Dice) -> list[Seat]:
        """A seat knows neither which others are pending nor whether another one was given a new goal."""
        possible = self.pending if self.phase == "play" else self.here()
        pending = [other for other in possible if (other in self.pending if other == seat else dice.below(2))]
        goes_on = self.phase == "play" and self.upcoming and self.upcoming[0] != seat
        return pending if self.pending and (pending or goes_on) else self.pending[:]

    def _cell(self, at: Spot) -> Cell:
        return cell(at, self.board.rows, self.board.columns)

    def _spot(self, cell: Cell) -> Spot:
        return spot(cell, self.board.columns)


def has_finished(state: State, seat: Seat) -> bool:
    """Whether the game is decided, so that the seat has nothing more to decide (RULES 6.6)."""
    return state.phase == "end" and state.players[seat].here


def check_move(board: Board, at: Cell, last: Slide | None, move: Move) -> None:
    """Raise IllegalAction if the move is not legal from `at` (RULES 3)."""
    rows, columns = board.rows, board.columns
    lines = rows if move.direction in ("LEFT", "RIGHT") else columns
    if move.index % 2 or not 0 <= move.index < lines:
        raise IllegalAction("no_such_line", f"slide {move.index} {move.direction}: even lines below {lines} slide")
    if last == (move.index, OPPOSITE[move.direction]):
        raise IllegalAction("undo", f"slide {move.index} {move.direction}: this would undo the last slide")
    if move.degrees not in DEGREES:
        raise IllegalAction("bad_degrees", f"turn by {move.degrees}: 0, 90, 180 or 270")
    if not (0 <= move.row < rows and 0 <= move.column < columns):
        raise IllegalAction("off_board", f"go to {move.row}, {move.column}: not on the board")
    pushed = board.copy()
    pushed.slide(move.index, move.direction, move.degrees)
    at, to = carried(at, line(rows, columns, move.index, move.direction)), move.row * columns + move.column
    if to == at:
        raise IllegalAction("stays", f"go to {move.row}, {move.column}: you stand there after the slide")
    if not pushed.reachable(at) >> to & 1:
        raise IllegalAction("unreachable", f"go to {move.row}, {move.column}: no way leads there after the slide")

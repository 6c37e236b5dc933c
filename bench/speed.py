"""Measure the rules, the referee and the protocols on this machine.

    python bench/speed.py --seconds 3

README.md beside this file has the figures and the method. `speed_table.py` measures and prints them, `compare.py`
compares two checkouts.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from parlour.core import Answer, Asked, Close, Dice, Game, Place, Sitting
from parlour.games import game
from parlour.games.colorfight.frames import CompactFrames, Frames, SourceFrames
from parlour.games.colorfight.wire import read as read_orders
from parlour.games.dominion.values import Buy, CleanUp
from parlour.games.forsale import audit
from parlour.games.maze.check import choose_move
from parlour.games.maze.values import TakeTurn
from parlour.games.tradecraft.book import check as check_recipe
from parlour.players.play import play_async
from parlour.players.player_specs import ExecSpec
from parlour.players.terms import Terms
from parlour.protocol.v1 import V1
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.transcript import Limits, header
from parlour.server.startup import hosted
from parlour.tables.house import HousePlan, NextMatch
from parlour.transports.stream import JsonSplitter

CLEAN_UP = CleanUp()
NO_BUY = Buy()


class Figure(Struct, frozen=True):
    """Something to measure: `once` plays a little and returns how many moves that was, and the seconds it took."""

    what: str
    unit: str
    wanted: int
    once: Callable[[int], tuple[int, float]]


def yardstick(number: int) -> tuple[int, float]:
    """How quick this machine and this Python are just now: calls of a function that does nothing."""

    def nothing(number: int) -> int:
        return number

    began = time.process_time()
    for each in range(20_000):
        nothing(each)
    return 20_000, time.process_time() - began


def engine(number: int) -> tuple[int, float]:
    """The plain engine, four random seats: asks, choice, checks, events."""
    forsale = game("forsale")
    options = forsale.rules.resolve(forsale.rules.options(), [Sitting("random")] * 4)
    began = time.process_time()
    moves = 0
    for each in range(20):
        state = forsale.rules.new(4, options, None, Dice(b"%d %d" % (number, each)))
        pick = Dice(b"%d" % each).pick
        while asks := state.asks():
            seat, ask = next(iter(asks.items()))
            state.play(seat, pick(ask.choices or ()))
            moves += 1
    return moves, time.process_time() - began


def referee(number: int) -> tuple[int, float]:
    """The same through the referee: views, validation, transcript."""
    forsale = game("forsale")
    seed = b"%032d" % number
    kept = Lines()
    began = time.process_time()
    match = Match(forsale, header(forsale, [Sitting("random")] * 4, seed), seed)
    drive(match, [forsale.hosting.bots["random"]] * 4, kept)
    return kept.inputs, time.process_time() - began


def without_costly_audits(once: Callable[[int], tuple[int, float]]) -> Callable[[int], tuple[int, float]]:
    """As under `python -O`, where not every estate is counted at every hand-over."""

    def measured(number: int) -> tuple[int, float]:
        costly, audit.COSTLY = audit.COSTLY, False
        try:
            return once(number)
        finally:
            audit.COSTLY = costly

    return measured


class Lines(MemoryLog):
    """Notes when the first line came, and the last before the seed, which comes after the players have gone."""

    def __init__(self) -> None:
        super().__init__()
        self.first = self.last = 0.0

    def write(self, lines: Sequence[bytes]) -> None:
        now = time.perf_counter()
        self.first = self.first or now
        if not lines or b'"reveal"' not in lines[0]:
            self.last = now
        super().write(lines)

    @property
    def inputs(self) -> int:
        """Without the header and the end."""
        return len(self.lines) - 2


CHILD = """
import sys
for line in sys.stdin:
    if '"type":"ask"' in line:
        i = line.index('"id":') + 5
        n = line[i:line.index(",", i)]
        r = line.index('"record":')
        record = int(line[r + 9:line.index(",", r)]) if r < line.index('"view"') else -1
        act = '{"type":"Bid","amount":%d}' % (record + 1) if 0 <= record < 400 else '{"type":"Pass"}'
        if record < 0:
            h = line.index('"hand":[') + 8
            act = '{"type":"Sell","estate":%s}' % line[h:line.index("]", h)].split(",")[0]
        sys.stdout.write('{"type":"answer","id":%s,"action":%s}\\n' % (n, act))
        sys.stdout.flush()
    elif '"type":"hello"' in line:
        print('{"type":"hello"}', flush=True)
"""


def stdio(number: int) -> tuple[int, float]:
    """One long match of three child processes over protocol 1; wall-clock seconds from the first ask to the end."""
    forsale: Game[Any] = game("forsale")
    child = ExecSpec("child", (sys.executable, "-S", "-c", CHILD), lambda: V1(forsale))
    terms = Terms(game=forsale, options=forsale.rules.options(start_coins=500), limits=Limits(10_000))
    kept = Lines()
    asyncio.run(play_async(terms, [child] * 3, b"%032d" % number, kept))
    return kept.inputs - 1, kept.last - kept.first


MONEY = (("province", 8), ("gold", 6), ("silver", 3))
"""What naive money buys, the best that it can pay."""
WORTH = {"copper": 1, "silver": 2, "gold": 3}


def dominion_engine(number: int) -> tuple[int, float]:
    """The plain engine, two seats of naive money that look into their own hand: asks, choice, checks, events."""
    dominion = game("dominion")
    options = dominion.rules.resolve(dominion.rules.options(), [Sitting("money")] * 2)
    buys = {card: Buy((card,)) for card, _ in MONEY}
    began = time.process_time()
    for each in range(10):
        state: Any = dominion.rules.new(2, options, None, Dice(b"%d %d" % (number, each)))
        while asks := state.asks():
            seat, ask = next(iter(asks.items()))
            if not ask.buys:
                state.play(seat, CLEAN_UP)
                continue
            money = sum([WORTH.get(card, 0) for card in state.holdings[seat].hand])
            state.play(seat, next((buys[card] for card, cost in MONEY if money >= cost), NO_BUY))
    return 10, time.process_time() - began


def dominion_views(number: int) -> tuple[int, float]:
    """The same with bots that are given a view for every decision."""
    dominion, bot, dice = game("dominion"), game("dominion").hosting.bots["money"], Dice(b"unused")
    options = dominion.rules.resolve(dominion.rules.options(), [Sitting("money")] * 2)
    began = time.process_time()
    for each in range(10):
        state = dominion.rules.new(2, options, None, Dice(b"%d %d" % (number, each)))
        while asks := state.asks():
            seat, ask = next(iter(asks.items()))
            state.play(seat, bot(state.view(seat), ask, dice))
    return 10, time.process_time() - began


class Heard(Struct):
    """As much of a message as naive money needs."""

    type: str
    buys: int = 0
    hand: tuple[str, ...] = ()


read_heard = msgspec.json.Decoder(Heard).decode


def hear(lines: list[bytes]) -> bytes:
    """A bot of Dominion's own protocol: reads every line; the reply to the last, if it is a turn."""
    for line in lines:
        message = read_heard(line)
    if message.type != "play-turn":
        return b""
    if not message.buys:
        return msgspec.json.encode({"type": "play-reply", "phase": "cleanup"})
    coins = [card for card in message.hand if card in WORTH]
    money = sum([WORTH[card] for card in coins])
    buys = [card for card, cost in MONEY if money >= cost][:1]
    reply = {"type": "play-reply", "phase": "buy", "played_treasures": coins, "cards_to_buy": buys}
    return msgspec.json.encode(reply)


def dominion_json(number: int) -> tuple[int, float]:
    """The same with every message of the game's own protocol written and read, in both directions."""
    dominion = game("dominion")
    options = dominion.rules.resolve(dominion.rules.options(), [Sitting("money")] * 2)
    began = time.process_time()
    for each in range(5):
        state = dominion.rules.new(2, options, None, Dice(b"%d %d" % (number, each)))
        dialects = [dominion.hosting.dialects["json"]() for _ in range(2)]
        for seat, dialect in enumerate(dialects):
            place = Place("dominion", "bench", seat, ("money", "money"), options, "")
            hear(dialect.began(place, state.view(seat)))
        asked = 0
        while asks := state.asks():
            turn, ask = next(iter(asks.items()))
            assert turn is not None
            asked += 1
            lines = dialects[turn].asked(Asked(turn, asked, ask, 1, None, None, None, None), state.view(turn))
            said = dialects[turn].read(hear(lines))
            assert isinstance(said, Answer)
            for event in state.play(turn, said.action):
                for other, dialect in enumerate(dialects):
                    if (seen := event.seen_by(other)) and (told := dialect.event(seen)):
                        hear(told)
    return 5, time.process_time() - began


def dominion_referee(number: int) -> tuple[int, float]:
    """The same bots under the referee: views, validation, transcript."""
    dominion = game("dominion")
    seed = b"%032d" % number
    began = time.process_time()
    match = Match(dominion, header(dominion, [Sitting("money")] * 2, seed), seed)
    drive(match, [dominion.hosting.bots["money"]] * 2, Lines())
    return 1, time.process_time() - began


DOMINION_CHILD = """
import json, sys
WORTH = {"copper": 1, "silver": 2, "gold": 3}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "player-name-request":
        reply = {"type": "player-name-reply", "player_number": message["player_number"], "name": "money", "version": 1}
    elif message["type"] != "play-turn":
        continue
    elif not message["buys"]:
        reply = {"type": "play-reply", "phase": "cleanup"}
    else:
        coins = [card for card in message["hand"] if card in WORTH]
        money = sum(WORTH[card] for card in coins)
        buys = [card for card, cost in (("province", 8), ("gold", 6), ("silver", 3)) if money >= cost][:1]
        reply = {"type": "play-reply", "phase": "buy", "played_treasures": coins, "cards_to_buy": buys}
    print(json.dumps(reply), flush=True)
"""


def dominion_stdio(number: int) -> tuple[int, float]:
    """One match of two child processes over pipes; wall-clock seconds from the first ask to the end."""
    dominion = game("dominion")
    child = ExecSpec("child", (sys.executable, "-S", "-c", DOMINION_CHILD), dominion.hosting.dialects["json"])
    kept = Lines()
    terms = Terms(game=dominion, limits=Limits(10_000))
    asyncio.run(play_async(terms, [child] * 2, b"%032d" % number, kept))
    return 1, kept.last - kept.first


@cache
def maze_views() -> list[Any]:
    """Positions from the middle of random games, as whoever is to move sees them."""
    maze, dice = game("maze"), Dice(b"any way")
    options, views = maze.rules.resolve(maze.rules.options(), []), []
    for number in range(20):
        state = maze.rules.new(4, options, None, Dice(b"%d" % number))
        for _ in range(40):
            seat, ask = next(iter(state.asks().items()), (None, None))
            if seat is None or ask is None:
                break
            views.append(state.view(seat))
            state.play(seat, maze.hosting.bots["random"](views[-1], ask, dice))
    return views[8:]


def maze_euclid(number: int) -> tuple[int, float]:
    """Euclid on 7x7: from a view to a move, every slide and turn looked at where that is needed."""
    views, euclid, ask, dice = maze_views(), game("maze").hosting.bots["euclid"], TakeTurn(), Dice(b"unused")
    began = time.process_time()
    for view in views[:200]:
        euclid(view, ask, dice)
    return 200, time.process_time() - began


def maze_engine(number: int) -> tuple[int, float]:
    """The plain engine, four seats that move at random: asks, views, choice, checks, events."""
    maze, dice = game("maze"), Dice(b"%d" % number)
    options = maze.rules.resolve(maze.rules.options(), [])
    state, moves = maze.rules.new(4, options, None, Dice(b"%d engine" % number)), 0
    random = maze.hosting.bots["random"]
    began = time.process_time()
    while (asks := state.asks()) and moves < 400:
        for seat, ask in asks.items():
            assert seat is not None
            state.play(seat, random(state.view(seat), ask, dice))
            moves += 1
    return moves, time.process_time() - began


async def maze_client(port: int, name: str) -> None:
    """A player of the course's protocol that follows Euclid, in this very process."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    splitter, goal = JsonSplitter(), {"row#": 0, "column#": 0}
    writer.write(msgspec.json.encode(name))
    while data := await reader.read(65536):
        for raw in splitter.feed(data):
            call, arguments = msgspec.json.decode(raw or b"")
            goal = arguments[1] if call == "setup" else goal
            answer = choose_move(["Euclid", arguments[0], goal]) if call == "take-turn" else "void"
            writer.write(msgspec.json.encode(answer))
    writer.close()


def maze_tcp(number: int) -> tuple[int, float]:
    """One game of six over TCP; wall-clock seconds from the first connection to the last."""

    async def evening() -> float:
        maze = game("maze")
        terms, seed = Terms(game=maze, limits=Limits(10_000)), b"%032d" % number
        over = asyncio.Event()
        plan = HousePlan(
            terms=terms, fewest=2, most=6, new_match=lambda: NextMatch(seed), ended=lambda played: over.set()
        )
        async with hosted(plan, {"maze/course": 0}) as serving:
            began = time.perf_counter()
            clients = [maze_client(serving.listeners["maze/course"], f"p{each}") for each in range(6)]
            await asyncio.gather(over.wait(), *clients)
            return time.perf_counter() - began

    return 1, asyncio.run(evening())


class Stretch(Struct):
    """A few rounds from a game of ColorfightII: how it stood, and what was then sent, by seat."""

    state: Any
    rounds: list[list[tuple[int, bytes]]]


@cache
def colorfight_stretches(number: int) -> list[Stretch]:
    """Of a game of four greedy players on 30x30, ten rounds out of every fifty."""
    colorfight, dice = game("colorfight"), Dice(b"unused")
    greedy, state, stretches = colorfight.hosting.bots["greedy"], colorfight_state(number), [Stretch(None, [])]
    while state.result() is None:
        if state.turn % 50 == 0:
            stretches.append(Stretch(state.copy(), []))
        asks = [(seat, ask) for seat, ask in state.asks().items() if seat is not None]
        lists = [(seat, greedy(state.view(seat), ask, dice)) for seat, ask in asks]
        if state.turn % 50 < 10:
            said = [(seat, {"action": "command", "cmd_list": command.orders}) for seat, command in lists]
            stretches[-1].rounds.append([(seat, msgspec.json.encode(message)) for seat, message in said])
        colorfight_round(state, lists)
    return stretches[1:]


def colorfight_state(number: int) -> Any:
    colorfight = game("colorfight")
    return colorfight.rules.new(4, colorfight.rules.options(), None, Dice(b"%d" % number))


def colorfight_round(state: Any, lists: list[tuple[int, Any]]) -> None:
    for seat, command in lists:
        state.play(seat, command)
    state.play(None, Close())


NAMES = ("ada", "bob", "cas", "dee")


def colorfight_engine(frames: Callable[[], Frames] | None) -> Callable[[int], tuple[int, float]]:
    """Rounds from all parts of a game: asks, messages read, orders carried out, events; and the frame, if any."""

    def once(number: int) -> tuple[int, float]:
        rounds, spent = 0, 0.0
        for stretch in colorfight_stretches(number % 2):
            state, writer = stretch.state.copy(), None if frames is None else frames()
            if writer is not None:
                writer.frame(state, NAMES)  # the first is written whole
            began = time.process_time()
            for messages in stretch.rounds:
                state.asks()
                colorfight_round(state, [(seat, read_orders(message)) for seat, message in messages])
                if writer is not None:
                    writer.frame(state, NAMES)
            rounds, spent = rounds + len(stretch.rounds), spent + time.process_time() - began
        return rounds, spent

    return once


def colorfight_maps(number: int) -> tuple[int, float]:
    """Maps of 30x30 with four homes."""
    began = time.process_time()
    for each in range(20):
        colorfight_state(20 * number + each)
    return 20, time.process_time() - began


def colorfight_referee(number: int) -> tuple[int, float]:
    """A match of four greedy bots under the referee: views, their thinking, validation, transcript."""
    colorfight, seed = game("colorfight"), b"%032d" % number
    began = time.process_time()
    head = header(colorfight, [Sitting("greedy")] * 4, seed, options=colorfight.rules.options(max_turn=100))
    drive(Match(colorfight, head, seed), [colorfight.hosting.bots["greedy"]] * 4, Lines())
    return 100, time.process_time() - began


RECIPES = (
    ({"coal": 1, "stick": 1}, {"torch": 4}),
    ({"oak_planks": 1, "cherry_planks": 1}, {"stick": 4}),
    ({"raw_iron": 8, "coal": 1}, {"iron_ingot": 8}),
    ({"oak_log": Fraction(5, 3)}, {"charcoal": 1}),
    ({"milk_bucket": 3, "sugar": 2, "egg": 1, "wheat": 3}, {"cake": 1}),
    ({"stone": 1}, {"stone_slab": 2}),
    ({"awkward_potion": 3, "sugar": 1}, {"swiftness_potion": 3}),
    ({"coal": 2, "stick": 1}, {"torch": 4}),
    ({"oak_log": 1}, {"oak_planks": 5}),
    ({"raw_iron": 1, "coal": 1}, {"iron_ingot": 1}),
)
"""Of all kinds; the last three are wrong."""


def tradecraft_checks(number: int) -> tuple[int, float]:
    """Recipes against a hand, right and wrong ones."""
    recipes = [
        ({item: Fraction(n) for item, n in put.items()}, {item: Fraction(n) for item, n in got.items()})
        for put, got in RECIPES
    ]
    hand = {item: Fraction(100) for put, _ in recipes for item in put}
    began = time.process_time()
    for _ in range(50):
        for put, got in recipes:
            check_recipe(put, got, hand)
    return 50 * len(recipes), time.process_time() - began


def tradecraft_problems(seats: int) -> Callable[[int], tuple[int, float]]:
    """Problems that are drawn and solved, as every match begins with one."""

    def once(number: int) -> tuple[int, float]:
        tradecraft = game("tradecraft")
        began = time.process_time()
        for each in range(5):
            tradecraft.rules.new(seats, tradecraft.rules.options(), None, Dice(b"%d" % (5 * number + each)))
        return 5, time.process_time() - began

    return once


def tradecraft_games(seats: int) -> Callable[[int], tuple[int, float]]:
    """Whole matches of planners under the referee: the problem, views, their thinking, validation, transcript."""

    def once(number: int) -> tuple[int, float]:
        tradecraft, seed = game("tradecraft"), b"%032d" % number
        began = time.process_time()
        head = header(tradecraft, [Sitting("planner")] * seats, seed)
        drive(Match(tradecraft, head, seed), [tradecraft.hosting.bots["planner"]] * seats, Lines())
        return 1, time.process_time() - began

    return once


FIGURES = (
    Figure("yardstick: empty calls", "CPU-second", 0, yardstick),
    Figure("For Sale engine, 4 random seats: moves", "CPU-second", 200_000, without_costly_audits(engine)),
    Figure("the same with every audit: moves", "CPU-second", 0, engine),
    Figure("referee, validation and transcript: moves", "CPU-second", 50_000, without_costly_audits(referee)),
    Figure("the same with every audit: moves", "CPU-second", 0, referee),
    Figure("referee over stdio, 3 children: exchanges", "second", 4_000, stdio),
    Figure("Dominion engine, naive money, 2 seats: games", "CPU-second", 2_000, dominion_engine),
    Figure("the same with a view for every decision: games", "CPU-second", 0, dominion_views),
    Figure("the same with all JSON both ways: games", "CPU-second", 500, dominion_json),
    Figure("the same under the referee, no JSON: games", "CPU-second", 0, dominion_referee),
    Figure("the same over pipes, 2 children: games", "second", 0, dominion_stdio),
    Figure("Maze, Euclid on 7x7: decisions", "CPU-second", 1_000, maze_euclid),
    Figure("Maze engine, 4 random seats: moves", "CPU-second", 0, maze_engine),
    Figure("Maze over TCP, 6 clients of Euclid: games", "second", 0, maze_tcp),
    Figure("ColorfightII engine, 30x30, 4 greedy: turns", "CPU-second", 2_500, colorfight_engine(None)),
    Figure("the same with the full frame as JSON: turns", "CPU-second", 800, colorfight_engine(SourceFrames)),
    Figure("the same with the compact frame: turns", "CPU-second", 0, colorfight_engine(CompactFrames)),
    Figure("the same under the referee, bots and all: turns", "CPU-second", 0, colorfight_referee),
    Figure("ColorfightII, 30x30: maps", "CPU-second", 0, colorfight_maps),
    Figure("tradeCraft recipe checks", "CPU-second", 33_333, tradecraft_checks),
    Figure("tradeCraft problems, 2 seats", "CPU-second", 0, tradecraft_problems(2)),
    Figure("tradeCraft problems, 4 seats", "CPU-second", 0, tradecraft_problems(4)),
    Figure("tradeCraft problems, 6 seats", "CPU-second", 0, tradecraft_problems(6)),
    Figure("tradeCraft, 2 planners under the referee: games", "CPU-second", 0, tradecraft_games(2)),
    Figure("tradeCraft, 4 planners under the referee: games", "CPU-second", 0, tradecraft_games(4)),
)


if __name__ == "__main__":
    from speed_table import main

    main()

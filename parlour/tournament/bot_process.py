"""Run a Python bot as a program that speaks protocol 1, so that it gets a fresh process for every match.

python -m parlour.tournament.bot_process GAME PLAYER NAME DICE
"""

import ctypes
import signal
import sys
from typing import IO, Any

import msgspec

from parlour import plugins
from parlour.core import BadMessage, Dice, Game, Noted, Place
from parlour.core.values import any_of
from parlour.players.player_specs import BadPlayer, LocalSpec, load
from parlour.protocol.v1 import (
    AnswerMessage,
    AskMessage,
    EventMessage,
    HelloMessage,
    LeaveMessage,
    OverMessage,
    PlayerHello,
    SeatMessage,
    told_by_referee,
)
from parlour.referee.player import Mind, Resigned, crashed

_PR_SET_PDEATHSIG = 1


def die_with_parent(by: signal.Signals) -> None:
    """Let the kernel send this signal when the process that started this one dies. Only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)


def main(game_name: str, player: str, name: str, dice: str) -> None:
    die_with_parent(signal.SIGKILL)
    messages, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a bot prints must not get between the messages
    sys.stdin = None  # the messages are not the bot's to read
    game = plugins.game(game_name)
    try:
        spec = load(game, player)
        if not isinstance(spec, LocalSpec):
            raise BadPlayer(f"{player!r} is not a Python bot")
        mind = Mind(spec.make(), Dice(bytes.fromhex(dice)))
    except BadPlayer as e:
        sys.exit(str(e))
    except (Exception, SystemExit) as e:
        sys.exit(crashed(e).words)
    converse(game, mind, name, messages, answers)


def converse(game: Game[Any], mind: Mind, name: str, messages: IO[bytes], answers: IO[bytes]) -> None:
    """Answer the referee's messages until the match is over."""
    read = msgspec.json.Decoder(any_of(told_by_referee(game))).decode
    for raw in messages:
        match read(raw):
            case HelloMessage():
                _say(answers, PlayerHello(name))
            case SeatMessage() as seat:
                mind.sit(Place(seat.game, seat.match, seat.seat, seat.players, seat.options, seat.header))
            case EventMessage(event=event):
                mind.hear([event])
            case AskMessage() as asked:
                _say(answers, _answer(mind, asked))
            case OverMessage():
                return


def _answer(mind: Mind, asked: AskMessage[Any, Any]) -> AnswerMessage[Any] | LeaveMessage:
    try:
        said = mind.decide(asked.view, asked.ask)
    except Resigned:
        return LeaveMessage()
    if isinstance(said, Noted):
        said = said.action
    try:
        msgspec.json.encode(said)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as e:
        said = BadMessage("wrong_shape", f"not an action: {e}") if not isinstance(said, BadMessage) else said
    if isinstance(said, BadMessage):
        print(said.words, file=sys.stderr, flush=True)
        return AnswerMessage(asked.id, {"type": said.code})
    return AnswerMessage(asked.id, said)


def _say(answers: IO[bytes], message: Any) -> None:
    answers.write(msgspec.json.encode(message) + b"\n")
    answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The example players really play, at a real host."""

import re

from tests.games.colorfight.hosts import ROOT, WORD, ending, example, hosting, lines_until, said, wait_for

PAGE = (ROOT / "docs" / "games" / "colorfight.md").read_text()


def test_both_examples_play_a_game_against_a_bot_and_hear_the_same_result_as_the_host() -> None:
    settings = ("max_turn=20", "round_time=0.3", "first_round_time=never", "finish_time=0")
    words = [word for setting in settings for word in ("--set", setting)]
    with hosting("greedy", *words, "--seed", "c0ffee", "--admin-password", WORD) as host:
        root = example("colorfight_root.py", host.port, "ada", "lovelace")
        room = example("colorfight_room.py", host.port, "public", "bob", "secret")
        wait_for("both have come", lambda: host.players() == 3)
        host.start()
        turns = lines_until(room, 20)
        result, of_root = host.line(), ending(root)
        host.restart()  # another game is what ends a client in a room
        of_room = ending(room)
    scores = {name: str(score) for name, score in zip(result["players"], result["scores"], strict=True)}
    for code, told, complained in (of_root, of_room):
        assert (code, complained) == (0, "")
        ranking = [entry.split() for entry in told.splitlines()[-1].split(", ")]
        assert dict(ranking) == scores
        assert [int(gold) for _, gold in ranking] == sorted(map(int, scores.values()), reverse=True)
    for lines in (turns, [line for line in of_root[1].splitlines() if line.startswith("turn")]):
        assert max(int(line.split()[3]) for line in lines) > 1, "has taken nothing in twenty rounds"


def test_an_example_that_is_not_let_in_says_why() -> None:
    with hosting("--set", "first_round_time=never") as host, host.channel("action_channel") as takes:
        said(takes, {"action": "register", "username": "ada", "password": "lovelace"})
        for name, words, why in (
            ("colorfight_root.py", ("ada", "another"), "Username exists"),
            ("colorfight_room.py", ("public", "ada", "another"), "Username exists"),
            ("colorfight_room.py", ("nowhere", "ada", "lovelace"), "there is no such room"),
        ):
            assert ending(example(name, host.port, *words)) == (1, "", f"{why}\n")


def test_the_example_of_the_calls_prints_the_first_turns_of_the_games_page() -> None:
    blocks = re.findall(r"```text\n((?:turn|ada) .*?)```", PAGE, re.S)
    assert ending(example("colorfight_calls.py")) == (0, "".join(blocks), "")

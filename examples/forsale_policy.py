"""Train a small policy for For Sale with NumPy, and write it as a bot that plays anywhere a player is named.

    pip install 'parlour[envs]'
    python examples/forsale_policy.py --out my_policy.py
    parlour match forsale my_policy.py random random random

The policy is a network with one hidden layer. It plays against three random bots and learns by policy gradients: what
it did in good matches becomes more likely.
"""

import argparse
import base64
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np

import parlour.envs

assert parlour.envs

SEATS, HIDDEN, BATCH, STEP = 4, 32, 32, 0.01

BOT = '''"""A policy for For Sale, trained by examples/forsale_policy.py."""

import base64

import numpy as np

from parlour.plugins import game

SIZES = {sizes}
WEIGHTS = (
{weights}
)


class Policy:
    def sit(self, place):
        self.encoding = game("forsale").encoding(len(place.players), place.options)
        numbers = np.frombuffer(base64.b64decode(WEIGHTS), np.float16).astype(float)
        first, second = SIZES[0] * SIZES[1], SIZES[1] * SIZES[2]
        self.first = numbers[:first].reshape(SIZES[:2])
        self.second = numbers[first : first + second].reshape(SIZES[1:])
        self.seat = place.seat

    def __call__(self, view, ask, dice):
        seen = self.encoding.observe(self.seat, view, ask) / {scale}
        scores = np.tanh(seen @ self.first) @ self.second
        scores[self.encoding.mask(self.seat, view, ask) == 0] = -np.inf
        return self.encoding.action(int(scores.argmax()), self.seat, view, ask)


bot = Policy
'''
SCALE = 16
"""Observations are divided by this."""


class Learner:
    """The network, and Adam, which improves it."""

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.weights = [
            self.random.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            np.zeros((HIDDEN, actions)),
        ]
        self._mean = [np.zeros_like(weights) for weights in self.weights]
        self._square = [np.zeros_like(weights) for weights in self.weights]
        self._steps = 0

    def probabilities(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The hidden layer, and the chances of all actions."""
        hidden = np.tanh(seen @ self.weights[0])
        scores = np.where(masks, hidden @ self.weights[1], -np.inf)
        chances = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return hidden, chances / chances.sum(axis=-1, keepdims=True)

    def choose(self, seen: np.ndarray, mask: np.ndarray) -> int:
        _, chances = self.probabilities(seen, mask)
        return int(self.random.choice(len(chances), p=chances))

    def learn(self, seen: np.ndarray, masks: np.ndarray, chosen: np.ndarray, gains: np.ndarray) -> None:
        """Make actions more likely that gained, and others less likely."""
        hidden, chances = self.probabilities(seen, masks)
        push = -chances
        push[np.arange(len(chosen)), chosen] += 1
        push *= gains[:, None] / len(chosen)
        below = push @ self.weights[1].T * (1 - hidden**2)
        self._steps += 1
        for place, slope in enumerate((seen.T @ below, hidden.T @ push)):
            self._mean[place] = 0.9 * self._mean[place] + 0.1 * slope
            self._square[place] = 0.999 * self._square[place] + 0.001 * slope**2
            mean = self._mean[place] / (1 - 0.9**self._steps)
            square = self._square[place] / (1 - 0.999**self._steps)
            self.weights[place] += STEP * mean / (np.sqrt(square) + 1e-8)


def episode(
    env: gymnasium.Env, learner: Learner, seed: int
) -> tuple[list[np.ndarray], list[np.ndarray], list[int], float]:
    """Play a match: what was seen, the masks, what was chosen, and the reward."""
    seen, masks, chosen, reward, over = [], [], [], 0.0, False
    observed, _ = env.reset(seed=seed)
    while not over:
        seen.append(observed["observation"] / SCALE)
        masks.append(observed["action_mask"])
        chosen.append(learner.choose(seen[-1], masks[-1]))
        observed, reward, over, _, _ = env.step(chosen[-1])
    return seen, masks, chosen, float(reward)


def train(matches: int, seed: int) -> Iterator[tuple[Learner, int, float]]:
    """Yields the learner, the matches played and the mean reward, after each batch."""
    env = gymnasium.make("parlour/ForSale-v0", seats=SEATS, opponents="random", disable_env_checker=True)
    learner = Learner(env.observation_space["observation"].shape[0], int(env.action_space.n), seed)
    for first in range(0, matches, BATCH):
        played = [episode(env, learner, seed * 1_000_000 + first + number) for number in range(BATCH)]
        rewards = np.array([reward for *_, reward in played])
        gains = np.repeat(
            (rewards - rewards.mean()) / (rewards.std() + 1e-8), [len(chosen) for _, _, chosen, _ in played]
        )
        learner.learn(
            np.array([row for seen, *_ in played for row in seen]),
            np.array([row for _, masks, *_ in played for row in masks]),
            np.array([index for _, _, chosen, _ in played for index in chosen]),
            gains,
        )
        yield learner, first + BATCH, float(rewards.mean())


def bot_source(learner: Learner) -> str:
    """A bot file that holds the network."""
    numbers = np.concatenate([weights.ravel() for weights in learner.weights]).astype(np.float16)
    text = base64.b64encode(numbers.tobytes()).decode()
    lines = [f'    "{text[start : start + 100]}"' for start in range(0, len(text), 100)]
    sizes = (learner.weights[0].shape[0], HIDDEN, learner.weights[1].shape[1])
    return BOT.format(sizes=sizes, weights="\n".join(lines), scale=SCALE)


def report(progress: Iterator[tuple[Learner, int, float]]) -> Iterator[Learner]:
    """Print the mean reward now and then."""
    for batch, (learner, matches, reward) in enumerate(progress, start=1):
        if batch % 20 == 0:
            print(f"{matches:6} matches: mean reward {reward:+.2f}", flush=True)
        yield learner


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a policy for For Sale and write it as a bot.")
    parser.add_argument("--matches", type=int, default=30_000, help="how many matches to learn from")
    parser.add_argument("--seed", type=int, default=1, help="equal seeds give equal policies")
    parser.add_argument("--out", type=Path, default=Path("forsale_trained.py"), help="where to write the bot")
    given = parser.parse_args()
    if given.matches < 1:
        parser.error("--matches: must be at least 1")
    *_, trained = report(train(given.matches, given.seed))
    given.out.write_text(bot_source(trained))
    print(f"wrote {given.out}")


if __name__ == "__main__":
    main()

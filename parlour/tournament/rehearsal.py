"""Estimate what a model would take: a bot decides in its place, and its prompts are written and measured."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from parlour import plugins
from parlour.core import Asked, Dice, Event, Game, Place
from parlour.core.generated_text import text_of
from parlour.players.models.conversation import ModelDialogue, Understood
from parlour.players.models.desk import estimated_tokens, size
from parlour.players.models.options import ModelTerms
from parlour.players.play import play
from parlour.players.player_specs import LocalSpec, load
from parlour.referee.player import Bot
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import is_built_in, spec_for
from parlour.tournament.schedules import Fixture, deal_seed

TOKENS_A_REPLY = 200
"""Tokens of an answer, beside the decision itself: what a model says around it. Models that think take more."""
MOST_REHEARSED = 3
"""Matches that are played to measure prompts."""


class PromptEstimate(Struct, frozen=True):
    """An estimate of the decisions, tokens and cost of matches."""

    matches: int
    decisions: int
    tokens_in: int
    tokens_out: int
    nanodollars: int
    """0 if the prices are unknown."""


def sum_of(estimates: Sequence[PromptEstimate]) -> PromptEstimate:
    """The sums over several estimates."""
    fields = PromptEstimate.__struct_fields__
    return PromptEstimate(*(sum(getattr(each, name) for each in estimates) for name in fields))


class RehearsedModel:
    """A bot that is shown what a model would be shown."""

    def __init__(self, game: Game[Any], terms: ModelTerms, bot: Bot) -> None:
        self._game = game
        self._terms = terms
        self._bot = bot
        self.decisions = self.tokens_in = self.tokens_out = 0

    def sit(self, place: Place) -> None:
        self._place = place
        self._talk = ModelDialogue(self._game, place, self._terms)

    def event(self, event: Event) -> None:
        self._talk.hear(event)

    def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
        self.decisions += 1
        asked = Asked(self._place.seat, self.decisions, ask, 1, None, None, None, None)
        self._talk.open(self._talk.begin(asked, view)())
        self.tokens_in += estimated_tokens(size(self._talk.request()))
        action = self._bot(view, ask, dice)
        words = text_of(self._game).render(action, self._place.players)
        self._talk.decided(Understood(action, words, ""))
        self.tokens_out += estimated_tokens(len(words.encode())) + TOKENS_A_REPLY
        return action


def estimate(plan: TournamentPlan, terms: ModelTerms, fixtures: Sequence[Fixture], total: int) -> PromptEstimate:
    """An estimate for `total` matches like these, with a model as the first player. Nobody asks it: the house bot plays
    for it, and for everybody who is not a built-in bot."""
    game = plugins.game(plan.game)
    rehearsed = [_rehearsed(game, plan, terms, fixture) for fixture in fixtures[:MOST_REHEARSED]]
    each = [sum(values) / len(rehearsed) for values in zip(*rehearsed, strict=True)]
    decisions, tokens_in, tokens_out = (round(mean * total) for mean in each)
    return PromptEstimate(total, decisions, tokens_in, tokens_out, terms.nanodollars(tokens_in, tokens_out))


def _rehearsed(game: Game[Any], plan: TournamentPlan, terms: ModelTerms, fixture: Fixture) -> tuple[int, int, int]:
    """Decisions and tokens of one match."""
    house = load(game, game.hosting.house_bot)
    assert isinstance(house, LocalSpec)
    models: list[RehearsedModel] = []

    def make() -> Bot:
        models.append(RehearsedModel(game, terms, house.make()))
        return models[-1]

    seed = deal_seed(plan, fixture.deal)
    specs = [
        LocalSpec("model", make)
        if not player
        else spec_for(plan, player, seed, seat)
        if is_built_in(plan, player)
        else house
        for seat, player in enumerate(fixture.players)
    ]
    play(plan.terms(timed=False), specs, seed)
    return (
        sum(model.decisions for model in models),
        sum(model.tokens_in for model in models),
        sum(model.tokens_out for model in models),
    )

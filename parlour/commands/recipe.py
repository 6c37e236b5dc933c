"""`parlour recipe`: check recipes of tradeCraft and look up items."""

import sys
from typing import Annotated

import msgspec
import typer

from parlour.cli.common import console

WRONG_USE = 2
"""Exit status for unreadable arguments."""


def recipe(
    message: Annotated[
        str | None,
        typer.Argument(
            metavar="RECIPE", help='{"input": {ITEM: AMOUNT, ...}, "output": {...}}; - reads it from stdin.'
        ),
    ] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="ITEMS", help="{ITEM: AMOUNT, ...}; default: unlimited items.")
    ] = None,
    item: Annotated[str | None, typer.Option(metavar="NAME", help="Show the recipes that make or use an item.")] = None,
    whole_batches: Annotated[
        bool, typer.Option("--whole-batches", help="Allow only whole multiples of a recipe.")
    ] = False,
) -> None:
    """Check a recipe of tradeCraft, with one line of JSON as the answer; or look up an item."""
    from parlour.commands.recipe_answers import checked, looked_up  # the game loads slowly

    try:
        if (message is None) == (item is None):
            raise ValueError("give a recipe, or --item and a name")
        if item is not None:
            for line in looked_up(item):
                console.print(line, soft_wrap=True)
        elif message is not None:
            print(msgspec.json.encode(checked(message, hand, whole_batches)).decode())
    except ValueError as e:
        print(f"parlour: recipe: {' '.join(str(e).split())}", file=sys.stderr)
        raise typer.Exit(WRONG_USE) from None

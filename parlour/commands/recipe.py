"""The recipe book of tradeCraft, as one command."""

import sys
from typing import Annotated

import msgspec
import typer

from parlour.cli.common import console

WRONG_USE = 2
"""The status when what was asked for cannot be read."""


def recipe(
    message: Annotated[
        str | None,
        typer.Argument(
            metavar="RECIPE", help='{"input": {ITEM: AMOUNT, ...}, "output": {...}}; - reads it from stdin.'
        ),
    ] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="ITEMS", help="{ITEM: AMOUNT, ...}; without it, all is held.")
    ] = None,
    item: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show what makes an item, and what it makes.")
    ] = None,
    whole_batches: Annotated[bool, typer.Option("--whole-batches", help="A recipe is made whole times only.")] = False,
) -> None:
    """Check a recipe of tradeCraft: one line of JSON comes back. Or look an item up."""
    from parlour.commands.recipe_answers import checked, looked_up  # the game takes a while to load

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

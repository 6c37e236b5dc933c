"""Read the results of a tournament with Polars. Try it:

parlour tournament examples/tournament.toml --out results
python examples/tournament_results.py results
"""

import sys

import polars as pl

folder = sys.argv[1]
matches = pl.read_parquet(f"{folder}/matches.parquet")
decisions = pl.read_parquet(f"{folder}/decisions.parquet")
timings = pl.read_parquet(f"{folder}/timings.parquet")

seats = matches.filter(pl.col("void").is_null()).explode("players", "ranks", "scores", "faults", "left")
print("Results of each player:")
print(
    seats.group_by(player="players")
    .agg(pl.len().alias("matches"), (pl.col("ranks") == 1).mean().alias("first"), pl.col("scores").mean())
    .sort("first", "player", descending=[True, False])
)

print("Seconds per decision, and faults:")
print(
    decisions.join(timings, on=["match", "seat", "ask"])
    .group_by("player")
    .agg(pl.col("seconds").median(), pl.col("seconds").max().alias("slowest"), pl.col("fault").count())
    .sort("player")
)

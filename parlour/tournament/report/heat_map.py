"""The map of head-to-head results."""

from parlour.tournament.comparisons import HeadToHead
from parlour.tournament.report.data import CHARTED, ReportData
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.numbers import decimal, decimal_range, percent, percent_range
from parlour.tournament.report.tables import named, note
from parlour.tournament.resampling import Interval

LEVELS = 5
"""Steps of colour in each direction."""
MOST_BESIDE = 10
"""Up to this many players, there is room for words beside the map."""


class Duel:
    """A pair as one of its players sees it."""

    def __init__(self, pair: HeadToHead, turned: bool) -> None:
        share, score = pair.share, pair.score_difference
        self.pair = pair
        self.wins, self.losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
        self.share = Interval(1 - share.estimate, 1 - share.high, 1 - share.low) if turned else share
        self.score = Interval(-score.estimate, -score.high, -score.low) if turned else score

    def words(self) -> str:
        pair = self.pair
        ties = f", {pair.ties:,} ties" if pair.ties else ""
        return (
            f"Ranked before: {self.wins:,} times, after: {self.losses:,} times{ties}; share "
            f"{percent(self.share.estimate)} ({percent_range(self.share)}). Score difference "
            f"{decimal(self.score.estimate)} ({decimal_range(self.score)}). "
            f"{pair.deals:,} deals, {pair.matches:,} matches."
        )


def heat_map(data: ReportData) -> list[Child]:
    """A field for every pair, and a place for the words about the field that is pointed at."""
    shown = data.charted
    title = "Head to head: the share of the row's player against the column's, in percent"
    grid = element(
        "table", element("caption", title, class_="unseen"), _head(data), _body(data), class_="heat", id="heat"
    )
    few = f" The best {CHARTED} players are shown." if len(shown) < len(data.names) else ""
    return [
        note(
            "How often the row's player is ranked before the column's, in percent; a tie counts half. A ",
            element("b", "solid frame", class_="framed"),
            " marks pairs that are decided. Point at a field, or move through them with the arrow keys, to read what "
            f"was found.{few}",
        ),
        element(
            "div",
            element("div", grid, class_="scroll", role="region", aria_label=title),
            element("p", "Point at a field to read about a pair.", id="found", role="status", class_="found"),
            class_="beside" if len(shown) <= MOST_BESIDE else None,
        ),
    ]


def _head(data: ReportData) -> Markup:
    numbers = (
        element("th", str(place), scope="col", title=data.names[player], data_p=str(player))
        for place, player in enumerate(data.charted, start=1)
    )
    return element("thead", element("tr", element("td"), numbers))


def _body(data: ReportData) -> Markup:
    duels = {}
    for pair in data.results.head_to_head:
        duels[pair.first, pair.second] = Duel(pair, turned=False)
        duels[pair.second, pair.first] = Duel(pair, turned=True)
    verdicts, better = data.verdicts(), data.better()

    def field(row: int, column: int) -> Markup:
        duel = duels.get((row, column))
        if duel is None:
            return element("td", class_="self") if row == column else element("td", "\u2013")
        decided = (row, column) in better or (column, row) in better
        verdict = verdicts[min(row, column), max(row, column)]
        return _field(data, row, column, duel, verdict, decided)

    rows = []
    for place, player in enumerate(data.charted, start=1):
        name = (element("span", str(place), class_="place"), named(data.names[player]))
        head = element("th", *name, scope="row", data_p=str(player))
        rows.append(element("tr", head, (field(player, other) for other in data.charted)))
    return element("tbody", rows)


def _field(data: ReportData, row: int, column: int, duel: Duel, verdict: str, decided: bool) -> Markup:
    share = round(100 * duel.share.estimate)
    shade = LEVELS + round(LEVELS * (2 * duel.share.estimate - 1))
    return element(
        "td",
        str(share),
        class_=f"h{shade} decided" if decided else f"h{shade}",
        data_verdict=f"{verdict}.",
        data_more=duel.words(),
        data_p=f"{row} {column}",
        aria_label=f"{data.names[row]} against {data.names[column]}: {share} %. {verdict}.",
    )

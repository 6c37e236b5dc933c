"""Faults, voids, and matches that are worth a look."""

from parlour.tournament.records import MatchResult
from parlour.tournament.report.data import ReportData
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.observations import RULES, TellingMatch
from parlour.tournament.report.tables import Cell, Column, command, named, note, section, table
from parlour.tournament.results import PlayerResult, replay_command


def faults_section(data: ReportData) -> Markup:
    """Which players made faults, the first fault of each, and matches without a result."""
    columns = [
        Column("Player", number=False),
        Column("Matches"),
        Column("With faults", "matches in which it made at least one fault"),
        Column("Faults"),
        Column("Left", "matches that it left before the end, or was removed from"),
        Column("First fault", number=False, wide=True, sorts=False),
    ]
    rows = [(str(it.standing.player), _fault_cells(data, it)) for it in data.results.players]
    clean = not any(it.first_fault for it in data.results.players)
    return section(
        "faults",
        "Faults",
        note("No player made a fault.")
        if clean
        else note("A fault has been paid for in its match, by the game's own price."),
        *([] if clean else [table("Faults", columns, rows)]),
        *_voids(data),
    )


def _fault_cells(data: ReportData, it: PlayerResult) -> list[Cell]:
    counts = it.counts
    return [
        Cell(named(it.name), it.name),
        Cell(f"{counts.matches:,}", counts.matches),
        Cell(f"{counts.matches_with_faults:,}", counts.matches_with_faults),
        Cell(f"{counts.faults:,}", counts.faults),
        Cell(f"{counts.forfeits:,}", counts.forfeits),
        Cell(_first_fault(data, it)),
    ]


def _first_fault(data: ReportData, player: PlayerResult) -> Child:
    first = player.first_fault
    if first is None:
        return "\u2013"
    fault = first.fault
    parts: list[Child] = [
        element(
            "p",
            f"Match {first.match}, seat {fault.seat}: ",
            element("b", f"{fault.kind} {fault.code}"),
            f", {fault.words}",
        )
    ]
    if fault.stderr:
        parts.append(element("p", "It wrote: ", element("code", fault.stderr)))
    parts.append(
        command(first.command) if first.command else element("p", "The match has no transcript.", class_="small")
    )
    return parts


def _voids(data: ReportData) -> list[Child]:
    counts = data.results.counts
    if not (counts.void or counts.dropped or counts.waiting):
        return []
    listed = [element("li", f"Match {void.match}: {void.why}") for void in data.results.voids]
    said = f"{counts.void:,} matches are void: Parlour failed, not a player. "
    said += (
        f"{counts.dropped:,} finished matches were dropped with them, because they belong to the same duplicate sets"
    )
    said += f"; {counts.waiting:,} wait for the rest of their set." if counts.waiting else "."
    return [
        element("h3", "Matches that do not count"),
        note(said),
        element("ul", listed, class_="plain") if listed else "",
    ]


def matches_section(data: ReportData) -> Markup:
    """Matches that stand out, each by a rule that is stated."""
    groups = [_group(data, rule, words) for rule, words in RULES.items() if data.observed.telling[rule]]
    if not groups:
        return Markup()
    kept = data.results.tournament.transcripts
    how = (
        "Links lead to the transcripts beside this file. The command replays a match in the terminal; the page of an "
        "arena replays the file under /replay, move by move."
        if kept
        else "This tournament kept no transcripts, so the matches cannot be replayed."
    )
    return section("matches", "Telling matches", note(how), element("div", groups, class_="groups"))


def _group(data: ReportData, rule: str, words: str) -> Markup:
    items = [_match(data, noted) for noted in data.observed.telling[rule]]
    return element("article", element("h3", rule), note(words), element("ol", items))


def _match(data: ReportData, noted: TellingMatch) -> Markup:
    result = noted.result
    path = data.transcript(result)
    title: Child = f"Match {result.match}"
    if path is not None:
        title = element("a", title, href=path.relative_to(data.transcripts.published.parent).as_posix())
    about = " ".join(map(str, sorted(set(result.players))))
    return element(
        "li",
        element("p", title, ": ", noted.words),
        element("p", _ranking(data, result, noted.seat), class_="ranking"),
        command(replay_command(path)) if path is not None else "",
        data_p=about,
    )


def _ranking(data: ReportData, result: MatchResult, about: int | None) -> list[Child]:
    parts: list[Child] = []
    for seat in sorted(range(len(result.players)), key=lambda seat: (result.ranks[seat], seat)):
        name = named(data.names[result.players[seat]])
        parts.append([", " if parts else "", f"{result.ranks[seat]}. ", element("b", name) if seat == about else name])
        parts.append(f" {result.scores[seat]:,g}")
    return parts

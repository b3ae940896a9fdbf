"""Two papers side by side: which figures, rows and sentences are not what they were.

A figure fetched again that says the same of the same day from the same source has not changed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, Missing, ToolCite
from services.core.periods import period_words
from services.core.rendering import PLACE, render
from services.core.text import Language, Text
from services.core.trace import ToolCall, Trace
from services.core.verifier import same_number
from services.exports.paper import Bullets, CitedCell, Paper, PaperLine, PaperRow, PaperTable, Prose
from services.exports.paper import PaperQuote as PaperQuote
from services.views.table import (
    Cell,
    Table,
    TableColumn,
    TableRow,
    View,
)

_TITLE = Text("对比", "Comparison")
_PROSE = Text("正文", "Text")
_OTHER = Text("不同", "differs")
_VALUE = Text("数值变了", "value changed")
_UNIT = Text("单位变了", "unit changed")
_DAY = Text("日期变了，数值未变", "same value of another day")
_SOURCE = Text("来源变了，数值未变", "same value from another source")
_RAW = Text("原文或说明变了，数值未变", "same value, other raw text or note")
_NEW = Text("新出现", "new")
_GONE = Text("不再有", "gone")
_CAME = Text("原来没有，现在有", "not available then, available now")
_LOST = Text("原来有，现在没有", "available then, not now")
# What a row of a table is known by: everything in it that is no figure and no text with figures.
_NAMING = frozenset({"text", "date", "symbol"})
# Bookkeeping that is new in every run.
_PASSING = frozenset(
    {"run_id", "tool_call_id", "job_id", "claim_id", "duration_ms", "seconds", "fetched_at"}
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: what it is called, the paper, and what its figures stand on.

    `subject` is the company it is about: papers about two companies are held against each other
    metric by metric.
    """

    name: Text
    paper: Paper
    claims: Mapping[str, Claim]
    trace: Trace
    subject: str | None = None


class _Place(NamedTuple):
    """Where a figure stands: the table's key and title (or the text), the row, the item."""

    table: str
    row: str
    item: str
    nth: int


class _Told(NamedTuple):
    """A figure of a paper, or that there is none, and how its place is called."""

    figure: Claim | Missing
    where: str
    item: str


# A figure of one side and of the other (null where a side has none), and what differs.
_Pair = tuple[_Told | None, _Told | None, Text | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView(View):
    """Two papers compared. `before` and `after` are what the sides are called; `figures`, `rows`,
    `texts` and `quotes` hold only what differs, the counts how much does not. `known` are names in
    the sentences whose digits are no figures. `unlike`: they are about two companies.
    """

    before: Text
    after: Text
    figures: Table
    rows: Table
    texts: Table
    quotes: Table
    same_figures: int
    same_texts: int
    known: tuple[str, ...] = ()
    unlike: bool = False

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not any(table.rows for table in self.tables())

    def tables(self) -> tuple[Table, ...]:
        """Figures, rows, sentences, quoted texts."""
        return (self.figures, self.rows, self.texts, self.quotes)


def compare(before: Side, after: Side) -> ComparisonView:
    """What differs between the two, in the language of the first.

    Raises: KeyError when a cited claim is not given.
    """
    after = _apart(before, after)
    old, new = _figures(before), _figures(after)
    old_rows, new_rows = _row_names(before.paper), _row_names(after.paper)
    shared = [place for place in old if place in new]
    differing = [(old[place], new[place]) for place in shared]
    how = _unlike if before.subject != after.subject else _how
    texts = _texts(before), _texts(after)
    return ComparisonView(
        title=_TITLE,
        claims={**before.claims, **after.claims},
        trace=Trace(tool_calls=_calls(before.trace, after.trace)),
        run_ids=tuple(dict.fromkeys((*before.paper.run_ids, *after.paper.run_ids))),
        before=before.name,
        after=after.name,
        figures=_figure_table(
            [(*pair, how(*pair)) for pair in differing if how(*pair) is not None]
            + _alone(old, new, old_rows, new_rows),
            before.name,
            after.name,
        ),
        rows=_row_table(old_rows, new_rows),
        texts=_text_table(*texts, before, after),
        quotes=_quote_table(_quotes(before.paper), _quotes(after.paper)),
        same_figures=sum(how(*pair) is None for pair in differing),
        unlike=before.subject != after.subject,
        known=_names(before.paper, after.paper),
        same_texts=_count_kept(*([one for one, _ in side] for side in texts)),
    )


def _apart(before: Side, after: Side) -> Side:
    """The second, with the ids of claims that say something else under an id of the first."""
    other = {
        name: f"c_{int(name[2:], 16) ^ 1:016x}"
        for name, claim in after.claims.items()
        if before.claims.get(name, claim) != claim
    }
    if not other:
        return after

    def rename_ids(document: str) -> str:
        for name, new in other.items():
            document = document.replace(name, new)
        return document

    claims = [
        Claim.model_validate_json(rename_ids(claim.model_dump_json()))
        for claim in after.claims.values()
    ]
    paper = Paper.model_validate_json(rename_ids(after.paper.model_dump_json()))
    kept = {claim.claim_id: claim for claim in claims}
    return Side(after.name, paper, kept, after.trace, after.subject)


def _calls(*traces: Trace) -> tuple[ToolCall, ...]:
    found = {call.tool_call_id: call for trace in traces for call in trace.tool_calls}
    return tuple(found.values())


def _lines(paper: Paper) -> Iterator[PaperLine]:
    for block in paper.blocks:
        if isinstance(block, Prose):
            yield block.line
        elif isinstance(block, Bullets):
            yield from block.lines


def _names(*papers: Paper) -> tuple[str, ...]:
    """Names in sentences whose digits are no figures, the longest first."""
    found = {name for paper in papers for line in _lines(paper) for name in line.known}
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def _figures(side: Side) -> dict[_Place, _Told]:
    """Every figure of the paper by its place; of several in one place the first has number 0."""
    found: dict[_Place, _Told] = {}
    counts: Counter[tuple[str, str, str]] = Counter()

    def keep(table: str, row: str, item: str, told: _Told) -> None:
        place = (table, row, item)
        found[_Place(*place, counts[place])] = told
        counts[place] += 1

    language = side.paper.language
    for line in _lines(side.paper):
        for name in dict.fromkeys(PLACE.findall(line.template)):
            claim = side.claims[name]
            item = _item(claim, side.subject, language)
            keep("", "", item, _Told(claim, _PROSE.in_language(language), item))
    for table in side.paper.tables:
        for row in table.rows:
            for column, figure in _cells(table, row, side.claims):
                item = " ".join(part for part in (_row_name(table, row), column) if part)
                keep(table.key, _row_name(table, row), column, _Told(figure, table.title, item))
    return found


def _item(claim: Claim, subject: str | None, language: Language) -> str:
    """What a figure in a sentence is: its metric and period, and whose unless the paper's own."""
    whose = "" if claim.symbol == subject else claim.symbol
    period = period_words(claim.period, language)
    said = (whose, metric_words(claim.metric).in_language(language), period)
    return " ".join(part for part in said if part)


def _cells(
    table: PaperTable, row: PaperRow, claims: Mapping[str, Claim]
) -> Iterator[tuple[str, Claim | Missing]]:
    for column in table.columns:
        cell = row.cells.get(column.key)
        if isinstance(cell, CitedCell):
            yield column.label, claims[cell.claim]
        elif isinstance(cell, Missing):
            yield column.label, cell
        elif column.kind == "prose" and isinstance(cell, str):
            for name in dict.fromkeys(PLACE.findall(cell)):
                yield column.label, claims[name]


def _row_name(table: PaperTable, row: PaperRow) -> str:
    """What the row is about, in words: the same in both papers for the same thing."""
    said = [row.group or ""]
    for column in table.columns:
        cell = row.cells.get(column.key)
        if column.kind in _NAMING and column.key not in _PASSING and isinstance(cell, str):
            said.append(cell)
    return " ".join(dict.fromkeys(part for part in said if part)) or row.symbol or ""


def _row_names(paper: Paper) -> dict[tuple[str, str], str]:
    """The rows of every table: by table and row, the table's title."""
    return {
        (table.key, _row_name(table, row)): table.title
        for table in paper.tables
        for row in table.rows
    }


def _how(old: _Told, new: _Told) -> Text | None:
    """What changed of a figure; None for nothing a reader would call a change."""
    before, after = old.figure, new.figure
    if isinstance(before, Missing):
        return None if isinstance(after, Missing) else _CAME
    if isinstance(after, Missing):
        return _LOST
    if before.unit != after.unit:
        return _UNIT
    if not same_number(before.value, after.value):
        return _VALUE
    if before.as_of != after.as_of or before.period != after.period:
        return _DAY
    if not isinstance(before.cite, ToolCite) or not isinstance(after.cite, ToolCite):
        return None
    if _source(before.cite) != _source(after.cite):
        return _SOURCE
    return (
        None if (before.cite.raw, before.cite.note) == (after.cite.raw, after.cite.note) else _RAW
    )


def _unlike(old: _Told, new: _Told) -> Text | None:
    """Whether figures of two companies differ: their days and sources are their own."""
    before, after = old.figure, new.figure
    if isinstance(before, Missing) or isinstance(after, Missing):
        return _how(old, new)
    same = before.unit == after.unit and same_number(before.value, after.value)
    return None if same else _OTHER


def _source(cite: ToolCite) -> tuple[str, str, str]:
    return (cite.source, cite.table, cite.served_by)


def _alone(
    old: Mapping[_Place, _Told],
    new: Mapping[_Place, _Told],
    old_rows: Mapping[tuple[str, str], str],
    new_rows: Mapping[tuple[str, str], str],
) -> list[_Pair]:
    """Figures of one side alone, but for those of whole rows that came or went."""
    gone = [
        (told, None, _GONE)
        for place, told in old.items()
        if place not in new and _stands(place, new_rows)
    ]
    came = [
        (None, told, _NEW)
        for place, told in new.items()
        if place not in old and _stands(place, old_rows)
    ]
    return [*gone, *came]


def _stands(place: _Place, rows: Mapping[tuple[str, str], str]) -> bool:
    return not place.table or (place.table, place.row) in rows


def _figure_table(pairs: Sequence[_Pair], before: Text, after: Text) -> Table:
    columns = (
        TableColumn("where", Text("所在", "Where"), "text"),
        TableColumn("item", Text("项目", "Item"), "text"),
        TableColumn("before", before, "figure"),
        TableColumn("before_as_of", Text("其截至", "as of"), "date"),
        TableColumn("after", after, "figure"),
        TableColumn("after_as_of", Text("其截至", "as of"), "date"),
        TableColumn("how", Text("变化", "Change"), "text"),
    )
    rows: dict[tuple[object, ...], TableRow] = {}
    for old, new, how in pairs:
        told = old or new
        assert told is not None  # noqa: S101 — a pair has one side at least
        cells: dict[str, Cell] = {"where": told.where, "item": told.item}
        cells |= {"before": old.figure if old else None, "after": new.figure if new else None}
        cells |= {"before_as_of": _day(old), "after_as_of": _day(new)}
        cells["how"] = how
        # The same figure in two places of a paper is one change.
        seen = tuple(map(_list_known, (old, new)))
        rows.setdefault(seen, TableRow(cells))
    return Table(
        "figures", Text("不同的数字", "Figures that differ"), columns, tuple(rows.values())
    )


def _list_known(told: _Told | None) -> object:
    if told is None:
        return None
    figure = told.figure
    return figure.claim_id if isinstance(figure, Claim) else (figure.symbol, figure.metric)


def _day(told: _Told | None) -> str | None:
    return told.figure.as_of.isoformat() if told and isinstance(told.figure, Claim) else None


def _row_table(old: Mapping[tuple[str, str], str], new: Mapping[tuple[str, str], str]) -> Table:
    columns = (
        TableColumn("where", Text("所在", "Where"), "text"),
        TableColumn("item", Text("条目", "Entry"), "text"),
        TableColumn("how", Text("变化", "Change"), "text"),
    )
    gone = [(key, title, _GONE) for key, title in old.items() if key not in new]
    came = [(key, title, _NEW) for key, title in new.items() if key not in old]
    rows = tuple(
        TableRow({"where": title, "item": name, "how": how})
        for (_, name), title, how in gone + came
    )
    return Table("rows", Text("增减的条目", "Entries that came or went"), columns, rows)


def _texts(side: Side) -> list[tuple[str, str]]:
    """Every sentence of ours or of a model: as it reads, and its template."""
    return [
        (render(line.template, side.claims, line.language or side.paper.language), line.template)
        for line in _lines(side.paper)
        if line.kind == "told"
    ]


def _count_kept(before: Sequence[str], after: Sequence[str]) -> int:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def _text_table(
    old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]], before: Side, after: Side
) -> Table:
    columns = (
        TableColumn("before", before.name, "prose"),
        TableColumn("after", after.name, "prose"),
    )
    matcher = SequenceMatcher(
        None, [text for text, _ in old], [text for text, _ in new], autojunk=False
    )
    rows: list[TableRow] = []
    for tag, left, left_end, right, right_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for at in range(max(left_end - left, right_end - right)):
            cells: dict[str, Cell] = {}
            if left + at < left_end:
                cells["before"] = old[left + at][1]
            if right + at < right_end:
                cells["after"] = new[right + at][1]
            rows.append(TableRow(cells))
    made = {
        line.template: line.made
        for side in (before, after)
        for line in _lines(side.paper)
        if line.made
    }
    return Table(
        "texts", Text("不同的文字", "Sentences that differ"), columns, tuple(rows), made=made
    )


def _quotes(paper: Paper) -> dict[tuple[str, str], str]:
    """Texts from outside: by title and text, who and when."""
    return {
        (block.title, block.text): " · ".join(block.about)
        for block in paper.blocks
        if isinstance(block, PaperQuote)
    }


def _quote_table(old: Mapping[tuple[str, str], str], new: Mapping[tuple[str, str], str]) -> Table:
    columns = (
        TableColumn("how", Text("变化", "Change"), "text"),
        TableColumn("item", Text("外部原文", "Quoted from outside"), "text"),
        TableColumn("about", Text("出处", "From"), "text"),
    )
    changes: Iterable[tuple[tuple[str, str], str, Text]] = [
        *((key, about, _GONE) for key, about in old.items() if key not in new),
        *((key, about, _NEW) for key, about in new.items() if key not in old),
    ]
    rows = tuple(
        TableRow({"how": how, "item": title or text, "about": about})
        for (title, text), about, how in changes
    )
    return Table("quotes", Text("增减的原文", "Quoted texts that came or went"), columns, rows)

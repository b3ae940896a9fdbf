"""What stands in an evidence pack beside its told texts: titles, labels, headings, cells of words.

The number gate does not read them, since they are no prose. So they may hold no figure of their own
that nothing in the pack brought, call no column by another metric's name, and hide nothing.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from services.core.catalogue import CATALOGUE, metric_words
from services.core.claims import Claim
from services.core.limits import COMPETENCES
from services.core.periods import period_words
from services.core.rendering import PLACE
from services.core.text import Language, Text
from services.evidence_pack.checks import stands_under_its_company
from services.evidence_pack.parts import PAPER, PackContent
from services.evidence_pack.size_limits import Fault
from services.exports.paper import (
    Bullets,
    CitedCell,
    Heading,
    PaperQuote,
    PaperRow,
    PaperTable,
    Prose,
)
from services.views.analysis_tables import cost_of
from services.views.report_charts import ReportChart

LONGEST_LABEL = 20_000
# A number with what makes it a figure: a currency, a percent sign, a count of ten thousands.
_FIGURE = re.compile(
    r"\d[\d.,]*\s*(?:%|％|‰|倍|元|亿|万|个百分点|百分点|pp\b|percent\b|times\b|x\b"
    r"|billion\b|million\b|trillion\b|CNY\b|HKD\b|USD\b)"
)
# Pages of which one company is the subject, named by the title.
_OF_ONE = frozenset({"stock", "financials", "report", "score"})
# The parts of a score stand under their own words.
_PARTS = {
    "得分": "_score",
    "Score": "_score",
    "权重": "_weight",
    "Weight": "_weight",
    "数据覆盖度": "_coverage",
    "数据覆盖": "_coverage",  # of a pack written before 2026-11-23
    "Coverage": "_coverage",
}
_ABOUT = ("_score", "_weight", "_coverage")
# A close stands under another name as well: yesterday's is today's previous one.
_CALLED_TOO: Mapping[str, frozenset[str]] = {"close": frozenset({"previous_close"})}


class _Label(NamedTuple):
    """A text that is no prose; `asked` where it may be what the reader typed."""

    place: str
    text: str
    asked: bool = False


def has_figure(text: str) -> bool:
    """Whether it holds a number with what makes it a figure: a currency, a percent sign."""
    return _FIGURE.search(PLACE.sub(" ", text)) is not None


def label_faults(content: PackContent) -> Iterator[Fault]:
    """Each figure in a text that is no prose and that nothing in the pack brought, each hidden or
    look-alike sign, and a text where a figure has its place.
    """
    vouched = _list_vouched(content)
    for label in _labels(content):
        if len(label.text) > LONGEST_LABEL:
            said = Text(
                f"长 {len(label.text)} 字，没有核对", f"{len(label.text)} characters: not checked"
            )
            yield Fault(label.place, "too_long", said)
            continue
        if (sign := _odd_sign(label.text)) and label.text not in vouched:
            yield Fault(
                label.place, "hidden_character",
                Text(f"含有隐藏或形近的字符 {sign}", f"a hidden or look-alike character: {sign}"),
            )  # fmt: skip
        if label.asked or label.text in vouched:
            continue
        for hit in _FIGURE.finditer(PLACE.sub(" ", label.text)):
            if not _brought(hit[0], vouched):
                yield Fault(
                    label.place, "label_figure",
                    Text(f"“{hit[0]}”不是引用的数字，包内没有任何取数或规则给出它",
                    f"“{hit[0]}” is no cited figure, and no call or rule in the pack brought it"),
                )  # fmt: skip
    yield from _cells(content)


def find_asked_figures(content: PackContent) -> Iterator[Text]:
    """Figures in what the reader asked: theirs, cited by nothing."""
    found = dict.fromkeys(
        hit[0]
        for label in _labels(content)
        if label.asked
        for hit in _FIGURE.finditer(label.text[:LONGEST_LABEL])
    )
    if found:
        told = ", ".join(list(found)[:10])
        yield Text(f"问句里的数字是提问者的，没有出处：{told}", f"figures of the question: {told}")


def name_of_title(content: PackContent, symbols: tuple[str, ...]) -> Iterator[Fault]:
    """A page of one company whose title names somebody else."""
    paper = content.paper
    if paper.kind not in _OF_ONE or len(symbols) != 1:
        return
    known = content.names.get(symbols[0], ())
    if known and not any(name in paper.title for name in (*known, symbols[0])):
        said = f"{paper.title[:80]} ≠ {symbols[0]}"
        yield Fault(
            f"{PAPER} title", "name_equal",
            Text(f"标题里不是这家公司：{said}", f"the title names another company: {said}"),
        )  # fmt: skip


def _labels(content: PackContent) -> Iterator[_Label]:
    paper = content.paper
    asking = paper.kind == "ask"
    yield _Label(f"{PAPER} title", paper.title, asking)
    for number, block in enumerate(paper.blocks, start=1):
        place = f"{PAPER} block {number}"
        match block:
            case Heading():
                yield _Label(place, block.text, asking)
            case Prose() | Bullets():
                lines = (block.line,) if isinstance(block, Prose) else block.lines
                if isinstance(block, Bullets):
                    yield _Label(place, block.title)
                for line in lines:
                    if line.kind != "told":
                        yield _Label(place, line.template, asking)
                    yield from (_Label(place, mark) for mark in line.marks)
            case ReportChart():
                pass  # made again of the claims: chart_faults
            case PaperQuote():
                yield from (_Label(place, text) for text in block.about)
            case PaperTable():
                yield from _of_table(block)


def _of_table(table: PaperTable) -> Iterator[_Label]:
    place = f"{PAPER} table {table.key}"
    yield _Label(f"{place} title", table.title)
    yield _Label(f"{place}, note", table.note)
    yield _Label(f"{place}, days", table.days)
    yield from (_Label(f"{place} column {one.key}", one.label) for one in table.columns)
    texts = {column.key for column in table.columns if column.kind not in ("figure", "prose")}
    for number, row in enumerate(table.rows, start=1):
        yield _Label(f"{place} row {number} group", row.group or "")
        for key, cell in row.cells.items():
            if key in texts and isinstance(cell, str):
                yield _Label(f"{place} row {number} {key}", cell)


def _list_vouched(content: PackContent) -> frozenset[str]:
    """Texts that came from a call or a rule, or that say what a row or a claim says."""
    found: set[str] = set()
    for rule in COMPETENCES.values():
        found |= {rule.statement.zh, rule.statement.en}
    for call in content.trace.tool_calls:
        found.add(str(call.arguments))
        found |= {text for said in call.labels.values() for text in said.values()}
        found |= {text for item in call.items for text in (item.title, item.text) if text}
        found |= {row.raw for row in call.rows if row.raw}
    found |= {f"{claim.value!r} {claim.unit}" for claim in content.claims}
    found |= {cost for call in content.trace.model_calls if (cost := cost_of(call))}
    return frozenset(found)


def _brought(span: str, vouched: Iterable[str]) -> bool:
    """Whether a rule or a call says so, and not as the end of a longer number."""
    meant = re.compile(rf"(?<![\d.,]){re.escape(span)}")
    return any(meant.search(text) for text in vouched)


def _odd_sign(text: str) -> str:
    """A digit that is not 0-9, or a sign that is not seen and may turn or split a text."""
    for sign in text:
        odd = sign.isdigit() and not sign.isascii()
        if odd or unicodedata.category(sign) == "Cf":
            return f"U+{ord(sign):04X}"
    return ""


def _cells(content: PackContent) -> Iterator[Fault]:
    """Each figure of a table against the words it stands under and beside."""
    known, language = content.by_id, content.paper.language
    periods = {period_words(claim.period, language) for claim in content.claims if claim.period}
    whose: dict[str, set[str]] = {}
    for symbol, names in content.names.items():
        for name in (symbol, *names):
            whose.setdefault(name, set()).add(symbol)
    for table in content.paper.tables:
        figures = {one.key: one.label for one in table.columns if one.kind == "figure"}
        for number, row in enumerate(table.rows, start=1):
            beside = _row_words(row, table)
            for key, label in figures.items():
                place, cell = f"{PAPER} table {table.key} row {number} {key}", row.cells.get(key)
                if isinstance(cell, str) and cell:
                    said = Text("数字列里是文字", "words in a column of figures")
                    yield Fault(place, "figure_cell", said)
                claim = known.get(cell.claim) if isinstance(cell, CitedCell) else None
                is_told = stands_under_its_company(cell, label, content)
                for word in (label, *beside) if claim else ():
                    found = _check_name(word, claim, periods, language) if claim else None
                    if (
                        claim
                        and not is_told
                        and claim.symbol not in whose.get(word, {claim.symbol})
                    ):
                        found = "entity_equal", claim.symbol
                    if found:
                        said = f"这里写着“{word}”，数字是 {found[1]}"
                        english = f"it says “{word}” here, the figure is of {found[1]}"
                        yield Fault(place, found[0], Text(said, english))


def _row_words(row: PaperRow, table: PaperTable) -> list[str]:
    texts = {column.key for column in table.columns if column.kind in ("text", "symbol")}
    cells = (row.cells.get(key) for key in texts)
    return [cell for cell in cells if isinstance(cell, str)]


def _check_name(
    word: str, claim: Claim, periods: Collection[str], language: Language
) -> tuple[str, str] | None:
    """The check that fails, and what the figure is, where it stands under the name of another
    metric, period or day.
    """
    meant = _list_named(language).get(word)
    mine = {claim.metric, *_CALLED_TOO.get(claim.metric, ())}
    same_name = metric_words(claim.metric).in_language(language) == word
    if meant and not meant & mine and not same_name and claim.metric in _plain():
        return "metric_equal", claim.metric
    about = _PARTS.get(word)
    if about and not claim.metric.endswith(about):
        return "metric_equal", claim.metric
    if word in periods and period_words(claim.period, language) != word:
        return "period_equal", claim.period or claim.as_of.isoformat()
    return None


@cache
def _plain() -> frozenset[str]:
    """Metrics of a company or an index: counts and scores stand under the name of what they are
    about.
    """
    told = (
        name
        for name, metric in CATALOGUE.figures.items()
        if metric.kind not in ("summary", "event")
    )
    return frozenset(name for name in told if not name.endswith(_ABOUT))


@cache
def _list_named(language: Language) -> Mapping[str, frozenset[str]]:
    """The metrics of each name that a metric has on our pages."""
    found: dict[str, set[str]] = {}
    for metric in _plain():
        found.setdefault(metric_words(metric).in_language(language), set()).add(metric)
    return {name: frozenset(metrics) for name, metrics in found.items()}

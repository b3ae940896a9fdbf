"""A view as Markdown: every figure carries a footnote that says where it comes from.

A derived figure's footnote refers to the footnotes of its inputs, down to the fetches.
Text from outside is escaped, so it can form neither HTML, nor a table cell, nor a footnote.
"""

import re
from collections.abc import Callable, Sequence

from services.core.claims import Claim, DerivedCite, Figure, Missing
from services.core.rendering import PLACE, Language, show
from services.reports.provenance import Ground, Provenance
from services.reports.table import Cell, Column, Row, Table, View, Words, metric_words, reason_words

_SPECIAL = re.compile(r"([\\`*_\[\]|~#$])")
_SPACES = re.compile(r"\s+")
TERMS = {
    "notes": Words("数据说明", "About these data"),
    "sources": Words("出处", "Sources"),
    "source": Words("来源", "source"),
    "as_of": Words("截至", "as of"),
    "period": Words("期间", "period"),
    "raw": Words("原值", "raw"),
    "fetched": Words("取数", "fetched"),
    "by": Words("提供者", "served by"),
    "formula": Words("推算", "formula"),
    "rule": Words("规则", "rule"),
    "inputs": Words("由", "from"),
    "missing": Words("无此数据", "not available"),
    "empty": Words("（没有符合的条目）", "(nothing)"),
    "group": Words("分类", "Group"),
    "note": Words("注", "note"),
}


def view_markdown(view: View, language: Language = "zh") -> str:
    """The whole page: title, notes, every table, then one footnote per figure used.

    Raises: KeyError when a cited claim or call is not in the view.
    """
    notes = Footnotes(Ground(view.claims, view.trace), language)
    blocks = [f"# {escape(view.title.text(language))}"]
    if view.notes:
        said = "\n".join(
            f"- {prose_markdown(note.text(language), notes, language)}" for note in view.notes
        )
        blocks.append(f"**{TERMS['notes'].text(language)}**\n\n{said}")
    blocks += [table_markdown(table, notes, language) for table in view.tables()]
    return with_sources(blocks, notes, language)


def with_sources(blocks: Sequence[str], notes: "Footnotes", language: Language) -> str:
    """The blocks as one document, and below them one footnote for each figure they use."""
    footnotes = notes.written()
    ending = [f"## {TERMS['sources'].text(language)}", footnotes] if footnotes else []
    return "\n\n".join([*blocks, *ending]) + "\n"


def escape(text: str) -> str:
    """Text that Markdown and HTML leave alone, on one line."""
    flat = _SPACES.sub(" ", text).strip()
    plain = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", plain)


class Footnotes:
    """Numbers figures in the order they are met; the same figure keeps its number."""

    def __init__(self, ground: Ground, language: Language) -> None:
        self.ground = ground
        self._language: Language = language
        self._numbers: dict[str, int] = {}
        self._texts: list[Callable[[], str]] = []

    def mark(self, figure: Figure) -> str:
        """The reference to the figure's footnote."""
        if isinstance(figure, Missing):
            return self._reference(f"missing:{figure.reason}", lambda: self._absent(figure))
        return self._reference(figure.claim_id, lambda: self._present(figure))

    def written(self) -> str:
        """Every footnote; writing one may call up the footnotes of its inputs."""
        lines: list[str] = []
        while len(lines) < len(self._texts):
            lines.append(f"[^{len(lines) + 1}]: {self._texts[len(lines)]()}")
        return "\n".join(lines)

    def _reference(self, key: str, text: Callable[[], str]) -> str:
        if key not in self._numbers:
            self._texts.append(text)
            self._numbers[key] = len(self._texts)
        return f"[^{self._numbers[key]}]"

    def _term(self, name: str) -> str:
        return TERMS[name].text(self._language)

    def _absent(self, figure: Missing) -> str:
        why = reason_words(figure.reason).text(self._language)
        return f"{self._term('missing')}: {escape(why)}"

    def _present(self, claim: Claim) -> str:
        origin = self.ground.of(claim)
        name = metric_words(claim.metric).text(self._language)
        parts = [
            f"{escape(claim.symbol)} {escape(name)} `{claim.metric}` = {claim.value!r} {claim.unit}"
        ]
        parts.append(f"{self._term('as_of')} {claim.as_of}")
        if claim.period:
            parts.append(f"{self._term('period')} `{claim.period}`")
        parts += self._computed(claim, origin)
        if origin.raw is not None:
            parts.append(f"{self._term('raw')} {escape(f'{origin.upstream_field} = {origin.raw}')}")
        for fetch in origin.fetches:
            parts.append(
                f"{self._term('source')} {escape(f'{fetch.source}.{fetch.table}')}, "
                f"{self._term('fetched')} {fetch.fetched_at}, "
                f"{self._term('by')} {escape(fetch.served_by)}, `{fetch.tool_call_id}`"
            )
        if origin.note:
            parts.append(f"{self._term('note')} {escape(origin.note)}")
        return " · ".join([*parts, f"`{claim.claim_id}`"])

    def _computed(self, claim: Claim, origin: Provenance) -> list[str]:
        if origin.formula is None:
            return []
        if not isinstance(claim.cite, DerivedCite):
            return [f"{self._term('rule')} `{origin.formula}`"]
        used = [self.ground.claims[name] for name in claim.cite.inputs]
        words = [
            f"{escape(metric_words(item.metric).text(self._language))} "
            f"{show(item, self._language).text}{self.mark(item)}"
            for item in used
        ]
        words += [escape(text) for text in origin.inputs[len(used) :]]
        return [
            f"{self._term('formula')} `{origin.formula}`, {self._term('inputs')} {', '.join(words)}"
        ]


def table_markdown(table: Table, notes: Footnotes, language: Language) -> str:
    """A heading and the table under it, each figure with the reference to its footnote."""
    parts = [f"## {escape(table.title(language))}"]
    if note := table.note(language):
        parts.append(prose_markdown(note, notes, language))
    if not table.rows:
        return "\n\n".join([*parts, TERMS["empty"].text(language)])
    grouped = any(row.group is not None for row in table.rows)
    heads = [TERMS["group"].text(language)] if grouped else []
    heads += [escape(column.label(language)) for column in table.columns]
    rules = ["---"] if grouped else []
    rules += ["---:" if column.kind == "figure" else "---" for column in table.columns]
    lines = [_line(heads), _line(rules)]
    for row in table.rows:
        cells = [escape(row.group.text(language)) if row.group else ""] if grouped else []
        cells += [_cell(row, column, notes, language) for column in table.columns]
        lines.append(_line(cells))
    return "\n\n".join([*parts, "\n".join(lines)])


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(row: Row, column: Column, notes: Footnotes, language: Language) -> str:
    cell: Cell = row.cells.get(column.key)
    if cell is None:
        return ""
    if isinstance(cell, Missing):
        return f"—{notes.mark(cell)}"
    if isinstance(cell, Claim):
        return f"{show(cell, language).text}{notes.mark(cell)}"
    text = cell.text(language) if isinstance(cell, Words) else cell
    return prose_markdown(text, notes, language) if column.kind == "prose" else escape(text)


def prose_markdown(template: str, notes: Footnotes, language: Language) -> str:
    """The template with its figures filled in, each with its footnote; the words around are
    escaped.
    """
    pieces = PLACE.split(template)
    written = [_around(pieces[0])]
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        claim = notes.ground.claims[name]
        written.append(f"{show(claim, language).text}{notes.mark(claim)}{_around(text)}")
    return "".join(written)


def _around(text: str) -> str:
    """Escaped, keeping the space at either end that separates it from a figure."""
    left, right = text[:1].isspace(), text[-1:].isspace()
    inner = escape(text)
    return f"{' ' if left and inner else ''}{inner}{' ' if right else ''}"

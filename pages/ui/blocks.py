"""Blocks of a page as HTML: tables, cards, headings. Every figure in them comes from cite."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple, Protocol, TypeVar

import streamlit as st

from pages.ui import cite, marks, state
from pages.ui.i18n import say, t
from services.core.claims import Claim, Missing
from services.core.rendering import AmountScale, common_scale
from services.core.text import Text
from services.core.units import UNITS
from services.views.table import Cell, Table, TableColumn, TableRow, told_days

Cells = Mapping[str, Claim]
_LONG = 26
_FEW = 5
# The day a column is of stands under its name: in brackets beside it, it would break in two.
_AS_OF = re.compile(r"\s?[（(](\d{4}-\d{2}-\d{2})[）)]")
# Columns of bookkeeping whose numbers stand under one another, as those of figures do.
_COUNTED = frozenset({"rows", "count", "duration_ms"})
_DERIVED = '<i class="yj-k yj-head" aria-hidden="true">ƒ</i>'
# Columns cut to one line; the whole text is in the title and in the exports.
_CUT = frozenset({"sha256", "body_sha256", "arguments", "request"})


def draw(*parts: str) -> None:
    """Put HTML on the page as one element."""
    state.session().headed |= any("<h1" in one for one in parts)
    st.html(f'<div class="yj">{"".join(parts)}</div>')


def words(text: Text | str | None) -> str:
    """The text in the language chosen; empty for none."""
    if text is None:
        return ""
    return text if isinstance(text, str) else text.in_language(state.language())


def undated(text: Text) -> str:
    """The text without the day it is of, where that stands elsewhere."""
    return _AS_OF.sub("", say(text))


def title(text: str, sub: str = "") -> str:
    """The page's heading; `sub` is HTML beside it."""
    beside = f'<span class="yj-sub">{sub}</span>' if sub else ""
    return f'<div class="yj-title"><h1>{cite.marked(text)}</h1>{beside}</div>'


def heading(text: str, sub: str = "") -> str:
    """A section's heading; `sub` is HTML beside it."""
    return f'<div class="yj-h2"><h2>{cite.marked(text)}</h2><span>{sub}</span></div>'


def unseen(text: str) -> str:
    """A section's heading for screen readers only."""
    return f'<h2 class="yj-unseen">{escape(text)}</h2>'


def notes(lines: Iterable[Text | str], claims: Cells | None = None) -> str:
    """What a reader must know about the data shown; nothing when there is nothing to say."""
    items = "".join(f"<li>{cite.prose(words(line), claims or {})}</li>" for line in lines)
    return f'<ul class="yj-notes" data-nocite="provenance">{items}</ul>' if items else ""


def panel(name: str, beside: str, inner: str) -> str:
    """A bordered box with a heading; `name`, `beside` and `inner` are HTML."""
    head = f"<h3><span>{name}</span><small>{beside}</small></h3>"
    return f'<section class="yj-panel">{head}{inner}</section>'


def chip(text: str, kind: str = "") -> str:
    """A small label; `kind` is rise, fall, good, warn, bad or nothing."""
    return f'<span class="yj-chip{f" yj-{kind}" if kind else ""}">{cite.marked(text)}</span>'


def fingerprint(text: str) -> str:
    """In groups of four, to be read out to somebody; a dash for none."""
    groups = " ".join(text[at : at + 4] for at in range(0, len(text), 4))
    return cite.tag("code", groups or "—")


def detail(text: str) -> str:
    """The technical side of a sentence, small behind it; nothing for none."""
    if not text:
        return ""
    return f'<small class="yj-detail">{cite.tag("provenance", text)}</small>'


def folded(name: str, inner: str, *, is_open: bool = False) -> str:
    """What only some want to see, behind a line that opens it; `inner` is HTML."""
    opened = " open" if is_open else ""
    return f'<details class="yj-folded"{opened}><summary>{escape(name)}</summary>{inner}</details>'


def stock_link(symbol: str, inner: str, page: str = "stock") -> str:
    """A link to a company's page, followed without a reload."""
    href = escape(state.link(page, symbol=symbol))
    return f'<a href="{href}" data-go="{page}" target="_self">{inner}</a>'


def table(
    shown: Table,
    claims: Cells,
    *,
    tall: bool = False,
    sorted_by: tuple[str, str] | None = None,
    sorter: Callable[[str], str | None] | None = None,
    mark: str | None = None,
    kind: str = "label",
    empty: str = "nothing",
    anchor: str | None = None,
    pick: bool = False,
) -> str:
    """A table with a caption, headings that stay, and sideways scrolling inside a focusable region.

    `kind` is what the digits of text cells are (names are labels, counts of rows provenance).
    `mark` is a symbol whose row stands out. `sorter` gives the address that orders by a column,
    `empty` is the key of what to say without rows. `anchor` is a text column whose cells make the
    rows places to jump to (`e-` and the text). With `pick` each company has a box to select it.
    """
    plan = _plan(shown)
    heads = _heads(shown)
    head = "".join(_heading(column, heads, sorted_by, sorter) for column in plan)
    if pick:
        head = f'<th class="yj-box">{_box("", t("pick_page"))}</th>{head}'

    def draw_row(row: TableRow) -> str:
        cells = (
            _cell(column, row, shown, claims, kind, i == 0, heads) for i, column in enumerate(plan)
        )
        me = ' class="yj-me"' if mark and row.symbol == mark else ""
        place = row.cells.get(anchor) if anchor else None
        here = f' id="e-{escape(place)}"' if isinstance(place, str) else ""
        box = ""
        if pick:
            label = f"{t('pick_row')} {words_of(row)}"
            box = f'<td class="yj-box">{_box(row.symbol or "", label)}</td>'
        return f"<tr{me}{here}>{box}{''.join(cells)}</tr>"

    body = grouped(shown.rows, len(plan) + pick, draw_row)
    narrow = " yj-narrow" if _is_mixed(shown) and len(plan) <= _FEW else ""
    note = shown.note.in_language(state.language())
    days = told_days(shown, state.language(), claims)
    below = (
        f'<p class="yj-mute yj-days"><span data-nocite="provenance">{cite.marked(days)}</span></p>'
        if days
        else ""
    )
    below += f'<p class="yj-mute">{cite.prose(note, claims)}</p>' if note else ""
    style = f"{'yj-tall' if tall else ''}{narrow}"
    rows = body or _empty(len(plan), empty)
    return framed(say(shown.title), f"<tr>{head}</tr>", rows, key=shown.key, style=style) + below


class _Grouped(Protocol):
    @property
    def group(self) -> Text | None: ...


_RowT = TypeVar("_RowT", bound=_Grouped)


def grouped(rows: Iterable[_RowT], width: int, draw_row: Callable[[_RowT], str]) -> str:
    """The rows of a table's body as HTML; above each group its name, over `width` columns."""
    body: list[str] = []
    group: Text | None = None
    for row in rows:
        if row.group is not None and row.group != group:
            group = row.group
            name = f'<th scope="colgroup" colspan="{width}">{cite.marked(say(group))}</th>'
            body.append(f'<tr class="yj-group">{name}</tr>')
        body.append(draw_row(row))
    return "".join(body)


def framed(name: str, head: str, body: str, *, key: str = "", style: str = "") -> str:
    """A table of HTML rows, named for who cannot see it; where it is too wide it scrolls by itself.

    A region that scrolls is reached by keyboard, or a reader without a mouse sees a part of it.
    """
    told = escape(name)
    mark = f' id="t-{escape(key)}"' if key else ""
    return (
        f'<div class="yj-scroll {style}" role="region" tabindex="0" aria-label="{told}">'
        f'<table class="yj-table"{mark}><caption data-nocite="label">{told}</caption>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>"
    )


def derived_head(found: Iterable[Cell]) -> str:
    """The mark at the head of a row or column of derived figures only."""
    return _DERIVED if marks.is_derived_throughout(found) else ""


class SharedHead(NamedTuple):
    """What a head says for all of its row or column, as HTML: their unit, that all are derived; the
    class of cells that need not say the latter again, and the 亿 that none of them repeats.
    """

    unit: str
    derived: str
    quiet: str
    scale: AmountScale | None

    def draw(self, found: Cell) -> str:
        """A cell below it; what is no figure leaves the cell empty."""
        if not isinstance(found, Claim | Missing):
            return ""
        return cite.figure(found, "cell", within=self.scale)


def shared_head(
    found: Sequence[Cell], *, mixed: bool = False, beside: AmountScale | None = None
) -> SharedHead:
    """The head of a row or column of these figures; of a `mixed` one each cell names its unit.
    `beside`: the scale of another column of the table.
    """
    unit, derived = "" if mixed else _unit_of(found), derived_head(found)
    scale = _scale_of(found, beside) if unit else None
    word = scale.word if scale else ""
    told = f"{word} {unit}" if word.isascii() and word else word + unit
    small = f"<small>{escape(told)}</small>" if unit else ""
    return SharedHead(small, derived, " yj-same" if derived else "", scale)


def _scale_of(found: Iterable[Cell], beside: AmountScale | None) -> AmountScale | None:
    claims = (one for one in found if isinstance(one, Claim))
    return common_scale(claims, state.language(), beside)


def _unit_of(found: Iterable[Cell]) -> str:
    """The unit they all have, where their cells do not print it."""
    units = {one.unit for one in found if isinstance(one, Claim) and one.unit in UNITS}
    if len(units) != 1 or units <= {"percent", "pp", "sigma"}:
        return ""
    unit = UNITS[units.pop()]
    return say(Text(unit.zh, unit.en))


def words_of(row: TableRow) -> str:
    """The name of what a row is about."""
    name = row.cells.get("name")
    return words(name) if isinstance(name, Text | str) else row.symbol or ""


def name_beside(name: Cell, symbol: str) -> str:
    """The name where the code stands beside it: one told by sound has the code in brackets."""
    told = words(name) if isinstance(name, Text | str) else symbol
    return told.removesuffix(f" ({symbol.partition('.')[0]})")


def found_item(symbol: str, name: Text, why: Text, page: str) -> str:
    """One of those a text may mean, as an item of a list: a link, its code, and what of it fits."""
    link = stock_link(symbol, cite.tag("label", name_beside(name, symbol)), page)
    told = f"<i>{cite.tag('label', say(why))}</i>" if why else ""
    return f"<li>{link}{told}<small>{cite.tag('code', symbol)}</small></li>"


def _box(symbol: str, label: str) -> str:
    """A box to select a company; without a symbol all of the table. The runtime keeps the set."""
    return (
        f'<input type="checkbox" class="yj-pickbox" value="{escape(symbol)}" '
        f'aria-label="{escape(label)}">'
    )


def _plan(shown: Table) -> tuple[TableColumn, ...]:
    """The columns as drawn: a symbol stands beside its company's name, without a column, and not
    at all where each row is a day or a term of one company.
    """
    keys = {column.key for column in shown.columns}
    if keys & {"name", "day", "term"}:
        return tuple(column for column in shown.columns if column.kind != "symbol")
    return shown.columns


def _heads(shown: Table) -> Mapping[str, SharedHead]:
    """The head of each column of figures; amounts share a scale where they can."""
    keys = [column.key for column in shown.columns if column.kind == "figure"]
    mixed = _is_mixed(shown)
    cells = {key: [row.cells.get(key) for row in shown.rows] for key in keys}
    heads = {key: shared_head(found, mixed=mixed) for key, found in cells.items()}
    beside = max((one.scale for one in heads.values() if one.scale), default=None)
    return {
        key: shared_head(found, mixed=mixed, beside=beside) if heads[key].scale else heads[key]
        for key, found in cells.items()
    }


def _empty(width: int, key: str) -> str:
    return f'<tr><td colspan="{width}" class="yj-mute">{escape(t(key))}</td></tr>'


def _heading(
    column: TableColumn,
    heads: Mapping[str, SharedHead],
    sorted_by: tuple[str, str] | None,
    sorter: Callable[[str], str | None] | None,
) -> str:
    numeric = ' class="yj-num"' if column.kind == "figure" or column.key in _COUNTED else ""
    order = ""
    if sorted_by and sorted_by[0] == column.key:
        order = f' aria-sort="{"ascending" if sorted_by[1] == "asc" else "descending"}"'
    words = say(column.label)
    label = escape(_AS_OF.sub("", words)).replace("(", "<wbr>(")
    days = "".join(f"<small>{cite.day(day)}</small>" for day in _AS_OF.findall(words))
    if href := sorter(column.key) if sorter else None:
        label = f'<a href="{escape(href)}" data-go="screen" target="_self">{label}</a>'
    head = heads.get(column.key)
    label += head.derived if head else ""
    arrow = {"ascending": " ↑", "descending": " ↓"}.get(order[12:-1], "")
    unit = head.unit if head else ""
    return f'<th scope="col" data-nocite="label"{numeric}{order}>{label}{arrow}{days}{unit}</th>'


def _is_mixed(shown: Table) -> bool:
    """Whether each row is a metric of its own, so that every cell must name its unit."""
    return shown.columns[0].key in {"metric", "item"}


def _cell(
    column: TableColumn,
    row: TableRow,
    shown: Table,
    claims: Cells,
    kind: str,
    first: bool,  # noqa: FBT001
    heads: Mapping[str, SharedHead],
) -> str:
    content = row.cells.get(column.key)
    if isinstance(content, Claim) and _is_mixed(shown):
        return f'<td class="yj-num">{cite.figure(content)}</td>'
    head = heads.get(column.key)
    if isinstance(content, Claim) and head is not None:
        inner = head.draw(content)
    else:
        inner = _link_cell(_CONTENTS[column.kind](content, claims, kind), column, row)
    if first:
        return f'<th scope="row">{_row_name(inner, column, row, shown)}</th>'
    style = {"figure": "yj-num", "prose": "yj-wrap"}.get(column.kind, "")
    style += head.quiet if head else ""
    if column.kind == "text" and not isinstance(content, Claim | Missing):
        style = "yj-wrap" if len(words(content)) > _LONG else ""
        style = "yj-num" if column.key in _COUNTED else style
    if column.key in _CUT and isinstance(content, str | tuple):
        style, inner = "yj-mono yj-hash", f'<span title="{escape(words(content))}">{inner}</span>'
    return f"<td{f' class={chr(34)}{style}{chr(34)}' if style else ''}>{inner}</td>"


def _row_name(inner: str, column: TableColumn, row: TableRow, shown: Table) -> str:
    if row.symbol is None or column.key not in {"name", "symbol"} or not _is_stock(row.symbol):
        return inner
    if column.kind == "symbol":
        return stock_link(row.symbol, inner)
    linked = stock_link(
        row.symbol, cite.tag("label", name_beside(row.cells[column.key], row.symbol))
    )
    return f"{linked}<small>{cite.tag('code', row.symbol)}</small>"


def _is_stock(symbol: str) -> bool:
    """Whether it has a page: figures of a whole market or industry do not."""
    return ":" not in symbol and symbol not in {"CN", "HK", "US"}


def _figure_cell(content: Cell, _claims: Cells, _kind: str) -> str:
    if isinstance(content, Claim | Missing) or content is None:
        return cite.figure(content, "cell")
    return escape(words(content))


def _text_cell(content: Cell, _claims: Cells, kind: str) -> str:
    if isinstance(content, Claim | Missing):
        return cite.figure(content, "cell")
    return cite.tag(kind, words(content)) if content else ""


def _link_cell(inner: str, column: TableColumn, row: TableRow) -> str:
    """Ids of runs, calls and scores lead to the page that shows them."""
    known = {
        "run_id": ("trace", "run"),
        "tool_call_id": ("trace", "tc"),
        "job_id": ("score", "job"),
    }
    text = row.cells.get(column.key)
    if column.key not in known or not isinstance(text, str):
        return inner
    page, name = known[column.key]
    href = escape(state.link(page, **{name: text}))
    return f'<a href="{href}" data-go="{page}" target="_self">{inner}</a>'


def _date_cell(content: Cell, _claims: Cells, _kind: str) -> str:
    return cite.day(content) if content else ""


def _symbol_cell(content: Cell, _claims: Cells, _kind: str) -> str:
    return cite.tag("code", words(content)) if isinstance(content, str | Text) else ""


def _prose_cell(content: Cell, claims: Cells, _kind: str) -> str:
    if content is None or isinstance(content, Claim | Missing):
        return ""
    return cite.prose(words(content), claims)


def _opens_cell(content: Cell, _claims: Cells, _kind: str) -> str:
    """What leads to the id's page; the id itself is no reader's word."""
    return escape(t("shelf_open")) if content else ""


_CONTENTS: Mapping[str, Callable[[Cell, Cells, str], str]] = {
    "figure": _figure_cell,
    "text": _text_cell,
    "date": _date_cell,
    "symbol": _symbol_cell,
    "prose": _prose_cell,
    "opens": _opens_cell,
}

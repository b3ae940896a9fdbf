"""The industries of a market as tiles: size is market value, colour a median, a click a screen.

Tiles are HTML and their figures are cited like any other, so that a keyboard reaches them.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from pages.ui import blocks, cite, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import t
from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.members import UNCLASSIFIED
from services.views.table import (
    Cell,
    TableRow,
)
from services.views.treemap import Rect, squarify
from services.views.view import OverviewView

# The figure of the colour → where its five steps end; cheap is blue, dear is ochre. A change has
# the colours of a rise and of a fall instead, and none between them.
_STEPS: Mapping[str, tuple[float, float, float, float]] = {
    "pe_ttm_median": (15, 30, 50, 80),
    "pe_lyr_median": (15, 30, 50, 80),
    "pb_median": (1.5, 2.5, 4, 6),
    "pct_change_median": (-2, -0.5, 0.5, 2),
}
_MOVES = "pct_change_median"
_SIZE = "market_cap_sum"
# With fewer than so many valued a total is not that of the industry.
_MOST_OF_THEM = 0.9
# From here on letters are as wide as they are high; a figure in a tile is so many heights wide.
_LATIN, _FIGURE = 0x2E80, 2.6
# Where the longest words of industries may be divided: Telecommuni-cations.
_LONG = re.compile(r"(?<=\w{5})(?=(?:cations|ceuticals|merates|turing)\b)")
# The tiles are laid out for so many pixels and then take what room there is; on a phone otherwise,
# or they would be slits there.
_WHOLE, _PHONE = Rect(0, 0, 856, 520), Rect(0, 0, 366, 760)


def chosen() -> str:
    """The figure whose median colours the tiles."""
    options = tuple(_STEPS)
    state.bind("heat", options[0], valid=options.__contains__)
    choose_one(t("heat"), options, lambda metric: t(f"heat_{metric}"), "w_heat")
    return state.session().remembered["heat"]


def whole(view: OverviewView, metric: str, *, unranked: bool) -> str:
    """The tiles, what their colours mean and, `unranked`, who is not among them; a line where
    nobody is.
    """
    rows = [row for row in view.industries.rows if _value(row.cells.get(_SIZE)) > 0]
    if not rows:
        return f'<p class="yj-mute">{escape(t("heat_empty"))}</p>'
    return _tiles(rows, metric) + _scale(view, metric) + _outside(view, metric, unranked=unranked)


def _tiles(rows: Sequence[TableRow], metric: str) -> str:
    """Every industry with a market value, the one the source does not name last."""
    sizes = [_value(row.cells[_SIZE]) for row in rows]
    places = zip(squarify(sizes, _WHOLE), squarify(sizes, _PHONE), strict=True)
    inner = "".join(
        _tile(row, f"{_placed(desk, _WHOLE)};{_placed(phone, _PHONE, 'p')}", metric)
        for row, (desk, phone) in zip(rows, places, strict=True)
    )
    return (
        f'<div class="yj-heat{_palette(metric)}" data-group="heat" role="group" '
        f'aria-label="{escape(t("heat_title"))}">{inner}</div>'
    )


def _palette(metric: str) -> str:
    return " yj-moves" if metric == _MOVES else ""


def _value(cell: Cell) -> float:
    return cell.value if isinstance(cell, Claim) else 0.0


def _is_of_few(row: TableRow, metric: str) -> bool:
    """Whether the colour is that of under half of the industry's companies."""
    moved, every = (_value(row.cells.get(name)) for name in ("judged_pct", "company_count"))
    return metric == _MOVES and 0 < 2 * moved < every


def _placed(rect: Rect, whole: Rect, of: str = "") -> str:
    """Where a tile is of the whole, as the variables that home.css reads."""
    return (
        f"--{of}x:{rect.x / whole.width:.3%};--{of}y:{rect.y / whole.height:.3%};"
        f"--{of}w:{rect.width / whole.width:.3%};--{of}h:{rect.height / whole.height:.3%}"
    )


def _tile(row: TableRow, place: str, metric: str) -> str:
    name, median = blocks.words(_text(row.cells["name"])), row.cells.get(metric)
    unnamed = row.symbol is None or row.symbol.endswith(f":{UNCLASSIFIED}")
    step = 0 if unnamed else _step(median, metric)
    called = t("heat_unnamed") if unnamed else _LONG.sub("\u00ad", name)
    shown = escape(called)
    if not unnamed and row.symbol:
        href = escape(state.link("screen", industry=row.symbol.partition(":")[2]))
        shown = f'<a href="{href}" data-go="screen" target="_self">{shown}</a>'
    counted = "judged_pct" if metric == _MOVES else "judged_market_cap"
    judged, every = row.cells.get(counted), row.cells.get("company_count")
    size = row.cells[_SIZE]
    figures = f"<b>{_figure(median)}</b>" if not unnamed else ""
    # Where room is short the count gives way, but not where many of them are missing.
    short = _value(judged) < _MOST_OF_THEM * _value(every)
    style = "" if short and metric != _MOVES else ' class="yj-t3"'
    judged_by = f"<span{style}>{cite.share_of(judged, every)} · </span>" if _value(judged) else ""
    small = f"<small>{judged_by}{_figure(size)}</small>"
    word = _widest_word(called)
    few = " yj-few" if step and _is_of_few(row, metric) else ""
    named = f'<small class="yj-named">{cite.tag("label", _text(row.cells["largest"]))}</small>'
    return (
        f'<div class="yj-tile yj-heat-{step}{few}" style="--n:{word:.1f};{place}" '
        f'title="{escape(name)}"><div><p>'
        f'<span data-nocite="label">{shown}</span> {figures}</p>{small}{named}</div></div>'
    )


def _widest_word(name: str) -> float:
    """How wide its longest word is, in heights of its letters: a tile too narrow for it is written
    in smaller letters, or not at all, before a word is broken. Chinese breaks anywhere.
    """
    wide = [
        2.0 if ord(word[0]) > _LATIN else 0.57 * len(word) for word in re.split("[\\s\u00ad]", name)
    ]
    return max(_FIGURE, *wide)


def _text(cell: Cell) -> str:
    return blocks.words(cell) if not isinstance(cell, Claim) else ""  # pyright: ignore[reportArgumentType]


def _figure(cell: Cell) -> str:
    if not isinstance(cell, Claim):
        return ""
    return cite.figure(cell, "prose" if cell.unit == "count" else "short")


def _step(median: Cell, metric: str) -> int:
    if not isinstance(median, Claim):
        return 0
    return 1 + sum(median.value >= bound for bound in _STEPS[metric])


def _scale(view: OverviewView, metric: str) -> str:
    """What the colours mean, and which days the figures of the tiles are of."""
    unit, between = ("%", " … ") if metric == _MOVES else ("", "–")
    bounds = [f"{bound:g}".replace("-", "−") for bound in _STEPS[metric]]
    words = [
        f"&lt;{bounds[0]}{unit}",
        *(f"{low}{between}{high}{unit}" for low, high in pairwise(bounds)),
        f"≥{bounds[-1]}{unit}",
    ]
    items = [f'<i class="yj-heat-{at}"></i>{word}' for at, word in enumerate(words, 1)]
    if any(_is_of_few(row, metric) for row in view.industries.rows):
        items.append(f'<i class="yj-few"></i>{escape(t("heat_few"))}')
    none = "heat_none_moved" if metric == _MOVES else "heat_none"
    items.append(f'<i class="yj-heat-0"></i>{escape(t(none))}')
    inner = "".join(f"<span>{item}</span>" for item in items)
    name = escape(blocks.words(metric_words(metric)))
    return (
        f'<p class="yj-scale"><b data-nocite="label">{name}</b>'
        f'<span class="yj-steps{_palette(metric)}" data-nocite="label">{inner}</span>'
        f"{_days(view, metric)}</p>"
    )


def _days(view: OverviewView, metric: str) -> str:
    """The day of the tiles' figures; of live ones, which need not be of one day, each."""
    cells = (row.cells.get(name) for row in view.industries.rows for name in (metric, _SIZE))
    days = sorted({cell.as_of for cell in cells if isinstance(cell, Claim)})
    return " ".join(map(cite.day, days))


def _outside(view: OverviewView, metric: str, *, unranked: bool) -> str:
    """Who is not among the tiles, for want of a market value: how many, and the largest by name;
    and who has no part in the colours.
    """
    notes = (
        *([view.largest.note] if unranked else []),
        *([view.industries.note] if metric == _MOVES else []),
    )
    return "".join(
        f'<p class="yj-mute">{cite.prose(blocks.words(one), view.claims)}</p>'
        for one in notes
        if one
    )

"""Parts of 总览: the strip of indexes, what moved lately, and the way into the guided tour."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from html import escape

import streamlit as st

from pages.market import moves
from pages.ui import basis, blocks, cite, keeping, resources, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import say, t
from services.core.claims import Claim, Figure
from services.core.text import NO_TEXT
from services.market.history import PriceHistory
from services.views.view import EventLine, IndexCard, MarketCard, OverviewView, Stat

# So many moves; more where no watchlist stands above them.
_SHOWN, _SHOWN_ALONE = 14, 18
# So many of the largest companies, and what is told of them.
_LARGEST, _OF_LARGEST = 5, frozenset({"market_cap", "pettm", "pb"})


def view() -> OverviewView:
    """The markets; in the snapshot, where nothing changes, those this session has seen already."""
    mine = state.session().session_id
    return keeping.last_seen(OverviewView, "", lambda: resources.desk().overview(mine))


def basis_parts(shown: OverviewView) -> tuple[basis.BasisPart, ...]:
    """The newest day of each market's prices, and the day of the multiples."""
    days = {card.symbol: _day(card.quote.price) for card in shown.indexes}
    known = [day for day in days.values() if day]
    newest = max(known, default=None)
    state.session().newest = newest
    parts = [
        basis.day_part(t(f"basis_{symbol}"), day, newest=day if _recent(day, newest) else newest)
        for symbol, day in days.items()
        if day and newest
    ]
    valued = next((card.day for card in shown.markets if card.day), None)
    if valued and newest:
        parts.append(basis.day_part(t("basis_valued"), valued, newest=newest))
    return tuple(parts)


def _day(figure: Figure) -> date | None:
    return figure.as_of if isinstance(figure, Claim) else None


def _recent(day: date, newest: date | None) -> bool:
    """Whether a market's last session is of the same days as the newest: holidays differ."""
    return newest is not None and (newest - day).days <= 7


def strip(shown: OverviewView) -> str:
    """The indexes, and what the market as a whole is worth and costs."""
    newest = state.session().newest
    cells = [_index(card, newest) for card in shown.indexes]
    whole = next((card for card in shown.markets if card.market == "CN"), None)
    if whole is not None:
        wanted = {"pe_ttm_median", "pb_median", "market_cap_sum"}
        cells += [_stat(stat, whole) for stat in whole.stats if stat.figure.metric in wanted]
    return f'<div class="yj-strip">{"".join(cells)}</div>'


def _index(card: IndexCard, newest: date | None) -> str:
    day = _day(card.quote.price)
    old = day is not None and newest is not None and not _recent(day, newest)
    name = blocks.stock_link(card.symbol, cite.tag("label", say(card.name)), "company")
    told = cite.tag("code", card.symbol) + (f" {cite.day(day)}" if day and not old else "")
    steps = (card.quote.pct_change,) if old else (card.quote.change, card.quote.pct_change)
    moved = " ".join(cite.figure(one, "cell") for one in steps)
    return (
        f'<section class="yj-ix{" yj-past" if old else ""}"><div><p class="yj-lab"><b>{name}</b> '
        f'{told}</p><p><span class="yj-big">{cite.figure(card.quote.price, "cell", old=old)}</span>'
        f'<span class="yj-moved">{moved}</span></p></div>'
        f"{_spark_told(card, old=old)}</section>"
    )


def _stat(stat: Stat, card: MarketCard) -> str:
    """A figure of the market; a sum with how many of its companies it is of."""
    told = cite.day(card.day) if card.day else ""
    known = {one.figure.metric: one.figure for one in card.stats}
    of = ""
    if stat.figure.metric == "market_cap_sum":
        of = cite.share_of(known.get("judged_market_cap"), known.get("company_count"))
    return (
        f'<section class="yj-ix"><div><p class="yj-lab"><b data-nocite="label">'
        f"{escape(t('a_shares'))}{escape(blocks.words(stat.label))}</b> {of}</p>"
        f'<p><span class="yj-big">{cite.figure(stat.figure, "cell")}</span>{told}</p></div>'
        "</section>"
    )


def _spark_told(card: IndexCard, *, old: bool) -> str:
    """The picture over the time it is of, which is not that of the change beside it."""
    picture = spark(card.history, say(card.name), old=old)
    told = escape(t("spark_span"))
    return f'<div class="yj-sparked">{picture}<small>{told}</small></div>' if picture else ""


def spark(history: PriceHistory | None, name: str, *, old: bool = False) -> str:
    """The closes of a history as a small picture; nothing where there are fewer than two."""
    if history is None or len(history.bars) < 2:
        return ""
    closes = [bar.close for bar in history.bars]
    low, high = min(closes), max(closes)
    span, step = (high - low) or 1.0, 66 / (len(closes) - 1)
    points = " ".join(
        f"{at * step:.1f},{30 - (close - low) / span * 28:.1f}" for at, close in enumerate(closes)
    )
    colour = "#8795a3" if old else _colour(rising=closes[-1] >= closes[0])
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 66 32">'
        f'<polygon points="0,32 {points} 66,32" fill="{colour}" opacity="0.12"/>'
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.3"/></svg>'
    )
    call, bars = history.call, history.bars
    alt = f"{name} {t('sparkline')} {bars[0].date} … {bars[-1].date}"
    return (
        f'<img class="yj-spark" width="66" height="32" alt="{escape(alt)}" '
        f'data-src="{escape(call.source)}" data-table="{escape(call.table)}" '
        f'data-tc="{call.tool_call_id}" '
        f'src="data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}">'
    )


def _colour(*, rising: bool) -> str:
    """Red or green as the reader has set them; a picture knows no styles of the page."""
    red_up = state.colours() == "red_up"
    return "#d2454a" if rising == red_up else "#1d8a5c"


def events(shown: OverviewView, *, alone: bool) -> str:
    """What moved lately: a company's moves of a week are one row, the greatest of them; `alone`
    without a watchlist above.
    """
    ways = {"rise": "涨", "fall": "跌"}
    wanted = state.session().remembered.get("moves", "all")
    lines = [one for one in shown.events if wanted == "all" or one.event.result == ways[wanted]]
    folded: dict[tuple[str, int, int], list[EventLine]] = {}
    for line in lines:
        year, week, _ = line.event.end.isocalendar()
        folded.setdefault((line.event.symbol, year, week), []).append(line)
    most = _SHOWN_ALONE if alone else _SHOWN
    rows = "".join(_event(group) for group in list(folded.values())[:most])
    heads = "".join(
        f'<th scope="col"{kind}>{escape(t(key))}</th>'
        for key, kind in (
            ("market_moves_day", ""),
            ("market_moves_company", ""),
            ("market_moves_change", ' class="yj-num"'),
            ("market_moves_trigger", ""),
            ("market_moves_cause", ""),
        )
    )
    body = rows or f'<tr><td colspan="5" class="yj-mute">{escape(t("market_moves_none"))}</td></tr>'
    table = blocks.framed(t("moves"), f"<tr>{heads}</tr>", body, key="events", style="yj-flat")
    unjudged = say(shown.events_table.note)
    note = cite.tag("provenance", unjudged) if unjudged else ""
    return f'{table}<p class="yj-unjudged">{note}</p>' if note else table


def _event(group: Sequence[EventLine]) -> str:
    found = [moves.move_of(one.event) for one in group]
    line, move = max(
        zip(group, found, strict=True), key=lambda pair: abs(pair[1].value) if pair[1] else 0.0
    )
    event = line.event
    href = escape(state.link("company", symbol=event.symbol, event=event.end.isoformat()))
    name = cite.tag("label", say(line.name))
    times = t("market_moves_times", count=str(len(group))) if len(group) > 1 else ""
    more = f"<small>{cite.tag('provenance', times)}</small>" if times else ""
    return (
        f"<tr><td>{cite.day(event.end)}</td>"
        f'<th scope="row"><a href="{href}" data-go="company" target="_self">{name}</a>{more}</th>'
        f'<td class="yj-num">{cite.figure(move, "cell")}</td>'
        f"<td>{moves.trigger_line(event)}</td>"
        f'<td class="yj-mute">{escape(moves.cause_words(event))}</td></tr>'
    )


def largest(shown: OverviewView) -> str:
    """The largest companies, to begin with where none is watched yet."""
    table = shown.largest
    kept = tuple(
        one
        for one in table.columns
        if (one.key in _OF_LARGEST if one.kind == "figure" else one.key != "industry")
    )
    rows = table.rows[:_LARGEST]
    if not rows:
        return ""
    part = replace(table, columns=kept, rows=rows, note=NO_TEXT)
    note = cite.prose(blocks.words(table.note), shown.claims) if table.note else ""
    return (
        f'<div class="yj-sect yj-under"><h2>{escape(say(table.title))}</h2>'
        f"<small>{note}</small></div>"
        f'<div class="yj-largest">{blocks.table(part, shown.claims)}</div>'
    )


def which_moves() -> None:
    """All moves, rises or falls."""
    options = ("all", "rise", "fall")
    state.bind("moves", "all", valid=options.__contains__)
    choose_one(t("moves"), options, lambda one: t(f"market_moves_{one}"), "w_moves")


def as_table(shown: OverviewView) -> None:
    """Every figure of the tiles as a table, drawn when asked for."""
    wanted = state.bind("table", "0", valid={"0", "1"}.__contains__, widget=False)
    on = st.toggle(t("home_table"), value=wanted == "1", key="w_table_shown")
    state.keep("table", "1" if on else "0", "0")
    if on:
        blocks.draw(blocks.table(shown.industries, shown.claims, tall=True))

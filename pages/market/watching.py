"""A watchlist as it is drawn: on 总览 in short, on 自选 with the day of adding and the note."""

from collections.abc import Callable
from dataclasses import replace
from html import escape

from pages.market import alerting, home
from pages.market.moves import move_of, trigger_line
from pages.ui import blocks, cite, frame, keeping, resources, state
from pages.ui.i18n import say, t
from pages.ui.texts import TEXTS
from services.core.day_words import tell_day
from services.views.table import told_days
from services.views.watch import SINCE, WatchEntry, WatchView

_SHORT = 8
_METRICS = {"watch_move": "pct_change", "watch_multiple": "pe_ttm"}


def lists() -> tuple[str, ...]:
    """The names of the lists there are."""
    return resources.services().watchlists.names()


def chosen() -> str:
    """The list this session looks at: the one of the address or seen last, else the first; empty
    where there is none.
    """
    names = lists()
    if not names:
        return ""
    return state.bind("list", names[0], valid=names.__contains__)


def view_of(name: str) -> WatchView:
    """The list; in the snapshot, where nothing changes, as this session saw it last."""
    mine, held = state.session().session_id, resources.services().watchlists.of(name)
    asked = (name, repr(held))
    return keeping.last_seen(WatchView, asked, lambda: resources.desk().watchlist(name, mine))


def block() -> bool:
    """The list on the first page, with the way to all of it; without one how to come to one.
    Whether there is one.
    """
    names = lists()
    kept = state.session().remembered.get("list", "")
    name = kept if kept in names else next(iter(names), "")
    view = view_of(name) if name else None
    if view is None or not view.entries:
        with frame.section(t("watch_default")):
            blocks.draw(f'<p class="yj-mute">{escape(t("watch_none"))}</p>')
        return False
    cite.stand_on(view)
    href = escape(state.link("watch"))
    count = cite.tag("provenance", t("watch_count", count=str(len(view.entries))))
    blocks.draw(
        f'<div class="yj-sect"><h2>{cite.tag("user", name_list(name))}</h2><small>{count}</small>'
        f'{alerting.badge()}<a class="yj-sect-go" href="{href}" data-go="watch" target="_self">'
        f"{escape(t('watch_all'))} →</a></div>",
        table(view, short=True),
        cite.workings(view.claims),
    )
    return True


def table(view: WatchView, *, short: bool = False) -> str:
    """The companies in the order of adding; the first few, without day and note, in short."""
    heads: list[tuple[str, str]] = [
        ("watch_company", ""), ("watch_price", "yj-num"), ("watch_move", "yj-num"),
        ("watch_spark", ""), ("watch_since", "yj-num"), ("watch_multiple", "yj-num"),
        ("watch_events", ""),
    ]  # fmt: skip
    if short:
        del heads[5]
    else:
        heads += [("watch_added", ""), ("watch_note", "")]
    head = "".join(
        f'<th scope="col"{f" class={style}" if style else ""}>{_head(key, view)}</th>'
        for key, style in heads
    )
    shown = view.entries[:_SHORT] if short else view.entries
    told = view.table()
    columns = [one for one in told.columns if not short or one.key != _METRICS["watch_multiple"]]
    body = "".join(_row(one, [key for key, _ in heads]) for one in shown)
    table = blocks.framed(t("page_watch"), f"<tr>{head}</tr>", body, key="watch", style="yj-flat")
    days = told_days(replace(told, columns=tuple(columns)), state.language(), view.claims)
    below = f'<span data-nocite="provenance">{cite.marked(days)}</span>'
    return f'{table}<p class="yj-mute yj-days">{below}</p>'


def name_list(name: str) -> str:
    """A list's own name; the one it was given here is told in the language of the page."""
    given = TEXTS["watch_default"]
    return t("watch_default") if name in {given.zh, given.en} else name


def _head(key: str, view: WatchView) -> str:
    """A head in the words of its figures; of what is no figure in those of the page."""
    if key == "watch_price":
        return cite.tag("label", say(view.price_words))
    metric = _METRICS.get(key)
    return escape(cite.metric_label(metric) if metric else t(key))


def _row(one: WatchEntry, keys: list[str]) -> str:
    cells = "".join(_CELLS[key](one) for key in keys[1:])
    symbol = one.watched.symbol
    told = cite.tag("label", blocks.name_beside(one.name, symbol))
    name = blocks.stock_link(symbol, told, "company")
    return f'<tr><th scope="row">{name}<small>{cite.tag("code", symbol)}</small></th>{cells}</tr>'


def _figure(key: str) -> Callable[[WatchEntry], str]:
    return lambda one: f'<td class="yj-num">{cite.figure(one.figures[key], "cell")}</td>'


def _spark(one: WatchEntry) -> str:
    return f"<td>{home.spark(one.history, say(one.name))}</td>"


def _events(one: WatchEntry) -> str:
    """The newest move not seen yet, as a link to its day on the chart."""
    if one.unasked is not None:
        why = cite.tag("provenance", say(one.unasked))
        return f'<td class="yj-wrap yj-doubt">{escape(t("watch_unasked"))} {why}</td>'
    if not one.events:
        told = t("watch_no_events" if one.history else "watch_no_bars")
        return f'<td class="yj-mute">{escape(told)}{_unjudged(one)}</td>'
    event = one.events[0]
    day = event.end.isoformat()
    href = escape(state.link("company", symbol=one.watched.symbol, event=day))
    brief, rises = tell_day(event.end, state.language(), year=False), event.is_rise
    words = f"{'▲' if rises else '▼'} {trigger_line(event)}"
    move = move_of(event)
    told = f" {cite.figure(move, 'cell')}" if move is not None else ""
    others = t("watch_more", count=str(len(one.events) - 1)) if len(one.events) > 1 else ""
    more = f" <small>{cite.tag('provenance', others)}</small>" if others else ""
    return (
        f'<td><a class="yj-chip yj-{"rise" if rises else "fall"}" href="{href}" '
        f'data-go="company" target="_self">{words} '
        f'<time datetime="{day}">{brief}</time></a>{told}{more}{_unjudged(one)}</td>'
    )


def _unjudged(one: WatchEntry) -> str:
    brief = say(one.unjudged.brief)
    return f" <small>{cite.tag('provenance', brief)}</small>" if brief else ""


def _say_added(one: WatchEntry) -> str:
    return f"<td>{cite.day(one.watched.added_on)}</td>"


def _note(one: WatchEntry) -> str:
    return f'<td class="yj-wrap">{cite.tag("user", one.watched.note)}</td>'


_CELLS: dict[str, Callable[[WatchEntry], str]] = {
    "watch_price": _figure("price"),
    "watch_move": _figure("pct_change"),
    "watch_spark": _spark,
    "watch_since": _figure(SINCE),
    "watch_multiple": _figure("pe_ttm"),
    "watch_events": _events,
    "watch_added": _say_added,
    "watch_note": _note,
}

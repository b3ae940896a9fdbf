"""How the process and the store are doing, as tables of bookkeeping."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

import streamlit as st

from pages.ui import blocks, cite, errors, resources
from pages.ui.i18n import say, t
from services.core.clock import BEIJING
from services.sight import SeenPiece
from services.views.status import StatusView, name_words, outcome_words
from services.views.view import SourceState

_MB = 2**20


def draw(view: StatusView) -> None:
    """Everything of it, in the order an admin asks."""
    since = _moment(view.since) if view.since else _told(t("health_none"))
    blocks.draw(
        section("health_now", ("health_what", "health_value"), _now(view)),
        section("health_sources", _SOURCE_HEADS, [_source(one) for one in view.sources]),
        section(
            "health_slowest",
            _PIECE_HEADS,
            [_piece(one) for one in view.slowest],
            sub=f"{escape(t('health_since'))} {since}",
        ),
        section("health_courses", _COURSE_HEADS, _courses(view)),
        section("health_errors", _PIECE_HEADS, [_piece(one) for one in view.errors]),
    )


def schedules(view: StatusView) -> None:
    """Everybody's scheduled reports, each with the button that ends it."""
    if not view.schedules:
        return
    blocks.draw(blocks.heading(t("schedule_title")))
    for one in view.schedules:
        wanted = one.wanted
        with st.container(horizontal=True, vertical_alignment="center"):
            blocks.draw(
                f'<p class="yj-small">{cite.tag("user", wanted.who.name)} '
                f"{cite.tag('code', wanted.symbol)} {escape(t(f'schedule_{wanted.every}'))}</p>"
            )
            st.button(
                t("schedule_remove"),
                key=f"w_end_{one.schedule_id}",
                type="tertiary",
                on_click=errors.clicked(resources.desk().end_schedule),
                args=(one.schedule_id,),
            )


def section(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    sub: str = "",
    none: str = "health_none",
) -> str:
    """A titled table: rows of HTML cells, `sub` HTML; all else are keys of texts, `none` what is
    said without rows.
    """
    top = blocks.heading(t(title), sub)
    if not rows:
        return f'{top}<p class="yj-mute">{escape(t(none))}</p>'
    sides = [' class="yj-num"' if one in _NUMBERS else "" for one in heads]
    head = _cells("th scope='col'", [escape(t(one)) for one in heads], sides)
    body = "".join(f"<tr>{_cells('td', row, sides)}</tr>" for row in rows)
    return top + blocks.framed(t(title), f"<tr>{head}</tr>", body, key=title)


def _cells(tag: str, row: Sequence[str], sides: Sequence[str]) -> str:
    end = tag.split()[0]
    told = zip(row, sides, strict=True)
    return "".join(f"<{tag}{side}>{inner}</{end}>" for inner, side in told)


_SOURCE_HEADS = (
    *("health_source", "health_calls", "health_failures", "health_answered", "health_failed_at"),
    "health_last_error",
)
_PIECE_HEADS = ("health_at", "health_piece", "health_name", "health_took", "health_outcome")
_COURSE_HEADS = (
    *("health_piece", "health_name", "health_count", "health_median", "health_longest"),
    "health_failures",
)


_NUMBERS = frozenset(
    {"health_calls", "health_failures", "health_took", "health_count", "health_median",
     "health_longest"}
)  # fmt: skip


def _now(view: StatusView) -> list[tuple[str, str]]:
    jobs = view.jobs
    rows = [
        ("health_sessions", f"{view.sessions}"),
        ("health_running", f"{jobs.running}"),
        ("health_waiting", f"{jobs.waiting}"),
    ]
    if jobs.workers is not None:
        rows.append(("health_workers", f"{jobs.workers}"))
    rows += [(f"jobended_{name}", f"{count}") for name, count in view.store.ended.items()]
    told = [(_told(t(key)), _told(value)) for key, value in rows]
    asked = f"{view.first_asked_at.astimezone(BEIJING):%m-%d %H:%M}"
    for name, size in view.store.sizes.items():
        grown = t("health_grown", size=f"{view.grown[name] / _MB:+.1f}", since=asked)
        told.append((escape(t(f"bytes_{name}")), _told(f"{size / _MB:.1f} MB · {grown}")))
    counts = [(escape(t(f"stored_{name}")), _told(f"{n}")) for name, n in view.store.rows.items()]
    return told + counts


def _source(one: SourceState) -> tuple[str, ...]:
    error = say(one.last_error.words) if one.last_error else ""
    return (
        cite.tag("label", say(one.name)),
        _told(f"{one.calls}"),
        _told(f"{one.failures}"),
        _moment(one.last_success_at),
        _moment(one.last_error_at),
        cite.tag("text", error),
    )


def _piece(one: SeenPiece) -> tuple[str, ...]:
    told = outcome_words(one.outcome)
    outcome = cite.tag("code", one.outcome) if told is None else escape(say(told))
    return (
        _moment(one.at),
        escape(t(f"piece_{one.piece}")),
        _name(one.piece, one.name),
        _told(f"{one.seconds:.2f} s"),
        outcome,
    )


def _name(piece: str, name: str) -> str:
    """A page by its title, the others as a reader calls them; a tool has its own name only."""
    if piece == "page":
        return cite.tag("code", t(f"page_{name}"))
    told = name_words(piece, name)
    return cite.tag("code", name if told is None else say(told))


def _courses(view: StatusView) -> list[tuple[str, ...]]:
    return [
        (
            escape(t(f"piece_{one.piece}")),
            _name(one.piece, one.name),
            _told(f"{one.count}"),
            _told(f"{one.median_s:.2f} s"),
            _told(f"{one.longest_s:.2f} s"),
            _told(f"{one.failed}"),
        )
        for one in view.courses
    ]


def _moment(at: datetime | None) -> str:
    return _told("") if at is None else _told(f"{at.astimezone(BEIJING):%m-%d %H:%M:%S}")


def _told(text: str) -> str:
    return cite.tag("provenance", text)

"""A conversation on the page: each question, what was understood, its answer with every figure
cited, and what may be asked next.
"""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

import streamlit as st

from pages.ask import answer_chart, chips, plan
from pages.ask import questions as asks
from pages.ask.ask_texts import said
from pages.evidence import deep_analysis_button
from pages.ui import (
    basis,
    blocks,
    cite,
    exporting,
    frame,
    outside,
    printing,
    resources,
    sharing,
    state,
)
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.claims import Claim
from services.core.rendering import PLACE
from services.core.symbols import Symbol
from services.exports.csv import table_csv
from services.exports.formats import FORMATS, file_name
from services.exports.papers import paper_of
from services.exports.view_files import view_markdown
from services.views.ask_view import ConversationView, TurnView

# Up to so many figures a sentence is read for its figures, and they are set large.
_FEW = 4
_NARROW = 4
_ROWS_SHORT = 14
# An answer has one table or none: its CSV is offered as it is.
_TABLES = "zip"


def thread(view: ConversationView) -> None:
    """Every turn, oldest first; only the newest offers what may be asked next."""
    for turn in view.turns:
        with st.container(key=f"yj_turn_{turn.number}"):
            cite.stand_on(turn)
            _turn(view, turn, newest=turn is view.turns[-1])


def offered(texts: Sequence[str], name: str, icon: str | None = None) -> None:
    """Questions that are asked with a click."""
    with st.container(horizontal=True, gap="small", key=f"yj_chips_{name}"):
        for at, text in enumerate(texts):
            st.button(
                outside.escape_label(text),
                key=f"w_{name}_{at}",
                icon=icon,
                on_click=asks.want,
                args=(asks.mark(f"{name}:{at}"), text),
            )


def _turn(view: ConversationView, turn: TurnView, *, newest: bool) -> None:
    fresh = f' data-fresh="{escape(view.conversation)}:{turn.number}"' if newest else ""
    blocks.draw(_question(turn, fresh, numbered=len(view.turns) > 1))
    if turn.chips and newest:
        chips.row(turn)
    elif turn.plan is not None:
        plan.line(turn)
    if words := chips.words(turn):
        blocks.draw(words)
    _STATES[turn.state](turn, newest)


def _question(turn: TurnView, fresh: str, *, numbered: bool) -> str:
    chips = "".join(
        f'<a class="yj-chip" href="#turn-{number}" data-nocite="label">'
        f"{escape(t('ask_went_on', number=str(number)))}</a>"
        for number in turn.refs
    )
    # A single question needs no number.
    number = f'<span class="yj-no" data-nocite="label">{turn.number}</span>' if numbered else ""
    return (
        f'<div class="yj-turn" id="turn-{turn.number}"{fresh}>'
        f"<h2>{number}{cite.tag('user', turn.question)}</h2>{chips}</div>"
    )


def _draw_answer(turn: TurnView, newest: bool) -> None:  # noqa: FBT001
    if not turn.holds:
        blocks.draw(f'<p class="yj-mute">{blocks.chip(t("verified_bad"), "bad")}</p>')
    frame.standing()
    blocks.draw(basis.line(basis.of_claims(_told(turn))), _sentences(turn))
    _figures(turn)
    if turn.items:
        blocks.draw(outside.quotes(turn.items))
    blocks.draw(_notes(turn))
    if newest and turn.failed:
        _again(turn)
    _actions(turn)
    if newest and turn.suggestions:
        blocks.draw(f'<p class="yj-mute">{escape(t("ask_next"))}</p>')
        offered(turn.suggestions, f"more_{turn.number}")


def _told(turn: TurnView) -> dict[str, Claim]:
    """The figures of the answer itself, without what they are made of."""
    rows = turn.table.rows if turn.table is not None else ()
    cells = [cell for row in rows for cell in row.cells.values()]
    placed = [turn.claims[one[1]] for one in PLACE.finditer(turn.template)]
    return {one.claim_id: one for one in (*placed, *cells) if isinstance(one, Claim)}


def _sentences(turn: TurnView) -> str:
    lines = [line for line in turn.template.split("\n") if line.strip()]
    few = len(PLACE.findall(turn.template)) <= _FEW
    told = "".join(
        f"<p>{cite.prose(line, turn.claims, language=turn.language, labels=turn.labels)}</p>"
        for line in lines
    )
    return f'<div class="yj-answer{" yj-big" if few else ""}">{told}</div>'


def _notes(turn: TurnView) -> str:
    items = "".join(
        f"<li>{cite.prose(blocks.words(note), turn.claims, language=turn.language)}</li>"
        for note in turn.notes
    )
    if not items:
        return ""
    mark = f'<span class="yj-chip yj-warn">{escape(said("care"))}</span>'
    listed = f'<ul class="yj-notes">{items}</ul>'
    return f'<div class="yj-care" data-nocite="provenance">{mark}{listed}</div>'


def _figures(turn: TurnView) -> None:
    """The table, with a chart beside it or above where it is worth one."""
    if turn.table is None:
        return
    shown = blocks.table(turn.table, turn.claims, tall=len(turn.table.rows) > _ROWS_SHORT)
    figures = [column for column in turn.table.columns if column.kind == "figure"]
    beside = len(figures) <= _NARROW
    if turn.chart is None:
        blocks.draw(f'<div class="yj-few">{shown}</div>' if beside else shown)
        return
    left, right = st.columns([590, 506], gap="medium") if beside else (st.container(),) * 2
    if beside or turn.chart.kind == "companies":  # a list is read before it is looked at
        with left:
            blocks.draw(shown)
        with right:
            _chart(turn)
    else:
        with left:
            _chart(turn)
            blocks.draw(shown)


def _chart(turn: TurnView) -> None:
    assert turn.chart is not None  # noqa: S101 — _figures draws none without one
    series = turn.chart.series
    at = 0
    if turn.chart.kind == "companies" and len(series) > 1:
        at = st.segmented_control(
            t("financials_metric"),
            range(len(series)),
            format_func=lambda place: outside.escape_label(blocks.undated(series[place].name)),
            default=0,
            required=True,
            key=f"w_chart_{turn.number}",
            label_visibility="collapsed",
        )
    st.plotly_chart(
        answer_chart.figure(turn.chart, at, {one.symbol for one in turn.companies}),
        config=answer_chart.CONFIG,
        key=f"yj_answer_chart_{turn.number}_{at}",
        alt=t("ask_chart", question=turn.question),
    )


def _actions(turn: TurnView) -> None:
    """The page this is, what proves the answer, its files; of a company an analysis."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"yj_do_{turn.number}"
    ):
        if links := _ways(turn):
            st.html(f'<div class="yj yj-ways">{links}</div>', width="content")
        _files(turn)
        if len(turn.companies) == 1:
            company = turn.companies[0].symbol
            deep_analysis_button.draw(
                company, turn.question, key=f"w_analyse_{turn.number}", kind="tertiary"
            )


def _files(turn: TurnView) -> None:
    """Everything an answer can be taken away as."""
    language = state.language()
    with st.popover(
        outside.escape_label(said("export")),
        icon=":material/download:",
        key=f"w_export_{turn.number}",
    ):
        st.html(f'<div class="yj">{_copy(view_markdown(turn, language))}</div>', width="content")
        for one in FORMATS:
            if one.key != _TABLES:
                write = partial(exporting.stamped, one, turn, language)
                _download(turn, one.short, one.ending, one.mime, write)
        for table in turn.tables():
            write = partial(table_csv, table, turn.claims, turn.trace, language)
            _download(turn, "CSV", "csv", "text/csv", write)
            plain = partial(table_csv, table, turn.claims, turn.trace, language, "plain")
            _download(turn, t("csv_plain_short"), "csv", "text/csv", plain, "_plain")
        pack = partial(resources.desk().pack, turn, language)
        _download(turn, t("export_pack_short"), "youju.zip", "application/zip", pack)
        printing.button(turn, f"turn{turn.number}", kind="tertiary")
        if turn.query:
            plan.documents(turn)


def _download(
    turn: TurnView, label: str, kind: str, mime: str, write: Callable[[], bytes], form: str = ""
) -> None:
    """A file that is written when it is asked for; `form` tells two of a kind apart."""
    day = resources.services().clock.now().date()
    st.download_button(
        outside.escape_label(label),
        sharing.noted(turn, kind, write),
        file_name(turn, paper_of(turn, state.language()), day, kind, f"answer_{turn.number}{form}"),
        mime,
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        key=f"w_{kind.replace('.', '_')}{form}_{turn.number}",
    )


def _copy(text: str) -> str:
    """A button that carries what it copies: no rerun is needed."""
    return (
        f'<button type="button" class="yj-copy" data-copy="{escape(text)}" '
        f'data-done="{escape(t("copied"))}" data-failed="{escape(t("copy_failed"))}">'
        f'{escape(t("copy_answer"))}</button><span role="status" class="yj-unseen"></span>'
    )


def _ways(turn: TurnView) -> str:
    """The page the answer is, as the first button; the companies it is about; its proof."""
    links: list[str] = []
    opens = turn.opens
    if opens is not None:
        href = escape(state.link(opens.page, **opens.params))
        links.append(
            f'<a class="yj-primary" href="{href}" data-go="{opens.page}" target="_self">'
            f"{escape(blocks.words(opens.label))}</a>"
        )
    links += [
        blocks.stock_link(one.symbol, cite.tag("label", _name_company(one.symbol)) + " →")
        for one in turn.companies[:_FEW]
        if opens is None or (opens.page != "compare" and opens.params.get("symbol") != one.symbol)
    ]
    if turn.run_id:
        href = escape(state.link("trace", run=turn.run_id))
        links.append(
            f'<a href="{href}" data-go="trace" target="_self">{escape(said("verify"))} →</a>'
        )
    return " ".join(links)


def _put_back(turn: TurnView, newest: bool) -> None:  # noqa: FBT001
    """The question back; its choices are asked with a click while it is the newest."""
    blocks.draw(
        f'<section class="yj-errorcard yj-back" role="status" aria-label="{escape(t("ask_back"))}">'
        f"<p>{cite.tag('user', turn.reason)}</p></section>",
        _notes(turn),
    )
    if not turn.choices:
        return
    if newest:
        offered(turn.choices, f"choice_{turn.number}")
    else:
        said = say(LIST_COMMA).join(turn.choices)
        blocks.draw(f'<p class="yj-mute">{cite.tag("user", said)}</p>')


def _draw_unanswered(turn: TurnView, _newest: bool) -> None:  # noqa: FBT001
    blocks.draw(
        f'<section class="yj-errorcard yj-back" role="status"><h3>{escape(t("ask_no_answer"))}</h3>'
        f"<p>{escape(t('ask_no_answer_why'))}</p></section>"
    )
    _again(turn)


def _again(turn: TurnView) -> None:
    st.button(
        t("ask_again"),
        key=f"w_again_{turn.number}",
        icon=":material/refresh:",
        on_click=asks.want,
        args=(asks.mark(f"again:{turn.number}"), turn.question, turn.number),
    )


_STATES: dict[str, Callable[[TurnView, bool], None]] = {
    "answered": _draw_answer,
    "put_back": _put_back,
    "unanswered": _draw_unanswered,
}


def _name_company(symbol: str) -> str:
    return say(resources.services().names.text(Symbol(symbol)))

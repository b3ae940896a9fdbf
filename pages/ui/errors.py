"""Errors as cards: what was asked, what is valid, what to do next. Never a traceback."""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from uuid import uuid4

import streamlit as st

from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import (
    ConfigError,
    InputError,
    NoDataError,
    NotAllowedError,
    NotVerifiedError,
    ProviderError,
    StoreAwayError,
    StoreError,
    YoujuError,
)
from services.core.symbols import VALID as SYMBOL_FORMS
from services.core.text import Text
from services.market.names.names import UNREACHED
from services.views.argument_words import ARGUMENTS
from services.views.match_words import match_words
from services.views.source_words import failed_words

_LOG = logging.getLogger("youju.pages")
_SYMBOL = re.compile(r"\b\d{6}\.(?:SH|SZ|BJ)\b|\b\d{5}\.HK\b|\b[A-Z]{1,5}(?:\.[A-Z])?\b")


@contextmanager
def frame(page: str = "stock") -> Iterator[None]:
    """Draw the body of a page; a YoujuError becomes a card, anything else a reported fault.

    `page` is where the choices of an ambiguous name lead.
    """
    _tell_not_done(page)
    try:
        with _show_asking():
            yield
    except YoujuError as error:
        _tell(error, page)
    except Exception:  # noqa: BLE001 — the page error frame: reported, never swallowed
        reference = uuid4().hex[:8]
        _LOG.exception("page fault %s", reference)
        _draw(t("fault"), [(t("fault_reference"), cite.tag("code", reference))], fault=True)


def clicked(do: Callable[..., None]) -> Callable[..., None]:
    """The same, to be called by a click: what cannot be or may not be done is told as a card on the
    page, since outside the frame Streamlit would tell it as a fault of its own.
    """

    def done(*given: object, **named: object) -> None:
        try:
            do(*given, **named)
        except YoujuError as error:
            state.session().not_done = error

    return done


def _tell_not_done(page: str) -> None:
    """Why what was clicked was not done; once."""
    mine = state.session()
    if (error := mine.not_done) is not None:
        mine.not_done = None
        _tell(error, page)


def _tell(error: YoujuError, page: str) -> None:
    if isinstance(error, InputError):
        _input_card(error, page)
    else:
        _card(error)


@contextmanager
def _show_asking() -> Iterator[None]:
    """Live, a first answer may take a while: blocks where the page will be, and after a second what
    is going on.
    """
    if state.mode() != "live":
        yield
        return
    place = st.empty()
    place.html(
        f'<div class="yj yj-loading" role="status" aria-busy="true"><p>{escape(t("asking"))}</p>'
        f"{'<i></i>' * 4}</div>"
    )
    try:
        yield
    finally:
        place.empty()


def _input_card(error: InputError, page: str) -> None:
    got = cite.tag("user", error.got.strip("'\""))
    rows = [(t("error_asked"), f"{cite.tag('label', _argument(error.name))}&ensp;{got}")]
    if index := _index(error):
        link = blocks.stock_link(index, escape(t("to_stock")) + " →")
        _draw(t("error_index"), [*rows, (t("error_next"), t("error_index_next") + link)])
        return
    unknown = error.valid.zh.startswith(SYMBOL_FORMS)
    if unknown:
        rows.append((t("error_valid"), cite.tag("user", t("valid_symbol"))))
        rows += _frozen()
        if error.valid.zh.endswith(UNREACHED):
            way = _way("sources", t("error_to_sources"))
            rows.append((t("error_what"), f"{escape(t('list_unreached'))}<br>{way}"))
    # What may be said is no company, though CN is one's code.
    are_words = error.valid.zh == " | ".join(error.choices)
    if not are_words and any(map(_SYMBOL.search, error.choices)):
        choices = "".join(_choice(one, error.got.strip("'\""), page) for one in error.choices)
        title = t("error_near") if unknown else t("error_choices")
        rows.append((title, f'<ul class="yj-found">{choices}</ul>'))
        _draw(t("error_unknown") if unknown else t("error_which"), rows)
        return
    if not unknown:
        valid = t("valid_range") if error.name in SCREEN_FIELDS else say(error.valid)
        if error.name == "category":
            valid = say(LIST_COMMA).join(t(f"market_{one}") for one in error.choices)
        rows.append((t("error_valid"), cite.tag("user", valid)))
    _draw(t("error_unknown") if unknown else t("error_input"), rows)


def _frozen() -> list[tuple[str, str]]:
    """What frozen data hold, as a name that is not in them is no mistake of the reader's."""
    services = resources.services()
    scope = services.manifest.scope if services.settings.frozen else None
    if scope is None or scope.kind == "all":
        return []
    return [(t("mode_frozen"), cite.tag("user", say(Text(scope.zh, scope.en))))]


def _argument(name: str) -> str:
    """An argument by the name its control bears."""
    if name in SCREEN_FIELDS:
        return cite.metric_label(SCREEN_FIELDS[name])
    known = {
        "symbol": "error_symbol",
        "industry": "industry",
        "order_by": "order_by",
        "order": "order",
        "conversation": "error_conversation",
        "job": "error_report",
        "page": "error_page",
        "score": "error_score",
        "symbols": "error_symbols",
        "question": "error_question",
        "text": "error_question",
        "turn": "error_question",
    }
    if name in known:
        return t(known[name])
    return say(ARGUMENTS[name]) if name in ARGUMENTS else t("error_argument")


def _index(error: InputError) -> str:
    """The index asked for where only a company will do; empty for any other error."""
    names = resources.services().names
    text = error.got.strip("'\"")
    if error.choices or "an index" not in error.valid.en:
        return ""
    return names.resolve(text).value


def _choice(text: str, typed: str, page: str) -> str:
    """One that may be meant, as a link, and what of it fits what was typed."""
    found = _SYMBOL.search(text)
    if found is None:
        return f"<li>{cite.tag('label', text)}</li>"
    symbol, names = found.group(), resources.services().names
    match = next((one for one in names.matches(typed) if one.row.symbol == symbol), None)
    return blocks.found_item(symbol, names.text(symbol), match_words(match, typed), page)


def _card(error: YoujuError) -> None:
    if isinstance(error, ProviderError):
        _source_card(error)
        return
    message = _detail(error)
    if isinstance(error, NoDataError | NotAllowedError):
        message = cite.tag("provenance", say(error.why))
    if isinstance(error, NotVerifiedError):
        told = (say(Text.read(one)) for one in error.failures)
        message = "<br>".join(cite.tag("provenance", one) for one in told)
    rows = [(t("error_what"), message), (t("error_next"), t(_next(error)))]
    _draw(t(_title(error)), rows, fault=isinstance(error, NotVerifiedError))


def _source_card(error: ProviderError) -> None:
    """No source answered: who was asked, what became of it, and the two ways on."""
    told = say(failed_words(error.tried, type(error).__name__))
    what = cite.tag("provenance", told) + _detail(error)
    page = state.session().page
    kept = {name: text for name, text in st.query_params.to_dict().items() if name != "mode"}
    ways = [_way(page, t("error_retry"), **kept)]
    if state.mode() == "live":
        ways.append(_way(page, t("error_to_snapshot"), **kept, mode="snapshot"))
    ways.append(_way("sources", t("error_to_sources")))
    items = "".join(f"<li>{way}</li>" for way in ways)
    _draw(
        t("error_provider"),
        [(t("error_what"), what), (t("error_next"), f'<ul class="yj-plain">{items}</ul>')],
        fault=True,
    )


def _detail(error: YoujuError) -> str:
    """What was said of it for those who run the workbench: behind a line that opens it."""
    return blocks.folded(t("error_detail"), blocks.detail(str(error)))


def _way(page: str, text: str, **params: str) -> str:
    """A link to a page; the overview answers at the root only."""
    href = escape(state.link("." if page == "overview" else page, **params))
    return f'<a href="{href}" data-go="{page}" target="_self">{escape(text)} →</a>'


def _title(error: YoujuError) -> str:
    for kind, key in _TITLES:
        if isinstance(error, kind):
            return key
    return "error_other"


def _next(error: YoujuError) -> str:
    return f"next_{_title(error)}"


_TITLES: tuple[tuple[type[YoujuError], str], ...] = (
    (ConfigError, "error_config"),
    (NoDataError, "error_nodata"),
    (NotVerifiedError, "error_verify"),
    (NotAllowedError, "error_allowed"),
    (StoreAwayError, "error_away"),
    (StoreError, "error_store"),
)


def _draw(title: str, rows: list[tuple[str, str]], *, fault: bool = False) -> None:
    items = "".join(f"<dt>{escape(name)}</dt><dd>{inner}</dd>" for name, inner in rows)
    mine = state.session()
    blocks.draw(
        "" if mine.headed else blocks.title(t(f"page_{mine.page}")),
        f'<section class="yj-errorcard{" yj-fault" if fault else ""}" role="alert">'
        f"<h2>{escape(title)}</h2><dl>{items}</dl></section>",
    )

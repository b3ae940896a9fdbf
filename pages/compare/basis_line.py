"""The line under the title: on which sessions, reports and adjusted prices a comparison stands."""

from html import escape

from pages.ui import cite, state
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.source_marks import ADJUSTED
from services.core.text import Text
from services.views.compare.view import LONG, CompareView

_MARKS = {words: mark for mark, words in ADJUSTED.items()}


def line(view: CompareView) -> str:
    """Last and first common session, the report, how each market is adjusted, what lacks."""
    state.session().newest = view.last
    parts: list[str] = []
    if view.first and view.last:
        parts.append(f"{escape(t('compare_last'))} <b>{cite.day(view.last)}</b>")
        parts.append(f"{escape(t('compare_first'))} <b>{cite.day(view.first)}</b>")
    if view.report:
        parts.append(f"{escape(t('compare_report'))} <b>{cite.tag('period', say(view.report))}</b>")
    if view.adjusted:
        told = [
            f"{escape(say(market))} <b>{_say_adjusted(how)}</b>" for market, how in view.adjusted
        ]
        parts.append(say(Text("，", ", ")).join(told))
        far = view.asked.range in LONG
        said = cite.tag("provenance", t("compare_long"))
        parts.append(f'<span class="yj-old">{said}</span>' if far else f"<span>{said}</span>")
    if view.lacking:
        names = say(LIST_COMMA).join(map(say, view.lacking))
        said = cite.tag("label", t("compare_without", names=names))
        parts.append(f'<span class="yj-old">{said}</span>')
    if not parts:
        return ""
    joined = '<span class="yj-sep">·</span>'.join(f"<span>{part}</span>" for part in parts)
    return f'<p class="yj-basis"><span class="yj-lab">{t("basis")}</span>{joined}</p>'


def _say_adjusted(how: Text) -> str:
    return escape(t(f"adjusted_{_MARKS[how]}"))

"""The line under a page's title: which day each family of its figures stands on."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from pages.ui import cite, state
from pages.ui.i18n import t
from services.core.claims import Claim
from services.views.basis import basis_of
from services.views.table import View


class BasisPart(NamedTuple):
    """A family of figures (`name` is shown), the day or period it is of, and whether that is older
    than what the page stands on. `said` is HTML.
    """

    name: str
    said: str
    old: bool = False


def of_view(view: View) -> tuple[BasisPart, ...]:
    """The basis as the view's own claims tell it; the newest day is what stale is measured by."""
    return of_claims(view.claims)


def of_claims(claims: Mapping[str, Claim]) -> tuple[BasisPart, ...]:
    """The same of these figures alone."""
    found = basis_of(claims)
    state.session().newest = found.newest
    parts = [
        BasisPart(t(f"basis_{name}"), cite.day(day), old=day < found.newest)
        for name, day in (("price", found.price), ("multiple", found.multiple))
        if day is not None and found.newest is not None
    ]
    if found.report:
        period = found.report.label(state.language())
        parts.append(BasisPart(t("basis_report"), cite.tag("period", period)))
    if found.adjusted:
        parts.append(BasisPart(t("basis_adjust"), t(f"basis_{found.adjusted}")))
    return tuple(parts)


def day_part(name: str, day: date, *, newest: date) -> BasisPart:
    """A family that a page names by itself, such as the bars of one market."""
    return BasisPart(name, cite.day(day), old=day < newest)


def line(parts: Sequence[BasisPart], more: str = "") -> str:
    """The line; `more` is HTML behind it (a link). Nothing for a page without figures."""
    if not parts:
        return ""
    shown = [
        f'<span class="yj-old">{part.name} <b>{part.said}</b></span>'
        if part.old
        else f"<span>{part.name} <b>{part.said}</b></span>"
        for part in parts
    ]
    joined = '<span class="yj-sep">·</span>'.join([*shown, *([more] if more else [])])
    return f'<p class="yj-basis"><span class="yj-lab">{t("basis")}</span>{joined}</p>'

"""机构预期: a row a figure and source, or why there is none."""

from collections.abc import Mapping
from html import escape

from pages.ui import blocks, cite
from pages.ui.i18n import say, t
from services.core.claims import Claim
from services.views.company.forecasts import Forecasts


def draw(shown: Forecasts, claims: Mapping[str, Claim]) -> None:
    """The table with a word on whose figures these are, or why there is none."""
    tables = "".join(blocks.table(one, claims) for one in shown.tables())
    told = cite.tag("provenance", say(shown.why)) if shown.why is not None else ""
    why = f'<p class="yjc-told yjc-mute">{told}</p>' if told else ""
    blocks.draw(
        f'<section data-group="forecasts"><div class="yjc-h"><h2>{escape(t("fin_expected"))}</h2>'
        f"</div>{tables}{why}</section>"
    )

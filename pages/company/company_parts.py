"""Which company a page is about."""

from html import escape

from pages.ui import blocks, resources, state
from services.views.meant import company_meant

# Opened without a company: one with bars, annual reports and an industry, named as an example.
_EXAMPLE = "600036.SH"


def chosen(note: str) -> str:
    """The company in the address or remembered; without one an example, said to be one in the
    words of `note`.
    """
    symbol = state.bind("symbol", widget=False)
    if not symbol:
        blocks.draw(f'<p class="yj-mute">{escape(note)}</p>')
    return company_meant(resources.services().names, symbol) if symbol else _EXAMPLE

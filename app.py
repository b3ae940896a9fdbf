"""Router: page config, shared frame, the table of pages."""

import streamlit as st

from pages.company.old_addresses import old_addresses
from pages.ui import errors, frame, signing_in
from pages.ui.i18n import t
from pages.ui.unknown import unknown_address

# file, address, icon, key of the title, whether it stands in the bar
PAGES = (
    ("pages/market/overview.py", "overview", "dashboard", "page_overview", True),
    ("pages/market/screen.py", "screen", "filter_list", "page_screen", True),
    ("pages/market/watch.py", "watch", "star", "page_watch", False),
    ("pages/company/company.py", "company", "candlestick_chart", "page_company", True),
    ("pages/compare/compare.py", "compare", "stacked_line_chart", "page_compare", True),
    ("pages/ask/ask.py", "ask", "forum", "page_ask", True),
    ("pages/company/score.py", "score", "speed", "page_score", False),
    ("pages/evidence/reports.py", "reports", "lab_profile", "page_reports", True),
    ("pages/evidence/verify.py", "verify", "fact_check", "page_verify", True),
    ("pages/evidence/trace.py", "trace", "receipt_long", "page_trace", False),
    ("pages/evidence/sources.py", "sources", "database", "page_sources", True),
    ("pages/evidence/status.py", "status", "monitoring", "page_status", False),
)

st.set_page_config(
    page_title="有据 Youju",
    page_icon="pages/ui/mark.png",
    layout="wide",
    initial_sidebar_state="collapsed",
)
st.logo("pages/ui/wordmark.svg", size="medium", icon_image="pages/ui/wordmark.svg")
frame.begin()
pages = {
    path: st.Page(
        file,
        title=t(title),
        icon=f":material/{icon}:",
        # The first page answers at / alone and yet holds its address: that one is kept free below.
        url_path="home" if path == "overview" else path,
        default=path == "overview",
        visibility="visible" if shown else "hidden",
    )
    for file, path, icon, title, shown in PAGES
}
others = old_addresses(pages)
others |= unknown_address({**pages, **others})
page = st.navigation([*pages.values(), *others.values()], position="top")
frame.runtime()
frame.follow({**others, **pages})
if signing_in.is_passed():
    with errors.frame():
        frame.bar(page.url_path or "overview")
    frame.run(page)
frame.close()

"""报告: deep analyses, those of before and the one that runs, and a form to have one written."""

from pages.ui import errors, reports

with errors.frame("reports"):
    reports.carry_out()
if not reports.opened():
    with errors.frame("reports"):
        reports.home()

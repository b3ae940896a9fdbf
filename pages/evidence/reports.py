"""报告: analyses and scores that are kept, the one that runs, and a form to have one written."""

from pages.evidence import deep_analysis_button
from pages.evidence import report_list as reports
from pages.evidence import saved_reports as shelf
from pages.ui import errors

with errors.frame("reports"):
    deep_analysis_button.carry_out()
if not shelf.compared() and not reports.opened():
    with errors.frame("reports"):
        reports.home()

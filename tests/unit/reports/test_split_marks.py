"""Documents mark a figure a share that is of other shares than later ones; cells stay numbers."""

from services.core.claims import Claim
from services.exports.view_files import view_markdown
from services.exports.xlsx_cells import number_form
from tests.unit.reports.bundled import desk, session


def test_the_mark_stands_at_the_figure_in_documents_and_workbooks() -> None:
    view = desk().financials("AAPL", session(), count=8)
    assert "40.03美元/股‡" in view_markdown(view).replace(" ", "")
    eps = [one for one in view.claims.values() if isinstance(one, Claim) and one.metric == "eps"]
    marked = {one.period for one in eps if number_form(one).endswith('"‡"')}
    assert marked == {"2013_Q4"}


def test_a_company_without_such_a_change_has_no_mark() -> None:
    assert "‡" not in view_markdown(desk().financials("600036.SH", session(), count=8))

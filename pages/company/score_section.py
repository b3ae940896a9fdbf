"""评分: the newest score of the company with its factors, and the way to have one made."""

from functools import partial
from html import escape

from pages.company import score_parts as score
from pages.evidence import saved_reports as shelf
from pages.ui import blocks, resources, state, tour
from pages.ui.i18n import t
from services.views.company.view import CompanyView
from services.views.score_view import ScorePage, ScoreView


def carry_out(symbol: str) -> None:
    """Begin a score that was asked for with a click on this page; in the tour the first one is
    made without a click, by the rules alone: a model may be slow, or out of reach.
    """
    score.carry_out()
    desk = resources.desk()
    if tour.shows_score() and desk.score_page(symbol, "", state.session().session_id).score is None:
        desk.score(symbol, state.session().session_id, language=state.language(), by_rule=True)


def page_of(view: CompanyView) -> ScorePage:
    """The company's score: that of the job in the address where it is of this company."""
    desk, mine = resources.desk(), state.session().session_id
    job = state.stated("job")
    if job and desk.score_state(job).symbol == view.head.symbol:
        return desk.score_page("", job, mine)
    return desk.score_page(view.head.symbol, "", mine)


def draw(page: ScorePage) -> None:
    """The score at whatever stage, and those of before."""
    found = page.score
    again = partial(score.button, page.symbol, again=found is not None)
    released = found is not None and isinstance(found.view, ScoreView)
    if not released and (found is None or not found.course.running):
        again()
    if found is not None and found.view is not None:
        shelf.rechecked(found.course.job_id, page)
    score.body(page, again)
    if page.history.rows:
        blocks.draw(blocks.heading(t("score_history")), blocks.table(page.history, page.claims))
    href = escape(state.link("score"))
    blocks.draw(
        f'<p class="yjc-note"><a href="{href}" data-go="score" target="_self">'
        f"{escape(t('score_many'))} →</a></p>"
    )

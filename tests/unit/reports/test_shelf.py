"""报告: what is kept is listed, put away and back, and two of a kind are held side by side."""

from dataclasses import replace

import pytest

from services.core.claims import Claim
from services.core.errors import InputError
from services.evidence_pack.verify import verify_pack
from services.store.database import Database
from services.store.jobs import Jobs
from tests.unit.reports.bundled import desk, session
from tests.waiting import job_ended


def finished(job: str) -> str:
    return job_ended(job)


@pytest.fixture(scope="module")
def reports() -> tuple[str, str]:
    """An analysis of 招商银行 and one of 贵州茅台."""
    mine = session()
    return (
        finished(desk().analyse("600036", mine)),
        finished(desk().analyse("600519", mine)),
    )


@pytest.fixture(scope="module")
def scores() -> tuple[str, str]:
    mine = session()
    return (finished(desk().score("600036", mine)), finished(desk().score("00700", mine)))


def listed(company: str = "", *, hidden: bool = False) -> list[str]:
    return [one.job_id for one in desk().reports(company, hidden=hidden)]


def test_analyses_and_scores_stand_in_one_list(
    reports: tuple[str, str], scores: tuple[str, str]
) -> None:
    assert {*reports, *scores} <= set(listed())
    kinds = {one.job_id: one.kind for one in desk().reports()}
    assert kinds[reports[0]] == "analysis"
    assert kinds[scores[0]] == "score"
    assert set(listed("600036")) >= {reports[0], scores[0]}
    assert reports[1] not in listed("600036")


def test_what_is_put_away_is_out_of_every_list_and_comes_back(
    reports: tuple[str, str], scores: tuple[str, str]
) -> None:
    gone = (reports[0], scores[0])
    desk().put_away(gone)
    try:
        assert not set(gone) & set(listed())
        assert set(gone) <= set(listed(hidden=True))
        page = desk().score_page("600036", "", session())
        assert page.score is None or page.score.course.job_id != scores[0]
        # Its address and its trace go on working: a citation may point there.
        assert desk().analysis(reports[0]).view is not None
    finally:
        desk().put_back(gone)
    assert set(gone) <= set(listed())
    assert not set(gone) & set(listed(hidden=True))


def test_putting_away_twice_or_what_is_not_there(reports: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="job_nope"):
        desk().put_away([reports[0], "job_nope"])
    assert reports[0] in listed()
    desk().put_away([reports[0], reports[0]])
    desk().put_away([reports[0]])
    desk().put_back([reports[0]])
    assert reports[0] in listed()


def test_what_was_put_away_stays_so_after_a_restart(tmp_path: object) -> None:
    path = f"{tmp_path}/store.duckdb"
    first = Database(path)
    kept = Jobs(first)
    names = [
        kept.start("analysis", "s", subject=str(number), title="t", arguments={})
        for number in range(3)
    ]
    kept.hide(names[:1])
    first.close()
    again = Database(path)
    assert {job.job_id for job in Jobs(again).list()} == set(names[1:])
    assert [job.job_id for job in Jobs(again).list(hidden=True)] == names[:1]
    again.close()


def test_two_companies_are_held_against_each_other_metric_by_metric(
    reports: tuple[str, str],
) -> None:
    found = desk().compare(reports[1], reports[0])
    assert found.before.zh.startswith("招商银行")  # the older one first
    assert found.after.zh.startswith("贵州茅台")
    sides = {
        str(row.cells["item"]): (row.cells["before"], row.cells["after"])
        for row in found.figures.rows
    }
    before, after = sides["市盈率(TTM) TTM·2017一季报"]
    assert isinstance(before, Claim)
    assert isinstance(after, Claim)
    # As the bundled market has them on 2017-05-25.
    assert (before.symbol, before.value) == ("600036.SH", 8.67)
    assert (after.symbol, after.value) == ("600519.SH", 31.51)
    assert {claim.claim_id for claim in (before, after)} <= found.claims.keys()


def test_two_scores_are_compared_and_a_score_with_a_report_is_not(
    reports: tuple[str, str], scores: tuple[str, str]
) -> None:
    found = desk().compare(*scores)
    assert found.figures.rows
    assert not found.same
    with pytest.raises(InputError, match="同一类"):
        desk().compare(reports[0], scores[0])
    with pytest.raises(InputError, match="job_nope"):
        desk().compare(reports[0], "job_nope")


def test_the_same_report_compared_with_itself_differs_in_nothing(reports: tuple[str, str]) -> None:
    assert desk().compare(reports[0], reports[0]).same


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_comparison_is_a_page_that_can_be_given_away(
    reports: tuple[str, str], language: str
) -> None:
    found = desk().compare(*reports)
    pack = desk().pack(found, "en" if language == "en" else "zh")
    verdict = verify_pack(pack, ())
    assert verdict.ok, verdict.failures


def test_a_sentence_of_a_comparison_is_proved_by_what_it_is_made_of(
    reports: tuple[str, str],
) -> None:
    found = desk().compare(*reports)
    told = next(text for text in found.texts.made if "连续四年下降" in text)
    lie = told.replace("连续四年下降", "连续四年上升")
    rows = tuple(
        replace(row, cells={key: lie if cell == told else cell for key, cell in row.cells.items()})
        for row in found.texts.rows
    )
    made = {lie if text == told else text: one for text, one in found.texts.made.items()}
    changed = replace(found, texts=replace(found.texts, rows=rows, made=made))
    assert not verify_pack(desk().pack(changed, "zh"), ()).ok

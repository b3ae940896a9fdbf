"""A stored run again: from its own record nothing changes, and what was changed is shown."""

from datetime import date
from typing import Any

import pytest

from services.core.claims import Claim, DerivedCite, ToolCite
from services.core.errors import InputError
from services.core.rendering import place
from services.core.text import Text
from services.core.trace import Trace
from services.exports.paper import (
    CitedCell,
    Paper,
    PaperColumn,
    PaperLine,
    PaperRow,
    PaperTable,
    Prose,
)
from services.query.answering.answers import Answered
from services.store.runs import StoredRun
from services.workbench.compare import Side, compare
from tests.unit.reports.bundled import desk, services, session
from tests.waiting import job_ended

THEN, NOW = Text("当时", "Then"), Text("现在", "Now")


def newest(session_id: str) -> str:
    return services().runs.runs(session_id, limit=1)[0].run_id


def opened(page: str, mine: str) -> str:
    """The run of a page that was looked at."""
    ways: dict[str, Any] = {
        "overview": lambda: desk().overview(mine),
        "screen": lambda: desk().screen({"category": "CN", "pettm": "0_20", "size": "10"}, mine, 3),
        "stock": lambda: desk().stock("600036", date(2016, 1, 1), date(2016, 6, 1), mine),
        "hk": lambda: desk().stock("00700", None, None, mine),
        "index": lambda: desk().stock("sh000001", None, None, mine),
        "financials": lambda: desk().financials("600519", mine, count=3),
        "tool": lambda: services().toolbox.call(
            "get_price_history", {"symbol": "600036", "market": "CN"}, session_id=mine
        ),
    }
    ways[page]()
    return newest(mine)


@pytest.mark.parametrize(
    "page", ["overview", "screen", "stock", "hk", "index", "financials", "tool"]
)
def test_a_page_comes_out_with_the_same_figures_and_cites(page: str) -> None:
    mine = session()
    run = opened(page, mine)
    stored = services().runs.load(run)
    found = desk().replay(run)
    assert found.holds
    assert found.claim_count == len(stored.claims) > 0
    assert {claim.claim_id: claim for claim in stored.claims}.items() <= found.claims.items()
    assert found.text_kept is None  # a page keeps no text of its own
    assert len(services().runs.runs(mine)) == 1  # nothing is stored, nobody asked


QUESTIONS = ("茅台市盈率", "PE小于20的银行", "招商银行为什么跌", "腾讯新闻", "比亚迪和万科A的ROE")


def test_an_answer_comes_out_to_the_letter() -> None:
    mine = desk().begin()
    for question in QUESTIONS:
        desk().ask(question, mine)
    answered = [one for one in services().query.replay(mine) if isinstance(one, Answered)]
    assert len(answered) >= 4
    for one in answered:
        found = desk().replay(one.run_id)
        assert found.holds
        assert found.text_kept is True
        assert found.comparison is None
    assert len(desk().conversation(mine).turns) == len(QUESTIONS)


@pytest.fixture(scope="module")
def score_run() -> str:
    mine = session()
    job = desk().score("600036", mine)
    job_ended(job)
    return next(run.run_id for run in services().runs.runs(mine) if run.kind == "score")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_score_comes_out_with_its_reason(score_run: str, language: Any) -> None:
    found = desk().replay(score_run, language)
    assert found.holds
    assert found.text_kept is True
    assert not found.by_model


def test_on_the_same_data_nothing_has_changed(score_run: str) -> None:
    mine = session()
    found = desk().changes(score_run, mine)
    assert found.same
    assert found.same_figures > 20
    assert found.same_texts >= 1
    assert newest(mine) != score_run


def altered(stored: StoredRun, value: float) -> StoredRun:
    """The run as it would be had the source said something else of one figure."""
    at = next(n for n, call in enumerate(stored.calls) if call.rows)
    told = stored.calls[at]
    rows = (told.rows[0].model_copy(update={"value": value}), *told.rows[1:])
    changed = told.model_copy(update={"rows": rows})
    calls = (*stored.calls[:at], changed, *stored.calls[at + 1 :])
    return StoredRun(stored.run, calls, stored.claims, stored.model_calls)


def test_a_record_that_was_changed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    run = opened("financials", session())
    stored = services().runs.load(run)
    monkeypatch.setattr(services().runs, "load", lambda _run: altered(stored, 7.0), raising=True)
    found = desk().replay(run)
    assert not found.holds
    first = next(call for call in stored.calls if call.rows).rows[0]
    own = [claim for claim in stored.claims if claim.claim_id in found.changed]
    assert (first.symbol, first.metric) in {(claim.symbol, claim.metric) for claim in own}
    made = {name for claim in own for name in inputs_of(claim)}
    assert len(own) == 1 or made  # what is computed from it came out otherwise, too


def inputs_of(claim: Claim) -> tuple[str, ...]:
    return claim.cite.inputs if isinstance(claim.cite, DerivedCite) else ()


def test_a_run_of_another_kind_says_what_can_be_replayed() -> None:
    mine = session()
    job = desk().analyse("600036", mine)
    job_ended(job)
    run = next(one.run_id for one in services().runs.runs(mine) if one.kind == "analysis")
    with pytest.raises(InputError, match="报告页"):
        desk().replay(run)
    with pytest.raises(InputError, match="run_nope"):
        desk().replay("run_nope")


def test_a_run_that_failed_is_not_replayed() -> None:
    mine = session()
    with pytest.raises(InputError):
        services().runner.run(
            "overview", {}, lambda _ledger: services().names.resolve("平安"), session_id=mine
        )
    with pytest.raises(InputError, match="失败"):
        desk().replay(newest(mine))


# --- two papers side by side -------------------------------------------------------------------


def figure(**changes: Any) -> Claim:
    """A figure of 贵州茅台 as its page gives it, with something else in it."""
    claims = services().runs.load(opened("financials", session())).claims
    found = next(claim for claim in claims if isinstance(claim.cite, ToolCite))
    cite = found.cite.model_copy(update=changes.pop("cite", {}))
    return found.model_copy(update={"claim_id": "c_00000000000000a0", "cite": cite, **changes})


def paper(*claims: Claim, text: str = "净利润为", rows: tuple[str, ...] = ("甲",)) -> Side:
    column = PaperColumn(key="name", label="名称", kind="text")
    figures = PaperColumn(key="v", label="净利润", kind="figure")
    table = PaperTable(
        key="t",
        title="表",
        columns=(column, figures),
        rows=tuple(
            PaperRow(cells={"name": row, "v": CitedCell(claim=claims[0].claim_id)}) for row in rows
        ),
    )
    line = Prose(line=PaperLine(template=f"{text}{place(claims[0])}。"))
    made = Paper(kind="stock", language="zh", title="纸", blocks=(line, table))
    return Side(THEN, made, {claim.claim_id: claim for claim in claims}, Trace())


def how(before: Side, after: Side) -> list[str]:
    found = compare(before, Side(NOW, after.paper, after.claims, after.trace))
    return [row.cells["how"].zh for row in found.figures.rows]  # type: ignore[union-attr]


def test_what_changed_of_a_figure_is_named() -> None:
    base = figure()
    same = compare(paper(base), paper(base))
    assert same.same
    assert same.same_figures == 2  # in the sentence and in the table
    assert same.same_texts == 1
    assert how(paper(base), paper(figure(value=base.value + 1))) == ["数值变了"]
    assert how(paper(base), paper(figure(unit="USD"))) == ["单位变了"]
    assert how(paper(base), paper(figure(as_of=date(2016, 1, 1)))) == ["日期变了，数值未变"]
    assert how(paper(base), paper(figure(cite={"served_by": "tushare"}))) == ["来源变了，数值未变"]
    assert how(paper(base), paper(figure(cite={"raw": "1"}))) == ["原文或说明变了，数值未变"]


def test_a_figure_fetched_again_that_says_the_same_has_not_changed() -> None:
    base = figure()
    later = figure(cite={"tool_call_id": "tc_000000000000"}, claim_id="c_00000000000000b0")
    moved = later.model_copy(update={"claim_id": "c_00000000000000b0"})
    assert compare(paper(base), paper(moved)).same


def test_rows_and_sentences_that_came_or_went_are_listed() -> None:
    base = figure()
    found = compare(paper(base, rows=("甲", "乙")), paper(base, text="净利达", rows=("甲", "丙")))
    assert [(row.cells["item"], row.cells["how"]) for row in found.rows.rows] == [
        ("乙", Text("不再有", "gone")),
        ("丙", Text("新出现", "new")),
    ]
    (changed,) = found.texts.rows
    assert changed.cells["before"] == f"净利润为{place(base)}。"
    assert changed.cells["after"] == f"净利达{place(base)}。"
    assert not found.same


def test_both_values_stand_side_by_side_though_they_have_one_id() -> None:
    base, other = figure(), figure(value=1.0)
    found = compare(paper(base), paper(other))
    (row,) = found.figures.rows
    before, after = row.cells["before"], row.cells["after"]
    assert isinstance(before, Claim)
    assert isinstance(after, Claim)
    assert (before.value, after.value) == (base.value, 1.0)
    assert before.claim_id != after.claim_id
    assert {before.claim_id, after.claim_id} <= found.claims.keys()

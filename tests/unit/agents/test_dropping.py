"""One sentence that does not hold spoils itself, not the report; what is gone is told."""

from services.agents.draft_check import Proof, refusals_of
from services.agents.dropping import drop_unproved
from services.agents.results import Refusal, RuntimeDraft
from services.core.rendering import place
from services.core.text import Text
from tests.unit.agents.kit import ASKED, DAY, claim

PE = claim("pe_ttm", 31.51, "multiple", as_of=DAY)
PB = claim("pb", 7.16, "multiple", as_of=DAY)
PROOF = Proof((PE, PB), {"600036.SH": ("招商银行",)}, ())


def _draft(summary: str, *points: str) -> RuntimeDraft:
    return RuntimeDraft(runtime="openai_tools", summary=summary, key_points=points)


def _told(refusals: tuple[Refusal, ...]) -> str:
    return "\n".join(f"- {one.quoted}" for one in refusals)


def test_one_failing_sentence_is_dropped_and_the_rest_stands() -> None:
    written = _draft(
        f"市盈率(TTM) {place(PE)}。市净率为9.99倍！估值如上。",
        "毛利率为50%。",
        f"市净率{place(PB)}。",
    )
    kept = drop_unproved(written, ASKED, PROOF)
    assert kept.draft is not None
    assert kept.draft.summary == f"市盈率(TTM) {place(PE)}。估值如上。"
    assert kept.draft.key_points == (f"市净率{place(PB)}。",)
    assert kept.draft.note == (
        Text(
            "有 2 句没有通过核对，已略去（摘要：数值不符 1、关键点：数字没有证据 1）",
            "statements left out as unproved: 2 "
            "(summary: value differs 1, key points: a figure without a claim 1)",
        )
    )
    assert "9.99" not in kept.draft.model_dump_json()


def test_where_no_figure_stands_there_is_no_report() -> None:
    assert drop_unproved(_draft("市盈率(TTM) 9.99倍。", "见摘要。"), ASKED, PROOF).draft is None


def test_about_is_no_five_percent() -> None:
    (refused,) = refusals_of("公司PE约33.0倍。", ASKED, PROOF, 1)
    assert refused.check == "value"


def test_a_figure_that_is_typed_is_refused_by_its_words() -> None:
    fell = claim("revenue_yoy", -7.73, "percent", period="2016_Q4")
    proof = Proof((fell,), PROOF.names, ())
    written = _draft("2016年报营业收入同比增长-7.73%。")
    refusals = refusals_of(written.summary, ASKED, proof, 1)
    assert [one.check for one in refusals] == ["unplaced"]
    assert "«-7.73%»" in _told(refusals)
    assert drop_unproved(written, ASKED, proof).draft is None


def test_a_refusal_quotes_the_words_the_claim_and_the_check_to_the_model_only() -> None:
    close = claim("close", 255.0, "CNY", as_of=DAY)
    proof = Proof((close,), PROOF.names, ())
    refusals = refusals_of("最近收盘1500元，收于1500元。", ASKED, proof, 1)
    told = _told(refusals)
    line = f"- value mismatch at «1500元»: claim {close.claim_id} close=255.00 CNY as_of {DAY}"
    assert told.count(line) == len(refusals) == 2
    assert "1500" not in "".join(one.model_dump_json() for one in refusals)

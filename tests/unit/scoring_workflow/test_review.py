"""The code's verdict on a draft: no model, no reviewer, the rendered text alone."""

import pytest

from services.core.text import Text
from services.scoring.models import ReviewResult
from services.scoring.review import CodeReview
from tests.unit.scoring_workflow.given import BANK, CARS, draft, given, of_length, reason


def failures(text: str | None = None, score: float = 7.2, symbol: str = BANK) -> tuple[str, ...]:
    return given().code().failures(draft(text, score, symbol))


def test_a_reason_whose_every_figure_is_a_claim_holds() -> None:
    assert failures() == ()


def test_a_draft_of_another_stock_does_not_hold() -> None:
    assert any(BANK in str(one) for one in failures(symbol=CARS))


@pytest.mark.parametrize("score", [-0.1, 10.01, 11])
def test_a_score_out_of_range_does_not_hold(score: float) -> None:
    assert Text("评分不在 0 到 10 之间", "the score is not between 0 and 10") in failures(
        score=score
    )


@pytest.mark.parametrize("score", [0.0, 10.0])
def test_the_ends_of_the_range_belong_to_it(score: float) -> None:
    assert not any("0 到 10" in str(one) for one in failures(score=score))


@pytest.mark.parametrize(
    ("length", "fits"), [(99, False), (100, True), (1000, True), (1001, False)]
)
def test_the_length_is_that_of_the_rendered_text(length: int, fits: bool) -> None:
    text = of_length(length)
    assert len(given().rendered(text)) == length
    found = failures(text)
    assert (found == ()) is fits
    assert all("字" in str(one) for one in found)


def test_a_figure_that_is_typed_wrong_does_not_hold() -> None:
    wrong = reason().replace(given().figure("roe"), "17.43%")
    assert any(str(one).startswith(("value", "unsupported_number")) for one in failures(wrong))


def test_a_figure_that_is_typed_right_is_made_a_place_before_the_review() -> None:
    typed = draft(reason().replace(given().figure("pb"), "1.31倍"))
    made = given().code().placed(typed)
    assert made == draft()
    assert made.digest != typed.digest
    wrong = draft(reason().replace(given().figure("pb"), "1.41倍"))
    assert given().code().placed(wrong) == wrong


def test_a_place_without_its_claim_does_not_hold() -> None:
    found = failures(reason(tail="每股收益 {{c:c_0000000000000000}}。"))
    assert any(str(one).startswith("unknown_claim") for one in found)


def test_a_figure_under_another_name_does_not_hold() -> None:
    swapped = reason().replace("净资产收益率", "毛利率")
    assert any(str(one).startswith("metric") for one in failures(swapped))


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("利润增长", "利润下滑"),
        ("盈利能力稳健", "盈利能力薄弱"),
        ("均线趋势向上", "均线趋势向下"),
    ],
)
def test_a_direction_against_step_1_does_not_hold(said: str, instead: str) -> None:
    told = reason(tail="均线趋势向上。")
    assert said in told
    assert failures(told) == ()
    found = failures(told.replace(said, instead))
    assert any(str(one).startswith("方向矛盾") for one in found), found


@pytest.mark.parametrize("tail", ["均线趋势向上。", "走势偏弱势。", "The trend is upward."])
def test_a_direction_of_what_step_1_has_no_data_of_does_not_hold(tail: str) -> None:
    found = given()
    without = found.step1.kline.model_copy(update={"trend": None, "findings": ()})
    code = CodeReview(
        found.step1.model_copy(update={"kline": without}),
        found.card,
        {BANK: (found.step1.stock_name,)},
    )
    assert code.failures(draft()) == ()
    assert any(one.zh.startswith("没有依据") for one in code.failures(draft(reason(tail=tail))))


def test_news_that_are_not_there_are_neither_good_nor_bad() -> None:
    assert given().step1.news.status == "missing"
    assert any(str(one).startswith("没有依据") for one in failures(reason(tail="消息面偏正面。")))


@pytest.mark.parametrize(
    "tail",
    [
        "若利润下滑，评分应当重看。",
        "没有看到利润下滑。",
        "同行的利润下滑。",
        "利润增速放缓的可能需要关注。",
    ],
)
def test_what_is_supposed_denied_or_said_of_others_is_no_direction(tail: str) -> None:
    assert failures(reason(tail=tail)) == ()


def test_a_high_score_with_an_unfavourable_reason_does_not_hold() -> None:
    text = of_length(120) + "综合来看不宜持有。"
    assert any(str(one).startswith("分数与理由不一致") for one in failures(text, 8.5))
    assert failures(text, 4.0) == ()


def test_a_low_score_with_a_favourable_reason_does_not_hold() -> None:
    assert any(str(one).startswith("分数与理由不一致") for one in failures(score=2.0))


def test_a_rule_score_is_the_one_of_its_factors() -> None:
    found = given()
    total = found.card.by_id[found.card.total or ""].value
    made = draft(score=round(total, 2)).model_copy(update={"engine": "rule", "model": None})
    assert found.code().failures(made) == ()
    other = made.model_copy(update={"hold_score": round(total, 2) - 0.5})
    assert found.code().failures(other) == (
        Text("规则评分与因子总分不符", "the rule's score is not that of its factors"),
    )


SEARCHED_ONLY = "公司近期推出新的零售业务。"


def searching(text: str) -> tuple[str, ...]:
    code: CodeReview = given().code(searched=True)
    return code.failures(draft(text))


def test_a_model_that_searched_marks_what_it_found_and_types_no_figure_in_it() -> None:
    f = given().figure
    proved = "".join(
        f"招商银行{name} {f(metric)}，这是已经核对过的数字之一。"
        for name, metric in (("净资产收益率", "roe"), ("营收同比", "revenue_yoy"), ("市净率", "pb"))
    )
    proved += f"招商银行市盈率(TTM) {f('pe_ttm')}，同样已经核对，可以放心引用在这里。"
    assert searching(proved + "未核实：" + SEARCHED_ONLY) == ()
    assert any("未核实：" in str(one) for one in searching(proved + SEARCHED_ONLY))
    marked = proved + f"未核实：公司市净率 {f('pb')} 之外还有增长 3 成。"
    assert searching(marked) != ()


def test_a_reason_for_a_veto_is_kept_without_quoting_the_draft_or_unproved_figures() -> None:
    found, secret = given(), "资料齐全之后应当重新核对"
    assert secret in reason()
    said = f"稿子写道“{secret}”，\n却给出 9.87 分；净利润下降 63.21% 没有提到"
    told = found.code().retold(said, draft())
    assert secret not in told
    assert "9.87" not in told
    assert "63.21" not in told
    assert "没有提到" in told
    assert "\n" not in told


def test_a_reason_for_a_veto_is_kept_short() -> None:
    assert len(given().code().retold("啰嗦" * 2_000, draft())) == 500


def test_a_verdict_is_of_the_draft_and_of_nothing_else() -> None:
    """The same words of another score are another draft."""
    assert draft(score=7.2).digest != draft(score=7.3).digest
    assert draft().digest == draft().digest
    assert ReviewResult(stock_code=BANK, passed=True, reason="").passed

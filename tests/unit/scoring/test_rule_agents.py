"""The agents by rule: a reason whose every figure is carried, and a reviewer that asks for more."""

from typing import get_args

import pytest

from services.core.errors import NoDataError
from services.core.rendering import PLACE, place, render
from services.core.text import Language
from services.grounding.ground import ground
from services.scoring.models import Scorecard, ScoreDraft
from services.scoring.review import CodeReview
from services.scoring.rule_agents import review_by_rule, score_by_rule
from services.scoring.rule_reason import stance_of
from services.statements.proved_texts import unproved
from tests.unit.market.bundled import bundle
from tests.unit.scoring.scored import (
    APPLE,
    BANK,
    CARS,
    HALTED,
    HSBC,
    MOUTAI,
    READ,
    TENCENT,
    known,
    looked,
    names,
    unbroken,
)

LANGUAGES: tuple[Language, ...] = get_args(Language)
CASES = [(symbol, language) for symbol in (*READ, APPLE) for language in LANGUAGES]


def drafted(symbol: str, language: Language = "zh") -> ScoreDraft:
    found = known(symbol)
    return score_by_rule(found.step1, found.card, language, ())


def text_of(draft: ScoreDraft, card: Scorecard) -> str:
    return render(draft.summary_reason, card.by_id, draft.language)


@pytest.mark.parametrize(("symbol", "language"), CASES)
def test_every_figure_of_a_reason_is_carried_by_a_claim(symbol: str, language: Language) -> None:
    found, draft = known(symbol), drafted(symbol, language)
    called = names().list_names(found.step1.stock_code)
    # What statements make is proved by them; the gate reads the rest.
    made = {one.text: one for one in CodeReview(found.step1, found.card).made(draft)}
    assert unproved(tuple(made.values()), found.card.claims) is None
    read = "\n".join(line for line in draft.summary_reason.split("\n") if line not in made)
    grounded = ground(
        read,
        found.card.claims,
        names={symbol: (*called.own, *called.other)},
        language=language,
        default_symbol=symbol,
        now=found.step1.as_of,
    )
    assert grounded.failures == ()
    assert len(grounded.supported) >= len(set(PLACE.findall(read)))


@pytest.mark.parametrize(("symbol", "language"), CASES)
def test_a_reason_has_the_length_it_must_have_and_names_the_company(
    symbol: str, language: Language
) -> None:
    found, draft = known(symbol), drafted(symbol, language)
    text = text_of(draft, found.card)
    assert 100 <= len(text) <= 1000
    called = {"zh": found.step1.stock_name, "en": found.step1.stock_name_en}[language]
    assert text.startswith(called or found.step1.stock_name)
    assert symbol in text.splitlines()[0]
    assert draft.engine == "rule"
    assert draft.model is None


@pytest.mark.parametrize("symbol", READ)
def test_the_score_is_that_of_the_factors(symbol: str) -> None:
    assert drafted(symbol).hold_score == pytest.approx(known(symbol).total, abs=0.005)


def test_what_speaks_for_and_what_against_are_told_the_strongest_first() -> None:
    text = text_of(drafted(TENCENT), known(TENCENT).card)
    good, _, rest = text.partition("拖累：")
    assert "盈利质量得分" in good
    assert "成长得分" in good
    assert rest.startswith("估值得分")
    assert text.index("盈利质量得分") < text.index("成长得分")
    assert "估值为 2017-05-25，股价至 2017-07-26，报表为 2016年报" in text


def test_what_is_missing_is_named() -> None:
    text = text_of(drafted(HALTED), known(HALTED).card)
    lacking = text.partition("没有取得、也未估算：")[2].partition("。")[0]
    for word in ("动量与趋势", "波动与回撤", "新闻与公告", "市盈率在同行中的位置"):
        assert word in lacking
    assert lacking.endswith("等")
    assert "推算的净资产收益率" in text
    assert "报表为 2016年报" in text


def test_a_score_on_little_data_does_not_conclude() -> None:
    assert "不足以下结论" in text_of(drafted(MOUTAI), known(MOUTAI).card)
    assert "可以继续持有" in text_of(drafted(BANK), known(BANK).card)
    assert stance_of(6.5, 0.6).en == "hold"
    assert stance_of(6.49, 0.9).zh == "中性"
    assert stance_of(4.0, 0.9).zh == "不建议持有"
    assert stance_of(4.0, 0.59).zh.startswith("已有数据偏负面")
    assert {stance_of(one, 0.9, past=True).zh for one in (1.0, 5.0, 9.0)} == {
        "当时的数据偏负面",
        "当时的数据不偏不倚",
        "当时的数据偏正面",
    }


def test_a_reason_says_what_drives_it_what_speaks_against_each_other_and_what_would_change_it() -> (
    None
):
    text = text_of(drafted(TENCENT), known(TENCENT).card)
    assert "主要支撑是盈利质量、成长，主要拖累是估值，支撑大于拖累。" in text
    assert "市盈率(LYR) 56.9倍，高于同行中位数 17.7倍" in text
    assert "权衡：市盈率高于多数同行而利润在增长：高估值以增长为前提" in text
    assert "若收盘跌破 60 日均线 274.17港元，动量得分会下调" in text
    assert "若下一份财报净利润转降" in text
    cars = text_of(drafted(CARS), known(CARS).card)
    assert "综合居中" in cars
    assert "若收盘升破 60 日均线 50.14元，动量得分会上调" in cars
    whole = looked(CARS, unbroken(bundle().fetch))
    cars = text_of(score_by_rule(whole.step1, whole.card, "zh", ()), whole.card)
    assert "若收盘升破 60 日均线 50.14元，动量得分会上调" in cars
    bank = text_of(drafted(BANK), known(BANK).card)
    assert "资产负债率 93.2%（负债经营的行业，不计分）" in bank
    assert "已知的因子里没有明显偏弱的" in bank


def test_without_enough_data_there_is_no_draft() -> None:
    with pytest.raises(NoDataError, match="盈利质量"):
        drafted(HSBC)


def test_a_score_of_a_past_day_says_so_first_and_what_came_out_since() -> None:
    zh = text_of(drafted(APPLE), known(APPLE).card)
    assert zh.startswith("苹果（AAPL）按 2016-07-25 的数据，持有评分 7.6分：当时的数据偏正面")
    assert "其后公布、未计入的2016年报：营收同比 -7.73%，净利润同比 -14.43%" in zh
    assert "与评分所依据的增长方向相反" in zh
    en = text_of(drafted(APPLE, "en"), known(APPLE).card)
    assert en.startswith("Apple (AAPL), as of 2016-07-25: hold score 7.6, the data then leaned")
    assert "Published since and not counted, FY2016" in en
    for word in ("可以继续持有", "不建议持有"):
        assert word not in zh


def test_the_same_in_gives_the_same_out_and_a_refusal_makes_it_shorter() -> None:
    found = known(CARS)
    assert drafted(CARS) == drafted(CARS)
    shorter = score_by_rule(found.step1, found.card, "zh", ("太长",))
    assert len(shorter.summary_reason) < len(drafted(CARS).summary_reason)
    assert shorter.hold_score == drafted(CARS).hold_score


@pytest.mark.parametrize(("symbol", "language"), CASES)
def test_the_reviewer_passes_an_honest_draft(symbol: str, language: Language) -> None:
    found = known(symbol)
    review = review_by_rule(found.step1, found.card, drafted(symbol, language))
    assert (review.passed, review.reason, review.stock_code) == (True, "", symbol)


def refused(symbol: str, draft: ScoreDraft) -> str:
    found = known(symbol)
    review = review_by_rule(found.step1, found.card, draft)
    assert not review.passed
    return review.reason


def changed(symbol: str, **changes: object) -> ScoreDraft:
    return drafted(symbol).model_copy(update=changes)


def told(symbol: str, *factors: str, more: str = "") -> str:
    """A reason about these factors alone, long enough."""
    found = known(symbol)
    claims = found.card.by_id
    scores = [found.factor(name) for name in factors]
    places = "，".join(f"{one.zh} {place(claims[str(one.score)])}" for one in scores)
    return f"{found.step1.stock_name}：{places}。{more}" + "没有取得新闻与公告。" * 12


@pytest.mark.parametrize(
    ("draft", "word"),
    [
        (changed(BANK, stock_code=CARS), "不是这家公司"),
        (changed(BANK, hold_score=11.0), "超出范围"),
        (changed(BANK, hold_score=3.0), "明显低于"),
        (changed(HALTED, hold_score=6.0), "明显高于"),
        (changed(BANK, summary_reason="太短。"), "长度"),
        (changed(BANK, summary_reason="长" * 1001), "长度"),
        (changed(BANK, summary_reason="{{c:c_ffffffffffffffff}}" + "字" * 100), "不存在的证据"),
        (changed(BANK, summary_reason=told(BANK, "quality")), "足够的因子"),
        (changed(BANK, summary_reason="一切都好，没有取得新闻。" * 12), "足够的因子"),
        (changed(BANK, summary_reason=drafted(BANK).summary_reason.replace("没有取得", "略去")),
         "缺失"),
        (changed(TENCENT, summary_reason=told(TENCENT, "quality", "growth")), "估值"),
        (changed(CARS, hold_score=4.0, summary_reason=told(CARS, "valuation", "quality")), "成长"),
    ],
)  # fmt: skip
def test_the_reviewer_refuses(draft: ScoreDraft, word: str) -> None:
    called = {"乐视": HALTED, "腾讯": TENCENT, "比亚迪": CARS}
    symbol = next((one for name, one in called.items() if name in draft.summary_reason), BANK)
    assert word in refused(symbol, draft)


def test_a_high_score_argued_by_weak_factors_alone_is_refused() -> None:
    draft = changed(CARS, hold_score=7.0, summary_reason=told(CARS, "valuation", "quality"))
    assert "分数与理由不一致" in refused(CARS, draft)


def test_a_low_score_argued_by_strong_factors_alone_is_refused() -> None:
    draft = changed(CARS, hold_score=4.0, summary_reason=told(CARS, "growth", "liquidity"))
    assert "分数与理由不一致" in refused(CARS, draft)


def test_a_refusal_is_told_in_the_language_of_the_draft() -> None:
    draft = drafted(BANK, "en").model_copy(update={"hold_score": 1.0})
    assert "far below" in refused(BANK, draft)

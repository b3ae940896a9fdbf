"""A figure that a model typed becomes a place of its claim, or stands beside one."""

import pytest

from services.agents.draft_check import Proof, prove_text
from services.core.rendering import PLACE, place, render
from tests.unit.agents.kit import ASKED, DAY, claim

REVENUE = claim("revenue", 240_477_240_000.0, "CNY", period="2016_Q4", as_of=DAY)
GROWTH = claim("revenue_yoy", 22.975, "percent", period="2016_Q4", as_of=DAY)
PE = claim("pe_ttm", 10.14, "multiple", as_of=DAY)
PROOF = Proof((REVENUE, GROWTH, PE), {"600036.SH": ("招商银行",)}, ("利润 999 亿",))


def _text(written: str) -> str:
    return prove_text(written, ASKED, PROOF, 1).text


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("市盈率(TTM)为10.14倍。", "市盈率(TTM)为10.14倍。"),
        ("市盈率(TTM)约10倍。", "市盈率(TTM)10.14倍。"),
        ("2016年报营业收入2,404.77亿元。", "2016年报营业收入2,404.77亿元。"),
        ("2016年报营业收入约2405亿元。", "2016年报营业收入2,404.77亿元。"),
        ("2016年报营业收入超过2400亿元。", "2016年报营业收入超过2400亿元（2,404.77亿元）。"),
        ("2016年报营收同比增长二成三。", "2016年报营收同比增长二成三（+22.98%）。"),
        ("2016年报营业收入人民币2,404.77亿元。", "2016年报营业收入2,404.77亿元。"),
        ("招商银行PE10.14倍。", "招商银行PE 10.14倍。"),
    ],
)
def test_a_typed_figure_is_cited(written: str, expected: str) -> None:
    claims = {one.claim_id: one for one in PROOF.claims}
    found = _text(written)
    assert PLACE.findall(found)
    assert render(found, claims) == expected


def test_places_that_are_there_stay_where_they_are() -> None:
    written = f"市盈率(TTM)为{place(PE)}，2016年报营业收入2,404.77亿元，同比{place(GROWTH)}。"
    assert _text(written) == (
        f"市盈率(TTM)为{place(PE)}，2016年报营业收入{place(REVENUE)}，同比{place(GROWTH)}。"
    )


@pytest.mark.parametrize(
    "written", ["截至2017-07-26没有其他数据。", "新闻：「利润 999 亿」。", "20 日均线没有给出。"]
)
def test_what_is_no_figure_of_a_claim_is_left_alone(written: str) -> None:
    assert _text(written) == written


def test_a_text_that_does_not_hold_is_not_touched_into_holding() -> None:
    written = "市盈率(TTM)为10.14倍，净利润 5 亿元。"
    assert _text(written) == written


@pytest.mark.parametrize(
    "written",
    ["CNY 240.48 billion", "RMB240.48bn", "CNY 240.48bn", "about CNY 240 billion", "240.48 bn CNY"],
)
def test_english_money_is_printed_once(written: str) -> None:
    asked = ASKED.model_copy(update={"language": "en"})
    said = f"China Merchants Bank's 2016 revenue was {written}."
    proof = Proof(PROOF.claims, {"600036.SH": ("China Merchants Bank",)}, ())
    proved = prove_text(said, asked, proof, 1)
    assert proved.refusals == ()
    shown = render(proved.text, {one.claim_id: one for one in proof.claims}, "en")
    assert shown == "China Merchants Bank's 2016 revenue was 240.48 bn CNY."

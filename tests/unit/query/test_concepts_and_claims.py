"""What a word means, whether a figure said holds, forms of an answer, what nobody here holds."""

import pytest

from services.query.algebra.nodes import AllOf, Query
from services.query.answering.answers import Answered
from tests.unit.query.asking import query
from tests.unit.query.bundled_query import youju


def _last(*turns: str) -> Answered | str:
    """The answer to the last of these turns, or why it is put back, with its choices."""
    found = youju().query.ask(turns[0])
    for turn in turns[1:]:
        found = youju().query.ask(turn, found.session_id)
    if isinstance(found, Answered):
        return found
    assert found.turn.ask_back is not None
    return "\n".join((found.turn.ask_back.reason, *found.turn.ask_back.choices))


def _answer(*turns: str) -> Answered:
    found = _last(*turns)
    assert isinstance(found, Answered), found
    return found


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        (
            "什么叫市销率 跟市盈率差在哪",
            {"总市值 / 近十二个月营业收入", "股价 / 近十二个月每股收益"},
        ),
        ("roe怎么算的 你们这里", {"净利润 / 归母净资产"}),
        ("我刚入门,市净率到底怎么看", {"股价 / 最近一季每股净资产"}),
        ("RSI是什么意思", {"近 14 日平均涨幅", "高于 70 为超买"}),
        ("What does RSI 14 above 70 mean", {"mean rise over", "above 70 is overbought"}),
        ("净利率和毛利率有什么区别", {"净利润 / 营业收入", "毛利 / 营业收入"}),
        ("PE和PB到底看哪个", {"股价 / 近十二个月每股收益", "股价 / 最近一季每股净资产"}),
        ("what's the difference between PE and PB", {"price over book value per share"}),
        ("什么是MACD", {"12 日与 26 日指数均线之差", "DIF 的 9 日指数均线"}),
    ],
)
def test_a_word_of_the_trade_is_told_by_the_catalogue(text: str, defined: set[str]) -> None:
    found = _answer(text)
    told = [one.text for one in found.draft.items]
    assert all(any(said in one for one in told) for said in defined), told
    assert not found.claims


def test_a_question_of_a_company_or_a_set_is_no_question_of_a_word() -> None:
    assert _answer("茅台市净率").claims
    for text in ("银行股怎么看", "茅台怎么看"):
        found = _last(text)
        assert isinstance(found, str) or not found.draft.items


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("请核实:招商银行2016年净利润620.81亿,对吗", "是"),
        ("请核实:招商银行2016年净利润602.81亿,对吗", "否"),
        ("招行2016年ROE是15.4%吗", "是"),
        ("招行2016年净利润是600亿吗", "否"),
        ("网上说茅台市值5657亿 对吗", "是"),
        ("招行2016年净利润增长7.6%对吗", "是"),
        ("工行2016年净利润2782亿 对吗", "无法判断"),
        ("有媒体说比亚迪2016年净利翻倍不止 查一下", "否"),
        ("帮我核对一下 比亚迪2016年营收1034.7亿", "是"),
        ("比亚迪2016年营收应该是1043.7亿吧", "否"),
        ("BYD net profit 2016 is 5.05 billion, right?", "yes"),
    ],
)
def test_a_figure_said_is_checked_to_its_last_digit(text: str, holds: str) -> None:
    found = _answer(text)
    mark = ": " if holds == "yes" else "："
    assert f"{mark}{holds}" in found.draft.text


def test_a_claim_is_of_a_company_and_never_a_screen() -> None:
    asked = query("招商银行2016年净利润620.81亿,对吗")
    assert isinstance(asked, Query)
    assert isinstance(asked.check, AllOf)
    assert asked.where is None
    assert query("净利润620.81亿,对吗") is None


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("营收超过2000亿呢", "招商银行的2016年营业收入大于2000亿元：是"),
        ("市净率低于1吗", "招商银行的市净率(MRQ)小于1倍：否"),
        ("2015年呢", "招商银行的2015年净利润大于600亿元：否"),
        ("万科呢", "万科A的2016年净利润大于600亿元：否"),
    ],
)
def test_a_yes_or_no_goes_on_of_the_same_company(turn: str, told: str) -> None:
    assert told in _answer("招商银行2016年净利润超过600亿吗", turn).draft.text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("给我个表:招行、万科 近三年营收", "招行、万科 近三年营收"),
        ("长城汽车净利润最近五年 画个表也行", "长城汽车净利润最近五年"),
        ("三一 中联 徐工 PB PS 对比表", "三一 中联 徐工 PB PS 对比"),
        ("腾讯2016每股收益 人民币还是港币", "腾讯2016每股收益"),
        ("东财和乐视 2013到2016净利增速谁快", "东财和乐视 2013到2016净利增速谁高"),
        ("谷歌和苹果 2016年净利 换算成倍数", "谷歌和苹果 2016年净利润差几倍"),
        ("招商银行2016净利润变多还是变少", "招商银行2016净利润同比增长多少"),
        ("招行2016年净利润和2015年比是多了还是少了", "招行2016年净利润比2015年多多少"),
        ("招商银行 2016 净利润变多还是变少 对比15", "招商银行2016年净利润比2015年多多少"),
        ("比亚迪 2016 vs 2015 营收 净利", "比亚迪2015年和2016年营收、净利"),
        ("万科15 16年营收", "万科2015年和2016年营收"),
        ("科大讯飞2014到2016平均每年赚多少", "科大讯飞2014到2016平均净利润"),
        ("特斯拉亏了几年了", "特斯拉连续亏损几年"),
        ("万科欠了多少钱", "万科总负债"),
        ("招行A股市净率比H股高多少", "招行A股的市净率比招行H股的市净率高多少"),
        ("工商银行AH股市净率", "工商银行A股和H股市净率"),
        ("茅台市值相当于几个五粮液", "茅台市值是五粮液的几倍"),
    ],
)
def test_the_form_of_an_answer_changes_nothing_of_it(text: str, plain: str) -> None:
    asked = query(text)
    assert asked is not None
    assert asked == query(plain)


def test_a_statement_is_no_form() -> None:
    assert query("茅台资产负债表") is None


def test_the_figure_whose_meaning_was_asked_is_shown_of_a_company() -> None:
    example = _answer("市净率怎么看", "能举个例子么 用招行")
    assert "招商银行的市净率(MRQ)为" in example.draft.text
    both = _answer("PE和PB到底看哪个", "茅台呢").draft.text
    assert "市盈率(TTM)为" in both
    assert "市净率(MRQ)为" in both


def test_two_ways_of_one_difference_are_one_reading() -> None:
    assert isinstance(query("万科2016年和2015年的营收差多少"), Query)
    assert isinstance(query("腾讯2016年赚的钱比15年多了几成"), Query)


@pytest.mark.parametrize("text", ["腾迅今年以来涨幅", "腾迅的市净率"])
def test_a_name_heard_alike_is_proposed_and_answers(text: str) -> None:
    said = _last(text)
    assert isinstance(said, str)
    why, choice = said.splitlines()
    assert "腾迅" in why
    assert choice.startswith("腾讯控股")
    assert _answer(choice).claims


@pytest.mark.parametrize(
    "text",
    [
        "董明珠持股多少",
        "巴菲特最近买了啥",
        "刘强东持有多少股份",
        "茅台股东人数",
        "腾讯员工多少人",
        "格力空调卖了多少台",
    ],
)
def test_what_somebody_holds_is_told_as_not_held(text: str) -> None:
    said = _last(text)
    assert isinstance(said, str)
    assert said.startswith("没有「")


@pytest.mark.parametrize(
    "text", ["你们数据到哪天", "数据更新到什么时候", "How recent is your data?"]
)
def test_until_when_the_data_are_is_said(text: str) -> None:
    said = _last(text)
    assert isinstance(said, str)
    assert "2017-07-26" in said


@pytest.mark.parametrize("text", ["我輸入 00001 係邊間", "00001 是哪家"])
def test_a_code_asks_for_its_company(text: str) -> None:
    assert "长和（00001.HK）在港股上市" in _answer(text).draft.text


def test_where_a_company_is_listed_is_told_without_its_figures() -> None:
    found = _answer("BABA是什么公司")
    assert "阿里巴巴（BABA）在美股上市" in found.draft.text
    assert not found.claims


@pytest.mark.parametrize("text", ["茅台市值换算成美元多少", "你们有哪些数据", "数据是实时的吗"])
def test_what_is_asked_of_the_product_is_told_of_it(text: str) -> None:
    said = _last(text)
    assert isinstance(said, str)
    assert not said.startswith(("没有听懂", "没有读懂"))

"""Every hint leads somewhere: what is offered as a next question is asked, and must answer."""

import pytest

from services.core.text import Language
from services.query.algebra.scopes import named_symbols
from services.query.answering.answers import Answered
from services.query.reading.clarification import EXAMPLES, FIRM, about
from services.query.reading.conversations import kept_query
from services.query.sessions import Planned
from tests.unit.query.bundled_query import youju

LANGUAGES: tuple[Language, ...] = ("zh", "en")
# One question of each kind of answer, with data in the bundle.
ANSWERED = (
    "招行近一个月走势",
    "腾讯近一年股价走势",
    "上证指数近一年走势",
    "上证指数最新价",
    "苹果最新价",
    "苹果股价",
    "贵州茅台的净利润",
    "招行市盈率",
    "腾讯的市净率",
    "腾讯近三年营收",
    "腾讯同行对比",
    "五粮液同行对比",
    "乐视网异动",
    "A股银行股",
    "港股银行股",
    "市盈率小于20的A股",
    "Tencent price history last month",
    "600519 net profit",
    "A-shares with PE below 20",
)
# One question put back for each reason that names a company.
PUT_BACK = (
    "五粮液的研发费用率",
    "乐视网能买吗",
    "五粮液净利润为什么涨",
    "腾讯2016年8月的营收",
)


@pytest.mark.parametrize("text", ANSWERED)
def test_every_suggestion_answers_and_is_about_what_was_asked(text: str) -> None:
    found = _answered(text, None)
    assert found.suggestions
    subject = {claim.symbol for claim in found.claims}
    for suggestion in found.suggestions:
        assert suggestion != text
        after = _answered(suggestion, found.session_id)
        listed = found.turn.nlir is not None and found.turn.nlir.nodes[0].action == "screen"
        assert listed or {claim.symbol for claim in after.claims} & subject


@pytest.mark.parametrize("text", PUT_BACK)
def test_what_is_offered_in_place_of_something_is_about_that_company_and_answers(text: str) -> None:
    back = youju().query.ask(text)
    assert isinstance(back, Planned)
    assert back.ask_back is not None
    assert back.ask_back.choices
    meant = {"招": "600036.SH", "五": "000858.SZ", "乐": "300104.SZ"}.get(text[0], "00700.HK")
    symbols: set[str] = set()
    for choice in back.ask_back.choices:
        found = youju().query.ask(choice)
        assert isinstance(found, Answered), choice
        meant_here = kept_query(found.turn)
        if meant_here is not None:  # a plan of the algebra names its company in its scope
            symbols |= set(named_symbols(meant_here.scope) or ())
            continue
        symbols |= {
            str(node.arg("ticker")) for node in (found.turn.plir.nodes if found.turn.plir else ())
        }
    assert symbols == {meant}


@pytest.mark.parametrize("text", ["A股银行业市盈率中位数", "A股市盈率中位数", "银行业ROE中位数"])
def test_a_median_of_a_set_is_answered_with_how_many_have_the_figure(text: str) -> None:
    found = _answered(text, None)
    assert "中位数为" in found.text
    assert "家计（共" in found.text


@pytest.mark.parametrize("text", ["海螺的EPS增速"])
def test_what_is_offered_answers_and_is_of_what_was_asked(text: str) -> None:
    back = youju().query.ask(text)
    assert isinstance(back, Planned)
    assert back.ask_back is not None
    assert back.ask_back.choices
    assert not any("贵州茅台" in choice for choice in back.ask_back.choices)
    for choice in back.ask_back.choices:
        assert isinstance(youju().query.ask(choice, back.session_id), Answered), choice


def test_a_company_nobody_has_is_told_beside_one_that_is_held() -> None:
    found = _answered("AAPL和MSFT的EPS增速", None)
    assert found.text.startswith("没有收录「MSFT」")
    assert "苹果" in found.text


def test_no_suggestion_asks_the_same_thing_again() -> None:
    for text in ("苹果股价", "上证指数最新价", "腾讯的市净率"):
        found = _answered(text, None)
        for suggestion in found.suggestions:
            after = youju().query.ask(suggestion)
            assert isinstance(after, Answered)
            assert after.text != found.text


def test_an_indicator_is_answered_or_said_to_be_missing_with_what_there_is() -> None:
    for text in ("招行的RSI", "五粮液的MACD", "Tencent RSI"):
        found = youju().query.ask(text)
        assert isinstance(found, Answered)
        assert found.turn.nlir is not None
        assert [node.action for node in found.turn.nlir.nodes] == ["indicator"]
        assert "报告" not in found.text
        assert "个股页" not in found.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_answers(language: Language) -> None:
    for text in (*EXAMPLES[language], *about(language, FIRM[language][0])):
        _answered(text, None)


def _answered(text: str, session: str | None) -> Answered:
    found = youju().query.ask(text, session)
    assert isinstance(found, Answered), (text, found)
    assert found.draft.answered, (text, found.text)
    assert found.claims or found.draft.items, (text, found.text)
    return found

"""Questions through a session: who read them, what is kept, and that every choice answers."""

import pytest

from services.query.answering.answers import Answered
from services.query.sessions import Planned
from tests.unit.query.bundled_query import youju


def answered(text: str, session_id: str | None = None) -> Answered:
    found = youju().query.ask(text, session_id)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def carries(found: Answered) -> bool:
    assert found.turn.nlir is not None
    return any(node.arg("algebra") is not None for node in found.turn.nlir.nodes)


@pytest.mark.parametrize("text", ["贵州茅台2016年净利润", "市盈率小于20的A股", "ROE最高的5只A股"])
def test_a_simple_turn_keeps_todays_document(text: str) -> None:
    assert not carries(answered(text))


@pytest.mark.parametrize(
    "text",
    [
        "市净率低于1或者市盈率低于6的银行",
        "除了招商银行，市净率最低的5家银行",
        "市盈率低于同行的白酒股",
        "哪个行业的市盈率中位数最低",
    ],
)
def test_what_the_older_plan_cannot_say_is_answered(text: str) -> None:
    found = answered(text)
    assert carries(found)
    assert found.draft.plan_words


def test_a_company_listed_twice_is_its_a_share() -> None:
    assert "招商银行" in answered("招商银行市盈率").text


@pytest.mark.parametrize("text", ["银行股的市值", "五粮液2015年和2016年净利润的差"])
def test_every_choice_answers(text: str) -> None:
    query = youju().query
    for at in range(8):
        back = query.ask(text)
        assert isinstance(back, Planned)
        assert back.ask_back is not None
        if at >= len(back.ask_back.choices):
            break
        answered(back.ask_back.choices[at], back.session_id)


def test_a_list_and_its_exclusions_last_over_five_turns() -> None:
    session_id = youju().query.begin()
    for text in ("市盈率低于20的银行", "不要招商银行", "按市净率从低到高", "只看前三"):
        found = answered(text, session_id)
        assert "招商银行" not in found.text or "不含招商银行" in found.text
    assert "平均" in answered("它们的平均市净率", session_id).text


@pytest.mark.parametrize(
    "text", ["该买茅台还是五粮液", "茅台明天会涨吗", "讲个笑话", "PE或PB低的", "市值几百亿的公司"]
)
def test_what_is_refused_stays_refused(text: str) -> None:
    found = youju().query.ask(text)
    assert isinstance(found, Planned)
    assert found.ask_back is not None


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("茅台的公告", "feed"),
        ("茅台为什么跌", "abnormal"),
        ("什么是市盈率", "knowledge"),
        ("CPI", "macro"),
    ],
)
def test_other_tools_keep_their_questions(text: str, action: str) -> None:
    planned = youju().query.plan(text)
    assert planned.turn.nlir is not None
    assert planned.turn.nlir.nodes[0].action == action


def test_an_index_called_as_its_members_are_is_told_as_the_index() -> None:
    assert answered("沪深300年初至今", youju().query.begin()).text.startswith("沪深300")


@pytest.mark.parametrize(
    ("asked", "then", "told"),
    [
        ("Best and worst day for Tesla in 2015", "what was the volume", "show volume"),
        ("特斯拉2015年涨得最多和跌得最多的一天", "成交量呢", "看成交量"),
    ],
)
def test_a_turn_behind_two_things_told_at_once_is_of_each(asked: str, then: str, told: str) -> None:
    first = answered(asked)
    assert answered(then, first.session_id).draft.plan_words.count(told) == 2


def test_a_turn_that_stands_by_itself_is_not_asked_of_each() -> None:
    first = answered("Best and worst day for Tesla in 2015")
    assert "Apple" in answered("Apple net profit 2015", first.session_id).draft.plan_words


def test_companies_pointed_at_that_nobody_named_are_asked_for() -> None:
    found = youju().query.ask("Compare the two banks on valuation")
    assert isinstance(found, Planned)
    assert found.ask_back is not None
    assert "Which ones?" in found.ask_back.reason
    assert found.ask_back.choices

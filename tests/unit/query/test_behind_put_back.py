"""A turn behind one that was put back goes on from what was read of that one, or is put back."""

from collections import Counter

import pytest

from services.language.plain_text import is_cjk
from services.query.algebra.nodes import Query
from services.query.answering.answers import Answered
from services.query.planning.plir import Session, Turn
from services.query.reading.at_home import at_home
from services.query.reading.conversations import kept_query
from tests.unit.query.asking import query
from tests.unit.query.bundled_query import youju
from tests.unit.query.made_turns import SAID, alike, turns

# Words nobody knows: what they stand in is put back.
_UNKNOWN = {True: " 布拉布拉", False: " blahblah"}
# So many of a hundred are read as what they mean at least; the others are put back or offered.
LEAST_RIGHT = 80


def planned(*texts: str) -> Turn:
    session, found = None, None
    for text in texts:
        plan = youju().query.plan(text, session)
        session, found = plan.session_id, plan.turn
    assert found is not None
    return found


def _read(turn: Turn) -> Query | None:
    """The query of a turn's plan, of several companies as one."""
    return kept_query(turn)


def test_a_turn_behind_a_company_question_put_back_is_its_edit_of_what_was_read() -> None:
    found: Counter[str] = Counter()
    wrong: list[str] = []
    named = {base for kind in ("one", "two", "years") for of in SAID["base"][kind].values()
             for base in of}  # fmt: skip
    seen: Counter[tuple[str, str, bool]] = Counter()
    for name, text, turn, edit in turns():
        key = (name, text, is_cjk(turn[0]))
        if text not in named or is_cjk(text[0]) != is_cjk(turn[0]) or seen[key] >= 1:
            continue
        seen[key] += 1
        base = query(text)
        assert isinstance(base, Query)
        if (edited := edit(base)) is None:
            continue
        wanted = at_home(edited)
        got = planned(f"{text}{_UNKNOWN[is_cjk(text[0])]}", turn)
        if got.ask_back is not None:
            found["put back"] += 1
            continue
        read = _read(got)
        is_right = read is not None and isinstance(wanted, Query) and alike(read, wanted)
        found["right" if is_right else "wrong"] += 1
        if not is_right:
            wrong.append(f"{text} | {turn}")
    assert wrong == []
    assert found["right"] * 100 >= LEAST_RIGHT * found.total(), found


def test_whom_declined_advice_was_about_is_who_is_meant_next() -> None:
    meant = _read(planned("腾讯近三年净利润增速"))
    assert meant is not None
    for turn in ("近三年净利润增速", "那不问这个，近三年净利润增速给我"):
        assert _read(planned("腾讯这个价位该不该加仓", turn)) == meant


@pytest.mark.parametrize(
    ("before", "text", "choices"),
    [
        # A set whose words were not all read is never shown for the whole of what was asked.
        ("A股银行市盈率低于10布拉布拉的", "按市值从高到低排", 1),
        # A name of two companies is each of them.
        ("金沙同银娱边间市值大", "毛利率呢", 2),
    ],
)
def test_what_is_left_open_is_offered_and_answers(before: str, text: str, choices: int) -> None:
    back = planned(before, text).ask_back
    assert back is not None
    assert len(back.choices) == choices
    for choice in back.choices:
        assert planned(before, text, choice).ask_back is None


def test_a_word_nobody_knows_is_left_aside_and_told() -> None:
    session = youju().query.ask("茅台2016年的布拉布拉").session_id
    after = youju().query.ask("股价最近一个月涨了多少", session)
    assert isinstance(after, Answered)
    assert "上一句没有读懂的「布拉布拉」没有算在内" in after.draft.notes
    assert "贵州茅台" in after.draft.plan_words
    assert planned("除了茅台布拉最大的白酒", "市盈率呢").ask_back is not None


def test_a_company_named_behind_a_figure_of_nobody_completes_it() -> None:
    done = planned("第二名近三年分红情况", "中国神华呢")
    assert done.nlir is not None
    assert [node.arg("entity") for node in done.nlir.nodes] == ["中国神华(601088.SH)"]
    assert [node.arg("count") for node in done.nlir.nodes] == [3]


def test_days_of_another_tool_are_those_of_the_next_turn() -> None:
    done = planned("上证指数7月以来怎么走", "最高收盘是几号")
    read = _read(done)
    assert read is not None
    assert read.window is not None
    assert str(read.window.first) == "2017-07-01"


def test_what_is_not_held_is_told_again_where_nothing_else_can_be_gone_on_from() -> None:
    back = planned("创业板研发占收入10%以上的", "总共几家").ask_back
    assert back is not None
    assert "「研发」" in back.reason


@pytest.mark.parametrize(
    ("before", "text", "said"),
    [
        ("金山软件16年净利", "它俩哪个亏得多", "金山软件"),
        ("茅台市值", "这两家哪个市盈率高", "贵州茅台"),
    ],
)
def test_of_one_company_told_the_other_is_asked(before: str, text: str, said: str) -> None:
    back = planned(before, text).ask_back
    assert back is not None
    assert said in back.reason
    assert back.choices == ()


def test_the_turn_is_read_alike_from_its_stored_text() -> None:
    """What a turn left is worked out anew: nothing but its document is kept."""
    service = youju().query
    first = service.plan("格力电器和美的集团2015年的净利润 布拉布拉")
    document = Session.model_validate_json(service.session(first.session_id).model_dump_json())
    readers = service._reading.readers
    read = readers.read("总资产呢", document)
    assert isinstance(read.query, Query)
    assert read.query == query("格力电器和美的集团2015年的总资产")


def test_a_set_chooses_of_the_companies_a_name_may_mean() -> None:
    assert _read(planned("华夏的PE", "地产那个")) == query("华夏幸福的市盈率")
    assert _read(planned("中信的市净率", "券商")) == query("中信证券的市净率")
    assert _read(planned("中信的市净率", "证券 A股")) == query("中信证券的市净率")
    # One of them is called so.
    assert _read(planned("华润的市盈率", "医药那家")) == query("华润医药的市盈率")
    several = planned("华润的市盈率", "A股那家").ask_back
    assert several is not None
    assert several.choices == ("华润三九的市盈率", "华润双鹤的市盈率")
    assert _read(planned("中信的市净率", "券商的平均市净率")) == query("券商的平均市净率")


def test_what_a_turn_lacks_itself_is_told_of_it() -> None:
    back = planned("万科2016年研发人员有多少", "员工总数也没有吗").ask_back
    assert back is not None
    assert "员工总数" in back.reason


def test_an_example_of_what_can_be_asked_is_chosen_by_its_place_alone() -> None:
    """2016 stands in one of the examples, 20 in another: neither is what was meant."""
    for reply in ("2016呢", "20呢", "茅台呢"):
        back = planned("怎么一下翻倍的", reply).ask_back
        assert back is not None, reply
    assert _read(planned("怎么一下翻倍的", "第二个")) == _read(planned("市盈率小于20的A股"))


def test_what_points_at_companies_is_no_answer_to_which_figure() -> None:
    """By which figure the first three are was asked; their P/S says that of companies not told."""
    for first, then in (
        ("construction & decoration sector: top three", "their P/S"),
        ("建筑装饰行业前三", "它们的市销率"),
    ):
        assert planned(first, then).ask_back is not None, then
    assert _read(planned("建筑装饰行业前三", "市销率")) is not None

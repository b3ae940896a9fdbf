"""The product's reader beside its question set: the protocol's turns, ids, languages, threads."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import cast

import pytest

from services.core.names import NameRow
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.planning.metadata import read_metadata
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.reader import AskReader
from services.query.reading.readers import Readers, ReadTurn
from tests.blocks import block_of, blocks
from tests.unit.market.bundled import bundle
from tests.unit.query.bundled_query import youju
from tests.unit.query.stored_questions import STORED, all_read, asked, questions
from tests.unit.query.test_questions import plain

pytestmark = pytest.mark.xdist_group(STORED)

EMPTY = Session(session_id="s")


def nlir(turn: Turn) -> Nlir:
    assert turn.nlir is not None, turn.ask_back
    return turn.nlir


def test_the_turns_of_the_protocol_slot_for_slot() -> None:
    first, second = map(nlir, asked("查一下茅台的营收", "那五粮液呢？"))
    period = {"key": "period", "name": "报告期", "value": "最新", "type": "field"}

    def company(name: str) -> dict[str, str]:
        return {"key": "entity", "name": "公司名称", "value": name, "type": "entity"}

    def revenue(key: str) -> dict[str, object]:
        return {"key": key, "name": "营业收入", "value": None, "type": "field"}

    node = {"id": "node_1", "action": "query", "ref_id": None}
    assert first.model_dump()["nodes"] == (
        {**node, "outputs": (revenue("var_rev"),), "args": (company("贵州茅台"), period)},
    )
    node = {"id": "node_2a", "action": "query", "ref_id": "turn_01.node_1"}
    assert second.model_dump()["nodes"] == (
        {**node, "outputs": (revenue("var_rev_wu"),), "args": (company("五粮液"), period)},
    )


def test_nodes_are_numbered_in_the_first_turn_and_lettered_after() -> None:
    first, second = map(nlir, asked("茅台和五粮液的ROE", "它们的净利润呢"))
    assert [node.id for node in first.nodes] == ["node_1", "node_2"]
    assert [node.id for node in second.nodes] == ["node_2a", "node_2b"]
    assert [node.ref_id for node in second.nodes] == ["turn_01.node_1", "turn_01.node_2"]
    assert [node.outputs[0].key for node in second.nodes] == ["var_profit_gui", "var_profit_wu"]


@pytest.mark.parametrize(("text", "zh"), [("平安的市盈率", True), ("stocks with PE above", False)])
def test_it_asks_back_in_the_language_asked(text: str, zh: bool) -> None:
    found = asked(text)[0].ask_back
    assert found is not None
    assert any("一" <= char <= "鿿" for char in found.reason) is zh


@pytest.mark.parametrize(
    "text", ["茅" * 500, "\x00", "🙂🙂", "的" * 300, "((((", "PE<" * 50, "@", "茅台" * 60]
)
def test_nothing_raises(text: str) -> None:
    (found,) = asked(text)
    assert (found.nlir is None) != (found.ask_back is None)


def test_every_ask_back_says_why() -> None:
    for name, turns in all_read().items():
        assert all(one.nlir is not None or one.ask_back.reason for one in turns if one.ask_back), (
            name
        )


@cache
def reader() -> Readers:
    found = youju().query._reading.readers
    assert isinstance(found, Readers)
    return found


def test_threads_may_share_it() -> None:
    texts = [one["turns"][0]["text"] for one in questions()][:120]

    def read(text: str) -> ReadTurn:
        return reader().read(text, EMPTY)

    alone = [read(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(read, texts))
    assert together == alone


def test_newer_names_are_understood_once_they_join() -> None:
    market = bundle()
    names = Names(market.tables.names())
    ask = AskReader(names, market.clock)
    newest = Readers(ask, names, read_metadata(), market.clock, Calendar())
    assert isinstance(newest.read("宁德时代为什么跌", EMPTY).answer, AskBack)
    row = NameRow(
        "300750.SZ", "宁德时代", "CN", "stock", None, (), ("ningdeshidai",), ("ndsd",), None, None
    )
    names.renew([row])
    found = newest.read("宁德时代为什么跌", EMPTY).answer
    assert isinstance(found, Nlir)
    assert found.nodes[0].arg("entity") == "宁德时代"


def test_every_listed_mainland_name_is_found_or_asked_back_with_it() -> None:
    names = Names(bundle().tables.names())
    wrong: list[str] = []
    listed = [one for one in names.rows.values() if (one.market, one.kind) == ("CN", "stock")]
    for row in listed[::4]:
        lattice = reader().lattice(f"{row.name}的营收")
        found = {
            symbol for one in lattice.has("ENT") for symbol in cast("tuple[str, ...]", one.sem)
        }
        wrong += [] if row.symbol in found else [row.name]
    assert wrong == []


def backs(text: str) -> AskBack:
    found = asked(*text.split(">>"))[-1]
    assert found.ask_back is not None, found
    return found.ask_back


# Of these only a company is chosen; what is asked of it comes in the next turn.
COMPANY_ALONE = {"平安", "000001"}


@pytest.mark.parametrize("block", blocks(5))
def test_every_choice_can_be_asked_as_it_is(block: int) -> None:
    """Of each third question put back: a choice is no dead end."""
    dead: list[tuple[str, str]] = []
    backs = [
        [turn.user_query for turn in turns]
        for turns in all_read().values()
        if turns[-1].ask_back is not None and turns[-1].ask_back.choices
    ]
    for texts in block_of(backs[::3], block, 5):
        back = asked(*texts)[-1].ask_back
        assert back is not None
        if texts[-1] not in COMPANY_ALONE:
            again = ((choice, asked(*texts, choice)[-1].ask_back) for choice in back.choices)
            dead += [(texts[-1], choice) for choice, put in again if put is not None]
    assert dead == []


@pytest.mark.parametrize("block", blocks(4))
def test_no_reading_breaks_on_cut_and_joined_questions(block: int) -> None:
    """Seeded: halves of questions, two in one, letters in the middle, words shuffled."""
    chosen = random.Random(20170726)
    texts = [turn["text"] for one in questions() for turn in one["turns"] if turn["text"]]
    inside = (
        "的",
        "%",
        "亿",
        "-",
        "9" * 12,
        "PE",
        "大于",
        "\x00",
        "½",
        "\ue000",
        "\ue100",
        "\ue200",
    )
    made: list[str] = []
    for _ in range(30):
        one, other = chosen.choice(texts), chosen.choice(texts)
        at = chosen.randint(0, len(one))
        made += [one[at:], one + "，" + other, one[:at] + chosen.choice(inside) + one[at:]]
        made.append("".join(chosen.sample(one, len(one))))
    for at in block_of(range(0, len(made), 5), block, 4):
        for found in asked(*made[at : at + 5]):
            assert found.nlir is not None or (found.ask_back and found.ask_back.reason)


def test_characters_of_the_shadow_are_no_companies_and_no_figures() -> None:
    (found,) = asked("茅台的\ue000\ue100\ue200\ue500营收")
    assert found.ask_back is not None
    assert "贵州茅台的营业收入" in found.ask_back.choices


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("市值超过100亿美元的A股", "不能换算"),
        ("市盈率20倍左右的股票", "市盈率"),
        ("市盈率最低的前1000只", "1000"),
        ("今天涨停的股票有哪些", "涨停"),
        ("最便宜的10只银行股", "市盈率还是市净率"),
        ("你好", "有出处"),
    ],
)
def test_what_a_screen_cannot_do_is_said(text: str, kept: str) -> None:
    assert kept in backs(text).reason


@pytest.mark.parametrize(("text", "way"), [("升序", "升序"), ("降序", "降序")])
def test_an_order_is_turned_round(text: str, way: str) -> None:
    found = asked("净利润前十的A股", text)[-1]
    assert nlir(found).nodes[0].arg("order") == way


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("改成3%", ("dy_l", "大于3%")),
        ("改成8倍", ("pettm", "小于8")),
    ],
)
def test_a_figure_without_a_name_changes_the_condition_of_its_unit(
    text: str, changed: tuple[str, str]
) -> None:
    found = asked("市盈率小于10倍，股息率大于5%的A股", text)[-1]
    assert nlir(found).nodes[0].arg(changed[0]) == changed[1]


def test_a_figure_that_may_be_of_either_condition_is_asked_back() -> None:
    assert "5倍" in backs("市盈率小于10倍，市净率小于2倍的A股>>改成5倍").reason


def test_a_reply_with_several_left_narrows_the_choices() -> None:
    assert set(backs("平安的市盈率>>中国平安").choices) == {
        "中国平安(601318.SH)的市盈率",
        "中国平安(02318.HK)的市盈率",
    }


def test_a_full_question_after_a_question_back_is_no_reply() -> None:
    found = asked("平安的市盈率", "茅台的营收")[-1]
    assert plain(found)["nodes"][0]["outputs"] == ["营业收入"]


def test_a_place_of_a_list_becomes_an_offset() -> None:
    found = asked("净利润前十的A股", "第三名呢")[-1]
    assert found.plir is not None
    assert (found.plir.nodes[0].arg("size"), found.plir.nodes[0].arg("offset")) == (1, 2)


def test_english_is_answered_in_english() -> None:
    for text in ("PE above", "revenue of Foobar Holdings", "hi"):
        assert re.search("[一-鿿]", backs(text).reason) is None

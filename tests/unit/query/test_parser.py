"""The rule parser beside its question set: the protocol's own turns, ids, languages, threads."""

import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.core.names import NameRow
from services.market.names.names import Names
from services.query.planning.mapper import to_plir
from services.query.planning.metadata import read_metadata
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.parser import RuleParser
from tests.unit.market.bundled import bundle
from tests.unit.query.test_questions import parser, plain, questions

EMPTY = Session(session_id="s")


def asked(*texts: str) -> list[Nlir | AskBack]:
    session, found = EMPTY, list[Nlir | AskBack]()
    for number, text in enumerate(texts, 1):
        one = parser().parse(text, session)
        nlir, back = (one, None) if isinstance(one, Nlir) else (None, one)
        turn = Turn(turn_id=f"turn_{number:02d}", user_query=text, nlir=nlir, ask_back=back)
        session = Session(session_id="s", turns=(*session.turns, turn))
        found.append(one)
    return found


def test_the_turns_of_the_protocol_slot_for_slot() -> None:
    first, second = asked("查一下茅台的营收", "那五粮液呢？")
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
    first, second = asked("茅台和五粮液的ROE", "它们的净利润呢")
    assert isinstance(first, Nlir)
    assert isinstance(second, Nlir)
    assert [node.id for node in first.nodes] == ["node_1", "node_2"]
    assert [node.id for node in second.nodes] == ["node_2a", "node_2b"]
    assert [node.ref_id for node in second.nodes] == ["turn_01.node_1", "turn_01.node_2"]
    assert [node.outputs[0].key for node in second.nodes] == ["var_profit_gui", "var_profit_wu"]


@pytest.mark.parametrize(("text", "zh"), [("平安的市盈率", True), ("stocks with PE above", False)])
def test_it_asks_back_in_the_language_asked(text: str, zh: bool) -> None:
    (found,) = asked(text)
    assert isinstance(found, AskBack)
    assert any("一" <= char <= "鿿" for char in found.reason) is zh


@pytest.mark.parametrize(
    "text", ["茅" * 600, "\x00", "🙂🙂", "的" * 300, "((((", "PE<" * 50, "@", "茅台" * 60]
)
def test_nothing_raises(text: str) -> None:
    assert isinstance(asked(text)[0], (Nlir, AskBack))


def test_every_ask_back_offers_something() -> None:
    for one in questions():
        texts = [turn["text"] for turn in one["turns"]]
        for found in asked(*texts):
            assert isinstance(found, Nlir) or (found.reason and found.choices), texts


def test_threads_may_share_it() -> None:
    texts = [one["turns"][0]["text"] for one in questions()][:200]
    alone = [plain(parser().parse(text, EMPTY)) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: plain(parser().parse(text, EMPTY)), texts))
    assert together == alone


def test_newer_names_are_understood_once_they_join() -> None:
    market = bundle()
    names = Names(market.tables.names())
    reader = RuleParser(names, read_metadata(), market.clock)
    assert isinstance(reader.parse("宁德时代的营收", EMPTY), AskBack)
    row = NameRow(
        "300750.SZ", "宁德时代", "CN", "stock", None, (), ("ningdeshidai",), ("ndsd",), None, None
    )
    names.renew([row])
    found = reader.parse("宁德时代的营收", EMPTY)
    assert isinstance(found, Nlir)
    assert found.nodes[0].arg("entity") == "宁德时代"


def test_every_listed_mainland_name_is_found_or_asked_back_with_it() -> None:
    names = Names(bundle().tables.names())
    wrong: list[str] = []
    for row in names.rows.values():
        if row.market != "CN" or row.kind != "stock":
            continue
        found = parser().parse(f"{row.name}的营收", EMPTY)
        if isinstance(found, AskBack):
            right = any(row.symbol in choice for choice in found.choices)
        else:
            right = str(found.nodes[0].arg("entity")).startswith(row.name)
        wrong += [] if right else [row.name]
    assert wrong == []


def backs(text: str, *, last: bool = True) -> AskBack:
    found = asked(*text.split(">>"))[-1 if last else 0]
    assert isinstance(found, AskBack), found
    return found


# Of these only a company is chosen; what is asked of it comes in the next turn.
COMPANY_ALONE = {"平安", "000001"}


def test_every_choice_can_be_asked_as_it_is() -> None:
    dead: list[tuple[str, str]] = []
    for one in questions():
        texts = [turn["text"] for turn in one["turns"]]
        for number, found in enumerate(asked(*texts), 1):
            if isinstance(found, AskBack) and texts[number - 1] not in COMPANY_ALONE:
                before = texts[:number]
                dead += [
                    (texts[number - 1], choice)
                    for choice in found.choices
                    if isinstance(asked(*before, choice)[-1], AskBack)
                ]
    assert dead == []


def test_no_reading_breaks_on_cut_and_joined_questions() -> None:
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
    for _ in range(150):
        one, other = chosen.choice(texts), chosen.choice(texts)
        at = chosen.randint(0, len(one))
        made += [one[at:], one + "，" + other, one[:at] + chosen.choice(inside) + one[at:]]
        made.append("".join(chosen.sample(one, len(one))))
    for at in range(0, len(made), 5):
        for found in asked(*made[at : at + 5]):
            assert isinstance(found, Nlir) or (found.reason and found.choices)


def test_characters_of_the_shadow_are_no_companies_and_no_figures() -> None:
    (found,) = asked("茅台的\ue000\ue100\ue200\ue500营收")
    assert isinstance(found, Nlir)
    assert plain(found)["nodes"][0]["args"]["entity"] == "贵州茅台"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("PE<10或者股息率>5%", "满足其一"),
        ("非银行股股息率大于3%", "排除"),
        ("创业板市盈率低于30的股票", "创业板"),
        ("2015年净利润大于10亿的公司", "最新数据"),
        ("市值超过100亿美元的A股", "人民币"),
        ("市盈率20倍左右的股票", "从多少到多少"),
        ("毛利率最高的10家公司", "不能按「毛利率」排序"),
        ("市盈率最低的前1000只", "500"),
        ("今天涨停的股票有哪些", "涨停"),
        ("最便宜的10只银行股", "按什么排"),
        ("你好", "有出处"),
    ],
)
def test_what_a_screen_cannot_do_is_said(text: str, kept: str) -> None:
    assert kept in backs(text).reason


@pytest.mark.parametrize(
    ("text", "way"),
    [("倒过来排", "升序"), ("倒序", "升序"), ("升序", "升序"), ("降序", "降序")],
)
def test_an_order_is_turned_round_or_said(text: str, way: str) -> None:
    found = asked("净利润前十的A股", text)[-1]
    if text == "降序":  # it is that already: nothing to change
        assert isinstance(found, AskBack)
        return
    assert isinstance(found, Nlir)
    assert found.nodes[0].arg("order") == way


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("改成3%", ("dy_l", "大于3%")),
        ("改成8倍", ("pettm", "小于8倍")),
        ("小于2%", ("dy_l", "小于2%")),
    ],
)
def test_a_figure_without_a_name_changes_the_condition_of_its_unit(
    text: str, changed: tuple[str, str]
) -> None:
    found = asked("市盈率小于10倍，股息率大于5%的A股", text)[-1]
    assert isinstance(found, Nlir)
    assert found.nodes[0].arg(changed[0]) == changed[1]


def test_a_figure_that_may_be_of_either_condition_is_asked_back() -> None:
    assert backs("市盈率小于10倍，市净率小于2倍的A股>>改成5倍").choices == (
        "市盈率(TTM)改成5倍",
        "市净率改成5倍",
    )


def test_a_reply_with_several_left_narrows_the_choices() -> None:
    assert set(backs("平安的市盈率>>中国平安").choices) == {
        "中国平安(601318.SH)的市盈率",
        "中国平安(02318.HK)的市盈率",
    }


def test_a_full_question_after_a_question_back_is_no_reply() -> None:
    found = asked("平安的市盈率", "茅台的营收")[-1]
    assert isinstance(found, Nlir)
    assert plain(found)["nodes"][0]["outputs"] == ["营业收入"]


def test_a_place_of_a_list_becomes_an_offset() -> None:
    found = asked("净利润前十的A股", "第三名呢")[-1]
    assert isinstance(found, Nlir)
    market = bundle()
    names = Names(market.tables.names())
    plir = to_plir(found, names, read_metadata(), market.clock)
    assert not isinstance(plir, AskBack)
    assert (plir.nodes[0].arg("size"), plir.nodes[0].arg("offset")) == (1, 2)


def test_english_is_answered_in_english() -> None:
    for text in ("PE above", "revenue of Foobar Holdings", "ChiNext stocks with PE below 30", "hi"):
        assert re.search("[一-鿿]", backs(text).reason) is None

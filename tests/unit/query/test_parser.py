"""The rule parser beside its question set: the protocol's own turns, ids, languages, threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from services.core.names import NameRow
from services.market.names import Names
from services.query.metadata import read_metadata
from services.query.nlir import AskBack, Nlir
from services.query.parser import RuleParser
from services.query.plir import Session, Turn
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

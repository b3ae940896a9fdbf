"""The questions written from outside, file by file; and figures reached by every name they have."""

import csv

import pytest

from services.settings import ROOT
from tests.blocks import first_of_each
from tests.unit.query.bundled_query import metadata
from tests.unit.query.stored_questions import STORED, asked, questions
from tests.unit.query.test_questions import failures, not_yet

pytestmark = pytest.mark.xdist_group(STORED)

FILES = ("figures", "periods", "events", "texts", "english")
# Names of figures that are put back, beside a company, with what may be meant.
NOT_READ = frozenset(
    {
        "change",
        "涨得多",
        "跌得多",
        "涨得好",
        "涨得快",
        "涨没涨",
        "跌没跌",
        "是涨是跌",
        "升幅",
        "区间跌幅",
        "% change",
        "成交量",
        "量",
        "Volume",
        "成交股数",
        "trading volume",
        "交易量",
        "share volume",
        "turnover",
        "分红率",
        "earned",
        "亏了多少",
        "亏多少",
        "亏了多少钱",
    }
)


@pytest.mark.parametrize("file", FILES)
def test_questions_from_outside_are_read_right(file: str) -> None:
    asked = [one["id"] for one in questions() if one["id"].startswith(f"outside_{file}-")]
    wrong = {name: failures()[name] for name in asked if name in failures()}
    assert len(asked) >= 40
    assert wrong.keys() <= not_yet(), wrong


def names_of_figures() -> list[tuple[str, str]]:
    """Every name and alias of the contract's figures, with the code it stands for.

    Inputs and events are no figures.
    """
    rows = csv.DictReader(
        (ROOT / "data" / "metric-codes.csv").read_text(encoding="utf-8").splitlines()
    )
    return [
        (name, row["code"])
        for row in rows
        if row["code"].startswith(("company.finance.", "company.valuation.", "company.quote."))
        for name in (row["name"], *row["aliases"].split("|"))
        if name
    ]


# The first name of each figure always.
@pytest.mark.parametrize(("name", "code"), first_of_each(names_of_figures(), lambda one: one[1]))
def test_every_name_of_the_contract_reaches_its_code(name: str, code: str) -> None:
    (found,) = asked(f"贵州茅台 {name}")
    if found.nlir is None:
        assert name in NOT_READ, found.ask_back
        return
    assert metadata().resolve(found.nlir.nodes[0].outputs[0].name).code == code


@pytest.mark.parametrize(
    "word", ["异动", "异常波动", "大涨", "大跌", "暴涨", "暴跌", "为什么涨", "为什么跌"]
)
def test_every_name_of_an_abnormal_move_asks_for_it(word: str) -> None:
    (found,) = asked(f"贵州茅台{word}")
    assert found.nlir is not None
    assert [node.action for node in found.nlir.nodes] == ["abnormal"]

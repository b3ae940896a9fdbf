"""The questions written from outside, file by file; and figures reached by every name they have."""

import csv

import pytest

from services.query.planning.nlir import Nlir
from services.query.planning.plir import Session
from services.settings import ROOT
from tests.unit.query.bundled_query import metadata
from tests.unit.query.test_questions import failures, parser, questions

EMPTY = Session(session_id="s")
FILES = ("figures", "periods", "events", "texts", "english")
LEAST_RIGHT = 0.97


@pytest.mark.parametrize("file", FILES)
def test_questions_from_outside_are_read_right(file: str) -> None:
    asked = [one["id"] for one in questions() if one["id"].startswith(f"outside_{file}-")]
    wrong = {name: failures()[name] for name in asked if name in failures()}
    assert len(asked) >= 40
    assert 1 - len(wrong) / len(asked) >= LEAST_RIGHT, wrong


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


@pytest.mark.parametrize(("name", "code"), names_of_figures())
def test_every_name_of_the_contract_reaches_its_code(name: str, code: str) -> None:
    texts = (f"贵州茅台 {name}", f"600519 {name} 2016年报", f"{name} of Moutai")
    for text in texts if len(name) > 1 else texts[:2]:  # 量 is a figure behind a company only
        found = parser().parse(text, EMPTY)
        assert isinstance(found, Nlir), text
        assert [metadata().resolve(slot.name).code for slot in found.nodes[0].outputs] == [code]


@pytest.mark.parametrize(
    "word", ["异动", "异常波动", "大涨", "大跌", "暴涨", "暴跌", "为什么涨", "为什么跌"]
)
def test_every_name_of_an_abnormal_move_asks_for_it(word: str) -> None:
    found = parser().parse(f"贵州茅台{word}", EMPTY)
    assert isinstance(found, Nlir)
    assert [node.action for node in found.nodes] == ["abnormal"]

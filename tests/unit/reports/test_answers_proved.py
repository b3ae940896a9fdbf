"""What an answer says is proved as it is printed and as it is packed: sets, folds, companies."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from services.cli.checking import DocumentChecker
from services.container import SystemClock
from services.evidence_pack.answers import answer_pack
from services.evidence_pack.verify import verify_pack
from services.query.answering.answers import Answered, wire_of
from tests.unit.query.bundled_query import youju

Answer = dict[str, Any]

# Each was refused once: medians of an industry, counts of a board or of losses, a window without a
# figure, a share of a set, an industry's words, the asker's own limits, the figure of another
# company in a row, a sum over those listed, a set that reads like a name.
QUESTIONS = (
    "白酒行业市盈率中位数",
    "A股有多少家公司亏损",
    "茅台净利润近五年复合增长率",
    "创业板市值前十",
    "median PE of Hong Kong banks",
    "银行业ROE平均值",
    "医药行业总市值合计",
    "茅台市值占食品饮料行业的比例",
    "How many Hong Kong companies trade below book value?",
    "格力和美的的市盈率相差多少",
    "茅台的市盈率是五粮液的几倍",
    "Tencent market cap as a share of all Hong Kong stocks",
    "市值前十的港股合计市值",
    "招商银行和平安银行市值之和",
    "港股银行股市净率中位数",
)


@pytest.fixture(params=QUESTIONS)
def answered(request: pytest.FixtureRequest) -> Answered:
    found = youju().query.ask(request.param)
    assert isinstance(found, Answered), found
    return found


def _printed(found: Answered) -> Answer:
    # As `print_json` writes it: a copy that shares nothing with the answer.
    return json.loads(json.dumps(wire_of(found), ensure_ascii=False, allow_nan=False, default=str))


def _checked(answer: Mapping[str, Any]) -> list[Answer]:
    checker = DocumentChecker(youju().clock, SystemClock(), lambda: youju().names)
    return checker.check_document(dict(answer))["failures"]


def test_it_passes_the_check_as_it_is_and_its_pack_holds(answered: Answered) -> None:
    answer = _printed(answered)
    assert answered.claims
    assert _checked(answer) == []
    verdict = verify_pack(answer_pack(youju(), answered, answer))
    assert [(one.place, str(one.reason)) for one in verdict.failures] == []


@pytest.mark.parametrize(
    ("asked", "wrong", "check"),
    [
        ("白酒行业市盈率中位数", ("市盈率(TTM)中位数为", "市净率(MRQ)中位数为"), "metric"),
        ("银行行业市净率中位数", ("1.52", "1.42"), "value"),
        ("医药行业总市值合计", ("A股医药生物的", "A股海外业务的"), "metric"),
        ("港股市净率小于1的公司有多少家", ("且小于1倍", "且小于3倍"), "unit"),
        ("茅台净利润近五年复合增长率", ("最近5年", "最近8年"), "period"),
    ],
)  # fmt: skip
def test_what_was_changed_in_it_is_found(asked: str, wrong: tuple[str, str], check: str) -> None:
    found = youju().query.ask(asked)
    assert isinstance(found, Answered)
    answer = _printed(found)
    assert wrong[0] in answer["text"]
    answer["text"] = answer["text"].replace(*wrong)
    assert check in {one["check"] for one in _checked(answer)}


def test_a_sum_over_named_companies_says_who_is_not_in_it() -> None:
    found = youju().query.ask("招商银行和平安银行市值之和")
    assert isinstance(found, Answered)
    assert {one.symbol for one in found.claims if one.metric == "market_cap"} == {"600036.SH"}
    assert "算不全：平安银行没有总市值" in found.text


@pytest.mark.parametrize(
    "asked", ["贵州茅台的MACD是多少", "Moutai's RSI", "贵州茅台的MACD和招商银行的市盈率是多少"]
)
def test_why_nothing_came_is_no_figure_and_a_figure_in_its_place_is_read(asked: str) -> None:
    answered = youju().query.ask(asked)
    assert isinstance(answered, Answered)
    answer = _printed(answered)
    (why,) = answer["lacks"]
    assert why in answer["text"]
    assert _checked(answer) == []
    verdict = verify_pack(answer_pack(youju(), answered, answer))
    assert [(one.place, str(one.reason)) for one in verdict.failures] == []
    lie = "招商银行：净利润 120亿元。"
    told = {key: answer[key].replace(why, lie) for key in ("text", "template")}
    assert _checked({**answer, **told, "lacks": [lie]})

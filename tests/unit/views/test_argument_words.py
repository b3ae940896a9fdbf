"""What a tool was asked for is told in words: no key of ours, no JSON."""

import json

from services.core.catalogue import SCREEN_FIELDS
from services.tools.registry import TOOLS
from services.views.argument_words import ARGUMENTS, argument_words


def test_every_argument_of_every_tool_has_words() -> None:
    keys = {key for tool in TOOLS.values() for key in tool.schema["parameters"]["properties"]}
    assert keys - ARGUMENTS.keys() - SCREEN_FIELDS.keys() == set()


def test_a_call_is_told_without_its_keys() -> None:
    asked = {"symbol": "600036.SH", "market": "CN", "interval": "1d", "lookback": 365}
    told = argument_words(json.dumps(asked))
    assert told.zh == "公司 600036.SH，市场 A股，周期 日线，往前天数 365"
    assert told.en == "company 600036.SH, market A shares, interval daily, days back 365"


def test_figures_are_told_by_their_names_and_what_is_empty_is_left_out() -> None:
    asked = {"symbol": "", "metrics": ["pe_ttm", "roe"], "pb": "0_2", "searchFilings": True}
    told = argument_words(json.dumps(asked))
    assert told.zh == "指标 市盈率(TTM)、净资产收益率，市净率(MRQ) 0_2，查公告"


def test_what_is_no_json_is_said_to_be_none() -> None:
    assert argument_words("symbol=600036").zh == "写得不合格式"
    assert argument_words('{"symbol": "6000').zh == "（过长，未全列）"

"""What an answer about abnormal moves says where sessions are lost, by pandas over the parquet."""

import pandas as pd
import pytest

from services.query.algebra.nodes import OtherTool
from services.query.algebra.wire import wire_query
from services.query.answering.answers import Answered
from services.settings import ROOT
from tests.unit.query.bundled_query import metadata, youju

BARS = pd.read_parquet(ROOT / "data" / "snapshot" / "bars.parquet")


def asked(question: str) -> Answered:
    found = youju().query.ask(question)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def notes(found: Answered) -> str:
    return " ".join(str(note) for note in found.draft.notes)


def test_why_the_bank_rose_in_june_tells_its_two_sessions_and_what_was_not_judged() -> None:
    found = asked("招商银行为什么6月大涨")
    assert "2017-06-22 异动点，涨：收盘较前收盘上涨 6.66%" in found.text
    assert "2017-06-27 异动点，涨：收盘较前收盘上涨 5.73%" in found.text
    # 2017-06-01, 08 and 09 have no bar; the sessions after them are 06-02 and 06-12.
    assert "5 个交易日未能判断：3 日缺日线，2 日的前一交易日缺日线" in notes(found)


def test_none_found_is_of_the_sessions_judged_with_the_largest_moves_beside() -> None:
    found = asked("上证指数2017年6月有异动吗")
    assert "能判断的交易日里没有达到异动规则的交易日" in found.text
    bars = BARS[BARS.symbol == "000001.SH"].sort_values("date")
    moves = (bars.close.pct_change() * 100).set_axis(bars.date.astype(str).str[:10])
    # The moves of 06-02 and 06-12 span lost sessions: they are of no one session.
    june = moves[moves.index.str.startswith("2017-06")].drop(["2017-06-02", "2017-06-12"])
    assert f"单日涨跌幅最高的是 {june.idxmax()}，{june.max():+.2f}%" in found.text
    assert f"单日涨跌幅最低的是 {june.idxmin()}，{june.min():+.2f}%" in found.text
    assert "较 2017-05-26 的 3,110.06点上涨 2.65%" in found.text
    assert "未能判断" in notes(found)


def test_a_month_without_a_lost_session_is_denied_outright() -> None:
    found = asked("招商银行2017年4月有异动吗")
    assert "2017-04-30 没有达到异动规则的交易日" in found.text
    assert "能判断" not in found.text
    assert "未能判断" not in notes(found)


@pytest.mark.parametrize("day", ["2017年6月2日", "2017年6月12日"])
def test_a_day_after_a_lost_one_is_not_denied(day: str) -> None:
    assert "未能判断是否异动" in asked(f"招商银行{day}有异动吗").text


def test_the_averages_of_the_bank_are_given_with_what_they_lack() -> None:
    wired = wire_query(
        OtherTool(action="indicator", symbols=("600036.SH",), text="均线"), NAMES, metadata()
    )
    found = youju().query.ask_as(wired.nlir, "问")
    assert isinstance(found, Answered)
    assert "60 日均线 21.60元" in found.text
    assert "近 120 根日线之间缺 5 个交易日的日线" in notes(found)


NAMES = youju().names.short

"""At what time something was so, and what is known of a time: read as asked, or put back.

The closes are read from the snapshot by hand: 腾讯控股 stood above 200 first on 2016-08-18 (203.00)
and at 189.70 on 2016-12-30, the last session of that year.
"""

from datetime import date

import pandas as pd
import pytest

from services.query.answering.answers import Answered
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.bundled_query import youju


def answered(text: str) -> Answered:
    found = youju().query.ask(text, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def labels(text: str) -> list[str]:
    """The days or years an answer lists; of one alone its sentence says it."""
    found = answered(text)
    if found.table is None:
        return [found.text.partition("：")[0].partition(": ")[0]]
    return [row.label for row in found.table.rows]


@pytest.mark.parametrize(
    "text",
    [
        "腾讯第一次超过200块是什么时候",
        "腾讯首次突破200港元是哪天",
        "腾讯收盘价首次超过200",
        "when did Tencent first close above 200",
        "when did Tencent close above 200 for the first time",
    ],
)
def test_the_first_day_is_the_oldest_at_which_it_held(text: str) -> None:
    found = answered(text)
    assert "2016-08-18" in found.text
    assert "203.00" in found.text
    assert any("2011-07-28" in note for note in found.draft.notes)  # known since then only


def _days(symbol: str, bound: float) -> list[str]:
    """The sessions at which a close was so much above the one before, from the bars by hand."""
    bars = frames().bars
    closes = bars[bars.symbol == symbol].set_index("date").close.sort_index()
    changes = closes.pct_change() * 100
    return [str(day) for day in changes[changes > bound].index]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("科大讯飞最近一天涨幅超过9.5%是哪天", slice(-1, None)),
        ("科大讯飞上次单日涨超9.5%是什么时候", slice(-1, None)),
        ("When was the last time iFlytek rose more than 9.5% in a day?", slice(-1, None)),
        ("科大讯飞最近三次涨幅超过9.5%是哪几天", slice(-3, None)),
        ("科大讯飞第二次单日涨幅超过9.5%是哪天", slice(1, 2)),
        ("科大讯飞前两次涨幅超过9.5%分别是哪天", slice(0, 2)),
    ],
)
def test_the_last_times_are_the_newest_at_which_it_held(text: str, wanted: slice) -> None:
    days = _days("002230.SZ", 9.5)[wanted]
    newest = "最近" in text or "上次" in text or "last" in text
    assert labels(text) == (days[::-1] if newest else days)
    # What is told is the same question again.
    assert labels(answered(text).draft.plan_words) == labels(text)


def test_the_time_before_the_newest_goes_on_from_it() -> None:
    session = youju().query.begin()
    days = _days("002230.SZ", 9.5)
    for turn, day in (
        ("科大讯飞最近一天涨幅超过9.5%是哪天", -1),
        ("上一次呢", -2),
        ("第一次呢", 0),
    ):
        found = youju().query.ask(turn, session)
        assert isinstance(found, Answered)
        assert found.text.startswith(days[day])


def test_a_last_close_that_is_asked_for_by_its_day_is_the_newest_day() -> None:
    days = labels("科大讯飞收盘价高于40元的日子")
    asked = "When did iFlytek last close above 40 yuan?"
    assert labels(asked) == [max(_closed_above("002230.SZ", 40))]
    assert days[0] == min(_closed_above("002230.SZ", 40))
    # A second crossing is no second day above.
    assert not isinstance(youju().query.ask("科大讯飞第二次突破40元是哪天", None), Answered)


def _closed_above(symbol: str, bound: float) -> list[str]:
    bars = frames().bars
    own = bars[(bars.symbol == symbol) & (bars.close > bound)]
    return [str(day) for day in own.date]


def test_that_day_and_that_year_are_of_what_was_found() -> None:
    asked = "万科哪年营收最高，当年净利润多少"
    assert "210.23" in answered(asked).text
    assert "2017" not in answered(asked).draft.plan_words
    day = answered("科大讯飞上次单日跌幅超过5%是哪天，当天收盘多少")
    assert "逐日的收盘价" not in day.draft.plan_words
    # Of many days there is no one that day.
    assert not isinstance(youju().query.ask("科大讯飞哪天涨停，当天收盘多少", None), Answered)


def test_which_day_it_held_is_every_such_day_not_whether_it_holds_now() -> None:
    every = labels("腾讯哪天收盘价超过200")
    assert every[0] == "2016-08-18"
    assert labels("腾讯收盘价超过200的日子") == every
    assert labels("腾讯什么时候跌超5%") == labels("腾讯跌幅超过5%的日子")


def test_of_a_figure_of_reports_the_time_is_a_year() -> None:
    assert labels("腾讯什么时候净利润超过200亿") == ["2014年报", "2015年报", "2016年报"]
    assert labels("腾讯净利润首次超过200亿是哪一年") == ["2014年报"]


def test_a_time_that_no_figure_of_it_is_known_by_is_put_back() -> None:
    assert not isinstance(youju().query.ask("腾讯什么时候市盈率低于30", None), Answered)


def test_an_index_is_told_in_points() -> None:
    found = answered("上证指数首次站上5000点")
    assert "元" not in found.draft.plan_words
    assert "2015-06-05" in found.text


@pytest.mark.parametrize("text", ["腾讯2016年底收盘价", "腾讯去年末股价"])
def test_the_end_of_a_year_is_its_last_session(text: str) -> None:
    assert "2016-12-30 收盘 189.70港元" in answered(text).text


def test_days_the_source_ends_before_are_not_told_as_days_without_trading() -> None:
    found = answered("比亚迪昨天收盘价")
    assert "最近一根是 2017-07-20" in found.text
    assert found.claims == ()


def test_the_quarters_of_a_year_that_are_lacking_are_named() -> None:
    found = answered("腾讯2016年各季度营收")
    assert "2016年报" in found.text
    assert any("2016一季报、2016中报、2016三季报" in note for note in found.draft.notes)


def test_a_basis_is_no_company() -> None:
    put_back = youju().query.ask("TTM净利润 2016-12-31 比亚迪", None).turn.ask_back
    assert put_back is not None
    assert "ttm" in put_back.reason


@pytest.mark.parametrize(
    "text", ["2016年腾讯怎么走", "腾讯2016年怎么走", "腾讯近20个交易日怎么走的"]
)
def test_how_it_went_in_days_gone_by_is_no_prediction(text: str) -> None:
    assert "收盘" in answered(text).text


@pytest.mark.parametrize("text", ["腾讯怎么走", "腾讯去年涨了现在怎么走"])
def test_how_it_will_go_is_one(text: str) -> None:
    assert not isinstance(youju().query.ask(text, None), Answered)


def test_what_moved_a_share_asks_for_the_cause() -> None:
    assert "abnormal" in answered("what moved Tencent on July 25").draft.plan_words


@pytest.mark.parametrize(
    "text", ["万科净利润和去年比", "万科净利润比去年增长多少", "万科净利润跟去年相比"]
)
def test_against_last_year_is_the_growth(text: str) -> None:
    assert answered(text).draft.plan_words == answered("万科净利润同比").draft.plan_words


def test_last_year_beside_another_year_is_not_the_year_before() -> None:
    assert not isinstance(youju().query.ask("2015年万科净利润比去年", None), Answered)


def test_sessions_are_counted_with_a_time_behind() -> None:
    read = answered("how many days did Tencent rise this year").draft.plan_words
    assert "number of days" in read
    assert "2017-01-01" in read


def test_a_last_session_of_no_year_is_not_that_of_the_year_before() -> None:
    found = youju().query.ask("乐视最后一个交易日收盘", None)
    assert not isinstance(found, Answered) or "2016-12-31" not in found.draft.plan_words


def test_times_side_by_side_are_each_looked_at() -> None:
    both = answered("2016年1月4号和7号 上证各跌多少")
    assert both.text == "上证指数：2016-01-04涨跌幅 -6.86%，2016-01-07涨跌幅 -7.04%。"
    assert answered("上证指数2016年1月4日和1月7日涨跌幅").text == both.text
    span = answered("上证指数2016年1月4日到1月7日涨跌幅")
    assert "11.7%" in span.text
    assert "280.80港元，2017-07-05收盘价 271.00港元，2017-07-07" in (
        answered("腾讯2017年7月3日、5日和7日的收盘价").text
    )
    # Two years are two changes, from one to the other is one.
    assert len(answered("腾讯2015年和2016年涨跌幅").claims) > 1
    assert "68.6%" in answered("腾讯2015年到2016年涨跌幅").text


def test_the_last_session_is_the_newest_but_where_a_year_or_a_month_has_it() -> None:
    assert "30.68元（2017-04-14）" in answered("乐视最后一个交易日收盘").text
    assert "2016-12-30 收盘 20.55元" in answered("万科A2016年最后一个交易日收盘").text
    assert not isinstance(youju().query.ask("万科A2016年12月最后一个交易日收盘", None), Answered)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("600085这周一收多少", "600085这周一收盘价"),
        ("东财涨到多少了", "东方财富收盘价"),
        ("招行今年6月平均每天成交量", "招行2017年6月日均成交量"),
        ("东方财富近一年波动率", "东方财富近一年日收益率标准差"),
        ("连续下跌天数最长的一次 上证 2016年", "上证指数2016年最长连跌"),
        ("恒大这个月最高到哪", "中国恒大2017年7月最高价"),
        ("沪市指数收盘", "上证指数收盘"),
    ],
)
def test_other_words_of_the_same_question(text: str, same: str) -> None:
    assert answered(text).text == answered(same).text


def test_the_longest_run_tells_its_days() -> None:
    notes = " ".join(answered("腾讯2017年最长连涨几天").draft.notes)
    assert "2017-07-10 至 2017-07-19，自 2017-07-07 的收盘起算" in notes


def test_every_run_of_that_length_tells_its_days() -> None:
    """Two of eight sessions: counted by hand from the bundled closes."""
    notes = answered("招商银行历史最长连涨几天").draft.notes
    runs = [note for note in notes if "最长连涨" in note]
    assert [note.partition("是 ")[2][:24] for note in runs] == [
        "2014-07-18 至 2014-07-29，",
        "2016-04-15 至 2016-04-26，",
    ]


def test_limit_moves_are_closes_at_the_limit_and_say_how_they_are_told() -> None:
    found = answered("万科A2015年12月有几个涨停")
    assert "5天" in found.text
    assert any("9.9%" in note for note in found.draft.notes)
    assert answered("万科A2015年12月涨停几天").text == found.text
    assert "：是。" in answered("万科A2015年12月18日涨停了吗").text
    # It fell by 9.91 % and closed above its low: no limit.
    assert "：否。" in answered("万达电影6月22日跌停了吧").text
    assert labels("东方财富2015年哪些天跌停")[0] == "2015-01-23"
    for text in ("腾讯2017年有几天涨停", "上证指数2015年有几天跌停"):
        back = youju().query.ask(text, None).turn.ask_back
        assert back is not None
        assert "没有涨跌停" in back.reason
    assert not isinstance(youju().query.ask("昨天涨停的股票有哪些", None), Answered)


def test_how_far_from_the_highest_of_a_time() -> None:
    fallen = answered("中国中车从2015年最高跌了多少")
    assert "74.21%" in fallen.text
    for text in ("中国中车从2015年最高点到现在跌了多少", "中国中车自2015年最高跌了多少"):
        assert answered(text).text == fallen.text
    assert "37.36%" in answered("从2015年最高点到现在上证指数跌了多少").text
    assert "127.25%" in answered("腾讯从2016年最低点到现在涨了多少").text


def test_a_day_so_long_ago_and_years_of_two_figures() -> None:
    assert answered("一年前恒大收盘价").text == answered("恒大2016年7月26日收盘价").text
    assert (
        answered("Tencent close one year ago").text
        == answered("Tencent close on 26 July 2016").text
    )
    assert labels("万科净资产收益率逐年 12到16") == [f"{year}年报" for year in range(2012, 2017)]
    # Without a word that asks for each year they are a range of the figure.
    assert "是否满足" in answered("腾讯ROE 12到16").draft.plan_words


def test_up_or_down_by_so_much_is_both() -> None:
    assert labels("苹果2016年涨跌超过5%的日子") == ["2016-01-22", "2016-01-27", "2016-04-27"]
    assert labels("苹果2016年跌幅超过5%的日子") == ["2016-01-27", "2016-04-27"]


def test_bars_of_another_share_are_no_answer_where_this_one_was_said() -> None:
    """中国中车 has bars of its A share alone, 长城汽车 of its H share alone."""
    assert "10.86元" in answered("中国中车2017年最高收盘价").text
    assert "中国中车(01766.HK)：没有" in answered("中国中车H股2017年最高收盘价").text
    assert "长城汽车(02333.HK)" in answered("长城汽车2017年最高收盘价").text
    assert "长城汽车：没有" in answered("长城汽车A股2017年最高收盘价").text
    # It files one report, whichever share was asked of.
    assert "112.96亿元" in answered("中国中车H股2016年净利润").text


def test_the_deepest_fall_is_told_with_its_days() -> None:
    bars = frames().bars
    days = (date(2015, 1, 1), date(2015, 12, 31))
    closes = bars[bars.symbol == "AAPL"].set_index("date").close.loc[slice(*days)]
    below = closes / closes.cummax() - 1
    end = below.idxmin()
    start = closes.loc[:end].idxmax()
    notes = answered("苹果2015年最大回撤").draft.notes
    assert f"苹果的最大回撤自 {start} 的收盘至 {end} 的收盘" in notes
    two = answered("科大讯飞和招商银行2016年最大回撤").text
    assert "科大讯飞的2016-01-01至2016-12-31收盘价的最大回撤比招商银行深" in two


def test_days_on_which_one_rose_and_the_other_fell() -> None:
    closes = {
        symbol: bars[bars.symbol == symbol].set_index("date").close.pct_change()
        for bars in (frames().bars,)
        for symbol in ("00700.HK", "HSI")
    }
    both = pd.DataFrame(closes).loc[date(2017, 7, 3) : date(2017, 7, 26)]
    wanted = both[(both["00700.HK"] > 0) & (both["HSI"] < 0)].index
    assert labels("哪些天腾讯涨了但恒指跌 本月") == [str(day) for day in wanted]
    assert labels("2017年7月腾讯上涨但恒生指数下跌的日子") == [str(day) for day in wanted]
    other = both[(both["00700.HK"] < 0) & (both["HSI"] > 0)].index
    assert labels("2017年7月哪些天腾讯跌但恒指涨") == [str(day) for day in other]


def test_what_held_from_the_first_bar_on_has_no_first_time() -> None:
    notes = answered("万科A首次跌破20元是哪天").draft.notes
    assert any("最早的一根日线就已如此" in note for note in notes)
    assert not any("就已如此" in note for note in answered("腾讯首次突破200是哪天").draft.notes)


def test_a_second_time_that_is_not_read_is_not_left_out() -> None:
    assert not isinstance(youju().query.ask("腾讯一年前和现在的股价", None), Answered)

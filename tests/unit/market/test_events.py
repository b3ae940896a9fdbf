"""Events of the bundled market, checked against the rows of its source by hand."""

import re
from datetime import date
from functools import cache

import pandas as pd
import pytest

from services.core.claims import Claim, DerivedCite
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.rendering import PLACE, render
from services.core.requests import BarsRequest, FetchRequest
from services.core.symbols import Symbol
from services.core.trace import Fact, SessionGap, ToolCall
from services.market.events.events import Event as FoundEvent
from services.market.events.events import abnormal_events
from services.statements.book import Book
from services.statements.event import EventStatement
from services.statements.event_parts import EventPart
from services.statements.statement import Broken, Held
from tests.unit.market import made
from tests.unit.market.bundled import FOLDER, bundle

SYMBOLS = sorted(pd.read_parquet(FOLDER / "bars.parquet", columns=["symbol"]).symbol.unique())
# Every value in square brackets was read from the source's own file, not from our tables.
VANKE, LETV, SSE = "000002.SZ", "300104.SZ", "000001.SH"


class Found:
    """The events of one symbol and the ledger they stand on."""

    def __init__(self, symbol: str, start: date | None = None, end: date | None = None) -> None:
        self.market = bundle()
        self.ledger: Ledger = self.market.ledger()
        self.events, self.unjudged = abnormal_events(self.ledger, Symbol(symbol), start, end)
        self.claims = {claim.claim_id: claim for claim in self.ledger.claims}

    def at(self, day: date, kind: str = "异动点") -> FoundEvent:
        return next(e for e in self.events if e.end == day and e.kind == kind)

    def figure(self, event: FoundEvent, metric: str, symbol: str | None = None) -> Claim:
        wanted = symbol or event.symbol
        return next(c for c in event.claims if c.metric == metric and c.symbol == wanted)

    def text(self, event: FoundEvent) -> str:
        return render(event.reason, self.claims)


@cache
def everything(symbol: str) -> Found:
    """All events of one symbol, found once for all tests."""
    return Found(symbol)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_claim_behind_every_event_holds_and_every_figure_is_cited(symbol: str) -> None:
    found = everything(symbol)
    assert found.market.verified(found.ledger).failures == ()
    for event in found.events:
        assert 0 < len(event.claims) <= 12
        own = {claim.claim_id for claim in event.claims}
        assert own <= found.claims.keys()
        assert set(event.rules) <= COMPETENCES.keys()
        assert event.explained is ("未找到可引用的原因" not in event.reason)
        for template in (event.reason, event.reason_en):
            assert set(PLACE.findall(template)) == own
            bare = re.sub(r"\d{4}-\d{2}-\d{2}", "", PLACE.sub("", template))
            assert not re.search(r"\d", bare), template


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_event_is_a_statement_that_holds_and_no_word_of_direction_is_wrong(
    symbol: str,
) -> None:
    """The words read again from the printed text beside the raw figures."""
    found = everything(symbol)
    for event in found.events:
        held = event.statement.check(Book.of_claims(event.claims, symbol))
        assert isinstance(held, Held), held
        for template, up, down in (
            (event.reason, r"上涨|高开|收涨|补涨", r"下跌|低开|收跌|补跌"),
            (
                event.reason_en,
                r"rose|opened \S+ above|closed higher|catching up",
                r"fell|opened \S+ below|closed lower|catching down",
            ),
        ):
            for clause in re.split("[；;]", template):
                said = PLACE.search(clause)
                if said is None or "|size" not in said[0]:
                    continue
                value = found.claims[said[1]].value
                bare = PLACE.sub("0", clause)
                assert value >= 0 or not re.search(up, bare), clause
                assert value <= 0 or not re.search(down, bare), clause


def test_a_part_that_its_figures_do_not_carry_is_refused() -> None:
    found = everything("000002.SZ")
    event = found.at(date(2016, 7, 4))
    book = Book.of_claims(event.claims, "000002.SZ")
    parts = event.statement.parts
    by_name = {one.what: one for one in parts}
    fall, since = by_name["moved"].claims, by_name["index_since"].claims
    lies = {
        "not_the_inputs_of_the_rule": EventPart(what="volume", claims=fall),
        "not_an_index": EventPart(what="index_day", claims=fall),
        "other_company": EventPart(what="moved", claims=by_name["index_day"].claims),
        "unknown_claim": EventPart(what="gap", claims=("c_0000000000000000",)),
        "not_later": EventPart(what="resumed", days=(date(2016, 7, 2), date(2016, 7, 1))),
    }
    for code, lie in lies.items():
        refused = EventStatement(parts=(*parts, lie)).check(book)
        assert isinstance(refused, Broken)
        assert refused.code == code
    # 16.5 % of the index explains a fall of 10.3 %; its 1.9 % rise of that day explains none.
    along = EventStatement(
        parts=(by_name["moved"], by_name["index_day"], EventPart(what="with_market"))
    )
    refused = along.check(book)
    assert isinstance(refused, Broken)
    assert refused.code == "signs_disagree"
    whole = EventStatement(parts=(by_name["moved"], EventPart(what="index_since", claims=since), EventPart(what="catching_up")))  # fmt: skip  # noqa: E501
    assert isinstance(whole.check(book), Held)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_events_are_newest_first_and_only_intervals_are_long(symbol: str) -> None:
    events = everything(symbol).events
    assert events
    assert [e.end for e in events] == sorted((e.end for e in events), reverse=True)
    for event in events:
        assert event.kind == "异动区间" or event.start == event.end
        assert event.start < event.end or event.kind == "异动点"


def test_the_sse_composite_fell_8_49_percent_on_2015_08_24() -> None:
    # [3209.91 after 3507.74]; it is the worst day of a run from [3794.11] to [2927.29].
    found = everything(LETV)
    event = found.at(date(2015, 8, 24))
    fall = found.figure(event, "pct_change", SSE)
    assert fall.value == pytest.approx((3209.91 / 3507.74 - 1) * 100)
    assert round(fall.value, 2) == -8.49
    assert "同日上证指数下跌 8.49%；随大盘" in found.text(event)
    run = everything(SSE).at(date(2015, 8, 26), "异动区间")
    assert run.start == date(2015, 8, 20)
    assert run.rules == ("abnormal.run",)


def test_vanke_resumes_on_2016_07_04_with_a_suspected_limit_down() -> None:
    # [21.27 after 23.71 on 2015-12-18]; SSE [2988.6], [3578.96] then, [2932.48] the day before.
    found = Found(VANKE, date(2016, 7, 1), date(2016, 7, 31))
    event = found.at(date(2016, 7, 4))
    assert event.result == "跌"
    assert found.figure(event, "pct_change").value == pytest.approx((21.27 / 23.71 - 1) * 100)
    assert round(found.figure(event, "pct_change").value, 2) == -10.29
    assert found.figure(event, "price_limit").value == 10.0
    since = found.figure(event, "run_change", SSE)
    assert since.value == pytest.approx((2988.6 / 3578.96 - 1) * 100)
    assert found.figure(event, "pct_change", SSE).value == pytest.approx(
        (2988.6 / 2932.48 - 1) * 100
    )
    assert {"limit.main.10", "abnormal.resumption", "abnormal.gap"} <= set(event.rules)
    assert event.explained
    text = found.text(event)
    assert "疑似跌停（收于当日最低，板块涨跌幅限制 10%）" in text
    assert "2015-12-21 至 2016-07-01" in text
    assert "随大盘补跌" in text


def test_an_interval_that_starts_with_a_resumption_says_since_when_the_index_is_measured() -> None:
    # SSE [3578.96] before the suspension, [3017.29] on 07-06: -15.69 %. Over the interval's own
    # three sessions it rose, so 同期 would be read as the opposite.
    found = Found(VANKE, date(2016, 7, 1), date(2016, 7, 31))
    event = found.at(date(2016, 7, 6), "异动区间")
    assert event.start == date(2016, 7, 4)
    assert "停牌前收盘至 2016-07-06 上证指数下跌 15.7%；随大盘补跌" in found.text(event)
    assert "同期" not in found.text(event)


def test_vanke_deviates_23_points_from_the_index_in_three_sessions_of_june_2017() -> None:
    # Closes [21.04 21.88 24.07 26.48], SSE [3156.21 3147.45 3157.87 3185.44], 06-21 to 06-26.
    found = Found(VANKE, date(2017, 6, 1), date(2017, 6, 30))
    event = found.at(date(2017, 6, 26), "异动区间")
    stock = (21.88 / 21.04 - 1) + (24.07 / 21.88 - 1) + (26.48 / 24.07 - 1)
    index = (3147.45 / 3156.21 - 1) + (3157.87 / 3147.45 - 1) + (3185.44 / 3157.87 - 1)
    deviation = found.figure(event, "cumulative_deviation")
    assert deviation.value == pytest.approx((stock - index) * 100)
    assert deviation.unit == "pp"
    # The run began at [20.94] on 06-16 and every session since closed higher.
    assert event.start == date(2017, 6, 19)
    assert found.figure(event, "run_change").value == pytest.approx((26.48 / 20.94 - 1) * 100)
    assert event.rules == ("abnormal.run", "abnormal.deviation.3d")
    assert not event.explained


def test_vankes_volume_on_2017_03_14_is_four_times_the_mean_of_twenty_sessions() -> None:
    before = """36976369 28732257 17105450 19814207 24748349 53685670 22536608 19163766 21753989
        29344657 15976221 25060119 22282700 17026059 27633698 18157223 65786244 24603911 23630845
        41923514"""
    mean = sum(map(int, before.split())) / 20
    found = Found(VANKE, date(2017, 3, 1), date(2017, 3, 31))
    event = found.at(date(2017, 3, 14))
    multiple = found.figure(event, "volume_multiple")
    assert multiple.value == pytest.approx(120994029 / mean)
    assert "随大盘" not in event.reason  # volume is not explained by the index's return


def test_letv_resumes_on_2016_06_03_after_half_a_year() -> None:
    # [56.32 after 58.8 on 2015-12-04]; it opened at [52.89].
    found = Found(LETV, date(2016, 6, 1), date(2016, 6, 30))
    event = found.at(date(2016, 6, 3))
    assert found.figure(event, "pct_change").value == pytest.approx((56.32 / 58.8 - 1) * 100)
    assert found.figure(event, "gap").value == pytest.approx((52.89 / 58.8 - 1) * 100)
    assert "停牌" in event.reason
    assert "2015-12-07 至 2016-06-02" in event.reason


def test_a_session_is_judged_alike_whatever_the_window() -> None:
    known = everything(VANKE).events
    start, end = date(2016, 7, 1), date(2016, 12, 31)
    inside = tuple(e for e in known if start <= e.end <= end)
    windowed = Found(VANKE, start, end).events
    assert [(e.start, e.end, e.rules, e.result, e.explained) for e in windowed] == [
        (e.start, e.end, e.rules, e.result, e.explained) for e in inside
    ]


def test_no_event_falls_on_a_session_after_lost_ones() -> None:
    days = {event.end for event in everything("600036.SH").events if event.kind == "异动点"}
    # Rows of these sessions were dropped or are missing, so the next one has no return.
    assert not days & {date(2016, 11, 2), date(2016, 11, 14), date(2017, 5, 16), date(2017, 6, 2)}


def test_a_share_percentages_say_that_they_are_distorted() -> None:
    found = everything(VANKE)
    assert any("加法前复权" in caveat for caveat in found.events[0].caveats)
    assert any("additively adjusted" in caveat for caveat in found.events[0].caveats_en)
    cite = found.figure(found.at(date(2016, 7, 4)), "pct_change").cite
    assert isinstance(cite, DerivedCite)
    assert "加法前复权" in (cite.note or "")
    assert everything("00700.HK").events[0].caveats == ()


def test_hong_kong_and_us_stocks_are_measured_against_their_own_index() -> None:
    hong_kong, american = everything("00700.HK"), everything("TSLA")
    assert {c.symbol for e in hong_kong.events for c in e.claims} == {"00700.HK", "HSI"}
    assert {c.symbol for e in american.events for c in e.claims} == {"TSLA", "IXIC"}
    named = {rule for e in (*hong_kong.events, *american.events) for rule in e.rules}
    assert "abnormal.deviation.3d" not in named
    assert not any(rule.startswith("limit.") for rule in named)


def test_an_index_is_not_compared_with_itself() -> None:
    events = everything(SSE).events
    assert all(not event.explained for event in events)
    assert {claim.symbol for event in events for claim in event.claims} == {SSE}


def test_a_quiet_window_has_no_events() -> None:
    assert Found("600036.SH", date(2017, 1, 4), date(2017, 1, 5)).events == ()


def test_a_gap_the_day_closed_against_is_not_explained_by_the_index() -> None:
    # 招商银行 2015-07-09 opened 5.36 % below and closed 3.47 % above, SSE up 5.76 %.
    event = everything("600036.SH").at(date(2015, 7, 9))
    assert event.rules == ("abnormal.gap",)
    assert not event.explained


def test_the_length_of_a_suspension_is_a_claim_where_the_source_counts_it() -> None:
    days = [date(2017, 7, 3), date(2017, 7, 4), date(2017, 7, 12)]
    gap = SessionGap(
        symbol="600000.SH",
        start=date(2017, 7, 5),
        end=date(2017, 7, 11),
        sessions=5,
        kind="suspension",
    )
    counted = Fact(
        symbol="600000.SH",
        metric="suspended_sessions",
        value=5,
        unit="sessions",
        as_of=gap.end,
        field="gap",
    )
    rows = [made.flat(10.0), made.flat(10.0), made.flat(10.1)]
    facts = [*made.bar_facts("600000.SH", days, rows), counted]
    answer = made.call("600000.SH", facts, gaps=[gap])

    def ask(request: FetchRequest) -> ToolCall:
        if isinstance(request, BarsRequest) and request.symbol != "600000.SH":
            raise NoDataError("daily_bars", "来源没有")
        return answer

    ledger = made.ledger_of({BarsRequest.capability: ask})
    (event,) = abnormal_events(ledger, Symbol("600000.SH"), None, None).events
    claims = {claim.claim_id: claim for claim in ledger.claims}
    assert render(event.reason, claims) == (
        "收盘较前收盘上涨 1.00%；停牌5个交易日（2017-07-05 至 2017-07-11）后复牌首日；"
        "来源缺同日上证指数涨跌幅。"
    )
    assert "first session after a suspension of 5 sessions" in render(event.reason_en, claims, "en")
    assert "来源没有基准指数，未判断偏离值" in event.caveats


def test_the_index_fall_of_2015_08_24_is_an_event_of_its_own() -> None:
    # 上证指数: 3507.74 on 2015-08-21, 3209.91 on 2015-08-24: 3209.91 / 3507.74 - 1 = -8.4907 %
    day = date(2015, 8, 24)
    market = bundle()
    ledger = market.ledger()
    found = abnormal_events(ledger, Symbol("000001.SH"), day, day).events
    event = next(each for each in found if each.kind == "异动点")
    assert (event.start, event.result) == (day, "跌")
    assert "abnormal.index.move" in event.rules
    text = render(event.reason, {claim.claim_id: claim for claim in event.claims})
    assert text.startswith("收盘较前收盘下跌 8.49%；指数单日涨跌达到 5%")


BARS, GAPS = (pd.read_parquet(FOLDER / f"{name}.parquet") for name in ("bars", "gaps"))


def plain_events(symbol: str, since: date) -> set[date]:
    """The rules on returns and volume by pandas, over the bars held; not where the one before is
    lost.
    """
    bars = BARS[BARS["symbol"] == symbol].sort_values("date").reset_index(drop=True)
    days = [date.fromisoformat(str(day)[:10]) for day in bars["date"]]
    lost = GAPS[(GAPS["symbol"] == symbol) & (GAPS["kind"] != "suspension")]
    ends = [date.fromisoformat(str(day)[:10]) for day in lost["end"]]
    moves = bars["close"].pct_change()
    before = moves.shift(1).rolling(60)
    scores = (moves - before.mean()) / before.std(ddof=1)
    multiples = bars["volume"] / bars["volume"].shift(1).rolling(20).mean()
    hit = (scores.abs() >= 3) | (multiples >= 3)
    after = {next((day for day in days if day > end), None) for end in ends}
    return {day for day, is_hit in zip(days, hit, strict=True) if is_hit and day >= since} - after


def test_the_bank_had_nine_abnormal_sessions_in_the_year() -> None:
    """A4 of the walk: windows that hold a lost session are judged over the sessions held."""
    found = Found("600036.SH", date(2016, 7, 25), date(2017, 7, 26))
    nine = {
        *(date(2016, 8, day) for day in (12, 15)),
        *(date(2016, 12, 15), date(2017, 1, 16)),
        *(date(2017, 5, day) for day in (12, 23, 25)),
        *(date(2017, 6, day) for day in (22, 27)),
    }
    assert {event.end for event in found.events} == nine
    assert nine == plain_events("600036.SH", date(2016, 7, 25))
    june = found.at(date(2017, 6, 22))
    assert "上涨 6.66%" in found.text(june)
    assert "高 4.1σ" in found.text(june)
    assert "缺 5 个交易日的日线" in str(found.figure(june, "return_z").cite.note)


@pytest.mark.parametrize("symbol", ["000001.SH", "600085.SH", "600809.SH", "601766.SH"])
def test_every_large_move_of_the_year_is_found(symbol: str) -> None:
    since = date(2016, 9, 1)
    found = {event.end for event in Found(symbol, since, date(2017, 7, 26)).events}
    assert plain_events(symbol, since) <= found


def test_sessions_that_could_not_be_judged_are_counted_with_the_reason() -> None:
    """Off gaps.parquet: 9 sessions of the year have no bar, in seven stretches."""
    unjudged = Found("600036.SH", date(2016, 7, 25), date(2017, 7, 26)).unjudged
    assert (unjudged.lost, len(unjudged.after), unjudged.count) == (9, 7, 16)
    assert unjudged.after[-1] == date(2017, 6, 12)
    assert unjudged.told.zh.startswith("16 个交易日未能判断：9 日缺日线，7 日的前一交易日缺日线")
    assert unjudged.told.en.startswith("16 sessions could not be judged: 9 without a bar, 7 after")
    whole = Found("AAPL", date(2014, 1, 2), date(2014, 12, 31)).unjudged
    lost = GAPS[(GAPS["symbol"] == "AAPL") & (GAPS["start"].astype(str).str[:4] == "2014")]
    assert (whole.count, len(lost)) == (0, 0)


def test_a_market_that_lost_too_much_of_a_window_says_so() -> None:
    """Of the index 6 of 26 sessions are lost in June: its volume is not judged for some days."""
    unjudged = Found("000001.SH", date(2017, 6, 1), date(2017, 6, 30)).unjudged
    assert unjudged.torn == 7
    assert "7 日前 20 或 60 日窗口缺日线超过 20%" in unjudged.told.zh

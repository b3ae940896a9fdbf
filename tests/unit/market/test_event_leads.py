"""What is said around an event: flags, notices, headlines, and what cannot be asked."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime

import pytest

from services.core.claims import Claim
from services.core.clock import BEIJING
from services.core.errors import ConfigError, DeniedError, NoDataError, UnavailableError
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.rendering import PLACE, place, render
from services.core.requests import BarsRequest, FetchRequest, NewsRequest, NoticesRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, Item, ToolCall
from services.core.verifier import verify
from services.market.calendar import Calendar
from services.market.events.events import Event, abnormal_events
from services.market.events.lead_words import quote_title
from services.market.events.leads import around_of
from services.views.events import events_table
from tests.unit.market import made
from tests.unit.market.bundled import names

CALENDAR = Calendar()
MOUTAI, SSE = "600519.SH", "000001.SH"
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=BEIJING)
JUMP = date(2026, 11, 18)  # a Wednesday
DAYS = CALENDAR.sessions("CN", date(2026, 6, 1), date(2026, 11, 20))
Answers = dict[str, Callable[[FetchRequest], ToolCall]]


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=BEIJING)


def bars(request: FetchRequest) -> ToolCall:
    """Moutai stands at 100, jumps 10 % on 11-18 and stays there; the index stays at 3000."""
    assert isinstance(request, BarsRequest)
    if request.symbol == SSE:
        rows = [made.flat(3000.0 + place % 2) for place in range(len(DAYS))]
    else:
        closes = [110.0 if day >= JUMP else 100.0 for day in DAYS]
        rows = [(c, c, c * 0.99, c, 1000.0) for c in closes]
        rows[DAYS.index(JUMP)] = (100.0, 110.0, 100.0, 110.0, 1000.0)
        rows[DAYS.index(JUMP) + 1] = (110.0, 111.0, 109.0, 110.5, 1000.0)
    dated = [
        (day, row)
        for day, row in zip(DAYS, rows, strict=True)
        if (not request.start or request.start <= day) and (not request.end or day <= request.end)
    ]
    facts = made.bar_facts(request.symbol, [d for d, _ in dated], [r for _, r in dated])
    return fetched(request.symbol, rows=facts)


def fetched(name: str, *, rows: Sequence[Fact] = (), items: Sequence[Item] = ()) -> ToolCall:
    return ToolCall(
        tool_call_id=f"tc_{name}",
        name="test",
        arguments={},
        attempts=(),
        source="made",
        table=name,
        served_by="made",
        fetched_at=NOW,
        duration_ms=0.0,
        rows=tuple(rows),
        items=tuple(items),
    )


def notice(number: int, title: str, published_at: datetime | None) -> Item:
    return Item(
        item_id=f"notice:{number}",
        kind="notice",
        symbol=MOUTAI,
        title=title,
        url=f"https://static.cninfo.com.cn/{number}.PDF",
        origin="巨潮资讯",
        published_at=published_at,
    )


def headline(number: int, title: str, published_at: datetime) -> Item:
    return Item(
        item_id=f"news:{number}",
        kind="news",
        symbol=MOUTAI,
        title=title,
        url=f"https://finance.example.com/{number}",
        origin="证券时报网",
        published_at=published_at,
    )


def signal(number: int, title: str, *tags: str, published_at: datetime | None = None) -> Item:
    return Item(
        item_id=f"signal:{number}",
        kind="signal",
        symbol=MOUTAI,
        title=title,
        published_at=published_at,
        tags=tags,
    )


def net(number: int, day: date, value: float) -> Fact:
    return Fact(
        symbol=f"signal:{number}",
        metric="billboard_net",
        value=value,
        unit="CNY",
        as_of=day,
        field="BILLBOARD_NET_AMT",
        raw=str(value),
    )


def items(name: str, *found: Item, rows: Sequence[Fact] = ()) -> Answers:
    return {name: lambda _request: fetched(name, rows=rows, items=found)}


def failing(name: str, error: Exception) -> Answers:
    def refuse(_request: FetchRequest) -> ToolCall:
        raise error

    return {name: refuse}


class Told:
    """The events of Moutai with these answers, every claim verified."""

    def __init__(
        self,
        *answers: Answers,
        start: date = date(2026, 11, 2),
        end: date = date(2026, 11, 20),
        symbol: str = MOUTAI,
    ) -> None:
        self.asked: list[FetchRequest] = []
        every: Answers = {"daily_bars": bars}
        for one in answers:
            every |= one
        source = made.ledger_of({name: self._noting(work) for name, work in every.items()})
        self.ledger: Ledger = source
        found = Symbol(symbol)
        around = around_of(source, found, CALENDAR, names(), "live")
        told = abnormal_events(source, found, start, end, calendar=CALENDAR, around=around)
        self.events = told.events
        assert verify(source.claims, source.trace, NOW).failures == ()
        self.claims = {claim.claim_id: claim for claim in source.claims}

    def _noting(self, work: Callable[[FetchRequest], ToolCall]) -> Callable[..., ToolCall]:
        def ask(request: FetchRequest) -> ToolCall:
            self.asked.append(request)
            return work(request)

        return ask

    def on(self, day: date = JUMP) -> Event:
        return next(e for e in self.events if e.end == day and e.kind == "异动点")

    def text(self, event: Event) -> str:
        return render(event.reason, self.claims)


def test_notices_and_news_within_a_session_of_an_event_become_its_dated_linked_reasons() -> None:
    told = Told(
        items(
            "notices",
            notice(1, "关于回购股份的公告", at(17, 18, 3)),
            notice(2, "股票交易异常波动公告", at(19, 17)),
            notice(3, "2026年第三季度报告", at(16, 17)),
            notice(4, "股东大会决议公告", at(20, 17)),
        ),
        items("news", headline(1, "贵州茅台直线涨停", at(18, 10, 30))),
    )
    event = told.on()
    text = told.text(event)
    assert "前一交易日公告《关于回购股份的公告》" in text
    assert "次一交易日公告《股票交易异常波动公告》" in text
    assert "当日新闻《贵州茅台直线涨停》" in text
    assert "季度报告" not in text
    assert "股东大会" not in text
    assert [lead.item_id for lead in event.leads] == ["notice:1", "news:1", "notice:2"]
    first = event.leads[0]
    assert first.url == "https://static.cninfo.com.cn/1.PDF"
    assert (first.day, first.published_at, first.source) == (
        date(2026, 11, 17),
        at(17, 18, 3),
        "made",
    )
    assert first.tool_call_id in {call.tool_call_id for call in told.ledger.trace.tool_calls}
    assert event.explained
    assert "abnormal.published" in event.rules


def test_what_came_after_the_close_says_so_and_stands_after_what_was_known_in_time() -> None:
    told = Told(
        items(
            "notices",
            notice(1, "盘后公告", at(18, 18)),
            notice(2, "盘前公告", at(18, 8)),
            notice(3, "前一晚公告", at(17, 20)),
        ),
        items("news"),
    )
    text = told.text(told.on())
    assert (
        text.index("当日公告《盘前公告》")
        < text.index("前一交易日公告《前一晚公告》")
        < text.index("当日收盘后公告《盘后公告》")
    )


def test_a_notice_of_a_weekend_is_told_with_its_date() -> None:
    # 2026-11-14 is a Saturday; Monday 11-16 is flagged, the session before it is Friday 11-13.
    told = Told(
        items("signals", signal(1, "火箭发射", "rocket", published_at=at(16, 10))),
        items("notices", notice(1, "周末公告", at(14, 9))),
        items("news"),
    )
    assert "2026-11-14 公告《周末公告》" in told.text(told.on(date(2026, 11, 16)))


def test_an_event_nobody_wrote_about_says_that_its_cause_is_unknown() -> None:
    told = Told()  # every other source answers that it has nothing
    event = told.on()
    assert told.text(event).endswith("；未见公告或新闻，原因不明。")
    assert event.reason_en.endswith("; no notice or news was found and the cause is unknown.")
    assert not event.explained
    assert event.leads == ()
    assert all("未能查询" not in caveat for caveat in event.caveats)


def test_a_flag_marks_a_move_and_does_not_explain_it() -> None:
    told = Told(
        items(
            "signals",
            signal(
                1, "龙虎榜：日涨幅偏离值达到7%的前5只证券", "billboard", published_at=at(18, 16)
            ),
            signal(2, "封涨停板", "limit_up", published_at=at(18, 10)),
            signal(3, "盘口异动：大笔买入", "bulk_buy", published_at=at(18, 10, 5)),
            signal(4, "盘口异动：大笔买入", "bulk_buy", published_at=at(18, 10, 9)),
            rows=[net(1, JUMP, 66_000_000.0)],
        )
    )
    event = told.on()
    text = told.text(event)
    assert "同日登上龙虎榜《日涨幅偏离值达到7%的前5只证券》，净买入额6,600.00万元" in text
    assert "同日异动标记《封涨停板》、《大笔买入》；" in text
    assert {"limit.main.10", "flag.exchange.lhb", "flag.watch.em"} <= set(event.rules)
    assert not event.explained
    assert "原因不明" in text
    assert len(event.leads) == 4
    bought = next(claim for claim in event.claims if claim.metric == "billboard_net")
    assert bought.symbol == "signal:1"
    assert bought.value == 66_000_000.0


def test_a_flagged_day_that_no_rule_hit_is_an_event_of_its_own_with_the_days_return() -> None:
    # 11-19: 110.0 → 110.5, +0.4545 %: no rule of ours is met.
    told = Told(
        items("signals", signal(1, "盘口异动：大笔卖出", "bulk_sell", published_at=at(19, 13)))
    )
    event = told.on(date(2026, 11, 19))
    assert (event.kind, event.result, event.rules) == ("异动点", "涨", ("flag.watch.em",))
    assert told.text(event).startswith("收盘较前收盘上涨 0.45%；")


def test_a_flagged_day_without_a_bar_goes_by_its_flag_or_is_left_out() -> None:
    thursday = Told(
        items(
            "signals",
            signal(1, "封跌停板", "limit_down", published_at=at(23, 13)),
            signal(2, "日换手率达到20%", "billboard", published_at=at(24, 17)),
        ),
        end=date(2026, 11, 24),
    )
    event = thursday.on(date(2026, 11, 23))
    assert event.result == "跌"
    assert event.claims == ()
    assert event.reason == "同日异动标记《封跌停板》；未见公告或新闻，原因不明。"
    assert date(2026, 11, 24) not in {one.end for one in thursday.events}


def test_a_list_that_only_its_amounts_date_is_placed_by_them() -> None:
    told = Told(
        items(
            "signals",
            signal(1, "连续三个交易日涨幅偏离", "billboard"),
            signal(2, "没有日期", "billboard"),
            rows=[net(1, date(2026, 11, 19), -1.5e8)],
        )
    )
    assert "净买入额-1.50亿元" in told.text(told.on(date(2026, 11, 19)))
    assert all(lead.item_id != "signal:2" for event in told.events for lead in event.leads)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UnavailableError("cninfo", "notices", "no answer"), "未能查询公告：巨潮资讯暂不可用"),
        (DeniedError("cninfo", "notices", "403"), "未能查询公告：巨潮资讯拒绝访问"),
        (ConfigError("YOUJU_CHAINS", "not set"), "未能查询公告：没有配置来源"),
    ],
)
def test_a_source_that_fails_takes_no_event_away_and_is_named(error: Exception, said: str) -> None:
    told = Told(failing("notices", error))
    event = told.on()
    assert said in event.caveats
    assert told.text(event).endswith("；公告未能查询，原因不明。")
    assert not event.explained
    assert [e.end for e in told.events] == [e.end for e in Told().events]


def test_signals_that_cannot_be_asked_are_named_too() -> None:
    event = Told(failing("signals", UnavailableError("eastmoney", "changes", "reset"))).on()
    assert "未能查询异动标记：东方财富暂不可用" in event.caveats
    assert any("flags could not be asked" in said.lower() for said in event.caveats_en)
    assert "limit.main.10" in event.rules


def test_headlines_that_do_not_reach_back_are_no_proof_that_there_were_none() -> None:
    told = Told(items("news", headline(1, "贵州茅台今日要闻", at(20, 9))))
    event = told.on()
    assert told.text(event).endswith("；新闻未查到当时，原因不明。")
    assert "新闻只取到 2026-11-20 以来的" in event.caveats


def test_headlines_found_but_about_others_are_not_taken_for_a_reason() -> None:
    told = Told(
        items(
            "news",
            headline(1, "平安银行发布公告", at(18, 9)),
            headline(2, "大盘综述", at(12, 9)),
        )
    )
    assert told.on().leads == ()
    assert told.text(told.on()).endswith("；未见公告或新闻，原因不明。")


HOSTILE = (
    "{{c:c_0123456789abcdef}}",
    "净利润 {{c:CLAIM}} 亿 {0} {}",
    "涨停《内部》消息》，净买入额 99 亿",
    "一行\n两行\r\u202e\u200b藏",
    "<script>alert(1)</script>[x](javascript:1)|=1+1",
    "长" * 400,
)


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_is_quoted_and_makes_no_place(title: str) -> None:
    bare = Told().on()
    real = place(bare.claims[0])
    told = Told(
        items("notices", notice(1, f"{title}{real}", at(18, 8))),
        items("signals", signal(1, f"{real}{title}", "rocket", published_at=at(18, 10))),
    )
    event = told.on()
    for template, language in ((event.reason, "zh"), (event.reason_en, "en")):
        assert PLACE.findall(template) == PLACE.findall(
            bare.reason if language == "zh" else bare.reason_en
        )
        rest = re.sub(r"《[^《》]*》", "", PLACE.sub("", template))
        assert not re.search(r"\d", re.sub(r"\d{4}-\d{2}-\d{2}", "", rest)), rest
        assert "\n" not in template
    assert f"当日公告{quote_title(title + real)}" in told.text(event)
    assert event.leads[0].title == f"{title}{real}"  # kept whole; only the sentence is careful


def test_titles_are_cut_and_many_of_them_are_summed_up_as_others() -> None:
    told = Told(
        items("notices", *(notice(n, f"公告第{'一二三四五'[n]}号", at(18, 8, n)) for n in range(5)))
    )
    text = told.text(told.on())
    assert text.count("《公告第") == 3
    assert "》等" in text
    assert len(told.on().leads) == 5
    assert quote_title("长" * 100) == f"《{'长' * 59}…》"


def test_a_title_published_twice_is_one_reason() -> None:
    told = Told(
        items(
            "news",
            headline(1, "贵州茅台涨停", at(18, 11)),
            headline(2, "贵州茅台涨停", at(18, 12)),
            headline(3, "贵州茅台旧闻", at(12, 12)),
        )
    )
    assert [lead.item_id for lead in told.on().leads] == ["news:1"]


def test_an_interval_names_its_flags_and_notices_by_their_days() -> None:
    def rising(request: FetchRequest) -> ToolCall:
        assert isinstance(request, BarsRequest)
        if request.symbol == SSE:
            return bars(request)
        # 100 until 11-16, then 108, 116, 124, 124.5: three sessions add up to 24 %.
        steps = {17: 108.0, 18: 116.0, 19: 124.0, 20: 123.9}
        closes = [steps.get(day.day, 100.0) if day >= date(2026, 11, 17) else 100.0 for day in DAYS]
        rows = [made.flat(close) for close in closes]
        return fetched(MOUTAI, rows=made.bar_facts(MOUTAI, DAYS, rows))

    told = Told(
        {"daily_bars": rising},
        items(
            "signals",
            signal(1, "日涨幅偏离值达到7%", "billboard", published_at=at(18, 16)),
            rows=[net(1, JUMP, 66_000_000.0)],
        ),
        items("notices", notice(1, "重大合同公告", at(16, 19)), notice(2, "澄清公告", at(18, 19))),
    )
    event = next(e for e in told.events if e.kind == "异动区间")
    assert (event.start, event.end) == (date(2026, 11, 17), date(2026, 11, 19))
    text = told.text(event)
    assert "2026-11-18 登上龙虎榜《日涨幅偏离值达到7%》，净买入额6,600.00万元" in text
    assert "前一交易日公告《重大合同公告》" in text
    assert "2026-11-18 公告《澄清公告》" in text


def test_each_source_is_asked_once_whatever_the_number_of_events() -> None:
    told = Told(
        items(
            "signals",
            *(signal(n, "火箭发射", "rocket", published_at=at(n, 10)) for n in (4, 9, 16, 19)),
        ),
        items("notices", notice(1, "公告", at(18, 8))),
        items("news", headline(1, "贵州茅台", at(2, 8))),
    )
    assert len(told.events) == 5
    asked = [type(one).__name__ for one in told.asked if not isinstance(one, BarsRequest)]
    assert sorted(asked) == ["NewsRequest", "NoticesRequest", "SignalsRequest"]
    # From the session before the first event (11-04) to the one after the last (11-19).
    (notices,) = (one for one in told.asked if isinstance(one, NoticesRequest))
    assert (notices.start, notices.end) == (date(2026, 11, 3), date(2026, 11, 20))


def test_nothing_is_asked_for_the_snapshot_for_an_index_or_without_an_event() -> None:
    ledger = made.ledger_of({})
    assert around_of(ledger, Symbol(MOUTAI), CALENDAR, names(), "snapshot") is None
    assert around_of(ledger, Symbol(SSE), CALENDAR, names(), "live") is None
    quiet = Told(items("news"), items("notices"), end=date(2026, 11, 10))
    assert quiet.events == ()
    assert not any(isinstance(one, NewsRequest | NoticesRequest) for one in quiet.asked)


def test_the_days_a_source_leaves_out_are_a_suspension_the_calendar_counts() -> None:
    # No bar from 11-09 to 11-13: five sessions on the Shanghai calendar.
    lost = set(CALENDAR.sessions("CN", date(2026, 11, 9), date(2026, 11, 13)))

    def suspended(request: FetchRequest) -> ToolCall:
        assert isinstance(request, BarsRequest)
        whole = bars(request)
        if request.symbol == SSE:
            return whole
        back = made.bar_facts(MOUTAI, [date(2026, 11, 16)], [made.flat(101.0)])
        kept = [fact for fact in whole.rows if fact.as_of not in {*lost, date(2026, 11, 16)}]
        return fetched(MOUTAI, rows=[*kept, *back])

    told = Told({"daily_bars": suspended})
    event = told.on(date(2026, 11, 16))
    length = next(claim for claim in event.claims if claim.metric == "suspended_sessions")
    assert length.value == 5.0
    assert isinstance(length, Claim)
    cite = length.cite
    assert cite.kind == "tool"
    assert (cite.source, cite.table, cite.served_by) == ("exchange_calendars", "XSHG", "youju")
    assert "停牌5个交易日（2026-11-09 至 2026-11-13）后复牌首日" in told.text(event)


def test_the_leads_are_a_column_of_the_table_only_where_there_are_some() -> None:
    told = Told(items("notices", notice(1, "回购公告", at(18, 8))))
    table = events_table([("贵州茅台", event) for event in told.events], Text("异动", "Events"))
    assert table.columns[-1].key == "leads"
    cell = table.rows[0].cells["leads"]
    assert isinstance(cell, Text)
    assert cell.zh == "2026-11-18 公告 《回购公告》 巨潮资讯 https://static.cninfo.com.cn/1.PDF"
    plain = events_table([("贵州茅台", event) for event in Told().events], Text("异动", "Events"))
    assert "leads" not in {column.key for column in plain.columns}


def test_every_rule_named_is_registered() -> None:
    told = Told(items("signals", signal(1, "x", "billboard", published_at=at(18, 16))))
    assert {rule for event in told.events for rule in event.rules} <= COMPETENCES.keys()


def test_no_data_and_nothing_asked_are_told_apart() -> None:
    def nothing(_request: FetchRequest) -> ToolCall:
        raise NoDataError("notices", Text("没有公告", "none"))

    offline = abnormal_events(
        made.ledger_of({"daily_bars": bars}), Symbol(MOUTAI), date(2026, 11, 2), date(2026, 11, 20)
    ).events
    assert offline[0].reason.endswith("；未找到可引用的原因。")
    assert Told({"notices": nothing}).on().reason.endswith("；未见公告或新闻，原因不明。")

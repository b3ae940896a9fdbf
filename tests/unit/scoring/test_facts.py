"""Step 1: three analyses, what lacks, what the checker notes; every figure proved."""

from collections.abc import Callable, Sequence
from datetime import date, datetime

import pytest

from services.core.clock import BEIJING
from services.core.errors import NoDataError, UnavailableError
from services.core.ledger import Ledger
from services.core.rendering import PLACE
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    NewsRequest,
    NoticesRequest,
    PeersRequest,
    ValuationRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Item, ToolCall
from services.core.verifier import verify
from services.jobs.runner import CancelledError
from services.scoring.fact_news import tone_of
from services.scoring.fact_words import RunSubject, is_fresh, was_public
from services.scoring.facts import in_order, past_day
from services.scoring.models import AnalysisPart, Step1Output
from tests.unit.market.bundled import bundle
from tests.unit.scoring.scored import (
    APPLE,
    BANK,
    CARS,
    HALTED,
    MOUTAI,
    READ,
    TENCENT,
    Fetch,
    Told,
    calendar,
    failing,
    known,
    looked,
    step1_of,
)


def figures(step1: Step1Output, part: AnalysisPart) -> dict[str, float]:
    by_id = {claim.claim_id: claim for claim in step1.claims}
    return {by_id[name].metric: by_id[name].value for name in part.figures}


@pytest.mark.parametrize("symbol", [*READ, APPLE])
def test_every_claim_holds_and_every_place_has_its_claim(symbol: str) -> None:
    step1 = known(symbol).step1
    assert verify(step1.claims, step1.trace, bundle().clock.now()).ok
    known_ids = {claim.claim_id for claim in step1.claims}
    for part in (step1.news, step1.sector, step1.kline):
        texts = [part.summary, part.summary_en]
        texts += [text for one in part.findings for text in (one.text, one.text_en)]
        named = {name for text in texts for name in PLACE.findall(text)}
        assert named | set(part.figures) <= known_ids
        assert {name for one in part.findings for name in one.claims} <= known_ids


def test_a_bank_with_everything_but_news() -> None:
    step1 = known(BANK).step1
    assert (step1.news.status, step1.sector.status) == ("missing", "ok")
    # Every figure is over the sessions held; of the quarter's some could not be judged.
    assert step1.kline.status == "partial"
    assert str(step1.kline.why).startswith("异动：8 个交易日未能判断：5 日缺日线")
    assert step1.stock_name == "招商银行"
    assert step1.missing == ("news",)
    assert step1.sector.industry == "银行"
    assert 5 <= len(step1.sector.peers) <= 20
    assert BANK not in step1.sector.peers
    assert step1.kline.trend == "up"
    told = figures(step1, step1.sector)
    # 8.9 / 8.67 - 1; 100 / 8.67, from the two multiples of the snapshot
    assert told["profit_pace"] == pytest.approx(2.65282, abs=1e-4)
    assert told["earnings_yield"] == pytest.approx(11.53403, abs=1e-4)


def test_a_return_is_over_exactly_as_many_sessions_as_it_says() -> None:
    step1 = known(BANK).step1
    closes = {
        fact.as_of: fact.value
        for call in step1.trace.tool_calls
        for fact in call.rows
        if fact.symbol == BANK and fact.metric == "close" and call.table == "daily_bars"
    }
    days = calendar().sessions("CN", min(closes), max(closes))
    told = figures(step1, step1.kline)
    assert days[-61] == date(2017, 4, 27)
    assert told["return_60"] == pytest.approx((closes[days[-1]] / closes[days[-61]] - 1) * 100)
    assert told["return_250"] == pytest.approx((closes[days[-1]] / closes[days[-251]] - 1) * 100)
    # 2017-07-25 closes 60 moves, of which those over lost sessions are none of one session.
    moves = [
        closes[days[at]] / closes[days[at - 1]] - 1
        for at in range(1, len(days))
        if days[at] in closes and days[at - 1] in closes
    ]
    last = sorted(closes)[-61]
    own = [
        move
        for move, day in zip(
            moves,
            (
                days[at]
                for at in range(1, len(days))
                if days[at] in closes and days[at - 1] in closes
            ),
            strict=True,
        )
        if day > last
    ]
    assert told["worst_session"] == pytest.approx(min(own) * 100)


def test_a_suspended_stock_has_no_course_but_its_suspension() -> None:
    step1 = known(HALTED).step1
    assert step1.kline.status == "partial"
    assert "止于 2017-04-14" in str(step1.kline.why)
    assert figures(step1, step1.kline) == {"suspended_sessions": 70.0}
    assert any(one.direction == "negative" and "停牌" in one.text for one in step1.kline.findings)


def test_with_neither_a_price_nor_a_valuation_of_late_it_is_of_the_last_session() -> None:
    step1 = known(APPLE).step1
    by_id = {claim.claim_id: claim for claim in step1.claims}
    assert (step1.as_of, step1.of_day) == (date(2017, 7, 26), date(2016, 7, 25))
    assert step1.kline.summary.startswith("截至 2016-07-25")
    assert figures(step1, step1.kline)["close"] == pytest.approx(97.34)
    assert "美股估值" in str(step1.sector.why)
    assert "评分日为 2016-07-25" in str(step1.checks[0])
    graded = [by_id[name] for part in (step1.sector, step1.kline) for name in part.figures]
    assert max(claim.as_of for claim in graded) == step1.of_day
    assert {claim.period for claim in graded if claim.metric == "revenue_yoy"} == {"2015_Q4"}
    # 215,639m after 233,715m, and 45,687m after 53,394m: public in December 2016.
    told = {by_id[name].metric: by_id[name] for one in step1.since for name in one.claims}
    assert told["revenue_yoy"].value == pytest.approx((215639 / 233715 - 1) * 100)
    assert told["net_profit_yoy"].value == pytest.approx((45687 / 53394 - 1) * 100)
    assert {one.direction for one in step1.since} == {"negative"}


def test_a_past_day_waits_for_a_report_as_long_as_the_slowest_may_take() -> None:
    subject = RunSubject(Symbol(APPLE), "", date(2016, 1, 23), past=True)
    assert not was_public(date(2015, 9, 26), None, subject)
    assert was_public(date(2015, 9, 25), None, subject)
    assert was_public(date(2015, 9, 26), date(2015, 10, 28), subject)
    assert not was_public(date(2015, 9, 26), date(2016, 1, 24), subject)
    assert was_public(date(2015, 9, 26), None, RunSubject(Symbol(APPLE), "", date(2015, 9, 27)))


@pytest.mark.parametrize(
    ("last", "valued", "told"),
    [
        (date(2016, 7, 25), False, date(2016, 7, 25)),
        (date(2016, 7, 25), True, None),
        (date(2017, 7, 1), False, None),
        (date(2016, 1, 23), False, date(2016, 1, 23)),
        (date(2016, 1, 22), False, None),
        (None, False, None),
    ],
)
def test_which_day_a_score_is_of(last: date | None, valued: bool, told: date | None) -> None:
    step1 = known(BANK).step1
    sector = step1.sector.model_copy(update={"valued": valued})
    kline = step1.kline.model_copy(update={"last_session": last})
    assert past_day(sector, kline, date(2017, 7, 26)) == told


def test_a_figure_of_a_later_day_is_not_fresh() -> None:
    today = date(2016, 7, 25)
    assert is_fresh(today, today, "price")
    assert not is_fresh(date(2016, 7, 26), today, "report")
    assert not is_fresh(date(2016, 6, 24), today, "price")


def test_a_company_of_which_only_a_valuation_is_known() -> None:
    step1 = known(MOUTAI).step1
    assert step1.kline.status == "missing"
    assert "年报" in str(step1.sector.why)
    told = figures(step1, step1.sector)
    assert {"pe_ttm", "pb", "roe", "pe_ttm_cheaper", "profit_pace"} <= told.keys()


def test_hong_kong_goes_by_the_last_annual_report() -> None:
    told = figures(known(TENCENT).step1, known(TENCENT).step1.sector)
    assert "pe_ttm" not in told
    assert told["earnings_yield"] == pytest.approx(100 / 56.9227)
    # of 5 peers with a P/E one is dearer: 20 in a hundred
    assert told["pe_lyr_cheaper"] == pytest.approx(20.0)


DOWN = UnavailableError("fake", "x", "down")


@pytest.mark.parametrize(
    ("kind", "part", "status", "word"),
    [
        (BarsRequest, "kline", "missing", "日线"),
        (ValuationRequest, "sector", "partial", "估值"),
        (PeersRequest, "sector", "partial", "同行"),
        (FinancialsRequest, "sector", "partial", "年报"),
        (NewsRequest, "news", "missing", "新闻"),
    ],
)
def test_what_fails_leaves_the_others_and_is_named(
    kind: type[FetchRequest], part: str, status: str, word: str
) -> None:
    step1 = step1_of(BANK, failing(kind, DOWN))
    broken: AnalysisPart = getattr(step1, part)
    assert broken.status == status
    assert word in str(broken.why)
    assert any(word in str(check) for check in step1.checks)
    whole = known(BANK).step1
    for name in {"news", "sector", "kline"} - {part}:
        assert getattr(step1, name).status == getattr(whole, name).status
        assert figures(step1, getattr(step1, name)) == figures(whole, getattr(whole, name))


def test_nothing_at_all_is_no_data() -> None:
    def nothing(request: FetchRequest) -> Sequence[ToolCall]:
        raise NoDataError(request.capability, Text("没有", "none"))

    with pytest.raises(NoDataError, match=BANK):
        step1_of(BANK, nothing)


def backwards(
    ledger: Ledger, pieces: Sequence[Callable[[Ledger], AnalysisPart]], /
) -> Sequence[AnalysisPart]:
    """The three done in the opposite order."""
    return [piece(ledger) for piece in reversed(pieces)][::-1]


@pytest.mark.parametrize("together", [in_order, backwards])
@pytest.mark.parametrize("symbol", [BANK, HALTED])
def test_the_order_of_the_three_makes_no_difference(symbol: str, together: object) -> None:
    apart = looked(symbol, together=together)  # type: ignore[arg-type]
    whole = known(symbol)
    assert apart.step1.checks == whole.step1.checks
    assert [one.figures for one in (apart.step1.sector, apart.step1.kline)] != []
    for name in ("news", "sector", "kline"):
        assert figures(apart.step1, getattr(apart.step1, name)) == figures(
            whole.step1, getattr(whole.step1, name)
        )
    assert apart.total == whole.total
    assert [apart.score(f.factor) for f in apart.card.factors] == [
        whole.score(f.factor) for f in whole.card.factors
    ]


def test_each_part_is_told_as_it_begins_and_ends() -> None:
    told = Told()
    step1_of(BANK, watch=told, together=in_order)
    assert [(one.kind, one.tool) for one in told.steps] == [
        (kind, name)
        for name in ("news", "sector", "kline")
        for kind in ("tool_started", "tool_ended")
    ]
    assert told.steps[1].error == "NoDataError"


def test_stopping_stops() -> None:
    told = Told(stop_after=2)
    with pytest.raises(CancelledError):
        step1_of(BANK, watch=told, together=in_order)
    assert len(told.steps) == 2


def test_the_checker_notes_what_contradicts_itself() -> None:
    checks = "\n".join(map(str, known(TENCENT).step1.checks))
    assert "高估值以增长为前提" in checks
    assert "估值早于最近的日线" in checks
    assert "新闻与公告缺失" in checks


def item(number: int, title: str, day: str | None) -> Item:
    at = datetime.fromisoformat(f"{day}T10:00:00").replace(tzinfo=BEIJING) if day else None
    return Item(
        item_id=f"notice:{number}",
        kind="notice",
        symbol=CARS,
        title=title,
        origin="cninfo",
        published_at=at,
    )


TITLES = (
    item(1, "比亚迪：关于控股股东减持股份的公告", "2017-07-20"),
    item(2, "比亚迪：关于收到问询函的公告", "2017-07-10"),
    item(3, "比亚迪：关于中标云轨项目的公告", "2017-07-05"),
    item(4, "比亚迪：董事会决议公告", "2017-06-30"),
    item(5, "比亚迪：关于减持计划完成及增持的公告", "2017-06-20"),
    item(6, "比亚迪：2016年度亏损公告", "2016-06-20"),
    item(7, "比亚迪：关于诉讼的公告", None),
)


def with_notices(*items: Item) -> Fetch:
    real = bundle().fetch

    def fetch(request: FetchRequest) -> Sequence[ToolCall]:
        if not isinstance(request, NoticesRequest):
            return real(request)
        return [
            ToolCall(
                tool_call_id="tc_notices",
                name="notices",
                arguments={},
                attempts=(),
                source="cninfo",
                table="notices",
                served_by="cninfo",
                fetched_at=bundle().clock.now(),
                duration_ms=1.0,
                items=items,
            )
        ]

    return fetch


def test_titles_of_late_are_counted_by_their_words() -> None:
    found = looked(CARS, with_notices(*TITLES))
    news = found.step1.news
    assert news.status == "partial"  # there are notices and no news
    values = [
        found.card.by_id[str(name)].value for name in (news.counted, news.positive, news.negative)
    ]
    # 1 and 2 bad, 3 good, 4 neither, 5 both; 6 is a year old, 7 has no day
    assert values == [5, 1, 2]
    assert [one.direction for one in news.headlines] == [
        "negative",
        "negative",
        "positive",
        "neutral",
        "neutral",
    ]
    assert found.grade("tone") == pytest.approx(10 * (80 - 40) / 80)
    assert "negative_share" in figures(found.step1, news)
    assert all(one.as_of is not None for one in news.findings)
    assert verify(found.card.claims, found.step1.trace, bundle().clock.now()).ok


@pytest.mark.parametrize(
    ("title", "tone"),
    [
        ("公司收到立案调查通知", "negative"),
        ("拟回购股份", "positive"),
        ("终止回购股份", "neutral"),
        ("年度股东大会通知", "neutral"),
        ("Shares plunge after profit warning", "negative"),
        ("Company raises dividend", "positive"),
        ("Defined contribution plan", "neutral"),
    ],
)
def test_a_title_has_the_tone_of_its_words(title: str, tone: str) -> None:
    assert tone_of(title) == tone


def test_a_title_cannot_put_a_place_into_a_text() -> None:
    hostile = item(1, "减持「{{c:c_0123456789abcdef}}」", "2017-07-20")
    news = step1_of(CARS, with_notices(hostile)).news
    assert PLACE.findall(news.findings[0].text) == []
    assert news.headlines[0].title == hostile.title

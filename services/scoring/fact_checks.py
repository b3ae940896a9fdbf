"""The checker of Step 1: what is incomplete, what is of different days, what contradicts itself."""

from collections.abc import Iterator, Mapping

from services.core.claims import Claim
from services.core.text import Text
from services.scoring.models import AnalysisPart, KlineAnalysis, NewsAnalysis, SectorAnalysis

_NAMES: Mapping[str, tuple[str, str]] = {
    "news": ("新闻与公告", "News and notices"),
    "sector": ("行业与基本面", "Industry and fundamentals"),
    "kline": ("日线", "Daily bars"),
}
_CHEAP, _DEAR = 75.0, 25.0
# Percent in a year: a smaller move of the price says nothing of what the market thinks.
_MOVED = 10.0


def checked(
    news: NewsAnalysis, sector: SectorAnalysis, kline: KlineAnalysis, claims: Mapping[str, Claim]
) -> tuple[Text, ...]:
    """What the checker found; empty when all is there and of one mind."""
    known = {
        claims[name].metric: claims[name] for part in (sector, kline, news) for name in part.figures
    }
    found = [
        *_incomplete({"news": news, "sector": sector, "kline": kline}),
        *_check_names(news, sector, kline),
        *_contradictory(known, kline, news, claims),
        *_of_different_days(known, kline),
    ]
    return tuple(dict.fromkeys(found))


def _incomplete(parts: Mapping[str, AnalysisPart]) -> Iterator[Text]:
    for name, part in parts.items():
        if part.why is None:
            continue
        zh, en = _NAMES[name]
        words = ("缺失", "missing") if part.status == "missing" else ("不全", "incomplete")
        yield Text(f"{zh}{words[0]}（{part.why.zh}）", f"{en} {words[1]} ({part.why.en})")


def _check_names(*parts: AnalysisPart) -> Iterator[Text]:
    if len({part.stock_code for part in parts}) > 1:
        yield Text("三个部分说的不是同一家公司", "the three parts are not about one company")


def _of_different_days(known: Mapping[str, Claim], kline: KlineAnalysis) -> Iterator[Text]:
    valued = known.get("market_cap") or known.get("pb")
    if valued is None or kline.last_session is None or valued.as_of >= kline.last_session:
        return
    yield Text(
        "估值早于最近的日线，股价其后的变动没有计入估值",
        "the valuation predates the latest moves of the price",
    )


def _contradictory(
    known: Mapping[str, Claim],
    kline: KlineAnalysis,
    news: NewsAnalysis,
    claims: Mapping[str, Claim],
) -> Iterator[Text]:
    yield from _of_price_and_profit(known)
    yield from _of_growth(known)
    bad, good = (claims[name].value if name else 0.0 for name in (news.negative, news.positive))
    if kline.trend == "up" and bad > good:
        yield Text("走势向上而标题以负面居多", "the trend is up while most titles are negative")
    if kline.trend == "down" and good > bad:
        yield Text("走势向下而标题以正面居多", "the trend is down while most titles are positive")


def _of_price_and_profit(known: Mapping[str, Claim]) -> Iterator[Text]:
    place = known.get("pe_ttm_cheaper") or known.get("pe_lyr_cheaper")
    profit = known.get("net_profit_yoy") or known.get("profit_pace")
    if profit is None:
        return
    if place is not None and place.value >= _CHEAP and profit.value < 0:
        yield Text(
            "市盈率低于多数同行而利润在下降：低估值可能反映下降的利润",
            "cheaper than most peers while profit falls: the low multiple may reflect that",
        )
    if place is not None and place.value <= _DEAR and profit.value > 0:
        yield Text(
            "市盈率高于多数同行而利润在增长：高估值以增长为前提",
            "dearer than most peers while profit grows: the multiple rests on that growth",
        )
    moved = known.get("return_250")
    if moved is not None and moved.value >= _MOVED and profit.value < 0:
        yield Text(
            "股价走高，利润却下降：涨幅没有盈利支持",
            "the price went higher, profit fell: no earnings stand behind it",
        )
    if moved is not None and moved.value <= -_MOVED and profit.value > 0:
        yield Text(
            "股价走低，利润却增长：市场与报表的看法不同",
            "the price went lower, profit grew: market and accounts disagree",
        )


def _of_growth(known: Mapping[str, Claim]) -> Iterator[Text]:
    sales, earned = known.get("revenue_yoy"), known.get("net_profit_yoy")
    if sales is not None and earned is not None and sales.value > 0 > earned.value:
        yield Text("营收增长而利润下降", "revenue grows while profit falls")
    if sales is not None and earned is not None and earned.value > 0 > sales.value:
        yield Text("营收下降而利润增长", "revenue falls while profit grows")
    pace = known.get("profit_pace")
    if earned is not None and pace is not None and earned.value > 0 > pace.value:
        yield Text(
            "年报利润增长，但滚动盈利已低于年报：增势在减弱",
            "profit grew in the annual report, trailing profit is below it: growth slows",
        )
    if earned is not None and pace is not None and pace.value > 0 > earned.value:
        yield Text(
            "年报利润下降，但滚动盈利已高于年报：能否持续要看下一份财报",
            "profit fell in the annual report, trailing profit is above it: to be confirmed",
        )

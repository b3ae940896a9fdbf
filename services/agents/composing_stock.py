"""A company's report by rule: value, results, course, moves, news; risks; what to check."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from services.agents.report_words import Sections, Words, found, lacking, quotation
from services.agents.results import AnalysisInput
from services.agents.toolkit import Told
from services.core.claims import Claim, DerivedCite, Figure, ToolCite
from services.core.competence import COMPETENCES
from services.core.ledger import Ledger
from services.core.rendering import place
from services.market.events.events import Event
from services.market.fundamentals import FinancialData
from services.market.history import PriceHistory
from services.market.indicators.indicators import Indicators
from services.market.indicators.reading import SETTLED
from services.market.news import Headlines
from services.market.peers import Comparison
from services.market.profile import Profile
from services.tools.stock_feed import StockFeed

_PRICES = ("current_price", "close", "price_implied")
_VALUES = ("pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l")
_QUALITY = ("roe", "gross_margin", "net_margin", "debt_to_assets")
_COMPARED = ("pe_ttm", "pe_lyr", "pb")
_TOLD_EVENTS, _TOLD_NEWS, _TOLD_PERIODS = 2, 3, 3
_RSI = "indicator.rsi"
_FRESH_DAYS = COMPETENCES["report.confidence"].values["old_input_days"]
_STANCES = {
    "bullish": ("偏多", "bullish"),
    "neutral": ("中性", "neutral"),
    "bearish": ("偏空", "bearish"),
}
_DIRECTIONS = {
    "up": ("向上", "up"),
    "down": ("向下", "down"),
    "sideways": ("横盘", "sideways"),
}


class StockReport:
    """Writes one report."""

    def __init__(self, asked: AnalysisInput, gathered: Sequence[Told], ledger: Ledger) -> None:
        """`gathered` is what the plan's calls brought; `ledger` makes claims of rules."""
        self._asked = asked
        self._ledger = ledger
        self._gathered = gathered
        self._words = Words(asked.language)
        self._profile = found(gathered, "get_fundamentals_info", Profile)
        self._reports = found(gathered, "get_financial_reports", FinancialData)
        self._indicators = found(gathered, "compute_indicators", Indicators)
        self._peers = found(gathered, "peer_compare", Comparison)
        self._feed = found(gathered, "xqSearchStockFeed", StockFeed)
        self._news = found(gathered, "search_news", Headlines)
        self._prices = found(gathered, "get_price_history", PriceHistory)

    def sections(self) -> Sections:
        """The whole report; what nothing is known of is not there, or said to be missing."""
        points = (
            self._value(),
            self._beside_peers(),
            self._results(),
            self._over_years(),
            self._course(),
            *self._events(),
            *self._headlines(),
        )
        return Sections(
            summary=self._summary(),
            key_points=[point for point in points if point] or [self._nothing()],
            recommendations=[one for one in self._to_check() if one],
            risk_factors=[one for one in self._risks() if one],
        )

    def _summary(self) -> str:
        w, name = self._words, self._name()
        runs: dict[date, list[str]] = {}
        for one in (self._price(), self._figures().get("market_cap"), self._multiple()):
            if isinstance(one, Claim):
                runs.setdefault(one.as_of, []).append(w.stated(one))
        if self._indicators and (stance := self._stance()):
            runs.setdefault(self._indicators.as_of, []).append(stance)
        first = w.by_day(runs)
        results = w.join([self._grown("revenue"), self._grown("net_profit")])
        if results:
            results = f"{w.period(self._period())}{w.pick('', ': ')}{results}"
        said = w.pick("；", "; ").join(one for one in (first, results) if one)
        return w.end(f"{name}{w.pick('', ': ')}{said}" if said else self._nothing())

    def _name(self) -> str:
        """A Chinese name alone tells an English reader nothing."""
        name, symbol = self._asked.name or "", self._asked.symbol or ""
        if not name or self._words.zh or name.isascii():
            return name or symbol
        return f"{name} ({symbol})"

    def _nothing(self) -> str:
        name = self._name()
        return self._words.pick(
            f"没有取得{name}的任何数据，原因见下", f"no data of {name} could be had, see below"
        )

    def _figures(self) -> Mapping[str, Figure]:
        groups = self._profile.figures.values() if self._profile else ()
        return {metric: figure for group in groups for metric, figure in group.items()}

    def _price(self) -> Claim | None:
        """The newest price there is; one that a source gave before one that was worked out."""
        made = self._indicators
        known = [self._figures().get(metric) for metric in _PRICES]
        known += [made.figures.get("close")] if made else []
        prices = [one for one in known if isinstance(one, Claim)]
        given = [one for one in prices if isinstance(one.cite, ToolCite)]
        return max(given or prices, key=lambda one: one.as_of, default=None)

    def _multiple(self) -> Figure | None:
        figures = self._figures()
        return next((figures[m] for m in ("pe_ttm", "pe_lyr") if _is(figures.get(m))), None)

    def _value(self) -> str:
        w, figures = self._words, self._figures()
        told = w.dated([figures.get(metric) for metric in _VALUES])
        return w.end(w.pick("估值：", "valuation: ") + told) if told else ""

    def _beside_peers(self) -> str:
        w, peers = self._words, self._peers
        if peers is None:
            return ""
        runs: dict[date, list[str]] = {}
        for metric in _COMPARED:
            standing, own = peers.standings[metric], peers.own.figures[metric]
            if isinstance(own, Claim) and isinstance(standing.median, Claim):
                runs.setdefault(own.as_of, []).append(
                    w.pick(
                        f"{w.stated(own)}，同行中位数 {place(standing.median)}",
                        f"{w.stated(own)}, peer median {place(standing.median)}",
                    )
                )
        if not runs:
            return ""
        about = w.pick("同行对比（取行业内市值最大者）：", "beside the largest peers: ")
        return w.end(about + w.by_day(runs))

    def _period(self) -> str | None:
        return self._reports.periods[0] if self._reports and self._reports.periods else None

    def _latest(self) -> Mapping[str, Figure]:
        period = self._period()
        if self._reports is None or period is None:
            return {}
        return {
            metric: row[period] for metric, row in self._reports.figures.items() if period in row
        }

    def _grown(self, metric: str) -> str:
        w, latest = self._words, self._latest()
        figure, growth = latest.get(metric), latest.get(f"{metric}_yoy")
        if not isinstance(figure, Claim):
            return ""
        if not isinstance(growth, Claim):
            return w.stated(figure)
        return f"{w.stated(figure)}{w.pick('，同比 ', ', year on year ')}{place(growth)}"

    def _results(self) -> str:
        w, latest = self._words, self._latest()
        told = w.join(
            [
                self._grown("revenue"),
                self._grown("net_profit"),
                w.listed(latest.get(metric) for metric in _QUALITY),
            ]
        )
        return w.end(f"{w.period(self._period())}{w.pick('：', ': ')}{told}") if told else ""

    def _over_years(self) -> str:
        w, reports = self._words, self._reports
        if reports is None or len(reports.periods) < 2:
            return ""
        told: list[str] = []
        for metric in ("revenue", "net_profit"):
            row = reports.figures[metric]
            known = [
                f"{w.period(period)} {place(figure)}"
                for period in reports.periods[:_TOLD_PERIODS]
                if isinstance(figure := row.get(period), Claim)
            ]
            if len(known) > 1:
                told.append(
                    f"{w.label(metric)}{w.pick('：', ': ')}{w.pick('、', ', ').join(known)}"
                )
        return w.end(w.pick("；", "; ").join(told))

    def _stance(self) -> str:
        w, made = self._words, self._indicators
        score = made.figures.get("technical_score") if made else None
        if made is None or made.stance is None or not isinstance(score, Claim):
            return ""
        stance = w.pick(*_STANCES[made.stance])
        return f"{w.stated(score)}{w.pick('，按评分规则为', ', by its rule ')}{stance}"

    def _course(self) -> str:
        w, made = self._words, self._indicators
        if made is None:
            return ""
        basis = w.listed(made.figures.get(m) for m in ("close", "ma_20", "ma_60", "rsi"))
        if not basis:
            return ""
        way = ""
        if made.direction is not None:
            way = w.pick("趋势", "trend ") + w.pick(*_DIRECTIONS[made.direction])
        day = f"{w.pick('走势：截至', 'price action: as of ')}{made.as_of.isoformat()}"
        return w.end(w.join([day, basis, way, self._stance()]))

    def _events(self) -> list[str]:
        w = self._words
        head = w.pick("异动：", "abnormal move: ")
        return [
            f"{one.end.isoformat()} {head}{w.pick(one.reason, one.reason_en)}"
            for one in self._moves()
        ]

    def _moves(self) -> Sequence[Event]:
        moves = self._feed.events if self._feed else ()
        if not isinstance(moves, tuple):
            return ()
        return sorted(moves, key=lambda one: one.end, reverse=True)[:_TOLD_EVENTS]

    def _headlines(self) -> list[str]:
        w = self._words
        since = self._asked.as_of - timedelta(days=self._asked.news_days)
        texts = self._news.texts if self._news else ()
        told = [quotation(text.item, w, since) for text in texts]
        return [w.end(w.pick("新闻：", "news: ") + one) for one in told if one][:_TOLD_NEWS]

    def _to_check(self) -> list[str]:
        w, made = self._words, self._indicators
        levels = ""
        if made is not None and (made.support or made.resistance):
            near = [(made.support or ())[:1], (made.resistance or ())[:1]]
            told = [
                f"{w.pick(zh, en)}{w.stated(one[0])}"
                for one, (zh, en) in zip(
                    near, (("支撑位：", "support: "), ("压力位：", "resistance: ")), strict=True
                )
                if one
            ]
            levels = w.end(w.join(told))
        moves = self._moves()
        unexplained = w.pick(
            "上述异动附近没有取得公告或新闻，原因需另行核实。",
            "No notice or headline was had near the moves above; their cause is to be checked.",
        )
        return [
            levels,
            unexplained if moves and not any(one.leads for one in moves) else "",
            w.pick(
                "引用前点开每个数字的标记，核对来源、期间与原值。",
                "Before quoting, open the mark of each figure: source, period, upstream value.",
            ),
        ]

    def _risks(self) -> list[str]:
        w, latest = self._words, self._latest()
        risks: list[str] = []
        for metric in ("revenue", "net_profit"):
            figure, growth = latest.get(metric), latest.get(f"{metric}_yoy")
            if isinstance(figure, Claim) and isinstance(growth, Claim) and growth.value < 0:
                period = w.period(growth.period)
                name = w.label(metric)
                risks.append(
                    w.pick(
                        f"{period}{name}同比 {place(growth)}，少于上年同期。",
                        f"{period}: {name} year on year {place(growth)}, less than a year before.",
                    )
                )
        profit = latest.get("net_profit")
        if isinstance(profit, Claim) and profit.value < 0:
            label = f"{w.period(profit.period)}{w.pick('', ' ')}{w.stated(profit)}"
            risks.append(w.pick(f"亏损：{label}。", f"A loss: {label}."))
        figures = [one for one in (*self._figures().values(), *latest.values()) if _is(one)]
        if any(isinstance(one, Claim) and isinstance(one.cite, DerivedCite) for one in figures):
            risks.append(
                w.pick(
                    "部分数字由来源的数推算，算法与输入见各自的标记。",
                    "Some figures are derived; formula and inputs stand behind their marks.",
                )
            )
        return [*risks, *self._momentum(), *self._stale(), lacking(self._gathered, w)]

    def _momentum(self) -> list[str]:
        """Where RSI is beyond its registered lines."""
        w, made = self._words, self._indicators
        rsi = made.figures.get("rsi") if made else None
        if made is None or not isinstance(rsi, Claim):
            return []
        rule = COMPETENCES[_RSI].values
        if rule["rsi_oversold"] <= rsi.value <= rule["rsi_overbought"]:
            return []
        metric = "rsi_overbought" if rsi.value > rule["rsi_overbought"] else "rsi_oversold"
        line = self._ledger.competence(_RSI, metric, rsi.symbol, rsi.as_of, rsi.unit)
        day = rsi.as_of.isoformat()
        if metric == "rsi_overbought":
            return [
                w.pick(
                    f"截至{day}，{w.stated(rsi)}，高于超买线 {place(line)}。",
                    f"As of {day}, {w.stated(rsi)}, above the overbought line {place(line)}.",
                )
            ]
        return [
            w.pick(
                f"截至{day}，{w.stated(rsi)}，低于超卖线 {place(line)}。",
                f"As of {day}, {w.stated(rsi)}, below the oversold line {place(line)}.",
            )
        ]

    def _stale(self) -> list[str]:
        """Prices that end before the present, and sessions without any."""
        w, prices = self._words, self._prices
        if prices is None:
            return []
        last = prices.bars[-1].date
        told: list[str] = []
        if (self._asked.as_of - last).days > _FRESH_DAYS:
            told.append(
                w.pick(
                    f"行情止于 {last.isoformat()}，此后没有数据，可能停牌。",
                    f"Prices end on {last.isoformat()}; none since, trading may be suspended.",
                )
            )
        sessions, newest = prices.sessions, len(prices.bars) - 1
        if (first := sessions.whole_from(newest)) and sessions.window(newest, SETTLED).why:
            since = prices.bars[first].date
            told.append(
                w.pick(
                    f"来源缺若干交易日的日线，自 {since} 起才连续，跨缺口的均线与指标不给出。",
                    f"The source lacks the bars of some sessions before {since}; averages and "
                    "indicators across them are not given.",
                )
            )
        stops = [gap for gap in prices.gaps if gap.kind == "suspension"]
        if stops:
            told.append(
                w.pick(
                    f"统计期内有停牌，最近一段止于 {stops[-1].end}，均线与区间高低点跨越停牌。",
                    f"Trading was suspended in the period, last until {stops[-1].end}; averages "
                    "and ranges span the break.",
                )
            )
        return told


def _is(figure: Figure | None) -> bool:
    return isinstance(figure, Claim)

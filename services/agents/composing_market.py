"""A market's report by rule: the newest period of each macro series, the money flow, headlines."""

from collections.abc import Mapping, Sequence
from typing import cast

from services.agents.report_words import Sections, Words, found, lacking, quotation
from services.agents.results import AnalysisInput
from services.agents.toolkit import Told
from services.core.claims import Claim
from services.core.ledger import Ledger
from services.market.macro import MacroSeries
from services.market.news import Headlines

_TOLD_NEWS = 6
# What of a series is told first; of the others their first figure.
_LEADING: Mapping[str, tuple[str, ...]] = {
    "market_summary": ("market_cap_sum", "pe_ttm_median", "pb_median"),
}
_CALLED: Mapping[str, tuple[str, str]] = {
    "pmi": ("采购经理指数", "PMI"),
    "money_supply": ("货币供应", "money supply"),
    "cpi": ("CPI", "CPI"),
    "ppi": ("PPI", "PPI"),
    "gdp": ("GDP", "GDP"),
    "lpr": ("LPR", "LPR"),
    "social_financing": ("社会融资规模", "social financing"),
    "fund_flow": ("市场资金流", "money flow"),
    "market_summary": ("全市场概况", "the market as a whole"),
}


class MarketReport:
    """Writes one report."""

    def __init__(self, asked: AnalysisInput, gathered: Sequence[Told], ledger: Ledger) -> None:
        """`gathered` is what the plan's calls brought."""
        self._gathered = gathered
        self._words = Words(asked.language)
        self._series = self._macro()
        self._news = found(gathered, "search_news", Headlines)

    def sections(self) -> Sections:
        """The whole report; what did not come is said."""
        w = self._words
        points = [*self._figures(), *self._headlines()]
        missing = lacking(self._gathered, w)
        nothing = w.pick(
            "没有取得任何市场数据，原因见下方说明。", "No market data could be had; see the notes."
        )
        return Sections(
            summary=self._summary() or nothing,
            key_points=points or [nothing],
            recommendations=[
                w.pick(
                    "宏观数据按发布机构的口径，引用前核对期间与是否累计。",
                    "Macro figures are as their publishers define them: check period and basis.",
                )
            ],
            risk_factors=[text for text in (missing, self._absent()) if text],
        )

    def _parts(self) -> Mapping[str, object]:
        """What became of each series that was asked for."""
        view = next((one.view for one in self._gathered if one.name == "get_macro_data"), None)
        return cast("Mapping[str, object]", view) if isinstance(view, Mapping) else {}

    def _macro(self) -> tuple[MacroSeries, ...]:
        return tuple(part for part in self._parts().values() if isinstance(part, MacroSeries))

    def _absent(self) -> str:
        """The series that did not come, where others did."""
        w = self._words
        names = [
            w.pick(*_CALLED[name])
            for name, part in self._parts().items()
            if not isinstance(part, MacroSeries) and name in _CALLED
        ]
        if not names:
            return ""
        told = w.pick("、", ", ").join(names)
        return w.end(w.pick(f"没有取得的序列：{told}", f"Series that did not come: {told}"))

    def _summary(self) -> str:
        """The leading figures of every series."""
        w = self._words
        told = [
            f"{series.rows[-1].period}{w.pick('：', ': ')}{said}"
            for series in self._series
            if (said := w.listed(_leading(series)))
        ]
        return w.end(w.pick("；", "; ").join(told))

    def _figures(self) -> list[str]:
        w = self._words
        return [
            w.end(f"{series.rows[-1].period}{w.pick('：', ': ')}{told}")
            for series in self._series
            if (told := w.listed(series.rows[-1].figures.values()))
        ]

    def _headlines(self) -> list[str]:
        w = self._words
        told = [quotation(text.item, w) for text in (self._news.texts if self._news else ())]
        return [w.end(one) for one in told if one][:_TOLD_NEWS]


def _leading(series: MacroSeries) -> Sequence[Claim]:
    figures = series.rows[-1].figures
    wanted = _LEADING.get(series.name, tuple(figures)[:1])
    return [figures[metric] for metric in wanted if metric in figures]

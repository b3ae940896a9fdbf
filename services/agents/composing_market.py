"""A market's report by rule: the newest period of each macro series, the money flow, headlines."""

from collections.abc import Mapping, Sequence
from typing import cast

from services.agents.results import AnalysisInput
from services.agents.telling import Sections, Words, found, lacking, quotation
from services.agents.toolkit import Told
from services.core.ledger import Ledger
from services.market.macro import MacroSeries
from services.market.news import Headlines

_TOLD_NEWS = 6


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
            risk_factors=[missing] if missing else [],
        )

    def _macro(self) -> tuple[MacroSeries, ...]:
        view = next((one.view for one in self._gathered if one.name == "get_macro_data"), None)
        parts = cast("Mapping[str, object]", view).values() if isinstance(view, Mapping) else ()
        return tuple(part for part in parts if isinstance(part, MacroSeries))

    def _summary(self) -> str:
        """The first figure of every series."""
        w = self._words
        told = [
            f"{series.rows[-1].period}{w.pick('：', ': ')}{w.stated(first)}"
            for series in self._series
            if (first := next(iter(series.rows[-1].figures.values()), None)) is not None
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

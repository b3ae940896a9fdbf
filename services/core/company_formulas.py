"""What the company page derives beyond the shared figures: rows that core/formulas.py registers."""

from math import log
from typing import Literal, NamedTuple


class CompanyFormula(NamedTuple):
    """As `Formula` of core/formulas.py; `holed`: a window that lacks sessions has an answer all the
    same, and its note says how many.
    """

    metric: str
    expression: str
    slots: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    unit: str = "first"
    relation: Literal["none", "same_period", "year_before"] = "none"
    period: Literal["none", "first"] = "first"
    accuracy: str | None = None
    holed: bool = False
    window: int | None = None


def log_share(whole: float, whole_before: float, part: float, part_before: float) -> float:
    """How much of the move of a product one of its factors makes, by logarithms: the shares of all
    factors add up to the move. No answer (ZeroDivisionError) where the product did not move.
    """
    return (whole - whole_before) * log(part / part_before) / log(whole / whole_before)


_YEAR = "一年内的复权价"
# Drawn over the candles, and told beside them; over the sessions held, whatever lacks between.
AVERAGES = (5, 20, 60)
_STEPPED = ("roe", "net_margin", "asset_turnover", "equity_multiplier")
COMPANY: tuple[CompanyFormula, ...] = (
    CompanyFormula(
        "high_52w", "max(values)", series=("values=high",), period="none", accuracy=_YEAR,
        holed=True,
    ),
    CompanyFormula(
        "low_52w", "min(values)", series=("values=low",), period="none", accuracy=_YEAR,
        holed=True,
    ),
    CompanyFormula("volume", "sum(values)", series=("values=volume",), period="none", holed=True),
    *(
        CompanyFormula(
            f"ma_{length}", "mean(values)", series=("values=close",), period="none", holed=True,
            window=length,
        )
        for length in AVERAGES
    ),
    CompanyFormula(
        "asset_turnover", "revenue / total_assets * 100", ("revenue", "total_assets"),
        unit="percent", relation="same_period", accuracy="营业收入/期末总资产",
    ),
    CompanyFormula(
        "equity_multiplier", "total_assets / equity", ("total_assets", "equity"),
        unit="multiple", relation="same_period", accuracy="期末总资产/期末归母净资产",
    ),
    *(
        CompanyFormula(
            f"{metric}_yoy", "(later / earlier - 1) * 100",
            (f"later={metric}", f"earlier={metric}"), unit="percent", relation="year_before",
        )
        for metric in ("eps", "dps", "total_assets", "equity")
    ),
    *(
        CompanyFormula(
            f"{metric}_step", "later - earlier", (f"later={metric}", f"earlier={metric}"),
            unit="pp", relation="year_before",
        )
        for metric in ("roe", "net_margin")
    ),
    *(
        CompanyFormula(
            f"roe_by_{part}",
            "log_share(roe, before, part, part_before)",
            ("roe", "before=roe", f"part={part}", f"part_before={part}"),
            unit="pp",
            relation="year_before",
            accuracy="对数分解：三项相加等于净资产收益率的变化",
        )
        for part in _STEPPED[1:]
    ),
)  # fmt: skip
FUNCTIONS = {"log_share": log_share}

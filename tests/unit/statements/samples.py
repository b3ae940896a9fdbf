"""A small market whose every figure is known by hand, and the books of its companies.

SOUND grows, BUMPY has losses and tiny bases, SPLIT split its shares seven for one, MOVED changed
its year end, LAGGING told no revenue in its newest report; PEERS stand beside SOUND.
"""

from datetime import UTC, date, datetime, timedelta

from services.core.claims import Claim
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.text import Text
from services.core.trace import Attempt, Fact, ToolCall
from services.statements.book import Book, Lack

AT = datetime(2017, 7, 26, 12, tzinfo=UTC)
NOW = AT + timedelta(hours=1)
LAST = date(2017, 7, 25)
SOUND, BUMPY, SPLIT, MOVED = "600001.SH", "600002.SH", "00700.HK", "00005.HK"
LAGGING = "600003.SH"
PMI = "macro:pmi"
PEERS = tuple(f"60001{n}.SH" for n in range(7))
VALUED = date(2017, 5, 25)
YI = 1e8
_ANNUAL = {
    SOUND: {
        "revenue": (100, 110, 125, 150, 156),
        "net_profit": (10, 11, 12, 13, 14.3),
        "equity": (60, 70, 80, 90, 100),
        "total_assets": (500, 510, 530, 520, 540),
        "total_liabilities": (440, 440, 450, 430, 440),
    },
    BUMPY: {
        "revenue": (100, 90, 80, 90, 90.2),
        "net_profit": (-5, 3, -2, -4, -1),
        "equity": (60, 60, 59, 55, 54),
    },
    SPLIT: {"revenue": (10, 12, 14, 20, 26), "net_profit": (3, 4, 0.1, 3, 4.2)},
    MOVED: {"revenue": (50, 60, 70, 80, 90), "net_profit": (5, 6, 7, 8, 9)},
}
_PER_SHARE = {
    SOUND: {"eps": (1.0, 1.1, 1.2, 1.3, 1.43), "dps": (0.3, 0.3, 0.32, 0.33, 0.33)},
    SPLIT: {"eps": (30.0, 40.0, 1.0, 4.3, 6.0)},
}
_UNIT = {SOUND: "CNY", BUMPY: "CNY", SPLIT: "HKD", MOVED: "HKD"}
_DAY = {
    "ma_5": 11.9, "ma_20": 11.5, "ma_60": 11.0, "boll_upper": 12.2, "boll_lower": 10.8,
    "macd_dif": 0.904, "macd_dea": 0.901, "rsi": 71.2, "volume_multiple": 2.4, "high_20": 12.1,
    "low_20": 10.9,
}  # fmt: skip


def _end(symbol: str, year: int) -> date:
    """MOVED closes its books in September up to 2014, in December from 2015 on."""
    return date(year, 9, 30) if symbol == MOVED and year < 2015 else date(year, 12, 31)


def _call(name: str, rows: list[Fact]) -> ToolCall:
    attempt = Attempt(provider="sample", table=name, started_at=AT, duration_ms=1.0)
    return ToolCall(
        tool_call_id=f"tc_{name}", name="sample", arguments={}, attempts=(attempt,),
        source="sample", table=name, served_by="sample", fetched_at=AT, duration_ms=1.0,
        rows=tuple(rows),
    )  # fmt: skip


def fact(symbol: str, metric: str, value: float, unit: str, as_of: date,
         period: str | None = None, note: str | None = None) -> Fact:  # fmt: skip
    return Fact(
        symbol=symbol, metric=metric, value=value, unit=unit, as_of=as_of, period=period,
        field=metric, note=note,
    )  # fmt: skip


def sessions() -> list[date]:
    """130 weekdays to LAST, oldest first."""
    days: list[date] = []
    day = LAST
    while len(days) < 130:
        if day.weekday() < 5:
            days.append(day)
        day -= timedelta(days=1)
    return days[::-1]


def _reports() -> list[Fact]:
    rows: list[Fact] = []
    for source, per in ((_ANNUAL, ""), (_PER_SHARE, "/share")):
        for symbol, table in source.items():
            for metric, values in table.items():
                for year, value in zip(range(2012, 2017), values, strict=True):
                    amount = value if per else value * YI
                    rows.append(
                        fact(symbol, metric, amount, _UNIT[symbol] + per, _end(symbol, year),
                             f"{year}_Q4")
                    )  # fmt: skip
    rows.append(fact(SOUND, "revenue", 40 * YI, "CNY", date(2017, 3, 31), "2017_Q1"))
    rows.append(fact(SOUND, "net_profit", 3 * YI, "CNY", date(2017, 3, 31), "2017_Q1"))
    rows.append(fact(SOUND, "revenue", 160 * YI, "CNY", date(2017, 3, 31), "TTM_2017Q1"))
    for metric, values in (("revenue", (10, 12, 15)), ("net_profit", (5, 6, 7, 4))):
        rows += [
            fact(LAGGING, metric, n * YI, "CNY", date(year, 12, 31), f"{year}_Q4")
            for year, n in enumerate(values, 2013)
        ]
    rows.append(fact(BUMPY, "dps", 0.1, "CNY/share", date(2016, 12, 31), "2016_Q4"))
    return rows


def _macro() -> list[Fact]:
    """PMI of four months with a hole in April, and GDP of two quarters."""
    pmi = (("2017-02", date(2017, 2, 28), 51.6), ("2017-03", date(2017, 3, 31), 51.8),
           ("2017-05", date(2017, 5, 31), 51.7), ("2017-06", date(2017, 6, 30), 51.4))  # fmt: skip
    gdp = (("2017_Q1", date(2017, 3, 31), 6.9), ("2017_Q2", date(2017, 6, 30), 6.9))
    cpi = (("2017-04", date(2017, 4, 30), 1.2), ("2017-06", date(2017, 6, 30), 1.5))
    return [
        *(fact(PMI, "pmi_manufacturing", v, "points", day, month) for month, day, v in pmi),
        *(fact(PMI, "gdp_yoy", v, "percent", day, quarter) for quarter, day, v in gdp),
        *(fact(PMI, "cpi_yoy", v, "percent", day, month) for month, day, v in cpi),
    ]


def _bars() -> list[Fact]:
    days = sessions()
    rows: list[Fact] = []
    for n, day in enumerate(days):
        close = 10 + n * 0.01 + (0.71 if n == 129 else 0)
        rows += [
            fact(SOUND, "close", close, "CNY", day),
            fact(SOUND, "high", 12.1 if n == 129 else close + 0.1, "CNY", day),
        ]
    for metric, value in _DAY.items():
        unit = {"rsi": "index", "volume_multiple": "multiple"}.get(metric, "CNY")
        rows.append(fact(SOUND, metric, value, unit, LAST))
        rows.append(fact(SOUND, metric, value * 0.9, unit, days[-2]))
    day = days[100]
    for z, change, index, at in ((4.2, 6.0, -0.4, day), (1.1, 1.0, 0.2, days[101])):
        rows.append(fact(SOUND, "return_z", z, "sigma", at))
        rows.append(fact(SOUND, "pct_change", change, "percent", at))
        rows.append(fact("000001.SH", "pct_change", index, "percent", at))
    rows.append(fact(PEERS[0], "pct_change", 2.0, "percent", day))
    return rows


def _valued() -> list[Fact]:
    rows: list[Fact] = []
    for n, symbol in enumerate((SOUND, *PEERS)):
        multiples = {"pe_ttm": 8.0 + 2 * n, "pb": 1.0 + 0.01 * n, "pe_lyr": 8.5 + 2 * n}
        for metric, value in multiples.items():
            period = {"pe_ttm": "TTM_2017Q1", "pb": "MRQ_2017Q1", "pe_lyr": "LYR_2016"}[metric]
            rows.append(fact(symbol, metric, value, "multiple", VALUED, period))
        size = 60_000 if n == 0 else 10 * n
        rows.append(fact(symbol, "market_cap", size * YI, "CNY", VALUED))
    rows.append(fact(SPLIT, "pe_ttm", 30.0, "multiple", VALUED, "TTM_2017Q1"))
    rows.append(fact(PEERS[1], "revenue", 70 * YI, "CNY", date(2016, 9, 30), "2016_Q4"))
    return rows


def ledger() -> Ledger:
    """All of it as claims, with returns on equity, medians, ranks and counts derived."""
    made = Ledger(lambda _: ())
    for call in (
        _call("reports", _reports()), _call("bars", _bars()), _call("valued", _valued()),
        _call("macro", _macro()),
    ):  # fmt: skip
        made.record(call)
        for row in call.rows:
            made.claim(call, row)
    _derive(made)
    return made


def _derive(made: Ledger) -> None:
    roe = formula_for("roe", "net_profit / equity * 100")
    liable = formula_for("debt_to_assets", "total_liabilities / total_assets * 100")
    assert roe is not None
    assert liable is not None
    for symbol in (SOUND, BUMPY):
        for year in range(2012, 2017):
            period = f"{year}_Q4"
            made.derive(
                roe,
                [find(made, "net_profit", period, symbol), find(made, "equity", period, symbol)],
            )
    for year in range(2012, 2017):
        inputs = [find(made, one, f"{year}_Q4") for one in ("total_liabilities", "total_assets")]
        made.derive(liable, inputs)
    for metric in ("pe_ttm", "pb", "pe_lyr", "market_cap"):
        own, *others = (find(made, metric, VALUED, symbol) for symbol in (SOUND, *PEERS))
        for word, inputs in (
            ("median", others), ("rank", [own, *others]), ("count", [own, *others])
        ):  # fmt: skip
            formula = formula_for(f"{metric}_peer_{word}", f"{word}(values)")
            assert formula is not None
            made.derive(formula, inputs, about_symbol=SOUND)


def find(made: Ledger, metric: str, when: str | date, symbol: str = SOUND) -> Claim:
    """The one claim of that figure, period or day, and company."""
    found = [
        claim
        for claim in made.claims
        if (claim.symbol, claim.metric) == (symbol, metric)
        and when == (claim.as_of if isinstance(when, date) else claim.period)
    ]
    assert len(found) == 1, (metric, when, symbol, len(found))
    return found[0]


def book(symbol: str = SOUND, made: Ledger | None = None) -> Book:
    """What is known of that company."""
    return Book.of_ledger(
        made or ledger(),
        symbol,
        names={SPLIT: "甲公司", PEERS[1]: "乙公司"},
        lacks=(Lack(what=Text("新闻", "news"), why=Text("快照不含", "not in the bundle")),),
        texts={"news:1": "公司公告：拟以自有资金回购股份"},
    )

"""The companies the Eastmoney fake knows, and their figures: made up, but of one piece.

Every figure of a company follows from its line: last price, shares, and a year's revenue and
profit. Sessions are those the exchanges had.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

FIRST_DAY, LAST_DAY = date(2025, 1, 2), date(2026, 11, 20)
QUARTERS = [
    date(year, month, day)
    for year in (2023, 2024, 2025, 2026)
    for month, day in ((3, 31), (6, 30), (9, 30), (12, 31))
    if date(year, month, day) < LAST_DAY
]
# Weekdays without a session, YYMMDD.
_CLOSED = {
    "CN": "250128 250129 250130 250131 250203 250204 250404 250501 250502 250505 250602 251001 "
    "251002 251003 251006 251007 251008 260101 260102 260216 260217 260218 260219 260220 260223 "
    "260406 260501 260504 260505 260619 260925 261001 261002 261005 261006 261007",
    "HK": "250129 250130 250131 250404 250418 250421 250501 250505 250701 251001 251007 251029 "
    "251225 251226 260101 260217 260218 260219 260403 260406 260407 260501 260525 260619 260701 "
    "261001 261019",
    "US": "250109 250120 250217 250418 250526 250619 250704 250901 251127 251225 260101 260119 "
    "260216 260403 260525 260619 260703 260907",
}


def sessions(market: str, last: date = LAST_DAY) -> list[date]:
    """The sessions of a market, oldest first."""
    closed = set(_CLOSED[market].split())
    days = [FIRST_DAY + timedelta(days=n) for n in range((last - FIRST_DAY).days + 1)]
    return [day for day in days if day.weekday() < 5 and f"{day:%y%m%d}" not in closed]


@dataclass(frozen=True)
class Listed:
    """One instrument. `venue` is Eastmoney's number of its exchange (1 Shanghai, 116 HK…)."""

    code: str
    venue: int
    name: str
    industry: str
    price: float
    previous: float
    shares: int
    revenue: float = 0.0
    profit: float = 0.0
    suspended: bool = False

    @property
    def secid(self) -> str:
        return f"{self.venue}.{self.code}"

    @property
    def market(self) -> str:
        if self.venue == 100:
            return "HK" if self.code.startswith("HS") else "US"
        return {1: "CN", 0: "CN", 116: "HK", 124: "HK"}.get(self.venue, "US")

    @property
    def secucode(self) -> str:
        tails = {1: ".SH", 116: ".HK", 105: ".O", 106: ".N", 107: ".A"}
        tail = ".BJ" if self.code.startswith("920") else ".SZ"
        return self.code + tails.get(self.venue, tail)

    @property
    def cap(self) -> float:
        return round(self.price * self.shares)

    @property
    def equity(self) -> float:
        return round(self.revenue * 1.5)

    @property
    def liabilities(self) -> float:
        return round(self.revenue * 0.5)

    def year_to(self, quarter: date) -> tuple[float, float]:
        """Revenue and profit from January to that day: a year's, a tenth less a year back."""
        part = quarter.month / 12 * 0.9 ** (2026 - quarter.year)
        return round(self.revenue * part), round(self.profit * part)


_NAMED = [
    Listed("600519", 1, "贵州茅台", "酿酒行业", 1502.3, 1500.0, 1256197800, 174.0e9, 88.0e9),
    Listed("000001", 0, "平安银行", "银行", 12.12, 11.02, 19405918198, 146.0e9, 44.5e9),
    Listed("300750", 0, "宁德时代", "电池", 255.0, 250.0, 4400000000, 362.0e9, 50.7e9),
    Listed("688981", 1, "中芯国际", "半导体", 90.5, 91.0, 7970000000, 57.0e9, 3.6e9),
    Listed("920163", 0, "方大新材", "包装材料", 9.8, 9.9, 129000000, 0.6e9, 0.05e9),
    # A loss maker, and one whose trading is suspended.
    Listed("000002", 0, "万科A", "房地产开发", 7.05, 7.1, 11930709471, 340.0e9, -49.0e9),
    Listed("600001", 1, "停牌股份", "钢铁行业", 5.5, 5.5, 1000000000, 10.0e9, 0.2e9, True),
]
_HK = [
    Listed("00700", 116, "腾讯控股", "软件服务", 512.5, 510.0, 9270000000, 660.0e9, 194.0e9),
    Listed("09988", 116, "阿里巴巴-W", "专业零售", 120.3, 119.0, 19000000000, 996.0e9, 130.0e9),
]
_US = [
    Listed("AAPL", 105, "苹果", "计算机硬件", 270.25, 268.0, 14900000000, 416.0e9, 112.0e9),
    Listed("KO", 106, "可口可乐", "饮料", 71.0, 70.5, 4300000000, 47.0e9, 10.6e9),
]
INDEXES = [
    Listed("000001", 1, "上证指数", "", 3900.5, 3890.0, 0),
    Listed("000300", 1, "沪深300", "", 4600.25, 4590.0, 0),
    Listed("399001", 0, "深证成指", "", 13200.0, 13150.0, 0),
    Listed("HSI", 100, "恒生指数", "", 26000.0, 25900.0, 0),
    Listed("HSTECH", 124, "恒生科技指数", "", 5600.0, 5580.0, 0),
    Listed("SPX", 100, "标普500", "", 6600.0, 6580.0, 0),
    Listed("DJIA", 100, "道琼斯", "", 46000.0, 45900.0, 0),
    Listed("000905", 1, "中证500", "", 6800.0, 6790.0, 0),
    Listed("000852", 1, "中证1000", "", 7400.0, 7390.0, 0),
    Listed("000688", 1, "科创50", "", 1400.0, 1390.0, 0),
    Listed("399006", 0, "创业板指", "", 3100.0, 3090.0, 0),
]
FUNDS = [Listed("510300", 1, "沪深300ETF", "", 4.65, 4.64, 50000000000)]
# Heads of the codes of generated companies, a thousand each; no named one is among them.
_SERIES = ("601", "603", "605", "002", "301", "003", "302")
_INDUSTRIES = ("银行", "酿酒行业", "电池", "半导体", "医药商业", "汽车整车")


def universe(a_shares: int = 60, hong_kong: int = 12, america: int = 8) -> list[Listed]:
    """That many companies of each market: the named ones first, the rest generated."""
    made = _NAMED + [
        _made(n, f"{_SERIES[n // 1000]}{n % 1000:03d}", 1 if _SERIES[n // 1000][0] == "6" else 0)
        for n in range(a_shares - len(_NAMED))
    ]
    hk = _HK + [_made(n, f"{1000 + n:05d}", 116) for n in range(hong_kong - len(_HK))]
    us = _US + [_made(n, "AA" + _letters(n), 105) for n in range(america - len(_US))]
    return [*made[:a_shares], *hk[:hong_kong], *us[:america]]


def _made(number: int, code: str, venue: int) -> Listed:
    price = round(8 + (number * 37 % 400) / 10, 2)
    return Listed(
        code=code,
        venue=venue,
        name=f"样本{code}",
        industry=_INDUSTRIES[number % len(_INDUSTRIES)],
        price=price,
        previous=round(price * (1 + (number % 7 - 3) / 100), 2),
        shares=(number % 50 + 1) * 100_000_000,
        revenue=(number % 50 + 1) * 1.0e9,
        profit=(number % 11 - 1) * 0.1e9,
    )


def _letters(number: int) -> str:
    return chr(65 + number // 26 % 26) + chr(65 + number % 26)


def closes(one: Listed, days: Sequence[date]) -> list[float]:
    """A close for each day, oldest first, ending in yesterday's and today's price."""
    count = len(days)
    wave = [round(one.previous * (1 + ((k * 7) % 41 - 20) / 1000), 2) for k in range(2, count)]
    return [*reversed(wave), one.previous, one.price][-count:]

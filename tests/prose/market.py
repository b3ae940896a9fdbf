"""What the bundled market says, as an analyst would gather it: real claims through real tools."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from services.container import Services, build_services
from services.core.claims import Claim
from services.core.errors import YoujuError
from services.query.answering.answers import Answered
from services.settings import load_settings

# Deep: annual reports for several years; with bars: quotes and indicators as well.
REPORTED = (
    *("002594.SZ", "600036.SH", "600085.SH", "600809.SH", "601766.SH", "300059.SZ"),
    *("000002.SZ", "002230.SZ", "002739.SZ", "00700.HK", "02318.HK", "02333.HK"),
    *("AAPL", "TSLA", "FB", "GOOG", "00656.HK", "03888.HK", "300104.SZ"),
)
TRADED = (
    *("002594.SZ", "600036.SH", "600085.SH", "600809.SH", "601766.SH", "300059.SZ"),
    *("000002.SZ", "002230.SZ", "00700.HK", "02318.HK", "02333.HK", "00656.HK"),
    *("03333.HK", "03888.HK", "01359.HK"),
)
# Valued only. Many have a number in their name: 三一, 八一, 万华, 亿纬, 千金, 七匹狼, 第一, 二六三.
VALUED = (
    *("600519.SH", "000858.SZ", "601318.SH", "601398.SH", "600276.SH", "000651.SZ", "000333.SZ"),
    *("600887.SH", "601288.SH", "600030.SH", "600028.SH", "601857.SH", "000725.SZ", "002415.SZ"),
    *("600900.SH", "601088.SH", "600104.SH", "601166.SH", "000568.SZ", "002304.SZ", "600009.SH"),
    *("600031.SH", "000538.SZ", "600585.SH", "600019.SH", "601668.SH", "600048.SH", "600309.SH"),
    *("600581.SH", "000800.SZ", "002797.SZ", "002467.SZ", "002555.SZ", "300014.SZ", "600479.SH"),
    *("002029.SZ", "600050.SH", "601901.SH", "000895.SZ", "600703.SH", "002405.SZ", "601989.SH"),
    *("00005.HK", "00941.HK", "01299.HK", "00388.HK", "00939.HK", "00883.HK", "01398.HK"),
)
_PAIRS = (
    ("600519.SH", "000858.SZ", "市盈率"),
    ("600519.SH", "000858.SZ", "总市值"),
    ("000651.SZ", "000333.SZ", "市净率"),
    ("601398.SH", "601288.SH", "总市值"),
    ("002594.SZ", "600104.SH", "市盈率"),
    ("600809.SH", "600085.SH", "ROE"),
    ("600809.SH", "600085.SH", "净利润"),
    ("002594.SZ", "600085.SH", "资产负债率"),
    ("600085.SH", "002594.SZ", "资产负债率"),
    ("000858.SZ", "600519.SH", "总市值"),
)
_SCREENS = (
    "市盈率低于20的A股按股息率排名前5",
    "市净率小于1的A股",
    "市盈率小于15且市净率小于2的A股",
    "总市值大于5000亿的A股",
)
_EVENTS = ("002594.SZ", "000002.SZ", "002230.SZ", "600085.SH", "300059.SZ", "02333.HK", "03333.HK")


@dataclass(frozen=True)
class Bag:
    """Claims gathered for one purpose; `of` lists a metric's claims, newest first."""

    symbols: tuple[str, ...]
    claims: tuple[Claim, ...]
    _found: dict[tuple[str, str], list[Claim]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for claim in self.claims:
            self._found.setdefault((claim.symbol, claim.metric), []).append(claim)
        for found in self._found.values():
            found.sort(key=lambda claim: (claim.as_of, claim.period or ""), reverse=True)

    def of(self, symbol: str, metric: str) -> list[Claim]:
        return self._found.get((symbol, metric), [])


def join(*many: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims of several runs, each once, and of twins (one figure fetched twice) the first."""
    found: dict[object, Claim] = {}
    for claims in many:
        for claim in claims:
            what = (claim.symbol, claim.metric, claim.as_of, claim.period, claim.unit)
            found.setdefault((*what, claim.value), claim)
    return tuple(found.values())


class Market:
    """Asks the services once for what the corpora are written about."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.now = services.clock.now()
        self.companies = {
            symbol: bag
            for symbol in dict.fromkeys((*REPORTED, *TRADED, *VALUED))
            if (bag := self._company(symbol)).claims
        }
        self.pairs = [bag for pair in _PAIRS if (bag := self._pair(*pair)) is not None]
        self.screens = [bag for text in _SCREENS if (bag := self._asked(text)) is not None]
        self.events = [
            bag
            for symbol in _EVENTS
            if (bag := self._asked(f"{symbol} 2016年异动", symbol)) is not None
        ]
        self.peers = [
            Bag((symbol,), claims)
            for symbol in ("600519.SH", "000858.SZ", "600809.SH", "600036.SH", "601318.SH")
            if (claims := self._tool("peer_compare", symbol))
        ]

    def names(self, symbols: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """What each may be called: its names, in Chinese and English, without its code."""
        found: dict[str, tuple[str, ...]] = {}
        for symbol in symbols:
            called = self._services.names.list_names(symbol)
            words = (*called.own, *(word for word in called.other if word[:1] not in "GS*"))
            found[symbol] = tuple(word for word in words if not word.isdigit() and word)
        return found

    def name(self, symbol: str) -> str:
        return self._services.names.name(symbol)

    def _tool(self, name: str, symbol: str, **more: object) -> tuple[Claim, ...]:
        market = {"HK": "HK", "SH": "CN", "SZ": "CN"}.get(symbol.rpartition(".")[2], "US")
        wire: Mapping[str, object] = {"symbol": symbol, "market": market, **more}
        try:
            return self._services.toolbox.call(name, wire, session_id="s_prose").claims  # type: ignore[arg-type]
        except YoujuError:
            return ()

    def _company(self, symbol: str) -> Bag:
        claims = [self._tool("get_fundamentals_info", symbol)]
        if symbol in REPORTED:
            claims.append(self._tool("get_financial_reports", symbol))
        if symbol in TRADED:
            claims.append(self._tool("get_price_history", symbol, lookback=30))
            claims.append(self._tool("compute_indicators", symbol))
        return Bag((symbol,), join(*claims))

    def _asked(self, text: str, *symbols: str) -> Bag | None:
        answer = self._services.query.ask(text)
        if not isinstance(answer, Answered) or not answer.claims:
            return None
        named = symbols or tuple(dict.fromkeys(claim.symbol for claim in answer.claims))
        return Bag(named, answer.claims)

    def _pair(self, one: str, other: str, word: str) -> Bag | None:
        return self._asked(f"{self.name(one)}和{self.name(other)}的{word}对比", one, other)


@cache
def market() -> Market:
    """The bundled market, asked once a process."""
    return Market(build_services(load_settings({"YOUJU_STORE": ":memory:"})))

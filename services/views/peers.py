"""The companies of the same industry, each with the same figures: a table and links."""

from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.errors import NoDataError, ProviderError
from services.core.industries import industry_label
from services.core.ledger import Answer, Ledger
from services.core.requests import PeersRequest
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.market.names.names import Names
from services.market.valuation import valuation_figures
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
    named_columns,
)
from services.views.view import Link

FIGURES = (
    "market_cap",
    "pe_ttm",
    "pe_lyr",
    "pb",
    "ps_ttm",
    "roe",
    "net_profit",
    "revenue",
    "dy_l",
)
_BASES = Text(
    "净利润为年报或总市值/市盈率(LYR)的推算，营业收入为 TTM，ROE 为市净率/市盈率的估算。",
    "Net profit is annual, or market cap / P/E (LYR); revenue is TTM; ROE is P/B over P/E.",
)
_WHO = (
    TableColumn("symbol", Text("代码", "Code"), "symbol"),
    TableColumn("name", Text("名称", "Name"), "text"),
)


def fetch_peers(ledger: Ledger, symbol: Symbol, size: int) -> Answer | None:
    """The largest of its industry, itself among them; None when the source knows no industry for
    it, or failed: a page about the company stands without them.
    """
    try:
        return ledger.fetch(PeersRequest(symbol=symbol.value, size=size))
    except (NoDataError, ProviderError):
        return None


def peer_links(answer: Answer | None, symbol: Symbol) -> tuple[Link, ...]:
    """The others, largest first."""
    if answer is None:
        return ()
    others = [name for name in answer.symbols if name != symbol.value]
    return tuple(Link(name, answer.label(name, "name") or name) for name in others)


def peers_table(ledger: Ledger, answer: Answer | None, industry: str | None, names: Names) -> Table:
    """One row a company, largest first; empty when there is no industry."""
    found = answer.symbols if answer else ()
    rows: list[TableRow] = []
    for symbol in found:
        figures = valuation_figures(ledger, answer, symbol) if answer else {}
        called = answer.label(symbol, "name") if answer else symbol
        cells = {"symbol": symbol, "name": names.text(symbol, called or "")}
        rows.append(TableRow({**cells, **{key: figures.get(key) for key in FIGURES}}, symbol))
    given = [key for key in FIGURES if any(isinstance(row.cells[key], Claim) for row in rows)]
    lacking = [metric_words(key) for key in FIGURES if key not in given] if given else []
    lost = join_texts(lacking, "、", ", ")
    told = industry_label(industry) if industry else None
    zh, en = (f"：{told.zh}", f": {told.en}") if told else ("", "")
    return Table(
        "peers",
        Text(f"同行业公司{zh}", f"Industry peers{en}"),
        (*_WHO, *named_columns(given or FIGURES, rows)),
        tuple(rows),
        Text(
            _BASES.zh + (f"来源没有这些公司的{lost.zh}。" if lacking else ""),
            _BASES.en + (f" The source has no {lost.en} of these." if lacking else ""),
        ),
    )

"""What may be asked next, each a text to be asked as it is; only what is new and has figures."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import islice

from services.core.catalogue import SCREEN_FIELDS
from services.core.claim_names import is_estimate
from services.core.claims import Claim
from services.core.names import NameRow
from services.core.periods import is_report
from services.core.symbols import Symbol
from services.core.text import Language
from services.market.names.names import Names
from services.query.algebra.wire import KEY
from services.query.answering.outcomes import AnswerRow, Outcome
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import Nlir, NlirNode
from services.query.reading.clarification import figure_called
from services.query.reading.english import company_en

_METRICS = (("净利润", "net profit"), ("营业收入", "revenue"), ("净资产收益率", "ROE"))
# A set may be ordered by these; and a bound may join one that has none on that figure.
_ORDERS = (
    ("净利润", "net profit", "net_profit"),
    ("总市值", "market cap", "market_cap"),
    ("市盈率", "PE", "pe_ttm"),
    ("净资产收益率", "ROE", "roe"),
    ("市净率", "PB", "pb"),
)
_BOUNDS = (
    ("roe", "再加上净资产收益率大于15%", "add ROE above 15%"),
    ("pe_ttm", "再加上市盈率小于20", "add PE below 20"),
    ("dy_l", "再加上股息率大于3%", "add dividend yield above 3%"),
)
_COMPARED = (
    ("净资产收益率", "ROE", "roe"),
    ("市盈率(TTM)", "PE", "pe_ttm"),
    ("市净率", "PB", "pb"),
)
# What every company of a market can be asked: the bundle has no trailing PE in Hong Kong, and
# prices alone in the United States; an index has nothing else anywhere.
_PEERS = ("同行对比", " peers")
_TAILS: Mapping[str, Sequence[tuple[str, str]]] = {
    "CN": (("的市盈率", " PE"), ("的最新价", " price"), _PEERS),
    "HK": (("的市净率", " PB"), ("的最新价", " price"), _PEERS),
    "US": (("的最新价", " price"),),
    "index": (
        ("近一年走势", " price history past year"),
        ("近一个月走势", " price history last month"),
        ("的最新价", " price"),
    ),
}
_FEW, _MOST = 5, 3


def suggestions(
    nlir: Nlir,
    outcomes: Sequence[Outcome],
    language: Language,
    names: Names,
    metadata: Metadata,
) -> tuple[str, ...]:
    """Up to three follow-ups of the first node, by what it brought."""
    node, zh = nlir.nodes[0], language == "zh"
    first = next((one for one in outcomes if one.node.id == node.id), None)
    said = str(node.arg("entity") or "")
    company = said if zh else company_en(said, names) if said else ""
    if company and (first is None or first.absent or (first.rows and not first.claims)):
        return ()
    row = names.row(str(first.node.arg("ticker"))) if first and company else None
    tails = _tails(row)
    if node.action == "screen":
        found = _of_screen(node, first, metadata, zh=zh)
    elif node.action == "query":
        found = _of_query(node, first, [(tail[0], company + tail[not zh]) for tail in tails], zh=zh)
        found = found or _of_year(company, first, zh=zh)
    elif company and node.action == "compare":
        found = _of_peers(node, first, zh=zh)
    else:
        found = []
    if company and not found and node.action != "query":
        found = [company + tail[not zh] for tail in tails]
    return tuple(found[:_MOST])


def _of_screen(
    node: NlirNode, outcome: Outcome | None, metadata: Metadata, *, zh: bool
) -> list[str]:
    """An order it has not, its first two side by side, less or more of it by how many there are;
    fewer conditions for none. A figure that most of them lack is not asked for.
    """
    rows = [row for row in outcome.rows if row.symbol] if outcome else []
    if not rows:
        bounds = [slot.name for slot in node.args if slot.key in SCREEN_FIELDS]
        return [f"去掉{name}" if zh else f"remove {_en(name, metadata)}" for name in bounds]
    held = Counter(
        SCREEN_FIELDS.get(key, key)
        for row in rows
        for key, figure in row.figures.items()
        if isinstance(figure, Claim)
    )
    known = {metric for metric, count in held.items() if 2 * count >= len(rows)}
    ordered = f"{node.arg('order_by') or ''} {node.arg(KEY) or ''}".lower()
    orders = (
        f"按{name}排" if zh else f"sort by {name_en}"
        for name, name_en, metric in _ORDERS
        if metric in known and name not in ordered and name_en.lower() not in ordered
    )
    found = list(islice(orders, int(len(rows) > 1)))
    if len(rows) > _FEW:
        found.append("只要前5" if zh else "top 5 only")
    bounded = {SCREEN_FIELDS.get(slot.key) for slot in node.args}
    free = [one for one in _BOUNDS if one[0] in known - bounded]
    found += [zh_bound if zh else en_bound for _, zh_bound, en_bound in free]
    pair = _side_by_side(rows, known, zh=zh)
    return [*found[: _MOST - len(pair)], *pair]


def _side_by_side(rows: Sequence[AnswerRow], known: Set[str], *, zh: bool) -> list[str]:
    """The first two by a multiple, which is of one day for both; by their codes where a name may
    be another listing's.
    """
    names = [
        label if zh and Symbol(row.symbol).market == "CN" else row.symbol
        for row in rows[:2]
        if row.symbol and (label := row.label.in_language("zh" if zh else "en"))
    ]
    return [
        f"{'和'.join(names)}的{name}" if zh else f"{name_en} of {' and '.join(names)}"
        for name, name_en, metric in _COMPARED
        if metric in known - {"roe"} and len(names) > 1
    ][:1]


def _tails(row: NameRow | None) -> Sequence[tuple[str, str]]:
    """What can be asked of a company or an index; peers where the source has its industry."""
    if row is None or row.kind == "index":
        return _TAILS["index"] if row else ()
    return [one for one in _TAILS[row.market] if one != _PEERS or row.industry is not None]


def _of_peers(node: NlirNode, outcome: Outcome | None, *, zh: bool) -> list[str]:
    """Figures to be compared by that the company has and were not asked about."""
    asked = {slot.name for slot in node.outputs}
    own = outcome.rows[:1] if outcome else ()
    others = [
        (name, name_en)
        for name, name_en, metric in _COMPARED
        if name not in asked and any(isinstance(row.figures.get(metric), Claim) for row in own)
    ]
    return [f"{name}呢" if zh else f"what about {name_en}" for name, name_en in others]


def _of_query(
    node: NlirNode, outcome: Outcome | None, tails: Sequence[tuple[str, str]], *, zh: bool
) -> list[str]:
    """Another report figure, and more periods where a source has reports; of a multiple or a price
    what else there is. `tails`: what each asks for in Chinese, and the question.
    """
    asked = {slot.name for slot in node.outputs}
    claims = outcome.claims if outcome else ()
    reported = any(is_report(claim.period) and not is_estimate(claim) for claim in claims)
    mainland = any(Symbol(claim.symbol).market == "CN" for claim in claims)
    if not reported and not (mainland and any(is_report(claim.period) for claim in claims)):
        said = [slot.name.partition("(")[0] for slot in node.outputs]
        return [text for what, text in tails if not any(what.endswith(name) for name in said)]
    found = [pair for pair in _METRICS if pair[0] not in asked][:1]
    told = [f"{name}呢" if zh else f"what about {name_en}" for name, name_en in found]
    if reported and node.arg("count") is None:
        told.append("最近三年呢" if zh else "last three years")
    return [*told, *(text for _, text in tails[-1:])]


def _of_year(company: str, outcome: Outcome | None, *, zh: bool) -> list[str]:
    """The course of the year its newest price is of, where there is nothing else to ask."""
    days = [one.as_of for one in (outcome.claims if outcome else ()) if one.metric == "close"]
    if not days or not company:
        return []
    year = max(days).year
    return [f"{company}{year}年走势" if zh else f"{company} price history {year}"]


def _en(name: str, metadata: Metadata) -> str:
    entry = metadata.exact(name)
    return name if entry is None else figure_called(entry, "en")

"""What may be asked next, each a text to be asked as it is; only what is new and has figures."""

from collections.abc import Sequence

from services.core.claims import Claim
from services.core.periods import is_report
from services.core.rendering import Language
from services.market.metrics import SCREEN_FIELDS
from services.market.names import Names
from services.query.asking import figure_called
from services.query.english import company_en
from services.query.metadata import Metadata
from services.query.nlir import Nlir, Node
from services.query.outcomes import Outcome
from services.query.sentences import estimated

_METRICS = (("净利润", "net profit"), ("营业收入", "revenue"), ("净资产收益率", "ROE"))
_MULTIPLES = (("市盈率(TTM)", "PE"), ("市净率", "PB"), ("总市值", "market cap"))
# A screen may be ordered by these; and a bound may join one that has none on that field.
_ORDERS = (("净利润", "net profit"), ("总市值", "market cap"))
_BOUNDS = (
    ("roediluted", "再加上净资产收益率大于15%", "add ROE above 15%"),
    ("pettm", "再加上市盈率小于20", "add PE below 20"),
    ("dy_l", "再加上股息率大于3%", "add dividend yield above 3%"),
)
_COMPARED = (("净资产收益率", "ROE"), ("净利润", "net profit"), ("市净率", "PB"))
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
    if node.action == "screen":
        found = _of_screen(node, first, metadata, zh=zh)
    elif node.action == "query":
        found = _of_query(node, first, company, zh=zh)
    elif company and node.action == "compare":
        asked = {slot.name for slot in node.outputs}
        others = [pair for pair in _COMPARED if pair[0] not in asked]
        found = [f"{name}呢" if zh else f"what about {name_en}" for name, name_en in others]
    elif company:
        tails = ("的市盈率", "的最新价", "同行对比") if zh else (" PE", " price", " peers")
        found = [company + tail for tail in tails]
    else:
        found = []
    return tuple(found[:_MOST])


def _of_screen(node: Node, outcome: Outcome | None, metadata: Metadata, *, zh: bool) -> list[str]:
    """Orders it has not, less or more of it by how many there are; fewer conditions for none."""
    listed = len(outcome.rows) if outcome else 0
    if not listed:
        bounds = [slot.name for slot in node.args if slot.key in SCREEN_FIELDS]
        return [f"去掉{name}" if zh else f"remove {_en(name, metadata)}" for name in bounds]
    found: list[str] = []
    if listed > 1:
        order = next(one for one in _ORDERS if one[0] != node.arg("order_by"))
        found.append(f"按{order[0]}排" if zh else f"sort by {order[1]}")
    if listed > _FEW:
        found.append("只要前5" if zh else "top 5 only")
    known = {
        key
        for row in (outcome.rows if outcome else ())
        for key, figure in row.figures.items()
        if isinstance(figure, Claim)
    }
    free = [one for one in _BOUNDS if node.arg(one[0]) is None and one[0] in known]
    return [*found, *(zh_bound if zh else en_bound for _, zh_bound, en_bound in free)]


def _of_query(node: Node, outcome: Outcome | None, company: str, *, zh: bool) -> list[str]:
    """Another figure of the same kind, more periods where a source has reports, and its peers."""
    asked = {slot.name for slot in node.outputs}
    claims = outcome.claims if outcome else ()
    kind = _METRICS if any(is_report(claim.period) for claim in claims) else _MULTIPLES
    found = [pair for pair in kind if pair[0] not in asked][:1]
    told = [f"{name}呢" if zh else f"what about {name_en}" for name, name_en in found]
    reported = any(is_report(claim.period) and not estimated(claim)[0] for claim in claims)
    if reported and node.arg("count") is None:
        told.append("最近三年呢" if zh else "last three years")
    return [*told, f"{company}同行对比" if zh else f"{company} peers"]


def _en(name: str, metadata: Metadata) -> str:
    entry = metadata.exact(name)
    return name if entry is None else figure_called(entry, "en")

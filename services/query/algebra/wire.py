"""A query on the wire (seed 002): NLIR and PLIR that carry it, and the query of a PLIR again.

What today's documents can say is said by them, to the letter: figures of companies, screens of one
market. Anything else stands in one argument, `algebra`: the told sentence in NLIR, the query's JSON
in PLIR. Either way PLIR alone gives the query back.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from typing import NamedTuple, TypeVar, cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.errors import InputError
from services.core.names import ShortNames
from services.core.periods import Period
from services.core.rendering import Language
from services.core.text import Text
from services.market.ranges import parse_range
from services.market.report_sheet import METRIC_NAMES
from services.query.algebra import nodes as a
from services.query.algebra.explain import explain
from services.query.algebra.scopes import FIELD_OF, bound_tests, field_now, named_symbols
from services.query.algebra.telling import Teller
from services.query.algebra.wire_spans import company_nodes, query_of_prices, query_of_reports
from services.query.algebra.words import MARKS
from services.query.planning import nlir, plir
from services.query.planning.metadata import Metadata, MetadataEntry
from services.query.planning.slots import ARG_NAMES, argument_of, output_of

KEY, CODE = "algebra", "common.query.algebra"
LONGEST_JSON = 40_000
_QUERY: TypeAdapter[a.Query] = TypeAdapter(a.Query)


class Wired(NamedTuple):
    """A query in both shapes; `plir` None where the mapper makes it of `nlir` as of any other."""

    nlir: nlir.Nlir
    plir: plir.Plir | None


def query_json(query: a.Node) -> str:
    """The JSON of a query, without what is as by default."""
    return json.dumps(_prune_defaults(query), ensure_ascii=False, separators=(",", ":"))


def read_query(text: str) -> a.Query:
    """The query of that JSON. Raises: InputError."""
    if len(text) > LONGEST_JSON:
        raise InputError(KEY, f"{len(text)} characters", f"at most {LONGEST_JSON} characters")
    try:
        return _QUERY.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            KEY, where, Text(f"不是查询式：{first['msg']}", f"no query: {first['msg']}")
        ) from None


def wire_query(
    query: a.Query | a.Several | a.OtherTool,
    names: ShortNames,
    metadata: Metadata,
    language: Language = "zh",
) -> Wired:
    """Both shapes of a query, or of what another tool answers. `names` call symbols."""
    if isinstance(query, a.OtherTool):
        return Wired(nlir.Nlir(nodes=tuple(_number_nodes(_tool_nodes(query, names)))), None)
    queries = query.queries if isinstance(query, a.Several) else (query,)
    parts = [one for one in queries if isinstance(one, a.Query)]
    made = [_make_wired(one, names, metadata, language) for one in parts]
    plain = [node for one in made for node in one.nlir.nodes]
    if all(one.plir is None for one in made):
        return Wired(nlir.Nlir(nodes=tuple(_number_nodes(plain))), None)
    whole = [
        one if one.plir is not None else _whole(part, names, language)
        for one, part in zip(made, parts, strict=True)
    ]
    nodes = _number_nodes([node for one in whole for node in one.nlir.nodes])
    done = [node for one in whole if one.plir is not None for node in one.plir.nodes]
    return Wired(nlir.Nlir(nodes=tuple(nodes)), plir.Plir(nodes=tuple(_number_nodes(done))))


# The slot the words stand in that another tool is asked with.
_SAID_IN: Mapping[str, str] = {
    **dict.fromkeys(("knowledge", "indicator", "news"), "query"),
    "feed": "wants",
    "macro": "series",
}


def _tool_nodes(tool: a.OtherTool, names: ShortNames) -> list[nlir.NlirNode]:
    """A node for each company, or one of none."""
    action = "compare" if tool.action == "peers" else tool.action
    key = _SAID_IN.get(tool.action, "")
    words = [argument_of(key, tool.text)] if key and tool.text else []
    whoms = [[argument_of("entity", _name_symbol(one, names))] for one in tool.symbols] or [[]]
    return [nlir.NlirNode(id="node_1", action=action, args=(*whom, *words)) for whom in whoms]


def query_of(node: plir.PlirNode) -> a.Query | None:
    """The query a PLIR node carries; None where it is none (texts, macro, peers).

    Raises: InputError.
    """
    carried = node.arg(KEY)
    if carried is not None:
        return read_query(str(carried))
    if node.action == "api_screen":
        return query_of_screen(node)
    if node.action in {"api_get_financial", "api_get_quote"}:
        return _of_figures(node)
    if node.action == "api_get_price_history":
        return query_of_prices(node)
    return None


def query_of_plan(plan: plir.Plir) -> a.Query | None:
    """The query of a whole plan, figures of several companies as one; None where a node is none.

    Raises: InputError.
    """
    found = [query_of(node) for node in plan.nodes]
    known = [one for one in found if one is not None]
    if len(known) != len(found) or not known:
        return None
    if len(known) == 1:
        return known[0]
    symbols = [named_symbols(one.scope) or () for one in known]
    bare = [one.but(scope=None, show=()) for one in known]
    if any(one != bare[0] for one in bare) or not all(symbols):
        return None
    asked = zip(symbols, known, strict=True)
    pairs = {pair for some, one in asked for pair in product(some, one.show)}
    values = tuple(dict.fromkeys(one for some in symbols for one in some))
    shown = tuple(dict.fromkeys(one for query in known for one in query.show))
    if len(pairs) < len(values) * len(shown):  # not every figure of every one of them
        return None
    scope = a.In(dim="symbol", values=values)
    return bare[0].but(scope=scope, show=shown)


def _prune_defaults(node: a.Node) -> dict[str, JsonValue]:
    """Its fields but those at their default; the kind of node always."""
    found: dict[str, JsonValue] = {}
    for name, field in type(node).model_fields.items():
        value = getattr(node, name)
        if name != "said" and (name == "node" or value != field.default):
            found[name] = _json(value)
    return found


def _json(value: object) -> JsonValue:
    if isinstance(value, a.Node):
        return _prune_defaults(value)
    if isinstance(value, tuple):
        return [_json(one) for one in cast("tuple[object, ...]", value)]
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(type(value).__name__)


def _make_wired(query: a.Query, names: ShortNames, metadata: Metadata, language: Language) -> Wired:
    if query.unheld is not None:  # today's documents have no place for it
        return _whole(query, names, language)
    nodes = company_nodes(
        query, lambda one: _name_symbol(one, names), lambda one: _find_asked(one, metadata)
    )
    if nodes := nodes or _screen_node(query, metadata):
        return Wired(nlir.Nlir(nodes=tuple(_number_nodes(nodes))), None)
    return _whole(query, names, language)


def _whole(query: a.Query, names: Mapping[str, str], language: Language) -> Wired:
    """A query that stands in its own argument."""
    shown, teller = query.show or query.folded, Teller(names, 0 if language == "zh" else 1)
    outputs = tuple(
        plir.PlirSlot(
            key=f"var_{at + 1}",
            name=teller.tell(one),
            code=_code(one),
            extractor=f"$.shown[*].v{at}",
        )
        for at, one in enumerate(shown)
    )
    asked = argument_of(KEY, explain(query, names, language))
    node = nlir.NlirNode(
        id="node_1",
        action="screen",
        outputs=tuple(nlir.Slot(key=one.key, name=one.name or "") for one in outputs),
        args=(asked,),
    )
    written = plir.PlirSlot(key=KEY, name=asked.name, value=query_json(query), code=CODE)
    done = plir.PlirNode(id="node_1", action="api_screen", outputs=outputs, args=(written,))
    return Wired(nlir.Nlir(nodes=(node,)), plir.Plir(nodes=(done,)))


def _code(expr: a.Expr) -> str:
    """The code of the metric it is, or is of; that of the query where it is of several."""
    metric = expr.id if isinstance(expr, a.Metric) else getattr(expr, "of", None)
    if isinstance(metric, a.Metric):
        metric = metric.id
    known = (
        CATALOGUE[metric].question_code if isinstance(metric, str) and metric in CATALOGUE else None
    )
    return known or CODE


_Wire = TypeVar("_Wire", nlir.NlirNode, plir.PlirNode)


def _number_nodes(nodes: Sequence[_Wire]) -> Iterator[_Wire]:
    for at, node in enumerate(nodes, start=1):
        yield node.but(id=f"node_{at}")


def _name_symbol(symbol: str, names: ShortNames) -> str:
    """As an asker may say it; a name of two listings with its symbol, so that it is of one."""
    name = names.get(symbol)
    if name is None:
        return symbol
    return f"{name}({symbol})" if name in names.shared else name


def _find_asked(metric: str, metadata: Metadata) -> MetadataEntry | None:
    entry = CATALOGUE.figures.get(metric)
    if entry is None or entry.asked is None or entry.question_code is None:
        return None
    known = metadata.by_code(entry.question_code)
    return known if known.physical_metric == (entry.asked.metric or entry.id) else None


def _screen_node(query: a.Query, metadata: Metadata) -> list[nlir.NlirNode]:
    """A screen of one market by an AND of bounds; none where it is not that."""
    marks = _marks(query.scope)
    said = ("scope", "where", "order", "take", "show")
    if query != a.Query(**{name: getattr(query, name) for name in said}) or marks is None:
        return []
    args = [argument_of("category", MARKS[marks[0]].zh)]
    if marks[1]:
        args.append(argument_of("industry", marks[1]))
    bounds = _bounds(query.where)
    shown = [_find_asked(one.id, metadata) for one in query.show if isinstance(one, a.Metric)]
    if bounds is None or len(shown) != len(query.show) or None in shown:
        return []
    if any(isinstance(one, a.Metric) and (one.when != a.LATEST or one.of) for one in query.show):
        return []
    by_now = {field for field, _ in bounds} | {field_now(one.by) for one in query.order}
    by_now -= {""}
    # What is asked beside the list is told by name; what only a company's own report has, is asked
    # of each company of the list.
    shows = (one for one in query.show if isinstance(one, a.Metric))
    beside = {one.id for one in shows if field_now(one) not in by_now}
    if beside & FIELD_OF.keys() or not beside <= set(METRIC_NAMES):
        return []
    args += [argument_of(field, said) for field, said in bounds]
    order = _order_slots(query)
    take = query.take
    if order is None or (take is not None and take.per is not None) or not (bounds or order):
        return []
    args += order
    if take is not None:
        args.append(argument_of("size", take.count))
        if take.skip:
            args.append(argument_of("rank", take.skip + 1))
    outputs = tuple(output_of(one) for one in shown if one is not None)
    return [nlir.NlirNode(id="node_1", action="screen", outputs=outputs, args=tuple(args))]


def _marks(scope: a.Pred | None) -> tuple[str, str] | None:
    """The one market and the one industry of a scope (none: empty); None where it says more."""
    parts = a.items_of(scope)
    found: dict[str, str] = {}
    for one in parts:
        if (
            not isinstance(one, a.In)
            or one.dim not in {"market", "industry"}
            or len(one.values) != 1
        ):
            return None
        if one.label:
            return None  # finer than the source: what was asked for is told
        if one.dim in found:
            return None
        found[one.dim] = one.values[0]
    return (found["market"], found.get("industry", "")) if "market" in found else None


def _bounds(where: a.Pred | None) -> list[tuple[str, str]] | None:
    """Each bounded figure and its bound as said; None where today's ranges cannot say it."""
    parts = a.items_of(where)
    given: dict[str, dict[str, float]] = {}
    for one in parts:
        if not isinstance(one, a.Compare) or not isinstance(one.right, a.Const):
            return None
        if not (field := field_now(one.left)):
            return None
        sides = given.setdefault(field, {})
        if one.sign in sides or ":" in one.right.unit:
            return None
        sides[one.sign] = one.right.value
    found: list[tuple[str, str]] = []
    for field, sides in given.items():
        said = _say_bound(field, sides)
        if said is None:
            return None
        found.append((field, said))
    return found


def _say_bound(field: str, sides: Mapping[str, float]) -> str | None:
    """小于10, 大于3%. Below a multiple's bound is from nil on: a loss has none."""
    row = CATALOGUE[SCREEN_FIELDS[field]]
    unit = {"percent": "%", "money": "元"}.get(row.unit, "")
    if set(sides) == {"gt"} and sides["gt"] > 0:
        return f"大于{sides['gt']:.15g}{unit}"
    below = {"lt"} if row.kind != "valuation" else {"ge", "lt"}
    if set(sides) == below and sides.get("ge", 0) == 0 and sides["lt"] > 0:
        return f"小于{sides['lt']:.15g}{unit}"
    return None


def _order_slots(query: a.Query) -> list[nlir.Slot] | None:
    if not query.order:
        return []
    first = query.order[0]
    field = field_now(first.by)
    if len(query.order) > 1 or not field:
        return None
    way = "升序" if first.direction == "asc" else "降序"
    return [argument_of("order_by", ARG_NAMES[field]), argument_of("order", way)]


def _of_figures(node: plir.PlirNode) -> a.Query | None:
    """Figures of one company at one time, or of its newest reports."""
    by_physical = {
        (row.asked.metric or row.id): row.id
        for row in reversed(tuple(CATALOGUE.figures.values()))
        if row.asked is not None
    }
    metrics = [str(slot.value) for slot in node.args if slot.key == "metric"]
    if not metrics or any(one not in by_physical for one in metrics):
        return None
    if node.arg("count") is not None:
        return query_of_reports(node, [by_physical[one] for one in metrics])
    when = _when_of(str(node.arg("period") or "latest"))
    if when is None:
        return None
    shown = tuple(a.Metric(id=by_physical[one], when=when) for one in metrics)
    return a.Query(scope=a.In(dim="symbol", values=(str(node.arg("ticker")),)), show=shown)


def _when_of(period: str) -> a.When | None:
    if period in {"latest", "realtime"}:
        return a.LATEST
    try:
        said = Period.parse(period)
    except InputError:
        return None
    if said.quarter == 4:
        return a.When(kind="years", first=said.year, last=said.year)
    return a.When(kind="quarters", first=said.end, last=said.end)


def query_of_screen(node: plir.PlirNode) -> a.Query:
    """A screen of one market."""
    market = a.In(dim="market", values=(str(node.arg("category") or "CN"),))
    industry = node.arg("industry")
    scope = a.both(market, a.In(dim="industry", values=(str(industry),)) if industry else None)
    tests: list[a.Pred] = []
    for slot in node.args:
        bound = parse_range(slot.key, slot.value) if slot.key in SCREEN_FIELDS else None
        tests += bound_tests(bound) if bound is not None else ()
    by = str(node.arg("order_by") or "symbol")
    down = "asc" if node.arg("order") == "asc" else "desc"
    order = (
        (a.Order(by=a.Metric(id=SCREEN_FIELDS[by]), direction=down),) if by in SCREEN_FIELDS else ()
    )
    size, offset = node.arg("size"), node.arg("offset")
    take = a.Take(count=int(str(size or 10)), skip=int(str(offset or 0)))
    return a.Query(scope=scope, where=a.both(*tests), order=order, take=take)

"""From what was said to what will be done: names become codes, values physical values.

Arguments nobody says are filled in from the templates. A value that cannot be read, or that
contradicts another, is asked back; nothing is fetched here.
"""

from collections.abc import Iterable, Mapping

from services.core.clock import Clock
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.core.text import Language, Text
from services.market.names.names import Names
from services.market.ranges import UNIT_WORDS
from services.market.report_sheet import MULTIPLES
from services.query.planning.arguments import ArgumentContext, read_arguments
from services.query.planning.metadata import Metadata, MetadataEntry
from services.query.planning.nlir import Action, AskBack, Nlir, NlirNode, Slot
from services.query.planning.plir import PhysicalAction, Plir, PlirNode, PlirSlot
from services.query.reading.paraphrase import restated
from services.query.sayings import saying

_ACTIONS: Mapping[Action, PhysicalAction] = {
    "query": "api_get_financial",
    "price_history": "api_get_price_history",
    "screen": "api_screen",
    "abnormal": "api_get_abnormal",
    "feed": "api_get_feed",
    "knowledge": "api_search_knowledge",
    "web_search": "api_web_search",
    "site_search": "api_xq_search",
    "user_feed": "api_user_feed",
    "visit": "api_visit",
    "compare": "api_compare",
    "macro": "api_macro",
    "indicator": "api_compute_indicators",
    "profile": "api_get_profile",
    "news": "api_search_news",
    "billboard": "api_get_billboard",
    "score": "api_score",
}
_OF_COMPANY: tuple[Action, ...] = (
    *("query", "price_history", "abnormal", "feed", "compare"),
    *("indicator", "profile", "news", "score"),
)
# What an action cannot do without: the key of the slot, and how it is asked for.
_NEEDED: Mapping[Action, tuple[str, Text]] = {
    **dict.fromkeys(_OF_COMPANY, ("entity", Text("要查哪家公司？", "Which company?"))),
    "knowledge": ("query", Text("要查什么？", "Look for what?")),
    "web_search": ("query", Text("要搜索什么？", "Search for what?")),
    "site_search": ("query", Text("要搜索什么？", "Search for what?")),
    "user_feed": ("user", Text("要看哪位用户？", "Which member?")),
    "visit": ("url", Text("要打开哪个网址？", "Which address?")),
    "macro": ("series", Text("要查哪个宏观指标？", "Which macro series?")),
}
# Of many days: each close, how far the price went, the highest and the lowest.
_OF_DAYS: Mapping[str, str] = {
    "price": "$.data[*].close",
    "pct_change": "$.pct_change",
    "high": "$.high",
    "low": "$.low",
}


def to_plir(
    nlir: Nlir,
    names: Names,
    metadata: Metadata,
    clock: Clock,
    *,
    language: Language = "zh",
    industries: Mapping[str, frozenset[str]] | None = None,
) -> Plir | AskBack:
    """The physical plan; AskBack, in `language`, for what cannot be mapped.

    `industries` by market are the labels of a source: 家电 becomes its 家用电器. Any other industry
    is taken as said.
    """
    today = clock.now().date()
    nodes: list[PlirNode] = []
    for node in nlir.nodes:
        try:
            nodes += _map_nodes(ArgumentContext(node, names, metadata, today, industries or {}))
        except InputError as error:
            return _ask_back(node, error, names, language)
    return Plir(nodes=tuple(nodes))


def _map_nodes(reading: ArgumentContext) -> list[PlirNode]:
    node = reading.node
    key, asked = _NEEDED.get(node.action, ("", ""))
    if key and node.arg(key) in {None, ""}:
        raise InputError(key, "", asked)
    args = read_arguments(reading)
    if node.action != "query":
        outputs = _columns(node, reading.metadata)
        return [_make_node(node, node.id, _ACTIONS[node.action], outputs, args)]
    groups: dict[PhysicalAction, list[tuple[Slot, MetadataEntry]]] = {}
    for slot in node.outputs:
        entry = reading.metadata.resolve(slot.name)
        groups.setdefault(entry.action or "api_get_financial", []).append((slot, entry))
    if not groups:
        raise InputError("metric", "", Text("要查哪项指标？", "Which figure?"))
    return [
        _figures(node, node.id + (f"_{at}" if at > 1 else ""), action, wanted, args)
        for at, (action, wanted) in enumerate(groups.items(), start=1)
    ]


def _figures(
    node: NlirNode,
    name: str,
    action: PhysicalAction,
    wanted: list[tuple[Slot, MetadataEntry]],
    args: list[PlirSlot],
) -> PlirNode:
    """A node of figures, with the implied argument `metric`, one for each of them."""
    ticker = next(str(slot.value) for slot in args if slot.key == "ticker")
    if action == "api_get_financial" and Symbol(ticker).is_index:
        for slot, entry in wanted:
            if entry.physical_metric not in MULTIPLES:
                raise InputError("metric", slot.name, saying("no_index"))
    rows = "[*]" if any(slot.key == "count" for slot in args) else ""
    single = len(wanted) == 1 and not rows
    outputs = [
        PlirSlot(
            key=slot.key,
            name=slot.name,
            code=entry.code,
            extractor=entry.extractor if single else f"$.data{rows}.{entry.physical_metric}",
        )
        for slot, entry in wanted
    ]
    implied = [
        PlirSlot(key="metric", name="指标类型", value=entry.physical_metric, code=entry.code)
        for _, entry in wanted
    ]
    return _make_node(node, name, action, outputs, [*args, *implied])


def _columns(node: NlirNode, metadata: Metadata) -> list[PlirSlot]:
    """The outputs of a list: a column of each of its rows, or a part of the answer."""
    found: list[PlirSlot] = []
    for slot in node.outputs:
        entry = metadata.resolve(slot.name)
        column = entry.field or entry.physical_metric
        path = f"$.data[*].{column}" if entry.kind == "metric" else entry.extractor
        if node.action == "price_history" and entry.kind == "metric":
            path = _OF_DAYS.get(entry.physical_metric, f"$.data[*].{entry.physical_metric}")
        found.append(PlirSlot(key=slot.key, name=slot.name, code=entry.code, extractor=path))
    return found


def _make_node(
    node: NlirNode,
    name: str,
    action: PhysicalAction,
    outputs: Iterable[PlirSlot],
    args: Iterable[PlirSlot],
) -> PlirNode:
    return PlirNode(
        id=name, action=action, ref_id=node.ref_id, outputs=tuple(outputs), args=tuple(args)
    )


def _ask_back(node: NlirNode, error: InputError, names: Names, language: Language) -> AskBack:
    """The question back; each choice is the node said again with the slot replaced."""
    said, why = error.got.strip("'"), error.valid.in_language(language)
    key = "entity" if error.name == "symbol" else error.name
    if key == "entity" and said:
        why = _WHO[language][bool(error.choices)].format(said)
    elif said:
        bounded = next((slot.name for slot in node.args if slot.key == key in UNIT_WORDS), "")
        said = bounded + said
        why = f"{said}: {why}" if language == "en" else f"{said}：{why}"
    answers = [
        f"{names.name(choice)}({choice})" if key == "entity" else choice for choice in error.choices
    ]
    choices = [restated(node, {key: answer}) for answer in answers]
    return AskBack(reason=why, choices=tuple(dict.fromkeys(choices)))


_WHO: Mapping[Language, tuple[str, str]] = {
    "zh": ("没有找到「{}」", "「{}」没有对应到唯一的标的，指的是哪一个？"),
    "en": ("no company “{}” is listed here", "“{}” is not one listing: which is meant?"),
}

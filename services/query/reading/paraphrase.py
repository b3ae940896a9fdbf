"""A node in words: what was understood, and a question that would be understood as it.

No figure is written here: a condition stands as it was said.
"""

from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.text import Language, Text
from services.market.names.names import Names
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import Action, Nlir, NlirNode
from services.query.reading.english import bound_told, company_en, figure_en, keywords_en, value_en

_WORDS = read_data_file(DATA_FOLDER / "lexicon" / "plan_words.toml").tables
DOINGS = cast(
    "Mapping[Action, Text]",
    {one: Text(told["zh"], told["en"]) for one, told in _WORDS["doings"].items()},
)
_ENDS, _SAID, _SLOTS_EN = _WORDS["ends"], _WORDS["said"], _WORDS["slots_en"]
# Words of the asker's own, told as they are.
_FREE = frozenset({"query", "url", "user"})


def plan_words(nlir: Nlir, language: Language, names: Names, metadata: Metadata) -> str:
    """`我理解为：查 贵州茅台 · 最新 · 营业收入`; several nodes with ； between them."""
    if language == "zh":
        return understood_as(nlir)
    return "Read as: " + "; ".join(
        _tell_node_in_english(node, names, metadata) for node in nlir.nodes
    )


def understood_as(nlir: Nlir) -> str:
    """The same in Chinese, which needs no names and no codes."""
    return "我理解为：" + "；".join(_tell_node(node) for node in nlir.nodes)


def restated(node: NlirNode, replacing: Mapping[str, str]) -> str:
    """The node as a Chinese question, with the slots of `replacing` said differently."""
    parts: list[str] = []
    for slot in node.args:
        value = replacing.get(slot.key, plain(slot.value))
        if slot.key in SCREEN_FIELDS:
            value = f"{slot.name}{value}"
        parts.append(_SAID.get(slot.key, "{}").format(value))
    wanted = [replacing.get("metric", slot.name) for slot in node.outputs]
    parts += dict.fromkeys(wanted or [_ENDS.get(node.action, "")])
    return " ".join(part for part in parts if part and part != "最新")


def _tell_node(node: NlirNode) -> str:
    parts: list[str] = []
    for slot in node.args:
        value = plain(slot.value)
        if slot.key == "entity":
            parts.append(value)
        elif slot.key in SCREEN_FIELDS:
            parts.append(f"{slot.name}{bound_told(value, zh=True)}")
        else:
            parts.append(f"{slot.name} {value}")
    parts += [slot.name for slot in node.outputs]
    return f"{DOINGS[node.action].zh} " + " · ".join(parts)


def _tell_node_in_english(node: NlirNode, names: Names, metadata: Metadata) -> str:
    parts: list[str] = []
    for slot in node.args:
        value = plain(slot.value)
        if slot.key == "entity":
            parts.append(company_en(value, names))
        elif slot.key in SCREEN_FIELDS:
            parts.append(f"{_figure_en(slot.name, metadata)} {bound_told(value, zh=False)}")
        elif slot.key in _FREE:
            parts.append(f"{_SLOTS_EN[slot.key]} {keywords_en(value)}")
        else:
            is_named = slot.key in ("order_by", "series")
            said = _figure_en(value, metadata) if is_named else value_en(value)
            parts.append(f"{_SLOTS_EN.get(slot.key, slot.key)} {said}")
    parts += [_figure_en(slot.name, metadata) for slot in node.outputs]
    return f"{DOINGS[node.action].en} " + " · ".join(parts)


def _figure_en(name: str, metadata: Metadata) -> str:
    entry = metadata.exact(name)
    return name if entry is None else figure_en(entry)


def plain(value: JsonValue) -> str:
    """The value of a slot as text."""
    if isinstance(value, list):
        return "、".join(str(one) for one in value)
    return str(value)

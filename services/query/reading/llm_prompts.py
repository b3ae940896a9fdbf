"""What a model is told when it is to read a question, and the shape its reading must have.

The shape is the query algebra itself with the asker's words at each node; the words of the question
are told with what each may mean, so that a model copies and recalls nothing. What comes back is
checked by code in any case (llm_reading.py); nothing here is a guarantee.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, cast

from pydantic import JsonValue, TypeAdapter

from services.core.data_files import DATA_FOLDER
from services.language.lattice import Token
from services.query.algebra.nodes import OtherTool, Query
from services.query.algebra.scopes import CURRENCIES
from services.query.algebra.wire import query_json
from services.query.planning.plir import Turn
from services.query.reading.atoms import turn_of, ways_of_word
from services.query.reading.figures_said import HAD, base
from services.query.reading.phrases import Amount, Time
from services.query.reading.tagging import Lattice

EARLIER = 2
# What a word is called to a model; words of other kinds it knows as well as we do.
_TOLD = {
    "METRIC": "metric", "several": "metrics", "ENT": "symbols", "SCOPE": "in", "WHEN": "when",
    "YTD": "when", "AMT": "amount", "NUM": "number", "COUNT": "count", "TOP": "count",
    "BOTTOM": "count", "NOFIG": "no_such_figure", "CONCEPT": "no_such_set", "toolask": "tool",
    "indicator": "indicator",
}  # fmt: skip
# Words that say a whole condition or order: 破净, 最赚钱.
_WHOLE = ("idiom", "best")
# Where the algebra names a figure.
_FIGURES = (
    ("Metric", "id"), ("Change", "of"), ("Over", "of"), ("HistoryRank", "of"), ("Course", "of"),
    ("Loss", "of"),
)  # fmt: skip
_DROPPED = frozenset({"title", "default", "discriminator"})

# The rules a model reads by with questions and their readings, and those by which it chooses.
_RULES, _READINGS = DATA_FOLDER / "reading_rules.txt", DATA_FOLDER / "readings.jsonl"
_CHOICE = DATA_FOLDER / "reading_choice.txt"


@cache
def system() -> str:
    """The rules a model reads by, and questions with their readings."""
    return _RULES.read_text(encoding="utf-8") + _READINGS.read_text(encoding="utf-8")


def told(
    question: str,
    lattice: Lattice,
    turns: Sequence[tuple[str, Sequence[Query]]],
    unanswered: Sequence[tuple[Turn, Lattice]],
    listings: Mapping[str, Sequence[str]],
    today: date,
) -> str:
    """The question, what its words may mean and the turns before it as data: one JSON document.
    `unanswered` are those since the last answer, `listings` the shares of companies in a market
    that was said.
    """
    answered = [_as_answered(text, queries) for text, queries in turns]
    left: list[JsonValue] = [
        {"question": one.user_query, "not_answered": True, "words": _words(lattice)}
        for one, lattice in unanswered
    ]
    document: dict[str, JsonValue] = {
        "today": today.isoformat(),
        "earlier": [*answered, *left],
        "question": question,
        "text": lattice.text,
        "words": _words(lattice),
    }
    if listings:
        document["listings"] = {one: list(there) for one, there in listings.items()}
    return json.dumps(document, ensure_ascii=False)


def _as_answered(text: str, queries: Sequence[Query]) -> JsonValue:
    """A turn that was answered: its query, or those it had several of."""
    read: list[JsonValue] = [json.loads(query_json(one)) for one in queries]
    if len(read) > 1:
        return {"question": text, "queries": read}
    return {"question": text, "query": read[0]} if read else {"question": text}


def told_again(user: str, written: str, why: str, about: Sequence[str]) -> str:
    """The same once more, with what came of it and why (of OBJECTIONS) that does not hold."""
    refused = OBJECTIONS[why].format("、".join(about))
    return json.dumps(
        {**json.loads(user), "written": written, "refused": refused}, ensure_ascii=False
    )


@cache
def choice_system() -> str:
    """The rules by which a model says which of several readings is meant."""
    return _CHOICE.read_text(encoding="utf-8")


def told_choice(
    question: str, earlier: Sequence[tuple[str, str | None]], readings: Sequence[str]
) -> str:
    """A question, the turns before it as asked and as read (None: put back or by another tool), and
    its readings: one JSON document.
    """
    before = [{"question": asked, "read": read} for asked, read in earlier]
    document = {"earlier": before, "question": question, "readings": list(readings)}
    return json.dumps(document, ensure_ascii=False)


def choice_schema(count: int) -> Mapping[str, JsonValue]:
    """The JSON schema of a choice between that many."""
    return {
        "type": "object",
        "properties": {"meant": {"type": "integer", "enum": list(range(count + 1))}},
        "required": ["meant"],
        "additionalProperties": False,
    }


def _words(lattice: Lattice) -> list[JsonValue]:
    return [_word(lattice.text, one) for one in lattice.has(*_TOLD, *_WHOLE)]


def _word(text: str, token: Token) -> dict[str, JsonValue]:
    meant: dict[str, JsonValue]
    if token.cat in _WHOLE:
        meant = {str(kind): cast("JsonValue", of) for kind, of in sorted(ways_of_word(token)[0])}
    else:
        meant = {_TOLD[token.cat]: _meaning(token)}
    if token.cat == "METRIC" and (turn := turn_of(str(token.sem))) is not None:
        kind, how = turn  # 营收增速: a change of it, which is no figure of its own
        meant = {"metric": base(str(token.sem)), kind: str(how)}
    return {"said": text[token.start : token.end], **meant}


def _meaning(token: Token) -> JsonValue:
    sem = cast("Any", token.sem)
    match sem:
        case Time():
            kinds = {"reports": sem.periods, "days": sem.days}
            return {
                name: one.model_dump(mode="json", exclude_defaults=True) | {"kind": one.kind}
                for name, one in kinds.items()
                if one is not None
            }
        case Amount():
            money = f"money:{sem.unit}" if sem.unit in CURRENCIES.values() else sem.unit
            return {"value": sem.value, "unit": "money" if sem.unit == "LOCAL" else money}
        case (dim, values, label) if token.cat == "SCOPE":
            return {"dim": dim, "values": list(cast("Sequence[str]", values)), "label": label}
        case tuple():
            return list(cast("Sequence[str]", sem))
        case _:
            return sem if isinstance(sem, str | int | float) else str(sem)


@cache
def schema() -> Mapping[str, JsonValue]:
    """The JSON schema of a reading: strict, every key required, every list closed."""
    whole = TypeAdapter(list[Query | OtherTool]).json_schema()
    parts: dict[str, Any] = {name: _strict(one) for name, one in whole.pop("$defs").items()}
    for name, key in _FIGURES:
        parts[name]["properties"][key] = {"type": "string", "enum": list(HAD)}
    parts.pop("Unheld")  # what nobody has is ours to say
    parts["Query"]["properties"].pop("unheld")
    parts["Query"]["required"].remove("unheld")
    properties: dict[str, JsonValue] = {
        "understood": {"type": "boolean"},
        "queries": _strict(whole),
        "aside": {"type": "array", "items": {"type": "string"}},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "$defs": parts,
    }


def _strict(part: Any) -> Any:
    """The part as strict endpoints take it: `said` are words, unions plain, every key required."""
    if isinstance(part, list):
        return [_strict(one) for one in cast("list[object]", part)]
    if not isinstance(part, dict):
        return part
    made = {
        ("anyOf" if key == "oneOf" else key): _strict(value)
        for key, value in cast("dict[str, object]", part).items()
        if key not in _DROPPED
    }
    if isinstance(made.get("properties"), dict):
        made["properties"] = {
            name: {"type": "array", "items": {"type": "string"}} if name == "said" else one
            for name, one in made["properties"].items()
        }
        made["required"] = list(made["properties"])
        made["additionalProperties"] = False
    return made


# What a model is told of a reading of its own that does not count.
OBJECTIONS: Mapping[str, str] = {
    "shape": "不合 schema：{0}",
    "words": "这些词没有一个 said 抄到，或者抄到了而查询里没有它们的意思：{0}",
    "quote": "text 里没有这样的原话（text 是规整过的，要照它逐字抄）：{0}",
    "argument": "查询里写了，而那个节点的 said 没有抄到说它的话，或者问题里没有说：{0}",
    "figure": "问题里没有词说到的指标：{0}",
    "company": "问题里没有词说到的公司：{0}",
    "sense": "查询不成立：{0}",
}

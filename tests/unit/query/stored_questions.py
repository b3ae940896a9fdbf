"""The stored questions (tests/questions), read turn by turn as the product reads them, and what a
turn means apart from how its plan is spelled.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import AllOf, AnyOf, Compare, Const, In, Metric, Not, Pred, Query
from services.query.planning.mapper import to_plir
from services.query.planning.nlir import AskBack, Nlir, NlirNode, Slot
from services.query.planning.plir import Plir, Turn
from services.query.planning.slots import ARG_NAMES
from services.query.reading.conversations import kept_query
from services.tools.arguments import window
from tests.unit.query.bundled_query import metadata, youju

# The files that ask all of them run in one process (tests/conftest.py): each is read once.
STORED = "stored questions"
FOLDER = Path(__file__).resolve().parents[2] / "questions"
# A bound that includes its limit has no place in the older documents: both are one here.
_SIGNS = {"le": "lt", "ge": "gt"}


def questions() -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for file in sorted(FOLDER.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def asked(*texts: str) -> tuple[Turn, ...]:
    """The turns of one session, planned and not carried out."""
    session, found = None, list[Turn]()
    for text in texts:
        planned = youju().query.plan(text, session)
        session = planned.session_id
        found.append(planned.turn)
    return tuple(found)


@cache
def all_read() -> Mapping[str, tuple[Turn, ...]]:
    """Every stored question by its id, read once for all tests of a process."""
    return {one["id"]: asked(*(turn["text"] for turn in one["turns"])) for one in questions()}


def expected_turn(nodes: Sequence[Mapping[str, Any]], text: str) -> Turn:
    """The turn that the nodes of a stored expectation stand for."""
    made = tuple(
        NlirNode(
            id=f"node_{at}",
            action=one["action"],
            ref_id=one.get("ref_id"),
            outputs=tuple(Slot(key=f"var_{n}", name=name) for n, name in enumerate(one["outputs"])),
            args=tuple(
                Slot(key=key, name=ARG_NAMES.get(key, key), value=value)
                for key, value in one["args"].items()
            ),
        )
        for at, one in enumerate(nodes, 1)
    )
    services = youju()
    industries = services.query._reading.industries()
    plir = to_plir(
        Nlir(nodes=made), services.names, metadata(), services.clock, industries=industries
    )
    assert isinstance(plir, Plir), plir
    return Turn(turn_id="turn_01", user_query=text, nlir=Nlir(nodes=made), plir=plir)


def meaning(turn: Turn) -> object:
    """What a turn asks for: its query without its labels, or its tools with their slots."""
    if isinstance(turn.ask_back, AskBack) or turn.plir is None:
        return None
    query = kept_query(turn)
    if query is not None:
        return _plain(query).model_dump_json(exclude={"said"})
    return [(one.action, sorted(_slots(one.args))) for one in turn.plir.nodes]


def _slots(args: Sequence[Any]) -> list[tuple[str, str]]:
    said = {one.key: one.value for one in args}
    if "time_range" in said:
        days = window(said.pop("time_range"), "", "", youju().clock.now().date())
        said |= {
            "start_date": days.start and days.start.isoformat(),
            "end_date": days.end.isoformat(),
        }
    return [(key, str(value)) for key, value in said.items() if value is not None]


def _plain(query: Query) -> Query:
    """Without what only words it: columns of a list, labels, the floor of a multiple."""
    is_of_named = isinstance(query.scope, In) and query.scope.dim == "symbol"
    return query.model_copy(
        update={
            "scope": _unlabelled(query.scope),
            "where": _bounds(query.where),
            "show": query.show if is_of_named else (),
        }
    )


def _unlabelled(pred: Pred | None) -> Pred | None:
    match pred:
        case In():
            return pred.model_copy(update={"label": None, "values": tuple(sorted(pred.values))})
        case AllOf() | AnyOf():
            items = sorted(filter(None, map(_unlabelled, pred.items)), key=str)
            return pred.model_copy(update={"items": tuple(items)})
        case Not():
            return Not(item=_unlabelled(pred.item) or pred.item)
        case _:
            return pred


def _bounds(pred: Pred | None) -> Pred | None:
    items = pred.items if isinstance(pred, AllOf) else (pred,) if pred is not None else ()
    above = [one for one in items if isinstance(one, Compare) and one.sign in ("lt", "le")]
    kept = [
        one.model_copy(update={"sign": _SIGNS.get(one.sign, one.sign)})
        if isinstance(one, Compare)
        else one
        for one in items
        if not (_is_floor(one) and any(one.left == other.left for other in above))  # pyright: ignore
    ]
    kept.sort(key=str)
    return AllOf(items=tuple(kept)) if len(kept) > 1 else kept[0] if kept else None


def _is_floor(one: Pred) -> bool:
    return (
        isinstance(one, Compare)
        and isinstance(one.left, Metric)
        and CATALOGUE[one.left.id].kind == "valuation"
        and isinstance(one.right, Const)
        and one.right.value == 0
        and one.sign in ("gt", "ge")
    )

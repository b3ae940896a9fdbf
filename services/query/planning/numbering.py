"""The nodes of plans by their place in a session: numbered as its turns are, referring to those a
turn goes on from, and the plans of one question side by side.
"""

from collections.abc import Callable, Mapping, Sequence

from services.market.names.names import Names
from services.query.planning.nlir import Nlir, NlirNode
from services.query.planning.plir import Plir, PlirNode, Turn
from services.query.planning.slots import first_syllable, node_id


def refs_of(turn: Turn, turn_id: str, before: Nlir) -> tuple[str, ...]:
    """The node each node of the turn was made from: of the same company, else the last."""
    refs: list[str] = []
    for node in turn.nlir.nodes if turn.nlir is not None else ():
        said = node.arg("entity")
        own = (one for one in before.nodes if said is not None and one.arg("entity") == said)
        refs.append(f"{turn_id}.{next(own, before.nodes[-1]).id}")
    return tuple(refs)


def refer_to(turn: Turn, refs: Sequence[str], names: Names) -> Turn:
    """The turn with its nodes made from those; what they bring is named by whom it is of."""
    nodes = turn.plir.nodes if turn.plir is not None else ()
    rows = [names.row(str(node.arg("ticker"))) for node in nodes]
    tails = [f"_{first_syllable(row)}" if row is not None else "" for row in rows]

    def change(node: NlirNode | PlirNode, at: int) -> Mapping[str, object]:
        tail = tails[at] if at < len(tails) else ""
        outputs = tuple(one.but(key=f"{one.key}{tail}") for one in node.outputs)
        return {"ref_id": refs[min(at, len(refs) - 1)], "outputs": outputs} if refs else {}

    return _with_nodes(turn, change)


def side_by_side(turns: Sequence[Turn]) -> Turn:
    """Plans of one question as one plan; what one of them has no place for is put back."""
    nlirs = [node for one in turns if one.nlir is not None for node in one.nlir.nodes]
    plirs = [node for one in turns if one.plir is not None for node in one.plir.nodes]
    back = next((one for one in turns if one.nlir is None or one.plir is None), None)
    if back is not None:
        return back
    whole = {"nlir": Nlir(nodes=tuple(nlirs)), "plir": Plir(nodes=tuple(plirs))}
    return number_nodes(turns[0].model_copy(update=whole))


def number_nodes(turn: Turn) -> Turn:
    """The turn with its nodes named as those of its place in the session."""
    return _with_nodes(turn, lambda _, at: {"id": node_id(position_of(turn), at)})


def _with_nodes(
    turn: Turn, change: Callable[[NlirNode | PlirNode, int], Mapping[str, object]]
) -> Turn:
    documents = {"nlir": turn.nlir, "plir": turn.plir}
    changed = {
        name: document.but(
            nodes=tuple(
                node.model_copy(update=change(node, at)) for at, node in enumerate(document.nodes)
            )
        )
        for name, document in documents.items()
        if document is not None
    }
    return turn.model_copy(update=changed)


def position_of(turn: Turn) -> int:
    """Its place in the session, from 1."""
    return int(turn.turn_id.removeprefix("turn_"))

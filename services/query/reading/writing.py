"""Nodes with their ids, companies as they are called and slots in order, from what was read."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.planning.nlir import Nlir, NlirNode
from services.query.planning.plir import Session
from services.query.planning.slots import NodeDraft, node_id, node_of
from services.query.reading.entities import NameBook


def written(drafts: Sequence[NodeDraft], context: Session, book: NameBook) -> Nlir:
    """The nodes of the next turn: node_1 … in the first, node_{n}a … in a later one."""
    turn = len(context.turns) + 1
    nodes: list[NlirNode] = []
    for at, draft in enumerate(drafts):
        row = book.row(draft.symbol) if draft.symbol else None
        if draft.symbol:
            entity = {"entity": book.shown(draft.symbol)}
            draft = replace(draft, args={**entity, **draft.args}, symbol=None)
        nodes.append(node_of(draft, node_id(turn, at), row))
    return Nlir(nodes=tuple(nodes))

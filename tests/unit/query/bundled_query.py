"""The bundled market wired once for these tests, and nodes written by hand."""

from functools import cache

from services.container import Services, build_services
from services.query.answering.answers import Answered
from services.query.planning.metadata import Metadata, read_metadata
from services.query.planning.nlir import Action, AskBack, Nlir, NlirNode, Slot
from services.query.planning.plir import Session
from services.query.reading.readers import ReadTurn
from services.query.reading.tagging import Lattice
from services.query.sessions import Planned
from services.settings import load_settings

NAMES = {"entity": "公司名称", "period": "报告期"}


@cache
def youju() -> Services:
    return build_services(load_settings({"YOUJU_STORE": ":memory:"}))


def talk(*turns: str) -> Answered | Planned:
    """What came of the last of these turns, asked one after the other."""
    first, *others = turns
    found = youju().query.ask(first)
    for turn in others:
        found = youju().query.ask(turn, found.session_id)
    return found


@cache
def metadata() -> Metadata:
    return read_metadata()


def node(
    action: Action, outputs: tuple[str, ...] = (), name: str = "node_1", **args: object
) -> NlirNode:
    return NlirNode(
        id=name,
        action=action,
        outputs=tuple(Slot(key=f"var_{at}", name=one) for at, one in enumerate(outputs)),
        args=tuple(
            Slot(key=key, name=NAMES.get(key, key), value=value)  # type: ignore[arg-type]
            for key, value in args.items()
        ),
    )


class Scripted:
    """A reader that answers what it was given, in order."""

    def __init__(self, *answers: Nlir | AskBack) -> None:
        self._answers = list(answers)
        self.contexts: list[Session] = []

    def read(self, text: str, context: Session) -> ReadTurn:
        self.contexts.append(context)
        return ReadTurn(self._answers.pop(0))

    def names_chosen(self, text: str) -> list[tuple[str, str, tuple[str, ...]]]:
        """Nobody."""
        return []

    def lattice(self, text: str) -> Lattice:
        return Lattice(text, (), ())

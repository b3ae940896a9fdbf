"""`plan` and `ask`: a question in plain words to its plan, and to its answer."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.documents import answer_lines, print_json, refuse_both
from services.cli.opening import open_services
from services.core.errors import InputError, NoDataError
from services.tools.schema import NOTHING

if TYPE_CHECKING:
    from services.container import Services
    from services.query.answering.answers import Answered
    from services.query.sessions import Planned, QueryService

_Say = Callable[["QueryService", str, str | None], "Answered | Planned"]
Text = Annotated[str | None, typer.Argument(help="The question, in Chinese or English.")]
Session = Annotated[
    str | None, typer.Option("--session", help="Go on with that session; a new one without it.")
]
Batch = Annotated[
    str | None,
    typer.Option("--batch", metavar="FILE", help='JSON Lines of {"text", "session"} (- is stdin).'),
]

Pack = Annotated[
    str | None,
    typer.Option("--pack", metavar="FILE", help="Write an evidence pack (.youju.zip) too."),
]


def plan_command(text: Text = None, session: Session = None, batch: Batch = None) -> None:
    """计划 How a question is read: {"session_id", "turn"} or {"ask_back"}; nothing is fetched."""
    _ask_or_plan(text, session, batch, lambda query, words, name: query.plan(words, name))


def ask_command(
    text: Text = None, session: Session = None, batch: Batch = None, pack: Pack = None
) -> None:
    """提问 The plan carried out: its fields and {"text", "claims", "trace", "verification"}.

    Exit 3, after the answer that says why, when no part of the plan brought anything.
    """
    _ask_or_plan(text, session, batch, lambda query, words, name: query.ask(words, name), pack=pack)


def _ask_or_plan(
    text: str | None,
    session: str | None,
    batch: str | None,
    say: _Say,
    *,
    pack: str | None = None,
) -> None:
    if batch is not None:
        refuse_both(text or pack, batch)
        with open_services() as youju:
            answer_lines(batch, lambda line: _line(youju.query, line, session, say))
        return
    if text is None:
        raise InputError("TEXT", NOTHING, "a question such as 茅台的营收, or --batch FILE")
    with open_services() as youju:
        known = session is None or youju.query.knows(session)
        found = say(youju.query, text, session)
        if not known:
            sys.stderr.write(f"新会话 a new session: {session}\n")
        document = _wire(found)
        print_json(document)
        if pack is not None:
            _pack(youju, pack, found, document)
    answered = _keep_answered(found)
    if answered is not None and not answered.draft.answered:
        raise NoDataError("ask", answered.text)


def _pack(
    youju: "Services", path: str, found: "Answered | Planned", document: Mapping[str, Any]
) -> None:
    from services.cli.verifying import write_pack
    from services.evidence_pack.answers import answer_pack

    answered = _keep_answered(found)
    if answered is None:
        raise InputError("--pack", path, "an answer to pack; the question was put back")
    write_pack(path, answer_pack(youju, answered, document))


def _keep_answered(found: "Answered | Planned") -> "Answered | None":
    from services.query.sessions import Planned

    return None if isinstance(found, Planned) else found


def _wire(found: "Answered | Planned") -> Mapping[str, Any]:
    from services.query.planning.plir import plan_wire
    from services.query.sessions import Planned

    if isinstance(found, Planned):
        return plan_wire(found.session_id, found.turn)
    from services.query.answering.answers import wire_of

    return wire_of(found)


def _line(
    query: "QueryService", line: Mapping[str, Any], session: str | None, say: _Say
) -> Mapping[str, Any]:
    for key in line.keys() - {"text", "session"}:
        raise InputError(key, line[key], "the keys of a line are text and session")
    text, named = line.get("text", NOTHING), line.get("session", session)
    if not isinstance(text, str):
        raise InputError("text", text, "a question")
    if named is not None and not isinstance(named, str):
        raise InputError("session", named, "the id of a session")
    return _wire(say(query, text, named))

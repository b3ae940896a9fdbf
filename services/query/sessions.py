"""Asking: a question becomes a turn of a session, its plan, and an answer; all of it is kept.

A turn is stored before anything is fetched, its answer when it is there. Replaying reads both and
the stored run: the same numbers with the same cites.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from services.core.clock import Clock
from services.core.errors import InputError
from services.core.lazy import import_later
from services.core.ledger import Ledger
from services.core.rates import RATES
from services.core.record import Record
from services.core.sight import is_seen
from services.core.text import Language, Text
from services.core.verifier import verify
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.algebra.explain import explain
from services.query.algebra.nodes import OtherTool, Several
from services.query.algebra.nodes import Query as Algebra
from services.query.algebra.wire import wire_query
from services.query.answering.listings import listing_notes, other_listing
from services.query.answering.suggestions import suggestions
from services.query.found_times import FoundTimes
from services.query.planning.mapper import to_plir
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.numbering import (
    number_nodes,
    position_of,
    refer_to,
    refs_of,
    side_by_side,
)
from services.query.planning.plir import Session, Turn
from services.query.reading.clarification import language_told
from services.query.reading.paraphrase import plan_words
from services.query.reading.reader import LONGEST
from services.query.reading.readers import ReadTurn
from services.query.reading.tagging import Lattice
from services.query.told_turns import names_in, told_aside, told_turn
from services.store.runs import Runs
from services.store.sessions import Sessions
from services.store.sessions import StoredSession as SessionRow
from services.store.turns import StoredAnswer, Turns, TurnsHead
from services.tools.running import Finished, Runner

# What makes and proves answers is not needed where a plan is only read.
if TYPE_CHECKING:
    from services.query.answering import agreement
    from services.query.answering import answers as answering
    from services.query.answering.answers import AnswerDraft, Answered
    from services.query.answering.desk import ActionDesk
    from services.query.answering.executor import Executor
    from services.query.reading.llm_parser import ModelParser, ReadTwice

else:
    agreement = import_later("services.query.answering.agreement")
    answering = import_later("services.query.answering.answers")

KIND = "ask"
Asked = Algebra | Several | OtherTool


class Reads(Protocol):
    """What reads a question: its plan, or the question back."""

    def read(self, text: str, context: Session) -> ReadTurn:
        """What the next turn of the session means. Never raises."""
        ...

    def lattice(self, text: str) -> Lattice:
        """Every word of a text as it may be read."""
        ...

    def names_chosen(self, text: str) -> "list[tuple[str, str, tuple[str, ...]]]":
        """Each name of several companies that was taken for one: itself, the one, all of them."""
        ...


class Planned(Record):
    """A turn that was read and not carried out: a plan, or a question put back."""

    session_id: str
    turn: Turn

    @property
    def ask_back(self) -> AskBack | None:
        """The question put back; None when there is a plan."""
        return self.turn.ask_back


class SessionInfo(Record):
    """A session in a list: when it was last seen, its title or first question, how many turns."""

    session: SessionRow
    title: str
    turns: int


@dataclass(frozen=True, slots=True)
class TurnStores:
    """Where sessions, turns and runs are kept."""

    sessions: Sessions
    turns: Turns
    runs: Runs


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What a question is read with. `industries`: the labels of a source that has no others.

    `model`, where one is configured, reads beside them.
    """

    readers: Reads
    names: Names
    metadata: Metadata
    clock: Clock
    calendar: Calendar
    industries: Callable[[], Mapping[str, frozenset[str]]]
    model: "ModelParser | None" = None


class QueryService:
    """Plans and answers questions. Safe to share between threads."""

    def __init__(
        self,
        reading: ReadingContext,
        executor: "Callable[[], Executor]",
        runner: Runner,
        kept: TurnStores,
    ) -> None:
        """`executor` is asked for when a plan is carried out, `runner` verifies and stores each
        run, `kept` is where turns lie.
        """
        self._reading = reading
        self._executor = executor
        self._runner = runner
        self._kept = kept
        self._found_times = FoundTimes(
            reading.readers.read, reading.calendar, self._wire_query, runner, self.desk
        )

    def plan(
        self, text: str, session_id: str | None = None, language: Language | None = None
    ) -> Planned:
        """Read a question in the context of its session and keep the turn; nothing is fetched. It
        is told in `language`, else in the question's own.

        A new session begins without `session_id`. Raises: InputError for a text that is too long.
        """
        return self._turn(text, session_id, None, language)

    def read(self, text: str, language: Language) -> Turn:
        """A text as a first question would be read; nothing is kept. Raises: InputError."""
        return self._read(check_text(text), Session(session_id="", language=language), None)

    def desk(self, ledger: Ledger) -> "ActionDesk":
        """What a query of the algebra works with, on that ledger."""
        return self._executor().desk(ledger)

    @is_seen("question", "asked")
    def ask(
        self, text: str, session_id: str | None = None, language: Language | None = None
    ) -> "Answered | Planned":
        """Read a question and carry it out; Planned when it is put back. It is told in `language`,
        else in the question's own.

        Raises: InputError, NotVerifiedError. What a source could not say is said in the answer.
        """
        return self._carry_out(self._turn(text, session_id, None, language))

    @is_seen("question", "edited")
    def ask_as(
        self,
        nlir: Nlir,
        text: str,
        session_id: str | None = None,
        language: Language | None = None,
    ) -> "Answered | Planned":
        """Carry out a plan that was edited: a turn of its own, mapped and checked as any other."""
        return self._carry_out(self._turn(text, session_id, nlir, language))

    @is_seen("question", "changed")
    def ask_query(
        self, query: Algebra, session_id: str, language: Language, ref: str
    ) -> "Answered | Planned":
        """Carry out a query that was changed, as a turn of its own whose text is the query told;
        `ref` is the node it was made from. Raises: NotVerifiedError.
        """
        told = explain(query, names_in(query, self._reading.names, language), language)
        text = told[:LONGEST]
        while True:
            context = self._context(session_id)
            turn = Turn(
                turn_id=f"turn_{len(context.turns) + 1:02}", user_query=text, language=language
            )
            turn = self._wire_query(query, turn, language)
            turn = refer_to(turn, (ref,), self._reading.names)
            if self._append_turn(session_id, context, turn):
                return self._carry_out(Planned(session_id=session_id, turn=turn))

    def lattice(self, text: str) -> Lattice:
        """Every word of a text as it may be read; nothing is chosen."""
        return self._reading.readers.lattice(text)

    def begin(self) -> str:
        """The id of a new session, which has no turn yet and is not listed."""
        return self._kept.sessions.start()

    def again(self, session_id: str, turn_id: str) -> "Answered | Planned":
        """Carry out a turn that was kept and got no answer; one that has an answer gives that.

        Raises: InputError when there is no such turn, and as `ask`.
        """
        turns = {turn.turn_id: turn for turn in self.session(session_id).turns}
        if turn_id not in turns:
            raise InputError(
                "turn", turn_id, Text("这段对话里的一问", "a turn of this conversation")
            )
        answers = self._kept.turns.answers(session_id)
        kept = self._replay_turn(
            session_id, turns[turn_id], answers.get(position_of(turns[turn_id]))
        )
        return kept if isinstance(kept, answering.Answered) else self._carry_out(kept)

    def redo(self, session_id: str, turn_id: str, *, planned_anew: bool) -> "Answered | Planned":
        """Carry out a stored turn once more and keep no answer: the turn stays as it was answered.

        `planned_anew` maps what was meant to the days of now; else the plan is the stored one.
        Raises: InputError when there is no such turn, NotVerifiedError.
        """
        turns = {turn.turn_id: turn for turn in self.session(session_id).turns}
        if turn_id not in turns:
            raise InputError(
                "turn", turn_id, Text("这段对话里的一问", "a turn of this conversation")
            )
        turn = turns[turn_id]
        if planned_anew and turn.nlir is not None:
            earlier = self._context(session_id).turns[: position_of(turn) - 1]
            before = Session(session_id=session_id, turns=earlier, language=turn.language)
            turn = self._read(turn.user_query, before, turn.nlir)
        return self._work_out(Planned(session_id=session_id, turn=turn))

    def session(self, session_id: str) -> Session:
        """Its turns, oldest first. Raises: InputError when there is no such session."""
        self._kept.sessions.load(session_id)
        return self._context(session_id)

    def replay(self, session_id: str) -> "tuple[Answered | Planned, ...]":
        """Every turn as it was answered, from the stored runs. Raises: InputError."""
        turns = self.session(session_id).turns
        answers = self._kept.turns.answers(session_id)
        return tuple(
            self._replay_turn(session_id, turn, answers.get(at)) for at, turn in enumerate(turns, 1)
        )

    def rename(self, session_id: str, title: str) -> SessionRow:
        """Give a session a title. Raises: InputError."""
        return self._kept.sessions.rename(session_id, title)

    def list(self, limit: int = 50) -> tuple[SessionInfo, ...]:
        """The sessions with a turn that were last seen, newest first."""
        rows = self._kept.sessions.list(limit=limit, asked=True)
        heads = self._kept.turns.heads([row.session_id for row in rows])
        return tuple(_info(row, heads.get(row.session_id)) for row in rows)

    def info(self, session_id: str) -> SessionInfo:
        """What a list says of that session. Raises: InputError when there is no such session."""
        row = self._kept.sessions.load(session_id)
        return _info(row, self._kept.turns.heads([session_id]).get(session_id))

    def knows(self, session_id: str) -> bool:
        """Whether there is such a session; asking under another id begins one."""
        return self._kept.sessions.find(session_id) is not None

    def _turn(
        self, text: str, session_id: str | None, edited: Nlir | None, language: Language | None
    ) -> Planned:
        asked = check_text(text)
        name = self._kept.sessions.start(session_id)
        RATES.count("asks")
        while True:
            # Read without a lock: a model takes seconds, and others must not wait for it.
            context = self._context(name).model_copy(update={"language": language})
            turn = self._read(asked, context, edited)
            if self._append_turn(name, context, turn):
                return Planned(session_id=name, turn=turn)

    def _append_turn(self, name: str, context: Session, turn: Turn) -> bool:
        """Keep the turn, unless another joined the session since `context` was read."""
        document = turn.model_dump_json(exclude_none=True)
        return self._kept.turns.append(name, len(context.turns) + 1, document)

    def _read(self, text: str, context: Session, edited: Nlir | None) -> Turn:
        language = language_told(text, context)
        name = f"turn_{len(context.turns) + 1:02}"
        turn = Turn(turn_id=name, user_query=text, language=context.language)
        if not text:
            why = "请输入一个问题" if language == "zh" else "Please ask a question"
            return turn.model_copy(update={"ask_back": AskBack(reason=why)})
        if edited is not None:
            return self._map_turn(edited, turn, language)
        read = self._found_times.read(text, context, language)
        read = read or self._reading.readers.read(text, context)
        model = self._reading.model
        if model is not None and model.may_read(read):
            by = model.read(text, context, read)
            if by.options:
                by = self._settle(text, context, by, read, model)
            told = {"read_by": by.by, "reading_note": by.note, "model_calls": by.calls}
            turn, read = turn.model_copy(update={**told, "options": by.options}), by.read
        turn = turn.model_copy(update={"left_aside": read.left_aside})
        if read.query is not None:
            wired = self._wire_query(read.query, turn, language)
            last = next((one for one in reversed(context.turns) if one.nlir is not None), None)
            if not read.goes_on or last is None or last.nlir is None:
                return wired
            return refer_to(wired, refs_of(wired, last.turn_id, last.nlir), self._reading.names)
        assert read.answer is not None  # noqa: S101 — a plan, or why there is none
        return self._map_turn(read.answer, turn, language)

    def _settle(
        self, text: str, context: Session, by: "ReadTwice", read: ReadTurn, model: "ModelParser"
    ) -> "ReadTwice":
        """The rules' reading where both come to one answer, else the one the model chooses."""
        is_one = read.query is not None and agreement.answer_alike(
            by.options, self._runner, self.desk
        )
        if is_one:
            return replace(by, read=read, note=None, options=())
        return model.settle(text, context, by)

    def _map_turn(self, nlir: Nlir | AskBack, turn: Turn, language: Language) -> Turn:
        """The turn with its plan in codes, or with what the codes have no place for."""
        reading = self._reading
        if isinstance(nlir, AskBack):
            return turn.model_copy(update={"ask_back": nlir})
        plir = to_plir(
            nlir,
            reading.names,
            reading.metadata,
            reading.clock,
            language=language,
            industries=reading.industries(),
        )
        if isinstance(plir, AskBack):
            return turn.model_copy(update={"ask_back": plir})
        return turn.model_copy(update={"nlir": nlir, "plir": plir})

    def _wire_query(self, query: Asked, turn: Turn, language: Language) -> Turn:
        """The turn of a query of the algebra, in today's documents where they can say it."""
        reading = self._reading
        if isinstance(query, Several) and any(isinstance(one, OtherTool) for one in query.queries):
            return side_by_side([self._wire_query(one, turn, language) for one in query.queries])
        wired = wire_query(query, reading.names.short, reading.metadata, language)
        if wired.plir is None:
            made = self._map_turn(wired.nlir, turn, language)
        else:
            made = turn.model_copy(update={"nlir": wired.nlir, "plir": wired.plir})
        return number_nodes(made)

    def _carry_out(self, planned: Planned) -> "Answered | Planned":
        answered = self._work_out(planned)
        if isinstance(answered, answering.Answered):
            stored = StoredAnswer(answered.run_id, answered.draft.model_dump_json())
            self._kept.turns.answer(planned.session_id, position_of(planned.turn), stored)
        return answered

    def _work_out(self, planned: Planned) -> "Answered | Planned":
        turn, session_id = planned.turn, planned.session_id
        if turn.nlir is None or turn.plir is None:
            return planned
        earlier = self._context(session_id).turns[: position_of(turn) - 1]
        before = Session(session_id=session_id, turns=earlier, language=turn.language)
        language = language_told(turn.user_query, before)
        finished = self._runner.run(
            KIND,
            {"text": turn.user_query, "turn": turn.turn_id},
            lambda ledger: self._draft_answer(
                _add_model_calls(ledger, turn), turn, earlier, language
            ),
            session_id=session_id,
        )
        return self._answer(session_id, turn, finished)

    def _draft_answer(
        self, ledger: Ledger, turn: Turn, earlier: Sequence[Turn], language: Language
    ) -> "AnswerDraft":
        assert turn.nlir is not None and turn.plir is not None  # noqa: S101,PT018 - see _carried_out
        nlir, names, metadata = turn.nlir, self._reading.names, self._reading.metadata
        base = (nlir.nodes[0].ref_id or "").partition(".")[0]
        before = (one.user_query for one in earlier if one.turn_id == base)
        done = self._executor().execute(ledger, turn.plir, (turn.user_query, *before))
        outcomes = [one.outcome for one in done]
        chosen = self._reading.readers.names_chosen(turn.user_query)
        elsewhere = other_listing(names, outcomes, turn.user_query, language)
        return answering.draft(
            ledger,
            done,
            language,
            plan_words=told_turn(turn, names, language)
            or plan_words(nlir, language, names, metadata),
            suggestions=[
                one
                for one in (elsewhere, *suggestions(nlir, outcomes, language, names, metadata))
                if one and one != turn.user_query
            ],
            notes=(*listing_notes(names, outcomes, chosen), *told_aside(turn)),
        )

    def _replay_turn(
        self, session_id: str, turn: Turn, stored: StoredAnswer | None
    ) -> "Answered | Planned":
        if stored is None:
            return Planned(session_id=session_id, turn=turn)
        run = self._kept.runs.load(stored.run_id)
        told = answering.AnswerDraft.model_validate_json(stored.document)
        return self._answer(session_id, turn, Finished(stored.run_id, told, run.claims, run.trace))

    def _answer(self, session_id: str, turn: Turn, done: "Finished[AnswerDraft]") -> "Answered":
        return answering.Answered(
            session_id=session_id,
            turn=turn,
            text=done.output.text,
            claims=done.claims,
            trace=done.trace,
            verification=verify(done.claims, done.trace, self._reading.clock.now()),
            draft=done.output,
            run_id=done.run_id,
        )

    def _context(self, session_id: str) -> Session:
        documents = self._kept.turns.list(session_id)
        turns = tuple(Turn.model_validate_json(document) for document in documents)
        return Session(session_id=session_id, turns=turns)


def _add_model_calls(ledger: Ledger, turn: Turn) -> Ledger:
    """The ledger with the calls of the model that read the question, if one did."""
    for call in turn.model_calls:
        ledger.record_model(call)
    return ledger


def _info(row: SessionRow, head: TurnsHead | None) -> SessionInfo:
    first = Turn.model_validate_json(head.first).user_query if head else ""
    return SessionInfo(session=row, title=row.title or first, turns=head.turns if head else 0)


def check_text(text: str) -> str:
    """The question without blanks around it. Raises: InputError."""
    asked = text.strip()
    if len(asked) > LONGEST:
        valid = Text(f"最多 {LONGEST} 个字的问题", f"a question of up to {LONGEST} characters")
        raise InputError("text", text, valid)
    if any("\ud800" <= letter <= "\udfff" for letter in asked):
        raise InputError("text", text, Text("可读的文字", "a text whose characters can be read"))
    return asked

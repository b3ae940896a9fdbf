"""问答: a conversation as it is replayed from the store, and what a reader does in it.

Nothing is worked out anew: the words, figures and cites are the ones that were answered.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from services.core.catalogue import metric_words
from services.core.claims import Claim, Missing
from services.core.errors import InputError
from services.core.text import Text
from services.core.trace import Trace
from services.core.verifier import verify
from services.query.answering.answers import (
    AnswerDraft,
    Answered,
    AnswerTable,
    AnswerTableRow,
    Cell,
)
from services.query.answering.outcomes import Quotation, plain
from services.query.planning.plir import Session, Turn
from services.query.reading.clarification import language_of, language_told
from services.query.sessions import Planned
from services.views import ask_plan
from services.views.ask_chart import chart_of, is_day, is_of_time
from services.views.ask_understood import ask_query, understood, words_of
from services.views.ask_view import (
    ConversationView,
    Edits,
    ListedConversation,
    Outside,
    State,
    TurnCompany,
    TurnView,
)
from services.views.parts import Parts, industries
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)

_TITLE = Text("问答", "Ask")
_REF = re.compile(r"turn_(\d+)\.")
_WEB = re.compile(r"https?://", re.IGNORECASE)
_DIGIT = re.compile(r"[0-9]")
_SHORT = 30
# Which way rows of time are shown, as in the tables of the other pages: days newest first, report
# periods oldest first.
_OLDEST_FIRST = {"day": False, "term": True}
# Why a source may answer later what it does not answer now.
_PASSING = frozenset({"UnavailableError", "RateLimitError", "PausedError", "DeniedError"})
_UNKNOWN = Text(
    "没有这段对话：链接不完整，或数据库换过了；在下面提问即可另起一段",
    "no such conversation in this store; ask below to begin another",
)


def build(parts: Parts, conversation: str) -> ConversationView:
    """The conversation; one without turns for no id. See Desk.conversation."""
    if not conversation:
        return _view(parts, "", (), Text("", ""), named=False)
    try:
        info = parts.query.info(conversation)
        replayed = parts.query.replay(conversation)
    except InputError as error:
        if error.name != "session_id":
            raise
        raise InputError("conversation", conversation, _UNKNOWN) from None
    turns = tuple(_turn(parts, number, one) for number, one in enumerate(replayed, start=1))
    title = Text(info.title, info.title)
    return _view(parts, conversation, turns, title, named=info.session.title is not None)


def listed(parts: Parts, limit: int) -> tuple[ListedConversation, ...]:
    """The conversations last seen, newest first."""
    return tuple(
        ListedConversation(one.session.session_id, one.title, one.turns, one.session.seen_at)
        for one in parts.query.list(limit)
    )


def ask_edited(parts: Parts, conversation: str, number: int, edits: Edits) -> State | None:
    """Ask the plan of that turn again with the changes, as a turn of its own: what became of it.

    None when they change nothing. Raises: InputError, NotVerifiedError, as a question does.
    """
    turns = parts.query.session(conversation).turns
    if not 1 <= number <= len(turns):
        raise InputError("turn", number, Text("这段对话里的一问", "a turn of this conversation"))
    turn = turns[number - 1]
    if "query" in edits:
        return ask_query(parts, turn, conversation, edits["query"])
    nlir = ask_plan.edited(turn, edits, len(turns) + 1)
    if nlir is None:
        return None
    before = Session(session_id=conversation, turns=turns[: number - 1], language=turn.language)
    language = language_told(turn.user_query, before)
    text = ask_plan.said_again(nlir, language, parts.names)
    found = parts.query.ask_as(nlir, text, conversation, turn.language)
    return "answered" if isinstance(found, Answered) else "put_back"


def ask_again(parts: Parts, conversation: str, number: int) -> None:
    """Carry out a turn that got no answer, in its place; one that no source answered is asked as
    a turn of its own. Any other is left as it is.

    Raises: InputError, NotVerifiedError.
    """
    answered = parts.query.replay(conversation)[number - 1 : number]
    for one in answered:
        if isinstance(one, Answered) and one.turn.nlir is not None and _has_failed(one):
            parts.query.ask_as(one.turn.nlir, one.turn.user_query, conversation, one.turn.language)
            return
    parts.query.again(conversation, f"turn_{number:02}")


def _view(
    parts: Parts, conversation: str, turns: tuple[TurnView, ...], title: Text, *, named: bool
) -> ConversationView:
    claims = {name: claim for turn in turns for name, claim in turn.claims.items()}
    return ConversationView(
        title=title if title.zh else _TITLE,
        claims=claims,
        trace=Trace(tool_calls=tuple(call for turn in turns for call in turn.trace.tool_calls)),
        run_ids=tuple(turn.run_id for turn in turns if turn.run_id),
        conversation=conversation,
        turns=turns,
        named=named,
    )


def _turn(parts: Parts, number: int, one: Answered | Planned) -> TurnView:
    turn = one.turn
    if isinstance(one, Answered):
        return turn_of(parts, number, one)
    back = turn.ask_back
    return TurnView(
        title=Text(turn.user_query, turn.user_query),
        claims={},
        trace=Trace(),
        run_ids=(),
        number=number,
        question=turn.user_query,
        state="unanswered" if back is None else "put_back",
        language=turn.language or language_of(turn.user_query),
        refs=_refs(turn),
        plan=ask_plan.plan_of(turn, _desk(parts), _read_by(one)),
        words=words_of(parts, turn.user_query),
        notes=_note_of_reading(turn),
        reason="" if back is None else back.reason,
        choices=() if back is None else back.choices,
        companies=_companies(parts, turn),
    )


def turn_of(parts: Parts, number: int, one: Answered) -> TurnView:
    """An answer as the turn of that number."""
    turn, told = one.turn, one.draft
    claims = {claim.claim_id: claim for claim in one.claims}
    notes = told.note_templates or told.notes
    companies = _companies(parts, turn)
    return TurnView(
        title=Text(turn.user_query, turn.user_query),
        claims=claims,
        trace=one.trace,
        run_ids=(one.run_id,),
        notes=(
            *_note_of_reading(turn),
            *(Text(note, note) for note in (*notes, *_list_lacking(told))),
        ),
        number=number,
        question=turn.user_query,
        state="answered",
        language=told.language,
        refs=_refs(turn),
        plan=ask_plan.plan_of(turn, _desk(parts), _read_by(one)),
        template=told.template,
        made=told.made,
        lacks=told.lacks,
        labels=_labels(parts, turn, claims),
        table=_table(number, turn.user_query, told.table, claims),
        chart=chart_of(told.table, claims, parts.names),
        items=tuple(_outside(item) for item in told.items),
        suggestions=tuple(text for text in told.suggestions if text != turn.user_query),
        companies=companies,
        **understood(parts, turn),
        run_id=one.run_id,
        holds=_holds(parts, one),
        failed=_has_failed(one),
    )


def _desk(parts: Parts) -> ask_plan.PlanDesk:
    return ask_plan.PlanDesk(
        parts.names, parts.clock.now().date(), lambda market: industries(parts, market)
    )


def _has_failed(one: Answered) -> bool:
    """Whether it has nothing to say because a source did not answer: later it may."""
    if one.claims or one.draft.items:
        return False
    errors = {try_.error for call in one.trace.tool_calls for try_ in call.attempts}
    return bool(errors & _PASSING)


def _read_by(one: Answered | Planned) -> Text:
    """Who read the question: the rules, unless the answer names a model."""
    turn = one.turn
    if turn.read_by != "model" or not turn.model_calls:
        return ask_plan.RULES
    model = turn.model_calls[-1].model
    return Text(f"模型 {model} 读的", f"read by the model {model}")


def _note_of_reading(turn: Turn) -> tuple[Text, ...]:
    """What is to be minded of who read the question."""
    if turn.reading_note is None:
        return ()
    note = plain(turn.reading_note)  # it quotes the question
    return (Text(note, note),)


def _refs(turn: Turn) -> tuple[int, ...]:
    """The numbers of the turns it goes on from."""
    nodes = turn.nlir.nodes if turn.nlir else ()
    found = [match for node in nodes if (match := _REF.match(node.ref_id or ""))]
    return tuple(sorted({int(match.group(1)) for match in found}))


def _holds(parts: Parts, one: Answered) -> bool:
    """Whether every claim still verifies; a live answer read from the snapshot at its own time."""
    if one.verification.ok:
        return True
    moments: list[datetime] = [call.fetched_at for call in one.trace.tool_calls]
    return verify(one.claims, one.trace, max([parts.clock.now(), *moments])).ok


def _tickers(turn: Turn) -> list[str]:
    nodes = turn.plir.nodes if turn.plir else ()
    found = [str(ticker) for node in nodes if (ticker := node.arg("ticker"))]
    return list(dict.fromkeys(found))


def _companies(parts: Parts, turn: Turn) -> tuple[TurnCompany, ...]:
    named = ((symbol, ask_plan.company_of(symbol, parts.names)) for symbol in _tickers(turn))
    return tuple(TurnCompany(symbol, name) for symbol, name in named if name)


def _labels(parts: Parts, turn: Turn, claims: Mapping[str, Claim]) -> tuple[str, ...]:
    """Names and the reader's own words in the answer that have a digit, longest first."""
    symbols = [*_tickers(turn), *(claim.symbol for claim in claims.values())]
    said: list[str] = []
    for symbol in dict.fromkeys(symbols):
        name = parts.names.text(symbol)
        said += [name.zh, name.en]
    for node in turn.nlir.nodes if turn.nlir else ():
        said += [str(node.arg(key) or "") for key in ("query", "user", "url", "industry")]
    found = {text for text in said if _DIGIT.search(text)}
    return tuple(sorted(found, key=len, reverse=True))


def _in_time(
    rows: Sequence[AnswerTableRow], key: str, claims: Mapping[str, Claim]
) -> Sequence[AnswerTableRow]:
    """The rows, turned where they run the other way than such are shown; an answer's may run either
    way. Rows that are not of time keep their order.
    """
    days = [
        max(claims[cell.claim_id].as_of for cell in row.cells if cell.claim_id)
        for row in rows
        if any(cell.claim_id for cell in row.cells)
    ]
    wanted = _OLDEST_FIRST.get(key)
    turned = wanted is not None and len(days) > 1 and (days[0] < days[-1]) is not wanted
    return rows[::-1] if turned else rows


def _outside(item: Quotation) -> Outside:
    url = item.url if item.url and _WEB.match(item.url) else None
    return Outside(item.title, item.text, url, item.author, item.published, item.source)


def _table(
    number: int, question: str, table: AnswerTable | None, claims: Mapping[str, Claim]
) -> Table | None:
    if table is None:
        return None
    short = question if len(question) <= _SHORT else question[: _SHORT - 1] + "…"
    head = _head(table)
    keys, labels = _columns(table, claims)
    columns = [TableColumn(key, label, "figure") for key, label in zip(keys, labels, strict=True)]
    rows = tuple(
        TableRow(
            {
                head.key: row.label,
                "symbol": row.symbol,
                **{
                    key: _figure(cell, key, row.symbol, claims)
                    for key, cell in zip(keys, row.cells, strict=True)
                },
            },
            row.symbol,
        )
        for row in _in_time(table.rows, head.key, claims)
    )
    symbol = (TableColumn("symbol", Text("代码", "Code"), "symbol"),) if _has_symbols(table) else ()
    return Table(
        f"answer_{number}",
        Text(f"第{number}问 {short}", f"{number}. {short}"),
        (*symbol, head, *columns),
        rows,
    )


def _list_lacking(told: AnswerDraft) -> list[str]:
    """Why a column of the table has no figure at all, where the answer has not said so: nobody
    should have to open each dash.
    """
    found: list[str] = []
    table = told.table
    for at, label in enumerate(table.columns if table else ()):
        cells = [row.cells[at] for row in table.rows] if table else []
        reasons = dict.fromkeys(cell.reason for cell in cells if cell.reason)
        said = all(reason in told.text for reason in reasons)
        if not said and not any(cell.claim_id for cell in cells):
            colon, comma = (": ", "; ") if label.isascii() else ("：", "；")
            found.append(f"{label}{colon}{comma.join(reasons)}")
    return found


def _has_symbols(table: AnswerTable) -> bool:
    return any(row.symbol for row in table.rows)


def _head(table: AnswerTable) -> TableColumn:
    """What the rows are: companies, days, periods of one company, or sets and groups of them."""
    symbols = [row.symbol for row in table.rows]
    if all(is_day(row.label) for row in table.rows):
        return TableColumn("day", Text("日期", "Day"), "date")
    timed = any(is_of_time(row.label) for row in table.rows)
    if None not in symbols and len(set(symbols)) == len(symbols) and not timed:
        return TableColumn("name", Text("名称", "Name"), "text")
    if len(set(symbols)) == 1 and timed:
        return TableColumn("term", Text("期间", "Period"), "text")
    return TableColumn("row", Text("项目", "Item"), "text")


def _columns(
    table: AnswerTable, claims: Mapping[str, Claim]
) -> tuple[tuple[str, ...], tuple[Text, ...]]:
    """A key for each column after the metric in it, and its heading as it was answered."""
    keys: list[str] = []
    labels: list[Text] = []
    for at, said in enumerate(table.columns):
        cells = (row.cells[at].claim_id for row in table.rows)
        metric = next((claims[name].metric for name in cells if name), "")
        key = metric or f"figure_{at + 1}"
        keys.append(key if key not in keys else f"{key}_{at + 1}")
        known = metric_words(metric) if metric else Text(said, said)
        labels.append(_heading(said, known))
    return tuple(keys), tuple(labels)


def _heading(said: str, known: Text) -> Text:
    """The heading in the language it was answered in, and the metric's own name in the other."""
    return Text(known.zh, said) if said.isascii() else Text(said, known.en)


def _figure(
    cell: Cell, key: str, symbol: str | None, claims: Mapping[str, Claim]
) -> Claim | Missing:
    if cell.claim_id is not None:
        return claims[cell.claim_id]
    return Missing(metric=key, symbol=symbol or "", reason=Text.read(cell.reason or "—"))

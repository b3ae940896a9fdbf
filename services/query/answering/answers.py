"""From what the nodes of a plan brought to an answer: text, table, quoted texts, what to ask next.

The text is a template rendered from claims; nothing else in it is a figure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from services.core.catalogue import metric_words
from services.core.claim_names import is_of_day, name_claim
from services.core.claims import Claim, Figure, Missing
from services.core.ledger import Ledger
from services.core.periods import is_report
from services.core.record import Record
from services.core.rendering import render
from services.core.text import Language, Text
from services.core.trace import Trace
from services.core.verifier import VerificationResult
from services.query.answering.labels import period_label
from services.query.answering.outcomes import (
    AnswerRow,
    Outcome,
    OutputValues,
    Quotation,
    quote_text,
)
from services.query.answering.sentences import compared, figures_of, periods_of
from services.query.answering.source_notes import standing_notes
from services.query.assertions.made import MadeAnswer, made_of
from services.query.planning.plir import Turn, plan_wire

# What carries plans out is not needed where one is only read.
if TYPE_CHECKING:
    from services.query.answering.executor import DoneNode

_NODES_TOLD = 12


class Cell(Record):
    """One place of a table: the figure shown (`claim_id`), or why there is none (`reason`)."""

    claim_id: str | None = None
    text: str = "—"
    reason: str | None = None


class AnswerTableRow(Record):
    """A line of the table; `symbol` where it is about one company."""

    label: str
    symbol: str | None = None
    cells: tuple[Cell, ...]


class AnswerTable(Record):
    """Figures side by side: the heading of each column, and the rows."""

    columns: tuple[str, ...]
    rows: tuple[AnswerTableRow, ...]


class AnswerDraft(Record):
    """An answer without its proof: what is kept of a turn beside its run.

    `answered`: at least one part of the plan brought something; else `text` says why none did.
    `template` is `text` with `{{c:ID}}` where the figures stand; `note_templates` are `notes` so.
    `made` are the sentences of `template` that statements make, each with what it is made of;
    `lacks` those that say why a part brought nothing: bookkeeping of days and counts, no figures.
    """

    language: Language
    template: str
    text: str
    table: AnswerTable | None = None
    items: tuple[Quotation, ...] = ()
    notes: tuple[str, ...] = ()
    note_templates: tuple[str, ...] = ()
    outputs: tuple[OutputValues, ...] = ()
    plan_words: str
    suggestions: tuple[str, ...] = ()
    answered: bool = True
    made: tuple[MadeAnswer, ...] = Field(default=(), exclude_if=lambda made: not made)
    lacks: tuple[str, ...] = Field(default=(), exclude_if=lambda lacks: not lacks)


class Answered(Record):
    """A turn with its answer and everything the answer stands on."""

    session_id: str
    turn: Turn
    text: str
    claims: tuple[Claim, ...]
    trace: Trace
    verification: VerificationResult
    draft: AnswerDraft
    run_id: str = Field(min_length=1)

    @property
    def table(self) -> AnswerTable | None:
        """The figures side by side; None when a sentence says it all."""
        return self.draft.table

    @property
    def plan_words(self) -> str:
        """What was understood."""
        return self.draft.plan_words

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Questions that may follow, each to be asked as it is."""
        return self.draft.suggestions


def draft(
    ledger: Ledger,
    done: Sequence["DoneNode"],
    language: Language,
    *,
    plan_words: str,
    suggestions: Sequence[str],
    notes: Sequence[Text] = (),
) -> AnswerDraft:
    """The answer in words and figures. Comparisons are derived on the ledger; `notes` are said
    beside those of the outcomes.
    """
    outcomes = [one.outcome for one in done]
    sentences = _sentences(ledger, outcomes)
    template = "\n".join(each.in_language(language) for each in sentences)
    standing = standing_notes(ledger, outcomes)
    claims = {claim.claim_id: claim for claim in ledger.claims}
    said = [*(note for each in outcomes for note in each.notes), *notes, *standing]
    noted = dict.fromkeys(note.in_language(language) for note in said)
    return AnswerDraft(
        language=language,
        template=template,
        text=render(template, claims, language),
        table=_table(outcomes, language),
        items=tuple(item for each in outcomes for item in each.items),
        notes=tuple(render(note, claims, language) for note in noted),
        note_templates=tuple(noted),
        outputs=tuple(output for one in done for output in one.outputs),
        plan_words=plan_words,
        suggestions=tuple(suggestions),
        made=tuple(one for each in sentences if (one := made_of(each, language)) is not None),
        lacks=tuple(each.in_language(language) for one in outcomes for each in _lacks(one)),
        answered=any(each.absent is None and not each.nothing for each in outcomes),
    )


def _sentences(ledger: Ledger, outcomes: Sequence[Outcome]) -> list[Text]:
    told: list[Text] = []
    for outcome in outcomes[:_NODES_TOLD]:
        told += _lacks(outcome)
        if outcome.absent is not None:
            continue
        if outcome.single:
            told += figures_of(ledger, outcome)
        else:
            told += outcome.sentences or periods_of(ledger, outcome)
    by_column: dict[str, list[tuple[Text, Claim]]] = {}
    for outcome in outcomes:
        figures = outcome.rows[0].figures if outcome.single else outcome.compared
        for key, figure in figures.items():
            if isinstance(figure, Claim):
                by_column.setdefault(key, []).append((outcome.subject, figure))
    for pairs in by_column.values():
        if len({claim.symbol for _, claim in pairs}) > 1:
            told += compared(ledger, pairs)
    return told


def _lacks(outcome: Outcome) -> list[Text]:
    """What was asked beside and nobody has; why nothing came at all."""
    told = [outcome.unheld] if outcome.unheld is not None else []
    return [*told, _absent(outcome, outcome.absent)] if outcome.absent is not None else told


def _absent(outcome: Outcome, why: Text) -> Text:
    zh, en = outcome.subject.zh, outcome.subject.en
    return Text(f"{zh}：{why.zh}。" if zh else f"{why.zh}。", f"{en}: {why.en}." if en else why.en)


def _table(outcomes: Sequence[Outcome], language: Language) -> AnswerTable | None:
    """One table of all figures; None when there is but one of them, or none at all."""
    outcomes = _with_own_columns(_of_one_shape(outcomes))
    columns: dict[str, str] = {}
    timed: set[str] = set()
    for outcome in outcomes:
        columns |= {column.key: column.label.in_language(language) for column in outcome.columns}
        timed |= {column.key for column in outcome.columns if column.timed}
    rows: list[tuple[Outcome, AnswerRow]] = [
        (outcome, row) for outcome in outcomes for row in outcome.rows
    ]
    if sum(len(row.figures) for _, row in rows) < 2 or not any(each.claims for each in outcomes):
        return None
    merged: dict[tuple[str, str | None], dict[str, Figure]] = {}
    several = len({outcome.subject.zh for outcome, _ in rows}) > 1
    periods = len({str(outcome.node.arg("period")) for outcome, _ in rows}) > 1
    for outcome, row in rows:
        label, asked = row.label.in_language(language), str(outcome.node.arg("period"))
        there = merged.get((label, row.symbol), {})
        is_named = row.label.zh in outcome.subject.zh.split("、") and all(
            there.get(key, figure) == figure for key, figure in row.figures.items()
        )
        if several and not outcome.single and not is_named:
            label = f"{outcome.subject.in_language(language)} {label}"
        elif periods and outcome.single and is_report(asked):
            label = f"{label} {period_label(asked).in_language(language)}"
        merged.setdefault((label, row.symbol), {}).update(row.figures)
    timed |= {
        key
        for (label, _), figures in merged.items()
        for key, figure in figures.items()
        if isinstance(figure, Claim) and figure.as_of.isoformat() in label
    }
    return AnswerTable(
        columns=tuple(_headings(columns, merged.values(), language, timed)),
        rows=tuple(
            AnswerTableRow(
                label=label,
                symbol=symbol,
                cells=tuple(_cell(figures.get(key), language) for key in columns),
            )
            for (label, symbol), figures in merged.items()
        ),
    )


def _headings(
    columns: Mapping[str, str],
    rows: Iterable[Mapping[str, Figure]],
    language: Language,
    timed: Set[str] = frozenset(),
) -> Iterator[str]:
    """The columns by what they hold: an estimate is headed as one, and figures of days say the day,
    or the first and the last of them; those of a row's own time (`timed`) need not.
    """
    held: dict[str, list[Claim]] = {key: [] for key in columns}
    for figures in rows:
        for key, figure in figures.items():
            if key in held and isinstance(figure, Claim):
                held[key].append(figure)
    days = {
        key: {one.as_of for one in found if not is_report(one.period) or is_of_day(one)}
        for key, found in held.items()
        if key not in timed
    }
    for key, label in columns.items():
        names = {name_claim(one) for one in held[key] if one.metric == held[key][0].metric}
        plain_name = metric_words(held[key][0].metric).in_language(language) if held[key] else label
        if len(names) == 1 and label == plain_name:
            name = names.pop()
            label = name.zh if language == "zh" else name.en
        day = _span(days.get(key, ()), language)
        yield label + (f"（{day}）" if language == "zh" else f" ({day})") * bool(day)


def _span(days: Collection[date], language: Language) -> str:
    """The day of a column, or the first and the last of several."""
    if not days:
        return ""
    first, last = min(days).isoformat(), max(days).isoformat()
    return first if first == last else f"{first} {'至' if language == 'zh' else 'to'} {last}"


def _of_one_shape(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """Without single figures beside a list of other columns: the sentence has them."""
    listed = {column.key for each in outcomes if not each.single for column in each.columns}
    return [
        each
        for each in outcomes
        if not listed or not each.single or listed & {column.key for column in each.columns}
    ]


def _with_own_columns(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """Where two lists call different figures by one key, each has a column: 2016 beside 2015."""
    labels: dict[str, Text] = {}
    made: list[Outcome] = []
    for at, outcome in enumerate(outcomes):
        keys = {
            one.key: f"{one.key} {at}"
            for one in outcome.columns
            if labels.setdefault(one.key, one.label) != one.label
        }
        if keys:
            columns = [replace(one, key=keys.get(one.key, one.key)) for one in outcome.columns]
            rows = [
                replace(row, figures={keys.get(key, key): one for key, one in row.figures.items()})
                for row in outcome.rows
            ]
            outcome = replace(outcome, columns=tuple(columns), rows=tuple(rows))
        made.append(outcome)
    return made


def _cell(figure: Figure | None, language: Language) -> Cell:
    if figure is None:
        return Cell(reason="没有这一项" if language == "zh" else "not asked of it")
    if isinstance(figure, Missing):
        return Cell(reason=quote_text(figure.reason).in_language(language))
    place = "{{c:" + figure.claim_id + "}}"
    text = render(place, {figure.claim_id: figure}, language)
    return Cell(claim_id=figure.claim_id, text=text)


def wire_of(answered: Answered) -> Mapping[str, JsonValue]:
    """As the command line prints it: the plan's fields, text, claims, trace, verification, more."""
    return {
        **plan_wire(answered.session_id, answered.turn),
        "text": answered.text,
        "claims": [claim.model_dump(mode="json") for claim in answered.claims],
        "trace": answered.trace.model_dump(mode="json"),
        "verification": {
            "ok": answered.verification.ok,
            **answered.verification.model_dump(mode="json"),
        },
        **answered.draft.model_dump(mode="json", exclude={"text", "note_templates"}),
        "run_id": answered.run_id,
    }

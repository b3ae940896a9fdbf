"""How the answers behind the figures came about, where a reader should know: notes, not warnings.

An answer from before says how old it is, a source that stood in says for whom, and where two
sources differ on a figure that is shown, both are told. Nothing is averaged.
Figures a share of years whose shares are not those of later ones are told once a company.
"""

from collections.abc import Iterable, Mapping, Sequence

from services.core.catalogue import metric_words
from services.core.claims import Claim, DerivedCite, ToolCite
from services.core.crosscheck import Disagreement, disagreements
from services.core.ledger import Ledger
from services.core.rendering import place
from services.core.text import Text, join_texts
from services.core.trace import ToolCall
from services.market.source_names import source_name
from services.market.splits import Split, split_of
from services.market.texts import stale_notes
from services.query.answering.labels import period_label
from services.query.answering.outcomes import Outcome
from services.query.sayings import saying

_DIFFERENCES = 3


def standing_notes(ledger: Ledger, outcomes: Sequence[Outcome]) -> list[Text]:
    """What is to be said of the sources of these outcomes. What they differ on becomes claims."""
    shown = [claim for outcome in outcomes for claim in _list_shown(outcome)]
    behind = _behind(ledger, shown, outcomes)
    notes = [*stale_notes(behind)]
    notes += [said for call in behind if (said := _tell_stand_in(call)) is not None]
    notes += _splits(shown, outcomes)
    return [*dict.fromkeys(notes), *_differences(ledger, shown, outcomes)]


def _list_shown(outcome: Outcome) -> Iterable[Claim]:
    """The figures in the columns told; a screen's rows have more."""
    figures = [row.figures.get(column.key) for row in outcome.rows for column in outcome.columns]
    return [figure for figure in figures if isinstance(figure, Claim)]


def _behind(ledger: Ledger, shown: Sequence[Claim], outcomes: Sequence[Outcome]) -> list[ToolCall]:
    """The calls that the figures shown come from, and those that brought texts."""
    known = {claim.claim_id: claim for claim in ledger.claims}
    told = shown or list(known.values())
    names = {name for claim in told for name in _calls_of(claim, known)}
    texts = any(outcome.items for outcome in outcomes)
    return [
        call
        for call in ledger.trace.tool_calls
        if call.tool_call_id in names or (texts and call.items)
    ]


def _calls_of(claim: Claim, known: Mapping[str, Claim]) -> Iterable[str]:
    cite = claim.cite
    if isinstance(cite, ToolCite):
        yield cite.tool_call_id
    elif isinstance(cite, DerivedCite):
        yield from (ref.tool_call_id for ref in (*cite.series, *cite.members))
        for name in cite.inputs:
            yield from _calls_of(known[name], known)


def _tell_stand_in(call: ToolCall) -> Text | None:
    """Who was asked before the one that answered, and failed; nobody where none answered."""
    failed = dict.fromkeys(
        one.provider
        for one in call.attempts
        if one.error not in {None, "NotCoveredError"} and one.provider != call.served_by
    )
    if not failed or call.attempts[-1].cached == "stale":
        return None
    asked = join_texts(map(source_name, failed), "、", ", ")
    other = source_name(call.served_by)
    return saying("stands_in", asked=asked, other=other)


def _splits(shown: Sequence[Claim], outcomes: Sequence[Outcome]) -> Iterable[Text]:
    """Up to which report the figures a share are of other shares than those after it."""
    names = _names(outcomes)
    found: dict[str, set[Split]] = {}
    for claim in shown:
        if (split := split_of(claim)) is not None:
            found.setdefault(claim.symbol, set()).add(split)
    for symbol, splits in found.items():
        who = names.get(symbol) or Text(symbol, symbol)
        for before, after in sorted(splits):
            first, last = (period_label(str(one)) for one in (before, after))
            yield saying("split", who=who, before=first, after=last)


def _names(outcomes: Sequence[Outcome]) -> dict[object, Text]:
    """What companies are called, by symbol."""
    names: dict[object, Text] = {row.symbol: row.label for each in outcomes for row in each.rows}
    return names | {outcome.node.arg("ticker"): outcome.subject for outcome in outcomes}


def _differences(
    ledger: Ledger, shown: Sequence[Claim], outcomes: Sequence[Outcome]
) -> Iterable[Text]:
    names = _names(outcomes)
    apart = disagreements(ledger.trace)
    keys = dict.fromkeys((one.symbol, one.metric, one.as_of, one.period) for one in shown)
    found = [apart[key] for key in keys if key in apart]
    for one in found[:_DIFFERENCES]:
        yield _tell_difference(ledger, one, names.get(one.symbol) or Text(one.symbol, one.symbol))


def _tell_difference(ledger: Ledger, one: Disagreement, who: Text) -> Text:
    calls = {call.tool_call_id: call for call in ledger.trace.tool_calls}
    key = (one.symbol, one.metric, one.as_of, one.period)
    said: list[Text] = []
    for reading in one.readings:
        call = calls[reading.tool_call_id]
        fact = next(fact for fact in call.rows if fact.key == key and fact.field == reading.field)
        source, figure = source_name(reading.source), place(ledger.claim(call, fact))
        said.append(Text(f"{source.zh} {figure}", f"{source.en} {figure}"))
    label = metric_words(one.metric)
    period = period_label(one.period) if one.period else Text(str(one.as_of), str(one.as_of))
    told = join_texts(said, "，", ", ")
    return saying("sources_differ", who=who, period=period, label=label, told=told)

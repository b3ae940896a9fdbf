"""Verifying what was written to a file: claims against their trace, and texts against the claims.

Both doors of the check (`check FILE` and each line of `--batch`) come through `DocumentChecker`.
What `ask`, `tool` and `report` print is read as it is.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, cast

from pydantic import TypeAdapter, ValidationError

from services.agents.report_words import quotations
from services.agents.results import AgentRunResult
from services.core.claims import Claim, ToolCite
from services.core.clock import BEIJING, Clock
from services.core.errors import InputError
from services.core.rendering import PLACE, render
from services.core.text import Language
from services.core.trace import Trace
from services.core.verifier import verify
from services.evidence_pack.labels import has_figure
from services.grounding.ground import ground
from services.market.names.names import Names
from services.query.answering.asked_times import asked_times
from services.query.answering.outcomes import plain
from services.query.assertions.made import MadeAnswer
from services.statements.proved_texts import Made, unproved
from services.statements.statement import broken
from services.tools.schema import NOTHING

_CLAIMS = TypeAdapter(list[Claim])
_MADE = TypeAdapter(list[MadeAnswer])
_ENTITIES = "an object {symbol: [names]}, or a list of {symbol, names}"
# The marks of evidence behind a statement of a report.
_MARKS = re.compile(r"(?: \[E\d+\])+$")


_LONGEST_SPAN = 200


class _Told(NamedTuple):
    """One text to check, and whom and which day it is about where it does not say so."""

    text: str
    language: Language
    symbol: str | None
    day: date
    made: Made | None = None


class DocumentChecker:
    """Checks documents, against the names of the market where they give none.

    A claim that fails is told by its `claim_index`, a place in a text by its `span`; `claim` says
    which figure it was held against.
    """

    def __init__(self, clock: Clock, real: Clock, names: Callable[[], Names]) -> None:
        """`clock` is the data's; an answer fetched after it (live figures, read beside the
        snapshot) is judged by its own times, up to `real`. `names` is asked for a text only.
        """
        self._clock, self._real, self._names = clock, real, names

    def check_document(self, given: dict[str, Any]) -> dict[str, Any]:
        """`{"ok", "failures"}` for `{"claims", "trace", "text"?, "entities"?}` or an answer as it
        is printed. Texts may carry `{{c:ID}}` places. Raises: InputError naming the place.
        """
        missed = [key for key in ("claims", "trace") if key not in given]
        if missed:
            raise InputError(
                missed[0], NOTHING, "both claims (a list) and trace (an object) are needed"
            )
        text, entities = _text(given), _entities(given)
        try:
            claims = _CLAIMS.validate_python(given["claims"])
            trace = Trace.model_validate(given["trace"])
        except ValidationError as error:
            raise _make_malformed(error) from None
        real = self._real.now()
        asked = [call.fetched_at for call in trace.tool_calls if call.fetched_at <= real]
        now = max([self._clock.now(), *asked])
        failures = [
            {**one.model_dump(mode="json"), "claim": _identity(claims[one.claim_index])}
            for one in verify(claims, trace, now).failures
        ]
        failures += _from_the_future(claims, trace, real)
        today = now.astimezone(BEIJING).date()
        answered = _made_of(given)
        texts = [*_list_texts(given, text, claims, today), *_check_report(given, claims)]
        failures += [wrong for one in texts if one.made for wrong in _retold(one.made, claims)]
        failures += _find_changed(answered, text or "", claims, trace)
        lacks = _list_lacks(given)
        texts = [_without(one, answered, lacks, claims) for one in texts]
        if read := [one for one in texts if one.made is None]:
            failures += self._find_unfounded(
                read, claims, trace, entities, asked_times(given.get("turn"), trace)
            )
        return {"ok": not failures, "failures": failures}

    def _find_unfounded(
        self,
        texts: Sequence[_Told],
        claims: Sequence[Claim],
        trace: Trace,
        entities: Mapping[str, Sequence[str]] | None,
        times: Sequence[str],
    ) -> list[dict[str, Any]]:
        names = self._names()
        called = entities if entities is not None else _name_companies(names, claims)
        quotes, others = quotations(trace), {**names.numbered, **_members(trace)}
        return [
            {
                "span": [failure.start, failure.end],
                "text": failure.span,
                "check": failure.check,
                "reason": str(failure.reason),
                **({"claim": _identity(failure.claim)} if failure.claim is not None else {}),
            }
            for told in texts
            for failure in ground(
                told.text,
                claims,
                names=called,
                language=told.language,
                default_symbol=told.symbol,
                now=told.day,
                quotes=quotes,
                others=others,
                times=times,
            ).failures
        ]


def _identity(claim: Claim) -> dict[str, Any]:
    """Which claim a refusal is about: what it says, of whom and of which day."""
    kept = {"claim_id", "metric", "symbol", "value", "unit", "as_of", "period"}
    return claim.model_dump(mode="json", include=kept)


def _from_the_future(claims: Sequence[Claim], trace: Trace, real: datetime) -> list[dict[str, Any]]:
    """The claims whose call says it was answered later than now: no clock of data excuses that."""
    late = {call.tool_call_id: call for call in trace.tool_calls if call.fetched_at > real}
    return [
        {
            "claim_index": index,
            "check": "not_stale",
            "reason": f"fetched_at {late[cite.tool_call_id].fetched_at.isoformat()} "
            "lies in the future",
            "claim": _identity(claim),
        }
        for index, claim in enumerate(claims)
        if isinstance(cite := claim.cite, ToolCite) and cite.tool_call_id in late
    ]


def _name_companies(names: Names, claims: Sequence[Claim]) -> dict[str, tuple[str, ...]]:
    """What the market calls the companies of the claims."""
    found: dict[str, tuple[str, ...]] = {}
    for symbol in dict.fromkeys(claim.symbol for claim in claims):
        if names.row(symbol) is not None:
            called = names.list_names(symbol)
            found[symbol] = (names.name(symbol), *called.own, *called.other)
    return found


def _members(trace: Trace) -> dict[str, str]:
    """The companies a count or a ranking is over, by name: some are told without a figure."""
    return {
        plain(name): symbol
        for call in trace.tool_calls
        if call.members is not None
        for symbol, name in zip(call.members.symbols, call.members.names, strict=True)
    }


def _list_texts(
    given: Mapping[str, Any], text: str | None, claims: Sequence[Claim], day: date
) -> Iterator[_Told]:
    if text is not None:
        language: Language = "en" if given.get("language") == "en" else "zh"
        template = given.get("template")
        written = _check_written(
            text, template if isinstance(template, str) else "", language, claims
        )
        yield _Told(written, language, None, day)


def _check_report(given: Mapping[str, Any], claims: Sequence[Claim]) -> Iterator[_Told]:
    """The statements of a printed report."""
    if given.get("kind") != "report" or "final_report" not in given:
        return
    try:
        report = AgentRunResult.model_validate(given)
    except ValidationError as error:
        raise _make_malformed(error) from None
    shown, asked = report.final_report, report.analysis_input
    texts = (shown.summary, *shown.key_points, *shown.recommendations, *shown.risk_factors)
    made = {one.text: one for one in report.runtime_draft.made}
    for text, template in zip(texts, report.runtime_draft.texts, strict=False):
        written = _check_written(_MARKS.sub("", text), template, asked.language, claims)
        told = _Told(written, asked.language, asked.symbol, asked.as_of)
        yield told._replace(made=made.get(written))


def _made_of(given: Mapping[str, Any]) -> Sequence[MadeAnswer]:
    """The sentences of a printed answer that statements make."""
    try:
        return _MADE.validate_python(given["made"]) if "run_id" in given and "made" in given else ()
    except ValidationError as error:
        raise _make_malformed(error) from None


def _is_whole(made: MadeAnswer, known: Mapping[str, Claim]) -> bool:
    return all(name in known for name in PLACE.findall(made.text))


def _find_changed(
    made: Sequence[MadeAnswer], text: str, claims: Sequence[Claim], trace: Trace
) -> Iterator[dict[str, Any]]:
    """Each sentence of an answer that is not proved, or that the text does not say."""
    known, said = {claim.claim_id: claim for claim in claims}, text.split("\n")
    days = frozenset(call.known_at.date() for call in trace.tool_calls)
    for one in made:
        wrong = one.unproved(claims, days)
        if wrong is None and _is_whole(one, known):
            told = render(one.text, known, one.language)
            wrong = None if told in said else broken("another_text")
        if wrong is not None:
            shown = one.text[:_LONGEST_SPAN]
            yield {"span": [0, len(text)], "text": shown, "check": wrong.code,
                   "reason": str(wrong.why)}  # fmt: skip


def _list_lacks(given: Mapping[str, Any]) -> Sequence[str]:
    """Why parts of a printed answer brought nothing: days and counts of bars, no figure."""
    said = given.get("lacks") if "run_id" in given else None
    lines = cast("list[object]", said) if isinstance(said, list) else []
    return [one for one in lines if isinstance(one, str) and not has_figure(one)]


def _without(
    told: _Told, made: Sequence[MadeAnswer], lacks: Sequence[str], claims: Sequence[Claim]
) -> _Told:
    """The text with nothing where a sentence stands that is proved by what makes it, or that says
    why there is none.
    """
    known = {claim.claim_id: claim for claim in claims}
    proved = {*lacks, *(one.text for one in made)}
    proved |= {render(one.text, known, one.language) for one in made if _is_whole(one, known)}
    lines = ["" if line in proved else line for line in told.text.split("\n")]
    return told._replace(text="\n".join(lines)) if told.made is None else told


def _retold(made: Made, claims: Sequence[Claim]) -> Iterator[dict[str, Any]]:
    """Why a text made of statements is not what they say; nothing where it is."""
    wrong = unproved([made], claims)
    if wrong is not None:
        span, text = [0, len(made.text)], made.text[:_LONGEST_SPAN]
        yield {"span": span, "text": text, "check": wrong.code, "reason": str(wrong.why)}


def _check_written(text: str, template: str, language: Language, claims: Sequence[Claim]) -> str:
    """The text with its places, where the template says the same to the letter."""
    known = {claim.claim_id: claim for claim in claims}
    if any(name not in known for name in PLACE.findall(template)):
        return text
    return template if render(template, known, language) == text else text


def _text(given: dict[str, Any]) -> str | None:
    text = given.get("text")
    if text is not None and not isinstance(text, str):
        raise InputError("text", text, "the text to check, a string")
    return text


def _entities(given: dict[str, Any]) -> dict[str, list[str]] | None:
    entities = given.get("entities")
    if entities is None:
        return None
    if isinstance(entities, dict):
        pairs = list(cast("dict[object, object]", entities).items())
    elif isinstance(entities, list):
        pairs = [_pair(at, one) for at, one in enumerate(cast("list[object]", entities))]
    else:
        raise InputError("entities", entities, _ENTITIES)
    return {_symbol(symbol): _names_of(symbol, names) for symbol, names in pairs}


def _pair(at: int, one: object) -> tuple[object, object]:
    row = cast("dict[object, object]", one) if isinstance(one, dict) else {}
    symbol = row.get("symbol", row.get("code"))
    if symbol is None or "names" not in row:
        raise InputError(f"entities[{at}]", one, "an object {symbol, names}")
    return symbol, row["names"]


def _symbol(symbol: object) -> str:
    if not isinstance(symbol, str):
        raise InputError("entities", symbol, "a symbol as in the claims, such as 600519.SH")
    return symbol


def _names_of(symbol: object, names: object) -> list[str]:
    listed = cast("list[object]", names) if isinstance(names, list) else [names]
    wrong = [name for name in listed if not isinstance(name, str)]
    if wrong:
        raise InputError(f"entities.{symbol}", wrong[0], "a list of names, each a string")
    return [name for name in listed if isinstance(name, str)]


def _make_malformed(error: ValidationError) -> InputError:
    first = error.errors()[0]
    root = {"Trace": "trace", "AgentRunResult": "report"}.get(error.title, "claims")
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]]
    got = NOTHING if first["type"] == "missing" else first["input"]
    return InputError(root + "".join(steps), got, first["msg"])

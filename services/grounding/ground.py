"""Does a text say only what its claims carry? Pure code: every figure in it is accounted for.

A figure is a digit, a Chinese numeral or a word such as 翻番. It is carried by a claim of that
value, unit, sign, name, company and time, or stands on a closed list (codes, dates of claims,
list indices, MA20, 一般), or it does not hold. Derived figures are never recomputed here.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.record import Record
from services.core.rendering import part_places, show, style_of
from services.core.text import Language, Text
from services.grounding.company_names import NameLexicon
from services.grounding.judge import Judge
from services.grounding.layout import find_quotes, lay_out, list_indices
from services.grounding.periods import times_in
from services.grounding.tokens import Cutter, Place
from services.grounding.verdict import Mind, Standing, Verdict
from services.language.plain_text import Plain, plain, simplified

LONGEST = 8_000
_PLACE = re.compile(r"\{\{\s*(?:c:)?([^{}\n]{0,80})\}\}")
_NO_NAMES: Mapping[str, Sequence[str]] = MappingProxyType({})


class TextFailure(Record):
    """One span of the rendered text that does not hold.

    `claim` is the one it was held against, null where none is near.
    """

    start: int
    end: int
    span: str
    check: str
    reason: Text
    claim: Claim | None = None

    @property
    def quoted(self) -> str:
        """For who wrote the text: the check, the words that fail it, the claim, what to do."""
        if (claim := self.claim) is None:
            return f"{self.check} at «{self.span}»: {self.reason}"
        period = f" {claim.period}" if claim.period else ""
        return (
            f"{self.check} mismatch at «{self.span}»: claim {claim.claim_id} "
            f"{claim.metric}={show(claim, 'en').text} as_of {claim.as_of}"
            f" ({claim.symbol}{period}); {self.reason}"
        )


class Support(Record):
    """One figure of the rendered text and the claims that carry it."""

    start: int
    end: int
    span: str
    claim_ids: tuple[str, ...]


class Grounded(Record):
    """The rendered text and what was found in it; `warnings` do not refuse it."""

    text: str
    failures: tuple[TextFailure, ...] = ()
    supported: tuple[Support, ...] = ()
    warnings: tuple[TextFailure, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every figure is carried."""
        return not self.failures


class WeighedFigure(Record):
    """One figure of a text from outside, as `Weighed` has it, at its place in that text."""

    start: int
    end: int
    span: str
    standing: Standing
    mind: Mind = ""
    claims: tuple[Claim, ...] = ()
    name: str = ""


def ground(
    template: str,
    claims: Sequence[Claim],
    *,
    names: Mapping[str, Sequence[str]] = _NO_NAMES,
    language: Language = "zh",
    default_symbol: str | None = None,
    now: date | None = None,
    quotes: Sequence[str] = (),
    others: Mapping[str, str] = MappingProxyType({}),
    times: Sequence[str] = (),
) -> Grounded:
    """Render the places of `template` and check the whole text against `claims`.

    `names`: symbol → what the text may call it (its codes are known by themselves).
    `default_symbol`: whom the text is about where it names nobody. `now`: the day that 今年 and
    昨日 count from; without it they hold for nothing. `quotes`: texts from outside that may be
    quoted word for word; figures in such a quotation are theirs. `others`: name → symbol of
    companies that a text may mention besides; a numeral in a name is no figure. `times`: days and
    report periods that were asked about, which a text may name also where it has no figure of them.
    """
    today = now.date() if isinstance(now, datetime) else now
    by_id: dict[str, Claim] = {}
    for claim in claims:
        by_id.setdefault(claim.claim_id, claim)
    if len(template) > 2 * LONGEST:
        return _too_long(template)
    text, places, unknown = _render_template(part_places(template), by_id, language)
    if len(text) > LONGEST:
        return _too_long(text)
    read = plain(text)
    verdicts = [*unknown, *_find_turning_marks(text, read)]
    verbatim, bracketed = find_quotes(text, quotes)
    called = _find_mentioned(template, others, names) | dict(names)
    lexicon = NameLexicon(called, [claim.symbol for claim in claims])
    exempt = [*list_indices(read), *_places_in(read, verbatim)]
    cut = Cutter(read, lexicon, places, today).cut(exempt, len(by_id) + len(quotes))
    asked = [said for one in times for said in times_in(one, today)]
    judge = Judge(list(by_id.values()), lexicon.given, default_symbol, today, asked)
    verdicts += judge.judge(cut, lay_out(cut))
    return _make_grounded(text, read, verdicts, bracketed)


def weigh_figures(
    text: str,
    claims: Sequence[Claim],
    *,
    names: Mapping[str, Sequence[str]] = _NO_NAMES,
    default_symbol: str | None = None,
    today: date | None = None,
    others: Mapping[str, str] = MappingProxyType({}),
) -> tuple[WeighedFigure, ...]:
    """Each figure of a text from outside, in its order, against the claims; the arguments are those
    of `ground`. Only figures are weighed: what the words between them claim is not.

    Raises: InputError for a text of more than LONGEST characters.
    """
    if len(text) > LONGEST:
        valid = Text(f"不超过 {LONGEST:,} 字的文字", f"a text of at most {LONGEST:,} characters")
        raise InputError("text", f"{len(text):,}", valid)
    by_id = {claim.claim_id: claim for claim in claims}
    read = plain(text)
    called = _find_mentioned(text, others, names) | dict(names)
    lexicon = NameLexicon(called, [claim.symbol for claim in claims])
    cut = Cutter(read, lexicon, [], today).cut(list_indices(read), len(by_id))
    judge = Judge(list(by_id.values()), lexicon.given, default_symbol, today)
    found: dict[tuple[int, int], WeighedFigure] = {}
    for one in judge.weigh(cut, lay_out(cut)):
        start, end = read.span(one.start, one.end)
        found.setdefault(
            (start, end),
            WeighedFigure(
                start=start, end=end, span=text[start:end], standing=one.standing, mind=one.mind,
                claims=one.claims, name=one.name,
            ),
        )  # fmt: skip
    return tuple(found[at] for at in sorted(found))


def _find_mentioned(
    text: str, others: Mapping[str, str], names: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """The other companies that the text names, but for names that are also one of `names`."""
    text = simplified(text)
    own = {name for listed in names.values() for name in listed}
    found: dict[str, list[str]] = {}
    for name, symbol in others.items():
        if name in text and name not in own and symbol not in names:
            found.setdefault(symbol, []).append(name)
    return dict(found)


def _render_template(
    template: str, by_id: Mapping[str, Claim], language: Language
) -> tuple[str, list[Place], list[Verdict]]:
    parts: list[str] = []
    places: list[Place] = []
    unknown: list[Verdict] = []
    done = length = 0
    for found in _PLACE.finditer(template):
        before = template[done : found.start()]
        parts.append(before)
        length += len(before)
        claim = by_id.get(found[1].strip().partition("|")[0])
        shown = found[0] if claim is None else show(claim, language, style_of(found[0])).text
        if claim is None:
            unknown.append(
                Verdict(
                    length, length + len(shown), "unknown_claim",
                    "占位符所指的证据不存在：只能引用本次给出的证据编号",
                    "this place names no claim: cite only ids that were given",
                    is_shown=True,
                )
            )  # fmt: skip
        else:
            places.append(Place(claim, length, length + len(shown)))
        parts.append(shown)
        length += len(shown)
        done = found.end()
    parts.append(template[done:])
    return "".join(parts), places, unknown


def _find_turning_marks(text: str, read: Plain) -> list[Verdict]:
    """Marks that turn the order in which a reader sees the characters."""
    return [
        Verdict(
            at, at + 1, "hidden_character", "含有改变显示顺序的隐藏字符，请删除",
            "a hidden character turns the order of the text; remove it", is_shown=True,
        )
        for at in read.turning[:20]
    ]  # fmt: skip


def _places_in(read: Plain, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of the shown text as spans of the plain one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        inside = [at for at in range(len(read.origin)) if start <= read.origin[at] < end]
        if inside:
            found.append((inside[0], inside[-1] + 1))
    return found


def _too_long(text: str) -> Grounded:
    reason = Text(
        f"文本有 {len(text)} 字，超过 {LONGEST} 字，没有核对：请缩短或分开",
        f"{len(text)} characters, more than {LONGEST}; not checked: shorten or split it",
    )
    failure = TextFailure(start=0, end=len(text), span=text[:40], check="too_long", reason=reason)
    return Grounded(text=text, failures=(failure,))


def _make_grounded(
    text: str, read: Plain, verdicts: Sequence[Verdict], bracketed: Sequence[tuple[int, int]]
) -> Grounded:
    failures: list[TextFailure] = []
    warnings: list[TextFailure] = []
    supported: list[Support] = []
    for verdict in verdicts:
        start, end = (
            (verdict.start, verdict.end)
            if verdict.is_shown
            else read.span(verdict.start, verdict.end)
        )
        if verdict.check:
            inside = any(left <= start and end <= right for left, right in bracketed)
            check = "quoted" if inside and verdict.check == "unsupported_number" else verdict.check
            made = TextFailure(
                start=start,
                end=end,
                span=text[start:end],
                check=check,
                reason=Text(verdict.zh, verdict.en),
                claim=verdict.claim,
            )
            (warnings if verdict.is_warning else failures).append(made)
        if verdict.claim_ids:
            supported.append(
                Support(start=start, end=end, span=text[start:end], claim_ids=verdict.claim_ids)
            )
    return Grounded(
        text=text,
        failures=tuple(sorted(failures, key=lambda one: one.start)),
        supported=tuple(sorted(supported, key=lambda one: one.start)),
        warnings=tuple(sorted(warnings, key=lambda one: one.start)),
    )

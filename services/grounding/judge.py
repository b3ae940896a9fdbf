"""The verdict on each figure of a text: which claims carry it, or the one thing most wrong."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import partial

from services.core.claims import Claim
from services.grounding.condition_bounds import conditions_of, is_limit
from services.grounding.context import context_of
from services.grounding.match import (
    CHECKS,
    Mismatch,
    base_value,
    is_measured,
    wrong_bound,
    wrong_currency,
    wrong_sign,
    wrong_value,
)
from services.grounding.metric_match import wrong_as_of, wrong_metric
from services.grounding.period_words import TextTime
from services.grounding.placeholder_edges import find_glued_before, find_glued_behind
from services.grounding.relations import wrong_relations
from services.grounding.sentence import Context, Sentence
from services.grounding.subject_match import Bench, wrong_entity, wrong_period
from services.grounding.tokens import CutText, Place, TextToken
from services.grounding.unfounded import find_unfounded, wrong_totals
from services.grounding.unsupported_times import KnownTimes
from services.grounding.verdict import Verdict, Weighed, double_negative, refuse_figure, vague
from services.grounding.words import SMALL_COUNT
from services.language.numbers import Number, number_at

# Beyond so many, a failing figure is refused without looking for what it nearly is.
_EXPLAINED = 20
# Beyond so many refused, the rest of the text is not read any more: it is refused as it is.
_REFUSED = 100


class Judge:
    """Holds the claims of one text; judges its figures one by one."""

    def __init__(
        self,
        claims: Sequence[Claim],
        named: frozenset[str],
        default: str | None,
        today: date | None,
        asked: Sequence[TextTime] = (),
    ) -> None:
        """`named`: symbols a text can name; `default`: whom it is about where it names nobody;
        `asked`: times it may name without a figure of them.
        """
        newest: dict[tuple[str, str], date] = {}
        for claim in claims:
            key = (claim.symbol, claim.metric)
            newest[key] = max(newest.get(key, claim.as_of), claim.as_of)
        listed = frozenset(symbol for symbol in named if symbol)
        by_id = {claim.claim_id: claim for claim in claims}
        self._bench = Bench(tuple(claims), by_id, newest, listed, today)
        own = {claim.symbol for claim in claims if claim.symbol in listed}
        self._default = default or (next(iter(own)) if len(own) == 1 else None)
        self._sized = sorted(((abs(base_value(claim)), at) for at, claim in enumerate(claims)))
        self._limits = conditions_of(claims)
        self._times = KnownTimes(claims, today, asked)
        self._of = {claim.symbol for claim in claims}
        self._refused = 0

    def judge(self, cut: CutText, sentences: Sequence[Sentence]) -> list[Verdict]:
        """Every figure, time and loose digit of the text."""
        found: list[Verdict] = []
        mentioned = {one.symbol for one in cut.tokens if one.kind == "entity"}
        for sentence in sentences:
            if not sentence.subjects and self._default:
                sentence.subjects = (self._default,)
            here: list[Verdict] = []
            for at, token in enumerate(sentence.tokens):
                here += self._token(cut, sentence, at, token, mentioned)
            carried = {
                one.start: self._bench.by_id[one.claim_ids[0]] for one in here if one.claim_ids
            }
            here += [
                Verdict(start, end, *mismatch)
                for start, end, mismatch in wrong_relations(cut, sentence, carried, self._bench)
            ]
            found += here
        by_id = self._bench.by_id
        carried_at = [(one.start, by_id[name]) for one in found for name in one.claim_ids[:1]]
        found += wrong_totals(cut, carried_at, self._bench.today)
        found += find_unfounded(cut, self._bench.claims)
        found += self._only_strangers(cut, mentioned, found)
        exempt = [one for one in cut.tokens if one.kind == "skip"]
        for start, end in cut.loose[:_REFUSED]:
            if not any(one.start <= start and end <= one.end for one in exempt):
                found.append(refuse_figure(start, end))
        return found

    def weigh(self, cut: CutText, sentences: Sequence[Sentence]) -> list[Weighed]:
        """Every figure of a text from outside: whether it agrees with the claims, says another
        value than theirs, or cannot be decided. The words around it are not judged.
        """
        found: list[Weighed] = []
        mentioned = {one.symbol for one in cut.tokens if one.kind == "entity"}
        for sentence in sentences:
            if not sentence.subjects and self._default:
                sentence.subjects = (self._default,)
            for at, token in enumerate(sentence.tokens):
                if token.number is None or self._is_count_of_companies(cut, token, mentioned):
                    continue
                context = context_of(cut, sentence, at)
                found.append(self._weigh(token, token.number, context))
        exempt = [one for one in cut.tokens if one.kind == "skip"]
        for start, end in cut.loose[:_REFUSED]:
            if not any(one.start <= start and end <= one.end for one in exempt):
                found.append(Weighed(start, end, "undecided", "unnamed"))
        return found

    def _weigh(self, token: TextToken, number: Number, context: Context) -> Weighed:
        name = context.sense.name if context.sense is not None else ""
        make = partial(Weighed, token.start, token.end, name=name)
        if number.kind == "vague" or context.mispaired:
            return make("undecided", "vague" if number.kind == "vague" else "unpaired")
        near = self._candidates(number, context)
        if fits := [one for one in near if self._mismatch(number, one, context) is None]:
            return make("agrees", claims=_newest_first(fits))
        named = [one for one in self._bench.claims if wrong_metric(number, one, context) is None]
        whose = [one for one in named if wrong_entity(one, context, self._bench, free=True) is None]
        of = [one for one in whose if is_measured(number, one, context)]
        timed = [
            one for one in of
            if (wrong_as_of(one, context)
                or wrong_period(one, context, self._bench, free=False)) is None
        ]  # fmt: skip
        if same := [one for one in timed if _same_value(number, one, context)]:
            return make("agrees", "older", _newest_first(same))
        # Whether what was named further up is still what is told of: not where that was in another
        # sentence, nor of a number without a unit.
        loose = context.above or (context.carried and number.is_bare)
        if timed and not loose:
            strict = [one for one in timed
                      if wrong_period(one, context, self._bench, free=True) is None]  # fmt: skip
            return make("differs", claims=_newest_first(strict or timed))
        if of and not loose:
            return make("undecided", "time", _newest_first(of))
        is_held = context.sense is not None and any(
            one.metric in context.sense.metrics for one in self._bench.claims
        )
        if loose or context.carried:
            return make("undecided", "unnamed")
        meant = context.sense.metrics if context.sense is not None else frozenset[str]()
        if any(one.metric in meant for one in whose):
            return make("undecided", "unit")
        return make("undecided", "whose" if is_held else "unheld" if name else "unnamed")

    def _token(
        self, cut: CutText, sentence: Sentence, at: int, token: TextToken, mentioned: set[str]
    ) -> list[Verdict]:
        if token.place is not None:
            return self._place(cut, sentence, at, token.place)
        if token.number is not None:
            if self._is_count_of_companies(cut, token, mentioned):
                return []
            return self._number(cut, sentence, at, token.number)
        if token.said is not None:
            return self._times.judge(cut, token, token.said)
        return self._stranger(cut, token) if token.symbol == "?" else []

    def _only_strangers(
        self, cut: CutText, mentioned: set[str], found: Sequence[Verdict]
    ) -> list[Verdict]:
        """A text that names no company of its figures but names another is about that one.

        Figures of a whole market are of no company: 港股银行 is a set of them.
        """
        carried = {name for verdict in found for name in verdict.claim_ids}
        of = {one for one in self._of if one in self._bench.named}
        told = {self._bench.by_id[name].symbol for name in carried}
        if not mentioned or mentioned & of or not told & self._bench.named:
            return []
        first = next(one for one in cut.tokens if one.kind == "entity")
        return [
            Verdict(
                first.start, first.end, "entity",
                "文中只提到这家公司，而没有一条证据是它的：请写证据所属的公司",
                "the text names only this company, and no claim is about it: name the right one",
            )
        ]  # fmt: skip

    def _number(self, cut: CutText, sentence: Sentence, at: int, number: Number) -> list[Verdict]:
        token = sentence.tokens[at]
        if self._refused > _REFUSED:
            return []
        context = context_of(cut, sentence, at)
        if _touches_place(cut, sentence, at):
            return [refuse_figure(token.start, token.end)]
        if context.mispaired:
            return [
                Verdict(
                    token.start, token.end, "ambiguous",
                    "分别列出的数字与前面的指标、公司或年份个数对不上（或不止一种对应），请逐个写明",
                    "the list does not pair with what is named before it; write each one out",
                )
            ]  # fmt: skip
        if is_limit(number, context.sense, self._limits):
            return []
        passed: list[Claim] = []
        missed: list[Mismatch] = []
        for claim in self._candidates(number, context):
            mismatch = self._mismatch(number, claim, context)
            if mismatch is None:
                passed.append(claim)
            else:
                missed.append(mismatch)
        if passed:
            return self._judge_support(token, number, passed, context)
        self._refused += 1
        if number.kind == "vague":
            return [vague(token.start, token.end)]
        told = self._nearest(number, context, missed)
        if told is None:
            return [refuse_figure(token.start, token.end)]
        return [Verdict(token.start, token.end, *told)]

    def _nearest(
        self, number: Number, context: Context, missed: Sequence[Mismatch]
    ) -> Mismatch | None:
        """What to tell the writer: what is wrong with the claim that is most nearly meant.

        Of one or two digits a claim of that size is soon found by chance: the one that is named
        says more.
        """
        floor = number.hedge == "from"
        if floor and (bound := next((one for one in missed if one.check == "bound"), None)):
            return bound
        best = max(missed, key=_rank, default=None)
        by_chance = best is None or (
            number.significant <= 2 and best.check in {"metric", "unit", "truncated"}
        )
        if not by_chance or self._refused > _EXPLAINED:
            return best
        meant = max(self._near_misses(number, context), key=_rank, default=None)
        return meant or (None if number.is_bare else best)

    def _candidates(self, number: Number, context: Context) -> Iterable[Claim]:
        """Claims of about that size, as it is written or as 增长1.5倍 is read."""
        sizes = [abs(number.value), abs(number.value) * 100]
        seen: set[int] = set()
        for size in sizes:
            low = bisect_left(self._sized, (size * Decimal("0.8") - number.ulp, -1))
            high = bisect_right(
                self._sized, (size * Decimal("1.25") + number.ulp, len(self._sized))
            )
            seen |= {at for _, at in self._sized[low:high]}
        for at in sorted(seen):
            claim = self._bench.claims[at]
            if is_measured(number, claim, context) and _is_near(number, claim):
                yield claim

    def _mismatch(self, number: Number, claim: Claim, context: Context) -> Mismatch | None:
        found = (
            wrong_value(number, claim)
            or wrong_currency(number, claim)
            or wrong_bound(number, claim)
            or wrong_metric(number, claim, context)
            or wrong_sign(number, claim, context)
            or wrong_as_of(claim, context)
            or wrong_entity(claim, context, self._bench, free=True)
            or wrong_period(claim, context, self._bench, free=True)
        )
        return found and found._replace(claim=claim)

    def _near_misses(self, number: Number, context: Context) -> list[Mismatch]:
        """No claim has about that value: what the one that is meant really says."""
        found: list[Mismatch] = []
        for claim in self._bench.claims:
            if context.sense is None or wrong_metric(number, claim, context) is not None:
                continue
            if wrong_entity(claim, context, self._bench, free=True) is not None:
                continue
            if not is_measured(number, claim, context):
                found.append(_wrong_unit(claim))
            elif (mismatch := wrong_value(number, claim)) is not None:
                found.append(mismatch._replace(claim=claim))
        return found

    def _judge_support(
        self, token: TextToken, number: Number, claims: Sequence[Claim], context: Context
    ) -> list[Verdict]:
        values = {(claim.metric, claim.symbol, claim.period, claim.as_of) for claim in claims}
        best = sorted(claims, key=lambda claim: claim.as_of, reverse=True)
        ids = tuple(dict.fromkeys(claim.claim_id for claim in best))
        made = [Verdict(token.start, token.end, claim_ids=ids)]
        exact = any(abs(base_value(claim)) == number.value for claim in claims)
        if (
            number.significant <= 1
            and not exact
            and number.kind not in {"count", "rank", "sessions"}
        ):
            made.append(
                Verdict(
                    token.start, token.end, "coarse",
                    f"只有一位有效数字，过粗：证据为 {best[0].value!r} {best[0].unit}",
                    f"one significant digit only: the claim is {best[0].value!r} {best[0].unit}",
                    is_warning=True,
                )
            )  # fmt: skip
        way = context.sense.sign if context.sense and context.sense.sign else context.way
        if number.sign < 0 and way and values:
            made.append(double_negative(token.start, token.end))
        return made

    def _place(self, cut: CutText, sentence: Sentence, at: int, place: Place) -> list[Verdict]:
        token, claim = sentence.tokens[at], place.claim
        context = context_of(cut, sentence, at)
        ids = (claim.claim_id,)
        beside = sentence.tokens[at + 1 : at + 2]
        is_word = any(
            one.kind in {"turn", "metric", "entity", "period"} and one.start <= token.end + 1
            for one in beside
        )
        glued = find_glued_before(cut, token, place) or (
            None if is_word else find_glued_behind(cut, token, place)
        )
        if glued is not None:
            return [Verdict(glued[0], glued[1], *glued[2], claim)]
        mismatch = (
            self._wrong_words(context, claim)
            or wrong_as_of(claim, context)
            or wrong_entity(claim, context, self._bench, free=False)
            or wrong_period(claim, context, self._bench, free=False)
        )
        if mismatch and self._holds_typed(cut, token, claim, context):
            mismatch = None
        mismatch = mismatch or _wrong_direction(cut, token, claim, context)
        if context.mispaired:
            mismatch = mismatch or Mismatch(
                "ambiguous",
                "分别列出的数字对不上前面的名称",
                "the list does not pair with its names",
            )
        if mismatch is not None:
            return [Verdict(token.start, token.end, *mismatch._replace(claim=claim))]
        made = [Verdict(token.start, token.end, claim_ids=ids)]
        if claim.value < 0 and context.way < 0 and not context.is_level:
            made.append(double_negative(token.start, token.end))
        return made

    def _holds_typed(self, cut: CutText, token: TextToken, claim: Claim, context: Context) -> bool:
        """Whether the figure printed there would hold for that claim had it been typed."""
        text = cut.plain.text
        typed = number_at(text, token.start + (text[token.start] in "+-"))
        if typed is None or typed.end != token.end or not is_measured(typed, claim, context):
            return False
        return self._mismatch(typed, claim, context) is None

    def _wrong_words(self, context: Context, claim: Claim) -> Mismatch | None:
        """Of a place the name must not contradict; one from further up binds what it could be."""
        if context.carried and not context.qualified:
            sense = context.sense
            if sense is None or not sense.metrics:
                return None
            same = [
                one for one in self._bench.claims
                if one.metric in sense.metrics and one.symbol == claim.symbol
            ]  # fmt: skip
            if not any(one.unit == claim.unit for one in same):
                return None
        if claim.unit == "sessions":
            return None  # the length of a window stands inside what the window is of
        return wrong_metric(None, claim, context)

    def _is_count_of_companies(self, cut: CutText, token: TextToken, mentioned: set[str]) -> bool:
        """两家公司, where the text speaks of two."""
        match = SMALL_COUNT.match(cut.plain.text, token.start)
        if match is None:
            return False
        word = match["n"] or match["en"]
        counts = {"两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
        counts |= {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "十": 10}
        count = counts.get(word) or int(word)
        return count == len(mentioned - {"?"}) or count == len(
            {claim.symbol for claim in self._bench.claims if claim.symbol in self._bench.named}
        )

    def _stranger(self, cut: CutText, token: TextToken) -> list[Verdict]:
        """A code that belongs to no company of the claims; a mere name may be mentioned."""
        if not any(char.isdigit() for char in cut.plain.text[token.start : token.end]):
            return []
        return [
            Verdict(
                token.start, token.end, "entity",
                "没有这家公司的证据，或这个数字不是代码：请去掉或先取数",
                "no claim is about this code, or it is a figure: remove it or fetch it first",
            )
        ]  # fmt: skip


def _newest_first(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(sorted(claims, key=lambda claim: claim.as_of, reverse=True))


def _same_value(number: Number, claim: Claim, context: Context) -> bool:
    wrong = (
        wrong_value(number, claim)
        or wrong_currency(number, claim)
        or wrong_bound(number, claim)
        or wrong_sign(number, claim, context)
    )
    return wrong is None


def _rank(mismatch: Mismatch) -> int:
    return CHECKS.index(mismatch.check) if mismatch.check in CHECKS else 0


def _is_near(number: Number, claim: Claim) -> bool:
    """Near enough in value to be what is meant, when something else is wrong."""
    mismatch = wrong_value(number, claim)
    return mismatch is None or mismatch.check == "truncated"


def _touches_place(cut: CutText, sentence: Sentence, at: int) -> bool:
    """A number glued to a place reads as one with it: 1 31.51倍."""
    token = sentence.tokens[at]
    for one in sentence.tokens[max(at - 1, 0) : at + 2]:
        if one.place is None:
            continue
        left, right = sorted((token, one), key=lambda each: each.start)
        if left.end == right.start or cut.shadow[left.end : right.start] == " ":
            return True
    return False


def _wrong_direction(
    cut: CutText, token: TextToken, claim: Claim, context: Context
) -> Mismatch | None:
    """增长 before a negative figure, 下降 or 亏损 before a positive one."""
    sense_sign = context.sense.sign if context.sense is not None and not context.carried else 0
    printed = cut.plain.text[token.start : token.start + 1]
    number = Number(
        token.start, token.end, abs(base_value(claim)), Decimal(1), 3, "plain",
        sign=-1 if claim.value < 0 else (1 if printed == "+" else 0),
    )  # fmt: skip
    if sense_sign < 0 and claim.value < 0:
        return None
    return wrong_sign(number, claim, context, is_placed=True)


def _wrong_unit(claim: Claim) -> Mismatch:
    return Mismatch(
        "unit",
        f"单位不符或未写单位：证据为 {claim.metric}={claim.value!r}，单位 {claim.unit}",
        f"the unit differs or is missing: the claim is {claim.metric}={claim.value!r} {claim.unit}",
        claim,
    )

"""The reason of a score by rule, as one would write it for a client: what it comes to and why, the
dated figures, what speaks against each other, what is missing, and what would change it.

Every figure is a place. Words that judge follow from the figures by the rules of this file alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from services.core.claims import Claim
from services.core.errors import NotVerifiedError
from services.core.limits import COMPETENCES
from services.core.periods import Period, is_report
from services.core.rendering import place
from services.core.score_rules import FACTORS, STANCE_ID, side_of
from services.core.source_marks import priced_on
from services.core.text import Language, Text
from services.scoring.factors import name_of
from services.scoring.models import Factor, FactorScore, Saying, Scorecard, Step1Output
from services.scoring.sayings import both_sides, kept_book
from services.statements.paragraphs import Paragraph, tell
from services.statements.proved_texts import Made
from services.statements.statement import Broken
from services.statements.tongue import Tongue

_STANCE = COMPETENCES[STANCE_ID].values
HOLD_FROM, AVOID_TO = _STANCE["hold_from"], _STANCE["avoid_to"]
THIN_BELOW = _STANCE["thin_below"]
# How many factors are told at length on the good and on the bad side, and whether the scores of the
# others are; the longest text first.
_TOLD = (
    *((3, 3, True), (2, 3, True), (3, 2, True), (2, 2, True), (2, 2, False)),
    *((2, 1, True), (1, 2, True), (2, 1, False), (1, 2, False), (1, 1, True), (1, 1, False)),
    *((0, 1, True), (1, 0, True), (0, 0, True)),
)
# With fewer than these the others are not left out.
_LEAST_TOLD = 2
_MOST_NAMED = 2
_SIDES: Mapping[int, Text] = {
    1: Text("支持：", "For: "), -1: Text("反对：", "Against: "), 0: Text("其他：", "Besides: ")
}  # fmt: skip
_MOST_NOTED: Mapping[Language, int] = {"zh": 3, "en": 2}
_MOST_LACKING: Mapping[Language, int] = {"zh": 6, "en": 3}
# What a factor is called where it holds a score up, and where it holds it down.
_LIFTS: Mapping[Factor, Text] = {
    "valuation": Text("估值", "valuation"),
    "quality": Text("盈利质量", "quality"),
    "growth": Text("成长", "growth"),
    "momentum": Text("动量", "momentum"),
    "risk": Text("波动小", "calm trading"),
    "events": Text("事件风险低", "few shocks"),
    "liquidity": Text("流动性好", "liquidity"),
}
_LOWERS: Mapping[Factor, Text] = {
    **_LIFTS,
    "risk": Text("波动大", "wild swings"),
    "events": Text("事件风险高", "event risk"),
    "liquidity": Text("流动性差", "thin trading"),
}
_PARTS = {
    "news": Text("新闻与公告", "news and notices"),
    "kline": Text("近期日线", "recent bars"),
    "sector": Text("估值与年报", "valuation and annual reports"),
}
# Said already where the news are not there.
_OF_NEWS = frozenset(name_of(one) for one in FACTORS["events"].components if one.name == "tone")


def stance_of(score: float, coverage: float, *, past: bool = False) -> Text:
    """What a score means by the registered bands; of little data only which way it leans, of a
    past day only which way it leaned then.
    """
    if score >= HOLD_FROM:
        return _tell_leaning(Text("正面", "for it"), Text("可以继续持有", "hold"), coverage, past)
    if score <= AVOID_TO:
        return _tell_leaning(
            Text("负面", "against it"), Text("不建议持有", "not to be held"), coverage, past
        )
    if past:
        return Text("当时的数据不偏不倚", "the data then leaned neither way")
    return Text("中性", "neutral")


def is_ranked(coverage: float) -> bool:
    """Whether so much is known that a score has a verdict, and a place among others."""
    return coverage >= THIN_BELOW


def _tell_leaning(way: Text, plain: Text, coverage: float, past: bool) -> Text:  # noqa: FBT001
    if past:
        return Text(f"当时的数据偏{way.zh}", f"the data then leaned {way.en}")
    if not is_ranked(coverage):
        return Text(
            f"已有数据偏{way.zh}，但不足以下结论",
            f"the data leans {way.en} but is too little to conclude",
        )
    return plain


def _spoken(graded: Claim) -> str:
    """A grade or a share as one speaks of it: 8.1, 74%."""
    return place(graded, short=True)


class _Scored(NamedTuple):
    """A factor that has a score, the score, and what it adds to or takes from the total."""

    factor: FactorScore
    score: Claim
    pull: float


class _Sides(NamedTuple):
    """The factors that lift the score, those that lower it, and the others; strongest first."""

    good: Sequence[_Scored]
    bad: Sequence[_Scored]
    rest: Sequence[_Scored]


class ScoreReason(NamedTuple):
    """A template of several lines; `made` are those of them that statements make."""

    text: str
    made: tuple[Made, ...] = ()


@dataclass(frozen=True)
class Reasoning:
    """Writes the reason of one company in one language."""

    step1: Step1Output
    card: Scorecard
    language: Language

    def reasons(self, total: Claim) -> Iterator[ScoreReason]:
        """The whole, the longest first: with fewer and fewer factors told at length."""
        sides = self._sides
        every = (*sides.good, *sides.bad, *sides.rest)
        before, after, made = [self._verdict(total)], self._after(), self._other_side()
        known: set[str] = set()
        for most_good, most_bad, rest in _TOLD:
            good, bad = sides.good[:most_good], sides.bad[:most_bad]
            told = {one.factor.factor for one in (*good, *bad)}
            if not rest and len(told) < _LEAST_TOLD:
                continue
            others = [one for one in every if one.factor.factor not in told] if rest else []
            parts = [
                self._tell_factors(Text("支持：", "For: "), good),
                self._tell_factors(Text("拖累：", "Against: "), bad),
                self._briefly(others),
                self._pick("另一面：", "The other side:") if made else "",
                *(one.text for one in made),
            ]
            text = "\n".join(part.strip() for part in (*before, *parts, *after) if part)
            if text not in known:
                known.add(text)
                yield ScoreReason(text, tuple(made))

    def chosen(self, total: Claim, chosen: Sequence[Saying]) -> Iterator[ScoreReason]:
        """The reason of what a model chose, the longest first: both sides, then what the rules say
        of days and gaps; the factors' score stands beside the model's.
        """
        share = self.card.by_id[self.card.coverage]
        head = self._pick(
            f"{self._who()}：分数与依据由模型选定，按规则的因子评分为 {_spoken(total)}，"
            f"数据覆盖度 {_spoken(share)}。",
            f"{self._who()}: score and grounds chosen by a model; the factor score is "
            f"{_spoken(total)}, data coverage {_spoken(share)}.",
        )
        last = self._pick(
            "依据逐条由代码核对，分数是模型的判断，不是预测，也不构成投资建议。",
            "Each ground is checked by code, the score is the model's; no forecast, no advice.",
        )
        days, lacking = self._days(), self._tell_lacking()
        more = [days, self._tell_conflicts(), self._since(), lacking, self._tell_watch(), last]
        least = [days, self._since(), lacking, last]
        for after in (more, least):
            yield self._tell_sides(head, chosen, after)
        kept = list(chosen)
        while len(kept) > 1:
            # The last of the side that has more: neither is emptied for the sake of length.
            sides = [one.side for one in kept]
            most = max(set(sides), key=lambda side: (sides.count(side), side))
            kept.pop(len(sides) - 1 - sides[::-1].index(most))
            yield self._tell_sides(head, kept, least)

    def _tell_sides(self, head: str, chosen: Sequence[Saying], after: Sequence[str]) -> ScoreReason:
        lines, made = [head], list[Made]()
        for side, heading in _SIDES.items():
            same = [one for one in chosen if one.side == side]
            if not same:
                continue
            said = self._pick("", " ").join(
                self._say_text(one.text) for one in same if one.statement is None
            )
            lines.append(f"{self._say_text(heading)}{said}".strip())
            told = self._prove_sayings(same)
            made += told
            lines += [one.text for one in told]
        return ScoreReason("\n".join(part for part in (*lines, *after) if part), tuple(made))

    def _prove_sayings(self, sayings: Sequence[Saying]) -> list[Made]:
        """The statements among them as a paragraph that is proved by them; none where there is
        none.
        """
        statements = tuple(one.statement for one in sayings if one.statement is not None)
        if not statements:
            return []
        part = Paragraph(section="results", statements=statements)
        book, year = kept_book(self.step1, self.card.claims), self.step1.as_of.year
        tongue = Tongue(self.language, book, year)
        text = tell(part, tongue)
        if isinstance(text, Broken):
            raise NotVerifiedError([str(text.why)])
        symbol, lender = self.step1.stock_code, book.lender
        return [
            Made(
                text=text, part=part, symbol=symbol, language=self.language, year=year,
                lender=lender, wording=tongue.wording,
            )
        ]  # fmt: skip

    def _other_side(self) -> list[Made]:
        """Where no factor speaks for or none against: the most telling statement that does."""
        empty = {1: not self._sides.good, -1: not self._sides.bad}
        return self._prove_sayings(
            [one for one in both_sides((), self.card.sayings) if empty.get(one.side)]
        )

    def _who(self) -> str:
        past, name = self.step1.of_day, self.step1.stock_name or self.step1.stock_code
        return self._pick(
            f"{name}（{self.step1.stock_code}）{f'按 {past} 的数据' if past else ''}",
            f"{self.step1.stock_name_en or name} ({self.step1.stock_code})"
            f"{f', as of {past}' if past else ''}",
        )

    def _after(self) -> list[str]:
        """What stands behind the factors, however many are told."""
        return [
            self._days(),
            self._tell_conflicts(),
            self._since(),
            self._tell_lacking(),
            self._tell_watch(),
            self._pick(
                "按公开的规则评分，不是预测，也不构成投资建议。",
                "Scored by published rules; no forecast, no advice.",
            ),
        ]

    @cached_property
    def _known(self) -> dict[str, Claim]:
        claims, found = self.card.by_id, dict[str, Claim]()
        for part in (self.step1.sector, self.step1.kline, self.step1.news):
            for name in part.figures:
                found.setdefault(claims[name].metric, claims[name])
        return found

    @cached_property
    def _sides(self) -> _Sides:
        claims = self.card.by_id
        found = [
            _Scored(one, score, claims[one.weight].value * (score.value - 5))
            for one in self.card.factors
            if one.score is not None
            for score in (claims[one.score],)
        ]
        found.sort(key=lambda one: -abs(one.pull))
        good, bad, rest = (
            [one for one in found if side_of(one.score.value) == side] for side in (1, -1, 0)
        )
        return _Sides(good, bad, rest)

    def _pick(self, zh: str, en: str) -> str:
        return zh if self.language == "zh" else en

    def _say_text(self, text: Text) -> str:
        return self._pick(text.zh, text.en)

    def _join_parts(self, parts: Iterable[str]) -> str:
        return self._pick("、", ", ").join(parts)

    def _and(self, found: Sequence[_Scored], names: Mapping[Factor, Text]) -> str:
        called = [self._say_text(names[one.factor.factor]) for one in found[:_MOST_NAMED]]
        return self._pick("、", " and ").join(called)  # 成长和… would name 长和, a company

    def _verdict(self, total: Claim) -> str:
        """Who, how much, what that means, and what makes it so."""
        share, past = self.card.by_id[self.card.coverage], self.step1.of_day
        stance = self._say_text(stance_of(total.value, share.value, past=past is not None))
        name = self.step1.stock_name or self.step1.stock_code
        name_en = self.step1.stock_name_en or name
        day = self._pick(f"按 {past} 的数据，", f", as of {past}") if past else ""
        head = self._pick(
            f"{name}（{self.step1.stock_code}）{day}持有评分 {_spoken(total)}：{stance}，"
            f"数据覆盖度 {_spoken(share)}。",
            f"{name_en} ({self.step1.stock_code}){day}: hold score {_spoken(total)}, {stance}; "
            f"data coverage {_spoken(share)}. ",
        )
        return head + self._driven(total)

    def _driven(self, total: Claim) -> str:
        good, bad = self._and(self._sides.good, _LIFTS), self._and(self._sides.bad, _LOWERS)
        if good and bad:
            return self._both_sides(total.value, good, bad)
        if good:
            return self._pick(
                f"主要支撑是{good}，已知的因子里没有明显偏弱的。",
                f"Held up by {good}; no known factor is clearly weak.",
            )
        if bad:
            return self._pick(
                f"主要拖累是{bad}，已知的因子里没有明显偏强的。",
                f"Held down by {bad}; no known factor is clearly strong.",
            )
        return self._pick("已知的因子都在中间，没有明显的强弱。", "No known factor stands out.")

    def _both_sides(self, total: float, good: str, bad: str) -> str:
        zh = f"主要支撑是{good}，主要拖累是{bad}"
        if total >= HOLD_FROM:
            return self._pick(
                f"{zh}，支撑大于拖累。", f"Held up by {good} more than held down by {bad}."
            )
        if total <= AVOID_TO:
            return self._pick(
                f"{zh}，支撑抵不过拖累。", f"Held down by {bad} more than held up by {good}."
            )
        return self._pick(
            f"{zh}，综合居中。", f"Held up by {good} and held down by {bad}, about as much."
        )

    def _tell_factors(self, heading: Text, chosen: Sequence[_Scored]) -> str:
        """One sentence a factor: its score, its day, and what it rests on."""
        told = self._pick("", " ").join(self._factor(one) for one in chosen)
        return f"{self._say_text(heading)}{told}" if told else ""

    def _factor(self, one: _Scored) -> str:
        why = self._pick(one.factor.reason, one.factor.reason_en)
        told = f"{self._pick('：', ': ')}{why}" if why else ""
        return f"{self._head(one)}{told}{self._pick('。', '.')}"

    def _head(self, one: _Scored) -> str:
        return self._pick(
            f"{one.factor.zh}得分 {_spoken(one.score)}",
            f"{one.factor.en} score {_spoken(one.score)}",
        )

    def _briefly(self, rest: Sequence[_Scored]) -> str:
        if not rest:
            return ""
        heads = self._pick("，", ", ").join(self._head(one) for one in rest)
        return self._pick(f"其余：{heads}。", f"The rest: {heads}.")

    def _days(self) -> str:
        """Of which days and report the figures are."""
        known = self._known
        valued = known.get("market_cap") or known.get("pb")
        priced, reported = known.get("return_60"), known.get("net_profit")
        told: list[str] = []
        if valued is not None:
            day, stood = valued.as_of, priced_on(valued)
            close = self._pick(f"（按 {stood} 收盘价）", f" (at the close of {stood})")
            close = close if stood < day else ""
            told.append(self._pick(f"估值为 {day}{close}", f"valuation {day}{close}"))
        if priced is not None:
            day = priced.as_of.isoformat()
            told.append(self._pick(f"股价至 {day}", f"prices to {day}"))
        if reported is not None and is_report(reported.period):
            period = Period.parse(str(reported.period)).label(self.language)
            told.append(self._pick(f"报表为 {period}", f"statements of {period}"))
        text = self._pick("，", ", ").join(told)
        return self._pick(f"数据：{text}。", f"Data: {text}.") if told else ""

    def _tell_conflicts(self) -> str:
        """What the checker saw speak against each other, and of different days."""
        whole = [note for note in self.step1.checks if "（" not in note.zh]
        told = [self._say_text(note) for note in whole if self._is_new(note)][
            : _MOST_NOTED[self.language]
        ]
        if not told:
            return ""
        text = self._pick("；", "; ").join(told)
        return self._pick(f"权衡：{text}。", f"Weighing: {text}.")

    def _is_new(self, note: Text) -> bool:
        """Whether it is not what the head says anyway."""
        return self.step1.of_day is None or str(self.step1.of_day) not in note.zh

    def _since(self) -> str:
        """What became public after the day the score is of."""
        if not self.step1.since:
            return ""
        texts = [self._pick(one.text, one.text_en) for one in self.step1.since]
        claims = self.card.by_id
        period = next(
            (claims[one].period for found in self.step1.since for one in found.claims), None
        )
        year = Period.parse(str(period)).label(self.language) if is_report(period) else ""
        listed = self._pick("，", ", ").join(texts)
        turned = self._pick(
            "，与评分所依据的增长方向相反" if self._has_turned() else "",
            ": the opposite of the growth it rests on" if self._has_turned() else "",
        )
        return self._pick(
            f"其后公布、未计入的{year}：{listed}{turned}。",
            f"Published since and not counted, {year}: {listed}{turned}.",
        )

    def _has_turned(self) -> bool:
        claims = self.card.by_id
        new = [claims[one] for found in self.step1.since for one in found.claims]
        return any(
            (known := self._known.get(one.metric)) is not None and known.value * one.value < 0
            for one in new
        )

    def _tell_lacking(self) -> str:
        """What is not there, by name, and that nothing stands in for it."""
        whole = [self._pick(one.zh, one.en.lower()) for one in self.card.factors if not one.score]
        whole += [self._say_text(_PARTS[name]) for name in self.step1.missing]
        single = [
            self._say_text(name)
            for one in self.card.factors
            if one.score is not None
            for name in one.missing
            if name not in _OF_NEWS
        ]
        names, most = list(dict.fromkeys((*whole, *single))), _MOST_LACKING[self.language]
        if not names:
            return ""
        listed = self._join_parts(names[:most])
        more = self._pick("等", " and others") if len(names) > most else ""
        return self._pick(
            f"没有取得、也未估算：{listed}{more}。",
            f"Not available, not imputed: {listed}{more}.",
        )

    def _tell_watch(self) -> str:
        """What would change the score, of what it rests on."""
        told = [text for text in (self._price_to_watch(), self._report_to_watch()) if text]
        if not told:
            return ""
        text = self._pick("；", "; ").join(self._say_text(one) for one in told)
        return self._pick(f"何时改变看法：{text}。", f"What would change it: {text}.")

    def _price_to_watch(self) -> Text | None:
        close, mean = self._known.get("close"), self._known.get("ma_60")
        if self.step1.of_day is not None:
            return Text(
                "取得近期股价与估值后须重评", "a recent price and valuation call for a new score"
            )
        if close is None:
            return Text("取得近期的成交价后须重评", "a recent traded price calls for a new score")
        if mean is None:
            return Text(
                "日线补齐后须重评", "a series of daily bars without holes calls for a new score"
            )
        if close.value >= mean.value:
            return Text(
                f"若收盘跌破 60 日均线 {place(mean)}，动量得分会下调",
                f"a close below MA(60) {place(mean)} (momentum lower)",
            )
        return Text(
            f"若收盘升破 60 日均线 {place(mean)}，动量得分会上调",
            f"a close above MA(60) {place(mean)} (momentum higher)",
        )

    def _report_to_watch(self) -> Text | None:
        profit = self._known.get("net_profit_yoy")
        if profit is None or self.step1.since:
            return None
        dear = self._known.get("pe_ttm_cheaper") or self._known.get("pe_lyr_cheaper")
        if profit.value > 0 and dear is not None and dear.value < 50:
            return Text(
                "若下一份财报净利润转降，成长得分与高于同行的市盈率都会失去依据",
                "a fall of net profit (no ground for the growth score or a multiple above peers')",
            )
        if profit.value > 0:
            return Text(
                "若下一份财报净利润转降，成长得分会下调",
                "a fall of net profit (a lower score)",
            )
        return Text(
            "若下一份财报净利润恢复增长，成长得分会上调",
            "net profit recovering (a higher score)",
        )

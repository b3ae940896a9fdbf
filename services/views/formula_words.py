"""The formula of a derived figure in words: names of figures in the place of identifiers."""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from services.core.catalogue import SCREEN_FIELDS, metric_words
from services.core.claims import Claim, DerivedCite, MembersRef
from services.core.formulas import Formula, formula_for
from services.core.periods import period_words
from services.core.rendering import show
from services.core.text import NO_TEXT, Language, Text
from services.views.member_words import scope_words

_SIGNS: Mapping[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", 1), ast.Sub: ("−", 1), ast.Mult: ("×", 2), ast.Div: ("÷", 2),
}  # fmt: skip
_TIGHTEST = 3
# Of more inputs than this the values in one line say nothing.
_FEW = 4
# The name of a list in an expression whose members no slot names.
_EACH = Text("各数", "the values")
_MEMBERS = Text("公司", "companies")
# What a function of an expression is called; one that is not here makes the figure itself: RSI of
# closes is called what the figure is called.
_CALLED: Mapping[str, Text] = {
    "sum": Text("合计", "sum"),
    "mean": Text("平均", "average"),
    "sma": Text("均值", "average"),
    "median": Text("中位数", "median"),
    "max": Text("最大值", "maximum"),
    "min": Text("最小值", "minimum"),
    "count": Text("个数", "count"),
    "rank": Text("名次", "rank"),
    "percentile": Text("最新值的分位", "percentile of the last"),
    "first": Text("最早", "first"),
    "last": Text("最新", "last"),
    "abs": Text("绝对值", "absolute value"),
    "sign": Text("涨跌方向（1、0、−1）", "direction (1, 0, −1)"),
    "returns": Text("逐日涨跌幅", "daily moves"),
    "zscore": Text("偏离均值的倍标准差", "standard deviations from the mean"),
    "yearly": Text("年均增速", "growth per year"),
    "log_share": Text("按对数分到的变化", "part of the change, by logarithms"),
    "dif": Text("快慢均线之差", "fast less slow average"),
    "dea": Text("快慢均线之差的均线", "average of fast less slow"),
    "obv": Text("累积能量", "on-balance volume"),
    "after_first": Text("首日之后合计", "sum after the first day"),
    "band": Text("是否在区间内", "whether within"),
    "rising": Text("上涨占比", "share that rose"),
}
_STRETCHES = Text("（收盘＋其后派息）÷当时年报的{of}", "(close + dividends paid since) ÷ {of} then")


def tell_formula(claim: Claim, inputs: Sequence[Claim | None]) -> Text | None:
    """Its formula with what each input is called; of two of one figure, also whose or when. None
    where the formula is no registered one, whose names nobody knows.

    `inputs` are the claims of its cite in order; null for one that is not at hand.
    """
    cite = claim.cite
    if not isinstance(cite, DerivedCite):
        return None
    formula = formula_for(claim.metric, cite.formula)
    lists: tuple[tuple[str, Text], ...] = ()
    if formula is None and cite.members and _is_arithmetic(cite.formula):
        formula = Formula(claim.metric, cite.formula)
        lists = tuple((of.name, _tell_list(of)) for of in cite.members)
    if formula is None:
        return None
    several = len({one.symbol for one in inputs if one is not None}) > 1
    apart = tuple(_tell_apart(one, several=several) for one in inputs)
    return Text(
        write_formula(formula, apart, "zh", lists), write_formula(formula, apart, "en", lists)
    )


def tell_values(claim: Claim, inputs: Sequence[Claim | None]) -> Text | None:
    """Its formula with the value of each input in the place of its name, as shown. None where an
    input is not at hand, and of lists and of many, which would be long.
    """
    cite = claim.cite
    formula = formula_for(claim.metric, cite.formula) if isinstance(cite, DerivedCite) else None
    held = [one for one in inputs if one is not None]
    if formula is None or formula.series or len(held) != len(inputs) or len(held) > _FEW:
        return None
    if len(held) != len(formula.slots):
        return None
    return Text(_write_values(formula, held, "zh"), _write_values(formula, held, "en"))


def _write_values(formula: Formula, held: Sequence[Claim], language: Language) -> str:
    shown = (show(one, language).text.replace("-", "−") for one in held)
    words = _Teller(formula, (), language)
    words.name(
        (slot.name, Text(f"（{text}）", f"({text})") if text.startswith("−") else Text(text, text))
        for slot, text in zip(formula.slots, shown, strict=True)
    )
    return words.tell(ast.parse(formula.expression, mode="eval").body)[0]


def _is_arithmetic(expression: str) -> bool:
    """Whether it only reckons: what a question asks for also says which members are meant, and its
    formula stands in the question's own words.
    """
    told = (ast.BinOp, ast.operator, ast.Constant, ast.Name, ast.Call, ast.expr_context)
    return all(isinstance(one, told) for one in ast.walk(ast.parse(expression, mode="eval").body))


def _tell_list(of: MembersRef) -> Text:
    """What a list over a market holds: the companies, or their values in a column; above what."""
    column = SCREEN_FIELDS.get(of.column or "")
    name = metric_words(column) if column else _MEMBERS
    above = next((one.above for one in of.bounds if one.field == of.column), None)
    return name if above is None else Text(f"{name.zh}＞{above:g}", f"{name.en} > {above:g}")


def _tell_apart(claim: Claim | None, *, several: bool) -> Text:
    """Of which report or day it is; of several companies, whose."""
    if claim is None:
        return NO_TEXT
    if several:
        return scope_words(claim.symbol)
    if claim.period is None:
        return Text(claim.as_of.isoformat(), claim.as_of.isoformat())
    return Text(period_words(claim.period, "zh"), period_words(claim.period, "en"))


@lru_cache(maxsize=2048)
def write_formula(
    formula: Formula,
    apart: tuple[Text, ...],
    language: Language,
    lists: tuple[tuple[str, Text], ...] = (),
) -> str:
    """Its expression in one language; `apart` is what tells each input from one of its figure,
    `lists` what its lists over a market are called.
    """
    words = _Teller(formula, apart, language)
    words.name(lists)
    return words.tell(ast.parse(formula.expression, mode="eval").body)[0]


class _Teller:
    """One expression in one language."""

    def __init__(self, formula: Formula, apart: tuple[Text, ...], language: Language) -> None:
        self._formula = formula
        self._language: Language = language
        of = Counter(slot.metric for slot in formula.slots)
        self._names = {slot.name: self._say(metric_words(slot.metric)) for slot in formula.series}
        for place, slot in enumerate(formula.slots):
            name = self._say(metric_words(slot.metric))
            more = self._say(apart[place]) if place < len(apart) else ""
            self._names[slot.name] = f"{name} {more}" if of[slot.metric] > 1 and more else name
        if formula.each is not None:
            self._names[formula.each.name] = self._say(metric_words(formula.each.metric))

    def name(self, called: Iterable[tuple[str, Text]]) -> None:
        """What else its names are called."""
        self._names |= {name: self._say(text) for name, text in called}

    def _say(self, text: Text) -> str:
        return text.in_language(self._language)

    def tell(self, node: ast.expr) -> tuple[str, int]:
        """The words, and how tightly they hold together."""
        if isinstance(node, ast.BinOp):
            sign, rank = _SIGNS[type(node.op)]
            left, right = self.tell(node.left), self.tell(node.right)
            first = left[0] if left[1] >= rank else self._bracket(left[0])
            # a − (b − c) and a ÷ (b ÷ c) keep their brackets.
            strict = isinstance(node.op, ast.Sub | ast.Div)
            second = right[0] if right[1] > rank - (not strict) else self._bracket(right[0])
            return f"{first} {sign} {second}", rank
        if isinstance(node, ast.UnaryOp):
            return f"−{self.tell(node.operand)[0]}", _TIGHTEST
        if isinstance(node, ast.Constant):
            return f"{node.value:g}" if isinstance(node.value, float) else str(node.value), 3
        if isinstance(node, ast.Name):
            return self._names.get(node.id) or self._say(_EACH), _TIGHTEST
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node.func.id, node.args), _TIGHTEST
        raise ValueError(ast.dump(node))

    def _call(self, name: str, given: Sequence[ast.expr]) -> str:
        if name == "joined":
            return self._stretches(given[0])
        if name == "quantile" and isinstance(given[1], ast.Constant):
            share = self._say(Text(f"{given[1].value}% 分位数", f"{given[1].value}th percentile"))
            return f"{share}{self._bracket(self.tell(given[0])[0])}"
        called = _CALLED.get(name) or metric_words(self._formula.metric)
        comma = "、" if self._language == "zh" else ", "
        return f"{self._say(called)}{self._bracket(comma.join(self.tell(one)[0] for one in given))}"

    def _stretches(self, first: ast.expr) -> str:
        """All stretches are alike but for the report and the dividends: the first says how."""
        assert isinstance(first, ast.Call)  # noqa: S101 — what company_formulas writes
        base = first.args[2]
        if isinstance(base, ast.Name):
            metric = next(s.metric for s in self._formula.slots if s.name == base.id)
            of = self._say(metric_words(metric))
        else:
            of = self._say(Text("每股净资产", "book value a share"))
        return self._say(_STRETCHES).format(of=of)

    def _bracket(self, text: str) -> str:
        return f"（{text}）" if self._language == "zh" else f"({text})"

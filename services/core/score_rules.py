"""The factor model of the hold score (`data/catalogue/factors.toml`): what is graded, between which
figures, and what it weighs.

core/score_formulas.py computes it, core/limits.py registers every figure as a judgement.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from services.core.data_files import DATA_FOLDER, DataFile, read_data_file
from services.core.record import Record
from services.core.text import Text, join_texts

_FILE = DATA_FOLDER / "catalogue" / "factors.toml"
# Industries whose debts are their business: what they owe says nothing of their soundness.
LENDERS = ("银行", "保险", "证券", "多元金融", "金融", "券商", "信托")
TOTAL_ID = "score.total"
FRESH_ID = "score.fresh"
STANCE_ID = "score.stance"
HISTORY_ID = "score.history"
TONE_ID = "score.tone"
MODEL_ID = "score.model"
_LEAST_COVERAGE = 0.33


class Component(NamedTuple):
    """One graded figure. `metrics`: what it may be, the first there is; `part`: its weight in
    percent of its factor. `from_`/`to`: the figures that stand for 0 and for 10.

    `currency`: only of an amount in that currency; such components are one and the same in the
    weights, under `name`. `if_any`: it counts only where there is something to judge.
    """

    name: str
    metrics: tuple[str, ...]
    label: Text
    from_: float
    to: float
    unit: str
    part: float
    log: bool = False
    currency: str = ""
    if_any: bool = False

    @property
    def key(self) -> str:
        """What its limits are called by: the name, with the currency where there is one."""
        return f"{self.name}_{self.currency.lower()}" if self.currency else self.name


class FactorRule(NamedTuple):
    """A factor: its weight in percent of the score, and its components."""

    label: Text
    weight: float
    components: tuple[Component, ...]


class _Graded(Record):
    """A component as the file has it: `between` two figures of a unit, or `amounts` a currency."""

    zh: str
    en: str
    part: float
    metrics: tuple[str, ...] = ()
    between: tuple[float, float] | None = None
    unit: str = ""
    amounts: Mapping[str, tuple[float, float]] = {}
    if_any: bool = False


class _Factor(Record):
    zh: str
    en: str
    weight: float
    components: Mapping[str, Mapping[str, object]]


def read_factors(path: Path = _FILE) -> Mapping[str, FactorRule]:
    """The factors of that file by name. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    return {name: _read_factor(file, name, table) for name, table in file.tables.items()}


def _read_factor(file: DataFile, name: str, table: Mapping[str, object]) -> FactorRule:
    factor = file.record(_Factor, table, f"[{name}]")
    graded = tuple(
        one
        for part, fields in factor.components.items()
        for one in _read_components(file, f"[{name}.components.{part}]", part, fields)
    )
    return FactorRule(Text(factor.zh, factor.en), factor.weight, graded)


def _read_components(
    file: DataFile, header: str, name: str, fields: Mapping[str, object]
) -> Iterator[Component]:
    """One, or of an amount one for each currency."""
    read = file.record(_Graded, fields, header)
    if (read.between is None) == (not read.amounts) or bool(read.between) != bool(read.unit):
        raise file.fault(header, "either between and unit, or amounts")
    ends = read.amounts or {"": read.between or (0.0, 0.0)}
    for currency, (low, high) in ends.items():
        yield Component(
            name,
            read.metrics or (name,),
            Text(read.zh, read.en),
            low,
            high,
            currency or read.unit,
            read.part,
            log=bool(currency),
            currency=currency,
            if_any=read.if_any,
        )


FACTORS: Mapping[str, FactorRule] = read_factors()
# From which grade on a figure or a factor speaks for holding, and to which against.
FOR_FROM, AGAINST_TO = 6.0, 4.5


def side_of(grade: float) -> Literal[-1, 0, 1]:
    """What a grade speaks for: for (1) or against (-1) holding, or neither."""
    return 1 if grade >= FOR_FROM else -1 if grade <= AGAINST_TO else 0


def side_of_figure(metric: str, value: float) -> Literal[-1, 0, 1]:
    """As its grade says, and never against its own sign: growth that is weak is no fall. What
    counts only where there is something to judge speaks against a company or not at all.
    """
    rule = next(
        one for factor in FACTORS.values() for one in factor.components if metric in one.metrics
    )
    side = side_of(10 * (value - rule.from_) / (rule.to - rule.from_))
    if rule.if_any:
        return min(side, 0)
    return side if side * value >= 0 else 0


class ScoreRule(NamedTuple):
    """A judgement that follows from the factors: its words, and each figure with its unit."""

    text: Text
    values: Mapping[str, tuple[float, str]]


def factor_id(factor: str) -> str:
    """The competence that holds a factor's limits and weights."""
    return f"score.{factor}"


def derive_score_rules() -> Mapping[str, ScoreRule]:
    """What the register says of the factors and of their sum, by competence id."""
    rules = {factor_id(name): _derive_factor_rule(factor) for name, factor in FACTORS.items()}
    return {**rules, TOTAL_ID: _derive_total_rule()}


def _say_limit(value: float, unit: str) -> Text:
    match unit:
        case "percent":
            return Text.of(f"{value:g}%")
        case "pp":
            return Text(f"{value:g} 个百分点", f"{value:g} pp")
        case "sessions":
            return Text(f"{value:g} 个交易日", f"{value:g} sessions")
        case _:
            return Text(f"{value / 1e8:g} 亿 {unit}", f"{unit} {value / 1e6:,.0f}m")


_COMPONENT = Text(
    "{label} {low} 记 0 分、{high} 记 10 分，占 {part}%",
    "{label}: {low} is 0, {high} is 10, {part} % of it",
)
_FACTOR = Text(
    "{label}：{told}；其间线性（金额按对数），缺项不估，权重在其余项间重分",
    "{label}: {told}; a straight line between (of logarithms for amounts); "
    "what is missing is not imputed, the weights are of what is there",
)
_TOTAL = Text(
    "持有评分为各因子得分的加权平均：{told}；缺失的因子不估，权重在其余因子间重分；"
    "数据覆盖度低于 {least} 不评分",
    "The hold score is the weighted mean of the factors: {told}; a missing factor is not imputed, "
    "weights are of those there are; no score where less than {least} of what it needs is there",
)


def _derive_factor_rule(factor: FactorRule) -> ScoreRule:
    values: dict[str, tuple[float, str]] = {}
    for one in factor.components:
        values[f"{one.key}_from"] = (one.from_, one.unit)
        values[f"{one.key}_to"] = (one.to, one.unit)
        values[f"{one.name}_part"] = (one.part, "percent")
    told = join_texts(
        _COMPONENT.format(
            label=one.label,
            low=_say_limit(one.from_, one.unit),
            high=_say_limit(one.to, one.unit),
            part=f"{one.part:g}",
        )
        for one in factor.components
    )
    return ScoreRule(_FACTOR.format(label=factor.label, told=told), values)


def _derive_total_rule() -> ScoreRule:
    share = Text("{label} {weight}%", "{label} {weight} %")
    told = join_texts(
        (share.format(label=one.label, weight=f"{one.weight:g}") for one in FACTORS.values()),
        "、",
        ", ",
    )
    weights = {f"{name}_weight": (one.weight, "percent") for name, one in FACTORS.items()}
    return ScoreRule(
        _TOTAL.format(told=told, least=_LEAST_COVERAGE),
        {**weights, "least_coverage": (_LEAST_COVERAGE, "ratio")},
    )

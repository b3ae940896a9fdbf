"""The catalogue: what every figure is, read once from `data/catalogue/figures.toml`.

Labels, codes, names, units, directions and screening fields are asked of `CATALOGUE`; nothing else
repeats them. A new figure is one table of that file, a new screening field one line of it.
A faulty file is refused at start with its name, its line and the reason.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from services.core.candles import PATTERNS
from services.core.data_files import DATA_FOLDER, DataFile, read_data_file
from services.core.record import Record
from services.core.score_rules import FACTORS
from services.core.text import Text

CATALOGUE_FOLDER = DATA_FOLDER / "catalogue"

Kind = Literal[
    "price", "valuation", "statement", "ratio", "size", "event", "summary", "macro", "limit"
]
Grain = Literal["moment", "day", "period", "event", "company"]
Unit = Literal[
    "price", "money", "per_share", "percent", "multiple", "shares", "count", "sessions", "sigma",
    "score", "rank", "number", "index", "pp", "any",
]  # fmt: skip
Turn = Literal[
    "yoy", "mom", "change", "run", "mean", "count", "median", "rank", "difference", "ratio",
    "forecast",
]  # fmt: skip
Action = Literal["api_get_financial", "api_get_quote"]


class ScreenField(Record):
    """A field a market can be screened by.

    `place`: where it stands among the fields of a page, a command, an export. `field`: its name in
    the tools, on the command line and in addresses. `sample`: a bound that makes sense, in the
    range grammar's own unit, by language. `tool`: whether the tool of seed 000 takes a range of it.
    `least`: under what no company can be; null where there is no such figure.
    """

    place: int
    field: str
    sample_zh: str
    sample_en: str
    tool: bool = True
    least: float | None = None


class AskedAs(Record):
    """How a question's plan asks for the figure (seed 002).

    `short` stands in output keys. Where they are not the figure's own: `name` in slots (`name_en`
    where a slot is told in English), `metric`
    the physical name, `code` where the contract of codes has none. `tool`: its name in the tool of
    company figures where that is another than `metric`; `-` where that tool has it not.
    """

    short: str
    action: Action
    name: str = ""
    name_en: str = ""
    metric: str = ""
    code: str = ""
    tool: str = ""


class FigureEntry(Record):
    """What one figure is.

    `zh`, `en`: its labels. `says`: names that mean exactly this figure, in a question and in a
    text. `asks`: names a question may mean it by; a text may use one only where no other figure
    of that name is near. `questions`: ways of asking for it that no text uses as a name
    (赚了多少). `rises`, `falls`: names that also say the direction (涨幅, 亏损).
    `basis`: words of a name that say this very figure, where the others leave open which of its
    kind is meant (滚动市盈率; a plain 市盈率 is in Hong Kong the one its source has).
    `made_of`: it may be told as another figure's name and a turn (营业收入同比).
    `better`: which way is good, for best and worst in a table; null where neither is.
    `additive`: whether it may be summed over companies; `flow`: over periods.
    `missing`: what an absent value means, by market, where the source's rule is known.
    `signed`: printed with a plus. `needs`: what it is recomputable from. `unit` is a dimension;
    the claim's unit says the currency.
    """

    id: str
    zh: str = Field(min_length=1)
    en: str = Field(min_length=1)
    kind: Kind
    grain: Grain
    unit: Unit
    code: str | None = None
    meaning: str = ""
    meaning_en: str = ""
    says: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    rises: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    made_of: tuple[tuple[str, Turn], ...] = ()
    better: Literal["higher", "lower"] | None = None
    additive: bool = False
    flow: bool = False
    missing: Mapping[Literal["CN", "HK", "US"], Literal["loss"]] = {}
    signed: bool = False
    needs: tuple[str, ...] = ()
    screen: ScreenField | None = None
    asked: AskedAs | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What a text may call it without saying a direction, labels first."""
        return (self.zh, self.en, *self.says, *self.asks)

    @property
    def question_code(self) -> str | None:
        """The code a question's plan asks for it by; None for what is not asked for by name."""
        return self.code or (self.asked.code if self.asked is not None else None)

    @property
    def words(self) -> Text:
        """Its name in both languages."""
        return Text(self.zh, self.en)

    def label(self, language: Literal["zh", "en"]) -> str:
        """Its name as shown."""
        return self.words.in_language(language)


class Family(Record):
    """Figures made by rule from others, or one for each of several numbers of sessions.

    `id`, `zh`, `en` and the names hold `{id}`, `{zh}`, `{en}` and `{field}` (of screens) of each
    figure in `of` (`screened`: of every one with a screening field), or `{n}` (and `{n_zh}`, 二十)
    of each number in `sessions`. `unit` is `same` as
    that figure's, or its own. `told_as`: `made_of` of each.
    """

    id: str
    zh: str
    en: str
    kind: Kind
    grain: Grain
    unit: Unit | Literal["same"]
    of: tuple[str, ...] | Literal["screened"] = ()
    sessions: tuple[int, ...] = ()
    says: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    meaning: str = ""
    told_as: tuple[tuple[str, Turn], ...] = ()
    signed: bool = False

    @model_validator(mode="after")
    def _is_of_something(self) -> Self:
        if bool(self.of) == bool(self.sessions):
            raise ValueError("either `of` (figures) or `sessions` (numbers)")
        return self


_IN_WORDS = {5: "五", 10: "十", 20: "二十", 60: "六十", 120: "一百二十", 250: "二百五十"}


class Catalogue:
    """Every figure by id, and what is looked up among them."""

    def __init__(self, figures: Mapping[str, FigureEntry]) -> None:
        self.figures = figures

    def __getitem__(self, metric: str) -> FigureEntry:
        return self.figures[metric]

    def __contains__(self, metric: object) -> bool:
        return metric in self.figures

    @cached_property
    def screen_fields(self) -> Mapping[str, FigureEntry]:
        """Screening field → its figure, by place."""
        rows = [(row.screen, row) for row in self.figures.values() if row.screen is not None]
        rows.sort(key=lambda pair: pair[0].place)
        return {screen.field: row for screen, row in rows}

    @cached_property
    def codes(self) -> Mapping[str, str]:
        """Figure → its code in the contract of metric codes; workings have none."""
        return {row.id: row.code for row in self.figures.values() if row.code is not None}

    def ids_where(self, **facts: object) -> frozenset[str]:
        """The figures whose fields have these values: `ids_where(signed=True)`."""
        return frozenset(
            row.id
            for row in self.figures.values()
            if all(getattr(row, name) == value for name, value in facts.items())
        )


def read_catalogue(path: Path = CATALOGUE_FOLDER / "figures.toml") -> Catalogue:
    """The catalogue of that file. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    tables = dict(file.tables)
    families, more_names = tables.pop("family", {}), tables.pop("names", {})
    figures: dict[str, FigureEntry] = {}
    for name, table in tables.items():
        figures[name] = file.record(FigureEntry, {"id": name, **table}, f"[{name}]")
    headers = {name: f"[{name}]" for name in figures}
    for name, table in families.items():
        header = f"[family.{name}]"
        family = file.record(Family, table, header)
        try:
            rows = list(_expand_family(family, figures, file, header))
        except (KeyError, IndexError, ValueError) as error:
            raise file.fault(header, f"no such place in braces: {error}") from None
        for row in rows:
            figures[row.id], headers[row.id] = row, header
    figures |= {row.id: row for row in _scores_and_patterns()}
    for name, more in more_names.items():
        if name not in figures or not isinstance(more, list):
            reason = f"{name}: a list of names" if name in figures else f"no figure {name}"
            raise file.fault("[names]", reason, name)
        figures[name] = figures[name].model_copy(update={"says": (*figures[name].says, *more)})
    _check_references(figures, headers, file)
    return Catalogue(figures)


def _expand_family(
    family: Family, figures: Mapping[str, FigureEntry], file: DataFile, header: str
) -> Iterator[FigureEntry]:
    screened = [name for name, row in figures.items() if row.screen is not None]
    for each in (screened if family.of == "screened" else family.of) or family.sessions:
        row = figures.get(str(each))
        if isinstance(each, int):
            words: dict[str, object] = {"n": each, "n_zh": _IN_WORDS.get(each, str(each))}
        elif row is None:
            raise file.fault(header, f"of: no figure {each}", "of")
        else:
            words = {"id": row.id, "zh": row.zh, "en": row.en}
            words["field"] = row.screen.field if row.screen is not None else ""
        unit = row.unit if family.unit == "same" and row is not None else family.unit
        yield FigureEntry(
            id=family.id.format(**words),
            zh=family.zh.format(**words),
            en=family.en.format(**words),
            kind=family.kind,
            grain=family.grain,
            unit="any" if unit == "same" else unit,
            meaning=family.meaning,
            says=tuple(name.format(**words) for name in family.says),
            asks=tuple(name.format(**words) for name in family.asks),
            made_of=tuple((name.format(**words), turn) for name, turn in family.told_as),
            signed=family.signed,
        )


def _scores_and_patterns() -> Iterator[FigureEntry]:
    """What candle patterns and the factors of the hold score bring, and what their rules set: their
    registers name them.
    """
    for one in PATTERNS.values():
        yield FigureEntry(
            id=f"candle_{one.name}",
            zh=one.zh,
            en=one.en,
            kind="event",
            grain="day",
            unit="number",
            meaning="1 为成立，−1 为成立且看跌",
        )
    for name, rule in FACTORS.items():
        for part in rule.components:
            named = {"part": part.label, "whole": rule.label}
            yield _score_entry(f"{part.name}_grade", _GRADE.format(**named), "score")
            yield _score_entry(f"{part.name}_part", _PART.format(**named), "percent")
            yield _score_entry(f"{part.key}_from", _FROM.format(**named), "any")
            yield _score_entry(f"{part.key}_to", _TO.format(**named), "any")
        yield _score_entry(f"{name}_score", _SCORE.format(whole=rule.label), "score")
        yield _score_entry(f"{name}_weight", _WEIGHT.format(whole=rule.label), "percent")
        yield _score_entry(f"{name}_coverage", _COVERAGE.format(whole=rule.label), "number")


_GRADE = Text("{part}得分", "Grade of {part}")
_PART = Text("{part}在{whole}中的占比", "Share of {part} in {whole}")
_FROM = Text("{part}记 0 分处", "{part} that is graded 0")
_TO = Text("{part}记 10 分处", "{part} that is graded 10")
_SCORE = Text("{whole}得分", "{whole} score")
_WEIGHT = Text("{whole}权重", "Weight of {whole}")
_COVERAGE = Text("{whole}数据覆盖度", "{whole} coverage")


def _score_entry(id_: str, label: Text, unit: Unit) -> FigureEntry:
    return FigureEntry(id=id_, zh=label.zh, en=label.en, kind="summary", grain="company", unit=unit)


def _check_references(
    figures: Mapping[str, FigureEntry], headers: Mapping[str, str], file: DataFile
) -> None:
    """No name means exactly two figures, no screening field is two, all named figures exist."""
    owners: dict[str, str] = {}
    fields: dict[str, str] = {}
    for row in figures.values():
        header = headers.get(row.id, "[names]")
        named = {"needs": row.needs, "made_of": tuple(name for name, _ in row.made_of)}
        for key, other in ((key, name) for key, names in named.items() for name in names):
            if other not in figures:
                raise file.fault(header, f"{key}: no figure {other}", key)
        for name in row.says:
            if owners.setdefault(name.casefold(), row.id) != row.id:
                reason = f"says: {name} means exactly {owners[name.casefold()]} already"
                raise file.fault(header, reason, "says")
        if row.screen is not None and fields.setdefault(row.screen.field, row.id) != row.id:
            reason = f"screen: {row.screen.field} is a field of {fields[row.screen.field]}"
            raise file.fault(header, reason, "screen")


CATALOGUE: Catalogue = read_catalogue()
# Screening field, as tools and addresses spell it → the figure it bounds.
SCREEN_FIELDS: Mapping[str, str] = {field: row.id for field, row in CATALOGUE.screen_fields.items()}


def metric_words(metric: str) -> Text:
    """The name of a metric as shown; the metric's own id when it is not in the table."""
    found = CATALOGUE.figures.get(metric)
    return found.words if found else Text(metric, metric)

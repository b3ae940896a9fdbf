"""What statements may point at: the claims of one run, seen from one company."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Protocol, Self

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, CompetenceCite, DerivedCite, ToolCite, claim_id
from services.core.formulas import Formula, formula_for
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES, VALUE_UNITS
from services.core.periods import Period, is_month, is_report
from services.core.text import Text

# Figures whose own name says that they are of several companies, or of a rule.
ESTIMATED = "推算"
# Figures that only a report tells: a ratio may be worked out from multiples of a later day.
_REPORTED = ("revenue", "net_profit", "equity", "eps")
_LENDERS = ("银行", "证券", "保险", "Bank", "Insurance", "Broker")


class ClaimMaker(Protocol):
    """Makes the figures a statement adds: the ledger of a run, or what a pack holds of one."""

    def derive(self, formula: Formula, inputs: Sequence[Claim]) -> Claim | None:
        """The figure of that formula; None where there is none."""
        ...

    def competence(
        self, competence_id: str, metric: str, symbol: str, as_of: date, unit: str
    ) -> Claim:
        """The figure of a registered rule, applied on that day. Raises: KeyError."""
        ...


class KeptClaims:
    """A maker that makes nothing: the figures must be among the claims that were kept."""

    def __init__(self, claims: Mapping[str, Claim]) -> None:
        self._claims = claims

    def derive(self, formula: Formula, inputs: Sequence[Claim]) -> Claim | None:
        """As the protocol."""
        names = [item.claim_id for item in inputs]
        return self._claims.get(claim_id(formula.metric, formula.expression, *names))

    def competence(
        self, competence_id: str, metric: str, symbol: str, as_of: date, unit: str
    ) -> Claim:
        """As the protocol."""
        value = COMPETENCES[competence_id].values[metric]
        name = claim_id(competence_id, metric, value, unit, symbol, as_of)
        return self._claims.get(name) or _of_rule(name, competence_id, metric, symbol, as_of, unit)


def _of_rule(
    name: str, competence_id: str, metric: str, symbol: str, as_of: date, unit: str
) -> Claim:
    """A registered limit: it is known without having been kept."""
    return Claim(
        claim_id=name,
        value=COMPETENCES[competence_id].values[metric],
        metric=metric,
        symbol=symbol,
        as_of=as_of,
        unit=unit,
        cite=CompetenceCite(competence_id=competence_id),
    )


@dataclass(frozen=True, slots=True)
class Lack:
    """What was asked for and did not come, and why."""

    what: Text
    why: Text


def method(claim: Claim) -> str:
    """How the figure is known: reported, or by which formula, or from which rule."""
    if isinstance(claim.cite, DerivedCite):
        return claim.cite.formula
    return "reported" if isinstance(claim.cite, ToolCite) else claim.cite.kind


def basis(claim: Claim) -> str:
    """The kind of time: an annual report, another quarter's, TTM, LYR, MRQ, a month, or a day."""
    if not claim.period:
        return "day"
    if is_month(claim.period):
        return "month"
    period = Period.parse(claim.period)
    return f"report_q{period.quarter}" if period.basis == "report" else period.basis


def is_annual(claim: Claim) -> bool:
    """Whether it is of an annual report."""
    return is_report(claim.period) and basis(claim) == "report_q4"


def is_estimated(claim: Claim) -> bool:
    """Whether the figure is worked out from rounded ones."""
    return ESTIMATED in (claim.cite.note or "")


class Book:
    """Claims by id and by figure. Of one thread."""

    def __init__(
        self,
        claims: Iterable[Claim],
        symbol: str,
        maker: ClaimMaker,
        *,
        names: Mapping[str, str] | None = None,
        lender: bool = False,
        lacks: Sequence[Lack] = (),
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """`symbol` is whom it is about, `names` what other companies are called, `lender` whether
        debt is its trade, `lacks` what did not come, `texts` what may be quoted.
        """
        self.symbol = symbol
        self.names = dict(names or {})
        self.lender = lender
        self.lacks = tuple(lacks)
        self.texts = dict(texts or {})
        self._maker = maker
        self._claims: dict[str, Claim] = {}
        self._known: dict[tuple[str, str], list[Claim]] = {}
        for claim in claims:
            if claim.claim_id not in self._claims:
                self._claims[claim.claim_id] = claim
                self._known.setdefault((claim.symbol, claim.metric), []).append(claim)

    @classmethod
    def of_ledger(
        cls,
        ledger: Ledger,
        symbol: str,
        *,
        names: Mapping[str, str] | None = None,
        industry: str = "",
        lacks: Sequence[Lack] = (),
        texts: Mapping[str, str] | None = None,
    ) -> Self:
        """The book of a run that is still going on."""
        lender = is_lender(industry)
        return cls(
            ledger.claims, symbol, ledger, names=names, lender=lender, lacks=lacks, texts=texts
        )

    @classmethod
    def of_claims(
        cls,
        claims: Sequence[Claim],
        symbol: str,
        *,
        names: Mapping[str, str] | None = None,
        lender: bool = False,
        lacks: Sequence[Lack] = (),
    ) -> Self:
        """The book of a run that is over: what a statement derives must be among its claims."""
        kept = {claim.claim_id: claim for claim in claims}
        return cls(claims, symbol, KeptClaims(kept), names=names, lender=lender, lacks=lacks)

    @property
    def claims(self) -> Mapping[str, Claim]:
        """Every claim by id."""
        return self._claims

    def of(self, metric: str, symbol: str | None = None) -> Sequence[Claim]:
        """The claims of a figure of that company, the subject's by default."""
        return self._known.get((symbol or self.symbol, metric), ())

    def one(
        self, metric: str, when: str | date | None = None, symbol: str | None = None,
        how: str | None = None,
    ) -> Claim | None:  # fmt: skip
        """The newest of a figure, or that of a period or day; a reported one before an estimate."""
        found = [
            claim
            for claim in self.of(metric, symbol)
            if when in {None, claim.period, claim.as_of} and how in {None, method(claim)}
        ]
        return max(found, key=_newness, default=None)

    def run(self, metric: str, how: str | None = None) -> list[Claim]:
        """The subject's annual values, oldest first, one a year and all of one method."""
        years = sorted({c.period for c in self.of(metric) if c.period and is_annual(c)})
        newest = self.one(metric, years[-1]) if years else None
        way = how or (method(newest) if newest else None)
        found = (self.one(metric, year, how=way) for year in years)
        return [claim for claim in found if claim is not None]

    @cached_property
    def newest_report(self) -> str | None:
        """The newest annual report any figure of the subject is told of; None without reports. One
        figure may lag behind it: what it did a year before is then no news.
        """
        told = [one.period for name in _REPORTED for one in self.of(name) if is_annual(one)]
        return max((one for one in told if one), default=None)

    @cached_property
    def closes(self) -> list[Claim]:
        """The subject's bars by day, oldest first."""
        by_day = {
            claim.as_of: claim
            for claim in self.of("close")
            if method(claim) == "reported" and claim.period is None
        }
        return [by_day[day] for day in sorted(by_day)]

    @property
    def is_kept(self) -> bool:
        """Whether the run is over: what is proved was told before, perhaps by an older version."""
        return isinstance(self._maker, KeptClaims)

    @property
    def last_day(self) -> date | None:
        """The day of the newest bar; None without bars."""
        return self.closes[-1].as_of if self.closes else None

    def derive(self, metric: str, inputs: Sequence[Claim], expression: str) -> Claim | None:
        """A figure by its registered formula; None where it has no answer."""
        formula = formula_for(metric, expression)
        made = self._maker.derive(formula, inputs) if formula is not None else None
        if made is not None:
            self._claims.setdefault(made.claim_id, made)
        return made

    def rule(self, competence_id: str, metric: str, as_of: date) -> Claim:
        """A registered limit applied to the subject on that day."""
        unit = VALUE_UNITS[metric]
        made = self._maker.competence(competence_id, metric, self.symbol, as_of, unit)
        self._claims.setdefault(made.claim_id, made)
        return made

    def inputs(self, claim: Claim) -> list[Claim]:
        """What a derived figure rests on, as far as the book has it."""
        names = claim.cite.inputs if isinstance(claim.cite, DerivedCite) else ()
        return [self._claims[name] for name in names if name in self._claims]

    def is_rough(self, claim: Claim) -> bool:
        """Estimated, or a percentage of adjusted prices over more than a quarter; or made of such:
        printed as about.
        """
        if is_estimated(claim):
            return True
        inputs = self.inputs(claim)
        days = sorted(one.as_of for one in inputs)
        far = days and (days[-1] - days[0]).days > limit("rough_days")
        adjusted = any("加法前复权" in (one.cite.note or "") for one in inputs)
        if claim.unit == "percent" and claim.metric.startswith("close_") and far and adjusted:
            return True
        return any(is_estimated(one) for one in inputs) and claim.metric not in CATALOGUE.codes


def is_lender(industry: str) -> bool:
    """Whether debt is the trade of that industry."""
    return any(word in industry for word in _LENDERS)


def limit(name: str) -> float:
    """The registered limit of statements of that name."""
    return COMPETENCES["statement.limits"].values[name]


def is_rule(claim: Claim) -> bool:
    """Whether the figure is a registered one."""
    return isinstance(claim.cite, CompetenceCite)


def _newness(claim: Claim) -> tuple[date, bool, bool, date]:
    end = claim.as_of
    if claim.period and is_report(claim.period):
        end = Period.parse(claim.period).end
    return (end, not is_estimated(claim), method(claim) == "reported", claim.as_of)

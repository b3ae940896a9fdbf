"""What one very figure is called: the metric's name, and on what basis it is another."""

from typing import NamedTuple

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.claims import Claim, DerivedCite
from services.core.periods import Period, is_report


class ClaimName(NamedTuple):
    """A name in both languages."""

    zh: str
    en: str


# Of prices, sizes and multiples the name or the day says what they are.
_TOLD_APART = frozenset({"statement", "ratio"})


def name_claim(claim: Claim) -> ClaimName:
    """净资产收益率(推算), 营业收入(TTM): two figures of one company never share a name."""
    found = CATALOGUE.figures.get(claim.metric)
    if found is None:
        return ClaimName(claim.metric, claim.metric)
    if found.kind not in _TOLD_APART and claim.metric != "dy_l":
        return ClaimName(found.zh, found.en)
    trailing = (claim.period or "").startswith("TTM_") and "(TTM)" not in found.zh
    guessed = is_estimate(claim)
    zh = [*(["TTM"] if trailing else []), *(["推算"] if guessed else [])]
    en = [*(["TTM"] if trailing else []), *(["estimate"] if guessed else [])]
    if not zh:
        return ClaimName(found.zh, found.en)
    return ClaimName(f"{found.zh}({'，'.join(zh)})", f"{found.en} ({', '.join(en)})")


# How the counts of companies with a value of a screening field begin.
JUDGED = "judged_"


def name_counted(claim: Claim) -> ClaimName:
    """As `name_claim`; a count of losses says over whom it is, and by which multiple, where its
    formula tells, and one of companies with a value of what.
    """
    if claim.metric.startswith(JUDGED):
        found = CATALOGUE[claim.metric]
        of = CATALOGUE[SCREEN_FIELDS[claim.metric.removeprefix(JUDGED)]]
        return ClaimName(f"{found.zh}({of.zh})", f"{found.en} ({of.en})")
    if claim.metric != "loss_count":
        return name_claim(claim)
    found = CATALOGUE["loss_count"]
    members = claim.cite.members if isinstance(claim.cite, DerivedCite) else ()
    columns = [one.column for one in members if one.column in SCREEN_FIELDS]
    if not columns:
        return ClaimName(found.zh, found.en)
    by = CATALOGUE[SCREEN_FIELDS[columns[-1] or ""]]
    return ClaimName(
        f"{found.zh}(有总市值者，按{by.zh})", f"{found.en} (of those valued, by {by.en})"
    )


def is_estimate(claim: Claim) -> bool:
    """Whether its formula is an estimate, which its note begins with."""
    note = claim.cite.note if isinstance(claim.cite, DerivedCite) else None
    return bool(note) and str(note).startswith("推算")


def is_of_day(claim: Claim) -> bool:
    """Whether it is told by its day although it has a report period: what is computed of a report
    and of a later price or balance (股息率, PB/PE) is of no report alone.
    """
    if not isinstance(claim.cite, DerivedCite) or not is_report(claim.period):
        return False
    return claim.as_of > Period.parse(claim.period or "").end

"""The members of a market as its keepers answer them: what every count and sum is taken over."""

from collections.abc import Mapping
from datetime import date

from services.core.members import Members
from services.store.screen_sql import MemberRows

# What a summary looks at: sizes, multiples, and who has none of them.
SUMMED = ("market_cap", "pettm", "pelyr", "pb")
_CURRENCIES = {"CN": "CNY", "HK": "HKD", "US": "USD"}


def members_of(
    market: str, rows: MemberRows, day: date, *, loss_column: str, notes: Mapping[str, str]
) -> Members:
    """The listings of a market as of `day`; `notes` are by metric."""
    return Members(
        market=market,
        as_of=day,
        currency=_CURRENCIES[market],
        loss_column=loss_column,
        **rows._asdict(),
        notes=dict(notes),
    )

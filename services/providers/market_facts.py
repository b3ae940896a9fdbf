"""The members of a market as its keepers answer them: what every count and sum is taken over."""

from collections.abc import Mapping
from datetime import date
from itertools import compress

from services.core.members import Members
from services.store.screen_sql import MemberRows

# What a summary looks at: sizes, multiples, and who has none of them.
SUMMED = ("market_cap", "pettm", "pelyr", "pb", "pct")
_CURRENCIES = {"CN": "CNY", "HK": "HKD", "US": "USD"}


def members_of(
    market: str,
    rows: MemberRows,
    day: date,
    *,
    loss_column: str,
    notes: Mapping[str, str],
    days: Mapping[str, date] | None = None,
) -> Members:
    """The listings of a market as of `day`, or of `days` by column; `notes` are by metric."""
    columns = rows._asdict()
    del columns["moved_on"]
    return Members(
        market=market,
        as_of=day,
        currency=_CURRENCIES[market],
        loss_column=loss_column,
        **columns,
        notes=dict(notes),
        days=dict(days or {}),
    )


def summary_members(
    market: str, rows: MemberRows, day: date, *, loss_column: str, notes: Mapping[str, str]
) -> Members:
    """As `members_of`, with changes of the newest day only: whoever did not trade on it has none
    in a figure over that day.
    """
    moves = rows.columns["pct"]
    traded = [
        move is not None and kind is None for move, kind in zip(moves, rows.listings, strict=True)
    ]
    moved_on = max(filter(None, compress(rows.moved_on, traded)), default=None)
    of_day = (
        move if on == moved_on else None for move, on in zip(moves, rows.moved_on, strict=True)
    )
    found = rows._replace(columns={**rows.columns, "pct": tuple(of_day)})
    days = {"pct": moved_on} if moved_on and moved_on != day else {}
    return members_of(market, found, day, loss_column=loss_column, notes=notes, days=days)

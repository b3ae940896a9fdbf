"""The same company under another code: its listing in the other market."""

from services.core.symbols import Symbol
from services.market.names.names import Names

# How the source ends the full name of a listing of a mainland company in Hong Kong.
_H_SHARE = "-H股"


def other_listings(names: Names, symbol: Symbol) -> tuple[str, ...]:
    """Symbols of the other markets whose company has the same full name; empty where the source
    gives no full name. A like short name alone is no proof: 辉煌科技 is two companies.
    """
    row = names.row(symbol)
    if row is None or not row.full_name or row.kind == "index":
        return ()
    company = row.full_name.removesuffix(_H_SHARE)
    return tuple(
        other.symbol
        for other in names.rows.values()
        if other.market != row.market
        and other.full_name
        and other.full_name.removesuffix(_H_SHARE) == company
    )

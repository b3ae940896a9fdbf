"""How English-writing analysts put figures: templates, one style each. See writing.py for slots."""

from tests.prose.styles import Style, table

_COMPANY = (
    ("one-liner", "", "{who} trades at a {what:pe_ttm} of {fig:pe_ttm}."),
    ("dated", "", "As of {when:pe_ttm}, {who}'s {what:pe_ttm} was {fig:pe_ttm}."),
    ("bare PE", "", "{who}'s {bare:pe_ttm} is {fig:pe_ttm}."),
    ("default", "default", "The {what:pe_ttm} is {fig:pe_ttm} and the {what:pb} {fig:pb}."),
    (
        "three",
        "",
        "{who} has a {what:pe_ttm} of {fig:pe_ttm}, a {what:pb} of {fig:pb} and a "
        "{what:market_cap} of "
        "{fig:market_cap}.",
    ),
    ("loose cap", "", "{who}'s {what:market_cap} is {loose:market_cap}."),
    (
        "bullets",
        "",
        "**{who} at a glance**\n\n- {what:pe_ttm}: {fig:pe_ttm}\n- {what:pb}: {fig:pb}\n"
        "- {what:market_cap}: {fig:market_cap}\n",
    ),
    (
        "table",
        "",
        "| Figure | {who} |\n|---|---|\n| {what:pe_ttm} | {fig:pe_ttm} |\n| {what:pb} | {fig:pb}"
        " |\n",
    ),
    (
        "placed",
        "",
        "As of {when:pe_ttm}, {who}'s {what:pe_ttm} is {place:pe_ttm} and its {what:pb} is "
        "{place:pb}.",
    ),
    (
        "footnotes",
        "",
        "{who} trades at {fig:pe_ttm} {what:pe_ttm} [E1].\n\n[E1] Valuation data, {when:pe_ttm}.",
    ),
    (
        "headline",
        "quote",
        'Under the headline "{quote}" the press reports demand; '
        "{who} trades at a {what:pe_ttm} of {fig:pe_ttm}.",
    ),
    ("two companies", "", "{who}'s {what:pe_ttm} is {fig:pe_ttm}; {who:b}'s is {fig:b.pe_ttm}."),
    (
        "compared",
        "gt:pe_ttm,b.pe_ttm",
        "At {fig:pe_ttm}, {who}'s {what:pe_ttm} is higher than the {fig:b.pe_ttm} of {who:b}.",
    ),
    (
        "respectively",
        "",
        "The {what:pe_ttm} of {who} and {who:b} are {fig:pe_ttm} and {fig:b.pe_ttm} respectively.",
    ),
    ("revenue", "", "In {when:revenue}, {who} reported {what:revenue} of {fig:revenue}."),
    (
        "revenue moved",
        "",
        "{who}'s {when:revenue} {what:revenue} {moved:revenue_yoy} year on year to {fig:revenue}.",
    ),
    (
        "profit",
        "pos:net_profit",
        "{who}'s {what:net_profit} for {when:net_profit} was {fig:net_profit}.",
    ),
    ("loss", "neg:net_profit", "{who} made a net loss of {abs:net_profit} in {when:net_profit}."),
    (
        "two years",
        "",
        "{who}'s {what:revenue} was {fig:revenue@1} in {when:revenue@1} and {fig:revenue} in "
        "{when:revenue}.",
    ),
    (
        "balance",
        "",
        "At the end of {when:total_assets}, {who} had {what:total_assets} of {fig:total_assets} "
        "and "
        "{what:total_liabilities} of {fig:total_liabilities}.",
    ),
    (
        "ratios",
        "pos:net_profit",
        "{who}'s {what:roe} was {fig:roe} in {when:roe}, with a {what:net_margin} of "
        "{fig:net_margin}.",
    ),
    ("eps", "pos:eps", "{who} earned {what:eps} of {fig:eps} in {when:eps}."),
    (
        "report paragraph",
        "pos:net_profit",
        "{who} closed {when:revenue} with {what:revenue} of {fig:revenue} and {what:net_profit} "
        "of {fig:net_profit}. "
        "{what:total_assets} stood at {fig:total_assets}, against {what:total_liabilities} of "
        "{fig:total_liabilities}. "
        "Return on equity came to {fig:roe}. The figures are from the annual report; nothing her"
        "e is advice.",
    ),
    ("close", "", "{who} closed at {fig:close} on {when:close}."),
    ("close of", "", "The {what:close} of {who} was {fig:close} ({when:close})."),
    (
        "averages",
        "",
        "{who}'s {what:ma_20} is {fig:ma_20} and its {what:ma_60} {fig:ma_60}, with an "
        "{what:rsi} of {fig:rsi}.",
    ),
    (
        "placed close",
        "",
        "{who} closed at {place:close} on {when:close}; its {what:rsi} is {place:rsi}.",
    ),
)
_PAIRS = (
    (
        "difference",
        "gt:market_cap,b.market_cap",
        "{who}'s {what:market_cap} is {fig:market_cap}, {fig:market_cap_ratio} that of {who:b}.",
    ),
)
_EVENTS = (("event", "sameday", "On {when:pct_change}, {who}'s shares {moved:pct_change}."),)
_SCREENS = (
    (
        "screen",
        "",
        "Of {barecount:CN.company_count} A shares, {barecount:CN.match_count} meet the criteria.",
    ),
)
STYLES: tuple[Style, ...] = (
    *table("en", "company", _COMPANY),
    *table("en", "pair", _PAIRS),
    *table("en", "event", _EVENTS),
    *table("en", "screen", _SCREENS),
)

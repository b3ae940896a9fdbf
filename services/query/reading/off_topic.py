"""Questions that have nothing to do with market data, and what is said around one."""

import re
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file


def off_topic(text: str) -> str | None:
    """Why it is put back: `what_it_does` for a greeting, `not_covered`
    for rates and goods, `data_basis`, `off_topic`; None when it may be asked."""
    return next((why for why, pattern in _patterns() if pattern.search(text)), None)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    tables = read_data_file(DATA_FOLDER / "lexicon" / "off_topic.toml").tables
    # Each line of the file is one way of saying it.
    return tuple(
        (why, re.compile("|".join(one["patterns"]), re.IGNORECASE)) for why, one in tables.items()
    )

"""The company a short word typed in the search box means, where several could be meant."""

from services.core.errors import InputError
from services.core.symbols import Symbol
from services.market.names.english_names import english_name
from services.market.names.names import Names
from services.market.names.spellings import key_of


def company_meant(names: Names, text: str) -> str:
    """The symbol of the one company whose present name is spelled like that, an A share before
    shares listed elsewhere: `zsyh` is 招商银行 (600036.SH).

    The text itself where it is sure by itself, or where two A shares are spelled alike: who asks
    for the page is asked back.
    """
    try:
        return names.resolve(text).value
    except InputError as error:
        choices = error.choices
    key = key_of(text)
    spelled = [one for one in choices if key in _spellings(names, one)]
    home = [one for one in spelled if Symbol(one).market == "CN"]
    return home[0] if len(home) == 1 else text


def _spellings(names: Names, symbol: str) -> set[str]:
    """How its present name is written and spelled; what a source spells of old names is left out:
    a row's own spelling stands first.
    """
    row = names.row(symbol)
    if row is None:
        return set()
    return {key_of(row.name), key_of(english_name(row) or ""), *row.pinyin[:1], *row.initials[:1]}

"""What a run was asked for, as its reader said it: the page, about whom, under which conditions."""

from collections.abc import Mapping

from services.core.errors import InputError
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.market.names.names import Names
from services.store.runs import Run
from services.views.run_words import kind_words
from services.views.screen import screen_words

_TABS: Mapping[str, Text] = {
    "chart": Text("走势", "chart"),
    "valuation": Text("估值", "valuation"),
    "fin": Text("财务", "financials"),
    "peers": Text("同行", "peers"),
    "score": Text("评分", "score"),
    "news": Text("消息", "news"),
    "reports": Text("报告", "reports"),
}
# Under which names a run keeps the companies it is about, and a text the reader wrote.
_COMPANIES = ("symbol", "symbols", "watched")
_WRITTEN = ("text", "question")


def asked_words(names: Names, run: Run) -> Text:
    """`公司 · 招商银行 600036.SH · 财务`, `选股 · A股 · 市盈率(TTM) < 15`, `提问 · …`."""
    given = run.arguments
    parts = [kind_words(run.kind)]
    if run.kind == "screen":
        parts += _conditions(names, given)
    parts += [_name_company(names, symbol) for symbol in _symbols(given)]
    tab = _TABS.get(str(given.get("tab")))
    written = [Text(text, text) for key in _WRITTEN if (text := str(given.get(key) or ""))]
    return join_texts([*parts, *([tab] if tab else []), *written], " · ", " · ")


def _conditions(names: Names, given: Mapping[str, object]) -> tuple[Text, ...]:
    """The market and the conditions; none of a screen that today's reader refuses."""
    try:
        return screen_words(names, {key: str(value) for key, value in given.items()})
    except InputError:
        return ()


def _symbols(given: Mapping[str, object]) -> list[str]:
    """Every company among the arguments; of a watched one what stands before its days."""
    found = [given.get(key) for key in _COMPANIES]
    listed = [one for each in found for one in (each if isinstance(each, list) else [each])]
    words = " ".join(str(one).replace(",", " ") for one in listed if one)
    return list(dict.fromkeys(word.partition("@")[0] for word in words.split()))


def _name_company(names: Names, symbol: str) -> Text:
    try:
        name = names.text(Symbol(symbol))
    except InputError:
        return Text(symbol, symbol)
    return Text(f"{name.zh} {symbol}", f"{name.en} {symbol}")

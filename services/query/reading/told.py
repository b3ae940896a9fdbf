"""What was told is asked again: an explanation is read as the query it was made of, exactly."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import permutations

from services.core.groups import GROUPS
from services.market.names.english_names import latin_name
from services.market.names.names import Names
from services.query.algebra.nodes import In, Query, Several
from services.query.algebra.told_back import Phrasebook
from services.query.reading.errors import UnusedError
from services.query.reading.sets_said import UNDIVIDED
from services.query.reading.shapes import Market, labelled

# 招商银行(03968.HK): a name with its code.
_CODED = re.compile(r"(?P<name>.+)\((?P<symbol>[0-9A-Z.]+)\)")
_MARKETS = ("CN", "HK", "US")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class ToldReader:
    """Reads explanations with the names of a market. Safe to share between threads."""

    def __init__(self, names: Names, market: Market) -> None:
        self._names, self._market = names, market

    def read(self, text: str) -> Query | Several | None:
        """The query of which that is told; None where it is no such sentence."""
        said = " ".join(text.split())
        at = 0 if _CHINESE.search(said) else 1
        # P/E of Merck & Co.: the mark at its end may be of a name.
        tried = (self._told.read(one, at) for one in dict.fromkeys((said, said.rstrip("。."))))
        return next((one for one in tried if one is not None), None)

    @cached_property
    def _told(self) -> Phrasebook:
        sets = [In(dim="symbol", values=one.members, label=zh) for zh, one in GROUPS.items()]
        for count in range(1, len(_MARKETS) + 1):
            for where in permutations(_MARKETS, count):
                sets += self._list_industries(where)
        industries = {
            where: {value for some in labels.values() for value in some}
            for where, labels in self._market.labels.items()
        }
        for row in self._names.known.values():
            if row.industry:
                industries.setdefault(row.market, set()).add(row.industry)
        return Phrasebook(self._company, sets, industries)

    def _list_industries(self, where: Sequence[str]) -> Iterator[In]:
        """What industries are called in those markets."""
        at_home = self._market.labels["CN"]
        for name in dict.fromkeys((*at_home, *self._market.labels[where[0]])):
            said, wholes = In(dim="industry", values=(name,)), tuple(at_home.get(name, ()))
            if len(wholes) == 1 and wholes != (name,):  # a part that no source splits out
                label = f"{wholes[0]}{UNDIVIDED}{name}）"
                said = In(dim="industry", values=wholes, label=label)
            try:
                made = labelled(said, where, self._market)
            except UnusedError:
                continue
            if isinstance(made, In) and made.label:
                yield made

    def _company(self, text: str) -> str | None:
        if (match := _CODED.fullmatch(text)) is None:
            return self._names.told_of(text)
        row = self._names.known.get(match["symbol"])
        is_called = row is not None and match["name"] in {row.name, latin_name(row.name, row)}
        return match["symbol"] if is_called else None

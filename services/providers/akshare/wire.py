"""What an answer must look like before AkShare's reading of it is believed.

AkShare names columns by their position and makes NaN of every text: a column that moved would put
one figure under another's name, and a text would look like a gap.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from services.core.errors import ChangedError, UnavailableError
from services.providers.http import Body
from services.providers.reading import Column, Node, member, number, require, rows_of

_EMPTY = 9201


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """One kind of document: where its rows lie, their columns, which of them hold figures.

    `joined`: a row is a text of cells with commas. `ordered`: AkShare names the columns by their
    position. `first` and `last` limit it to some of a function's documents.
    """

    path: str
    columns: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    joined: bool = False
    ordered: bool = False
    first: int = 0
    last: int | None = None

    def check(self, documents: Sequence[Any], body: Body) -> None:
        """Raises: ChangedError naming what is not as it was."""
        for document in documents[self.first : self.last]:
            for row in self.rows(document, body):
                for name in self.numbers:
                    number(row, Column(name, name, "count", texts=True), body)

    def rows(self, document: Any, body: Body) -> list[Node]:
        """The rows by column name. Raises: ChangedError."""
        if self.joined:
            return list(self._split(member(document, self.path, body, list), body))
        rows = rows_of(document, self.path, body)
        for row in rows:
            if self.ordered and tuple(row) != self.columns:
                require(row, self.columns, body)
                raise ChangedError(body.provider, body.table, "the columns are in another order")
            require(row, self.columns, body)
        return rows

    def _split(self, lines: Iterable[object], body: Body) -> Iterable[Node]:
        for line in lines:
            cells = line.split(",") if isinstance(line, str) else []
            if len(cells) != len(self.columns):
                why = f"a line has {len(cells)} cells where {len(self.columns)} were"
                raise ChangedError(body.provider, body.table, why)
            yield dict(zip(self.columns, cells, strict=True))


def says_nothing(document: Any, body: Body) -> bool:
    """Whether the document says that there is nothing, which AkShare fails over.

    Raises: UnavailableError when it says that something went wrong.
    """
    if isinstance(document, list):
        return not document
    if not isinstance(document, dict):
        return False
    if document.get("success") is False and document.get("code") != _EMPTY:
        said = document.get("code")
        raise UnavailableError(body.provider, body.table, f"answered with its error {said}")
    if document.get("code") == _EMPTY:
        return True
    for holder, rows in (("data", "klines"), ("result", "data")):
        if holder in document:
            found = document[holder]
            return found is None or (
                isinstance(found, dict) and found.get(rows, True) in ([], None)
            )
    return False

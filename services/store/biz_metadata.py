"""The table `biz_metadata`: what every code of a plan means. Written anew at each start."""

from collections.abc import Mapping

from sqlalchemy import delete, insert, select

from services.store.database import Database
from services.store.tables import BIZ_METADATA


class BizMetadata:
    """Reads and writes the rows: code, name, and the whole entry as JSON."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def read(self) -> dict[str, str]:
        """The entry of each code, as JSON."""
        query = select(BIZ_METADATA.c.code, BIZ_METADATA.c.document)
        with self._database.open_reading() as connection:
            return {row.code: row.document for row in connection.execute(query)}

    def write(self, entries: Mapping[str, tuple[str, str]]) -> None:
        """Put these in place of all there are, code → name and JSON; the same changes nothing."""
        if self.read() == {code: document for code, (_, document) in entries.items()}:
            return
        rows = [
            {"code": code, "name": name, "document": document}
            for code, (name, document) in entries.items()
        ]
        with self._database.open_writing() as connection:
            connection.execute(delete(BIZ_METADATA))
            connection.execute(insert(BIZ_METADATA), rows)

"""How each source has been doing, one row a source; the only record that is overwritten."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping, select
from sqlalchemy.dialects.postgresql import insert

from services.store.database import Database
from services.store.tables import SOURCE_HEALTH


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """Counts since ever; times are null when it never happened."""

    provider: str
    calls: int = 0
    failures: int = 0
    cache_hits: int = 0
    last_success_at: datetime | None = None
    last_error_at: datetime | None = None
    last_error: str | None = None
    last_message: str | None = None

    @property
    def ailing(self) -> bool:
        """Whether the newest thing that happened was an error."""
        if self.last_error_at is None:
            return False
        return self.last_success_at is None or self.last_error_at > self.last_success_at


class SourceRecords:
    """Reads and writes those rows."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def read(self) -> Mapping[str, SourceHealth]:
        """Every source by name."""
        with self._database.open_reading() as connection:
            rows = connection.execute(select(SOURCE_HEALTH)).mappings().all()
        return {row["provider"]: _health(row) for row in rows}

    def write(self, found: SourceHealth) -> None:
        """Put that row in place of the old one."""
        values = asdict(found)
        statement = insert(SOURCE_HEALTH).values(**values)
        changed = {name: statement.excluded[name] for name in values if name != "provider"}
        with self._database.open_writing() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["provider"], set_=changed)
            )


def _health(row: RowMapping) -> SourceHealth:
    values: dict[str, Any] = dict(row)
    for name in ("last_success_at", "last_error_at"):
        if values[name] is not None:
            values[name] = values[name].astimezone(UTC)
    return SourceHealth(**values)

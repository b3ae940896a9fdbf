"""The local copy of whole markets as parts of a frozen snapshot, and such parts as a copy again.

A frozen copy lives in memory beside the store: the store may hold a copy of its own, which goes on.
"""

from pathlib import Path

import duckdb

from services.core.errors import StoreError
from services.store import copy_sql
from services.store.copy_sql import Annual
from services.store.database import MEMORY, Database
from services.store.market_copy import MarketCopy
from services.store.snapshot import Manifest, PartContent, SnapshotSource

_TABLES = ("tasks", "parts", "companies", "facts", "bars")
# What the copy is asked for; everything else is in the answers.
ANSWERED = ("screen", "points", "summary", "peers", "daily_bars")
_NOTE = (
    "整个市场的本地副本，按取得时的原样收录，权利归各来源；仅供自己核对，勿转发他人。",
    "The local copy of whole markets as the sources gave it, whose it remains: to check one's own "
    "work, not to pass on.",
)
# Someone waits for it.
_LEVEL = 9


def copy_parts(copy: MarketCopy) -> list[PartContent]:
    """The tables of the copy, in one unchanging view of it; nothing when nothing was pulled."""
    with copy.open_reading() as cursor:
        tasks = cursor.execute("SELECT count(*) FROM copy.tasks").fetchall()[0][0]
        if tasks == 0:
            return []
        sources = _sources(cursor)
        return [
            PartContent(
                file=f"copy_{name}.parquet",
                table=cursor.execute(
                    f"SELECT * FROM copy.{name} ORDER BY ALL"  # noqa: S608 — closed names
                    if name != "bars"
                    else "SELECT * FROM copy.bars ORDER BY symbol, as_of, rowid"
                ).to_arrow_table(),  # pyright: ignore[reportUnknownMemberType]
                sources=sources if name == "parts" else (),
                level=_LEVEL,
            )
            for name in _TABLES
        ]


def has_copy(manifest: Manifest) -> bool:
    """Whether the snapshot holds a copy of whole markets."""
    return manifest.has("copy_tasks.parquet")


def load_copy(folder: Path, manifest: Manifest, annual: Annual) -> MarketCopy:
    """The frozen copy, screened as it was: `annual` is what was known of annual reports.

    The parts have been checked. Raises: StoreError naming the part that is not in the format, or
    that something in it is from after the snapshot's clock.
    """
    database = Database(MEMORY)
    copy = MarketCopy(database)
    with copy.open_reading():
        pass  # its tables are made at the first use
    with database.transaction() as cursor:
        for name in _TABLES:
            _load(cursor, name, folder / f"copy_{name}.parquet")
        late = cursor.execute(
            "SELECT count(*) FROM copy.parts WHERE fetched_at > ?", [manifest.clock]
        ).fetchall()[0][0]
        if late:
            raise StoreError(
                f"snapshot part copy_parts.parquet: holds {late} fetches from after the "
                f"snapshot's clock {manifest.clock.isoformat()}; freeze it again"
            )
        for (market,) in cursor.execute(
            "SELECT DISTINCT market FROM copy.tasks WHERE kind = 'universe' ORDER BY market"
        ).fetchall():
            for query in copy_sql.list_statements(market, annual):
                cursor.execute(query.sql, query.values)
    return copy


def _load(cursor: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    try:
        cursor.execute(
            f"INSERT INTO copy.{name} BY NAME SELECT * FROM read_parquet(?)",  # noqa: S608 — closed names
            [str(path)],
        )
    except duckdb.Error as error:
        said = str(error).splitlines()[0]
        raise StoreError(
            f"snapshot part {path.name}: {said}; get the frozen snapshot again"
        ) from error


def _sources(cursor: duckdb.DuckDBPyConnection) -> tuple[SnapshotSource, ...]:
    rows = cursor.execute(
        'SELECT source, "table", max(fetched_at)::DATE, min(provider) FROM copy.parts '
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        SnapshotSource(
            source=source,
            table=table,
            as_of=day,
            origin=provider,
            licence_note=_NOTE[0],
            licence_note_en=_NOTE[1],
        )
        for source, table, day, provider in rows
    )

"""Loading a snapshot's Parquet parts into the tables of schema `market`, once per snapshot."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import duckdb

from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import StoreError
from services.core.source_marks import ADJUSTED, AGREEMENT
from services.core.text import Text
from services.store.database import Database
from services.store.frozen_answers import COLUMNS
from services.store.listings import rules_mark, select_listing_case
from services.store.snapshot import ANSWERS, MANIFEST, Manifest, check

# Raised when the tables change their columns: what is loaded is then made anew.
LAYOUT = 5


def _word_mark(mark: str, known: Mapping[str, Text], otherwise: str) -> str:
    """The SQL of a note: the words of a mark of the bundle, never the mark."""
    cases = " ".join(f"WHEN '{name}' THEN '{words.zh}'" for name, words in known.items())
    return f"CASE {mark} {cases} ELSE {otherwise} END AS note"


_AGREED = _word_mark("split_part(note, ' ', 1)", AGREEMENT, "note")
_PARTS = {
    "companies": "symbol, market, exchange, board, kind, name, industry, pinyin, initials, "
    f"old_names, full_name, english_name, {select_listing_case('part')} AS listing",
    "facts": "symbol, metric, value, unit, as_of, period, field, raw, source, "
    f'{_AGREED}, "table", announced_on',
    "bars": "symbol, date, open, high, low, close, volume, raw_open, raw_high, raw_low, "
    f"raw_close, raw_volume, unit, {_word_mark('adjust', ADJUSTED, 'adjust')}",
    "gaps": 'symbol, start, "end", sessions, kind',
}
# Columns that a snapshot of before may not have yet.
_ABSENT = {"answers": "UNION ALL BY NAME SELECT NULL::VARCHAR AS members WHERE false"}
_ANSWERS = ", ".join(f'"{name}"' for name in COLUMNS)


def load_market(database: Database, folder: Path) -> bool:
    """Make the market tables those of the snapshot in `folder`; False when they are already.

    All tables change in one transaction, so no reader sees half a market. Tables made from an
    older snapshot go with it.
    Raises: StoreError naming the part that is missing, changed, not in the format, or that holds
    an answer from after the snapshot's clock.
    """
    body = sha256((folder / MANIFEST).read_bytes()).hexdigest()
    mark = f"{LAYOUT}:{','.join(SCREEN_FIELDS)}:{rules_mark()}:{body}"
    if _find_loaded(database) == mark:
        return False
    manifest = check(folder)
    with database.transaction() as connection:
        connection.execute("DROP SCHEMA IF EXISTS market CASCADE")
        connection.execute("CREATE SCHEMA market")
        for table, columns in _PARTS.items():
            _load_part(connection, table, columns, folder / f"{table}.parquet")
        if manifest.has(ANSWERS):
            _load_part(connection, "answers", _ANSWERS, folder / ANSWERS)
            _refuse_later(connection, manifest)
        connection.execute("CREATE TABLE market.loaded AS SELECT ?::VARCHAR AS mark", [mark])
    return True


def _find_loaded(database: Database) -> str | None:
    """The mark of the snapshot that is loaded; None when none is."""
    with database.cursor() as cursor:
        known = cursor.execute(
            "SELECT 1 FROM information_schema.tables "
            "WHERE table_schema = 'market' AND table_name = 'loaded'"
        ).fetchall()
        return cursor.execute("SELECT mark FROM market.loaded").fetchall()[0][0] if known else None


def _load_part(connection: duckdb.DuckDBPyConnection, table: str, columns: str, path: Path) -> None:
    try:
        connection.execute(
            f"CREATE TABLE market.{table} AS SELECT {columns} FROM ("  # noqa: S608 — closed names
            f"FROM read_parquet(?) {_ABSENT.get(table, '')}) part",
            [str(path)],
        )
    except duckdb.Error as error:
        said = str(error).splitlines()[0]
        raise StoreError(
            f"snapshot part {path.name}: {said}; rebuild it (make snapshot), "
            "or get the frozen snapshot again"
        ) from error


def _refuse_later(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Nothing may have been fetched after the instant the snapshot stands at: no look-ahead."""
    rows = connection.execute(
        "SELECT DISTINCT fetched_at FROM market.answers WHERE fetched_at IS NOT NULL"
    ).fetchall()
    for (text,) in rows:
        if datetime.fromisoformat(text) > manifest.clock:
            raise StoreError(
                f"snapshot part {ANSWERS}: holds an answer of {text}, after the snapshot's clock "
                f"{manifest.clock.isoformat()}; freeze it again"
            )

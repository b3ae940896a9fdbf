"""The local copy of whole markets: what `sync` pulled, with the fetch each figure came in.

Every task is one transaction, its data and its mark together: a process that is killed loses only
the task under way. Nothing is made in the database until something is first asked or kept here.
"""

import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, NamedTuple

import duckdb

from services.core.names import NameRow
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.store import copy_answers, copy_sql, screen_sql
from services.store.copy_rows import (
    Pulled,
    Spelling,
    TaskMark,
    insert_bars,
    insert_companies,
    insert_facts,
    insert_parts,
    mark_of,
    name_row,
    number_parts,
    set_mark,
)
from services.store.copy_sql import Annual
from services.store.database import Database


class Tail(NamedTuple):
    """The last bars of a symbol: their days and facts, and the sources of all its bars."""

    days: tuple[date, ...]
    facts: tuple[Fact, ...]
    sources: frozenset[tuple[str, str]]


class MarketCopy:
    """Keeps and gives back what was pulled. Safe to share between threads."""

    #: Whether what is pulled may be kept here; a copy another process publishes is only read.
    writable = True

    def __init__(self, database: Database) -> None:
        """`database` keeps it, in the schema `copy`."""
        self._database = database
        self._lock = threading.Lock()
        self._prepared = False

    @property
    def trouble(self) -> Text | None:
        """Why it may not be the newest, where another process publishes it."""
        return None

    @contextmanager
    def open_reading(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A cursor with one unchanging view of the copy, whatever is written meanwhile."""
        self._prepare()
        with self._database.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                yield cursor
            finally:
                cursor.execute("ROLLBACK")

    def mark(self, task: str) -> TaskMark | None:
        """When that task was done last; None when it never was."""
        found = self._rows("SELECT * FROM copy.tasks WHERE task = ?", [task])
        return mark_of(found[0]) if found else None

    def marks(self, market: str, kind: str) -> dict[str, TaskMark]:
        """The tasks of that kind that were done, by subject."""
        sql = "SELECT * FROM copy.tasks WHERE market = ? AND kind = ?"
        return {mark.subject: mark for mark in map(mark_of, self._rows(sql, [market, kind]))}

    def names(self, market: str | None = None) -> list[NameRow]:
        """What the companies of the copy are called now, the largest of each market first."""
        rows = self._rows(
            "SELECT symbol, name, market, industry, pinyin, initials, full_name "
            "FROM copy.companies WHERE kind = 'universe' AND name IS NOT NULL "
            "AND market = coalesce(?, market) ORDER BY symbol",
            [market],
        )
        found = [name_row(row) for row in rows]
        sized = (
            one
            for place in dict.fromkeys(row.market for row in found)
            for one in self.list_ranked(place)
        )
        order = {symbol: at for at, symbol in enumerate(sized)}
        return sorted(found, key=lambda row: order.get(row.symbol, len(order)))

    def industries(self, market: str) -> tuple[str, ...]:
        """The industries companies of that market are in, by name."""
        if self.mark(f"{market}:universe") is None:
            return ()
        sql = "SELECT DISTINCT industry FROM {} WHERE industry IS NOT NULL ORDER BY industry"
        return tuple(row[0] for row in self._rows(sql.format(copy_sql.wide(market))))

    def list_ranked(self, market: str) -> list[str]:
        """Every share of that market, the largest by market value first; empty without a copy.

        Funds are left out: what is pulled of each for screens and scores is nothing of theirs.
        """
        if self.mark(f"{market}:universe") is None:
            return []
        sql = "SELECT symbol FROM {} ORDER BY market_cap DESC NULLS LAST, symbol"
        found = [str(row[0]) for row in self._rows(sql.format(copy_sql.wide(market)))]
        return [symbol for symbol in found if not Symbol(symbol).is_fund]

    def find_last_session(self, symbol: str) -> date | None:
        """The newest session the copy has a price of that symbol for; None without one."""
        (row,) = self._rows(
            "SELECT max(as_of) FROM copy.facts WHERE kind = 'universe' AND symbol = ? "
            "AND metric IN ('close', 'current_price')",
            [symbol],
        )
        return row[0]

    def holds_bars(self, symbol: str, start: date | None, now: datetime) -> bool:
        """Whether it has every bar of that symbol from `start` through the last session over."""
        rows = self._rows(
            "SELECT 1 FROM copy.tasks WHERE kind = 'bars' AND subject = ? AND state = 'done' "
            "AND first <= ? AND done_at <= ? AND good_until > ?",
            [symbol, start or date.min, now, now],
        )
        return bool(rows)

    def tail(self, symbol: str, sessions: int) -> Tail:
        """The bars of its last sessions, oldest first."""
        with self.open_reading() as cursor:
            days = cursor.execute(
                "SELECT DISTINCT as_of FROM copy.bars WHERE symbol = ? ORDER BY as_of DESC LIMIT ?",
                [symbol, sessions],
            ).fetchall()
            sources = cursor.execute(
                'SELECT DISTINCT source, "table" FROM copy.parts '
                "WHERE fetch_id IN (SELECT DISTINCT fetch_id FROM copy.bars WHERE symbol = ?)",
                [symbol],
            ).fetchall()
            since = days[-1][0] if days else date.max
            rows = copy_answers.bars(cursor, symbol, since, None)
        ordered = tuple(sorted(row[0] for row in days))
        pairs = frozenset((str(source), str(table)) for source, table in sources)
        return Tail(ordered, tuple(row.fact for row in rows), pairs)

    def keep_universe(
        self,
        mark: TaskMark,
        parts: Sequence[Pulled],
        spellings: Mapping[str, Spelling],
        annual: Annual,
    ) -> None:
        """The whole list of a market in place of the last one, and its wide table."""
        self._keep(mark, parts, spellings, annual)

    def keep_reports(self, mark: TaskMark, parts: Sequence[Pulled], annual: Annual) -> None:
        """One report period of a market in place of what was known of it."""
        self._keep(mark, parts, {}, annual)

    def keep_bars(self, mark: TaskMark, parts: Sequence[Pulled], since: date | None) -> None:
        """Bars of `mark.subject`: from `since` on in place of the last, or all of them (None).

        Those before `mark.first` go.
        """
        symbol, first = mark.subject, mark.first or date.min
        with self._transaction() as cursor:
            cursor.execute(
                "DELETE FROM copy.bars WHERE symbol = ? AND (as_of >= ? OR as_of < ?)",
                [symbol, since or date.min, first],
            )
            found = number_parts(mark.task, parts)
            insert_parts(cursor, mark.task, found)
            for one in found:
                insert_bars(cursor, one, first)
            cursor.execute(
                "DELETE FROM copy.parts WHERE task = ? AND fetch_id NOT IN "
                "(SELECT fetch_id FROM copy.bars WHERE symbol = ?)",
                [mark.task, symbol],
            )
            set_mark(cursor, mark)

    def keep_nothing(self, mark: TaskMark) -> None:
        """The source has nothing for that task: remembered, so that it is not asked again today."""
        with self._transaction() as cursor:
            set_mark(cursor, mark)

    def _keep(
        self,
        mark: TaskMark,
        parts: Sequence[Pulled],
        spellings: Mapping[str, Spelling],
        annual: Annual,
    ) -> None:
        with self._transaction() as cursor:
            for table in ("facts", "companies", "parts"):
                cursor.execute(f"DELETE FROM copy.{table} WHERE task = ?", [mark.task])  # noqa: S608 — closed names
            found = number_parts(mark.task, parts)
            insert_parts(cursor, mark.task, found)
            for one in found:
                insert_facts(cursor, mark, one)
            insert_companies(cursor, mark, parts, spellings)
            for query in copy_sql.list_statements(mark.market, annual):
                cursor.execute(query.sql, query.values)
            set_mark(cursor, mark)

    @contextmanager
    def _transaction(self) -> Generator[duckdb.DuckDBPyConnection]:
        self._prepare()
        with self._database.transaction() as cursor:
            yield cursor

    def _rows(self, sql: str, values: object = None) -> list[tuple[Any, ...]]:
        self._prepare()
        with self._database.cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def _prepare(self) -> None:
        """Make the tables at the first use, unless they are there."""
        with self._lock:
            if not self._prepared:
                with self._database.transaction() as cursor:
                    if _layout(cursor) != copy_sql.LAYOUT or _lacks_fields(cursor):
                        for statement in copy_sql.SCHEMA:
                            cursor.execute(statement)
                self._prepared = True


def _layout(cursor: duckdb.DuckDBPyConnection) -> int | None:
    there = cursor.execute(
        "SELECT 1 FROM information_schema.tables "
        "WHERE table_schema = 'copy' AND table_name = 'layout'"
    ).fetchall()
    return cursor.execute("SELECT version FROM copy.layout").fetchall()[0][0] if there else None


def _lacks_fields(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Whether a wide table was made before a figure of the catalogue became a screening field."""
    lacking = cursor.execute(
        "SELECT table_name FROM information_schema.columns "
        "WHERE table_schema = 'copy' AND table_name LIKE 'wide%' "
        "GROUP BY table_name HAVING NOT list_has_all(list(column_name), ?::VARCHAR[])",
        [list(screen_sql.COLUMNS)],
    )
    return bool(lacking.fetchall())

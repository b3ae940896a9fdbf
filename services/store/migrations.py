"""How the record tables came to be: named steps, each applied once, never edited once released.

The DDL is valid on DuckDB and on PostgreSQL.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine, insert, inspect, select, text

from services.core.errors import StoreError
from services.store.tables import MIGRATIONS

Migration = Callable[[Connection], None]
# Any number that nobody else locks: the day of the first release.
_MIGRATING = 20_170_726

_RECORDS = (
    "create sequence runs_seq",
    "create sequence fetches_seq",
    """create table sessions (
        session_id text primary key,
        started_at timestamptz not null default now(),
        seen_at timestamptz not null default now())""",
    """create table screens (
        name text primary key,
        arguments text not null,
        saved_at timestamptz not null default now())""",
    "create table row_sets (sha256 text primary key, document bytea not null)",
    """create table fetches (
        fetch_id text not null,
        position integer not null,
        seq bigint not null default nextval('fetches_seq'),
        key_sha256 text not null,
        provider text not null,
        capability text not null,
        arguments text not null,
        source text not null,
        source_table text not null,
        fetched_at timestamptz not null,
        expires_at timestamptz,
        body_sha256 text not null,
        row_set text not null,
        primary key (fetch_id, position))""",
    """create table runs (
        run_id text primary key,
        seq bigint not null default nextval('runs_seq'),
        session_id text not null,
        kind text not null,
        arguments text not null,
        started_at timestamptz not null,
        duration_ms double precision not null,
        status text not null,
        message text,
        claim_count integer not null,
        claims bytea not null,
        content text not null)""",
    """create table tool_calls (
        tool_call_id text primary key,
        name text not null,
        header bytea not null,
        row_set text not null,
        content text not null)""",
    """create table run_calls (
        run_id text not null,
        position integer not null,
        tool_call_id text not null,
        primary key (run_id, position))""",
    """create table claim_index (
        claim_key bigint not null,
        content bigint not null,
        run_id text not null)""",
)
# DuckDB scans these columns faster than it keeps an index on them; PostgreSQL does not.
_POSTGRES_INDEXES = (
    "create index claim_index_key on claim_index (claim_key)",
    "create index runs_session on runs (session_id, seq)",
    "create index run_calls_call on run_calls (tool_call_id)",
    "create index fetches_key on fetches (key_sha256, fetched_at)",
)


def m001_records(connection: Connection) -> None:
    """Sessions, saved screens, fetches, runs, tool calls, claims."""
    for statement in _RECORDS:
        connection.execute(text(statement))
    if connection.dialect.name == "postgresql":
        for statement in _POSTGRES_INDEXES:
            connection.execute(text(statement))


def m002_source_health(connection: Connection) -> None:
    """How each live source has been doing."""
    connection.execute(
        text("""create table source_health (
        provider text primary key,
        calls bigint not null,
        failures bigint not null,
        cache_hits bigint not null,
        last_success_at timestamptz,
        last_error_at timestamptz,
        last_error text,
        last_message text)""")
    )


def m003_questions(connection: Connection) -> None:
    """Titles of sessions; turns, their answers, and what can be asked for by name.

    A table for the titles: DuckDB 1.5.6 cannot replay `alter table … add column` on a table with
    a default of now() from its log, so a killed process would leave a store that cannot be opened.
    """
    for statement in _QUESTIONS:
        connection.execute(text(statement))


_QUESTIONS = (
    """create table session_titles (
        session_id text primary key,
        title text not null,
        named_at timestamptz not null default now())""",
    """create table turns (
        session_id text not null,
        position integer not null,
        document text not null,
        asked_at timestamptz not null default now(),
        primary key (session_id, position))""",
    """create table answers (
        session_id text not null,
        position integer not null,
        run_id text not null,
        document bytea not null,
        answered_at timestamptz not null default now(),
        primary key (session_id, position))""",
    """create table biz_metadata (
        code text primary key,
        name text not null,
        document text not null)""",
)


def m004_jobs(connection: Connection) -> None:
    """Long work step by step with its result, and the calls to models that a run made."""
    for statement in _JOBS:
        connection.execute(text(statement))


_JOBS = (
    "create sequence jobs_seq",
    """create table jobs (
        job_id text primary key,
        seq bigint not null default nextval('jobs_seq'),
        kind text not null,
        session_id text not null,
        subject text not null,
        title text not null,
        arguments text not null,
        started_at timestamptz not null default now())""",
    """create table job_events (
        job_id text not null,
        position integer not null,
        document text not null,
        happened_at timestamptz not null default now(),
        primary key (job_id, position))""",
    """create table job_results (
        job_id text primary key,
        status text not null,
        run_id text,
        document bytea not null,
        finished_at timestamptz not null default now())""",
    """create table model_calls (
        run_id text not null,
        position integer not null,
        document text not null,
        primary key (run_id, position))""",
)


def m005_hidden_jobs(connection: Connection) -> None:
    """Reports and scores that were taken out of the lists, and may be put back."""
    connection.execute(
        text(
            "create table hidden_jobs (job_id text primary key, "
            "hidden_at timestamptz not null default now())"
        )
    )


def m006_watchlists(connection: Connection) -> None:
    """Lists of companies that are watched, each with its day of adding and a note."""
    for statement in _WATCHED:
        connection.execute(text(statement))


_WATCHED = (
    "create sequence watched_seq",
    """create table watchlists (
        name text primary key,
        seq bigint not null default nextval('watched_seq'))""",
    """create table watched (
        list text not null,
        symbol text not null,
        seq bigint not null default nextval('watched_seq'),
        added_on date not null,
        seen_on date not null,
        note text not null,
        primary key (list, symbol))""",
)


def m007_choices(connection: Connection) -> None:
    """What is chosen once for the store. One that has runs shows the snapshot, as it always did."""
    connection.execute(
        text(
            "create table choices (name text primary key, value text not null, "
            "chosen_at timestamptz not null)"
        )
    )
    connection.execute(
        text(
            "insert into choices (name, value, chosen_at) "
            "select 'mode', 'snapshot', now() where exists (select 1 from runs)"
        )
    )


def m008_team(connection: Connection) -> None:
    """Whose a record is, and who did what. What there is stays of the one reader there was."""
    for statement in _TEAM:
        connection.execute(text(statement))


_TEAM = (
    """create table ownership (
        kind text not null,
        id text not null,
        owner text not null,
        owner_name text not null,
        team text not null,
        shared boolean not null,
        primary key (kind, id))""",
    "create sequence audit_seq",
    """create table audit (
        seq bigint primary key default nextval('audit_seq'),
        happened_at timestamptz not null default now(),
        owner text not null,
        owner_name text not null,
        team text not null,
        action text not null,
        kind text not null,
        id text not null)""",
)


def m009_job_leases(connection: Connection) -> None:
    """Which process runs a job, where several share the records."""
    connection.execute(
        text("""create table job_leases (
        request text primary key,
        job_id text not null,
        holder text not null,
        stop boolean not null,
        renewed_at timestamptz not null default now())""")
    )


def m010_job_queue(connection: Connection) -> None:
    """In PostgreSQL the queue of jobs that workers take from, as its library makes it."""
    connection.execute(text("drop table job_leases"))
    if connection.dialect.name == "postgresql":
        # Of a package that a workbench on a file does not have.
        from procrastinate.schema import SchemaManager

        # Many statements at once, which the connection above psycopg's would not take.
        driver: Any = connection.connection.driver_connection
        driver.execute(SchemaManager.get_schema())


def m011_run_marks(connection: Connection) -> None:
    """How old a run is: the newest one of a day."""
    connection.execute(
        text("""create table run_marks (
        seq bigint primary key,
        noted_at timestamptz not null default now())""")
    )


def m012_schedules(connection: Connection) -> None:
    """What looks by schedule found, through when they looked, and reports written by schedule."""
    for statement in _SCHEDULES:
        connection.execute(text(statement))


_SCHEDULES = (
    """create table alerts (
        list text not null,
        symbol text not null,
        start_on date not null,
        end_on date not null,
        run_id text not null,
        document text not null,
        found_at timestamptz not null default now(),
        primary key (list, symbol, start_on, end_on))""",
    """create table alert_looks (
        list text not null,
        symbol text not null,
        through date not null,
        primary key (list, symbol))""",
    "create sequence schedules_seq",
    """create table schedules (
        schedule_id text primary key,
        seq bigint not null default nextval('schedules_seq'),
        document text not null,
        done_for date,
        job_id text,
        problem text,
        made_at timestamptz not null default now())""",
)

ALL: tuple[Migration, ...] = (
    m001_records,
    m002_source_health,
    m003_questions,
    m004_jobs,
    m005_hidden_jobs,
    m006_watchlists,
    m007_choices,
    m008_team,
    m009_job_leases,
    m010_job_queue,
    m011_run_marks,
    m012_schedules,
)


def list_missing(engine: Engine, *, migrations: tuple[Migration, ...] = ALL) -> tuple[str, ...]:
    """The names of the steps that were not applied yet, in order.

    Raises: StoreError when the store was written by a newer version.
    """
    done, names = list_applied(engine), [step.__name__ for step in migrations]
    if unknown := sorted(done - set(names)):
        raise StoreError(
            f"this store was written by a newer version of Youju (it has {', '.join(unknown)}). "
            "Install that version, or set YOUJU_STORE to another file."
        )
    return tuple(name for name in names if name not in done)


def upgrade(engine: Engine, *, migrations: tuple[Migration, ...] = ALL) -> tuple[str, ...]:
    """Apply what is missing, each in a transaction of its own; the names of those applied now.

    Several processes may start on one PostgreSQL at once: one applies, the others wait for it.

    Raises: StoreError when the store was written by a newer version.
    """
    steps = {step.__name__: step for step in migrations}
    done_now: list[str] = []
    with engine.begin() as connection:
        _wait_alone(connection)
        if not inspect(connection).has_table(MIGRATIONS.name):
            connection.execute(
                text(
                    "create table migrations (name text primary key, "
                    "applied_at timestamptz not null default now())"
                )
            )
    for name in list_missing(engine, migrations=migrations):
        with engine.begin() as connection:
            _wait_alone(connection)
            if name in _names_in(connection):
                continue
            steps[name](connection)
            connection.execute(insert(MIGRATIONS).values(name=name))
            done_now.append(name)
    return tuple(done_now)


def list_applied(engine: Engine) -> set[str]:
    """The names of the steps that were applied; none for a store that is new."""
    with engine.connect() as connection:
        if not inspect(connection).has_table(MIGRATIONS.name):
            return set()
        return _names_in(connection)


def _names_in(connection: Connection) -> set[str]:
    return set(connection.execute(select(MIGRATIONS.c.name)).scalars())


def _wait_alone(connection: Connection) -> None:
    """Hold PostgreSQL's advisory lock of our migrations until this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})

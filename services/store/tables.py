"""The record tables as SQLAlchemy sees them; their DDL is in migrations.py and must agree."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    FetchedValue,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()


def _make_served_column(name: str, kind: type[BigInteger] | DateTime) -> Column[object]:
    return Column(name, kind, nullable=False, server_default=FetchedValue())


MIGRATIONS = Table(
    "migrations",
    METADATA,
    Column("name", Text, primary_key=True),
    _make_served_column("applied_at", DateTime(timezone=True)),
)
SESSIONS = Table(
    "sessions",
    METADATA,
    Column("session_id", Text, primary_key=True),
    _make_served_column("started_at", DateTime(timezone=True)),
    _make_served_column("seen_at", DateTime(timezone=True)),
)
SESSION_TITLES = Table(
    "session_titles",
    METADATA,
    Column("session_id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    _make_served_column("named_at", DateTime(timezone=True)),
)
# What was asked and how it was read; what was answered is another table, since it comes later.
TURNS = Table(
    "turns",
    METADATA,
    Column("session_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("document", Text, nullable=False),
    _make_served_column("asked_at", DateTime(timezone=True)),
)
ANSWERS = Table(
    "answers",
    METADATA,
    Column("session_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("document", LargeBinary, nullable=False),
    _make_served_column("answered_at", DateTime(timezone=True)),
)
BIZ_METADATA = Table(
    "biz_metadata",
    METADATA,
    Column("code", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("document", Text, nullable=False),
)
SCREENS = Table(
    "screens",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("arguments", Text, nullable=False),
    _make_served_column("saved_at", DateTime(timezone=True)),
)
# Lists of watched companies. The days are the market's, not those of the machine: a snapshot has
# a day of its own. A note is the reader's text.
WATCHLISTS = Table(
    "watchlists",
    METADATA,
    Column("name", Text, primary_key=True),
    _make_served_column("seq", BigInteger),
)
WATCHED = Table(
    "watched",
    METADATA,
    Column("list", Text, primary_key=True),
    Column("symbol", Text, primary_key=True),
    _make_served_column("seq", BigInteger),
    Column("added_on", Date, nullable=False),
    Column("seen_on", Date, nullable=False),
    Column("note", Text, nullable=False),
)
# What a look by schedule found in a list: an abnormal event, and the run whose claims say it.
ALERTS = Table(
    "alerts",
    METADATA,
    Column("list", Text, primary_key=True),
    Column("symbol", Text, primary_key=True),
    Column("start_on", Date, primary_key=True),
    Column("end_on", Date, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("document", Text, nullable=False),
    _make_served_column("found_at", DateTime(timezone=True)),
)
# Through which session a company of a list was looked at.
ALERT_LOOKS = Table(
    "alert_looks",
    METADATA,
    Column("list", Text, primary_key=True),
    Column("symbol", Text, primary_key=True),
    Column("through", Date, nullable=False),
)
# Reports that are written again and again: `done_for` is the session the last one is of.
SCHEDULES = Table(
    "schedules",
    METADATA,
    Column("schedule_id", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False, server_default=FetchedValue()),
    Column("document", Text, nullable=False),
    Column("done_for", Date),
    Column("job_id", Text),
    Column("problem", Text),
    _make_served_column("made_at", DateTime(timezone=True)),
)
# Rows of a fetch, once per content: many runs show the same rows.
ROW_SETS = Table(
    "row_sets",
    METADATA,
    Column("sha256", Text, primary_key=True),
    Column("document", LargeBinary, nullable=False),
)
FETCHES = Table(
    "fetches",
    METADATA,
    Column("fetch_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    _make_served_column("seq", BigInteger),
    Column("key_sha256", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("capability", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("source_table", Text, nullable=False),
    Column("fetched_at", DateTime(timezone=True), nullable=False),
    Column("expires_at", DateTime(timezone=True)),
    Column("body_sha256", Text, nullable=False),
    Column("row_set", Text, nullable=False),
)
# `seq` is the order of writing: in snapshot mode every `started_at` is the same instant.
RUNS = Table(
    "runs",
    METADATA,
    Column("run_id", Text, primary_key=True),
    _make_served_column("seq", BigInteger),
    Column("session_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("duration_ms", Double, nullable=False),
    Column("status", Text, nullable=False),
    Column("message", Text),
    Column("claim_count", Integer, nullable=False),
    Column("claims", LargeBinary, nullable=False),
    Column("content", Text, nullable=False),
)
TOOL_CALLS = Table(
    "tool_calls",
    METADATA,
    Column("tool_call_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Column("row_set", Text, nullable=False),
    Column("content", Text, nullable=False),
)
RUN_CALLS = Table(
    "run_calls",
    METADATA,
    Column("run_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("tool_call_id", Text, nullable=False),
)
# Which run holds a claim: 64-bit hashes of its id and of its content, without a unique index,
# which would cost ten times the disk and make a save slower (10 million rows: 57 ms against 34).
CLAIM_INDEX = Table(
    "claim_index",
    METADATA,
    Column("claim_key", BigInteger, nullable=False),
    Column("content", BigInteger, nullable=False),
    Column("run_id", Text, nullable=False),
)
SOURCE_HEALTH = Table(
    "source_health",
    METADATA,
    Column("provider", Text, primary_key=True),
    Column("calls", BigInteger, nullable=False),
    Column("failures", BigInteger, nullable=False),
    Column("cache_hits", BigInteger, nullable=False),
    Column("last_success_at", DateTime(timezone=True)),
    Column("last_error_at", DateTime(timezone=True)),
    Column("last_error", Text),
    Column("last_message", Text),
)
# Long work (an analysis, a score): what was asked, each step as it happened, and how it ended.
# `subject` is what it is about, for finding the history of one company.
JOBS = Table(
    "jobs",
    METADATA,
    Column("job_id", Text, primary_key=True),
    _make_served_column("seq", BigInteger),
    Column("kind", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    _make_served_column("started_at", DateTime(timezone=True)),
)
JOB_EVENTS = Table(
    "job_events",
    METADATA,
    Column("job_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("document", Text, nullable=False),
    _make_served_column("happened_at", DateTime(timezone=True)),
)
JOB_RESULTS = Table(
    "job_results",
    METADATA,
    Column("job_id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("run_id", Text),
    Column("document", LargeBinary, nullable=False),
    _make_served_column("finished_at", DateTime(timezone=True)),
)
# Jobs a reader took out of the lists. Their runs stay: a citation may point at them.
HIDDEN_JOBS = Table(
    "hidden_jobs",
    METADATA,
    Column("job_id", Text, primary_key=True),
    _make_served_column("hidden_at", DateTime(timezone=True)),
)
# The newest run there was when it was noted, once a day where old runs are to go.
RUN_MARKS = Table(
    "run_marks",
    METADATA,
    Column("seq", BigInteger, primary_key=True),
    _make_served_column("noted_at", DateTime(timezone=True)),
)
# What was chosen once for the whole store, such as which market is shown.
CHOICES = Table(
    "choices",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("chosen_at", DateTime(timezone=True), nullable=False),
)
MODEL_CALLS = Table(
    "model_calls",
    METADATA,
    Column("run_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("document", Text, nullable=False),
)
# Whose a record is, and whether the team may read it. One of nobody is of the one reader there is
# without a sign-in. A table of its own: see m003 for why none gets a column more.
OWNERSHIP = Table(
    "ownership",
    METADATA,
    Column("kind", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("owner_name", Text, nullable=False),
    Column("team", Text, nullable=False),
    Column("shared", Boolean, nullable=False),
)
# Who did what with which record; nothing here changes or removes a line.
AUDIT = Table(
    "audit",
    METADATA,
    Column("seq", BigInteger, primary_key=True, server_default=FetchedValue()),
    _make_served_column("happened_at", DateTime(timezone=True)),
    Column("owner", Text, nullable=False),
    Column("owner_name", Text, nullable=False),
    Column("team", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("id", Text, nullable=False),
)

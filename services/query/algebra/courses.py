"""How closes went from session to session, in SQL over the bars of a window of one company."""

from collections.abc import Mapping, Sequence

_EACH = "OVER (PARTITION BY symbol ORDER BY own)"
# No run goes and no change is taken over lost sessions.
_WHOLE = "OVER (PARTITION BY symbol, part ORDER BY own)"
_BEFORE = f"lag(value) {_WHOLE} AS before"


def _run(sign: str, fold: str) -> tuple[str, ...]:
    """A run of sessions whose close lies so to the one before."""
    broken = f"count(*) FILTER (NOT coalesce(value {sign} before, FALSE)) {_WHOLE} AS broken"
    run = f"count(*) FILTER (value {sign} before) OVER (PARTITION BY symbol, part, broken) AS run"
    return (f"{fold}::DOUBLE", _BEFORE, broken, run)


# The fold that tells how closes went, and the columns it is made of.
COURSES: Mapping[str, tuple[str, ...]] = {
    "drawdown": ("(min(value / nullif(peak, 0)) - 1) * 100", f"max(value) {_EACH} AS peak"),
    "longest_rise": _run(">", "max(run)"),
    "longest_fall": _run("<", "max(run)"),
    "rising": _run(">", "arg_max(run, own)"),
    "falling": _run("<", "arg_max(run, own)"),
    "new_highs": (
        "count(*) FILTER (value > earlier)::DOUBLE",
        "max(value) OVER (PARTITION BY symbol ORDER BY own "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier",
    ),
    "volatility": ("stddev_samp(move) * 100", _BEFORE, "value / nullif(before, 0) - 1 AS move"),
}

# Those made of how each session moved: the first of a window too, against the close before it.
MOVES = frozenset({name for name, layers in COURSES.items() if _BEFORE in layers})


def rows_of_bars(metric: str, first: str, end: str, layers: Sequence[str]) -> str:
    """The bars of a window; `layers` are columns beside them, each made of those before. `metric`
    is quoted, `first` and `end` are times of ours.
    """
    rows = (
        f"SELECT symbol, own, value, part FROM span WHERE metric = {metric} "  # noqa: S608 — of ours
        f"AND first = '{first}' AND last = '{end}'"
    )
    for layer in layers:
        rows = f"SELECT *, {layer} FROM ({rows})"  # noqa: S608 — of ours
    return rows

"""Limits of statements: from when on a difference is one, and which windows may be told.

Registered, so that nobody who composes a text chooses them: a true figure over a chosen window
still misleads.
"""

from collections.abc import Mapping

from services.core.score_rules import Rule

LIMITS = "statement.limits"
WINDOWS = "statement.windows"
PMI = "macro.pmi"


_LIMITS: Mapping[str, tuple[float, str]] = {
    # A change within half a percent is none: sources round, and a reader hears a direction.
    "flat_share": (0.5, "percent"),
    # A figure within 3 % (of percentages: 1 point) of another is about the same.
    "alike_share": (3.0, "percent"),
    "alike_points": (1.0, "pp"),
    # A price within 1 % of an average is at it.
    "near_share": (1.0, "percent"),
    # Points of a ratio below which a year counts as unchanged.
    "still_points": (0.1, "pp"),
    # More than fourfold, or a profit under 1 % of revenue before: the rate says nothing.
    "tiny_base_times": (4.0, "multiple"),
    "tiny_base_share": (1.0, "percent"),
    # Three times as much is told in times, not in percent above.
    "far_times": (3.0, "multiple"),
    # Fifty times as much is another scale: true, and worthless.
    "scale_times": (50.0, "multiple"),
    # A median of two is a pair; a place among four is no ranking.
    "least_peers": (3.0, "count"),
    "least_ranked": (5.0, "count"),
    # Net profit over earnings a share moves that much only when the shares were split or joined.
    "split_times": (1.5, "multiple"),
    # Growth of two years within one point of each other is the same pace.
    "pace_points": (1.0, "pp"),
    # Additively adjusted prices: percentages beyond a quarter are about right, beyond a year wrong.
    "rough_days": (92.0, "number"),
    "wrong_days": (400.0, "number"),
    # Year ends within a month of each other are one year end.
    "year_end_days": (31.0, "number"),
    # Multiples older than this beside a newer price are told with the move since.
    "old_multiple_days": (30.0, "number"),
    # An answer that has nothing of a side may not leave out a statement this telling.
    "telling_salience": (25.0, "number"),
}
# Sessions back from the newest bar: a day, a week, a month, a quarter, half a year, a year.
_WINDOWS = (1, 5, 20, 60, 120, 250)

STATEMENT_RULES: tuple[Rule, ...] = (
    Rule(
        LIMITS,
        "陈述的界限：持平 0.5%，相当 3%（百分比 1 个百分点），贴近均线 1%，"
        "基数过低 4 倍或收入的 1%，3 倍起说倍数，50 倍起不比，中位数至少 3 家，名次至少 5 家",
        "Limits of statements: level 0.5 %, alike 3 % (percentages 1 pp), near an average 1 %, "
        "tiny base four times or 1 % of revenue, told in times from 3, not compared from 50, a "
        "median of 3 and a rank of 5 companies at least",
        {name: value for name, (value, _) in _LIMITS.items()},
    ),
    Rule(
        WINDOWS,
        "股价涨跌只从最新一日往回 1、5、20、60、120、250 个交易日说起",
        "A price moves over 1, 5, 20, 60, 120 or 250 sessions to the newest bar, over no others",
        {f"window_{sessions}": float(sessions) for sessions in _WINDOWS},
    ),
    Rule(
        PMI,
        "采购经理指数以 50 点为荣枯线：高于它为扩张，低于它为收缩",
        "A purchasing managers' index divides at 50 points: expansion above, contraction below",
        {"pmi_line": 50.0},
    ),
)
STATEMENT_UNITS: Mapping[str, str] = {
    **{name: unit for name, (_, unit) in _LIMITS.items()},
    **{f"window_{sessions}": "sessions" for sessions in _WINDOWS},
    "pmi_line": "points",
}

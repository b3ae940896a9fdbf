"""What a figure may be called in a text: the tables of names as a lexicon, and names by rule.

The longest name wins, so 扣非净利润 is not 净利润. A name of a figure nobody has (`OTHER`) is a
name all the same: what stands behind it is not the figure it ends like.
"""

from collections.abc import Mapping
from typing import NamedTuple

from services.core.formulas import BESIDE, COMPARED
from services.core.prose.figure_names import NAMES, OTHER, SIGNED_NAMES, TURNS
from services.core.prose.score_names import SCORE_NAMES
from services.core.prose.text import Lexicon, spelled


class Sense(NamedTuple):
    """What a name means: the metrics it may stand for (none: a figure we do not have).

    `sign` −1: the name itself says minus (跌幅, 亏损); +1: it says plus (涨幅, 盈利).
    """

    name: str
    metrics: frozenset[str]
    sign: int = 0


def _rows(table: str) -> list[list[str]]:
    """The lines of a table cut at their bars; a line that begins with one goes on the last."""
    lines = table.strip().replace("\n|", "|").splitlines()
    return [line.split("|") for line in lines if line]


def _more_names() -> dict[str, set[str]]:
    """The names of the metrics that are made by rule, as the table of metrics spells them."""
    made: dict[str, set[str]] = {}
    for days in (5, 10, 20, 60):
        number = {5: "五", 10: "十", 20: "二十", 60: "六十"}[days]
        made[f"ma_{days}"] = {
            f"{days}日均线", f"{days}日线", f"{number}日均线", f"{days}日移动平均线",
            f"{days}日移动平均", f"ma{days}", f"ma({days})", f"ma {days}",
            f"{days}-day moving average", f"{days}-day ma",
            f"{days}-day",
            f"{days}-day average", f"{days}-session average", f"{days}-session moving average",
        }  # fmt: skip
    for days in (20, 60):
        for word, zh, en in (("high", "高", "high"), ("low", "低", "low")):
            made[f"{word}_{days}"] = {
                f"{days}日最{zh}", f"{days}日最{zh}价", f"近{days}日最{zh}", f"近{days}日最{zh}价",
                f"{days}日新{zh}", f"近{days}个交易日最{zh}价", f"{days}-session {en}",
                f"{days}-day {en}", f"{days}个交易日最{zh}价", f"{days}日{zh}点",
            }  # fmt: skip
    return made


def _senses() -> dict[str, Sense]:
    named: dict[str, set[str]] = {}
    for first, *more in _rows(NAMES + SCORE_NAMES):
        metric, _, name = first.partition("=")
        for one in (name, *more):
            named.setdefault(spelled(one), set()).add(metric)
    for metric, names in _more_names().items():
        for name in names:
            named.setdefault(spelled(name), set()).add(metric)
    senses = {name: Sense(name, frozenset(metrics)) for name, metrics in named.items()}
    for sign, metrics, names in SIGNED_NAMES:
        for name in names.split("|"):
            senses[name] = Sense(name, frozenset(metrics.split()), sign)
    for name in (word for row in _rows(OTHER) for word in row):
        senses.setdefault(spelled(name), Sense(name, frozenset()))
    return senses


SENSES: Mapping[str, Sense] = _senses()
METRIC_WORDS: Lexicon[Sense] = Lexicon(SENSES)


def _turns() -> dict[str, str]:
    found: dict[str, str] = {}
    for first, *more in _rows(TURNS):
        turn, _, word = first.partition("=")
        found |= {spelled(one): turn for one in (word, *more)}
    return found


TURN_WORDS: Lexicon[str] = Lexicon(_turns())


def _made_of() -> dict[str, tuple[tuple[str, str], ...]]:
    made: dict[str, tuple[tuple[str, str], ...]] = {
        "revenue_yoy": (("revenue", "yoy"),),
        "net_profit_yoy": (("net_profit", "yoy"),),
        "pct_change": (("close", "change"), ("current_price", "change")),
        "change": (("close", "change"), ("current_price", "change")),
        "run_change": (("close", "change"), ("close", "run"), ("pct_change", "run")),
        "cumulative_deviation": (("deviation", "run"),),
        "judged_count": (("company_count", "count"),),
        "gap": (("open", "change"),),
        "volume_multiple": (("volume", "mean"),),
        "m1_yoy": (("m1", "yoy"),),
        "m2_yoy": (("m2", "yoy"),),
        "gdp_yoy": (("gdp_ytd", "yoy"),),
        "pe_ttm_median": (("pe_ttm", "median"),),
        "pe_lyr_median": (("pe_lyr", "median"),),
        "pb_median": (("pb", "median"),),
        "forecast_eps": (("eps", "forecast"),),
        "forecast_net_profit": (("net_profit", "forecast"),),
        "forecast_revenue": (("revenue", "forecast"),),
        "forecast_pe": (("pe_ttm", "forecast"),),
        "forecast_roe": (("roe", "forecast"),),
    }
    for metric in COMPARED:
        for word in ("median", "rank", "count"):
            made[f"{metric}_peer_{word}"] = ((metric, word),)
    for metric in BESIDE:
        for word in ("difference", "ratio"):
            made[f"{metric}_{word}"] = ((metric, word),)
    fields = {"pct": "pct_change", "pettm": "pe_ttm", "pelyr": "pe_lyr", "roediluted": "roe"}
    fields |= {"netprofit": "net_profit", "total_revenue": "revenue", "tl": "total_liabilities"}
    for field in ("pct", "dy_l", "pettm", "pelyr", "roediluted", "pb", "netprofit", "tl",
                  "total_revenue", "market_cap"):  # fmt: skip
        made[f"judged_{field}"] = ((fields.get(field, field), "count"),)
    return made


# Metric → what it may be told as: another metric's name and the turn that makes it this one.
MADE_OF: Mapping[str, tuple[tuple[str, str], ...]] = _made_of()

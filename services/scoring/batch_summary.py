"""How a batch of scores went, in numbers and in words: who got none, and what they lack."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from services.core.record import Record
from services.core.score_rules import FACTORS
from services.core.text import Text
from services.scoring.factors import LEAST_COVERAGE, SketchedScore
from services.scoring.models import Scorecard

_MOST_LACKED = 3


class BatchSummary(Record):
    """How a batch went: asked, scored, and left without a score.

    Of those left: `unknown` (nothing at all is known of them), `thin` (less than a score needs),
    `vetoed` (no draft was approved). `lacking` counts the thin ones by the factor that is not
    there. `why` says it.
    """

    asked: int
    scored: int
    refused: int
    unknown: int = 0
    thin: int = 0
    vetoed: int = 0
    lacking: Mapping[str, int] = {}
    why: Text = Text("", "")


@dataclass(slots=True)
class Tally:
    """Counts a batch as it goes."""

    asked: int = 0
    scored: int = 0
    unknown: int = 0
    thin: int = 0
    lacking: Counter[str] = field(default_factory=Counter[str])

    def count(self, card: Scorecard | SketchedScore | None, problem: Text | None) -> None:
        """One company that was looked at; `card` is null where nothing is known of it."""
        self.asked += 1
        if problem is None:
            self.scored += 1
        elif card is None:
            self.unknown += 1
        else:
            self.thin += 1
            self.lacking.update(one.factor for one in card.factors if one.score is None)

    def summary(self) -> BatchSummary:
        """How it went."""
        found = BatchSummary(
            asked=self.asked,
            scored=self.scored,
            refused=self.asked - self.scored,
            unknown=self.unknown,
            thin=self.thin,
            lacking=dict(self.lacking.most_common()),
        )
        return found.model_copy(update={"why": _why(found)})


def without_vetoed(found: BatchSummary, vetoed: int) -> BatchSummary:
    """The same once the drafts were reviewed: a company whose every draft was refused has no
    score.
    """
    told = found.model_copy(
        update={
            "scored": found.scored - vetoed,
            "refused": found.refused + vetoed,
            "vetoed": vetoed,
        }
    )
    return told.model_copy(update={"why": _why(told)})


def _why(found: BatchSummary) -> Text:
    zh = [f"{found.asked} 家中 {found.scored} 家有评分"]
    en = [f"{found.scored} of {found.asked} companies have a score"]
    if found.unknown:
        zh.append(f"{found.unknown} 家没有任何可评分的数据")
        en.append(f"of {found.unknown} nothing is known that could be scored")
    if found.thin:
        most = [FACTORS[name].label for name in list(found.lacking)[:_MOST_LACKED]]
        lack_zh, lack_en = "、".join(one.zh for one in most), ", ".join(one.en for one in most)
        zh.append(
            f"{found.thin} 家数据覆盖度低于评分所需的 {LEAST_COVERAGE:.0%}（最常缺：{lack_zh}）"
        )
        en.append(
            f"{found.thin} have less data than a score needs, a coverage of {LEAST_COVERAGE:.0%} "
            f"(lacking most: {lack_en.lower()})"
        )
    if found.vetoed:
        zh.append(f"{found.vetoed} 家的稿子没有通过审核")
        en.append(f"of {found.vetoed} no draft was approved")
    if found.refused:
        zh.append(
            "整个市场按一次筛选的结果评分，不逐家取日线、年报和新闻；单独评一家用 score SYMBOL"
        )
        en.append(
            "a whole market is scored from one screen of it, without fetching bars, reports and "
            "news of each; to score one closely, use score SYMBOL"
        )
    return Text(f"{'；'.join(zh)}。", f"{'; '.join(en)}.")

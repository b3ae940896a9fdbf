"""The code's own verdict on a draft, by pure code on the text a reader would see. It needs no
model, asks nobody, and no reviewer can overrule it.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from services.agents.figure_places import with_places
from services.core.rendering import PLACE, render
from services.core.text import Text
from services.grounding.ground import Grounded, ground
from services.scoring.directions import contradictions, disagreement
from services.scoring.models import (
    SCORE_MAX,
    SCORE_MIN,
    SUMMARY_REASON_MAX_CHARS,
    SUMMARY_REASON_MIN_CHARS,
    Draft,
    Scorecard,
    Step1Output,
)

_RULE_TOLERANCE = 0.005
_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?\n]|\.(?=\s|$)|$)")
_UNVERIFIED = ("未核实：", "未核实:", "Unverified:")
_QUOTED = re.compile("「([^「」]{4,})」")
# A run of a refused text this long would be a quotation of it.
_LONGEST_ECHO = 8
_LONGEST_REASON = 500
_SPACES = re.compile(r"\s+")
_MASK = "〔略〕"
_MARKED_FIGURE = Text(
    "标为未核实的句子里不得有数字", "a sentence marked unverified may carry no figure"
)
_UNMARKED = Text(
    "没有数字依据或引用的句子要以“未核实：”开头",
    'a sentence without a figure or a quotation must begin with "Unverified:"',
)


@dataclass(slots=True)
class CodeReview:
    """What a draft is held against. `names`: symbol → what the text may call it. `searched`: the
    model could look things up, so every sentence is either proved or marked as not verified.
    `others`: name → symbol of companies that may be mentioned besides.
    """

    step1: Step1Output
    card: Scorecard
    names: Mapping[str, Sequence[str]]
    searched: bool = False
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    _known: dict[str, tuple[Text, ...]] = field(default_factory=dict[str, tuple[Text, ...]])
    _texts: dict[str, Grounded] = field(default_factory=dict[str, Grounded])

    def failures(self, draft: Draft) -> tuple[Text, ...]:
        """Why the draft may not be released; nothing when it may."""
        found = self._known.get(draft.digest)
        if found is None:
            found = self._known[draft.digest] = tuple(dict.fromkeys(self._judged(draft)))
        return found

    def rendered(self, draft: Draft) -> Grounded:
        """The draft's reason with its figures, and what of it does not hold."""
        found = self._texts.get(draft.digest)
        if found is None:
            found = self._texts[draft.digest] = self._ground(draft.summary_reason, draft)
        return found

    def placed(self, draft: Draft) -> Draft:
        """The draft with the figures a model typed as places, where it holds then as before: one
        without a place is right and leads nowhere. To be done before the review, which is of it.
        """
        found = self.rendered(draft)
        if not found.ok:
            return draft
        template = with_places(draft.summary_reason, found, self.card.by_id, draft.language)
        made = draft.model_copy(update={"summary_reason": template})
        return made if self.rendered(made).ok else draft

    def retold(self, reason: str, draft: Draft) -> str:
        """A reviewer's reason, fit to be kept and shown: short, nothing quoted from the draft that
        was refused, and no figure that is not proved.
        """
        told = _SPACES.sub(" ", reason).strip()[:_LONGEST_REASON]
        if not told:
            return told
        for text in (self.rendered(draft).text, draft.summary_reason):
            told = _without(told, text)
        told = PLACE.sub(_MASK, told)
        grounded = self._ground(told, draft)
        for failure in sorted(grounded.failures, key=lambda one: -one.start):
            told = told[: failure.start] + _MASK + told[failure.end :]
        return told

    def _ground(self, template: str, draft: Draft) -> Grounded:
        return ground(
            template,
            self.card.claims,
            names=self.names,
            language=draft.language,
            default_symbol=self.step1.stock_code,
            now=self.step1.as_of,
            quotes=[one.title for one in self.step1.news.headlines],
            others=self.others,
        )

    def _judged(self, draft: Draft) -> list[Text]:
        found: list[Text] = []
        if draft.stock_code != self.step1.stock_code:
            found.append(
                Text(
                    f"稿子不是 {self.step1.stock_code} 的",
                    f"the draft is not of {self.step1.stock_code}",
                )
            )
        found += self._score(draft)
        grounded = self.rendered(draft)
        found += [Text(f"{one.check}: {one.reason.zh}", one.reason.en) for one in grounded.failures]
        found += _length(grounded.text)
        if grounded.failures:
            return found
        if render(draft.summary_reason, self.card.by_id, draft.language) != grounded.text:
            found.append(
                Text(
                    "place: 占位符必须照抄 {{c:ID}}，前后不要紧贴英文字母或数字",
                    "write every place exactly as {{c:ID}}, not glued to letters or digits",
                )
            )
        if self.searched:
            found += self._unmarked(grounded)
        found += contradictions(grounded.text, self.step1, self.card)
        if fits := disagreement(draft.hold_score, grounded.text):
            found.append(fits)
        return found

    def _score(self, draft: Draft) -> list[Text]:
        score = draft.hold_score
        if not math.isfinite(score) or not SCORE_MIN <= score <= SCORE_MAX:
            return [Text("评分不在 0 到 10 之间", "the score is not between 0 and 10")]
        if draft.engine == "model":
            return []
        total = self.card.by_id[self.card.total].value if self.card.total else None
        if total is None or abs(round(total, 2) - score) > _RULE_TOLERANCE:
            return [Text("规则评分与因子总分不符", "the rule's score is not that of its factors")]
        return []

    def _unmarked(self, found: Grounded) -> list[Text]:
        """Sentences of a model that searched which are neither proved nor marked, or are marked
        and carry a figure all the same.
        """
        titles = [one.title for one in self.step1.news.headlines]
        failures: list[Text] = []
        for sentence in _SENTENCE.finditer(found.text):
            text = sentence.group().strip()
            figures = any(sentence.start() <= one.start < sentence.end() for one in found.supported)
            if text.startswith(_UNVERIFIED):
                failures += [_MARKED_FIGURE] if figures else []
                continue
            quoted = any(quote in title for quote in _QUOTED.findall(text) for title in titles)
            failures += [_UNMARKED] if text and not figures and not quoted else []
        return failures


def _length(text: str) -> list[Text]:
    if SUMMARY_REASON_MIN_CHARS <= len(text) <= SUMMARY_REASON_MAX_CHARS:
        return []
    limits = f"{SUMMARY_REASON_MIN_CHARS}–{SUMMARY_REASON_MAX_CHARS}"
    return [
        Text(
            f"理由有 {len(text)} 字，须为 {limits} 字",
            f"the reason has {len(text)} characters, not {limits}",
        )
    ]


def _without(told: str, text: str) -> str:
    """`told` without any long run of `text`."""
    matcher = SequenceMatcher(None, told, text, autojunk=False)
    while (found := matcher.find_longest_match()).size >= _LONGEST_ECHO:
        told = told[: found.a] + _MASK + told[found.a + found.size :]
        matcher = SequenceMatcher(None, told, text, autojunk=False)
    return told

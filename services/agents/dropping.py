"""What stands of a draft that does not hold as a whole: its sentences that do.

One sentence nobody foresaw spoils itself, not the report. What is left out is told by its section
and by the check it failed, never repeated.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from services.agents.draft_check import Proof, refusals_of
from services.agents.results import AnalysisInput, Refusal, RuntimeDraft
from services.core.rendering import PLACE
from services.core.text import Text, join_texts
from services.language.plain_text import plain, sentences
from services.statements.proved_texts import Made, unproved

_SECTIONS = (
    ("summary", "摘要", "summary"),
    ("key_points", "关键点", "key points"),
    ("recommendations", "建议", "recommendations"),
    ("risk_factors", "风险", "risks"),
)
_OTHER = Text("说法没有证据", "not carried by a claim")
_WHY: Mapping[str, Text] = {
    "value": Text("数值不符", "value differs"),
    "truncated": Text("数值被截断", "truncated"),
    "unit": Text("单位不符", "unit differs"),
    "currency": Text("币种不符", "currency differs"),
    "bound": Text("数值写成了界限", "told as a bound"),
    "sign": Text("正负或方向不符", "sign or direction differs"),
    "metric": Text("指标不符", "another figure"),
    "wording": Text("比较或走势不符", "comparison or move differs"),
    "entity": Text("公司不符", "another company"),
    "as_of": Text("价格时点不符", "price of another time"),
    "period": Text("时间不符", "another time"),
    "unsupported_number": Text("数字没有证据", "a figure without a claim"),
}


class KeptDraft(NamedTuple):
    """What stands of the draft, None when no figure of it does; and why the rest does not."""

    draft: RuntimeDraft | None
    refusals: tuple[Refusal, ...]


def drop_unproved(draft: RuntimeDraft, asked: AnalysisInput, proof: Proof) -> KeptDraft:
    """The draft without the sentences that do not hold; its note says what is gone and why.

    A text made of statements is not read: it is told again from them, and falls where it differs.
    """
    made = {one.text: one for one in draft.made}
    refused: list[Refusal] = []
    gone: list[Text] = []
    sections: dict[str, tuple[str, ...]] = {}
    for section, zh, en in _SECTIONS:
        given = getattr(draft, section)
        kept: list[str] = []
        for text in (given,) if isinstance(given, str) else given:
            stands, dropped = (
                _retold(made[text], proof) if text in made else _keep_standing(text, asked, proof)
            )
            kept += [stands] if stands else []
            refused += [one for each in dropped for one in each]
            gone += [Text(f"{zh}：{_why(each).zh}", f"{en}: {_why(each).en}") for each in dropped]
        sections[section] = tuple(kept)
    if not gone:
        return KeptDraft(draft, ())
    points = sections["key_points"]
    summary = next(iter((*sections["summary"], *points)), None)
    if summary is None or not any(PLACE.search(one) for each in sections.values() for one in each):
        return KeptDraft(None, tuple(refused))
    update = {**sections, "summary": summary, "note": _note(draft.note, gone)}
    return KeptDraft(draft.model_copy(update=update), tuple(refused))


def _keep_standing(
    text: str, asked: AnalysisInput, proof: Proof
) -> tuple[str, list[tuple[Refusal, ...]]]:
    """The sentences with which what is kept so far still holds; why each of the others does not."""
    if not refusals_of(text, asked, proof, 1):
        return text, []
    kept, dropped = "", list[tuple[Refusal, ...]]()
    for sentence in _sentences(text):
        if refused := refusals_of(kept + sentence, asked, proof, 1):
            dropped.append(refused)
        else:
            kept += sentence
    return kept.strip(), dropped


def _retold(made: Made, proof: Proof) -> tuple[str, list[tuple[Refusal, ...]]]:
    """The text where its statements still make it; else why not."""
    wrong = unproved([made], proof.claims)
    if wrong is None:
        return made.text, []
    return "", [(Refusal(round=1, check=wrong.code, reason=wrong.why),)]


def _sentences(text: str) -> list[str]:
    """The text in its sentences; a semicolon ends none."""
    read = plain(text)
    ends = [
        read.span(start, end)[1] for start, end in sentences(read.text) if read.text[end - 1] != ";"
    ]
    starts = [0, *ends]
    return [
        text[start:end]
        for start, end in zip(starts, [*ends, len(text)], strict=True)
        if end > start
    ]


def _why(refusals: tuple[Refusal, ...]) -> Text:
    return _WHY.get(refusals[0].check, _OTHER)


def _note(note: Text | None, gone: list[Text]) -> Text:
    """What the note said before, and what was left out."""
    counted = [Text(f"{one.zh} {n}", f"{one.en} {n}") for one, n in Counter(gone).items()]
    why = join_texts(counted, "、", ", ")
    told = Text(
        f"有 {len(gone)} 句没有通过核对，已略去（{why.zh}）",
        f"statements left out as unproved: {len(gone)} ({why.en})",
    )
    return join_texts([note, told]) if note else told

"""A word of a report changed by somebody who writes every hash, line digest and the seal anew."""

from typing import Any

import pytest

from services.core.text import Language
from services.evidence_pack.verify import verify_pack
from tests.contract.packs import edit_document, forged, pack, parts_of

PAPER = "paper.json"


def _lines(paper: Any) -> list[dict[str, Any]]:
    blocks = paper["blocks"]
    found = [one["line"] for one in blocks if "line" in one]
    return found + [line for one in blocks for line in one.get("lines", ())]


def _forged(
    old: str, new: str, *, also_made: bool, symbol: str = "600519", language: Language = "zh"
) -> set[str]:
    """The checks that a forgery of the report's first such word fails."""
    whole = pack("report", language, symbol)

    def change(paper: Any) -> None:
        line = next(one for one in _lines(paper) if "made" in one and old in one["template"])
        line["template"] = line["template"].replace(old, new, 1)
        if also_made:
            line["made"]["text"] = line["template"]

    parts = parts_of(whole)
    lie = forged(whole, {PAPER: edit_document(parts[PAPER], change)})
    return {one.check for one in verify_pack(lie).failures}


def test_a_report_verifies_and_says_how_many_statements_were_proved() -> None:
    verdict = verify_pack(pack("report"))
    assert verdict.failures == ()
    assert verdict.checked.statements >= 5


@pytest.mark.parametrize("also_made", [False, True])
def test_one_changed_word_is_named(*, also_made: bool) -> None:
    assert "another_text" in _forged("高于", "低于", also_made=also_made)


# A direction, a day, an estimate, what it is held against, a turn; in English the same. Units are
# of the figures: no word of a text says them.
_WORDS: tuple[tuple[Language, str, str], ...] = (
    ("zh", "高 {{", "低 {{"),
    ("zh", "5月25日", "7月25日"),
    ("zh", "约 ", ""),
    ("zh", "家同行中位数", "家同行均值"),
    ("zh", "但", "且"),
    ("en", "above", "below"),
    ("en", "25 May", "25 July"),
    ("en", "about ", ""),
    ("en", "median of", "average of"),
    ("en", "; but", "; and"),
)


@pytest.mark.parametrize(("language", "old", "new"), _WORDS)
def test_whatever_word_is_changed_is_named(language: Language, old: str, new: str) -> None:
    assert "another_text" in _forged(old, new, also_made=True, language=language)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("symbol", "language", "old", "new"),
    [
        ("600036", "zh", "增长", "下降"),
        ("600036", "zh", "放缓", "加快"),
        ("600036", "zh", "上涨", "下跌"),
        ("600036", "zh", "均值高", "均值低"),
        ("600036", "zh", "同日", "次日"),
        ("600036", "zh", "未找到可引用的原因", "受利好消息推动"),
        ("00700.HK", "en", "The close fell", "The close rose"),
        ("00700.HK", "en", "faster", "slower"),
        ("00700.HK", "en", "years running", "months running"),
        ("00700.HK", "en", "no citable cause was found", "a takeover was announced"),
    ],
)
def test_a_changed_word_of_a_longer_report_is_named(
    symbol: str, language: Language, old: str, new: str
) -> None:
    failed = _forged(old, new, also_made=True, symbol=symbol, language=language)
    assert "another_text" in failed


def test_another_name_for_the_company_is_named() -> None:
    def change(paper: Any) -> None:
        line = next(one for one in _lines(paper) if "name" in one.get("made", {}).get("part", {}))
        for where in (line, line["made"]):
            key = "template" if where is line else "text"
            where[key] = where[key].replace("贵州茅台", "史上最赚钱的公司", 1)
        line["made"]["part"]["name"] = "史上最赚钱的公司"

    whole = pack("report")
    lie = forged(whole, {PAPER: edit_document(parts_of(whole)[PAPER], change)})
    assert "name_known" in {one.check for one in verify_pack(lie).failures}


@pytest.mark.parametrize("also_made", [False, True])
def test_a_changed_word_of_an_answer_is_named(*, also_made: bool) -> None:
    whole = pack("ask")
    assert verify_pack(whole).checked.statements

    def change(paper: Any) -> None:
        line = next(one for one in _lines(paper) if "made" in one and "为" in one["template"])
        line["template"] = line["template"].replace("为", "不到", 1)
        if also_made:
            line["made"]["text"] = line["template"]

    lie = forged(whole, {PAPER: edit_document(parts_of(whole)[PAPER], change)})
    assert "another_text" in {one.check for one in verify_pack(lie).failures}

"""A word of a report changed by somebody who writes every hash, line digest and the seal anew."""

from typing import Any

import pytest

from services.evidence_pack.verify import verify_pack
from tests.contract.packs import edit_document, forged, pack, parts_of

PAPER = "paper.json"


def _lines(paper: Any) -> list[dict[str, Any]]:
    blocks = paper["blocks"]
    found = [one["line"] for one in blocks if "line" in one]
    return found + [line for one in blocks for line in one.get("lines", ())]


def _forged(old: str, new: str, *, also_made: bool) -> set[str]:
    """The checks that a forgery of the report's first such word fails."""
    whole = pack("report")

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

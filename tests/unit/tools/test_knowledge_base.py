"""Searching notes in Chinese and English."""

import os
from pathlib import Path

from services.settings import ROOT
from services.tools.knowledge_base import KnowledgeBase, sections, tokens

NOTES = ROOT / "data" / "knowledge"


def headings(question: str) -> list[str]:
    return [found.heading for found in KnowledgeBase(NOTES).search(question).passages]


def test_chinese_is_cut_into_bigrams_and_words_stay_whole() -> None:
    assert tokens("市盈率TTM，Ａ股") == ["市盈", "盈率", "ttm", "a", "股"]


def test_a_file_is_cut_at_its_headings_with_the_path_of_headings_above() -> None:
    cut = sections("a.md", "前言\n# 一\n正文\n## 二\n更多\n# 三\n\n## 四\n完")
    assert [(item.heading, item.text) for item in cut] == [
        ("", "前言"),
        ("一", "正文"),
        ("一 / 二", "更多"),
        ("三 / 四", "完"),
    ]


def test_a_question_finds_the_note_that_answers_it_first() -> None:
    assert headings("雪球三分法是什么")[0] == "雪球三分法 / 三分法是什么"
    assert headings("什么是定投，怎么做？")[0] == "雪球三分法 / 时机分散：定投与分批"
    assert headings("市盈率TTM和LYR有什么区别")[0] == "估值指标 / 市盈率 PE：TTM、LYR 与动态"
    assert headings("roe")[0] == "估值指标 / 净资产收益率 ROE"
    assert headings("停牌")[0] == "A股交易规则 / 停牌与复牌"


def test_a_question_the_notes_do_not_answer_finds_nothing() -> None:
    assert headings("今天天气怎么样") == []
    assert headings("！？。") == []


def test_an_absent_folder_has_no_passages(tmp_path: Path) -> None:
    assert KnowledgeBase(tmp_path / "none").search("定投").passages == ()


def test_a_changed_file_is_searched_anew(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# 黄金\n避险资产", encoding="utf-8")
    base = KnowledgeBase(tmp_path)
    first = base.search("避险")
    assert [item.heading for item in first.passages] == ["黄金"]
    note.write_text("# 原油\n周期资产", encoding="utf-8")
    os.utime(note, ns=(1, 1))
    second = base.search("周期")
    assert [item.heading for item in second.passages] == ["原油"]
    assert base.search("避险").passages == ()
    assert first.body_sha256 != second.body_sha256

"""Where in a pack, or in a file beside it, something stands: as a reader says it.

`place` is for programs, in one spelling; here it is told by names of pages, companies and columns.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.periods import is_report, period_words
from services.core.text import LANGUAGES, Language, Text, join_texts
from services.evidence_pack.parts import (
    CALLS,
    CLAIMS,
    COMPETENCES,
    ITEMS,
    LINES,
    MODEL_CALLS,
    NAMES,
    PAPER,
    REPORT,
    RESULT,
    ROWS,
    TABLES,
    PackContent,
)
from services.evidence_pack.zip_file import MANIFEST
from services.exports.csv import FIGURE_SUFFIXES, table_files

_PARTS: Mapping[str, Text] = {
    MANIFEST: Text("证据包的清单", "the pack's manifest"),
    PAPER: Text("证据包里的页面", "the page in the pack"),
    CLAIMS: Text("证据包里的数字", "the figures in the pack"),
    CALLS: Text("取数记录", "the calls for data"),
    ROWS: Text("取数的应答", "the answers of sources"),
    ITEMS: Text("取到的文章", "the articles found"),
    MODEL_CALLS: Text("模型的应答", "the answers of models"),
    COMPETENCES: Text("判断的规则", "the rules of judgement"),
    NAMES: Text("公司的名称", "the names of companies"),
    REPORT: Text("证据包里的报告", "the report in the pack"),
    RESULT: Text("程序写出的结果", "the result as printed"),
    LINES: Text("各行的校验和", "the checksums of lines"),
}
_TABLE = Text("表“{name}”", "table “{name}”")
_STEPS: Mapping[str, Text] = {
    "line": Text("第 {name} 行", "line {name}"),
    "row": Text("第 {name} 行", "row {name}"),
    "block": Text("第 {name} 段", "passage {name}"),
    "chart": Text("第 {name} 张图", "chart {name}"),
    "sheet": Text("工作表“{name}”", "sheet “{name}”"),
}
_WORDS: Mapping[str, Text] = {
    "title": Text("标题", "title"),
    "note": Text("附注", "note"),
    "days": Text("日期", "days"),
    "group": Text("分组", "group"),
    "beyond the last column": Text("最后一列之外", "beyond the last column"),
}
# What the columns behind a figure of a CSV say of it.
_BESIDE: Mapping[str, Text] = {
    "name": Text("名称", "name"),
    "metric": Text("名称", "name"),
    "unit": Text("单位", "unit"),
    "as_of": Text("数据日", "day"),
    "period": Text("报告期", "period"),
    "captured": Text("采集日", "day of capture"),
    "fetched_at": Text("取数时间", "time of the call"),
    "formula": Text("公式", "formula"),
    "inputs": Text("算式的输入", "inputs"),
    "raw": Text("来源原文", "source text"),
    "note": Text("说明", "note"),
    "missing_reason": Text("没有的原因", "why there is none"),
}
_SOURCE = Text("出处", "source")
_ROW = re.compile(r" row (?P<row>\d+)(?: \((?P<key>.*?)\)(?= column | beyond |$)|: (?P<gone>.+)$)?")
_STEP = re.compile(r",? (table|line|block|chart|column) (\S+)|,? (title|note|days|group)\b")
_SHEET = re.compile(r" sheet (?P<name>.+?)(?: (?P<at>[A-Z]{1,3}\d+)(?: \((?P<key>.*)\))?)?$")
_ID = re.compile(r"\b(?:c|tc|r)_[0-9a-f]{6,}\b")


class PlaceWords(NamedTuple):
    """A place: where it is, and whom and what it is about, which may be empty."""

    where: Text
    about: Text


def tell_place(place: str, content: PackContent | None = None) -> PlaceWords:
    """The place in words; `content` tells what tables and columns of the pack are called."""
    head, rest = _split(place)
    steps = [_tell_head(head, content)]
    if found := _SHEET.match(rest):
        key = found["key"] or ""
        about = [Text.of(key)] if key else []
        steps += [_STEPS["sheet"].format(name=found["name"])]
        steps += [Text.of(found["at"])] if found["at"] else []
        return PlaceWords(_join([*steps, *about]), _join(about))
    rest, _, said = rest.partition(": ") if " row " not in rest else (rest, "", "")
    about = [Text(*(_name_words(said, one) for one in LANGUAGES))] if said else []
    if row := _ROW.search(rest):
        key = row["key"] or row["gone"] or ""
        named = [Text.of(key)] if key else []
        steps += [*_steps(rest[: row.start()], content), *(named or [_number(row["row"])])]
        column = _column(rest[row.end() :], content)
        about, steps = [*named, *column], [*steps, *column]
    else:
        steps += [*_steps(rest, content), *about]
    return PlaceWords(_join(steps), _join(about))


def _number(row: str) -> Text:
    return _STEPS["row"].format(name=row)


def _join(parts: list[Text]) -> Text:
    return join_texts([one for one in parts if one], " · ", " · ")


def _split(place: str) -> tuple[str, str]:
    """The part or file, and the rest."""
    for name in (*_PARTS, TABLES):
        if place.startswith(name):
            end = place.find(" ", len(name)) if name == TABLES else len(name)
            return (place[:end], place[end:]) if end >= 0 else (place, "")
    found = re.search(r" (?:row|line|sheet|column) ", place)
    return (place[: found.start()], place[found.start() :]) if found else (place, "")


def _tell_head(head: str, content: PackContent | None) -> Text:
    if head.startswith(TABLES):
        name = head.removeprefix(TABLES).removesuffix(".csv")
        found = table_files(content.paper).get(name) if content is not None else None
        return _TABLE.format(name=(found.title if found is not None else "") or name)
    return _PARTS.get(head, Text.of(head))


def _steps(text: str, content: PackContent | None) -> Iterator[Text]:
    for found in _STEP.finditer(text):
        if found[3]:
            yield _WORDS[found[3]]
        elif found[1] == "column":
            yield from _column(f" column {found[2]}", content)
        elif found[1] == "table":
            yield _TABLE.format(name=_titles(content).get(found[2]) or found[2])
        else:
            yield _STEPS[found[1]].format(name=found[2])


def _column(text: str, content: PackContent | None) -> list[Text]:
    """The column behind a row: its label, and which of the columns about a figure it is."""
    key = text.removeprefix(" column").strip()
    if not key or key in _WORDS:
        return [_WORDS[key]] if key else []
    labels = _labels(content)
    for suffix in FIGURE_SUFFIXES:
        base = key.removesuffix(f"_{suffix}")
        if base != key and base in labels:
            return [Text.of(labels[base]), _BESIDE.get(suffix, _SOURCE)]
    return [Text.of(labels.get(key, key))]


def _labels(content: PackContent | None) -> dict[str, str]:
    tables = content.paper.tables if content is not None else ()
    return {one.key: one.label for table in tables for one in table.columns if one.label}


def _titles(content: PackContent | None) -> dict[str, str]:
    return {one.key: one.title for one in content.paper.tables} if content is not None else {}


def _name_words(text: str, language: Language) -> str:
    """What a line is about: figures by their names, without ids."""
    words = _ID.sub("", text.split("`")[0]).split()
    return " ".join(_name_word(one, language) for one in words)


def _name_word(word: str, language: Language) -> str:
    if word in CATALOGUE.figures:
        return CATALOGUE.figures[word].label(language)
    return period_words(word, language) if is_report(word) else word

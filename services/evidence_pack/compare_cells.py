"""Where two renderings of one thing differ: Markdown line by line, CSV cell by cell, by value.

What a program changes when it only opens and saves a file is no difference: a byte order mark,
line ends, quoting, `1.50` for `1.5`, `2017/5/25` for `2017-05-25`. Anything else is named.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import islice

from services.core.text import Text
from services.evidence_pack.size_limits import Fault

MOST_TOLD = 100
_SAVED_DIGITS = 15
_LONGEST_NUMBER = 60
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_DAY = re.compile(r"([12][0-9]{3})[-/](0?[1-9]|1[0-2])[-/](0?[1-9]|[12][0-9]|3[01])")
_NOTE = re.compile(r"^\[\^([0-9]+)\]: (.*)$")
_MARK = re.compile(r"\[\^([0-9]+)\]")
# What may stand between a number and its mark: a unit, apart from it in English.
_OWN_MARK = re.compile(r"[^\[|0-9]{0,20}\[\^([0-9]+)\]")
# A note ends with the id of its claim.
_CLAIM = re.compile(r"`(c_[0-9a-f]{16})`$")
_DIGITS = re.compile(r"[0-9][0-9.,]*[0-9]|[0-9]")
_BOUNDARY = frozenset(" \t|，。；、（）()：:")
_WIDEST_LINE = 80
# The row above the first: the head.
_HEAD = 1


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A table as a CSV file has it; `rows` are as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class CellComparison:
    """What came of a comparison: how many lines, or figures of a table, were looked at, what
    differs, and in which line (of a table: row as a spreadsheet counts it) each claim stands as it
    does in the pack.
    """

    count: int = 0
    faults: list[Fault] = field(default_factory=list[Fault])
    rounded: int = 0
    reordered: bool = False
    stands: dict[str, int] = field(default_factory=dict[str, int])

    def differs(
        self,
        place: str,
        check: str,
        wanted: str,
        got: str,
        *,
        line: int = 0,
        claim: str = "",
        column: str = "",
    ) -> None:
        """Keep a difference, up to a bound."""
        if len(self.faults) < MOST_TOLD:
            one, two = _quote_line(wanted), _quote_line(got)
            zh = f"证据包为{one.zh}，这里为{two.zh}"
            en = f"the pack says {one.en}, here it is {two.en}"
            told = (wanted[:_WIDEST_LINE], got[:_WIDEST_LINE], line, claim, column)
            self.faults.append(Fault(place, check, Text(zh, en), *told))


def read_csv(content: bytes) -> CsvTable | None:
    """A table from a CSV file of any program; None when it is none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), strict=True) if line]
    except csv.Error:
        return None
    if not lines or len(set(lines[0])) != len(lines[0]):
        return None
    width = len(lines[0])
    rows = (tuple((line + [""] * width)[: max(width, len(line))]) for line in lines[1:])
    return CsvTable(tuple(lines[0]), tuple(rows))


def compare_tables(file: str, wanted: CsvTable, got: CsvTable) -> CellComparison:
    """Every cell of `got` against the same of `wanted`: rows are found by what names them."""
    done = CellComparison()
    for name in wanted.header:
        if name not in got.header:
            done.differs(f"{file} column {name}", "column_missing", name, "")
    for name in got.header:
        if name not in wanted.header:
            done.differs(f"{file} column {name}", "column_extra", "", name)
    columns = [name for name in wanted.header if name in got.header]
    for number, (before, after) in enumerate(_pair_rows(wanted, got, done), start=1):
        if before is None or after is None:
            place = f"{file} row {number}: {row_key(wanted.header, before or after or ())}"
            check = "row_missing" if after is None else "row_extra"
            done.differs(place, check, _brief(before), _brief(after))
            continue
        where = f"{file} row {number} ({row_key(wanted.header, before)})"
        _compare_cells((where, number + _HEAD), columns, (wanted, got), (before, after), done)
    return done


def _compare_cells(
    where: tuple[str, int],
    columns: Sequence[str],
    tables: tuple[CsvTable, CsvTable],
    rows: tuple[tuple[str, ...], tuple[str, ...]],
    done: CellComparison,
) -> None:
    for name in columns:
        one = rows[0][tables[0].header.index(name)]
        two = rows[1][tables[1].header.index(name)]
        cited = f"{name}_claim_id"
        claim = rows[0][tables[0].header.index(cited)] if cited in tables[0].header else ""
        done.count += claim != ""
        if same_cell(one, two):
            done.stands.setdefault(claim, where[1])
        elif same_saved(one, two):
            done.rounded += 1
        else:
            place = f"{where[0]} column {name}"
            done.differs(place, "cell_equal", one, two, line=where[1], claim=claim, column=name)
    if len(rows[1]) > len(tables[1].header):
        spare = rows[1][len(tables[1].header) :]
        done.differs(f"{where[0]} beyond the last column", "cell_extra", "", " ".join(spare))


_Pair = tuple[tuple[str, ...] | None, tuple[str, ...] | None]


def _pair_rows(wanted: CsvTable, got: CsvTable, done: CellComparison) -> list[_Pair]:
    """Rows of the same key; by position where keys do not tell rows apart."""
    if got.header != wanted.header:
        places = [got.header.index(name) if name in got.header else None for name in wanted.header]
        keys = [tuple("" if p is None else row[p] for p in places) for row in got.rows]
    else:
        keys = list(got.rows)
    before = [row_key(wanted.header, row) for row in wanted.rows]
    after = [row_key(wanted.header, row) for row in keys]
    if (
        len(set(before)) != len(before)
        or len(set(after)) != len(after)
        or set(before) != set(after)
    ):
        return _by_place(wanted, got, before, after)
    done.reordered = before != after
    found = dict(zip(after, got.rows, strict=True))
    return [(row, found[key]) for row, key in zip(wanted.rows, before, strict=True)]


def _by_place(
    wanted: CsvTable, got: CsvTable, before: Sequence[str], after: Sequence[str]
) -> list[_Pair]:
    """One after another; a row that was taken out or put in shifts those behind it."""
    if len(before) == len(after):
        return list(zip(wanted.rows, got.rows, strict=True))
    pairs: list[_Pair] = []
    ours, theirs = Counter(before), Counter(after)
    one = two = 0
    while one < len(before) or two < len(after):
        gone = one < len(before) and not theirs[before[one]]
        new = two < len(after) and not ours[after[two]]
        both = one < len(before) and two < len(after) and gone == new
        left = right = None
        if one < len(before) and (gone or both or two == len(after)):
            left = wanted.rows[one]
            ours[before[one]] -= 1
            one += 1
        if two < len(after) and (left is None or both):
            right = got.rows[two]
            theirs[after[two]] -= 1
            two += 1
        pairs.append((left, right))
    return pairs


def row_key(header: Sequence[str], row: Sequence[str]) -> str:
    """What names a row: its first columns before the first figure, else its first cells."""
    known = set(header)
    names = [at for at, name in enumerate(header) if not _is_figure(name, known) and at < len(row)]
    first = next((at for at, name in enumerate(header) if _is_figure(name, known)), len(header))
    chosen = [at for at in names if at < first] or list(range(min(2, len(row))))
    return " ".join(row[at] for at in chosen[:4] if row[at])[:_WIDEST_LINE]


def _is_figure(name: str, known: set[str]) -> bool:
    return f"{name}_claim_id" in known or any(
        name.startswith(f"{other}_") for other in known if f"{other}_claim_id" in known
    )


def _brief(row: Sequence[str] | None) -> str:
    return "" if row is None else " ".join(cell for cell in row if cell)[:_WIDEST_LINE]


def same_cell(wanted: str, got: str) -> bool:
    """Equal as text, as a number, or as a day."""
    one, two = _flat(wanted), _flat(got)
    if one == two:
        return True
    left, right = number_of(one), number_of(two)
    if left is not None and right is not None:
        return left == right
    return (day := _day(one)) is not None and day == _day(two)


def same_saved(wanted: str, got: str) -> bool:
    """Whether a spreadsheet may have written it so: it keeps fifteen digits of a number."""
    left, right = number_of(_flat(wanted)), number_of(_flat(got))
    if left is None or right is None or not left:
        return False
    last = Decimal(1).scaleb(left.adjusted() - _SAVED_DIGITS + 1)
    return abs(left - right) <= last


def _flat(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def number_of(text: str) -> Decimal | None:
    """The number a cell holds; None for a text, such as a code that begins with a zero."""
    if len(text) > _LONGEST_NUMBER:
        return None
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _day(text: str) -> tuple[int, int, int] | None:
    found = _DAY.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def compare_lines(file: str, wanted: str, got: str) -> CellComparison:
    """Every line of a Markdown text against the same of `wanted`, with the figure that differs."""
    done = CellComparison()
    before, after = _text_lines(wanted), _text_lines(got)
    done.count = len(before)
    notes = {hit[1]: hit[2] for line in before if (hit := _NOTE.match(line))}
    if len(before) != len(after):
        start, left, right = _middle(before, after)
        first = (left or right)[0]
        place = f"{file} line {start + 1}{_figure(first, 0, notes)}"
        done.differs(place, "line_missing" if left else "line_extra", *_show_rows(left, right))
        return done
    claims = {name: found[1] for name, note in notes.items() if (found := _CLAIM.search(note))}
    for number, (one, two) in enumerate(zip(before, after, strict=True), start=1):
        at, left, right = _apart(one, two) if one != two else (len(one), "", "")
        own = _OWN_MARK.match(one, at + len(left))
        for mark in _MARK.finditer(one) if not _NOTE.match(one) else ():
            if mark.end() <= at or mark.start() >= (own.end() if own else at + len(left)):
                done.stands.setdefault(claims.get(mark[1], ""), number)
        if one != two:
            place = f"{file} line {number}{_figure(one, at, notes)}"
            claim = claims.get(own[1], "") if own else ""
            done.differs(place, "line_equal", left, right, line=number, claim=claim)
    return done


def other_figures(file: str, wanted: bytes, got: bytes) -> Iterator[Fault]:
    """Numbers of `got` that are nowhere in `wanted`: another version may word and order things
    otherwise, it has no other figures.
    """
    known = set(_DIGITS.findall(_MARK.sub(" ", wanted.decode(errors="replace"))))
    lines = _MARK.sub(" ", got.decode(errors="replace")).split("\n")
    spare = ((number, hit) for number, line in enumerate(lines, 1) for hit in _DIGITS.findall(line))
    for number, hit in islice((one for one in spare if one[1] not in known), MOST_TOLD):
        yield Fault(
            f"{file} line {number}", "other_figure",
            Text(
                f"“{hit}”不在本版本写出的内容里", f"“{hit}” is in nothing that this version writes"
            ),
        )  # fmt: skip


def _text_lines(text: str) -> list[str]:
    flat = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.rstrip() for line in flat.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _middle(before: list[str], after: list[str]) -> tuple[int, list[str], list[str]]:
    """Where two texts of different length part, and the lines of each that the other has not."""
    shortest = min(len(before), len(after))
    start = next((at for at in range(shortest) if before[at] != after[at]), shortest)
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, before[start : len(before) - end], after[start : len(after) - end]


def _show_rows(left: list[str], right: list[str]) -> tuple[str, str]:
    return " ⏎ ".join(left[:3]), " ⏎ ".join(right[:3])


def _apart(one: str, two: str) -> tuple[int, str, str]:
    """Where two lines part, and the word or figure of each that the other has not."""
    shortest = min(len(one), len(two))
    start = next((at for at in range(shortest) if one[at] != two[at]), shortest)
    end = 0
    while end < shortest - start and one[-1 - end] == two[-1 - end]:
        end += 1
    while start and one[start - 1] not in _BOUNDARY:
        start -= 1
    while end and one[-end] not in _BOUNDARY and one[-end] != "[":
        end -= 1
    return start, one[start : len(one) - end], two[start : len(two) - end]


def _figure(line: str, at: int, notes: Mapping[str, str]) -> str:
    """What the figure there is, as its footnote says; empty where there is none."""
    own = _NOTE.match(line)
    found = _MARK.search(line, at)
    note = own[2] if own else notes.get(found[1], "") if found else ""
    return f": {note.split(' · ')[0]}" if note else ""


def _quote_line(text: str) -> Text:
    if not text:
        return Text("空", "nothing")
    return Text.of(f"“{text[:_WIDEST_LINE]}{'…' if len(text) > _WIDEST_LINE else ''}”")

"""How a text is laid out: numbered lists, quotes, tables, sentences and what they pass on."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from services.grounding.figure_senses import Sense
from services.grounding.period_words import TextTime
from services.grounding.sentence import Paired, Sentence, is_figure
from services.grounding.tokens import MARKS, CutText, TextToken
from services.language.numbers import number_at
from services.language.numerals import small_number
from services.language.plain_text import Plain, sentences

_INDEX = re.compile(
    r"(?m)^[ \-*>#+]*(?:(?P<dot>\d{1,2})[.、)](?!\d)|\((?P<paren>\d{1,2})\)(?!\d)"
    r"|(?P<cn>[一二三四五六七八九十]{1,2})[、.]|\((?P<cnp>[一二三四五六七八九十]{1,2})\)"
    r"|(?P<key>\d) (?=[一-鿿]))"
)
_INLINE = re.compile(r"(?<![\d.%元倍亿万])[(](?P<n>\d{1,2})[)](?=[一-鿿a-z ])")
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_QUOTES = re.compile(
    r"「([^「」\n]{1,400})」|《([^《》\n]{1,200})》|“([^“”\n]{1,400})”|『([^『』\n]{1,400})』|\"([^\"\n]{1,400})\""
)
_LEAST_WORDS = 4
_MOST_TOKENS = 60
# 亿元 as the unit of a column or of a whole table.
_UNIT_ALONE = re.compile(
    r"(?:(?<=\()|(?<=单位:)|(?<=单位为)|(?<=单位))(?:百万|千万|十亿|亿|万|千)(?:元|港元|美元|股|手|人民币)?(?=\)|\||\n|[,。、;]|$)"
)


def list_indices(text: Plain) -> list[tuple[int, int]]:
    """Numbers that only count the lines or points of the text: each one more than the last."""
    found: list[tuple[int, int]] = []
    last: dict[str, int] = {}
    for match in _INDEX.finditer(text.text):
        kind = match.lastgroup or ""
        number = small_number(match.group(kind))
        start, end = match.span(kind)
        if number in {1, last.get(kind, 0) + 1}:
            last[kind] = number
            found.append((start, end))
    found += [match.span() for match in _UNIT_ALONE.finditer(text.text)]
    found += _section_numbers(text)
    expected = 1
    for match in _INLINE.finditer(text.text):
        number = int(match["n"])
        if number in {1, expected}:
            expected = number + 1
            found.append(match.span("n"))
    expected = 0
    for at in text.odd:
        number = _CIRCLED.find(text.text[at])
        before = text.text[at - 1 : at]
        if (
            number >= 0
            and number in {0, expected}
            and before in ("", "\n", " ", ",", ";", "。", ":", "、", "-")
        ):
            expected = number + 1
            found.append((at, at + 1))
    return found


_SECTION = re.compile(
    r"(?m)^#{1,6} ?(\d{1,2})\.(\d{1,2})(?:\.(\d{1,2}))?(?=[ 一-鿿a-z])(?![万亿元倍%家])"
)


def _section_numbers(text: Plain) -> list[tuple[int, int]]:
    """### 1.2 in headings, where it follows the one before (1.1) or opens a chapter."""
    found: list[tuple[int, int]] = []
    last = (0, 0, 0)
    for match in _SECTION.finditer(text.text):
        at = (int(match[1]), int(match[2]), int(match[3] or 0))
        opens = at[0] <= last[0] + 2 and at[1] == 1
        if opens or (at[0] == last[0] and at[1] in {last[1], last[1] + 1}):
            last = at
            found.append((match.start(1), match.end()))
    return found


def find_quotes(
    shown: str, quotes: Sequence[str]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """In the shown text, what stands in quotes word for word as outside; and the other quotes.

    A mere figure is no quotation: it would be ours however it is bracketed.
    """
    verbatim: list[tuple[int, int]] = []
    other: list[tuple[int, int]] = []
    for match in _QUOTES.finditer(shown):
        group = match.lastindex or 0
        said = match.group(group)
        words = sum(
            char.isalpha() and char not in "零一二三四五六七八九十百千万亿两元倍股" for char in said
        )
        is_said = words >= _LEAST_WORDS and any(said in quote for quote in quotes)
        (verbatim if is_said else other).append(match.span(group))
    return verbatim, other


def lay_out(cut: CutText) -> list[Sentence]:
    """The sentences in order, each with who and when the ones before it were about."""
    made: list[Sentence] = []
    tables = _tables(cut.plain.text)
    at = 0
    subjects: tuple[str, ...] = ()
    periods: tuple[TextTime, ...] = ()
    section: tuple[TextTime, ...] = ()
    sense = None
    for start, end in _cut_sentences(cut):
        if _is_new_paragraph(cut.plain.text, start):
            periods, sense = section, None
        tokens: list[TextToken] = []
        while at < len(cut.tokens) and cut.tokens[at].start < end:
            tokens.append(cut.tokens[at])
            at += 1
        sentence = Sentence(start, end, tokens, subjects, periods, sense)
        if (head := tables.get(start)) is not None:
            _into_columns(cut, sentence, head, made)
        sentence.pairs = pair_figures(cut, sentence)
        made.append(sentence)
        named = tuple(dict.fromkeys(one.symbol for one in tokens if one.kind == "entity"))
        subjects = named or subjects
        said, aside = _pass_times_on(cut, tokens)
        periods = (*said, *periods, *aside)[:6]
        if cut.plain.text[start : start + 1] == "#":
            periods = section = tuple(said) or section
        senses = [one.sense for one in tokens if one.kind == "metric"]
        sense = senses[-1] if senses else sense
    return made


def _pass_times_on(
    cut: CutText, tokens: Sequence[TextToken]
) -> tuple[list[TextTime], list[TextTime]]:
    """The times of a sentence, the last first; apart those of one figure, or beside 较."""
    main: list[TextTime] = []
    aside: list[TextTime] = []
    for one in reversed(tokens):
        if one.said is None:
            continue
        before = cut.shadow[max(one.start - 6, 0) : one.start]
        if one.said.kind == "base":
            continue
        (aside if _ASIDE.search(before) else main).append(one.said)
    return main, aside


_ASIDE = re.compile(rf"[{MARKS['number']}{MARKS['place']}]\s?\($|较$|比$|相比$|than $|from $|vs $")


def _cut_sentences(cut: CutText) -> list[tuple[int, int]]:
    """The sentences; such as nobody writes (over 60 things in it) cut in pieces."""
    pieces: list[tuple[int, int]] = []
    at = 0
    for start, end in sentences(cut.plain.text):
        first = at
        while at < len(cut.tokens) and cut.tokens[at].start < end:
            if at - first >= _MOST_TOKENS:
                pieces.append((start, cut.tokens[at].start))
                start, first = cut.tokens[at].start, at
            at += 1
        pieces.append((start, end))
    return pieces


def _is_new_paragraph(text: str, start: int) -> bool:
    return start > 1 and text[start - 1] == "\n" and text[start : start + 1] in {"\n", "#"}


def _tables(text: str) -> dict[int, int]:
    """Where rows of tables begin → where the head of their table does."""
    rows: dict[int, int] = {}
    head, start = None, 0
    for line in text.split("\n"):
        if line.count("|") >= 2:
            head = start if head is None else head
            rows[start] = head
        else:
            head = None
        start += len(line) + 1
    return rows


def _cell(text: str, row: int, place: int) -> int:
    return text.count("|", row, place)


def _into_columns(cut: CutText, sentence: Sentence, head: int, made: Sequence[Sentence]) -> None:
    """Each figure of a row gets the names in the head of its column, and that head's unit."""
    text = cut.plain.text
    if head == sentence.start:
        return
    heads = next((one for one in made if one.start == head), None)
    if heads is None:
        return
    columns: dict[int, Sequence[TextToken]] = {}
    lead = [one for one in sentence.tokens if _cell(text, sentence.start, one.start) <= 1]
    row = [one for one in lead if not is_figure(one)]
    for index, token in enumerate(sentence.tokens):
        if not is_figure(token):
            continue
        cell = _cell(text, sentence.start, token.start)
        above = [one for one in heads.tokens if _cell(text, heads.start, one.start) == cell]
        columns[token.start] = (*above, *row)
        if token.number is not None and token.number.is_bare:
            above_unit = text[heads.start : heads.end].split("|")
            label = text[sentence.start : sentence.end].split("|")[:2]
            sentence.tokens[index] = _with_unit_of((*above_unit[cell : cell + 1], *label), token)
    sentence.columns = columns


_HEAD_UNIT = re.compile(r"\(([^()|]{1,6})\)\s*\|?$")


def _with_unit_of(cells: Sequence[str], token: TextToken) -> TextToken:
    """净利润(亿元) in the head of a column, or of the row, is the unit of the bare numbers."""
    found = (_HEAD_UNIT.search(cell.strip()) for cell in cells)
    match = next((one for one in found if one is not None), None)
    if match is None or token.number is None:
        return token
    unit = number_at("1" + match[1], 0)
    if unit is None or unit.is_bare or unit.kind == "vague":
        return token
    factor = unit.value / Decimal(1)
    number = replace(
        token.number, value=token.number.value * factor, ulp=token.number.ulp * factor,
        kind=unit.kind, unit=unit.unit, currency=unit.currency or token.number.currency,
        scale=unit.scale,
    )  # fmt: skip
    return replace(token, number=number)


_LIST_GAP = re.compile(r"(?:、|和|与|及|以及|,|/| and |, and |,和|; | or |至|-|~)\s?")
_RESPECTIVELY = re.compile(r"分别|依次|respectively")


def pair_figures(cut: CutText, sentence: Sentence) -> dict[int, Paired]:
    """What each figure of a list is by its position: 比亚迪、茅台的市盈率分别为27.69倍和31.51倍."""
    made: dict[int, Paired] = {}
    if sentence.columns:
        return made
    run: list[int] = []
    for at, token in enumerate(sentence.tokens):
        if not is_figure(token):
            continue
        if run and not _LIST_GAP.fullmatch(cut.shadow[sentence.tokens[run[-1]].end : token.start]):
            made |= _pairs(cut, sentence, run)
            run = []
        run.append(at)
    return made | _pairs(cut, sentence, run)


def _pairs(cut: CutText, sentence: Sentence, run: Sequence[int]) -> dict[int, Paired]:
    if len(run) < 2:
        return {}
    tokens = sentence.tokens
    first, last = tokens[run[0]], tokens[run[-1]]
    start = 0
    for at in range(run[0] - 1, -1, -1):
        if is_figure(tokens[at]):
            start = at + 1
            break
    before = tokens[start : run[0]]
    from_here = tokens[start - 1].end if start else sentence.start
    stated = bool(_RESPECTIVELY.search(cut.plain.text, from_here, first.start)) or (
        "respectively" in cut.plain.text[last.end : last.end + 16]
    )
    choices = _choices(before, len(run))
    if not choices and stated and start:
        choices = _choices(tokens[: run[0]], len(run))
        choices = [pair for pair in choices if pair[0].said is None or len(choices) == 1][:1]
    if not choices and stated and len(sentence.subjects) == len(run):
        choices = [[Paired(symbol=symbol) for symbol in sentence.subjects]]
    if not choices:
        return {tokens[at].start: Paired(wrong=True) for at in run} if stated else {}
    if len(choices) > 1:
        return {tokens[at].start: Paired(wrong=True) for at in run}
    return {
        tokens[at].start: replace(pair, first=run[0])
        for at, pair in zip(run, choices[0], strict=True)
    }


def _choices(before: Sequence[TextToken], count: int) -> list[list[Paired]]:
    """The kinds of things named before the list of which there are as many as figures."""
    senses: list[Sense] = []
    for one in before:
        if one.sense is not None and not (senses and senses[-1].metrics & one.sense.metrics):
            senses.append(one.sense)
    symbols = [one.symbol for one in before if one.kind == "entity"]
    distinct = list(dict.fromkeys(symbols))
    times: list[TextTime] = []
    for one in before:
        if one.said is not None and one.said.kind == "years":
            times += [replace(one.said, kind="year", year=y, quarter=4) for y in one.said.years]
        elif one.said is not None and one.said.kind in {"year", "report", "day", "month"}:
            times.append(one.said)
    choices: list[list[Paired]] = []
    if len(senses) == count:
        choices.append([Paired(sense=sense) for sense in senses])
    if len(distinct) == count:
        choices.append([Paired(symbol=symbol) for symbol in distinct])
    if len(times) == count:
        choices.append([Paired(said=said) for said in times])
    return choices

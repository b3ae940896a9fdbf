"""Does what an evidence pack says hold? Its claims against its trace, its texts against the claims.

Pure: no store, no network, no clock. Every finding names its place and both values.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import NamedTuple, get_args
from unicodedata import category

from services.core.claims import Claim, CompetenceCite, Missing, ToolCite, claim_id
from services.core.limits import COMPETENCES, Competence
from services.core.rendering import PLACE, PlacedFigure, pieces, show
from services.core.symbols import Market
from services.core.text import Text
from services.core.verifier import verify
from services.evidence_pack.parts import (
    CLAIMS,
    NAMES,
    PAPER,
    PackContent,
)
from services.evidence_pack.parts import (
    COMPETENCES as RULES,
)
from services.evidence_pack.size_limits import Fault
from services.exports.paper import (
    Bullets,
    CitedCell,
    Paper,
    PaperCell,
    PaperLine,
    PaperQuote,
    PaperRow,
    Prose,
)
from services.grounding.ground import Grounded, TextFailure, ground
from services.query.answering.asked_times import asked_times
from services.query.assertions.made import MadeAnswer
from services.statements.proved_texts import Opening, unproved
from services.views.report_charts import charts_of

MOST_CLAIMS = 100_000
MOST_TEXTS = 2_000
# A market is called as our pages call it; CN is a company of its own elsewhere.
_MARKETS = frozenset(get_args(Market))
# A number in words is a figure where it has the unit of one: 两个收盘 is none.
_SAID = re.compile(
    r"[百千万]分之|[零一二三四五六七八九十百千万亿两半]+(?:倍|成|元|亿|个?百分点)|翻[一两番倍]"
)
_DAY = re.compile(r"[12][0-9]{3}-[01][0-9]-[0-3][0-9]")
_SPACES = re.compile(r"\s+")
# The words of the verifier's checks, for a reader of Chinese; what follows names both values.
_CHECKS: Mapping[str, str] = {
    "claim_id_unique": "证据编号重复",
    "call_in_trace": "所引的取数调用不在包内",
    "source_equal": "来源或取数时间与取数记录不符",
    "value_equal": "数值与取数记录不符",
    "chart_equal": "图与证据不符",
    "unit_equal": "单位不符",
    "entity_equal": "公司不符",
    "metric_equal": "指标不符",
    "period_equal": "期间不符",
    "as_of_equal": "日期不符",
    "field_equal": "来源字段或原值不符",
    "note_equal": "说明不符",
    "not_stale": "数据过旧或在将来",
    "formula_registered": "公式没有登记",
    "inputs_present": "缺少推算所用的数",
    "inputs_sound": "推算所用的数不成立",
    "series_complete": "所用序列不完整",
    "value_recomputed": "重新计算的结果不同",
    "competence_registered": "规则没有登记",
}


def claim_faults(content: PackContent, now: datetime) -> Iterator[Fault]:
    """Each claim that does not hold in the pack's own trace."""
    if len(content.claims) > MOST_CLAIMS:
        said = Text(
            f"多于 {MOST_CLAIMS} 个数字，没有核对", f"more than {MOST_CLAIMS} claims: not checked"
        )
        yield Fault(CLAIMS, "too_many", said)
        return
    try:
        found = verify(content.claims, content.trace, now)
    except RecursionError:
        yield Fault(CLAIMS, "too_deep", Text("推算层数过多", "figures rest on figures too deep"))
        return
    for failure in found.failures:
        claim = content.claims[failure.claim_index]
        zh = _CHECKS.get(failure.check, "不成立")
        yield Fault(
            f"{CLAIMS} line {failure.claim_index + 1}: {name_claim(claim)}",
            failure.check,
            Text(f"{zh}：{failure.reason}", failure.reason),
        )


def name_claim(claim: Claim) -> str:
    """Which figure it is, in one line."""
    about = claim.period or claim.as_of.isoformat()
    return f"{claim.claim_id} {claim.symbol} {claim.metric} {about}"


def id_faults(content: PackContent) -> Iterator[Fault]:
    """Each claim whose id is not made of what it says and cites: an id cannot be given to another
    figure.
    """
    for number, claim in enumerate(content.claims, start=1):
        if claim.claim_id not in _ids(claim):
            yield Fault(
                f"{CLAIMS} line {number}: {name_claim(claim)}", "claim_id_made",
                Text(
                    "编号与所说所引的内容不符",
                    "the id is not made of what the claim says and cites",
                ),
            )  # fmt: skip


def _ids(claim: Claim) -> tuple[str, ...]:
    cite = claim.cite
    if isinstance(cite, ToolCite):
        fact = (claim.symbol, claim.metric, claim.as_of, claim.period)
        return (claim_id(cite.tool_call_id, *fact),)
    if isinstance(cite, CompetenceCite):
        said = (claim.metric, claim.value, claim.unit, claim.symbol, claim.as_of)
        return (claim_id(cite.competence_id, *said),)
    made = (claim.metric, cite.formula, *cite.inputs, *cite.series, *cite.members)
    # A figure over several companies carries whom it is about as well.
    return claim_id(*made), claim_id(*made, claim.symbol)


def paper_faults(content: PackContent) -> Iterator[Fault]:
    """Each place of the paper that names no claim of the pack, or a figure of another company
    than its row is about.
    """
    known = content.by_id
    if len(_list_told(content.paper)) > MOST_TEXTS:
        said = Text(
            f"多于 {MOST_TEXTS} 段文字，其余没有核对",
            f"more than {MOST_TEXTS} texts: not all checked",
        )
        yield Fault(PAPER, "too_many", said)
    for place, name in _list_cited(content.paper):
        if name not in known:
            said = Text(f"{name} 不在 {CLAIMS} 中", f"{name} is not in {CLAIMS}")
            yield Fault(place, "unknown_claim", said)

    for table in content.paper.tables:
        columns = {one.key: one.label for one in table.columns}
        for number, row in enumerate(table.rows, start=1):
            for key, cell in row.cells.items():
                place = f"{PAPER} table {table.key} row {number} {key}"
                if not stands_under_its_company(cell, columns.get(key, ""), content):
                    yield from _other_company(place, row, cell, known)


def stands_under_its_company(cell: PaperCell, label: str, content: PackContent) -> bool:
    """Whether the head of the column says whose the figure is: 美的集团的市盈率(TTM)."""
    claim = content.by_id.get(cell.claim) if isinstance(cell, CitedCell) else None
    names = content.names.get(claim.symbol, ()) if claim is not None else ()
    return any(label.startswith((f"{name}的", f"{name}'s ")) for name in names)


def _other_company(
    place: str, row: PaperRow, cell: PaperCell, known: Mapping[str, Claim]
) -> Iterator[Fault]:
    claim = known.get(cell.claim) if isinstance(cell, CitedCell) else None
    about = claim.symbol if claim else cell.symbol if isinstance(cell, Missing) else row.symbol
    if row.symbol is not None and about != row.symbol:
        said = Text(
            f"这一行是 {row.symbol} 的，数字是 {about} 的",
            f"the row is of {row.symbol}, the figure of {about}",
        )
        yield Fault(place, "entity_equal", said)


def _list_cited(paper: Paper) -> Iterator[tuple[str, str]]:
    for place, line in lines_of(paper):
        yield from ((place, name) for name in PLACE.findall(line.template))
    for at, chart in enumerate(paper.charts, start=1):
        yield from ((f"{PAPER} chart {at}", name) for name in chart.claims)
    for table in paper.tables:
        for name in PLACE.findall(table.note):
            yield f"{PAPER} table {table.key}, note", name
        for number, row in enumerate(table.rows, start=1):
            for key, cell in row.cells.items():
                place = f"{PAPER} table {table.key} row {number} {key}"
                if isinstance(cell, CitedCell):
                    yield place, cell.claim
                elif isinstance(cell, str):
                    yield from ((place, name) for name in PLACE.findall(cell))


def chart_faults(content: PackContent) -> Iterator[Fault]:
    """Each picture is made anew of the claims; one that differs does not show them."""
    for at, chart in enumerate(content.paper.charts, start=1):
        place = f"{PAPER} chart {at}"
        if not set(chart.claims) <= content.by_id.keys():
            continue  # told as an unknown claim
        about = (content.claims, content.trace, chart.symbol, content.paper.language)
        if not any(chart in charts_of(*about, former=one) for one in (False, True)):
            said = Text("图与证据画出的不同", "the picture is not what the claims draw")
            yield Fault(place, "chart_equal", said)


def lines_of(paper: Paper) -> Iterator[tuple[str, PaperLine]]:
    """Every text of the paper outside its tables, with its place."""
    for number, block in enumerate(paper.blocks, start=1):
        if isinstance(block, Prose):
            yield f"{PAPER} block {number}", block.line
        elif isinstance(block, Bullets):
            for at, line in enumerate(block.lines, start=1):
                yield f"{PAPER} block {number} line {at}", line


class ReadText(NamedTuple):
    """A text as the number gate reads it. `typed` are the failures that are digits of the text's
    own: no place of a claim and no day; the others are about the words around a figure.
    """

    place: str
    found: Grounded
    typed: tuple[TextFailure, ...]


def ground_texts(content: PackContent, symbols: tuple[str, ...], day: date) -> Iterator[ReadText]:
    """Every told text of the paper, read again against the claims."""
    items = [item for call in content.trace.tool_calls for item in call.items]
    outside = [text for item in items for text in (item.title, item.text) if text]
    claims = [claim for claim in content.claims if can_be_shown(claim)]
    result = content.result if isinstance(content.result, dict) else {}
    times = asked_times(result.get("turn"), content.trace)
    for place, line in _list_told(content.paper)[:MOST_TEXTS]:
        if line.made is not None:
            continue  # proved by what it is made of: statement_faults
        found = ground(
            line.template,
            claims,
            names=content.names,
            language=line.language or content.paper.language,
            default_symbol=symbols[0] if len(symbols) == 1 else None,
            now=day,
            quotes=[*outside, *line.known],
            times=times,
        )
        yield ReadText(place, found, _find_typed(line, found, content))


def statement_faults(content: PackContent) -> Iterator[Fault]:
    """Texts made of statements: each is proved anew on the claims, and the text told anew."""
    asked_on = frozenset(call.known_at.date() for call in content.trace.tool_calls)
    for place, line in _list_told(content.paper)[:MOST_TEXTS]:
        made = line.made
        if made is None:
            continue
        called = dict(made.names)
        if isinstance(made, MadeAnswer):
            told = made.model_copy(update={"text": line.template})
            wrong = told.unproved(content.claims, asked_on)
        else:
            wrong = unproved([made.model_copy(update={"text": line.template})], content.claims)
            called |= {made.symbol: made.part.name} if isinstance(made.part, Opening) else {}
        if wrong is not None:
            yield Fault(place, wrong.code, wrong.why)
        for symbol, name in called.items():
            known = {symbol, *content.names.get(symbol, ())}
            if name not in known | {f"{one}{gap}({symbol})" for one in known for gap in ("", " ")}:
                said = Text(f"不是它的名称：{name}", f"not what it is called: {name}")
                yield Fault(place, "name_known", said)


def count_statements(content: PackContent) -> int:
    """How many statements make the texts of the paper."""
    made = (line.made for _, line in _list_told(content.paper))
    return sum(
        1 if isinstance(one, MadeAnswer) else len(one.statements) for one in made if one is not None
    )


def _list_told(paper: Paper) -> list[tuple[str, PaperLine]]:
    told = [(place, line) for place, line in lines_of(paper) if line.kind == "told"]
    return [*told, *table_lines(paper)]


def _find_typed(line: PaperLine, found: Grounded, content: PackContent) -> tuple[TextFailure, ...]:
    if not found.failures:
        return ()
    language, known = line.language or content.paper.language, content.by_id
    places = (one for one in pieces(line.template) if isinstance(one, PlacedFigure))
    placed = {
        show(known[one.claim_id], language, one.style).text
        for one in places
        if one.claim_id in known and can_be_shown(known[one.claim_id])
    }
    return tuple(
        failure
        for failure in found.failures
        if _is_figure(failure.span)
        and failure.span.strip() not in placed
        and not _DAY.fullmatch(failure.span)
    )


def _is_figure(span: str) -> bool:
    """Whether there is a number in it, in digits of any script or in words."""
    signs = any(sign.isdigit() or category(sign) in ("Nl", "No") for sign in span)
    return signs or _SAID.search(span) is not None


def can_be_shown(claim: Claim) -> bool:
    """A changed claim may have a unit that does not exist, or more digits than can be written."""
    try:
        show(claim)
    except (LookupError, ArithmeticError):
        return False
    return True


def table_lines(paper: Paper) -> Iterator[tuple[str, PaperLine]]:
    """Every text of a prose column, with its place."""
    for table in paper.tables:
        prose = {column.key for column in table.columns if column.kind == "prose"}
        for number, row in enumerate(table.rows, start=1):
            for key in prose & row.cells.keys():
                cell = row.cells[key]
                if isinstance(cell, str):
                    line = PaperLine(template=cell, made=table.made.get(cell))
                    yield f"{PAPER} table {table.key} row {number} {key}", line


def rule_faults(content: PackContent) -> Iterator[Fault]:
    """Each rule of which a claim cites a figure that this program knows otherwise, or not at all;
    each cited rule that the pack does not carry. Words that changed are `rule_notes`.
    """
    carried = {rule.competence_id: rule for rule in content.competences}
    for rule in content.competences:
        place = f"{RULES} {rule.competence_id}"
        ours = COMPETENCES.get(rule.competence_id)
        if ours is None:
            said = Text("本软件没有登记这条规则", "this program has no such rule")
            yield Fault(place, "competence_registered", said)
        elif ours.values != rule.values:
            said = f"{rule.values} ≠ {ours.values}"
            yield Fault(
                place, "value_equal", Text(f"规则的数不同：{said}", f"its figures differ: {said}")
            )
    for claim in content.claims:
        name = claim.cite.competence_id if isinstance(claim.cite, CompetenceCite) else None
        if name is not None and name not in carried:
            said = Text(
                f"{name_claim(claim)} 所引的规则不在包内", "the rule it cites is not in the pack"
            )
            yield Fault(f"{RULES} {name}", "rule_missing", said)


def find_changed_rules(content: PackContent) -> Iterator[tuple[Competence, Competence]]:
    """The rules whose words, reference or version this program has otherwise, and its own."""
    for rule in content.competences:
        ours = COMPETENCES.get(rule.competence_id)
        if ours is not None and ours != rule and ours.values == rule.values:
            yield rule, ours


def name_faults(content: PackContent) -> Iterator[Fault]:
    """Each company that the sources call otherwise than the pack's names, or a row of a table."""
    labels: dict[str, set[str]] = {}
    for call in content.trace.tool_calls:
        for symbol, said in call.labels.items():
            if "name" in said and symbol not in _MARKETS:
                labels.setdefault(symbol, set()).add(said["name"])
    for symbol, said in labels.items():
        known = set(content.names.get(symbol, ()))
        if known and not said <= known:
            told = f"{sorted(said)} ≠ {sorted(known)}"
            yield Fault(
                f"{NAMES} {symbol}", "name_equal",
                Text(f"名称与取数记录不符：{told}", f"the calls name it otherwise: {told}"),
            )  # fmt: skip
    for table in content.paper.tables:
        for number, row in enumerate(table.rows, start=1):
            said, told = labels.get(row.symbol or "", set()), row.cells.get("name")
            known = said | set(content.names.get(row.symbol or "", ()))
            if said and isinstance(told, str) and told not in known:
                yield Fault(
                    f"{PAPER} table {table.key} row {number} name", "name_equal",
                    Text(f"{row.symbol} 不叫 {told}", f"{row.symbol} is not called {told}"),
                )  # fmt: skip


def quote_faults(content: PackContent) -> Iterator[Fault]:
    """Each quoted text that no source gave, or that it gave otherwise."""
    given = {
        _flat(text)
        for call in content.trace.tool_calls
        for item in call.items
        for text in (item.title, item.text)
    }
    for number, block in enumerate(content.paper.blocks, start=1):
        if not isinstance(block, PaperQuote):
            continue
        for text in (block.title, block.text):
            plain = _flat(text).removesuffix("…")
            if plain and not any(plain in one for one in given):
                said = Text("引文与取回的原文不符", "no text that was fetched says this")
                yield Fault(f"{PAPER} block {number}", "quote_equal", said)


def _flat(text: str) -> str:
    return _SPACES.sub(" ", text).strip()

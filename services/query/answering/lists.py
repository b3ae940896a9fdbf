"""The actions that bring lists of figures: a screen of a market, a macro series."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import cast

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.claim_names import is_estimate, is_of_day
from services.core.claims import Claim, Figure, Missing
from services.core.industries import industry_label
from services.core.periods import is_report
from services.core.rendering import place
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text
from services.market import screener
from services.market.fundamentals import financial_data
from services.market.macro import MacroRow, MacroSeries
from services.market.outages import Absence, attempt
from services.query.answering.desk import ActionDesk, label_of, period_label
from services.query.answering.outcomes import AnswerColumn, AnswerRow, Outcome, Said, plain
from services.query.planning.plir import PlirNode

MACRO_PERIODS, MACRO_MOST = 6, 60
_NOT_THEN = Said("来源没有这段时间的数据", "the source has nothing for these days")
# A figure that a screen does not carry is asked company by company, for so many at most.
COMPLETED = 20
_UNRANKED_NAMED = 3
_ALWAYS = ("market_cap", "pettm")
_LOWEST_FIRST = frozenset(
    field for field, row in CATALOGUE.screen_fields.items() if row.better == "lower"
)
_SCREENED = (*SCREEN_FIELDS, "category", "industry", "order_by", "order", "size", "offset")
_BEYOND = Text(f"只补取前 {COMPLETED} 家", f"asked for the first {COMPLETED} companies only")
_MARKETS: Mapping[str, Said] = {
    "CN": Said("A股", "A shares"),
    "HK": Said("港股", "Hong Kong"),
    "US": Said("美股", "US"),
}


def screen(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The companies that satisfy the conditions, with the figures asked about."""
    given = {slot.key: slot.value for slot in node.args if slot.key in _SCREENED}
    found = _run_screen(desk, given)
    extra = _not_carried(desk, node)
    added = _add_figures(desk, found.rows, extra)
    rows = tuple(_row(desk, row, more) for row, more in zip(found.rows, added, strict=True))
    if not found.request.bounds and (order_by := found.request.order_by) != "symbol":
        rows = tuple(row for row in rows if isinstance(row.figures.get(order_by), Claim))
    keys = [*_list_asked(node), *_ALWAYS]
    columns = [AnswerColumn(key, _label(key)) for key in dict.fromkeys(keys)]
    columns[:0] = [AnswerColumn(metric, label_of(metric)) for metric in extra]
    market = _MARKETS[str(given.get("category", "CN"))]
    subject = market
    if industry := str(given.get("industry") or ""):
        label = industry_label(industry)
        subject = Said(f"{market.zh}{plain(label.zh)}", f"{market.en} in {plain(label.en)}")
    return Outcome(
        node,
        subject,
        {
            "data": [{"symbol": row.symbol, "name": row.label.zh, **row.figures} for row in rows],
            "count": found.match_count,
        },
        tuple(columns),
        rows,
        sentences=tuple(_tell_counts(desk, subject, found, rows)),
        notes=(*_tell_unjudged(subject, found), *_tell_left_out(subject, found)),
    )


def _run_screen(desk: ActionDesk, given: Mapping[str, JsonValue]) -> screener.ScreenResult:
    """The list; in its natural order where none was said. Raises: InputError, NoDataError.

    Of a bounded figure that is the best first, the lowest of a multiple; else the largest company.
    A market without that figure is listed by code.
    """
    if given.get("order_by") in {None, "symbol"}:
        bounded = next((key for key in SCREEN_FIELDS if given.get(key) is not None), "market_cap")
        order = "asc" if bounded in _LOWEST_FIRST else "desc"
        natural = screener.screen_request({**given, "order_by": bounded, "order": order})
        found = attempt(desk.ledger, lambda: screener.screen(desk.ledger, natural))
        if not isinstance(found, Absence):
            return found
    return screener.screen(desk.ledger, screener.screen_request(given))


def macro(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The newest periods of one macro series, the newest first."""
    series, start = str(node.arg("series")), str(node.arg("start_date") or "")
    count = node.arg("count") or (MACRO_MOST if start else MACRO_PERIODS)
    arguments: dict[str, JsonValue] = {"series": [series], "count": count}
    view = cast("Mapping[str, object]", desk.use("get_macro_data", arguments).view)
    found = view[series]
    subject = Said(series.upper(), series.upper())
    if not isinstance(found, MacroSeries):
        why = found.why if isinstance(found, Absence) else NO_TEXT
        return Outcome(node, subject, absent=Said.of(why))
    within = [row for row in reversed(found.rows) if _is_within(row, node)]
    given = [(row, figures) for row in within if (figures := _figures_wanted(row, node))]
    if not given:
        return Outcome(node, subject, absent=_NOT_THEN)
    rows = tuple(AnswerRow(period_label(row.period), figures) for row, figures in given)
    metrics = dict.fromkeys(metric for row in rows for metric in row.figures)
    return Outcome(
        node,
        subject,
        {"data": [{"period": row.label.zh, **row.figures} for row in rows]},
        tuple(AnswerColumn(metric, label_of(metric)) for metric in metrics),
        rows,
        sentences=(_newest(rows[0]),),
    )


def _figures_wanted(row: MacroRow, node: PlirNode) -> dict[str, Figure]:
    """The figures of a period that were asked for by name (`query`), or all of them."""
    wanted = node.arg("query")
    named = str(wanted).split("、")
    return {
        key: one for key, one in row.figures.items() if not wanted or CATALOGUE[key].zh in named
    }


def _is_within(row: MacroRow, node: PlirNode) -> bool:
    """Whether a period lies in the days asked about; every one does when none were."""
    start, end = node.arg("start_date"), node.arg("end_date")
    day = max(claim.as_of for claim in row.figures.values()).isoformat()
    return (not start or day >= str(start)) and (not end or day <= str(end))


def _list_asked(node: PlirNode) -> list[str]:
    """The fields of the screen somebody spoke of: ordered by, bounded, wanted."""
    ordered = str(node.arg("order_by"))
    bounded = [slot.key for slot in node.args if slot.key in SCREEN_FIELDS]
    wanted = [str(slot.extractor).rpartition(".")[2] for slot in node.outputs]
    return [key for key in (*wanted, ordered, *bounded) if key in SCREEN_FIELDS]


def _not_carried(desk: ActionDesk, node: PlirNode) -> list[str]:
    """The metrics wanted that no screen carries: 毛利率."""
    return [
        entry.financial_data_metric or entry.physical_metric
        for slot in node.outputs
        for entry in (desk.metadata.by_code(slot.code),)
        if entry.kind == "metric" and str(slot.extractor).rpartition(".")[2] not in SCREEN_FIELDS
    ]


def _add_figures(
    desk: ActionDesk, rows: Sequence[screener.ScreenRow], extra: list[str]
) -> list[dict[str, Figure]]:
    """For each company the figures that the screen does not carry."""
    if not extra:
        return [{} for _ in rows]
    works = [
        partial(_complete_company, symbol=row.symbol, metrics=extra) for row in rows[:COMPLETED]
    ]
    beyond: list[dict[str, Figure]] = [
        {metric: Missing(metric=metric, symbol=row.symbol, reason=_BEYOND) for metric in extra}
        for row in rows[COMPLETED:]
    ]
    return [*desk.each(works), *beyond]


def _row(desk: ActionDesk, row: screener.ScreenRow, added: Mapping[str, Figure]) -> AnswerRow:
    label = replace(desk.named(row.symbol), zh=plain(row.name))
    return AnswerRow(label, {**added, **row.figures}, row.symbol)


def _complete_company(desk: ActionDesk, symbol: str, metrics: list[str]) -> dict[str, Figure]:
    found = attempt(
        desk.ledger,
        lambda: financial_data(desk.ledger, Symbol(symbol), metrics, clock=desk.bench.clock),
    )
    if isinstance(found, Absence):
        return {
            metric: Missing(metric=metric, symbol=symbol, reason=found.why) for metric in metrics
        }
    figures: dict[str, Figure] = {}
    for metric in metrics:
        row = list(found.figures[metric].values())
        given = [figure for figure in row if isinstance(figure, Claim)]
        why = found.reasons.get(metric, Text("来源未给出", "not given by the source"))
        figures[metric] = (given or row or [Missing(metric=metric, symbol=symbol, reason=why)])[0]
    return figures


def _label(key: str) -> Said:
    return label_of(SCREEN_FIELDS[key])


def _tell_counts(
    desk: ActionDesk, subject: Said, found: screener.ScreenResult, rows: Sequence[AnswerRow]
) -> list[Said]:
    count, total = found.match_count, found.company_count
    if not found.rows:
        return [_none(subject, found)]
    if not found.request.bounds:
        return [_tell_order(desk, subject, found, rows)]
    more, few = count.value > len(rows), _few(found)
    zh = f"{subject.zh}{place(total)}公司中，符合条件的有{place(count)}{few.zh}"
    en = f"Of {place(total)} companies of {subject.en}, {place(count)} satisfy the conditions"
    listed = Said("，列出前几家。", "; the first of them are listed.")
    if found.request.offset:
        listed = Said("，列出问到的名次。", "; the place asked for is listed.")
    en += (listed.en if more else ".") + (f" {few.en[0].upper()}{few.en[1:]}." if few.en else "")
    told = [Said(zh + (listed.zh if more else "。"), en)]
    return (
        [*told, _tell_order(desk, subject, found, rows)]
        if found.request.order_by != "symbol"
        else told
    )


def _none(subject: Said, found: screener.ScreenResult) -> Said:
    """Nobody satisfies the conditions; of figures that no company has, nobody can tell."""
    lost = [_label(field) for field, claim in found.judged.items() if not claim.value]
    total, few = found.company_count, _few(found)
    few_en = f"; {few.en}" if few.en else ""
    if lost:
        zh, en = "、".join(one.zh for one in lost), ", ".join(one.en for one in lost)
        return Said(
            f"{subject.zh}公司共{place(total)}，来源没有其中任何一家的{zh}，这样的条件无法筛选。",
            f"No company of {subject.en} ({place(total)}) has {en} here, so nothing can be "
            "screened by it.",
        )
    return Said(
        f"{subject.zh}（共{place(total)}{few.zh}）没有同时满足这些条件的公司。",
        f"No company of {subject.en} ({place(total)}{few_en}) satisfies all the conditions.",
    )


def _few(found: screener.ScreenResult) -> Said:
    """The figures that less than half of the companies have, which a headline must not hide."""
    thin = [
        (_label(field), claim)
        for field, claim in found.judged.items()
        if claim.value * 2 < found.company_count.value
    ]
    if not thin:
        return Said("", "")
    zh = "、".join(f"有{label.zh}数据的只有{place(claim)}" for label, claim in thin)
    en = ", ".join(f"{label.en} is known of only {place(claim)}" for label, claim in thin)
    return Said(f"，{zh}", en)


def _tell_order(
    desk: ActionDesk, subject: Said, found: screener.ScreenResult, rows: Sequence[AnswerRow]
) -> Said:
    """How they are ordered, and the first of them with the figure that puts it there."""
    order_by, total = found.request.order_by, found.company_count
    if order_by == "symbol":
        return Said(
            f"{subject.zh}共{place(total)}公司，按代码列出前几家。",
            f"{subject.en} has {place(total)} companies; the first by code are listed.",
        )
    label, first = _label(order_by), found.rows[0]
    down = found.request.order == "desc"
    zh = f"按{label.zh}{'从高到低' if down else '从低到高'}"
    en = f"By {label.en}, {'highest' if down else 'lowest'} first"
    figure, name = first.figures.get(order_by), plain(first.name)
    name_en = rows[0].label.en if rows else name
    if not isinstance(figure, Claim) and found.request.offset:
        return Said(
            f"{zh}，问到的名次是{name}，来源没有它的{label.zh}。",
            f"{en}: at the place asked for is {name_en}, which has no {label.en} here.",
        )
    if not isinstance(figure, Claim):
        zh = f"来源没有任何{subject.zh}公司的{label.zh}，无法按它排序"
        en = f"No company of {subject.en} has {label.en} here, so they cannot be ordered by it"
        bounded = bool(found.request.bounds)
        return Said(zh + "，以下按代码列出。" * bounded + "。" * (not bounded), en + ".")
    day, day_en = _say_day(figure)
    if found.request.offset:
        return Said(
            f"{zh}，问到的名次是{name}，{label.zh}{place(figure)}{day}。",
            f"{en}: at the place asked for is {name_en} with {place(figure)}{day_en}.",
        )
    few = Said("", "") if found.request.bounds else _few(found)
    lost = _tell_unranked(desk, found, label, figure.as_of)
    zh, en = f"{zh}{few.zh}", f"{en}; {few.en}" if few.en else en
    if (known := found.judged.get(order_by)) is not None and not few.zh:
        zh = f"{zh}（有{label.zh}的{place(known)}）"
        en = f"{en}, of the {place(known)} that have it"
    return Said(
        f"{zh}，排在最前的是{name}，{label.zh}{place(figure)}{day}。{lost.zh}",
        f"{en}: {name_en} leads with {place(figure)}{day_en}.{lost.en}",
    )


def _tell_unranked(desk: ActionDesk, found: screener.ScreenResult, label: Said, told: date) -> Said:
    """Who could not be ranked for want of the figure: how many, with the best known by name, and
    the day they were counted where the figures `told` are of another.
    """
    without = found.unranked
    if without is None:
        return Said("", "")
    listed = without.companies[:_UNRANKED_NAMED]
    names = [plain(name) for _, name in listed]
    names_en = [desk.named(symbol).en for symbol, _ in listed]
    more = len(without.companies) > len(names)
    day = without.count.as_of
    on, on_en = ("", "Not") if day == told else (f"（{day}）", f"As of {day}, not")
    companies = "company" if without.count.value == 1 else "companies"
    return Said(
        f"{'、'.join(names)}{'等' if more else '共'}{place(without.count)}{on}没有{label.zh}，"
        "未参与排名。",
        f" {on_en} ranked for want of {label.en}: {place(without.count)} {companies}, "
        f"{'among them ' if more else ''}{', '.join(names_en)}.",
    )


def _tell_left_out(subject: Said, found: screener.ScreenResult) -> list[Said]:
    """What the market lists that is no company, where a whole market is counted."""
    if not found.left_out or found.request.industry:
        return []
    zh = "、".join(f"{one.label.zh} {place(one.count)} 只" for one in found.left_out)
    en = ", ".join(f"{one.label.en} {place(one.count)}" for one in found.left_out)
    return [Said(f"{subject.zh}只计公司，不计{zh}", f"{subject.en}: companies only, without {en}")]


def _say_day(figure: Claim) -> tuple[str, str]:
    """The day or the report the figure is of, and whether it is estimated, in both languages."""
    reported = is_report(figure.period) and not is_of_day(figure)
    of = period_label(figure.period) if figure.period and reported else None
    zh, en = (of.zh, of.en) if of else (figure.as_of.isoformat(),) * 2
    guess, guess_en = ("，推算", ", estimated") if is_estimate(figure) else ("", "")
    return f"（{zh}{guess}）", f" ({en}{guess_en})"


def _tell_unjudged(subject: Said, found: screener.ScreenResult) -> list[Said]:
    """What nobody has a figure for, and how many of the market have one."""
    notes: list[Said] = []
    ranked = found.request.order_by if not found.request.bounds and found.rows else ""
    for field, claim in found.judged.items():
        if field == ranked:
            continue  # the sentence says it
        label = _label(field)
        notes.append(
            Said(
                f"{subject.zh}有{label.zh}数据的公司{place(claim)}，没有该数据的不参与筛选和排序",
                f"{place(claim)} companies of {subject.en} have {label.en}; those without it "
                "are left out",
            )
        )
    return notes


def _newest(row: AnswerRow) -> Said:
    parts = [
        (metric, figure) for metric, figure in row.figures.items() if isinstance(figure, Claim)
    ]
    zh = "，".join(f"{label_of(metric).zh} {place(figure)}" for metric, figure in parts)
    en = ", ".join(f"{label_of(metric).en} {place(figure)}" for metric, figure in parts)
    return Said(f"{row.label.zh}：{zh}。", f"{row.label.en}: {en}.")

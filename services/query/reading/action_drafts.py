"""Nodes of what other tools are asked: their slots filled from the question and the turn before.

A question that leaves out its company, its days or what it wants has those of the turn it goes on
from. What no source tells is put back.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from itertools import pairwise
from typing import cast

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.errors import InputError
from services.core.text import Language
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.planning.metadata import Metadata, MetadataEntry
from services.query.planning.nlir import Action, NlirNode
from services.query.planning.plir import Turn
from services.query.planning.slots import NodeDraft
from services.query.planning.spellings import FEED_PARTS
from services.query.reading.actions import ActionPart, ActionWords, asked_of, doings
from services.query.reading.clarification import AskedBack, asked
from services.query.reading.days_said import days_of, spans
from services.query.reading.english import company_en
from services.query.reading.tagging import Lattice
from services.query.reading.time_expressions import SaidTime

_SPANNED: frozenset[Action] = frozenset({"abnormal", "feed", "price_history"})
_OF_ONE_TOOL: frozenset[Action] = frozenset({
    "news", "profile", "billboard", "score", "indicator", "compare",
})  # fmt: skip
_KEPT_DAYS = ("time_range", "start_date", "end_date")
_MOST_PERIODS = 40
# How many periods of a series a unit of time is: a month each, a quarter of GDP, sessions of flows.
_A_MONTH: Mapping[str, int] = {"年": 12, "季度": 3, "月": 1, "期": 1}
_PERIODS: Mapping[str, Mapping[str, int]] = {
    "GDP": {"年": 4, "季度": 1, "期": 1},
    "资金流向": {"年": 240, "季度": 60, "月": 21, "周": 5, "天": 1, "期": 1},
}
_JOINS = re.compile(r"[和与跟及、,，]|\band\b")
# What moves of the price are told by: beside them a figure of a report is the cause asked for.
_MOVING = frozenset({"event", "why", "how", "big", "move", "turn"})


class Actions:
    """Reads what is asked of other tools. Safe to share between threads."""

    def __init__(self, names: Names, metadata: Metadata, calendar: Calendar) -> None:
        self._names, self._metadata, self._calendar = names, metadata, calendar

    def drafts(
        self, lattice: Lattice, before: Turn | None, today: date, language: Language
    ) -> list[NodeDraft] | None:
        """The nodes to be; None where no action has a place for every word of the question.

        `before`: the turn it may go on from. Raises: AskedBack.
        """
        points = any(one.sem == "thatday" for one in lattice.has("follow"))
        if points and not lattice.has("WHEN") and not _is_of_one_day(_nodes(before)):
            return None  # what happened that day, behind a year
        for doing in doings():
            told = asked_of(lattice, doing, today, self._calendar)
            if told is None or not (told.is_asked or _goes_on(told, before)):
                continue
            if told.doing.action == "macro":
                return self._of_series(told, before, today, language, lattice.text)
            if (found := self._of_companies(told, before, today, language, lattice.text)) is None:
                continue
            return found
        return None

    def _of_companies(
        self, told: ActionWords, before: Turn | None, today: date, language: Language, text: str
    ) -> list[NodeDraft] | None:
        nodes = () if told.is_whole else _nodes(before)
        symbols = told.companies or self._symbols(nodes)
        if not symbols:
            return None
        if told.doing.action == "query":
            return self._of_entries(told, symbols)
        if told.doing.action in _OF_ONE_TOOL:
            return self._each(told, symbols, (before, nodes))
        return self._of_texts(told, symbols, (before, nodes), today, language, text)

    def _each(
        self,
        told: ActionWords,
        symbols: Sequence[str],
        gone: tuple[Turn | None, Sequence[NlirNode]],
    ) -> list[NodeDraft]:
        """What one tool says of each company: news, its business, indicators; beside those of its
        industry by the figures said or those before.
        """
        action, (before, nodes) = told.doing.action, gone
        is_beside = action == "compare"
        outputs = self._entries(told.said("figure")) or self._outputs(nodes) if is_beside else ()
        said = {"news": "新闻", "indicator": " ".join(_indicators(told))}.get(action, "")
        args: dict[str, JsonValue] = {"query": said} if said else {}
        return [
            NodeDraft(action, outputs, args, symbol=one, ref=self._ref(before, nodes, one))
            for one in symbols
        ]

    def _of_texts(
        self, told: ActionWords, symbols: Sequence[str],
        gone: tuple[Turn | None, Sequence[NlirNode]], today: date, language: Language, text: str,
    ) -> list[NodeDraft] | None:  # fmt: skip
        """Moves, texts or prices of each span of days, with figures asked for beside them."""
        before, nodes = gone
        figures = told.said("figure")
        args: dict[str, JsonValue] = {}
        if told.doing.action == "feed":
            args["wants"] = _wants(told) or (str(nodes[0].arg("wants")) if nodes else "")
            if (topics := _topics(told, text)) is None:
                return None
            if topics:
                args["query"] = " ".join(dict.fromkeys(text[a.start : a.end] for a in topics))
            figures = [one for one in figures if one not in topics]
        elif told.doing.action == "abnormal" and (moved := _cause(told)) is not None:
            raise self.no_cause(str(moved.sem), symbols, language)
        elif told.said("turn"):
            return None
        days = spans(told.whens, today) or (_keep_days(nodes),)
        made: list[NodeDraft] = []
        for symbol in symbols:
            ref = self._ref(before, nodes, symbol)
            made += [
                NodeDraft(told.doing.action, (), {**args, **span}, symbol=symbol, ref=ref)
                for span in days
            ]
            if entries := self._entries(figures):
                made.append(NodeDraft("query", entries, {"period": "最新"}, symbol=symbol))
        return made

    def _of_series(
        self, told: ActionWords, before: Turn | None, today: date, language: Language, text: str
    ) -> list[NodeDraft]:
        series = measured(told)
        if abroad := told.said("abroad"):
            zh = language == "zh"
            names = [text[one.start : one.end] for one in told.said("series")]
            choices = [f"中国{one.upper()}" if zh else f"China {one.upper()}" for one in names]
            place = text[abroad[0].start : abroad[0].end]
            raise asked(language, "foreign_macro", place, choices=choices)
        if series is None:
            words = "".join(text[one.start : one.end] for one in told.said("series", *MEASURES))
            raise asked(language, "not_held", f"「{words}」" if language == "zh" else words)
        nodes = _nodes(before) if _goes_on(told, before) else ()
        kept = {slot.key: slot.value for slot in nodes[0].args} if nodes else {}
        ref = f"{before.turn_id}.{nodes[0].id}" if before is not None and nodes else None
        again = {str(kept["series"]): kept.get("query")} if kept else {}
        made: list[NodeDraft] = []
        for name, wanted in (series or again).items():
            args = {**kept, **_periods(name, told.whens, today), "series": name}
            args.pop("query", None)
            made.append(
                NodeDraft("macro", args=args | ({"query": wanted} if wanted else {}), ref=ref)
            )
        return made

    def _of_entries(self, told: ActionWords, symbols: Sequence[str]) -> list[NodeDraft] | None:
        """Figures by their own names in the catalogue, of the reports said or the newest: never one
        that is called nearly so.
        """
        names = [str(one.sem) for one in told.said("entry")]
        found = [self._metadata.exact(name) for name in names]
        entries = tuple(dict.fromkeys(one for one in found if one is not None))
        said = [one for one in told.whens if one.period]
        if len(said) != len(told.whens) or not entries or None in found:
            return None
        periods: list[dict[str, JsonValue]] = [
            {"period": one.period, **({"count": one.count} if one.count else {})} for one in said
        ]
        return [
            NodeDraft("query", entries, period, symbol=symbol)
            for symbol in symbols
            for period in periods or [{"period": "最新"}]
        ]

    def _entries(self, figures: Sequence[ActionPart]) -> tuple[MetadataEntry, ...]:
        codes = [CATALOGUE[str(one.sem)].question_code for one in figures]
        return tuple(self._metadata.by_code(code) for code in codes if code is not None)

    def _outputs(self, nodes: Sequence[NlirNode]) -> tuple[MetadataEntry, ...]:
        """The figures of the turn before."""
        names = dict.fromkeys(slot.name for node in nodes for slot in node.outputs)
        entries = (self._metadata.exact(name) for name in names)
        return tuple(one for one in entries if one is not None and one.kind == "metric")

    def _symbols(self, nodes: Sequence[NlirNode]) -> list[str]:
        """Whom the turn before was about; nothing where that is not sure."""
        try:
            found = [
                self._names.resolve(str(said)).value
                for node in nodes
                if (said := node.arg("entity")) is not None
            ]
        except InputError:
            return []
        return list(dict.fromkeys(found))

    def _ref(self, before: Turn | None, nodes: Sequence[NlirNode], symbol: str) -> str | None:
        if before is None or not nodes:
            return None
        own = [one for one in nodes if self._symbols((one,)) == [symbol]]
        return f"{before.turn_id}.{(own or nodes)[0].id}"

    def no_cause(self, figure: str, symbols: Sequence[str], language: Language) -> AskedBack:
        """Put back: no source says why the figure is so; what of one company can be shown."""
        said = CATALOGUE[figure].zh if language == "zh" else CATALOGUE[figure].en.lower()
        if len(symbols) != 1:
            return AskedBack(asked(language, "no_cause_of_set", said).ask_back, "no_cause")
        company = self._names.name(symbols[0])
        if language == "zh":
            choices = (f"{company}近五年{said}", f"{company}{said}", f"{company}异动")
        else:
            company = company_en(company, self._names)
            choices = (f"{company} {said} last five years", f"why did {company} move")
        return asked(language, "no_cause", said, choices=choices)


def _nodes(turn: Turn | None) -> tuple[NlirNode, ...]:
    return turn.nlir.nodes if turn is not None and turn.nlir is not None else ()


def _goes_on(told: ActionWords, before: Turn | None) -> bool:
    """那五粮液呢, 2016年1月呢: the same action of the turn before, with a slot said anew."""
    nodes = _nodes(before)
    same = bool(nodes) and all(one.action == told.doing.action for one in nodes)
    slots = told.said("company", "days", "periods", "series")
    return same and bool(slots) and len(slots) == len(told.parts)


def _indicators(told: ActionWords) -> list[str]:
    """The indicators said; none where all are asked for."""
    said = dict.fromkeys(str(one.sem) for one in told.said("indicator"))
    return [one for one in said if one != "all"]


def _wants(told: ActionWords) -> str:
    """The parts of a feed that were said."""
    said = {one.kind for one in told.parts}
    if {"halted", "cause"} <= said:
        said.add("公告")
    if {"crowd", "say"} <= said and "大V" not in said:
        said.add("最新讨论")
    if "大V" in said:
        said.discard("最新讨论")
    order = [one for one in FEED_PARTS if one in said]
    return "、".join(sorted(order, key=_WANTED.index))


_WANTED = ("公告", "最热讨论", "大V", "最新讨论")


def _topics(told: ActionWords, text: str) -> list[ActionPart] | None:
    """What the texts are to be about; None where such a word stands elsewhere."""
    parts = [one for one in told.parts if one.kind != "beside"]
    found: list[ActionPart] = []
    for at, one in enumerate(parts):
        after = parts[at + 1] if at + 1 < len(parts) else None
        # 净利润和公告: the figure, and the announcements.
        is_apart = after is not None and _JOINS.search(text, one.end, after.start)
        follows = after.kind if after is not None and not is_apart else ""
        is_topic = one.kind in ("figure", "topic") and follows in _WANTED
        is_halted = one.kind == "halted" and (bool(told.said("cause")) or follows == "公告")
        if is_topic or is_halted:
            found.append(one)
        elif one.kind in ("topic", "halted"):
            return None
    return found


def _cause(told: ActionWords) -> ActionPart | None:
    """净利润为什么下降: the figure of a report whose move is to be explained."""
    parts = [one for one in told.parts if one.kind not in ("beside", "days", "company")]
    for one, other in pairwise(parts):
        if one.kind == "figure" and other.kind in _MOVING:
            return one
        if other.kind == "figure" and one.kind == "why":
            return other
    return None


def _keep_days(nodes: Sequence[NlirNode]) -> Mapping[str, JsonValue]:
    """The days of the turn before, where it had some."""
    if not nodes or nodes[0].action not in _SPANNED:
        return {}
    return {key: value for key in _KEPT_DAYS if (value := nodes[0].arg(key)) is not None}


def _is_of_one_day(nodes: Sequence[NlirNode]) -> bool:
    days = [(node.arg("start_date"), node.arg("end_date")) for node in nodes]
    return bool(days) and all(first and first == last for first, last in days)


def _periods(name: str, whens: Sequence[SaidTime], today: date) -> Mapping[str, JsonValue]:
    """How many periods of that series a 近一年 or 近六期 is, or which days."""
    units = _PERIODS.get(name, _A_MONTH)
    for when in whens:
        if when.count and (each := units.get(when.unit or "")):
            return {"count": min(_MOST_PERIODS, when.count * each)}
    days = [found for when in whens if "start_date" in (found := days_of(when, today))]
    return days[0] if days else {}


_FILE = DATA_FOLDER / "lexicon" / "actions.toml"
# Kinds of words that say which figure of a series is meant.
MEASURES = ("growth", "mom", "level", "one", "five")


def measured(told: ActionWords) -> Mapping[str, str] | None:
    """Each series said, with the names of the figures meant of it (empty: all it has).

    A word of measure is of the series right before it, and of those beside that have none: M1、M2
    增速. Before any series it is of the first. None where a series has no such figure.
    """
    run: list[list[str]] = []  # series without a measure yet
    said: list[list[str]] = []
    early: list[str] = []
    measures = False
    for one in told.said("series", *MEASURES):
        if one.kind == "series":
            run = [] if measures else run
            measures = False
            said.append([str(one.sem), *early])
            run, early = [*run, said[-1]], []
        elif not said:
            early.append(one.kind)
        else:
            measures = True
            for each in run:
                each.append(one.kind)
    found: dict[str, list[str]] = {}
    for name, *kinds in said:
        series, _, own = name.partition("/")
        wanted = " ".join(dict.fromkeys((*own.split(), *kinds)))
        figure = _figures().get(f"{series}/{wanted}")
        if figure is None and wanted:
            return None
        found.setdefault(series, [])
        if figure is not None:
            found[series].append(CATALOGUE[figure].zh)
    return {series: "、".join(dict.fromkeys(names)) for series, names in found.items()}


@cache
def _figures() -> Mapping[str, str]:
    table = read_data_file(_FILE).tables["macro"]["figures"]
    return cast("Mapping[str, str]", table)

"""A question that goes on from a screen: one more condition, another order, places in the list."""

import re
from collections.abc import Sequence

from pydantic import JsonValue

from services.core.errors import InputError
from services.language.numerals import small_number
from services.language.plain_text import lower, plain_question
from services.market.ranges import UNIT_WORDS
from services.query.planning.metadata import Entry, Metadata
from services.query.planning.nlir import Node
from services.query.planning.plir import Turn
from services.query.planning.slots import Draft
from services.query.reading.amounts_said import unit_in, with_figure, with_side
from services.query.reading.clarification import asked
from services.query.reading.question import Question
from services.query.reading.screen_parser import ScreenReader
from services.query.reading.screen_validation import ScreenRefuser
from services.query.reading.screening import LAST

MORE = re.compile(
    r"加上|还要|也要|也看|也给|也列|一起看|一并|also|\badd|\bplus\b|\btoo\b|as well|\bboth\b"
)
_DROPPED = re.compile(r"去掉|去除|不要|删掉|取消|拿掉|不限|不看|不考虑|remove|drop|without")
_ALL = re.compile(r"(?:所有|全部)(?:的)?条件|条件(?:都|全)|all (?:the )?conditions")
_THE_ORDER = re.compile("排序|顺序|sorting|the order")
_SCREEN_WORDS = ("category", "industry", "order_by", "order", "size", "rank")
_HOW_MANY = re.compile(r"多少[只家个支]|几[只家个支]|多少$|\bhow many\b")
_LOOSER = re.compile(r"^\W*(?:再|条件)*(?:放[宽松]|收紧|严格|宽松)(?:一点|点儿?|一些|些)?\W*$")
_CONDITION = re.compile(r"第(?P<n>[一二三四\d])[个条]?条件|(?P<en>first|second|third) condition")
_FIGURES = re.compile(r"[^0-9.].*?(?=[0-9])|(?<=[0-9])[^0-9.].*")
_PLACES = {"first": 1, "second": 2, "third": 3}
_LISTED = 10
_OTHER_WAY = {"降序": "升序", "升序": "降序"}


class ListFollower:
    """Merges a question with the screens of an earlier turn. Safe to share between threads."""

    def __init__(self, metadata: Metadata, screens: ScreenReader, refuser: ScreenRefuser) -> None:
        self._metadata, self._screens, self._refuser = metadata, screens, refuser

    def follow(self, question: Question, turn: Turn, nodes: Sequence[Node]) -> list[Draft] | None:
        """The nodes it becomes; None when it changes nothing of them. Raises: AskedBack."""
        if question.symbols:
            base = nodes[0]
            outputs = question.figures or self._screened(base)
            period = dict(question.times.newest_if_none()[0])
            return [
                Draft("query", outputs, period, symbol=symbol, ref=f"{turn.turn_id}.{base.id}")
                for symbol in question.symbols
            ]
        if _LOOSER.search(question.text.lower()) and question.screening.is_empty:
            fields = [key for node in nodes for key in self._fields_of(_args(node))]
            names = [self._screens.entry_of(key).name for key in dict.fromkeys(fields)]
            said = "、".join(self._refuser.called(name, question.language) for name in names)
            choices = self._refuser.samples(question.language, tuple(dict.fromkeys(fields)))
            raise asked(question.language, "unfinished", said, choices=choices)
        moved = question.screening.category is not None
        drafts = [
            draft
            for base in (nodes[:1] if moved else nodes)
            if (draft := self._merged(question, turn, base)) is not None
        ]
        if drafts:
            self._refuser.check_time(question)
        return drafts or None

    def _merged(self, question: Question, turn: Turn, base: Node) -> Draft | None:
        said = question.screening
        before = _args(base)
        args, outputs = dict(before), tuple(question.figures)
        kept = tuple(self._metadata.resolve(slot.name) for slot in base.outputs)
        if said.of_top is not None:
            args = self._cut(args, said.size or 1)
            outputs = (said.of_top,)
        elif said.place is not None:
            args = self._placed(question, args, said.place)
        else:
            if self._drops(question, args):
                outputs = ()
            self._bounded(question, args, kept, self._nth(question, turn, args))
            self._add_conditions(question, args)
            self._worded(question, args)
            if way := _moved_way(question, args):
                args["order"], outputs = way, ()
        if outputs and MORE.search(question.text.lower()):
            outputs = (*kept, *outputs)
        if not outputs and args == before and not _HOW_MANY.search(question.text.lower()):
            return None
        return Draft("screen", outputs or kept, args, ref=f"{turn.turn_id}.{base.id}")

    def _screened(self, base: Node) -> tuple[Entry, ...]:
        """The figures the screen was about."""
        keys = [slot.key for slot in base.args if slot.key not in _SCREEN_WORDS]
        entries = [self._screens.entry_of(key) for key in keys]
        if order_by := base.arg("order_by"):
            entries.append(self._metadata.resolve(str(order_by)))
        return tuple(dict.fromkeys(entries))

    def _cut(self, args: dict[str, JsonValue], size: int) -> dict[str, JsonValue]:
        """The same list, so many of it."""
        return {key: value for key, value in args.items() if key != "rank"} | {"size": size}

    def _placed(
        self, question: Question, args: dict[str, JsonValue], place: int
    ) -> dict[str, JsonValue]:
        """One company of the list, by its place."""
        listed = int(str(args.get("size") or _LISTED))
        place = listed if place == LAST and args.get("size") else place
        if not 1 <= place <= listed:
            zh = question.language == "zh"
            choices = ["第一名", "第一名的市盈率"] if zh else ["the first one", "their PE"]
            if place == LAST:
                raise asked(question.language, "not_understood", question.text, choices=choices)
            raise asked(question.language, "no_such_place", str(place), choices=choices)
        rank: dict[str, JsonValue] = {"rank": place} if place > 1 else {}
        return self._cut(args, 1) | rank

    def _drops(self, question: Question, args: dict[str, JsonValue]) -> bool:
        """去掉市盈率条件, 不限行业: takes it out of `args`; whether anything was to be dropped."""
        said, text = question.screening, question.text.lower()
        gone = [self._screens.field_of(entry) for entry in question.figures]
        fields = self._fields_of(args)
        if said.any_industry or (said.excluded and said.excluded.startswith(_industry(args))):
            gone.append("industry")
        elif not _DROPPED.search(text):
            self._refuser.check_excluded(question)
            return False
        else:
            self._refuser.check_excluded(question)
        if _ALL.search(text):
            gone += fields
        if _THE_ORDER.search(text):
            gone += ["order_by", "order"]
        gone = [key for key in gone if key]
        if gone and not any(key in args for key in gone):
            names = [self._refuser.called(self._screens.entry_of(k).name, "zh") for k in fields]
            choices = [f"去掉{name}" for name in names]
            if question.language == "en":
                names = [self._refuser.called(name, "en") for name in names]
                choices = [f"remove {name}" for name in names]
            raise asked(question.language, "no_such_condition", choices=choices)
        for key in gone:
            args.pop(key, None)
        return bool(gone)

    def _fields_of(self, args: dict[str, JsonValue]) -> list[str]:
        return [key for key in args if key not in _SCREEN_WORDS]

    def _bounded(
        self, question: Question, args: dict[str, JsonValue], kept: Sequence[Entry], nth: str
    ) -> None:
        """改成小于15, 改成10倍: a bound or a figure of no name is of the condition there is.

        `nth` is the field of 第二个条件, where one was named so.
        """
        said = question.screening
        for side, figure in said.limits:
            name = nth or self._meant(question, args, kept, figure)
            if bound := with_side(str(args.get(name) or ""), side, figure):
                args[name] = bound
        for key, figure in said.changed.items():
            name = key or nth or self._meant(question, args, kept, figure)
            if name in args and (bound := with_figure(str(args[name]), figure)):
                args[name] = bound
            elif key and key not in args:
                args[key] = f"不低于{figure}"
        if said.bare_term is not None:
            args[nth or self._meant(question, args, kept, said.bare_term)] = said.bare_term

    def _nth(self, question: Question, turn: Turn, args: dict[str, JsonValue]) -> str:
        """The field of 第二个条件, in the order they were said; empty when none is meant so."""
        match = _CONDITION.search(question.text.lower())
        if match is None:
            return ""
        nth = _PLACES.get(match["en"] or "") or small_number(match["n"])
        fields = self._fields_of(args)
        said = lower(plain_question(turn.user_query))
        fields.sort(key=lambda key: said.find(_FIGURES.sub("", str(args[key]))))
        if not 1 <= nth <= len(fields):
            names = [self._screens.entry_of(key).name for key in fields]
            choices = [f"去掉{name}" for name in names]
            raise asked(question.language, "no_such_condition", choices=choices)
        return fields[nth - 1]

    def _meant(
        self,
        question: Question,
        args: dict[str, JsonValue],
        kept: Sequence[Entry],
        said: str,
    ) -> str:
        """The one condition that may be meant, by its unit; else a figure that was asked for.

        Raises: AskedBack.
        """
        fields, unit = self._fields_of(args), unit_in(said)
        found = [key for key in fields if not unit or UNIT_WORDS[key] == unit]
        if not found:
            keys = [self._screens.field_of(entry) for entry in kept]
            found = [key for key in keys if key and UNIT_WORDS[key] == unit]
        if len(found) == 1:
            return found[0]
        names = [self._screens.entry_of(key).name for key in fields]
        verb = "" if re.match("[大小高低不超过至]|.*以", said) else "改成"
        choices = [f"{name}{verb}{said}" for name in names] or self._refuser.samples("zh")
        if question.language == "en":
            choices = self._refuser.samples("en", fields)
        raise asked(question.language, "unfinished", question.text, choices=choices)

    def _add_conditions(self, question: Question, args: dict[str, JsonValue]) -> None:
        """New conditions join; on the same figure they replace, or with 加上 hold as well."""
        added = MORE.search(question.text.lower()) is not None
        for key, condition in question.screening.conditions.items():
            if added and key in args and args[key] != condition:
                both = f"{args[key]}且{condition}"
                try:
                    self._screens.checked({key: both})
                except InputError as error:
                    raise self._contradicting(question, key, condition, error) from None
                args[key] = both
            else:
                args[key] = condition

    def _contradicting(
        self, question: Question, key: str, condition: str, error: InputError
    ) -> Exception:
        entry = self._screens.entry_of(key)
        name = self._refuser.called(entry.name, question.language)
        why = error.valid.zh if question.language == "zh" else error.valid.en
        choices = (f"{entry.name}{condition}",)
        if question.language == "en":
            choices = (self._refuser.sample(key, "en"),)
        return asked(question.language, "wrong_condition", name, why, choices=choices)

    def _worded(self, question: Question, args: dict[str, JsonValue]) -> None:
        """Market, industry, order and size as they are said now."""
        said = question.screening
        for key in ("category", "industry", "order_by", "size"):
            if (value := getattr(said, key)) is not None:
                args[key] = value
        if said.size is not None:
            args.pop("rank", None)
        if (said.order or said.flipped) and not args.get("order_by"):
            zh = ("按净利润从高到低排", "按市盈率从低到高排", "按股息率从高到低排")
            en = ("sort by net profit", "sort by PE ascending", "sort by dividend yield")
            raise asked(question.language, "no_order", choices=zh if _is_zh(question) else en)
        current = str(args.get("order") or "降序")
        if said.flipped and said.order != _OTHER_WAY[current]:
            args["order"] = _OTHER_WAY[current]
        elif said.order is not None:
            args["order"] = said.order
        elif args.get("order_by") and not args.get("order"):
            args["order"] = "降序"


def _args(node: Node) -> dict[str, JsonValue]:
    return {slot.key: slot.value for slot in node.args}


def _moved_way(question: Question, args: dict[str, JsonValue]) -> str | None:
    """涨幅 or 跌幅 of a list ordered by the day's change: the best or the worst of it first."""
    said = [one.said for one in question.sentence.figures]
    if args.get("order_by") != "涨跌幅" or len(said) != 1:
        return None
    return {"跌幅": "升序", "涨幅": "降序"}.get(said[0])


def _industry(args: dict[str, JsonValue]) -> str:
    """The industry of the screen; what no text begins with when it has none."""
    return str(args.get("industry") or "\n")


def _is_zh(question: Question) -> bool:
    return question.language == "zh"

"""A question that goes on from the one before: what it does not say is taken over, with lineage."""

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from services.core.errors import InputError
from services.query.asking import about, asked
from services.query.entities import NameBook
from services.query.intents import SPANNED
from services.query.metadata import Entry, Metadata
from services.query.nlir import Action, Node
from services.query.periods_said import REPORTS, When
from services.query.plir import Session, Turn
from services.query.question import Question
from services.query.screens_said import ScreenReader, with_figure
from services.query.slots import Draft
from services.query.times import is_of_days

_MARKERS = re.compile(
    r"^(?:那|再|还有|也|换|改|只|按|它|他|她|这|其|去掉|去除|不要|删掉|加上|加|另外|然后|"
    r"从|和|跟|与|比|"
    r"and\b|what about|how about|also\b|only\b|just\b|their\b|its\b|switch|sort|order|but\b|"
    r"in \d{4}|now\b)"
    r"|呢[?。!]*$|它们|它的|他们|改成|改为|换成"
)
_SEVERAL = re.compile(
    r"[它他她]们|这[几两三]|两家|三家|两者|三者|\b(?:their|them|all of them|both)\b"
)
_ONE_OF_LIST = re.compile(r"第[一二三四五六七八九十\d]+[只家个名支]")
_MORE = re.compile(r"加上|还要|also|add|plus")
_BESIDE = re.compile(r"^(?:再?加上|比|(?:和|跟|与).*(?:比|相比|对比|比较)|also|add|and compare)")
_DROPPED = re.compile(r"去掉|去除|不要|删掉|remove|drop")
_COMPANY_ACTIONS: tuple[Action, ...] = ("query", "price_history", "abnormal", "feed", "compare")
_SCREEN_WORDS = ("category", "industry", "order_by", "order", "size")


def is_marked(text: str) -> bool:
    """Whether its words point back: 那…, …呢, 它们, 换成, what about."""
    return _MARKERS.search(text.lower()) is not None


def last_read(context: Session) -> Turn | None:
    """The newest turn that was understood."""
    return next((turn for turn in reversed(context.turns) if turn.nlir is not None), None)


class Follower:
    """Merges a question with the nodes of an earlier turn."""

    def __init__(self, book: NameBook, metadata: Metadata, screens: ScreenReader) -> None:
        self._book, self._metadata, self._screens = book, metadata, screens

    def follow(self, question: Question, turn: Turn, context: Session) -> list[Draft] | None:
        """The nodes it becomes; None when it says nothing that changes them.

        Raises: AskedBack.
        """
        if turn.nlir is None:
            return None
        nodes = turn.nlir.nodes
        base = nodes[0]
        if base.action == "screen":
            return self._from_screen(question, turn, base)
        if base.action == "macro":
            return self._from_macro(question, turn, base)
        if base.action in _COMPANY_ACTIONS:
            if many := self._all_of(question, nodes, context):
                return many
            return self._from_companies(question, turn, nodes)
        return None

    def _all_of(
        self, question: Question, nodes: Sequence[Node], context: Session
    ) -> list[Draft] | None:
        """他们三个的毛利率 after one company a turn: all companies asked about so far."""
        if not _SEVERAL.search(question.text.lower()) or question.symbols or len(nodes) > 1:
            return None
        newest: dict[str, tuple[Turn, Node]] = {}
        for turn in context.turns:
            for node in turn.nlir.nodes if turn.nlir else ():
                if node.action in _COMPANY_ACTIONS:
                    newest[self._symbol(node)] = (turn, node)
        if len(newest) < 2:
            return None
        return [
            draft
            for symbol, (turn, node) in newest.items()
            for draft in self._merged(question, turn, node, symbol)
        ]

    def _from_macro(self, question: Question, turn: Turn, base: Node) -> list[Draft] | None:
        args = {slot.key: slot.value for slot in base.args}
        names = dict.fromkeys(question.sentence.series)
        if count := next((when.count for when in question.whens if when.count), None):
            args["count"] = count
        elif not names:
            return None
        ref = _ref(turn, base)
        return [
            Draft("macro", args=args | {"series": name}, ref=ref)
            for name in names or {str(args["series"]): None}
        ]

    def _from_screen(self, question: Question, turn: Turn, base: Node) -> list[Draft] | None:
        if question.symbols:
            outputs = question.figures or self._screened(base)
            period = dict(question.times.newest_if_none()[0])
            return [
                Draft("query", outputs, period, symbol=symbol, ref=_ref(turn, base))
                for symbol in question.symbols
            ]
        said = question.screening
        if match := _ONE_OF_LIST.search(question.text):
            raise asked(question.language, "not_understood", match.group())
        args = {slot.key: slot.value for slot in base.args}
        outputs = tuple(question.figures)
        if _DROPPED.search(question.text.lower()):
            gone = [self._screens.field_of(entry) for entry in question.figures]
            if not any(key in args for key in gone):
                return None
            args, outputs = {k: v for k, v in args.items() if k not in gone}, ()
        self._condition(question, args)
        self._add_conditions(question, args)
        for key in _SCREEN_WORDS:
            value = getattr(said, key)
            if value is not None:
                args[key] = value
        if args.get("order_by") and not args.get("order"):
            args["order"] = "降序"
        kept = tuple(self._metadata.resolve(slot.name) for slot in base.outputs)
        if not outputs and args == {slot.key: slot.value for slot in base.args}:
            return None
        return [Draft("screen", outputs or kept, args, ref=_ref(turn, base))]

    def _condition(self, question: Question, args: dict[str, JsonValue]) -> None:
        """改成小于15: a bound without a figure is of the only condition there is."""
        for key, figure in question.screening.changed.items():
            if key in args and (bound := with_figure(str(args[key]), figure)):
                args[key] = bound
        if question.screening.bare_term is None:
            return
        fields = [key for key in args if key not in {*_SCREEN_WORDS, "entity"}]
        if len(fields) != 1:
            names = [self._screens.entry_of(key).name for key in fields]
            choices = [f"{name}{question.screening.bare_term}" for name in names]
            raise asked(question.language, "unfinished", question.text, choices=choices)
        args[fields[0]] = question.screening.bare_term

    def _add_conditions(self, question: Question, args: dict[str, JsonValue]) -> None:
        """New conditions join; on the same figure they replace, or with 加上 hold as well."""
        added = _MORE.search(question.text.lower()) is not None
        for key, condition in question.screening.conditions.items():
            if added and key in args and args[key] != condition:
                both = f"{args[key]}且{condition}"
                try:
                    self._screens.checked({key: both})
                except InputError as error:
                    name = self._screens.entry_of(key).name
                    raise _contradicting(question, name, error, (f"{name}{condition}",)) from None
                args[key] = both
            else:
                args[key] = condition

    def _screened(self, base: Node) -> tuple[Entry, ...]:
        """The figures the screen was about."""
        keys = [slot.key for slot in base.args if slot.key not in _SCREEN_WORDS]
        entries = [self._screens.entry_of(key) for key in keys]
        if order_by := base.arg("order_by"):
            entries.append(self._metadata.resolve(str(order_by)))
        return tuple(dict.fromkeys(entries))

    def _from_companies(
        self, question: Question, turn: Turn, nodes: Sequence[Node]
    ) -> list[Draft] | None:
        if not self._says_anything(question):
            return None
        base_symbols = [self._symbol(node) for node in nodes]
        owners = list(dict.fromkeys(base_symbols))
        variants = [n for n, s in zip(nodes, base_symbols, strict=True) if s == owners[0]]
        targets = self._targets(question, owners)
        drafts: list[Draft] = []
        for symbol in targets:
            own = [n for n, s in zip(nodes, base_symbols, strict=True) if s == symbol] or variants
            if question.times.periods and not self._is_spanned(question, own[0]):
                own = own[:1]
            for node in own:
                drafts += self._merged(question, turn, node, symbol)
        return drafts

    def _says_anything(self, question: Question) -> bool:
        said = (question.symbols, question.figures, question.wanted.action)
        return any(said) or not question.times.is_empty or bool(question.screening.category)

    def _targets(self, question: Question, owners: list[str]) -> list[str]:
        """The companies asked about now."""
        if question.symbols:
            beside = _BESIDE.search(question.text.lower())
            return list(dict.fromkeys([*(owners if beside else ()), *question.symbols]))
        market = question.screening.category
        if market is None:
            return owners
        moved: list[str] = []
        for symbol in owners:
            listed = self._book.listing(symbol, market)
            if len(listed) != 1:
                name = self._book.shown(symbol)
                choices = [self._book.exactly(one) for one in listed]
                choices = choices or list(about(question.language, name))
                raise asked(question.language, "unlisted_there", name, market, choices=choices)
            moved.append(listed[0])
        return moved

    def _is_spanned(self, question: Question, node: Node) -> bool:
        return (question.wanted.action or node.action) in SPANNED

    def _merged(self, question: Question, turn: Turn, node: Node, symbol: str) -> list[Draft]:
        action = self._action(question, node)
        ref = _ref(turn, node)
        outputs = self._outputs(question, node, action)
        if action == "query" and is_of_days(outputs, question.times):
            action = "price_history"
        if action in SPANNED:
            args: dict[str, JsonValue] = dict(question.times.span())
            if not args and node.action in SPANNED:
                keys = ("time_range", "start_date", "end_date")
                args = {key: value for key in keys if (value := node.arg(key)) is not None}
            if action == "feed":
                args["wants"] = "、".join(question.wanted.wants) or node.arg("wants")
            return [Draft(action, outputs, args, symbol=symbol, ref=ref)]
        if action == "compare":
            return [Draft(action, outputs, {}, symbol=symbol, ref=ref)]
        if not outputs:
            name = self._book.shown(symbol)
            raise asked(
                question.language, "no_figure", name, choices=about(question.language, name)
            )
        return [
            Draft("query", outputs, period, symbol=symbol, ref=ref)
            for period in self._periods(question, node)
        ]

    def _action(self, question: Question, node: Node) -> Action:
        if question.wanted.action:
            return question.wanted.action
        return "query" if question.figures and node.action != "compare" else node.action

    def _outputs(self, question: Question, node: Node, action: Action) -> tuple[Entry, ...]:
        before = tuple(self._metadata.resolve(slot.name) for slot in node.outputs)
        if action in {"abnormal", "feed"}:
            return ()
        if action == "price_history":
            return before if node.action == "price_history" else ()
        if question.figures and _MORE.search(question.text.lower()):
            return (*before, *question.figures)
        return question.figures or before

    def _periods(self, question: Question, node: Node) -> Sequence[Mapping[str, JsonValue]]:
        """The periods said, a bare 三季报 in the year before; else those of the node."""
        kept = {key: value for key in ("period", "count") if (value := node.arg(key)) is not None}
        if question.times.periods:
            year = re.match(r"(\d{4})", str(kept.get("period") or ""))
            bare = [when for when in question.whens if _is_bare_report(when)]
            if year and len(bare) == 1 and len(question.times.periods) == 1:
                return ({"period": f"{year.group(1)}{REPORTS[bare[0].quarter or 4]}"},)
            return question.times.periods
        return (kept if "period" in kept else {"period": "最新"},)

    def _symbol(self, node: Node) -> str:
        said = str(node.arg("entity") or "").lower()
        return self._book.mention(said, 0, len(said)).symbol or ""


def _is_bare_report(when: When) -> bool:
    return when.report and not when.year_said


def _ref(turn: Turn, node: Node) -> str:
    return f"{turn.turn_id}.{node.id}"


def _contradicting(
    question: Question, name: str, error: InputError, choices: Sequence[str]
) -> Exception:
    zh, _, en = error.valid.partition(" | ")
    why = zh if question.language == "zh" else en or zh
    return asked(question.language, "wrong_condition", name, why, choices=choices)

"""A question that goes on from the one before: what it does not say is taken over, with lineage."""

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from services.language.numerals import small_number
from services.query.planning.metadata import Entry, Metadata
from services.query.planning.nlir import Action, Node
from services.query.planning.plir import Session, Turn
from services.query.planning.slots import Draft
from services.query.reading.clarification import about, asked, figure_called
from services.query.reading.entities import NameBook
from services.query.reading.intents import SPANNED
from services.query.reading.list_followups import MORE, ListFollower
from services.query.reading.question import Question
from services.query.reading.time_expressions import REPORTS, When
from services.query.reading.times import is_of_days

_MARKERS = re.compile(
    r"^(?:那|再|还有|也|换|改|只|按|它|他|她|这|其|去掉|去除|不要|删掉|加上|加|另外|然后|"
    r"从|和|跟|与|比|刚才|刚刚|上面|前面|上一[个轮条]|同样|一样的|并且|而且|且|还要|外加|倒过来|反过来|"
    r"剔除|排除|取消|不限|剩下|余下|上限|下限|第[一二三四]个?条?条件|谁最|哪[个家只]最|环比|放[宽松]|收紧|(?:去|上|前一?)年同期|同比|"
    r"and\b|what about|how about|also\b|only\b|just\b|their\b|its\b|switch|sort|order|but\b|"
    r"in \d{4}|now\b|add\b|remove\b|drop\b|reverse|compare (?:it|them|that)\b|(?:the )?same\b|"
    r"with\b|whose\b|having\b|exclud(?:e|ing)\b|except\b|without\b|no\b|how many\b|"
    r"(?:the )?(?:year|quarter) (?:before|earlier))"
    r"|呢[?。!]*$|它们|它的|他们|改成|改为|换成|[也还](?:要|得|须|应|看|查)|"
    r"(?:放宽|收紧|收窄|调整?|降低?|提高?|缩小|扩大|设)[到为至]"
)
_SEVERAL = re.compile(
    r"[它他她]们|这[几两三]|[两二三四五](?:家|个|只|者|公司)|两者|三者"
    r"|\b(?:their|them|all of them|both)\b"
)
_SO_MANY = re.compile(r"(?P<n>[两二三四五])(?:家|个(?!月|季)|只|者|公司)")
# The report a year before the one asked about.
_YEAR_BEFORE = re.compile(
    r"(?:去|上|前一?)年(?:的)?同期|同期(?:呢|的)|一年前(?:呢|的)?$"
    r"|\b(?:the )?year (?:before|earlier)\b|\bprevious year\b|same period (?:of )?"
    r"(?:last|the previous) year"
)
# How a figure grew over a year, of the figures asked about.
_GREW = re.compile(
    r"^\W*(?:那|那么)?(?:它的?)?(?:同比|增速|增长率|同比增速|同比增长|增长多少|增长了多少|环比)"
    r"|^\W*(?:and |what about )?(?:the )?(?:yoy|year[- ]on[- ]year|growth)"
)
_GROWTH: Mapping[str, str] = {
    "company.finance.revenue": "company.finance.revenue_yoy",
    "company.finance.net_profit": "company.finance.net_profit_yoy",
}
# What peers are compared by; any other figure is asked of the company alone.
_COMPARED = frozenset({"market_cap", "pe_ttm", "pb", "roe", "dy_l", "net_profit", "revenue"})
_REPORTED = re.compile(r"(\d{4})(\D+)")
_BESIDE = re.compile(
    r"^(?:再?加上|比|[它他她]?们?(?:和|跟|与|同).*(?:比|相比|对比|比较)|also|add|and compare|"
    r"compare (?:it|them|that)|versus|vs)"
)
_COMPANY_ACTIONS: tuple[Action, ...] = ("query", "price_history", "abnormal", "feed", "compare")
# 哪个高 of the companies before: the same figures, which the answer compares.
_WHICH = re.compile(
    r"^\W*(?:那|那么|到底)?(?:谁|哪[个家只])的?[更最]?(?:高|低|大|小|多|少)|^\W*[两二三四五](?:家|个|只)比"
    r"|^which (?:one )?is (?:higher|lower|larger)"
)
_FORMER, _LATTER = re.compile(r"前者|\bthe former\b"), re.compile(r"后者|\bthe latter\b")


def is_marked(text: str) -> bool:
    """Whether its words point back: 那…, …呢, 它们, 换成, what about."""
    return _MARKERS.search(text.lower()) is not None


def last_read(context: Session) -> Turn | None:
    """The newest turn that was understood."""
    return next((turn for turn in reversed(context.turns) if turn.nlir is not None), None)


class Follower:
    """Merges a question with the nodes of an earlier turn."""

    def __init__(self, book: NameBook, metadata: Metadata, lists: ListFollower) -> None:
        """`lists` goes on from screens."""
        self._book, self._metadata, self._lists = book, metadata, lists

    def follow(self, question: Question, turn: Turn, context: Session) -> list[Draft] | None:
        """The nodes it becomes; None when it says nothing that changes them.

        Raises: AskedBack.
        """
        if turn.nlir is None:
            return None
        nodes = turn.nlir.nodes
        base = nodes[0]
        if base.action == "screen":
            return self._lists.follow(question, turn, nodes)
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
        text = question.text.lower()
        so_many = small_number(match["n"]) if (match := _SO_MANY.search(text)) else 0
        if not _SEVERAL.search(text) or question.symbols:
            return None
        if len(nodes) > 1 and so_many <= len({self._symbol(node) for node in nodes}):
            return None
        newest: dict[str, tuple[Turn, Node]] = {}
        for turn in context.turns:
            for node in turn.nlir.nodes if turn.nlir else ():
                if node.action in _COMPANY_ACTIONS:
                    newest[self._symbol(node)] = (turn, node)
        if len(newest) < 2:
            return None
        for symbol in list(newest)[: -so_many or None] if so_many else ():
            del newest[symbol]
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
        text = question.text.lower()
        if any(one.search(text) for one in (_WHICH, _YEAR_BEFORE, _GREW)):
            return True
        return any(said) or not question.times.is_empty or bool(question.screening.category)

    def _targets(self, question: Question, owners: list[str]) -> list[str]:
        """The companies asked about now."""
        if question.symbols:
            beside = _BESIDE.search(question.opening.lower())
            return list(dict.fromkeys([*(owners if beside else ()), *question.symbols]))
        if len(owners) > 1 and (place := _place(question, len(owners))):
            return [owners[place - 1]]
        market = question.screening.category
        if market is None:
            return owners
        moved: list[str] = []
        for symbol in owners:
            listed = self._book.listing(symbol, market)
            if len(listed) != 1:
                name = self._book.called(symbol, question.language)
                choices = [
                    self._book.called(one, question.language, exactly=True) for one in listed
                ]
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
            name = self._book.called(symbol, question.language)
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
        if node.action == "compare" and question.figures:
            fields = {one.field or one.physical_metric for one in question.figures}
            known = {one.financial_data_metric.strip("-") for one in question.figures} | fields
            return "compare" if known & _COMPARED else "query"
        return "query" if question.figures else node.action

    def _outputs(self, question: Question, node: Node, action: Action) -> tuple[Entry, ...]:
        before = tuple(self._metadata.resolve(slot.name) for slot in node.outputs)
        if action in {"abnormal", "feed"}:
            return ()
        if action == "price_history":
            return before if node.action == "price_history" else ()
        if question.figures and MORE.search(question.text.lower()):
            return (*before, *question.figures)
        if not question.figures and _GREW.search(question.text.lower()):
            return self._growth(question, before)
        return question.figures or before

    def _growth(self, question: Question, before: Sequence[Entry]) -> tuple[Entry, ...]:
        """Raises: AskedBack where no source gives how these figures grew."""
        known = [_GROWTH[entry.code] for entry in before if entry.code in _GROWTH]
        by_quarter = "环比" in question.text
        if known and not by_quarter:
            return tuple(self._metadata.by_code(code) for code in known)
        zh, named = question.language == "zh", [*_GROWTH.values()]
        said = "、".join(entry.name for entry in before) + ("环比" if by_quarter else "同比")
        said = said if zh else "growth"
        entries = [self._metadata.by_code(code) for code in named]
        choices = [
            f"{figure_called(one, question.language)}{'呢' if zh else ''}" for one in entries
        ]
        raise asked(question.language, "unknown_figure", said, choices=choices)

    def _periods(self, question: Question, node: Node) -> Sequence[Mapping[str, JsonValue]]:
        """The periods said, a bare 三季报 in the year before; else those of the node."""
        kept = {key: value for key in ("period", "count") if (value := node.arg(key)) is not None}
        if _YEAR_BEFORE.search(question.text.lower()):
            return (self._year_before(question, node),)
        if question.times.periods:
            year = re.match(r"(\d{4})", str(kept.get("period") or ""))
            bare = [when for when in question.whens if _is_bare_report(when)]
            if year and len(bare) == 1 and len(question.times.periods) == 1:
                return ({"period": f"{year.group(1)}{REPORTS[bare[0].quarter or 4]}"},)
            return question.times.periods
        return (kept if "period" in kept else {"period": "最新"},)

    def _year_before(self, question: Question, node: Node) -> Mapping[str, JsonValue]:
        """Raises: AskedBack when the report asked about has no year."""
        match = _REPORTED.fullmatch(str(node.arg("period") or ""))
        if match is None or node.arg("count") is not None:
            names = [slot.name for slot in node.outputs]
            company = str(node.arg("entity"))
            zh = (f"{company}去年年报{'、'.join(names)}", f"{company}近三年{'、'.join(names)}")
            en = ("FY2016", "last three years")
            choices = zh if question.language == "zh" else en
            raise asked(question.language, "which_periods", "、".join(names), choices=choices)
        return {"period": f"{int(match[1]) - 1}{match[2]}"}

    def _symbol(self, node: Node) -> str:
        said = str(node.arg("entity") or "").lower()
        return self._book.mention(said, 0, len(said)).symbol or ""


def _is_bare_report(when: When) -> bool:
    return when.report and not when.year_said


def _ref(turn: Turn, node: Node) -> str:
    return f"{turn.turn_id}.{node.id}"


def _place(question: Question, count: int) -> int | None:
    """The place of one company among several: 第二家, 后者; None when none is said."""
    text = question.text.lower()
    if _FORMER.search(text) or _LATTER.search(text):
        return 1 if _FORMER.search(text) else count
    place = question.screening.place
    return place if place is not None and 1 <= place <= count else None

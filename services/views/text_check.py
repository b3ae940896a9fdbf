"""A text from outside against what is held of the companies it names, figure by figure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from services.core.claims import Claim
from services.core.errors import InputError, NoDataError
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.core.trace import Trace
from services.grounding.ground import LONGEST, WeighedFigure, weigh_figures
from services.market.names.english_names import english_name
from services.market.names.names import Names
from services.views.company import build as company
from services.views.company.build import SectionRequest
from services.views.company.joined import join_views
from services.views.company.statements import StatementsAsked
from services.views.company.view import Tab
from services.views.parts import Parts
from services.views.table import Cell, Table, TableColumn, TableRow, View
from services.views.weighed_words import STANDINGS, tell_held, tell_why

MOST_COMPANIES = 6
_TABS: tuple[Tab, ...] = ("fin", "valuation")
_REPORTS = 12
_PIECES = re.compile(r"[。；;！!？?\n]+|\. ")
COLUMNS = (
    TableColumn("said", Text("文中的数字", "In the text"), "text"),
    TableColumn("standing", Text("核对", "Check"), "text"),
    TableColumn("held", Text("这里的数", "Held here"), "figure"),
    TableColumn("about", Text("对照的数据", "Held against"), "text"),
    TableColumn("why", Text("说明", "Note"), "text"),
)
_TITLE = Text("文字核对", "A text checked")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCheckView(View):
    """The text, each of its figures, and the companies it was held against, by symbol."""

    text: str
    figures: tuple[WeighedFigure, ...]
    companies: Mapping[str, Text]

    def tables(self) -> tuple[Table, ...]:
        """A row for each figure of the text."""
        rows = tuple(TableRow(_cells(one, self.companies)) for one in self.figures)
        return (Table("text", _TITLE, COLUMNS, rows),)


def check(parts: Parts, text: str, session_id: str, *, about: str = "") -> TextCheckView:
    """The view. `about`: whom the text is about where it names nobody. See Desk.check_text."""
    if not text.strip():
        raise InputError("text", text, Text("要核对的文字", "the text to check"))
    if len(text) > LONGEST:
        valid = Text(f"不超过 {LONGEST:,} 字，请分开核对", f"at most {LONGEST:,} characters")
        raise InputError("text", f"{len(text):,}", valid)
    named = tuple(dict.fromkeys(_find_companies(parts, text)))
    home = (parts.names.resolve(about).value,) if about else ()
    asked = (named or home)[:MOST_COMPANIES]
    views, lacks = _gather(parts, asked, session_id)
    whole = reduce(join_views, views) if views else None
    names = {symbol: _list_called(parts.names, symbol) for symbol in asked}
    claims: Mapping[str, Claim] = whole.claims if whole else {}
    figures = weigh_figures(
        text,
        list(claims.values()),
        names=names,
        default_symbol=asked[0] if len(asked) == 1 else None,
        today=parts.clock.now().date(),
        others=parts.names.numbered,
    )
    return TextCheckView(
        title=_TITLE,
        claims=claims,
        trace=whole.trace if whole else Trace(),
        run_ids=whole.run_ids if whole else (),
        notes=(*_notes(parts, asked, named), *lacks),
        text=text,
        figures=figures,
        companies={symbol: parts.names.text(symbol) for symbol in asked},
    )


def _find_companies(parts: Parts, text: str) -> Iterator[str]:
    """Whom the text names, as a question would be read: one listing of each."""
    for piece in filter(str.strip, _PIECES.split(text)):
        for token in parts.query.lattice(piece).has("ENT"):
            if isinstance(token.sem, tuple) and token.sem:
                yield str(token.sem[0])  # pyright: ignore[reportUnknownArgumentType] — symbols


def _gather(parts: Parts, symbols: Sequence[str], session_id: str) -> tuple[list[View], list[Text]]:
    views: list[View] = []
    lacks: list[Text] = []
    for symbol in symbols:
        for tab in _TABS:
            wanted = SectionRequest(tab=tab, fin=StatementsAsked(count=_REPORTS))
            try:
                views.append(company.build(parts, symbol, wanted, session_id))
            except NoDataError:
                name = parts.names.text(symbol)
                said = Text("{name}：没有取得数据", "{name}: no data was found")
                lacks.append(said.format(name=name))
                break
    return views, lacks


def _list_called(names: Names, symbol: str) -> tuple[str, ...]:
    row = names.row(Symbol(symbol))
    called = names.list_names(symbol)
    told = (names.name(symbol), *called.own, *called.other, names.text(symbol).en)
    english = english_name(row) if row is not None else None
    return tuple(dict.fromkeys(one for one in (*told, english) if one))


def _notes(parts: Parts, asked: Sequence[str], named: Sequence[str]) -> Iterator[Text]:
    yield Text(
        "核对的是数字；数字之间的话（高于、创新高、因为……）没有核对。",
        "The figures are checked; what the words between them claim is not.",
    )
    if not asked:
        yield Text(
            "没有认出文中的公司：请写明公司的名称或代码。",
            "No company was recognised in the text: write its name or code.",
        )
    if left := named[MOST_COMPANIES:]:
        told = join_texts((parts.names.text(one) for one in left), "、", ", ")
        said = Text(
            "只核对前 {count} 家公司，没有核对：{names}", "Not checked beyond {count}: {names}"
        )
        yield said.format(count=str(MOST_COMPANIES), names=told)


def _cells(figure: WeighedFigure, companies: Mapping[str, Text]) -> Mapping[str, Cell]:
    held = figure.claims[0] if figure.claims and figure.standing != "undecided" else None
    return {
        "said": figure.span,
        "standing": STANDINGS[figure.standing],
        "about": tell_held(held, companies) if held is not None else "",
        "held": held,
        "why": tell_why(figure),
    }

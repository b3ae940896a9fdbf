"""From a Claim to HTML: the only place on any page that prints a figure.

A figure is a real button around its value and its whole envelope in data attributes, so a reader,
a test and a screen reader find the same source. A missing figure is drawn as its reason.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from datetime import date, datetime
from functools import partial
from html import escape
from zoneinfo import ZoneInfo

from pages.ui import i18n, marks, resources, state
from services.core.catalogue import CATALOGUE
from services.core.claim_names import is_of_day
from services.core.claims import Claim, CompetenceCite, DerivedCite, Figure, Missing, ToolCite
from services.core.crosscheck import SourceReading
from services.core.day_words import tell_days
from services.core.limits import COMPETENCES
from services.core.periods import period_words
from services.core.rendering import PLACE, AmountScale, ShownFigure, Style, show, style_of
from services.core.source_marks import note_text
from services.core.text import Language, Text
from services.core.units import UNITS
from services.views.formula_words import tell_formula, tell_values
from services.views.member_words import scope_words
from services.views.membership import membership_of
from services.views.provenance import Ground
from services.views.source_words import source_words
from services.views.table import Cell, View, claim_words

_BEIJING = ZoneInfo("Asia/Shanghai")
_CLOSING = frozenset("，。；、：）】」！？,.;:)")
# What a text may contain that is a digit and not a figure: days, codes of companies, and quotes.
_MARKED = re.compile(
    r"(?P<text>《[^《》]*》)|(?P<day>\d{4}-\d{2}-\d{2})|(?P<code>\b(?:\d{6}\.(?:SH|SZ|BJ)|\d{5}\.HK)\b)"
    r"|(?P<period>\d{4}(?:年报|中报|一季报|三季报)|FY\d{4}|(?:LYR|TTM|MRQ)_\d{4}(?:Q\d)?|\d{4}_Q\d"
    r"|\d{4} Q[1-4]\b|\b\d{4}-\d{2}\b(?!-))"
)


def metric_label(metric: str) -> str:
    """The metric's name in the language chosen; the id itself when it is not registered."""
    known = CATALOGUE.figures.get(metric)
    return known.label(state.language()) if known else metric


def short(word: str, metric: str) -> str:
    """A word that stands for the metric's name where there is no room; the name is its title."""
    return f'<abbr title="{escape(metric_label(metric))}">{escape(word)}</abbr>'


def _name(claim: Claim) -> str:
    known = claim.metric in CATALOGUE.figures
    return claim_words(claim).in_language(state.language()) if known else metric_label(claim.metric)


def stand_on(view: View) -> None:
    """Say which claims and calls the figures drawn from now on stand on."""
    mine = state.session()
    mine.captured = resources.services().chain.captured
    mine.runs = tuple(dict.fromkeys((*mine.runs, *view.run_ids)))
    known = mine.ground
    # Drawn again, a view that is kept is the very same.
    if known is None or known.claims is not view.claims or known.trace is not view.trace:
        mine.ground = Ground(view.claims, view.trace)


def figure(
    found: Figure | None,
    style: Style = "prose",
    language: Language | None = None,
    *,
    old: bool = False,
    within: AmountScale | None = None,
) -> str:
    """The figure as a button that leads to its source, or the reason why there is none.

    It is written in the language of the page, or of the sentence it stands in. `old`: it is of a
    day before the one the page stands on. `within`: the scale that the head of its column or
    row says, which is not repeated.
    """
    if found is None:
        return '<span class="yj-none yj-blank">—</span>'
    if isinstance(found, Missing):
        return _why(found) if style == "cell" else missing(found)
    mine, said = state.session(), language or state.language()
    mine.drawn.add(found.claim_id)
    how = (style, said, state.language(), old, within, mine.newest)
    return _write(found, how, lambda: _button(found, style, said, old=old, within=within))


def _button(
    found: Claim, style: Style, language: Language, *, old: bool, within: AmountScale | None
) -> str:
    shown = show(found, language, style, within)
    whole = show(found, language).text if within else shown.text
    told = _tell_standing(found)
    mark = marks.mark_of(found, told, old=old)
    about = marks.short(found, told)
    sign = {"sign": "told"} if style == "size" else {}  # 跌 3.6%: the verb has it
    kept = {"shown": whole} if within else {}
    attributes = _attributes(_fields(found) | told | sign | kept)
    label = escape(marks.spoken(_name(found), found, whole, mark, about))
    return (
        f'<button type="button" class="yj-fig yj-{mark.kind}{marks.direction(found)}" '
        f'aria-label="{label}" title="{escape(about)}">'
        f'<data value="{found.value!r}" data-claim-id="{found.claim_id}" '
        f'data-scale="{shown.scale}" data-digits="{shown.digits}" {attributes}>'
        f"{_typeset(shown, bare=within is not None)}</data>{marks.drawn(mark, found)}</button>"
    )


def _typeset(shown: ShownFigure, *, bare: bool = False) -> str:
    """Digits with a true minus, and the unit set apart from them."""
    number = escape(shown.number.replace("-", "−"))
    if bare:
        return number
    if not shown.suffix or shown.suffix == "%":
        return number + shown.suffix
    return f'{number}<small class="yj-u">{escape(shown.suffix)}</small>'


def share_of(some: Cell, every: Cell) -> str:
    """So many of so many, as figures: `3,112/3,241家`; the whole alone where it is all of them."""
    if not isinstance(some, Claim) or not isinstance(every, Claim):
        return ""
    part = f"{figure(some, 'cell')}/" if some.value < every.value else ""
    return f'<span class="yj-tight">{part}{figure(every)}</span>'


def missing(found: Missing) -> str:
    """A figure that is not there: its reason, muted, and readable in full."""
    reason = escape(i18n.say(found.reason))
    return f'<span class="yj-none" title="{reason}">{marked(i18n.say(found.reason))}</span>'


def _why(found: Missing) -> str:
    """In a table a missing figure is a dash that tells the reason."""
    reason, label = escape(i18n.say(found.reason)), escape(metric_label(found.metric))
    return (
        f'<button type="button" class="yj-fig yj-m" data-reason="{reason}" data-label="{label}" '
        f'data-symbol="{escape(found.symbol)}" aria-label="{label}: {reason}" title="{reason}">'
        '—<i class="yj-k" aria-hidden="true">?</i></button>'
    )


def prose(
    template: str,
    claims: Mapping[str, Claim],
    *,
    language: Language | None = None,
    labels: Sequence[str] = (),
    quotes: Sequence[str] = (),
    old: Set[str] = frozenset(),
) -> str:
    """A text with `{{c:ID}}` places: figures drawn with their buttons, everything else escaped.

    `language` is that of the text where it is not the page's; `labels` are names with digits,
    `quotes` texts from outside that it quotes word for word, `old` the claims of a day before the
    one the page stands on.
    """
    parts: list[str] = []
    end = 0
    for found in PLACE.finditer(template):
        parts.append(marked(template[end : found.start()], labels, quotes, language))
        drawn = figure(claims[found[1]], style_of(found[0]), language, old=found[1] in old)
        end = found.end()
        if template[end : end + 1] in _CLOSING:  # no line begins with a comma
            drawn = f'<span class="yj-tight">{drawn}{template[end : end + 1]}</span>'
            end += 1
        parts.append(drawn)
    parts.append(marked(template[end:], labels, quotes, language))
    return "".join(parts)


def marked(
    text: str,
    labels: Sequence[str] = (),
    quotes: Sequence[str] = (),
    language: Language | None = None,
) -> str:
    """Escaped text in which days, codes, periods, `labels` and `quotes` are marked as what they
    are; a day is said as the text's language says it, which is the page's where none is given.
    """
    parts: list[str] = []
    end = 0
    for found in _pattern(tuple(labels), tuple(quotes)).finditer(text):
        parts.append(escape(text[end : found.start()]))
        kind, inner = found.lastgroup, escape(found.group())
        if kind == "day":
            said = escape(tell_days(found.group(), language or state.language()))
            parts.append(f'<time datetime="{inner}">{said}</time>')
        elif kind == "quote":
            parts.append(f'<q class="yj-said" data-nocite="text">{inner}</q>')
        else:
            parts.append(f'<span data-nocite="{kind}">{inner}</span>')
        end = found.end()
    parts.append(escape(text[end:]))
    return "".join(parts)


def _pattern(labels: tuple[str, ...], quotes: tuple[str, ...]) -> re.Pattern[str]:
    """What is to be marked; a quotation before a name in it, a name before a day in it."""
    known = [
        f"(?P<{kind}>{'|'.join(map(re.escape, texts))})"
        for kind, texts in (("quote", quotes), ("label", labels))
        if texts
    ]
    return re.compile("|".join([*known, _MARKED.pattern])) if known else _MARKED


def day(value: object) -> str:
    """A date, or an instant in Beijing time, as text marked as time: in tables and sentences of a
    language alike, as that language writes it.
    """
    text = value.isoformat() if isinstance(value, date) else str(value)
    shown, clock = text, ""
    if len(text) > len("2017-05-25"):
        moment = datetime.fromisoformat(text)
        moment = moment.astimezone(_BEIJING) if moment.tzinfo else moment
        shown, clock = f"{moment:%Y-%m-%d}", f" {moment:%H:%M}"
    shown = tell_days(shown, state.language()) + clock
    return f'<time datetime="{escape(text)}">{escape(shown)}</time>'


def tag(kind: str, text: str) -> str:
    """Text whose digits are no figures; `kind` is of the closed list the crawler knows."""
    return f'<span data-nocite="{kind}">{escape(text)}</span>'


def workings(claims: Mapping[str, Claim]) -> str:
    """The inputs of every derived figure drawn, hidden, so that the drawer can step into them; and
    what each company is called whose figures are drawn.
    """
    drawn = {claims[one].symbol for one in state.session().drawn if one in claims}
    wanted: dict[str, Claim] = {}
    open_ids = list(state.session().drawn)
    while open_ids:
        claim = claims.get(open_ids.pop())
        if claim is None or not isinstance(claim.cite, DerivedCite):
            continue
        for name in claim.cite.inputs:
            if name in claims and name not in wanted:
                wanted[name] = claims[name]
                open_ids.append(name)
    how = ("input", state.language())
    items = (_write(one, how, partial(_hidden, one)) for _, one in sorted(wanted.items()))
    drawn |= {one.symbol for one in wanted.values()}
    told = escape(json.dumps(_names(drawn), ensure_ascii=False))
    return f'<div class="yj-workings" hidden data-names="{told}">{"".join(items)}</div>'


def _names(symbols: Iterable[str]) -> dict[str, str]:
    """Whom each code means: members of a market in words, a company by its name before it. A fund
    listed as CN is none of these: no figure here is of it.
    """
    names = resources.services().names
    told: dict[str, str] = {}
    for one in sorted(symbols):
        said = i18n.say(scope_words(one))
        listed = said == one and names.row(one) is not None
        told[one] = f"{i18n.say(names.text(one))} {one}" if listed else said
    return told


def envelope(claim: Claim) -> dict[str, str]:
    """Everything the drawer says about a figure, as data attributes without their prefix."""
    return _fields(claim) | _tell_standing(claim)


def _fields(claim: Claim) -> dict[str, str]:
    language = state.language()
    unit = UNITS[claim.unit]
    common = {
        "label": _name(claim),
        "metric": claim.metric,
        "code": claim.metric_code or "",
        "symbol": claim.symbol,
        "unit": claim.unit,
        "unit-name": unit.zh if language == "zh" else unit.en,
        "as-of": claim.as_of.isoformat(),
        "period": claim.period or "",
        "period-label": "" if is_of_day(claim) else period_words(claim.period, language),
        "kind": claim.cite.kind,
        "ok": "1",  # a run whose claims do not all verify returns nothing to draw
    }
    return common | _cite_fields(claim)


def _tell_standing(claim: Claim) -> dict[str, str]:
    """Who answered instead of whom, how old an old answer is, and what other sources say."""
    ground = state.session().ground
    if ground is None:
        return {}
    found = ground.standing(claim)
    fields: dict[str, str] = {}
    if found.fallback:
        fields["served"] = i18n.say(found.fallback)
    if found.stale:
        fields["stale"] = i18n.say(found.stale)
    if found.differs:
        readings = [_tell_reading(one) for one in found.differs.readings]
        fields["differs"] = json.dumps(readings, ensure_ascii=False)
        fields["differs-on"] = metric_label(found.differs.metric)
    return fields


def course(tool_call_id: str) -> dict[str, str]:
    """Of a whole answer: who gave it instead of whom, and its age when it is an old one."""
    ground = state.session().ground
    found = ground.course(tool_call_id) if ground else None
    said = {"served": found.fallback, "stale": found.stale} if found else {}
    return {name: i18n.say(words) for name, words in said.items() if words}


def _tell_reading(one: SourceReading) -> dict[str, str]:
    """What one of the sources that disagree says, as the drawer shows it."""
    unit = UNITS[one.unit]
    return {
        "by": i18n.say(source_words(one.served_by)),
        "value": repr(one.value),
        "unit": i18n.say(Text(unit.zh, unit.en)),
        "table": f"{one.source}.{one.table}",
        "raw": f"{one.field} = {one.raw}",
        "fetched": one.fetched_at,
    }


def _cite_fields(claim: Claim) -> dict[str, str]:
    cite = claim.cite
    if isinstance(cite, ToolCite):
        return {
            "src": cite.source,
            "table": cite.table,
            "by": cite.served_by,
            "fetched": cite.fetched_at.isoformat(),
            "captured": captured(cite.source, cite.table),
            "tc": cite.tool_call_id,
            "field": cite.field,
            "raw": cite.raw if cite.raw is not None else "",
            "note": i18n.say(note_text(cite.note or "")),
        }
    if isinstance(cite, DerivedCite):
        series = [
            ref.model_dump(mode="json") | {"label": metric_label(ref.metric)} for ref in cite.series
        ]
        ground = state.session().ground
        inputs = [ground.claims.get(one) if ground else None for one in cite.inputs]
        told, values = tell_formula(claim, inputs), tell_values(claim, inputs)
        return {
            **_tell_fetches(claim),
            "formula": cite.formula,
            "formula-words": i18n.say(told) if told else "",
            "formula-values": i18n.say(values) if told and values else "",
            "inputs": " ".join(cite.inputs),
            "series": json.dumps(series, ensure_ascii=False) if series else "",
            "members": _members(claim) if cite.members else "",
            "note": i18n.say(note_text(cite.note or "")),
        }
    return _competence_fields(cite)


def captured(source: str, table: str) -> str:
    """The day a bundle's source was captured; empty for what is no bundle's, and for annual
    reports, whose day is the end of the year they are about.
    """
    day = state.session().captured.get((source, table))
    return day.isoformat() if day else ""


def _members(claim: Claim) -> str:
    """How many members go into a count or a sum, and who does not and why, a line each."""
    ground = state.session().ground
    found = membership_of(claim, ground.trace) if ground else None
    if found is None:
        return ""
    called = resources.services().names
    lines = [i18n.t("members_used", used=f"{found.used:,}", total=f"{found.total:,}")]
    for one in found.left_out:
        told = (i18n.say(called.text(symbol, name)) for symbol, name in one.companies)
        names = i18n.say(i18n.LIST_COMMA).join(told)
        more = "…" if one.count > len(one.companies) else ""
        lines.append(
            i18n.t(
                "members_left",
                why=i18n.say(one.why),
                count=f"{one.count:,}",
                names=f"{names}{more}",
            )
        )
    return json.dumps(lines, ensure_ascii=False)


def _tell_fetches(claim: Claim) -> dict[str, str]:
    """Where the inputs of a computed figure come from in the end; several are joined by ` + `."""
    ground = state.session().ground
    if ground is None:
        return {}
    fetches = ground.of(claim).fetches
    fields = {
        "src": [one.source for one in fetches],
        "table": [one.table for one in fetches],
        "by": [one.served_by for one in fetches],
        "tc": [one.tool_call_id for one in fetches],
    }
    joined = {name: " + ".join(dict.fromkeys(texts)) for name, texts in fields.items()}
    days = [captured(one.source, one.table) for one in fetches]
    return joined | {
        "fetched": max((one.fetched_at for one in fetches), default=""),
        "captured": max(days, default=""),
    }


def _competence_fields(cite: CompetenceCite) -> dict[str, str]:
    entry = COMPETENCES[cite.competence_id]
    return {
        "src": "competence",
        "table": cite.competence_id,
        "by": "youju",
        "competence": cite.competence_id,
        "statement": i18n.say(entry.statement),
        "reference": entry.reference,
        "version": entry.version,
        "note": cite.note or "",
    }


def _hidden(claim: Claim) -> str:
    shown = show(claim, state.language())
    return (
        f'<data data-input-id="{claim.claim_id}" value="{claim.value!r}" '
        f'data-shown="{escape(shown.text)}" {_attributes(envelope(claim))}></data>'
    )


def _write(claim: Claim, how: Hashable, make: Callable[[], str]) -> str:
    """Once of what the page stands on; `how` says all it hangs on besides."""
    ground = state.session().ground
    return ground.write(claim, how, make) if ground else make()


def _attributes(fields: Mapping[str, str]) -> str:
    return " ".join(f'data-{name}="{escape(text)}"' for name, text in fields.items() if text)

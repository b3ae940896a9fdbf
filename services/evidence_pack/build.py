"""An evidence pack: what a page or answer says together with everything needed to check it.

Anybody with this program can check one without the store and without a network: see
docs/evidence-packs.md for what that proves and what it does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import JsonValue

from services.core.claims import Claim, CompetenceCite
from services.core.clock import BEIJING
from services.core.limits import COMPETENCES, Competence
from services.core.text import Language
from services.core.trace import Trace
from services.evidence_pack.checks import ground_texts, lines_of, quote_faults, table_lines
from services.evidence_pack.parts import (
    FORMAT,
    LINES,
    TOOL,
    PackContent,
    PackManifest,
    PackPart,
    PackSnapshot,
    digest,
    document,
    line_digests,
    write_parts,
)
from services.evidence_pack.renderings import renderings
from services.evidence_pack.zip_file import MANIFEST, container, pack_part
from services.exports.paper import Paper
from services.exports.papers import paper_of
from services.market.names.english_names import english_name
from services.market.names.names import Names
from services.views.analysis_view import AnalysisView
from services.views.ask_view import ConversationView, TurnView
from services.views.company.joined import JoinedView
from services.views.company.view import CompanyView
from services.views.parts import Parts
from services.views.score_view import ScorePage, ScoreView
from services.views.table import View


@dataclass(frozen=True, slots=True, kw_only=True)
class PackAbout:
    """What a manifest says of a pack beside its paper: see PackManifest."""

    symbols: tuple[str, ...]
    mode: str
    snapshot: PackSnapshot | None
    made_at: datetime
    now: datetime
    day: date


def pack_of(
    parts: Parts,
    view: View,
    language: Language,
    *,
    symbols: Sequence[str] | None = None,
    result: JsonValue = None,
) -> bytes:
    """The view as a pack: the same view, written at the same time, gives the same bytes.

    `symbols` is whom it is about, where the view does not say it. `result` is the answer as the
    command line prints it; its claims and trace are left out, since the pack has them.
    """
    clock, manifest = parts.clock.now(), parts.manifest
    # A live answer may be packed while the clock stands at the snapshot's instant.
    now = max([clock, *(call.fetched_at for call in view.trace.tool_calls)])
    bundled = parts.settings.mode == "snapshot"
    paper = paper_of(view, language)
    content = PackContent(
        paper=paper,
        claims=tuple(view.claims.values()),
        trace=_once(view.trace),
        names=_find_mentioned(parts.names, paper) | _names(parts.names, view, paper),
        competences=_rules(view.claims.values()),
        result=_bare(result),
    )
    about = PackAbout(
        symbols=tuple(symbols_of(view) if symbols is None else symbols),
        mode=parts.settings.mode,
        snapshot=PackSnapshot(name=manifest.name, clock=manifest.clock) if bundled else None,
        # The data's clock may be set ahead of the machine's: nothing is packed before it is known.
        made_at=max(parts.real.now(), now),
        now=now,
        day=_day(view, clock),
    )
    return write_pack(content, about)


def write_pack(content: PackContent, about: PackAbout) -> bytes:
    """The file. Raises: KeyError when the paper names a claim, or a claim a call, not given."""
    parts = write_parts(content)
    parts |= renderings(content.paper, content.by_id, content.trace)
    parts[LINES] = line_digests(parts)
    manifest = PackManifest(
        format=FORMAT,
        tool=TOOL,
        kind=content.paper.kind,
        title=content.paper.title,
        language=content.paper.language,
        symbols=about.symbols,
        mode=about.mode,
        snapshot=about.snapshot,
        made_at=about.made_at,
        now=about.now,
        day=about.day,
        unjudged=_list_unjudged(content, about),
        parts=(),
    )
    return seal_pack(manifest, parts)


def seal_pack(manifest: PackManifest, parts: Mapping[str, bytes]) -> bytes:
    """The file of these parts under that manifest, with their hashes and its seal."""
    bodies = {name: pack_part(content, first=False) for name, content in parts.items()}
    listed = tuple(
        PackPart(
            file=name,
            bytes=len(content),
            sha256=digest(content),
            packed_sha256=digest(bodies[name]),
        )
        for name, content in parts.items()
    )
    told = manifest.model_copy(update={"parts": listed}).with_seal()
    head = document(told.model_dump(mode="json"))
    return container(
        [(MANIFEST, head, head), *((name, parts[name], bodies[name]) for name in parts)]
    )


def symbols_of(view: View) -> tuple[str, ...]:
    """Whom a view is about; nobody for a market."""
    if isinstance(view, AnalysisView):
        asked = view.result.analysis_input.symbol
        return (asked,) if asked else ()
    if isinstance(view, ScoreView):
        return (view.coverage.symbol,)
    if isinstance(view, TurnView):
        return tuple(one.symbol for one in view.companies)
    if isinstance(view, ConversationView):
        named = (one.symbol for turn in view.turns for one in turn.companies)
        return tuple(dict.fromkeys(named))
    if isinstance(view, CompanyView):
        return (view.head.symbol,)
    if isinstance(view, JoinedView):
        return symbols_of(view.parts[0])
    symbol = getattr(view, "symbol", None)
    return (symbol,) if isinstance(symbol, str) else ()


def _once(trace: Trace) -> Trace:
    """Each call once: the turns of a conversation may stand on the same one."""
    calls = {call.tool_call_id: call for call in reversed(trace.tool_calls)}
    return trace.model_copy(update={"tool_calls": tuple(reversed(calls.values()))})


def _list_unjudged(content: PackContent, about: PackAbout) -> tuple[str, ...]:
    """Sentences of rules that no gate judged when they were shown, and that it would refuse: their
    figures are claims, their words are not of those it knows. And quotations of the notes that
    come with this program, which no call brought.
    """
    read = ground_texts(content, about.symbols, about.day)
    places = [one.place for one in read if one.found.failures and not one.typed]
    return tuple(dict.fromkeys([*places, *(one.place for one in quote_faults(content))]))


def _day(view: View, now: datetime) -> date:
    """The day its texts were written on, which may be long before it is packed."""
    if isinstance(view, AnalysisView):
        return view.as_of
    if isinstance(view, ScorePage):
        found = view.score.view if view.score else None
        return _day(found, now) if found else now.astimezone(BEIJING).date()
    return (view.at if isinstance(view, ScoreView) else now).astimezone(BEIJING).date()


def _names(names: Names, view: View, paper: Paper) -> dict[str, tuple[str, ...]]:
    """What each company with a figure, or of a statement, may be called: as we know it, and as its
    sources say.
    """
    made = [line.made for _, line in lines_of(paper) if line.made is not None]
    symbols = [claim.symbol for claim in view.claims.values()]
    symbols += [symbol for one in made for symbol in one.names]
    labels = [call.labels for call in view.trace.tool_calls]
    found: dict[str, tuple[str, ...]] = {}
    for symbol in dict.fromkeys(symbols):
        if names.row(symbol) is not None:
            called = names.list_names(symbol)
            told = (each[symbol]["name"] for each in labels if "name" in each.get(symbol, {}))
            english = english_name(names.row(symbol)) or names.name(symbol)
            # A page in English may spell a Chinese name in pinyin.
            shown = names.text(symbol).en
            said = (names.name(symbol), *called.own, *called.other, *told, english, shown)
            found[symbol] = tuple(dict.fromkeys(said))
    return found


def _find_mentioned(names: Names, paper: Paper) -> dict[str, tuple[str, ...]]:
    """Companies without a figure that the texts name, where a numeral stands in the name."""
    text = "\n".join(line.template for _, line in (*lines_of(paper), *table_lines(paper)))
    return {symbol: (name,) for name, symbol in names.numbered.items() if name in text}


def _rules(claims: Iterable[Claim]) -> tuple[Competence, ...]:
    cites = (claim.cite for claim in claims)
    used = {cite.competence_id for cite in cites if isinstance(cite, CompetenceCite)}
    return tuple(COMPETENCES[name] for name in sorted(used))


def _bare(result: JsonValue) -> JsonValue:
    if not isinstance(result, dict):
        return result
    return {name: value for name, value in result.items() if name not in ("claims", "trace")}

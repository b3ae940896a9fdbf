"""数据源: what answers what, how each source has been doing, and what the bundled data are.

Building the view fetches nothing; `trial` asks one source now.
"""

from collections.abc import Mapping

from services.core.errors import InputError, NoDataError, UnavailableError
from services.core.requests import (
    CAPABILITIES,
    FetchRequest,
    MacroRequest,
    NewsRequest,
    NoticesRequest,
    SpotRequest,
    SummaryRequest,
    ValuationRequest,
    WebSearchRequest,
)
from services.core.text import Text
from services.core.trace import Trace
from services.providers.chain import Chain
from services.providers.circuit import Key, Open
from services.providers.frozen import FrozenChain
from services.providers.snapshot import SnapshotProvider
from services.settings import SECRETS, Settings
from services.store.snapshot import Manifest, SnapshotPart
from services.views.parts import Parts
from services.views.source_words import CAPABILITY_WORDS, problem_words, source_words
from services.views.syncing import MARKET_NAMES, copies
from services.views.table import Table, TableColumn, TableRow
from services.views.view import (
    Capability,
    SnapshotFacts,
    SourcePart,
    SourceState,
    SourcesView,
    Told,
    Trial,
)

# What a source is asked when someone wants to know whether it works, the first it can answer.
_PROBES: tuple[FetchRequest, ...] = (
    ValuationRequest(symbol="600519.SH"),
    SpotRequest(symbol="600519.SH"),
    NoticesRequest(symbol="600519.SH", size=1),
    WebSearchRequest(query="A股", size=1),
    NewsRequest(symbol="600519.SH", keywords=("股", "经济", "market"), size=1),
    MacroRequest(series="lpr", count=1),
    SummaryRequest(market="CN"),
)
_PART_COLUMNS = (
    TableColumn("file", Text("文件", "File"), "text"),
    TableColumn("source", Text("来源", "Source"), "text"),
    TableColumn("table", Text("表", "Table"), "text"),
    TableColumn("as_of", Text("数据截至", "As of"), "date"),
    TableColumn("rows", Text("文件行数", "Rows in file"), "text"),
    TableColumn("origin", Text("出处", "Origin"), "text"),
    TableColumn("licence", Text("许可说明", "Licence note"), "text"),
    TableColumn("sha256", Text("指纹", "Fingerprint"), "text"),
)
_DROPPED_COLUMNS = (
    TableColumn("file", Text("文件", "File"), "text"),
    TableColumn("reason", Text("剔除原因", "Why left out"), "text"),
    TableColumn("rows", Text("行数", "Rows"), "text"),
)


def build(parts: Parts) -> SourcesView:
    """The view, from the settings and the manifest."""
    settings, manifest = parts.settings, parts.manifest
    found, held = snapshot_facts(manifest), _list_holders(parts)
    return SourcesView(
        title=Text("数据源", "Data sources"),
        claims={},
        trace=Trace(),
        run_ids=(),
        mode="snapshot" if settings.frozen else settings.mode,
        clock=parts.clock.now(),
        capabilities=tuple(
            Capability(key, _capability(key), held.get(key, ())) for key in settings.chains
        ),
        keys_present=tuple(name for name in SECRETS if name in settings.secrets_present),
        keys_absent=tuple(name for name in SECRETS if name not in settings.secrets_present),
        sources=source_states(settings, parts.chain),
        snapshot=found,
        parts=Table(
            "parts",
            Text("快照文件", "Snapshot files"),
            _PART_COLUMNS,
            tuple(_part_row(part) for part in found.parts),
        ),
        dropped=Table(
            "dropped",
            Text("构建时剔除的行", "Rows left out by the build"),
            _DROPPED_COLUMNS,
            tuple(row for part in manifest.parts for row in _list_dropped(part)),
        ),
        licences=tuple(dict.fromkeys(part.licence for part in found.parts)),
        copies=copies(parts),
        copies_behind=parts.copy.trouble,
    )


def source_states(settings: Settings, chain: Chain) -> tuple[SourceState, ...]:
    """Every source any chain names, configured or not, in the order they first appear."""
    wanted = settings.wanted_chains
    names = dict.fromkeys(name for sources in wanted.values() for name in sources)
    return tuple(_state(settings, chain, name) for name in names)


def _state(settings: Settings, chain: Chain, name: str) -> SourceState:
    health = chain.health.of(name)
    answers = [key for key, sources in settings.wanted_chains.items() if name in sources]
    paused = [
        _tell_pause(key, pause)
        for key, pause in chain.circuits.all_open().items()
        if key.provider == name
    ]
    error = None
    if health.last_error:
        error = Told(problem_words(health.last_error), health.last_message or "")
    return SourceState(
        key=name,
        name=source_words(name),
        answers=tuple(_capability(key) for key in answers),
        lacking=settings.lacking(name),
        calls=health.calls,
        failures=health.failures,
        cache_hits=health.cache_hits,
        last_success_at=health.last_success_at,
        last_error_at=health.last_error_at,
        last_error=error,
        paused=tuple(paused),
        ailing=health.ailing,
    )


def _tell_pause(key: Key, pause: Open) -> Told:
    """Which questions a source is spared until when."""
    what, market = _capability(key.capability), _market_words(key.market)
    return Told(
        Text(
            f"{what.zh}{market.zh}：{pause.until:%H:%M:%S} 前不再询问",
            f"{what.en}{market.en}: not asked before {pause.until:%H:%M:%S}",
        ),
        pause.reason,
    )


def _market_words(market: str) -> Text:
    """`CN`, `HK index`, or nothing, in brackets behind a capability."""
    code, _, index = market.partition(" ")
    if code not in MARKET_NAMES:
        return Text("", "")
    name = MARKET_NAMES[code]
    return Text(
        f"（{name.zh}{'指数' if index else ''}）", f" ({name.en}{' indexes' if index else ''})"
    )


def _list_holders(parts: Parts) -> Mapping[str, tuple[str, ...]]:
    """Who may have an answer, by capability; of a frozen snapshot, who gave the answers in it."""
    if isinstance(parts.chain, FrozenChain):
        return parts.chain.holds
    held = SnapshotProvider.holds if parts.settings.mode == "snapshot" else CAPABILITIES
    return {key: tuple(chain) for key, chain in parts.settings.chains.items() if key in held}


def _capability(key: str) -> Text:
    return CAPABILITY_WORDS.get(key, Text(key, key))


def trial(parts: Parts, name: str) -> Trial:
    """Ask that source now for something small. Raises: InputError for an unknown name."""
    known = {name for sources in parts.settings.chains.values() for name in sources}
    if name not in known:
        raise InputError("source", name, " | ".join(sorted(known)), choices=tuple(sorted(known)))
    outcome = parts.chain.probe(name, _PROBES)
    if outcome.error is None:
        rows = sum(len(part.rows) + len(part.items) for part in outcome.fetched)
        took = outcome.attempts[-1].duration_ms
        return Trial(
            key=name,
            ok=True,
            told=Text(f"正常：{rows} 行，{took:.0f} ms", f"works: {rows} rows, {took:.0f} ms"),
        )
    if isinstance(outcome.error, UnavailableError) and outcome.error.table == "probe":
        told = Text("没有适合试问的小请求", "there is nothing small to ask it")
        return Trial(key=name, ok=False, told=told)
    return Trial(
        key=name,
        ok=isinstance(outcome.error, NoDataError),
        told=problem_words(type(outcome.error).__name__),
        detail=str(outcome.error).replace(" | ", " / "),
    )


def snapshot_facts(manifest: Manifest) -> SnapshotFacts:
    """The manifest as pages tell it: one line per file and source, each defect once."""
    defects = [
        Text(zh, en)
        for part in manifest.parts
        for zh, en in zip(part.defects, part.defects_en, strict=True)
    ]
    return SnapshotFacts(
        name=manifest.name,
        clock=manifest.clock.isoformat(),
        built_at=manifest.built_at.isoformat(),
        parts=tuple(line for part in manifest.parts for line in _lines(part)),
        defects=tuple(dict.fromkeys(defects)),
        scope=Text(manifest.scope.zh, manifest.scope.en) if manifest.scope else None,
    )


def _lines(part: SnapshotPart) -> list[SourcePart]:
    return [
        SourcePart(
            file=part.file,
            source=source.source,
            table=source.table,
            as_of=source.as_of.isoformat(),
            rows=f"{part.rows:,}",
            sha256=part.sha256,
            origin=source.origin,
            licence=Text(source.licence_note, source.licence_note_en),
        )
        for source in part.sources
    ]


def _part_row(part: SourcePart) -> TableRow:
    return TableRow(
        {
            "file": part.file,
            "source": part.source,
            "table": part.table,
            "as_of": part.as_of,
            "rows": part.rows,
            "origin": part.origin,
            "licence": part.licence,
            "sha256": part.sha256,
        }
    )


def _list_dropped(part: SnapshotPart) -> list[TableRow]:
    return [
        TableRow(
            {
                "file": part.file,
                "reason": Text(part.dropped_zh.get(key, key), part.dropped_en.get(key, key)),
                "rows": f"{count:,}",
            }
        )
        for key, count in part.dropped.items()
    ]

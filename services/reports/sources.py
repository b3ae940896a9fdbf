"""数据源: what answers what, which keys are set, and what the bundled data are. Nothing is
fetched.
"""

from collections.abc import Mapping

from services.core.trace import Trace
from services.reports.parts import Parts
from services.reports.table import Column, Row, Table, Words
from services.reports.view import Capability, SnapshotFacts, SourcePart, SourcesView
from services.settings import SECRETS
from services.store.snapshot import Manifest, SnapshotPart

CAPABILITY_WORDS: Mapping[str, Words] = {
    "screen": Words("选股", "Screening"),
    "valuation": Words("估值", "Valuation"),
    "spot": Words("盘中实时价", "Spot price"),
    "daily_bars": Words("日线", "Daily bars"),
    "financials": Words("财务报告", "Financial reports"),
    "forecast": Words("机构预期", "Consensus forecast"),
    "summary": Words("市场概览", "Market summary"),
    "peers": Words("同行业公司", "Industry peers"),
}
_PART_COLUMNS = (
    Column("file", "文件", "File", "text"),
    Column("source", "来源", "Source", "text"),
    Column("table", "表", "Table", "text"),
    Column("as_of", "数据截至", "As of", "date"),
    Column("rows", "文件行数", "Rows in file", "text"),
    Column("origin", "出处", "Origin", "text"),
    Column("licence", "许可说明", "Licence note", "text"),
    Column("sha256", "sha256", "sha256", "text"),
)
_DROPPED_COLUMNS = (
    Column("file", "文件", "File", "text"),
    Column("reason", "剔除原因", "Why left out", "text"),
    Column("rows", "行数", "Rows", "text"),
)


def build(parts: Parts) -> SourcesView:
    """The view, from the settings and the manifest."""
    settings, manifest = parts.settings, parts.manifest
    found = snapshot_facts(manifest)
    return SourcesView(
        title=Words("数据源", "Data sources"),
        claims={},
        trace=Trace(),
        run_ids=(),
        mode=settings.mode,
        clock=parts.clock.now(),
        capabilities=tuple(
            Capability(key, CAPABILITY_WORDS.get(key, Words(key, key)), tuple(chain))
            for key, chain in settings.chains.items()
        ),
        keys_present=tuple(name for name in SECRETS if name in settings.secrets_present),
        keys_absent=tuple(name for name in SECRETS if name not in settings.secrets_present),
        snapshot=found,
        parts=Table(
            "parts",
            "快照文件",
            "Snapshot files",
            _PART_COLUMNS,
            tuple(_part_row(part) for part in found.parts),
        ),
        dropped=Table(
            "dropped",
            "构建时剔除的行",
            "Rows left out by the build",
            _DROPPED_COLUMNS,
            tuple(row for part in manifest.parts for row in _dropped_rows(part)),
        ),
        licences=tuple(dict.fromkeys(part.licence for part in found.parts)),
    )


def snapshot_facts(manifest: Manifest) -> SnapshotFacts:
    """The manifest as pages tell it: one line per file and source, each defect once."""
    defects = [
        Words(zh, en)
        for part in manifest.parts
        for zh, en in zip(part.defects, part.defects_en, strict=True)
    ]
    return SnapshotFacts(
        name=manifest.name,
        clock=manifest.clock.isoformat(),
        built_at=manifest.built_at.isoformat(),
        parts=tuple(line for part in manifest.parts for line in _lines(part)),
        defects=tuple(dict.fromkeys(defects)),
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
            licence=Words(source.licence_note, source.licence_note_en),
        )
        for source in part.sources
    ]


def _part_row(part: SourcePart) -> Row:
    return Row(
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


def _dropped_rows(part: SnapshotPart) -> list[Row]:
    return [
        Row(
            {
                "file": part.file,
                "reason": Words(part.dropped_zh.get(key, key), part.dropped_en.get(key, key)),
                "rows": f"{count:,}",
            }
        )
        for key, count in part.dropped.items()
    ]

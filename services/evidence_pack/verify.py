"""Does an evidence pack hold, and do the files beside it? Needs nothing but their bytes.

A pack proves that it agrees with itself: figures with their trace, texts with their figures, files
with both. That it is the one that was sent, only its fingerprint can prove.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from services.core.errors import InputError
from services.core.record import Record
from services.core.text import Text, join_texts
from services.evidence_pack import checks, labels
from services.evidence_pack.compare_cells import (
    CellComparison,
    compare_lines,
    compare_tables,
    other_figures,
    read_csv,
)
from services.evidence_pack.compare_exports import Beside, compare_beside
from services.evidence_pack.consequences import Consequence
from services.evidence_pack.manifest import manifest_faults
from services.evidence_pack.parts import (
    COMPETENCES as RULES,
)
from services.evidence_pack.parts import (
    FORMAT,
    LINES,
    REPORT,
    REQUIRED,
    RESULT,
    TABLES,
    TOOL,
    PackContent,
    PackManifest,
    PackPart,
    digest,
    find_changed_lines,
)
from services.evidence_pack.places import tell_place
from services.evidence_pack.printed_answer import result_faults
from services.evidence_pack.read_pack import (
    UnreadError,
    describe_line,
    read_content,
    read_digests,
    read_manifest,
)
from services.evidence_pack.renderings import renderings
from services.evidence_pack.size_limits import REFUSALS, Fault
from services.evidence_pack.weigh_text import TextFigure
from services.evidence_pack.zip_file import MANIFEST, Member, OpenedPack, is_pack, open_pack

MOST_FAILURES = 500
_LINES_TOLD = 20


class PackFinding(Record):
    """One thing that does not hold: where (`place` for programs, `where` for a reader, `about` whom
    and what), which check, and why. `wanted` is the pack's, `got` what stands in its place, `line`
    that of a text or of a table with its head, `column` the table's, `claim` the figure's; empty
    and 0 where the reason says it all. `follows`: what else the same file says that cannot hold
    together with it.
    """

    place: str
    where: Text = Text("", "")
    about: Text = Text("", "")
    check: str
    reason: Text
    wanted: str = ""
    got: str = ""
    line: int = 0
    claim: str = ""
    column: str = ""
    follows: tuple[Consequence, ...] = ()


class Checked(Record):
    """How much was looked at. `figures` are those of the texts, `cells` those of the tables,
    `unjudged` the texts whose words code does not judge, `statements` those that code proved and
    told anew.
    """

    parts: int = 0
    claims: int = 0
    calls: int = 0
    rows: int = 0
    texts: int = 0
    figures: int = 0
    unjudged: int = 0
    statements: int = 0
    tables: int = 0
    cells: int = 0
    lines: int = 0
    files: int = 0


class PackVerdict(Record):
    """What came of it. `fingerprint` and `manifest` are null when the manifest cannot be read;
    `notes` refuse nothing; `figures` are those of texts beside it that are no copies of its report.
    Not `finished`: it was stopped, and nothing is known of what it holds.
    """

    ok: bool
    finished: bool = True
    fingerprint: str | None = None
    manifest: PackManifest | None = None
    checked: Checked
    failures: tuple[PackFinding, ...] = ()
    notes: tuple[Text, ...] = ()
    figures: tuple[TextFigure, ...] = ()


def verify_pack(data: bytes, files: Sequence[Beside] = (), *, name: str = "PACK") -> PackVerdict:
    """Everything that can be checked, in order: the container and its hashes, then the claims, the
    texts, the renderings, the rules, then each file beside it. A part is only read when every hash
    holds, and nothing at all of a pack that is larger than the limits.

    Raises: InputError when it is no evidence pack at all.
    """
    if not is_pack(data):
        raise InputError(name, f"{len(data)} bytes", "an evidence pack of Youju (.youju.zip)")
    case = _Case(open_pack(data))
    case.judge(files)
    return case.verdict()


class _Case:
    """One pack while it is looked at."""

    def __init__(self, opened: OpenedPack) -> None:
        self._parts = {one.name: one.content for one in opened.members if one.content is not None}
        self._members = opened.members
        self._faults: list[Fault] = list(opened.faults)
        self._notes: list[Text] = []
        self._figures: list[TextFigure] = []
        self._counts: dict[str, int] = {}
        self._manifest: PackManifest | None = None
        self._held: PackContent | None = None

    def judge(self, files: Sequence[Beside]) -> None:
        """Compare the hashes; when they all hold, ask everything that the parts allow to ask."""
        if any(fault.check in REFUSALS for fault in self._faults):
            return
        head = self._parts.get(MANIFEST)
        if head is None or self._members[0].name != MANIFEST:
            self._fault(MANIFEST, "part_missing", "第一个部件应是清单", "it must be the first part")
            return
        try:
            self._manifest = read_manifest(head)
        except UnreadError as error:
            self._faults += error.faults
            return
        self._seal(self._manifest)
        self._hashes(self._manifest)
        if self._faults:
            return
        try:
            content = read_content(self._parts)
        except UnreadError as error:
            self._faults += error.faults
            return
        self._held = content
        self._content(self._manifest, content)
        self._renderings(self._manifest, content)
        self._beside(content, files, self._manifest)

    def verdict(self) -> PackVerdict:
        """What was found."""
        found = dict.fromkeys(self._faults)
        listed = tuple(self._find(fault) for fault in list(found)[:MOST_FAILURES])
        if len(found) > MOST_FAILURES:
            more = len(found) - MOST_FAILURES
            self._notes.append(Text(f"另有 {more} 处未列出", f"{more} more are not listed"))
        return PackVerdict(
            ok=not found,
            fingerprint=self._manifest.fingerprint if self._manifest else None,
            manifest=self._manifest,
            checked=Checked(**self._counts),
            failures=listed,
            notes=tuple(dict.fromkeys(self._notes)),
            figures=tuple(self._figures),
        )

    def _find(self, fault: Fault) -> PackFinding:
        told = tell_place(fault.place, self._held)
        return PackFinding(**fault._asdict(), **told._asdict())

    def _seal(self, manifest: PackManifest) -> None:
        if manifest.format != FORMAT:
            told = f"{manifest.format}，本软件读 {FORMAT}"
            self._fault(MANIFEST, "format", f"格式是 {told}", f"{manifest.format}: not {FORMAT}")
        if manifest.seal != manifest.wanted_seal:
            self._fault(
                MANIFEST, "seal",
                "封签与清单不符：清单被改过", "the seal is not the manifest's: it was changed",
            )  # fmt: skip
        if manifest.tool != TOOL:
            told = f"{manifest.tool} → {TOOL}"
            self._notes.append(
                Text(f"由另一版本写成：{told}", f"written by another version: {told}")
            )

    def _hashes(self, manifest: PackManifest) -> None:
        """Each part, packed and unpacked, against the manifest; what was changed by its line."""
        wanted = [MANIFEST, *(part.file for part in manifest.parts)]
        got = [member.name for member in self._members]
        if wanted != got:
            lost, spare = set(wanted) - set(got), set(got) - set(wanted)
            for name in sorted(lost | spare) or ["pack"]:
                check = "part_missing" if name in lost else "part_extra" if spare else "part_order"
                self._fault(
                    name, check, "部件与清单不符", "the parts are not those of the manifest"
                )
        for name in (one for one in REQUIRED if one not in got):
            self._fault(name, "part_missing", "缺少必需的部件", "a part every pack has is missing")
        members = {member.name: member for member in self._members[1:]}
        differ = {
            part.file: self._differs_from(part, members[part.file])
            for part in manifest.parts
            if part.file in members
        }
        digests = {} if differ.get(LINES, True) else self._digests()
        for name, differs in differ.items():
            lines = self._find_changed(name, members[name].content, digests)
            if differs and not lines:
                self._fault(name, "sha256", "内容与清单的 sha256 不符", _SHA256)

    def _differs_from(self, part: PackPart, member: Member) -> bool:
        """Whether the content is another than the manifest tells; how it is packed is told here."""
        self._count("parts", 1)
        content = member.content
        if content is None:
            return True
        if len(content) != part.bytes:
            told = f"{len(content)} ≠ {part.bytes}"
            self._fault(part.file, "size", f"长度 {told}", f"bytes {told}")
        same = digest(content) == part.sha256
        if same and digest(member.packed) != part.packed_sha256:
            self._fault(
                part.file, "packed_sha256",
                "压缩数据与清单的 sha256 不符", "packed bytes: not the sha256 of the manifest",
            )  # fmt: skip
        return not same

    def _digests(self) -> Mapping[str, str]:
        content = self._parts.get(LINES)
        if content is None:
            return {}
        try:
            found = read_digests(content)
        except UnreadError as error:
            self._faults += error.faults
            return {}
        for name in sorted(self._parts.keys() ^ (found.keys() | {MANIFEST, LINES})):
            self._fault(name, "line_digest", "行摘要与部件不符", "not a part that lines.json has")
        return found

    def _find_changed(self, name: str, content: bytes | None, digests: Mapping[str, str]) -> bool:
        """Name the lines of a part that are not as they were written; whether there are any."""
        if content is None or name not in digests:
            return False
        found = False
        for at, number in enumerate(find_changed_lines(content, digests[name])):
            found = True
            if at == _LINES_TOLD:
                self._fault(name, "line_digest", "其余各行从略", "more lines, not listed")
                break
            place = f"{name} line {number}{describe_line(content, number)}"
            self._fault(place, "line_digest", "这一行被改过", "this line was changed")
        return found

    def _content(self, manifest: PackManifest, content: PackContent) -> None:
        self._count("claims", len(content.claims))
        self._count("calls", len(content.trace.tool_calls))
        self._count("statements", checks.count_statements(content))
        self._count("rows", sum(len(call.rows) for call in content.trace.tool_calls))
        self._same_as_paper(manifest, content)
        self._faults += manifest_faults(manifest, content)
        self._faults += labels.name_of_title(content, manifest.symbols)
        self._notes += labels.find_asked_figures(content)
        for asked in _QUESTIONS:
            self._faults += asked(content)
        for fault in checks.quote_faults(content):
            if fault.place in manifest.unjudged:
                self._note_unjudged(fault.place)
            else:
                self._faults.append(fault)
        self._faults += checks.claim_faults(content, manifest.now)
        for rule, ours in checks.find_changed_rules(content):
            if manifest.tool == TOOL:
                self._fault(
                    f"{RULES} {rule.competence_id}", "rule_equal",
                    "措辞不是本软件登记的", "not worded as this program has it",
                )  # fmt: skip
            self._notes.append(
                Text(
                    "规则的措辞已变：{name}: {theirs} → {ours}",
                    "a rule is worded otherwise: {name}: {theirs} → {ours}",
                ).format(name=rule.competence_id, theirs=rule.statement, ours=ours.statement)
            )
        self._texts(manifest, content)

    def _same_as_paper(self, manifest: PackManifest, content: PackContent) -> None:
        paper = content.paper
        for name, said in (
            ("kind", paper.kind),
            ("title", paper.title),
            ("language", paper.language),
        ):
            if getattr(manifest, name) != said:
                told = f"{getattr(manifest, name)} ≠ {said}"
                self._fault(
                    f"{MANIFEST} {name}", "paper_equal",
                    f"与 paper.json 不同：{told}", f"not as paper.json has it: {told}",
                )  # fmt: skip

    def _texts(self, manifest: PackManifest, content: PackContent) -> None:
        """Texts that code could not judge when they were written are counted, not refused."""
        for place, found, typed in checks.ground_texts(content, manifest.symbols, manifest.day):
            self._count("texts", 1)
            self._count("figures", len(found.supported))
            failures = found.failures
            if failures and place in manifest.unjudged:
                self._note_unjudged(place)
                failures = typed
            for failure in failures:
                zh = f"“{failure.span}”：{failure.reason.zh}"
                self._fault(place, failure.check, zh, f"“{failure.span}”: {failure.reason.en}")

    def _note_unjudged(self, place: str) -> None:
        """Whoever writes a pack says what is not judged, so the reader is told where it is."""
        self._count("unjudged", 1)
        told = Text("只核对数字，没有判断措辞：{where}", "its words were not judged: {where}")
        self._notes.append(told.format(where=tell_place(place, self._held).where))

    def _renderings(self, manifest: PackManifest, content: PackContent) -> None:
        """The report and the tables, written again from the paper: each line, each cell."""
        try:
            fresh = renderings(content.paper, content.by_id, content.trace)
        except (LookupError, ArithmeticError, ValueError, TypeError, RecursionError) as error:
            said = f"{type(error).__name__} {error}"[:200]
            self._fault(REPORT, "rendering", f"无法重新写出：{said}", f"cannot be written: {said}")
            return
        for name in sorted(fresh.keys() ^ {one for one in self._parts if _is_rendering(one)}):
            self._fault(name, "rendering", "与 paper.json 的表不符", "not a table of paper.json")
        if manifest.tool == TOOL:
            self._same_report(content, fresh)
        for name, wanted in fresh.items():
            got = self._parts.get(name)
            if got is not None:
                found = _compare_part(name, wanted, got)
                self._note_difference(manifest, name, found, (wanted, got))

    def _same_report(self, content: PackContent, fresh: Mapping[str, bytes]) -> None:
        """A report that the result has in full must be the one that is written from the paper."""
        told = content.result if isinstance(content.result, dict) else {}
        report = told.get("final_report")
        if isinstance(report, dict) and isinstance(text := report.get("markdown"), str):
            place = f"{RESULT} final_report markdown"
            self._faults += compare_lines(place, fresh[REPORT].decode(), text).faults

    def _note_difference(
        self,
        manifest: PackManifest,
        name: str,
        found: CellComparison | None,
        pair: tuple[bytes, bytes],
    ) -> None:
        self._count("tables", name != REPORT)
        self._count("cells" if name != REPORT else "lines", found.count if found else 0)
        if pair[0] == pair[1]:
            return
        faults = found.faults if found else []
        if manifest.tool != TOOL:
            self._faults += other_figures(name, *pair)
            places = [fault.place for fault in faults[:5]] or [name]
            told = join_texts(tell_place(one, self._held).where for one in places)
            said = Text("本版本写法不同：{where}", "this version writes otherwise: {where}")
            self._notes.append(said.format(where=told))
        elif faults:
            self._faults += faults
        else:
            self._fault(name, "rendering", "写法与重新写出的不同", "not as it is written again")

    def _beside(
        self, content: PackContent, files: Iterable[Beside], manifest: PackManifest
    ) -> None:
        for file in files:
            found = compare_beside(file, self._parts, content, manifest)
            self._figures += found.figures
            self._faults += found.faults
            self._notes += found.notes
            self._count("files", 1)

    def _count(self, name: str, more: int) -> None:
        self._counts[name] = self._counts.get(name, 0) + more

    def _fault(self, place: str, check: str, zh: str, en: str) -> None:
        self._faults.append(Fault(place, check, Text(zh, en)))


_SHA256 = "not the sha256 of the manifest"
_QUESTIONS: tuple[Callable[[PackContent], Iterable[Fault]], ...] = (
    checks.id_faults,
    checks.paper_faults,
    checks.statement_faults,
    checks.chart_faults,
    labels.label_faults,
    checks.rule_faults,
    checks.name_faults,
    result_faults,
)


def _is_rendering(name: str) -> bool:
    return name == REPORT or name.startswith(TABLES)


def _compare_part(name: str, wanted: bytes, got: bytes) -> CellComparison | None:
    if name == REPORT:
        return compare_lines(name, wanted.decode(), got.decode(errors="replace"))
    before, after = read_csv(wanted), read_csv(got)
    return compare_tables(name, before, after) if before and after else None

"""What a reader opens of a pack: written when it is made, and again when it is checked."""

from collections.abc import Mapping

from services.core.claims import Claim
from services.core.trace import Trace
from services.evidence_pack.parts import REPORT, TABLES
from services.exports.csv import paper_csv, table_files
from services.exports.markdown import paper_markdown
from services.exports.paper import Paper


def renderings(paper: Paper, claims: Mapping[str, Claim], trace: Trace) -> dict[str, bytes]:
    """The paper as a reader opens it: the report as Markdown, each table as CSV."""
    made = {REPORT: paper_markdown(paper, claims, trace).encode()}
    for name, table in table_files(paper).items():
        made[f"{TABLES}{name}.csv"] = paper_csv(table, claims, trace, paper.language)
    return made

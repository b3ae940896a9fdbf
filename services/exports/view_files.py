"""A page or answer as a file: its paper, written by the writer of that format.

Apart from the writers, so that an evidence pack is checked without all that makes pages.
"""

import io
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from services.agents.orchestrator import Material
from services.core.text import Language
from services.exports.analysis_paper import material_paper
from services.exports.csv import CsvForm, paper_csv, table_files
from services.exports.markdown import paper_markdown
from services.exports.paper import Paper, PaperTable
from services.exports.papers import paper_of
from services.views.table import View


def view_markdown(view: View, language: Language = "zh") -> str:
    """The whole page or answer."""
    return paper_markdown(paper_of(view, language), view.claims, view.trace)


def write_markdown(material: Material) -> str:
    """A deep analysis that was just written, in the language it was asked in."""
    claims = {claim.claim_id: claim for claim in material.claims}
    return paper_markdown(material_paper(material), claims, material.trace)


def view_zip(view: View, language: Language = "zh", form: CsvForm = "full") -> bytes:
    """Every table of the view as `<key>.csv` in one ZIP; the same view gives the same bytes."""
    buffer = io.BytesIO()
    paper = paper_of(view, language)
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, table in table_files(paper).items():
            entry = ZipInfo(f"{name}.csv")
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, _file(table, view, paper, form))
    return buffer.getvalue()


def _file(table: PaperTable, view: View, paper: Paper, form: CsvForm) -> bytes:
    return paper_csv(table, view.claims, view.trace, paper.language, form)

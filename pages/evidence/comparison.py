"""Two papers side by side: how much is the same, and everything that is not."""

from html import escape

from pages.ui import blocks, cite
from pages.ui.i18n import say, t
from services.views.table import Table, TableRow
from services.workbench.compare import ComparisonView


def draw(found: ComparisonView) -> None:
    """The counts, then a table for each kind of difference there is."""
    blocks.draw(f'<p class="yj-count" role="status">{verdict(found)}</p>')
    for table in found.tables():
        if table.rows and table is found.texts:
            blocks.draw(blocks.heading(say(table.title)), _sentences(table, found))
        elif table.rows:
            blocks.draw(
                blocks.heading(say(table.title)),
                blocks.table(table, found.claims, kind="provenance"),
            )


def verdict(found: ComparisonView) -> str:
    """Whether anything differs, and how many figures and sentences do not, as HTML."""
    chip = blocks.chip(t("compare_same"), "good")
    if found.unlike:
        chip = blocks.chip(t("compare_two"))
    elif not found.same:
        chip = blocks.chip(t("compare_differs"), "warn")
    counts = t(
        "compare_counts_two" if found.unlike else "compare_counts",
        figures=str(found.same_figures),
        changed=str(len(found.figures.rows)),
        texts=str(found.same_texts),
        told=str(len(found.texts.rows)),
    )
    return f"{chip} {cite.tag('provenance', counts)}"


def _sentences(table: Table, found: ComparisonView) -> str:
    """What a sentence was and what it is now, side by side."""
    heads = "".join(
        f'<th scope="col" data-nocite="label">{escape(say(column.label))}</th>'
        for column in table.columns
    )
    rows = "".join(f"<tr>{_sides(row, found)}</tr>" for row in table.rows)
    return blocks.framed(say(table.title), f"<tr>{heads}</tr>", rows)


def _sides(row: TableRow, found: ComparisonView) -> str:
    told = (row.cells.get(side) for side in ("before", "after"))
    return "".join(
        f'<td class="yj-wrap">{cite.prose(one, found.claims, labels=found.known)}</td>'
        if isinstance(one, str)
        else '<td class="yj-mute">—</td>'
        for one in told
    )

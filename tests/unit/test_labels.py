"""Whatever a page hands to Streamlit as Markdown is a text of ours, or goes through escape_label.

Streamlit reads the labels of its controls as Markdown: a stored name in one could load a picture
from anywhere.
"""

import ast
from pathlib import Path

import pytest

from pages.ui.outside import escape_chart, escape_label

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*ROOT.glob("pages/**/*.py"), ROOT / "app.py"]
# Every call of Streamlit that reads an argument as Markdown: which positional one, by name too.
_FIRST = """
    button download_button form_submit_button link_button popover expander segmented_control pills
    radio checkbox toggle multiselect selectbox text_input text_area number_input date_input
    time_input slider select_slider file_uploader toast spinner metric tabs markdown caption info
    warning error success title header subheader status dialog badge page_link chat_input
    color_picker camera_input write
"""
MARKDOWN = dict.fromkeys(_FIRST.split(), 0) | {"progress": 1}
# Names that other things have as well: only as `st.title` and the like.
COMMON = {"title", "info", "error", "warning", "success", "status", "write", "header", "metric"}
NAMED = {"label", "body", "text", "help", "caption", "captions"}
# Options of these are Markdown as well; those of selectbox and multiselect are not.
OPTIONS = {"segmented_control", "pills", "radio"}
# Where an escape would be read: 600519\\.SH.
PLAIN = {"selectbox", "multiselect"}
OURS = {"t", "escape_label", "metric_label"}
# Labels registered in services, never typed by anybody: the conditions of a plan.
REGISTERED = {"condition.label"}


def _called(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_ours(node: ast.expr | None, known: dict[str, ast.expr]) -> bool:
    """A constant, a text of the table, an escaped one, or made of such."""
    match node:
        case None | ast.Constant():
            return True
        case ast.Call(func=func, args=args, keywords=keywords):
            if _called(func) == "words":
                return ast.unparse(args[0]) in REGISTERED
            if _called(func) == "escape_label":
                return True
            places = [one.value for one in keywords] if _called(func) == "t" else []
            return _called(func) in OURS and all(_is_count(one, known) for one in places)
        case ast.JoinedStr(values=values):
            inner = [one.value for one in values if isinstance(one, ast.FormattedValue)]
            return all(_is_ours(one, known) for one in inner)
        case ast.BinOp(left=left, right=right):
            return _is_ours(left, known) and _is_ours(right, known)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_ours(body, known) and _is_ours(orelse, known)
        case ast.Name(id=name):
            return name in known and _is_ours(known[name], {})
        case ast.List(elts=parts):  # the names of tabs
            return all(_is_ours(one, known) for one in parts)
        case _:
            return False


def _is_count(node: ast.expr, known: dict[str, ast.expr]) -> bool:
    """What may be put into a text of ours: a number, or again an escaped or own text."""
    return _is_ours(node, known) or (
        isinstance(node, ast.Name | ast.Call) and ast.unparse(node).startswith(("str(", "count"))
    )


def _options_are_ours(call: ast.Call, known: dict[str, ast.expr]) -> bool:
    shown = next((one.value for one in call.keywords if one.arg == "format_func"), None)
    if shown is None:
        return False
    if isinstance(shown, ast.Lambda):
        return _is_ours(shown.body, known)
    texts = getattr(shown, "value", None)  # {…}.__getitem__
    return isinstance(texts, ast.Dict) and all(isinstance(v, ast.Constant) for v in texts.values)


class _Reader(ast.NodeVisitor):
    """Collects the calls whose Markdown is not ours; local names are looked up one step back."""

    def __init__(self) -> None:
        self._ours: set[str] = set()
        self._known: dict[str, ast.expr] = {}
        self.refused: list[str] = []

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if (node.module or "").startswith("pages"):
            self._ours.update(one.asname or one.name for one in node.names)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self._known = self._known, {}
        self.generic_visit(node)
        self._known = before

    def visit_Assign(self, node: ast.Assign) -> None:
        for one in node.targets:
            if isinstance(one, ast.Name):
                self._known[one.id] = node.value
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in MARKDOWN:
            return
        kind = node.func.attr
        whose = ast.unparse(node.func.value)
        if whose in self._ours or (whose != "st" and kind in COMMON):
            return  # reports.button of ours, view.title(…): none of Streamlit's
        given = node.args[MARKDOWN[kind] : MARKDOWN[kind] + 1]
        given += [one.value for one in node.keywords if one.arg in NAMED]
        wrong = [ast.unparse(one) for one in given if not _is_ours(one, self._known)]
        if kind in OPTIONS and not _options_are_ours(node, self._known):
            wrong.append("options")
        shown = [one.value for one in node.keywords if one.arg == "format_func"]
        if kind in PLAIN and any("escape_label" in ast.unparse(one) for one in shown):
            wrong.append("options that are no Markdown")
        self.refused += [f"{node.lineno} {kind}: {one}" for one in wrong]


def _refused(source: str) -> list[str]:
    reader = _Reader()
    reader.visit(ast.parse(source))
    return reader.refused


def test_no_control_of_any_page_reads_a_text_from_outside_as_markdown() -> None:
    found = {str(path.relative_to(ROOT)): _refused(path.read_text("utf-8")) for path in SOURCES}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "line",
    [
        "st.button(screen.name)",
        "st.button(label=screen.name)",
        "st.download_button(f'CSV {table.title}', b'')",
        "st.popover(t('saved', name=screen.name))",
        "st.button(t('saved'), help=screen.name)",
        "st.segmented_control(t('one'), rows, format_func=lambda at: rows[at].name)",
        "st.selectbox(t('one'), rows, format_func=lambda at: outside.escape_label(rows[at].name))",
        "st.pills(t('one'), names)",
        "left.toast(view.title)",
        "st.tabs([one.name for one in rows])",
        "name = screen.name\nst.button(name)",
    ],
)
def test_a_label_from_outside_is_found(line: str) -> None:
    assert len(_refused(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "st.button(t('save'))",
        "st.button(outside.escape_label(screen.name))",
        "st.button(f'← {t(\"back\")}')",
        "st.expander(t('away', count=str(len(rows))))",
        "from pages.ui import reports\nreports.button(symbol)",
        "st.selectbox(t('one'), names)",
    ],
)
def test_a_label_of_ours_is_not(line: str) -> None:
    assert _refused(line) == []


def test_escaping_leaves_plain_names_readable_and_no_sign_of_markdown_alone() -> None:
    assert escape_label("贵州茅台 低估值 2017") == "贵州茅台 低估值 2017"
    hostile = "![p](https://evil.example/p.png) **b** `c` $x$ <b> ~~d~~ &amp; # 1. :red[r]"
    escaped = escape_label(hostile)
    signs = [at for at, sign in enumerate(escaped) if sign in "!*`$<>~&#[]():_+-."]
    assert signs
    assert all(escaped[at - 1] == "\\" for at in signs)
    assert escaped.replace("\\", "").replace("\u2060", "") == hostile


@pytest.mark.parametrize("name", [":material/home:", ":streamlit:", ":smile:", "a -> b", "a -- b"])
def test_what_streamlit_replaces_after_markdown_is_parted(name: str) -> None:
    assert "\u2060" in escape_label(name)


def test_a_name_in_a_chart_is_neither_html_nor_a_place_of_plotly() -> None:
    assert escape_chart('<a href="x">甲</a>\n%{y} & 乙') == (
        '&lt;a href="x"&gt;甲&lt;/a&gt; %&#123;y} &amp; 乙'
    )

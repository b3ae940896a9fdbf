"""The house rules that a linter does not know."""

import ast
import re
from importlib import import_module
from pathlib import Path

from services.providers.registry import PROVIDERS
from services.tools.base import Tool
from services.tools.registry import TOOLS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("services/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"])


def test_no_module_is_longer_than_the_house_allows() -> None:
    long = {
        str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text().splitlines())) > 500
    }
    assert long == {}


def test_the_router_and_the_pages_are_short() -> None:
    assert len((ROOT / "app.py").read_text().splitlines()) <= 60
    pages = [p for p in ROOT.glob("pages/*/*.py") if _is_page(p)]
    assert pages
    assert {str(p): n for p in pages if (n := len(p.read_text().splitlines())) > 120} == {}


def _is_page(path: Path) -> bool:
    """A page runs from top to bottom; the parts beside it define and say nothing by themselves."""
    tree = ast.parse(path.read_text())
    return any(
        isinstance(node, ast.With | ast.If | ast.For | ast.Try) for node in tree.body
    ) or any(
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
        for node in tree.body
    )


def test_no_script_lies_directly_in_pages_and_no_python_in_data() -> None:
    assert list(ROOT.glob("pages/*.py")) == []
    assert list(ROOT.glob("data/**/*.py")) == []


def test_every_page_file_is_in_the_router_table() -> None:
    router = (ROOT / "app.py").read_text()
    for page in ROOT.glob("pages/*/*.py"):
        if _is_page(page) and page.parent.name != "ui":
            assert page.relative_to(ROOT).as_posix() in router, page


def test_every_provider_file_is_in_its_table() -> None:
    """A provider is a class that says what it is called, what it answers, and fetches."""
    found: dict[str, str] = {}
    for path in ROOT.glob("services/providers/**/*.py"):
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for item in vars(module).values():
            own = isinstance(item, type) and item.__module__ == module.__name__
            if own and isinstance(getattr(item, "capabilities", None), frozenset):
                found[item.name] = item.__name__
    assert found
    assert found == {name: getattr(make, "__name__", "") for name, make in PROVIDERS.items()}


def test_every_tool_file_is_in_its_table() -> None:
    found: list[Tool] = []
    for path in ROOT.glob("services/tools/*.py"):
        if path.stem != "registry":
            module = import_module(f"services.tools.{path.stem}")
            found += [item for item in vars(module).values() if isinstance(item, Tool)]
    assert {tool.name: id(tool) for tool in found} == {n: id(tool) for n, tool in TOOLS.items()}


def test_every_tool_has_its_schema_pinned_and_no_schema_is_left_over() -> None:
    pinned = {path.stem for path in ROOT.glob("tests/contract/tool_schemas/*.json")}
    assert pinned == set(TOOLS)


def test_init_files_are_empty() -> None:
    assert [str(p) for p in ROOT.glob("services/**/__init__.py") if p.read_text()] == []


def test_a_public_class_name_has_one_home() -> None:
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert homes
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_a_function_fits_on_a_screen() -> None:
    long: dict[str, int] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[0]
                start = first.end_lineno if isinstance(first, ast.Expr) else node.lineno
                length = (node.end_lineno or 0) - (start or 0)
                if length > 45:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = length
    assert long == {}


def test_nothing_committed_names_a_path_of_some_machine() -> None:
    machine = re.compile(r"/(?:work/(?:main|shared)|home/\w+|root/|tmp/v/|Users/\w+)")
    kinds = ("*.py", "*.md", "*.toml", "*.txt", "*.json", "Makefile", "*.css", "*.js")
    skipped = {".venv", ".venv-audit", ".venv-s3", "build", ".git", "node_modules"}
    found = [
        str(path.relative_to(ROOT))
        for kind in kinds
        for path in ROOT.rglob(kind)
        if not skipped & set(path.relative_to(ROOT).parts)
        and path.name != "test_layout.py"
        and machine.search(path.read_text(errors="ignore"))
    ]
    assert found == []

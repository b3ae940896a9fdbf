"""Write the tables that code knows into the READMEs; `--check` fails when one is stale.

A table stands between `<!-- table NAME -->` and `<!-- end -->`.
"""

import csv
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from services.core.catalogue import CATALOGUE  # noqa: E402 — after the path is set
from services.core.formulas import FORMULAS  # noqa: E402
from services.providers.registry import PROVIDERS  # noqa: E402
from services.query.planning.entries import ENTRIES  # noqa: E402
from services.tools.registry import TOOLS  # noqa: E402
from tests.fakes.server import FAULTS  # noqa: E402

BLOCK = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _rows(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    cells = ((cell.replace("|", "\\|") for cell in line) for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def metrics() -> str:
    """Every metric: id, names, kind, code."""
    rows = [(f"`{m.id}`", m.zh, m.en, m.kind, m.code or "") for m in CATALOGUE.figures.values()]
    return _rows(("id", "中文", "English", "kind", "code"), rows)


def formulas() -> str:
    """Every formula a derived figure may cite."""
    rows = [(f"`{f.metric}`", f"`{f.expression}`", f.unit, f.accuracy or "") for f in FORMULAS]
    return _rows(("metric", "formula", "unit", "accuracy"), rows)


def tools() -> str:
    """Every tool and the first line of what it tells the model."""
    rows = [(f"`{name}`", _first_line(tool.description)) for name, tool in TOOLS.items()]
    return _rows(("tool", "use"), rows)


def providers() -> str:
    """Every provider and what its module says it is."""
    rows = [
        (f"`{name}`", _first_line(import_module(factory.__module__).__doc__ or ""))
        for name, factory in PROVIDERS.items()
    ]
    return _rows(("provider", "what it is"), rows)


def grid() -> str:
    """Every client × every fault: what comes of it."""
    paths = sorted((ROOT / "tests/contract").glob("test_*.py"))
    modules = [import_module(f"tests.contract.{path.stem}") for path in paths]
    found = {
        module.__name__.rpartition(".test_")[2].removesuffix("_faults"): module.GRID
        for module in modules
        if hasattr(module, "GRID")
    }
    lines = [
        (f"`{fault}`", *(_outcome(found[name].get(fault)) for name in found)) for fault in FAULTS
    ]
    return _rows(("fault", *found), lines)


def metric_codes() -> str:
    """The contract of codes (seed 002) as CSV: what can be asked for, and what it is called."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ("code", "name", "aliases", "unit", "financial_data_metric", "screener_field", "meaning")
    )
    for entry in ENTRIES:
        if entry.meaning:
            writer.writerow(
                (
                    *(entry.code, entry.name, "|".join(entry.aliases), entry.unit),
                    *(entry.financial_data_metric, entry.screener_field, entry.meaning),
                )
            )
    return text.getvalue()


def _outcome(outcome: type | str | None) -> str:
    if isinstance(outcome, type):
        return outcome.__name__.removesuffix("Error")
    return outcome or "-"


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else ""


TABLES: Mapping[str, Callable[[], str]] = {
    "metrics": metrics,
    "formulas": formulas,
    "tools": tools,
    "providers": providers,
    "grid": grid,
}


def main() -> int:
    """Rewrite, or with `--check` only compare; 1 when a table is stale."""
    stale: list[str] = []
    readmes = [*ROOT.glob("services/**/README.md"), ROOT / "tests/contract/README.md"]
    written = {
        path: BLOCK.sub(
            lambda found: found[1] + TABLES[found[2]]() + found[3],
            path.read_text(encoding="utf-8"),
        )
        for path in sorted(readmes)
    }
    written[ROOT / "data" / "metric-codes.csv"] = metric_codes()
    for path, fresh in written.items():
        if fresh != path.read_text(encoding="utf-8"):
            stale.append(path.relative_to(ROOT).as_posix())
            if "--check" not in sys.argv:
                path.write_text(fresh, encoding="utf-8")
    if stale and "--check" in sys.argv:
        sys.stderr.write(f"stale tables, run `make docs`: {', '.join(stale)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

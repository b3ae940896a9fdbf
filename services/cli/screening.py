"""`screen`: a market by every field of the catalogue, as the page screens it."""

import inspect
import re
from typing import Annotated, Any

import typer

from services.cli.documents import print_json
from services.cli.opening import open_services
from services.core.catalogue import CATALOGUE

_FORMS = "2_max (>2), min_2 (<2), 0_2, 2_4, 0_max (no limit)."
# What the tool needs said that is open here; a test holds it against the tool's own.
_OPEN_RANGES = {"pettm": "0_max", "netprofit": "0_max"}
_OPTIONS: dict[str, tuple[str | None, str]] = {
    "category": ("CN", "CN, HK or US."),
    "industry": (None, "An industry by its name, such as 银行."),
    **{
        field: (_OPEN_RANGES.get(field), f"{row.zh} {row.en}: {_FORMS}")
        for field, row in CATALOGUE.screen_fields.items()
    },
    "order_by": ("symbol", "symbol or the name of a range."),
    "order": ("desc", "asc or desc."),
    "size": ("10", "How many to list, 1 to 500."),
    "offset": (None, "How many to pass over first."),
    "session": ("cli", "Session the run is stored under."),
}


def screen_command(**options: str | None) -> None:
    """选股 Screen a market: the tool `knowledge` with usage stock-screener, every range 0_max."""
    session = options.pop("session") or ""
    given: dict[str, Any] = {
        "usage": "stock-screener",
        **{name: _read(name, text) for name, text in options.items() if text is not None},
    }
    from services.tools.knowledge import KNOWLEDGE

    KNOWLEDGE.read(given)
    with open_services() as youju:
        print_json(youju.toolbox.call("knowledge", given, session_id=session).to_json())


def _read(name: str, text: str) -> str | int:
    """Whole numbers as numbers; what is none is left to the tool to refuse."""
    whole = name in {"size", "offset"} and re.fullmatch(r"[+-]?[0-9]{1,9}", text)
    return int(text) if whole else text


def _parameter(name: str, default: str | None, told: str) -> inspect.Parameter:
    range_of = "RANGE" if name in CATALOGUE.screen_fields else None
    option = typer.Option(f"--{name}", metavar=range_of, help=told)
    kind, text = inspect.Parameter.KEYWORD_ONLY, str if default is not None else str | None
    return inspect.Parameter(name, kind, default=default, annotation=Annotated[text, option])


# The command line reads the options of a command from its signature.
vars(screen_command)["__signature__"] = inspect.Signature(
    [_parameter(name, *option) for name, option in _OPTIONS.items()]
)

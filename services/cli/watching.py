"""`watch`: lists of companies with a note each, their change since they were added, new moves."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.documents import print_json
from services.cli.opening import open_services
from services.core.claims import Claim, Figure
from services.core.errors import InputError

if TYPE_CHECKING:
    from services.container import Services
    from services.views.watch import WatchEntry
    from services.workbench.desk import Desk

_LIST = "自选"
watch_app = typer.Typer(
    help="自选 Watchlists: add, remove, list, show. They are kept in the store: with the workbench "
    "open the command ends with exit 5."
)
Company = Annotated[list[str], typer.Argument(help="Companies by code or name.")]
Listed = Annotated[str, typer.Option("--list", help="Name of the list.")]


def _desk(youju: "Services") -> "Desk":
    # Imported where it is used: other commands start without the market.
    from services.workbench.desk import Desk

    return Desk(youju)


@watch_app.command("add")
def add_command(
    companies: Company,
    name: Listed = _LIST,
    note: Annotated[str, typer.Option("--note", help="A note, kept as text.")] = "",
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="DATE", help="Watched since that day; the market's today."),
    ] = None,
) -> None:
    """加入 Put companies into a list; a list of a new name is begun."""
    day = _day(on)
    with open_services(kept=True) as youju:
        desk = _desk(youju)
        added = [desk.watch(name, one, on=day, note=note) for one in companies]
        print_json({"list": name.strip(), "added": added})


@watch_app.command("remove")
def remove_command(
    companies: Annotated[
        list[str] | None, typer.Argument(help="Companies; the whole list without them.")
    ] = None,
    name: Listed = _LIST,
) -> None:
    """移除 Take companies out of a list, or forget the list."""
    with open_services(kept=True) as youju:
        symbols = [youju.names.resolve(one).value for one in companies or ()]
        for symbol in symbols:
            youju.watchlists.remove(name, symbol)
        if not symbols:
            youju.watchlists.end(name)
        print_json({"list": name, "removed": symbols or "all"})


@watch_app.command("list")
def list_command() -> None:
    """列出 Every list and what it holds."""
    with open_services(kept=True) as youju:
        kept = youju.watchlists
        print_json(
            [
                {"list": name, "companies": [one.model_dump(mode="json") for one in kept.of(name)]}
                for name in kept.names()
            ]
        )


@watch_app.command("show")
def show_command(
    name: Annotated[str, typer.Argument(metavar="LIST", help="Name of the list.")] = _LIST,
    session: Annotated[
        str, typer.Option("--session", help="Session the run is stored under.")
    ] = "cli",
) -> None:
    """查看 Prices, change since added, new moves; every figure with its claim and the trace."""
    with open_services(kept=True) as youju:
        view = _desk(youju).watchlist(name, session)
        print_json(
            {
                "list": view.list,
                "companies": [_document(one) for one in view.entries],
                "claims": _dump_claims(view.claims.values()),
                "trace": view.trace.model_dump(mode="json"),
                "run_id": view.run_ids[0],
            }
        )


@watch_app.command("alerts")
def alerts_command(
    *,
    look: Annotated[
        bool, typer.Option("--look", help="Look through the lists now, not by schedule.")
    ] = False,
    seen: Annotated[bool, typer.Option("--seen", help="They are new no more.")] = False,
) -> None:
    """提醒 Abnormal events found in the lists and not seen yet, with claims and the trace."""
    with open_services(kept=True) as youju:
        desk = _desk(youju)
        if look:
            desk.look_for_alerts()
        view = desk.alerts()
        if seen:
            desk.see_alerts(view)
        print_json(
            {
                "alerts": [
                    {
                        "name": str(one.name),
                        "lists": list(one.lists),
                        "found_at": one.alert.found_at.isoformat(),
                        **one.alert.event.model_dump(mode="json"),
                    }
                    for one in view.alerts
                ],
                "claims": _dump_claims(view.claims.values()),
                "trace": view.trace.model_dump(mode="json"),
            }
        )


def _document(entry: "WatchEntry") -> dict[str, Any]:
    return {
        **entry.watched.model_dump(mode="json"),
        "name": str(entry.name),
        "figures": {name: _figure(one) for name, one in entry.figures.items()},
        "events": [
            {
                "start": f"{event.start}",
                "end": f"{event.end}",
                "result": event.result,
                "reason": event.reason,
                "rules": event.rules,
            }
            for event in entry.events
        ],
        "events_missing": None if entry.unasked is None else str(entry.unasked),
    }


def _figure(figure: Figure) -> dict[str, Any]:
    if isinstance(figure, Claim):
        return {
            "value": figure.value,
            "unit": figure.unit,
            "as_of": f"{figure.as_of}",
            "claim_id": figure.claim_id,
        }
    return {"missing": str(figure.reason)}


def _dump_claims(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    return [claim.model_dump(mode="json") for claim in claims]


def _day(text: str | None) -> date | None:
    """Raises: InputError for what is no day."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError("--on", text, "YYYY-MM-DD") from error

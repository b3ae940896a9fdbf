"""What `doctor` and `snapshot info` say of this machine."""

from pathlib import Path
from typing import Any

from services.container import build_services
from services.core.errors import ConfigError, StoreError
from services.settings import Settings
from services.store import snapshot as snapshots


def store_state(settings: Settings) -> dict[str, Any]:
    """Whether the store can be opened, and who holds it if not."""
    there = settings.store == ":memory:" or Path(settings.store).exists()
    state: dict[str, Any] = {"path": settings.store, "exists": there, "state": "ok"}
    try:
        build_services(settings).close()
    except (StoreError, ConfigError) as error:
        state |= {"state": "unavailable", "message": str(error)}
    return state


def snapshot_state(settings: Settings, *, full: bool = False) -> dict[str, Any]:
    """Whether every part has its sha256; `full` adds the whole manifest."""
    state: dict[str, Any] = {"folder": str(settings.snapshot), "state": "ok"}
    try:
        manifest = snapshots.read_manifest(settings.snapshot)
        state |= manifest.model_dump(mode="json") if full else _brief(manifest)
        snapshots.check(settings.snapshot)
    except StoreError as error:
        state |= {"state": "damaged", "message": str(error)}
    return state


def _brief(manifest: snapshots.Manifest) -> dict[str, Any]:
    return {
        "name": manifest.name,
        "clock": manifest.clock.isoformat(),
        "parts": {part.file: part.rows for part in manifest.parts},
    }

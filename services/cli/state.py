"""What `doctor` and `snapshot info` say of this machine."""

import sys
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

from services.agents.options import read_options
from services.agents.skills import AgentSkillRegistry
from services.container import Services, build_services
from services.core.errors import ConfigError, InputError, StoreError
from services.core.text import Text
from services.providers.http import host_of
from services.scoring.endpoints import key_of, role_models
from services.scoring.exchange import ROLES, SCORE_AGENT
from services.settings import Settings
from services.store import snapshot as snapshots
from services.views.probing import probe_all
from services.views.sources import source_states
from services.views.view import Told


def tell_store(settings: Settings, *, probe: bool) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Whether the store can be opened (and who holds it if not), and how the sources are doing.

    With `probe` every configured source is asked now. What was counted before is in the store, so
    without it nothing is known of the sources.
    """
    there = settings.store == ":memory:" or Path(settings.store).exists()
    state: dict[str, Any] = {"path": settings.store, "exists": there, "state": "ok"}
    try:
        youju = build_services(settings)
    except (StoreError, ConfigError) as error:
        return state | {"state": "unavailable", "message": str(error)}, []
    try:
        return state, _sources(youju, probe=probe)
    finally:
        youju.close()


def _sources(youju: Services, *, probe: bool) -> list[dict[str, Any]]:
    """A record a source; with `probe` a line for each thing it was asked, printed as it comes."""
    lines: dict[str, list[str]] = {}
    if probe:
        for one in probe_all(youju.settings, youju.chain):
            sys.stderr.write(f"{one.line}\n")
            lines.setdefault(one.source, []).append(one.line)
    found: list[dict[str, Any]] = []
    for one in source_states(youju.settings, youju.chain):
        line = {field.name: _plain(getattr(one, field.name)) for field in fields(one)}
        if probe and one.key in lines:
            line["probe"] = lines[one.key]
        found.append(line)
    return found


def _plain(value: Any) -> Any:
    """Texts as Chinese, instants as text, the rest as it is."""
    if isinstance(value, Text):
        return value.zh
    if isinstance(value, Told):
        return f"{value.words.zh}（{value.detail}）" if value.detail else value.words.zh
    if isinstance(value, datetime):
        return value.isoformat()
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def model_state(settings: Settings) -> dict[str, Any]:
    """Which language models are configured, by host and name, or what is missing. Never a key."""
    given = {"LLM_BASE_URL": settings.llm_base_url, "LLM_MODEL": settings.llm_model}
    return {
        "configured": settings.model_configured,
        "missing": [name for name, value in given.items() if not value],
        "host": host_of(settings.llm_base_url) or None,
        "name": settings.llm_model or None,
        "embedding": settings.llm_embedding_model or None,
        "prices": settings.model_prices.is_file(),
        "scoring": _tell_scoring(settings),
    }


def _tell_scoring(settings: Settings) -> dict[str, Any]:
    """Who writes and who reviews a hold score, and the variable of its usual model's key."""
    models = role_models(settings)
    found: dict[str, Any] = {}
    for role in ROLES:
        name = "score" if role == SCORE_AGENT else "review"
        model = models.get(role)
        found[name] = {
            "by": "model" if model else "rule",
            "host": model.host if model else None,
            "name": model.model if model else None,
            "key": key_of(role),
            "key_set": bool(settings.secret(key_of(role))),
        }
    return found | {"search": settings.score_search}


def analysis_state(settings: Settings) -> dict[str, Any]:
    """How a deep analysis is set up, or why the file with its settings cannot be used."""
    state: dict[str, Any] = {"settings": str(settings.agent_settings), "state": "ok"}
    try:
        options = read_options(settings.agent_settings)
        AgentSkillRegistry(options.default_skill)
    except (ConfigError, InputError) as error:
        return state | {"state": "unusable", "message": str(error)}
    return state | {
        "runtime": settings.llm_runtime or options.runtime,
        "default_skill": options.default_skill,
        "max_tool_iterations": options.max_tool_iterations,
        "disabled": sorted(options.tools.disabled()),
    }


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

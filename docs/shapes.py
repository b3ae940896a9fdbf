"""Write the shapes of upstreams' answers that the played sources have, for `doctor --probe`."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from services.container import build_services  # noqa: E402 — after the path is set
from services.providers.shapes import KNOWN  # noqa: E402
from services.settings import load_settings  # noqa: E402
from services.views.probing import probe_all  # noqa: E402
from tests.fakes import everything  # noqa: E402


def main() -> None:
    """Ask every played source, and write what each table looks like."""
    found: dict[str, dict[str, str]] = {}
    with everything.world() as world:
        given = everything.environment(world, YOUJU_STORE=":memory:", YOUJU_LOG="off")
        services = build_services(load_settings(given))
        for probed in probe_all(services.settings, services.chain):
            for key, shape in probed.shapes.items():
                found[f"{key} | {probed.capability} {probed.about}"] = dict(shape)
        services.close()
    KNOWN.write_text(
        json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()

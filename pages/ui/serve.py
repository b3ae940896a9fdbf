"""Start the workbench with everything warm: `python -m pages.ui.serve [streamlit options]`.

A plain `streamlit run app.py` works too, but its first visitor waits for the imports, the bundled
market and the calendars, and a first deep link meets a "Page not found" notice, because Streamlit
knows the pages only once some session has called st.navigation.
"""

import gc
import logging
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.web import cli

from pages.ui import due
from services.cli.opening import check_store, say_lost_writes
from services.core.errors import ConfigError, StoreError, StoreHeldError
from services.logs import init_logging
from services.settings import Settings, load_settings
from services.sight import RECENT, init_sight

# What the container imports when it is first asked for.
_FIRST_USES = (
    "services.query.sessions",
    "services.query.answering.executor",
    "services.query.reading.readers",
    "services.agents.orchestrator",
    "services.agents.service",
    "services.scoring.batches",
    "services.scoring.orchestration",
)
APP = Path(__file__).resolve().parents[2] / "app.py"


def warm() -> None:
    """Run the default page and a chart once on the bundled market, before the server listens, and
    import what the first score would wait for: beside busy threads that takes many times longer.

    Never in live mode: starting must not wait for anybody's network. What fails here fails again
    for the first visitor, who is shown it; so nothing is raised.
    """
    logging.disable(logging.CRITICAL)  # outside a server Streamlit warns at every call
    try:
        visit = AppTest.from_file(str(APP), default_timeout=120)
        visit.query_params["mode"] = "snapshot"
        visit.run()
        visit.switch_page("pages/company/company.py").run()
        for name in _FIRST_USES:
            with suppress(ImportError):
                import_module(name)
        # What is there now stays for good: no collection needs to walk it again.
        gc.collect()
        gc.freeze()
        # A view makes tens of thousands of records that live as long as it: look for garbage less.
        # What a browser that went away leaves in cycles waits for the last of these.
        gc.set_threshold(50_000, 20, 5)
    finally:
        logging.disable(logging.NOTSET)


def refuse_held_store() -> None:
    """End with words when another process owns the store: a second server could not write a thing.

    Tells, once, what a log that was cut short has lost.
    """
    with suppress(ConfigError):
        settings = load_settings()
        try:
            lost = check_store(settings.store, settings.retention_days)
        except StoreHeldError as error:
            sys.stderr.write(f"没有启动 not started: {error}\n")
            sys.exit(5)
        except StoreError:
            return  # the first page says so, with what to do
        if lost:
            sys.stderr.write(say_lost_writes(lost) + "\n")


def refuse_faulty_data() -> None:
    """End with file, line and reason where a file of figures or of words cannot be used."""
    try:
        from services.cli.data_files import check_data_files  # reads the catalogue

        check_data_files()
    except ConfigError as error:
        sys.stderr.write(f"没有启动 not started: {error}\n")
        sys.exit(2)


def _begin_sight(settings: Settings) -> None:
    """End with words where what was asked to be seen could not be."""
    try:
        init_sight(settings, RECENT)
    except ConfigError as error:
        sys.stderr.write(f"没有启动 not started: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    sys.stdout.write("有据 Youju：正在载入内置行情 loading the bundled market …\n")
    sys.stdout.flush()
    # Settings are read a second time by the command below, which Streamlit would call a change.
    logging.getLogger("streamlit.config").addFilter(lambda said: "[server]" not in str(said.msg))
    # What is stored and logged is of whoever runs this, and nobody else on the machine may read it.
    os.umask(0o077)
    refuse_faulty_data()
    refuse_held_store()
    with suppress(ConfigError):  # the first page says what is wrong with a setting
        settings = load_settings()
        init_logging(settings.log, console=True, as_json=settings.log_json)
        _begin_sight(settings)
        due.begin(settings)
    warm()
    # As a file of its own, so that Streamlit finds the server in it and not the pages alone.
    sys.argv = ["streamlit", "run", str(APP.parent / "pages" / "ui" / "server.py"), *sys.argv[1:]]
    sys.exit(cli.main(prog_name="streamlit"))

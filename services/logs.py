"""What analyses and scores tell while they work: progress on the console, detail in a file.

Called once by each door of the program (the workbench, the command line), never by a library
module or a test.
"""

import logging
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

_ROOT = "youju"
_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"
_LARGEST = 5 * 1024 * 1024
_KEPT = 3


def init_logging(file: Path | None, *, console: bool) -> None:
    """Send our own log to `file` from DEBUG on (null: to none), and to the console from INFO on.

    A file that cannot be written is no reason not to start: the console goes on alone. No text of
    a refused draft, no request and no key is ever logged, at any level.
    """
    log = logging.getLogger(_ROOT)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    if console:
        _add(log, logging.StreamHandler(), logging.INFO)
    if file is not None:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            kept = RotatingFileHandler(file, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8")
            _add(log, kept, logging.DEBUG)


def _add(log: logging.Logger, handler: logging.Handler, level: int) -> None:
    handler.setLevel(level)
    handler.setFormatter(logging.Formatter(_FORM))
    log.addHandler(handler)

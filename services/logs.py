"""What analyses and scores tell while they work: progress on the console, detail in a file.

Called once by each door of the program (the workbench, the command line), never by a library
module or a test.
"""

import json
import logging
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from services.core.errors import NotAllowedError
from services.core.identity import acting
from services.core.sight import request_id

_ROOT = "youju"
_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"
_LARGEST = 5 * 1024 * 1024
_KEPT = 3


def init_logging(file: Path | None, *, console: bool, as_json: bool = False) -> None:
    """Send our own log to `file` from DEBUG on (null: to none), and to the console from INFO on;
    `as_json` has each line be an object that also says of whom and of which request.

    A file that cannot be written is no reason not to start: the console goes on alone. No text of
    a refused draft, no request and no key is ever logged, at any level.
    """
    log = logging.getLogger(_ROOT)
    form = JsonLines() if as_json else logging.Formatter(_FORM)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    if console:
        _add(log, logging.StreamHandler(), logging.INFO, form)
    if file is not None:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            kept = RotatingFileHandler(file, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8")
            _add(log, kept, logging.DEBUG, form)


class JsonLines(logging.Formatter):
    """Each line an object: time, level, logger, message, of whom by hash, of which request."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told: dict[str, str] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id(),
            "user": _name_user(),
        }
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps({key: text for key, text in told.items() if text}, ensure_ascii=False)


def _name_user() -> str:
    try:
        return acting().owner
    except NotAllowedError:
        return ""


def _add(
    log: logging.Logger, handler: logging.Handler, level: int, form: logging.Formatter
) -> None:
    handler.setLevel(level)
    handler.setFormatter(form)
    log.addHandler(handler)

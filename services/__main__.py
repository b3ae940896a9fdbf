"""`python -m services …`: the command line."""

import gc
import logging
import os
import sys
from contextlib import suppress

from services.core.errors import ConfigError

# What a command makes it needs to its end: looking for garbage ever again takes a tenth of it.
gc.set_threshold(50_000, 20, 20)


# What is stored and logged is of whoever runs this, and nobody else on the machine may read it.
os.umask(0o077)


def _run() -> int:
    # Imported here: what figures are is read with these, and a faulty file is refused as a setting.
    from services.cli.commands import main
    from services.logs import init_logging
    from services.settings import load_settings

    with suppress(ConfigError):  # the command itself says what is wrong with a setting
        # Standard error belongs to the command's own messages.
        settings = load_settings()
        init_logging(settings.log, console=False, as_json=settings.log_json)
    return main(sys.argv[1:])


def _leave(code: int) -> None:
    """End now: all is closed and written, and taking a market's names apart takes 0.2 s."""
    logging.shutdown()
    sys.stderr.flush()
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    os._exit(code)


try:
    _leave(_run())
except ConfigError as error:
    sys.stderr.write(f"设置有误 ConfigError: {error}\n")
    sys.exit(2)

"""`python -m services …`: the command line."""

import sys
from contextlib import suppress

from services.cli.commands import main
from services.core.errors import ConfigError
from services.logs import init_logging
from services.settings import load_settings

with suppress(ConfigError):  # the command itself says what is wrong with a setting
    # Standard error belongs to the command's own messages.
    init_logging(load_settings().log, console=False)
sys.exit(main(sys.argv[1:]))

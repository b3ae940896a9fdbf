"""`python -m services …`: the command line."""

import sys

from services.cli.commands import main

sys.exit(main(sys.argv[1:]))

"""The services for one command: on the store, or in memory while the workbench holds it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from services.core.errors import StoreHeldError
from services.settings import load_settings

if TYPE_CHECKING:
    from services.container import Services


@contextmanager
def opened_services() -> Iterator["Services"]:
    """Everything wired, closed afterwards. Raises: ConfigError, StoreError."""
    # Everything there is comes with this: no command pays it to print its help or to refuse.
    from services.container import build_services

    settings = load_settings()
    try:
        youju = build_services(settings)
    except StoreHeldError as error:
        # The workbench is open: answer all the same; claims and trace are in the answer itself.
        sys.stderr.write(f"未入库 not recorded: {error}\n")
        youju = build_services(replace(settings, store=":memory:"))
    try:
        yield youju
    finally:
        youju.close()

"""Which providers there are, and how they are asked: services/providers/chain.py."""

from collections.abc import Callable, Mapping

from services.providers.base import Provider
from services.providers.kit import Kit
from services.providers.snapshot import SnapshotProvider

# Name → what makes it. One line adds one.
PROVIDERS: Mapping[str, Callable[[Kit], Provider]] = {
    "snapshot": SnapshotProvider,
}

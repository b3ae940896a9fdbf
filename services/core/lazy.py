"""What is made, or imported, when it is first used: a command pays for what it does."""

import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class Later(Generic[_T]):
    """Something that is made once, at its first use. Safe to share between threads."""

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[_T] = []

    def __call__(self) -> _T:
        """It, made now if nobody asked for it before."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    @property
    def made(self) -> _T | None:
        """It, if anybody asked for it: nothing is made to be closed."""
        return self._made[0] if self._made else None


class _LaterModule(ModuleType):
    """A module that is imported at the first use of a name of it."""

    def __getattr__(self, name: str) -> Any:
        """The name's value, kept here: the next use of it costs what it always costs."""
        found = getattr(import_module(self.__name__), name)
        setattr(self, name, found)
        return found


def import_later(name: str) -> Any:
    """The package of that name, imported when something of it is used.

    Only for large ones that a module needs for part of its work. Type checkers are told of the
    real one by an import under TYPE_CHECKING beside it.
    """
    return _LaterModule(name)


def import_each(package: str, *names: str) -> tuple[Any, ...]:
    """Those modules of a package, each as by `import_later`."""
    return tuple(import_later(f"{package}.{name}") for name in names)

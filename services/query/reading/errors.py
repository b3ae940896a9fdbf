"""What stops a reading: something that has no place in it, or a choice that is open."""

from collections.abc import Sequence

from services.query.algebra.nodes import OtherTool, Query


class UnusedError(Exception):
    """Something said that the question's shape has no place for; `what` says which."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class ChoiceError(Exception):
    """What was said leaves a choice open; `options` may each be carried out."""

    def __init__(self, why: tuple[str, str], options: Sequence[Query | OtherTool]) -> None:
        super().__init__(why)
        self.why, self.options = why, tuple(options)

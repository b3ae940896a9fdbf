"""One of a few, as buttons beside each other: which there are and what is kept is the caller's."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.ui import outside


def choose_one(
    label: str,
    options: Sequence[str],
    words: Callable[[str], str],
    key: str,
    *,
    small: Mapping[str, str] | None = None,
) -> None:
    """The choice, always one; its label is for a screen reader alone. Read under `key`. `small`
    are words in small letters behind those of an option.
    """

    more = small or {}
    st.segmented_control(
        outside.escape_label(label),
        options,
        format_func=lambda one: (
            outside.escape_label(words(one))
            + (f" :small[{outside.escape_label(more[one])}]" if one in more else "")
        ),
        required=True,
        key=key,
        label_visibility="collapsed",
    )

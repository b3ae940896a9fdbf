"""One of a few, as buttons beside each other: which there are and what is kept is the caller's."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.i18n import t


def choose_one(label: str, options: Sequence[str], words: str, key: str) -> None:
    """The choice, always one, read under `key`. `label` is the key of its text, for a screen reader
    alone; `words` that of an option's with the option at `{}`, or of one text with its `count`.
    """
    st.segmented_control(
        t(label),
        options,
        format_func=lambda one: t(words.format(one), count=str(one)),
        required=True,
        key=key,
        label_visibility="collapsed",
    )

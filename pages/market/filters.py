"""The screener's controls: a range is two boxes that write a range in base units to the address."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import blocks, cite, errors, outside, resources, sharing, state
from pages.ui.i18n import say, t
from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import InputError
from services.query.algebra.scopes import CURRENCIES
from services.query.screening.screen_tests import FILTER, read_tests
from services.statements.tongue import label_within
from services.views.screen_boxes import Boxes, fill_boxes, read_boxes, unit_words

MARKETS = ("CN", "HK", "US")
# What one screens by first stands first, as a tile; the rest is added where it is wanted.
_FIRST = ("pettm", "pb", "roediluted", "market_cap", "netprofit", "total_revenue", "pelyr")
FIELDS = tuple(sorted(SCREEN_FIELDS, key=lambda one: [*_FIRST, one].index(one)))
ORDERS = ("symbol", *FIELDS)
NAMES: Mapping[str, str] = {
    "category": "CN",
    "industry": "",
    "order_by": "market_cap",
    "order": "desc",
    "cols": "",
    FILTER: "",
    **dict.fromkeys(FIELDS, ""),
}


class Drawn(NamedTuple):
    """The screen's arguments under their wire names, without blanks. Under each control the place
    for how many companies have a value, and the place for joining conditions by 或: what stands
    there is known only when the screen is made.
    """

    arguments: dict[str, str]
    places: dict[str, DeltaGenerator]
    either: DeltaGenerator


def controls(sentence: Callable[[], None], sets: Callable[[Mapping[str, str]], None]) -> Drawn:
    """Draw the controls; `sentence` and `sets` draw what stands among them."""
    amiss = _decide()
    places: dict[str, DeltaGenerator] = {}
    with st.container(horizontal=True, vertical_alignment="center", key="yj_screen_top"):
        _choice("category", MARKETS, _say_market, t("market"))
        _industry()
        _order_by()
        _choice("order", ("desc", "asc"), lambda option: t(option), t("order"))
        sentence()
    with st.container(horizontal=True, key="yj_filters", gap="small"):
        mine = state.session()
        # A tile is there from the start, or once it is used; its boxes keep their keys.
        tiles = [
            field for field in FIELDS if {field} & {*_FIRST, *amiss} or mine.remembered.get(field)
        ]
        for field in tiles:
            places[field] = _range(field, amiss.get(field))
        more = [field for field in FIELDS if field not in tiles]
        given = _read_given()
        with st.popover(t("screen_more"), icon=":material/add:", key="w_more_conditions"):
            figures, companies, either = st.tabs(
                [t("more_figures"), t("more_companies"), t("more_either")]
            )
            with figures:
                for field in more:
                    places[field] = _range(field, None)
            with companies:
                sets(given)
            if mine.remembered.get(FILTER):
                st.button(t("sets_clear"), on_click=_clear_filter, type="tertiary",
                          key="w_sets_clear")  # fmt: skip
    return Drawn(given, places, either.container())


def _read_given() -> dict[str, str]:
    """The screen's arguments as they are now, those that were refused too."""
    mine = state.session()
    state.bind("cols", widget=False)
    values = {name: mine.remembered.get(name, default) for name, default in NAMES.items()}
    del values["cols"]  # of the table alone
    values |= {name: text for name, text in mine.refused.items() if name in NAMES}
    return {name: value for name, value in values.items() if value}


def _decide() -> dict[str, InputError]:
    """Settle every value before any control is drawn; what is wrong in the boxes of a field."""
    state.bind("category", NAMES["category"], valid=MARKETS.__contains__)
    state.bind("order_by", NAMES["order_by"], valid=ORDERS.__contains__)
    state.bind("order", "desc", valid={"asc", "desc"}.__contains__)
    names = ("", *resources.industries(st.session_state["w_category"]))
    state.bind("industry", "", valid=names.__contains__)
    state.bind(FILTER, widget=False, valid=_is_filter)
    mine, language = state.session(), state.language()
    # What stands in the boxes is in the unit of the language they were filled in.
    anew, mine.boxes = mine.boxes != language, language
    found = ((field, _decide_range(field, anew=anew)) for field in FIELDS)
    return {field: wrong for field, wrong in found if wrong is not None}


def _is_filter(text: str) -> bool:
    try:
        read_tests(text, st.session_state["w_category"])
    except InputError:
        return False
    return True


def _decide_range(field: str, *, anew: bool) -> InputError | None:
    """The address or a loaded screen sets the boxes; otherwise the boxes set the address. What the
    boxes hold and nothing can be made of leaves the condition as it was, and is returned.
    """
    low, high = f"w_{field}_low", f"w_{field}_high"
    mine, language = state.session(), state.language()
    told = state.newly_stated(field)
    if told is not None or anew or low not in st.session_state:
        text = mine.remembered.get(field, "") if told is None else told
        st.session_state[low], st.session_state[high] = fill_boxes(field, text, language)
    try:
        boxes = Boxes(st.session_state[low], st.session_state[high])
        text = read_boxes(field, boxes, _currency(), language)
    except InputError as error:
        state.keep(field, mine.remembered.get(field, ""))
        return error
    state.keep(field, text)
    return None


def _range(field: str, amiss: InputError | None) -> DeltaGenerator:
    unit = say(unit_words(field, _currency()))
    with st.container(key=f"yj_range_{field}", gap=None):
        label = cite.metric_label(SCREEN_FIELDS[field])
        st.html(f'<div class="yj-field">{cite.tag("label", label)}<small>{unit}</small></div>')
        with st.container(horizontal=True, gap="xxsmall"):
            for side, key in (("at_least", "low"), ("at_most", "high")):
                st.text_input(
                    f"{label} {t(side)}",
                    key=f"w_{field}_{key}",
                    placeholder=t(side),
                    label_visibility="collapsed",
                )
        if amiss is not None:
            said = cite.tag("user", say(amiss.valid))
            blocks.draw(f'<p class="yj-amiss" role="alert">{said}</p>')
        return st.container(height="content")


def _currency() -> str:
    return CURRENCIES[st.session_state["w_category"]]


def _say_market(market: str) -> str:
    """A market, and that the snapshot has no figures of it where it has none."""
    bare = market == "US" and state.mode() == "snapshot"
    return t("market_bare" if bare else f"market_{market}")


def _choice(name: str, options: tuple[str, ...], label: Callable[[str], str], title: str) -> None:
    st.segmented_control(
        outside.escape_label(title),
        options,
        format_func=lambda option: outside.escape_label(label(option)),
        required=True,
        key=f"w_{name}",
        label_visibility="collapsed",
    )


def _order_by() -> None:
    st.selectbox(
        t("order_by"),
        ORDERS,
        format_func=lambda field: t("order_by_of", name=_say_order(field)),
        key="w_order_by",
        width=190,
        label_visibility="collapsed",
    )


def _say_order(field: str) -> str:
    if field == "symbol":
        return t("order_symbol").lower()
    return label_within(SCREEN_FIELDS[field], state.language())


def _industry() -> None:
    st.selectbox(
        t("industry"),
        ("", *resources.industries(st.session_state["w_category"])),
        format_func=lambda name: outside.say_industry(name) if name else t("industry_all"),
        key="w_industry",
        width=160,
        label_visibility="collapsed",
    )


def page(given: Mapping[str, str]) -> int:
    """The page of the result; the first again whenever the conditions changed. Raises: InputError
    for what is no number of a page.
    """
    asked = state.bind("page", "1", valid=state.is_page, widget=False)
    if (refused := state.session().refused.get("page")) is not None:
        raise InputError("page", refused, "1、2、3…… | 1, 2, 3 …")
    conditions, before = repr(sorted(given.items())), state.session().remembered.get("screened")
    state.session().remembered["screened"] = conditions
    if before is not None and before != conditions:
        asked = state.keep("page", "1", "1")
    return int(asked)


def sort_address(field: str) -> str | None:
    """The address of this screen ordered by a column; the other way round when it already is."""
    if field not in ORDERS:
        return None
    mine = state.session().remembered
    values = {name: mine.get(name, default) for name, default in NAMES.items()}
    turned = values["order_by"] == field and values["order"] == "desc"
    values |= {"order_by": field, "order": "asc" if turned else "desc"}
    return state.link("screen", **{name: text for name, text in values.items() if text})


def clear() -> None:
    """Forget every condition (a button's callback)."""
    state.load({}, {name: default for name, default in NAMES.items() if name != "category"})
    for field in FIELDS:
        st.session_state[f"w_{field}_low"] = st.session_state[f"w_{field}_high"] = ""


def apply(values: Mapping[str, str]) -> None:
    """Set the controls to a saved screen (a button's callback)."""
    state.load(values, NAMES)
    for field in FIELDS:
        low, high = fill_boxes(field, values.get(field, ""), state.language())
        st.session_state[f"w_{field}_low"], st.session_state[f"w_{field}_high"] = low, high


def put(values: Mapping[str, str]) -> None:
    """Set the controls to a screen's arguments; the columns stay (a button's callback)."""
    apply({**values, "cols": state.session().remembered.get("cols", "")})


def _clear_filter() -> None:
    state.load({}, {FILTER: ""})


def address_of(arguments: Mapping[str, str]) -> str:
    """The address of a screen, the columns as they are: a control it says nothing of is cleared by
    an empty one.
    """
    mine = state.session().remembered
    values = {name: arguments.get(name, "") for name in NAMES}
    values["cols"] = mine.get("cols", "")
    held = {name: one for name, one in values.items() if one or mine.get(name)}
    return state.link("screen", **held)


def saved() -> None:
    """Save the conditions under a name, load or delete a saved set."""
    screens = resources.services().screens
    with st.popover(t("saved"), icon=":material/bookmark:"):
        with st.form("w_save_form", border=False, clear_on_submit=True):
            name = st.text_input(t("save_name"), max_chars=40, key="w_save_name")
            if st.form_submit_button(t("save")) and name.strip():
                values = state.session().remembered
                screens.save(name.strip(), {key: values.get(key, "") for key in NAMES})
        found = screens.list()
        if not found:
            st.html(f'<p class="yj-mute">{t("saved_none")}</p>')
        for screen in found:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    outside.escape_label(screen.name),
                    key=f"w_load_{screen.name}",
                    on_click=apply,
                    args=(screen.arguments,),
                    width="stretch",
                )
                if screen.by is None:
                    st.button(
                        t("delete"),
                        key=f"w_drop_{screen.name}",
                        on_click=errors.clicked(screens.delete),
                        args=(screen.name,),
                        type="tertiary",
                    )
                    sharing.control("screen", screen.name)

"""The texts of 自选 and of what is chosen to be watched or compared: key → (Chinese, English)."""

from collections.abc import Mapping

WATCH_TEXTS: Mapping[str, tuple[str, str]] = {
    "page_watch": ("自选", "Watchlist"),
    "watch_default": ("我的自选", "My watchlist"),
    "watch_none": (
        "还没有自选。打开一家公司按「自选」，或从选股勾选。",
        "Nothing watched yet. Press Watch on a company, or select rows in the screener.",
    ),
    "watch_count": ("{count} 家", "{count} companies"),
    "watch_all": ("全部与备注", "All, with notes"),
    "watch_lists": ("自选列表", "Watchlists"),
    "watch_company": ("公司", "Company"),
    "watch_price": ("最近价", "Price"),
    "watch_move": ("涨跌幅", "Change"),
    "watch_spark": ("三个月", "3 months"),
    "watch_since": ("加入以来", "Since added"),
    "watch_multiple": ("市盈率 TTM", "P/E TTM"),
    "watch_events": ("新异动", "New moves"),
    "watch_added": ("加入日", "Added"),
    "watch_note": ("备注", "Note"),
    "watch_no_events": ("无", "none"),
    "watch_no_bars": ("无日线", "no bars"),
    "watch_more": ("另 {count} 次", "{count} more"),
    "watch_since_note": (
        "加入以来：从加入那天（或此前最近）的收盘算到最近收盘；新异动：上次打开它之后触发规则的。",
        "Since added: from the close of the day of adding, or the last before it, to the newest. "
        "New moves: those that triggered a rule after you last opened the company.",
    ),
    "watch_off": ("自选", "Watch"),
    "watch_on": ("已自选", "Watched"),
    "watch_add": ("加一家", "Add a company"),
    "watch_find": ("代码、名称或拼音", "Code, name or pinyin"),
    "watch_new": ("新列表", "New list"),
    "watch_new_name": ("列表名称", "Name of the list"),
    "watch_edit": ("编辑", "Edit"),
    "watch_edit_company": ("哪一家", "Which company"),
    "watch_save_note": ("保存备注", "Save the note"),
    "watch_remove": ("移出列表", "Remove from the list"),
    "watch_end": ("删除整个列表", "Delete the whole list"),
    "compare_put": ("对比", "Compare"),
    "compare_go": ("去对比 · {count} 家", "Compare {count}"),
    "pick_watch": ("加入自选", "Watch"),
    "pick_watched": ("已加入自选：{name}", "Added to the watchlist: {name}"),
}

"""The texts of 自选 and of what is chosen to be watched or compared: by key."""

from collections.abc import Mapping

from services.core.text import Text

WATCH_TEXTS: Mapping[str, Text] = {
    "page_watch": Text("自选", "Watchlist"),
    "watch_default": Text("我的自选", "My watchlist"),
    "watch_none": Text(
        "还没有自选。打开一家公司按「自选」，或从选股勾选。",
        "Nothing watched yet. Press Watch on a company, or select rows in the screener.",
    ),
    "watch_see": Text("看一家公司", "See a company"),
    "watch_count": Text("{count} 家", "{count} companies"),
    "watch_all": Text("全部与备注", "All, with notes"),
    "watch_lists": Text("自选列表", "Watchlists"),
    "watch_company": Text("公司", "Company"),
    "watch_spark": Text("三个月", "Three months"),
    "watch_since": Text("加入以来", "Since added"),
    "watch_events": Text("新异动", "New moves"),
    "watch_added": Text("加入日", "Added"),
    "watch_note": Text("备注", "Note"),
    "watch_no_events": Text("无", "none"),
    "watch_unasked": Text("没有问到：", "could not be asked:"),
    "watch_no_bars": Text("无日线", "no bars"),
    "watch_more": Text("另 {count} 次", "{count} more"),
    "watch_since_note": Text(
        "加入以来：从加入那天（或此前最近）的收盘算到最近收盘；新异动：上次打开它之后触发规则的。",
        "Since added: from the close of the day of adding, or the last before it, to the newest. "
        "New moves: those that triggered a rule after you last opened the company.",
    ),
    "alerts": Text("提醒", "Alerts"),
    "alerts_sub": Text(
        "按时查看自选时发现、你还没看过的异动",
        "Abnormal moves found in your watchlists by schedule that you have not seen",
    ),
    "alerts_new": Text("{count} 条新提醒", "{count} new alerts"),
    "alerts_seen": Text("都看过了", "All seen"),
    "alerts_in": Text("在「{lists}」里", "in {lists}"),
    "watch_off": Text("自选", "Watch"),
    "watch_on": Text("已自选", "Watched"),
    "watch_add": Text("加一家", "Add a company"),
    "watch_find": Text("代码、名称或拼音", "Code, name or pinyin"),
    "watch_new": Text("新列表", "New list"),
    "watch_new_name": Text("列表名称", "Name of the list"),
    "watch_edit": Text("编辑", "Edit"),
    "watch_edit_company": Text("哪一家", "Which company"),
    "watch_save_note": Text("保存备注", "Save the note"),
    "watch_remove": Text("移出列表", "Remove from the list"),
    "watch_end": Text("删除整个列表", "Delete the whole list"),
    "compare_put": Text("对比", "Compare"),
    "compare_go": Text("去对比 · {count} 家", "Compare {count}"),
    "compare_together": Text("{count} 家一起对比", "Compare {count} side by side"),
    "pick_count": Text("已选 {count} 家", "{count} selected"),
    "pick_export": Text("导出所选", "Export these"),
    "pick_score": Text("批量评分", "Score"),
    "pick_clear": Text("取消", "Clear"),
    "pick_row": Text("选择", "Select"),
    "pick_page": Text("选择本页", "Select the page"),
    "pick_watch": Text("加入自选", "Watch"),
    "pick_watched": Text("已加入自选：{name}", "Added to the watchlist: {name}"),
}

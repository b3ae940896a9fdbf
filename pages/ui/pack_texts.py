"""The texts about evidence packs: key → (Chinese, English). Part of the table in texts.py."""

from collections.abc import Mapping

PACK_TEXTS: Mapping[str, tuple[str, str]] = {
    "export_pack": ("证据包（可离线核验）", "Evidence pack, to be checked anywhere"),
    "export_pack_short": ("证据包", "Evidence pack"),
    "pack_check": ("核验别人给你的文件", "Check a file you were given"),
    "pack_lead": (
        "放入证据包（.youju.zip）；有从它导出的 CSV、Excel 或 Markdown，一起放进来对照。"
        "核验不联网，也不看本机数据库；文件不会被保存。",
        "Drop an evidence pack (.youju.zip) here, and any CSV, Excel or Markdown exported with it. "
        "Nothing but the files is looked at, neither the store nor a network; none is kept.",
    ),
    "pack_drop": ("证据包与导出文件", "Pack and exports"),
    "pack_choose": ("选择或拖入文件", "Choose files, or drop them here"),
    "pack_none": (
        "这里面没有证据包：证据包由「导出」或命令行 --pack 写成，文件名以 .youju.zip 结尾。",
        "No evidence pack among these: one is written by Export or by --pack, and its name ends "
        "in .youju.zip.",
    ),
    "pack_holds": ("全部成立", "Everything holds"),
    "pack_fails": ("{count} 处不成立", "Does not hold, places: {count}"),
    "pack_print": ("指纹", "Fingerprint"),
    "pack_print_help": (
        "核验只证明这个包自相一致。请把指纹与对方告诉你的比对：一致，才是对方发出的那一个。",
        "Checking proves only that the pack agrees with itself. Compare the fingerprint with what "
        "the sender told you: only if it is the same is this the pack that was sent.",
    ),
    "pack_title": ("内容", "What it is"),
    "pack_about": ("对象", "About"),
    "pack_made": ("写成时间", "Written"),
    "pack_data": ("数据", "Data"),
    "pack_tool": ("写成软件", "Written by"),
    "pack_checked": ("核对了", "Looked at"),
    "pack_counts": (
        "{claims} 个数字，{rows} 行取数记录，{texts} 段文字里的 {figures} 处数字，"
        "{tables} 张表的 {cells} 格，{files} 个旁附文件",
        "Figures: {claims}; rows of their sources: {rows}; figures in {texts} texts: {figures}; "
        "cells of {tables} tables: {cells}; files beside: {files}",
    ),
    "pack_unjudged": (
        "其中 {count} 段（按规则写成的话、随软件附带的笔记）只核对数字，不判断措辞",
        "Texts whose figures are checked and not their words (by rule, or our own notes): {count}",
    ),
    "pack_failures": ("不成立之处", "What does not hold"),
    "pack_more": ("其余 {count} 处从略；命令行 verify 列出全部。", "{count} more: see verify."),
    "pack_notes": ("另外", "Also"),
}

"""The texts about evidence packs: by key. Part of the table in texts.py."""

from collections.abc import Mapping

from services.core.text import Text

PACK_TEXTS: Mapping[str, Text] = {
    "export_pack": Text("证据包（可离线核验）", "Evidence pack, to be checked anywhere"),
    "export_pack_short": Text("证据包", "Evidence pack"),
    "page_verify": Text("核验", "Verify"),
    "pack_title_asks": Text(
        "别人给你的数字，还是原来那些吗",
        "Are these still the numbers you were given?",
    ),
    "pack_lead": Text(
        "放入证据包，连同报告、CSV、Excel 或 Markdown。逐个数字与证据对照，改过一处就指出一处。",
        "Drop an evidence pack, with its report, CSV, Excel or Markdown. Every figure is held "
        "against the evidence; each one that was changed is shown.",
    ),
    "pack_offline": Text("不联网", "offline"),
    "pack_no_store": Text("不读本机数据库", "no database read"),
    "pack_not_kept": Text("文件不保存", "files are not kept"),
    "pack_try_changed": Text(
        "试试演示文件（改过一个数）", "Try the demo files (one figure changed)"
    ),
    "pack_try_whole": Text("试试没改过的", "Try an unchanged pack"),
    "pack_card": Text("证据包", "Evidence pack"),
    "pack_card_beside": Text("旁附文件", "File beside it"),
    "pack_put_away": Text("收起演示文件", "Put the demo files away"),
    "pack_fails_beside": Text(
        "旁附文件里；证据包本身成立", "In a file beside it; the pack itself holds"
    ),
    "pack_try_name": Text("招商银行-演示", "china-merchants-bank-demo"),
    "pack_this": Text("这份证据", "This evidence"),
    "pack_proves": Text(
        "核验证明的是：文件与证据一致、推算可重算。它不证明来源本身没有错。",
        "Verifying proves that files agree with their evidence and that derived figures can be "
        "worked out again. It does not prove that the source was right.",
    ),
    "pack_save": Text("下载核验结果", "Download the result"),
    "pack_apart": Text("对不上的地方", "What does not match"),
    "pack_line": Text("第 {count} 行", "line {count}"),
    "pack_prev": Text("上一处", "Previous"),
    "pack_next": Text("下一处", "Next"),
    "pack_file_says": Text("文件里写的", "the file says"),
    "pack_evidence_says": Text("证据里的", "the evidence says"),
    "pack_follows": Text("连带", "what follows"),
    "pack_follows_line": Text(
        "同一文件第 {line} 行的{label}写着 {said}；若真是 {got}，应为 {would}",
        "Line {line} of the same file has {label} at {said}; were {got} true, it would be {would}",
    ),
    "pack_unsupported": Text("没有证据支持这个值", "no evidence supports this value"),
    "step_whole": Text("包完整", "Pack whole"),
    "step_whole_told": Text("{parts} 个部件，校验和一致", "{parts} parts, checksums agree"),
    "step_sourced": Text("数字有出处", "Figures sourced"),
    "step_sourced_told": Text(
        "{claims} 个，{rows} 行原始应答",
        "{claims}, from {rows} rows of answers",
    ),
    "step_derived": Text("推算重算一致", "Worked out again"),
    "step_derived_told": Text("公式与输入逐个重算", "every formula with its inputs"),
    "step_texts": Text("正文与表格", "Texts and tables"),
    "step_texts_told": Text(
        "{texts} 段 {figures} 处，{tables} 表 {cells} 个数",
        "passages {texts}, figures {figures}; tables {tables}, figures {cells}",
    ),
    "step_files": Text("旁附文件", "Files beside it"),
    "step_files_told": Text("{files} 个，逐行逐格", "{files}, line by line"),
    "step_fails": Text("{count} 处对不上", "{count} not matching"),
    "step_not_asked": Text("没有查", "not asked"),
    "pack_how_1": Text("拿到证据包", "Get a pack"),
    "pack_how_1_sub": Text(
        "任何页面右上「导出 → 证据包」，或请对方一并发来",
        "Export → Evidence pack on any page, or ask the sender for it",
    ),
    "pack_how_2": Text("连同文件放进来", "Drop it with the files"),
    "pack_how_2_sub": Text(
        "CSV、Excel、Markdown 会逐格、逐句对照",
        "CSV, Excel and Markdown are compared cell by cell",
    ),
    "pack_how_3": Text("另一渠道对指纹", "Compare the fingerprint"),
    "pack_how_3_sub": Text(
        "一致，才是对方发出的那一份",
        "by another channel: only then is it what was sent",
    ),
    "pack_how_4": Text("命令行也可以", "Also on the command line"),
    "pack_how_4_sub": Text(
        "python -m services verify 证据包 文件…",
        "python -m services verify PACK FILE…",
    ),
    "pack_drop": Text("证据包与导出文件", "Pack and exports"),
    "pack_choose": Text("选择或拖入文件", "Choose files, or drop them here"),
    "pack_unread": Text(
        "没有读 {names}：这里核验证据包（.youju.zip）、文字（.md、.txt）"
        "与导出的 .csv、.xlsx、.zip。",
        "{names} was not read: packs (.youju.zip), texts (.md, .txt) and exports (.csv, .xlsx, "
        ".zip) are checked here.",
    ),
    "pack_none": Text(
        "这里面没有证据包",
        "No evidence pack among these",
    ),
    "pack_none_why": Text(
        "数字要与证据对照：请把证据包（文件名以 .youju.zip 结尾）一起放进来，没有就请对方发来；"
        "一段文字可以贴在下面，与这里现有的数核对。",
        "Figures are held against their evidence: drop the pack too (its name ends in .youju.zip), "
        "or ask the sender for it. A text can be pasted below and held against what is held here.",
    ),
    "pack_holds": Text("全部成立", "Everything holds"),
    "pack_unfinished": Text("没有核验完", "The check was not finished"),
    "pack_again": Text("再核验一次", "Check again"),
    "pack_fails": Text("处对不上", "do not match"),
    "pack_fails_one": Text("处对不上", "does not match"),
    "pack_print": Text("指纹", "Fingerprint"),
    "pack_print_help": Text(
        "与对方另一渠道告诉你的比对；一致，才是他发出的那一份。",
        "Compare it with what the sender told you by another channel.",
    ),
    "pack_title": Text("内容", "What it is"),
    "pack_about": Text("对象", "About"),
    "pack_made": Text("写成时间", "Written"),
    "pack_data": Text("数据", "Data"),
    "pack_tool": Text("写成软件", "Written by"),
    "pack_checked": Text("核对了", "Looked at"),
    "pack_counts": Text(
        "{claims} 个数字，{rows} 行取数记录，{texts} 段文字里的 {figures} 处数字，"
        "{tables} 张表的 {cells} 个数，{files} 个旁附文件",
        "figures {claims}, rows of their sources {rows}; passages {texts}, figures in them "
        "{figures}; tables {tables}, figures in them {cells}; files beside {files}",
    ),
    "pack_unjudged": Text(
        "其中 {count} 段（按规则写成的话、随软件附带的笔记）只核对数字，不判断措辞",
        "Texts whose figures are checked and not their words (by rule, or our own notes): {count}",
    ),
    "pack_failures": Text("不成立之处", "What does not hold"),
    "pack_more": Text("其余 {count} 处从略；命令行 verify 列出全部。", "{count} more: see verify."),
    "pack_notes": Text("另外", "Also"),
    "text_title": Text("核对一段文字", "Check a text"),
    "text_lead": Text(
        "贴入公告、研报或别人的话：逐个数字与有据现有的数对照（这一步读数据）。贴的文字不保存。",
        "Paste a notice, a report or what somebody said: each figure is held against the data "
        "Youju has, which are read for it. The text is not kept.",
    ),
    "text_beside": Text(
        "贴的文字与上面证据包里的数字对照。",
        "The text is held against the figures of the pack above.",
    ),
    "text_box": Text("要核对的文字", "The text to check"),
    "text_example": Text(
        "例如：招商银行2016年净利润620.81亿元，同比增长7.60%",
        "e.g. China Merchants Bank's net profit was 62.08 billion yuan in 2016",
    ),
    "text_about": Text(
        "文中没有写公司名时，按 {name} 核对", "Where the text names no company: {name}"
    ),
    "text_check": Text("逐个核对", "Check each figure"),
    "text_pasted": Text("贴入的文字", "the text pasted"),
    "text_counts": Text(
        "{all} 个数字：{agrees} 个一致，{differs} 个不一致，{undecided} 个无法判断",
        "Figures {all}: {agrees} agree, {differs} differ, {undecided} cannot be decided",
    ),
    "text_weighed": Text("逐个数字", "Figure by figure"),
    "pack_holds_but": Text(
        "没有对不上的；文字里有 {count} 个数字无法判断",
        "Nothing does not match; figures of a text that cannot be decided: {count}",
    ),
    "text_none": Text("文中没有数字。", "There is no figure in the text."),
}

"""The texts of replays and comparisons: by key. Part of the table in texts.py."""

from collections.abc import Mapping

from services.core.text import Text

REPLAY_TEXTS: Mapping[str, Text] = {
    "replay": Text("重放与对比", "Replay and compare"),
    "replay_note": Text(
        "重放只用这次运行存下的原始应答，不问任何来源；对比用现在的数据再做一遍",
        "a replay uses the answers stored with the run and asks no source; comparing does it again "
        "on the data of now",
    ),
    "replay_start": Text("重放", "Replay"),
    "replay_changes": Text("与现在对比", "What changed since"),
    "replay_holds": Text("重放一致", "replays the same"),
    "replay_differs": Text("重放不一致", "replays differently"),
    "replay_counts": Text(
        "{claims} 个数字及出处逐一相同，用的是当时的 {calls} 次取数",
        "{claims} figures and their sources are the same, from the {calls} fetches of then",
    ),
    "replay_changed": Text(
        "{claims} 个数字里有 {changed} 个和存下的不同：程序或记录在那之后变过",
        "{changed} of {claims} figures are not as stored: the program or the record was changed",
    ),
    "replay_text_same": Text("文字也逐字相同。", "The text is the same to the letter."),
    "replay_text_other": Text("文字和当时不同，见下表。", "The text is not as it was: see below."),
    "replay_text_model": Text(
        "文字由模型所写，不再请它重写，只重放数字。",
        "A model wrote the text: it is not asked again, only the figures are replayed.",
    ),
    "filed_analysis": Text("深入分析", "deep analysis"),
    "filed_score": Text("持有评分", "hold score"),
    "shelf_open": Text("打开", "Open"),
    "shelf_pick": Text("预览、对比或删除", "Preview, compare or delete"),
    "shelf_pick_hint": Text("选择报告", "Pick reports"),
    "shelf_compare": Text("对比两份", "Compare two"),
    "shelf_compare_help": Text(
        "选两份同类、已完成的：逐个数字、逐句文字对比",
        "Pick two finished ones of a kind: figure by figure, sentence by sentence",
    ),
    "shelf_put_away": Text("删除", "Delete"),
    "shelf_put_away_help": Text(
        "从列表移走，可撤销；它的溯源记录保留，因为别处的引用可能指向它",
        "Leaves the lists, can be undone; its evidence stays, as citations may point at it",
    ),
    "shelf_gone": Text("已删除 {count} 份", "{count} deleted"),
    "shelf_undo": Text("撤销", "Undo"),
    "shelf_away": Text("已删除的（{count}）", "Deleted ({count})"),
    "shelf_pick_away": Text("恢复哪些", "Which to restore"),
    "shelf_put_back": Text("恢复", "Restore"),
    "shelf_more": Text("更多", "More"),
    "shelf_recheck": Text("重新核验", "Check again"),
    "shelf_recheck_help": Text(
        "把全文按证据包重新核对一遍：每个数字、每句话、每张表",
        "Checks the whole report anew as a pack: every figure, sentence and table",
    ),
    "compare_same": Text("没有变化", "nothing changed"),
    "compare_differs": Text("有变化", "changed"),
    "compare_two": Text("两家公司", "two companies"),
    "compare_counts_two": Text(
        "{figures} 个数字相同，{changed} 个不同；{texts} 句话相同，{told} 句不同",
        "{figures} figures alike, {changed} differ; {texts} sentences alike, {told} differ",
    ),
    "compare_counts": Text(
        "{figures} 个数字没变，{changed} 个变了；{texts} 句话没变，{told} 句变了",
        "{figures} figures as they were, {changed} changed; {texts} sentences as they were, "
        "{told} changed",
    ),
}

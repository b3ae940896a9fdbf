"""The texts of replays and comparisons: key → (Chinese, English). Part of the table in texts.py."""

from collections.abc import Mapping

REPLAY_TEXTS: Mapping[str, tuple[str, str]] = {
    "replay": ("重放与对比", "Replay and compare"),
    "replay_note": (
        "重放只用这次运行存下的原始应答，不问任何来源；对比用现在的数据再做一遍",
        "a replay uses the answers stored with the run and asks no source; comparing does it again "
        "on the data of now",
    ),
    "replay_start": ("重放", "Replay"),
    "replay_changes": ("与现在对比", "What changed since"),
    "replay_holds": ("重放一致", "replays the same"),
    "replay_differs": ("重放不一致", "replays differently"),
    "replay_counts": (
        "{claims} 个数字及出处逐一相同，用的是当时的 {calls} 次取数",
        "{claims} figures and their sources are the same, from the {calls} fetches of then",
    ),
    "replay_changed": (
        "{claims} 个数字里有 {changed} 个和存下的不同：程序或记录在那之后变过",
        "{changed} of {claims} figures are not as stored: the program or the record was changed",
    ),
    "replay_text_same": ("文字也逐字相同。", "The text is the same to the letter."),
    "replay_text_other": ("文字和当时不同，见下表。", "The text is not as it was: see below."),
    "replay_text_model": (
        "文字由模型所写，不再请它重写，只重放数字。",
        "A model wrote the text: it is not asked again, only the figures are replayed.",
    ),
    "filed_analysis": ("深入分析", "deep analysis"),
    "filed_score": ("持有评分", "hold score"),
    "shelf_open": ("打开", "Open"),
    "shelf_pick": ("预览、对比或删除", "Preview, compare or delete"),
    "shelf_pick_hint": ("选择报告", "Pick reports"),
    "shelf_compare": ("对比两份", "Compare two"),
    "shelf_compare_help": (
        "选两份同类、已完成的：逐个数字、逐句文字对比",
        "Pick two finished ones of a kind: figure by figure, sentence by sentence",
    ),
    "shelf_put_away": ("删除", "Delete"),
    "shelf_put_away_help": (
        "从列表移走，可撤销；它的溯源记录保留，因为别处的引用可能指向它",
        "Leaves the lists, can be undone; its evidence stays, as citations may point at it",
    ),
    "shelf_gone": ("已删除 {count} 份", "{count} deleted"),
    "shelf_undo": ("撤销", "Undo"),
    "shelf_away": ("已删除的（{count}）", "Deleted ({count})"),
    "shelf_pick_away": ("恢复哪些", "Which to restore"),
    "shelf_put_back": ("恢复", "Restore"),
    "shelf_more": ("更多", "More"),
    "shelf_recheck": ("重新核验", "Check again"),
    "shelf_recheck_help": (
        "把全文按证据包重新核对一遍：每个数字、每句话、每张表",
        "Checks the whole report anew as a pack: every figure, sentence and table",
    ),
    "compare_same": ("没有变化", "nothing changed"),
    "compare_differs": ("有变化", "changed"),
    "compare_two": ("两家公司", "two companies"),
    "compare_counts_two": (
        "{figures} 个数字相同，{changed} 个不同；{texts} 句话相同，{told} 句不同",
        "{figures} figures alike, {changed} differ; {texts} sentences alike, {told} differ",
    ),
    "compare_counts": (
        "{figures} 个数字没变，{changed} 个变了；{texts} 句话没变，{told} 句变了",
        "{figures} figures as they were, {changed} changed; {texts} sentences as they were, "
        "{told} changed",
    ),
}

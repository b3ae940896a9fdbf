"""The texts of signing in and of sharing with a team: key → (Chinese, English)."""

from collections.abc import Mapping

TEAM_TEXTS: Mapping[str, tuple[str, str]] = {
    "sign_in_title": ("登录有据", "Sign in to Youju"),
    "sign_in_lead": (
        "这里的对话、选股条件、自选、报告和评分属于保存它的人，只有本人能看，除非本人共享给团队。",
        "Conversations, screens, watchlists, reports and scores here belong to whoever made them, "
        "and only they see them unless they share them with their team.",
    ),
    "sign_in": ("登录", "Sign in"),
    "sign_in_by": ("用 {provider} 登录", "Sign in with {provider}"),
    "sign_in_again": (
        "上次登录已超过 {hours} 小时，请再登录一次。",
        "Your last sign-in was more than {hours} hours ago: please sign in again.",
    ),
    "sign_out": ("退出登录", "Sign out"),
    "role_reader": ("读者：可以看共享的", "Reader: looks at what is shared"),
    "role_analyst": ("分析师：可以问、保存、共享", "Analyst: asks, keeps and shares"),
    "role_admin": ("管理员：还可以看谁做了什么", "Admin: also sees who did what"),
    "team_of": ("团队 {team}", "Team {team}"),
    "team_none": ("没有团队：共享给所有没有团队的人", "No team: shares with all who have none"),
    "share": ("共享给团队", "Share with the team"),
    "unshare": ("不再共享", "Stop sharing"),
    "shared_by": ("{name} 共享的，只能看", "Shared by {name}: you can read it"),
    "page_status": ("运行状态", "Status"),
    "audit_title": ("谁做了什么", "Who did what"),
    "audit_sub": ("只增不改", "Nothing here is ever changed"),
    "audit_none": (
        "还没有记录。没有登录时不记。",
        "Nothing yet. Without a sign-in nothing is noted.",
    ),
    "audit_all": ("全部 CSV", "All as CSV"),
    "audit_when": ("时间（北京）", "When (Beijing)"),
    "audit_who": ("谁", "Who"),
    "audit_team": ("团队", "Team"),
    "audit_did": ("做了什么", "Did"),
    "audit_what": ("对什么", "With"),
    "audit_id": ("哪一个", "Which"),
    "did_viewed": ("看了", "viewed"),
    "did_exported": ("导出", "exported"),
    "did_shared": ("共享", "shared"),
    "did_unshared": ("不再共享", "stopped sharing"),
    "did_deleted": ("删除", "deleted"),
    "did_restored": ("恢复", "restored"),
    "did_switched": ("切换", "switched"),
    "kind_conversation": ("对话", "conversation"),
    "kind_screen": ("选股条件", "screen"),
    "kind_watchlist": ("自选列表", "watchlist"),
    "kind_job": ("报告或评分", "report or score"),
    "kind_run": ("一页数据", "page"),
    "kind_mode": ("数据模式", "data mode"),
}

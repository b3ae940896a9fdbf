"""What people say around figures, periods and events beside the words of wording.py. Data only."""

from collections.abc import Mapping


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Politeness, hedges and other words that carry no slot.
FILLERS: tuple[str, ...] = _words(
    "一起 一并 顺便 顺带 顺便问 赶紧 快点 快速 简单 详细 完整 帮查 查个 来个 来一份 来份 给个 "
    "给出 发我 发一下 报一下 说一下 讲一下 介绍一下 介绍 讲解 瞅瞅 瞧瞧 瞄一眼 瞅一眼 看一眼 "
    "看下来 查一查 看一看 能否 能不能 可不可以 可否 是否 需要 想了解 想要 想请教 请教 打听 求问 "
    "跪求 在线等 大佬 大神 小助手 助手 您好 早上好 下午好 晚上好 好的 话说 那个啥 就是 但是 不过 "
    "总的 整体 总体 各是 各为 都是 都有 各有 两家 三家 四家 五家 几家 两个 三个 四个 五个 这家 "
    "那家 该公司 自己 一下子 来说 而言 来看 方面 层面 角度 部分 各项 几项 这几项 以下 下列 上述 "
    "前述 一览 汇总 清单 列表 表格 做个 做一个 一份 亿元 万元 单位 人民币 港元 港币 美元 百分之 "
    "百分比 附近 大致 差不多 达到 到了 为止 截至 截止 截止到 截至到 截至目前 到目前为止 目前为止 "
    "至今 迄今 眼前 如今 现阶段 现如今 这会儿 此时 当下 即时 刚刚 刚才 已经 曾经 对于 相关 有无 "
    "有何 何时 哪种 哪年 哪天 多久 几多 高吗 低吗 好吗 好不好 行吗 大吗 贵吗 便宜吗 强吗 稳吗 "
    "稳定 更强 更好 较高 较低 偏高 偏低 最好 最差 最强 占优 胜出 领先 落后 差距 差多少 差别 差异 "
    "高多少 低多少 多多少 少多少 变化情况 变动 变动情况 趋势 走向 增减 增长情况 增加 减少 下降 "
    "上升 提高 下滑 股吧 雪球 雪球上 雪球里 论坛 社区 咋回事 怎么了 啥情况 什么情况 咋了 咋样了 "
    "怎么个 什么水平 啥水平 啥样 多少呢 是多少呢 多少啊 几个 几个点 多少点 多少个点 这么多 那么多 "
    "这么大 这么高 这么低 这么惨 厉害 猛 狠 凶 惨 一波 那波 这波 这次 那次 那天 那段时间 这段时间 "
    "一段时间 这阵子 最近一期 最新一期 最近一季 最新一季 最新季度 最近一个季度 最新的 最近的 "
    "股份有限公司 有限公司 控股公司 的话 来着 又 突然 忽然 居然 竟然 一直 连续 持续 不断 分别为 "
    "各多少 各自多少 有多高 有多大 有多低 比较看看 对比看看 谁更 哪个更 哪家更 谁家 谁的更 更赚钱 "
    "更贵 更便宜 更值钱 高些 低些 大些 高一点 低一点 多一点 高还是低 贵还是便宜 横向 纵向 放一起 "
    "摆一起 并列 比一比 比比 比一下 pk 一比 期末 时点 单日 全天 当年度 这一年 那一年 一年 年间 "
    "区间 期内 代码 证券代码 股票代码 同期 几倍 多少倍 那几天 这几天 那几次 球友 球友们 老铁 "
    "兄弟 哥们 亲 哈哈 嗯 呃 哎 诶 唉 话说回来 说到 提到 对了 我觉得 我感觉 听说 据说 好像 似乎 "
    "应该 是不是 对吧 对不对 真的 真正 准确 精确 详情 给个数 报个数 个数 明天 后天 一点 点儿 "
    "赚钱能力 盈利能力 第一个 "
    "第二个 第三个 第四个 第一条 第二条 第三条 公布 公布的 最新公布 官方 正式 大行情 股市 盘面 "
    "盘后 收盘后 盘前 复权 前复权 不复权 后复权"
)
ENGLISH_FILLERS: tuple[str, ...] = _words(
    "ttm lyr mrq falling rising dropping climbing sinking soaring jumping tumbling rallying stack "
    "stacks i'd i'm im pls plz kindly quickly info information detail details overview summary "
    "summarize summarise breakdown full complete there's they're respectively together along "
    "including include plus perform performing doing did make made generate generated generates "
    "reported reporting book booked posted amount amounted total totals sum overall stand stands "
    "stood standing as-of asof dated date period ended ending end beginning start during within "
    "since until till after before ago far yet ever still again already currently presently "
    "moment right these days lately recently newest updated update most-recent long big large "
    "small good bad strong weak pricier greater people investors users user community everyone "
    "say saying said says think thinking thinks talk talks talking surge surges surged surging "
    "plunge plunges plunged jump jumped jumps soar soared soars crash crashed crashes tumble "
    "tumbled slump slumped rally rallied sink sank slide slid spike spiked decline declines drops "
    "falls rises go goes going gone went up happened happen happening reason reasons behind cause "
    "caused trend trends every single side by-side thx ty cheers really actually exactly roughly "
    "about around approximately so-far mainland onshore offshore listing provide display pull "
    "fetch display compared-to relative which's what's who's where's fy? annualised quarterly "
    "annual year-on-year basis currency yuan renminbi dollars dollar percentage pct points point "
    "multiple multiples ratios bar daily session sessions trading-day evolve evolved evolution "
    "over-time time times"
)
# Several companies called by one word.
GROUPS: Mapping[str, str] = {
    **dict.fromkeys(("四大行", "四大银行", "四大国有银行"), "工行、农行、中行、建行"),
    **dict.fromkeys(("五大行", "五大银行", "五大国有银行"), "工行、农行、中行、建行、交行"),
    "三桶油": "中石油、中石化、中海油",
    "两桶油": "中石油、中石化",
}
# What announcements are about, beside figures: 停牌公告, 减持的公告.
TOPICS: tuple[str, ...] = _words(
    "停牌 复牌 停复牌 分红派息 减持 增持 回购 定增 增发 配股 重组 并购 收购 业绩预告 业绩快报 "
    "股权激励 质押 解禁 诉讼 担保 中标 股东大会 董事会 监管 问询 问询函 处罚 立案 辞职 高管变动 "
    "提价 涨价 降价 合同 订单 澄清 更正 业绩说明会 募集资金 关联交易 利润分配 权益分派 对外投资 "
    "资产出售 股份转让 战略合作 投产 停产 召回 变更 更名 摘帽 退市 风险提示 回复 可转债 员工持股 "
    "suspension buyback acquisition placement"
)
_RESULTS = ("company.finance.revenue", "company.finance.net_profit")
_MULTIPLES = ("company.valuation.pe_ttm", "company.valuation.pb")
_QUOTE = ("company.quote.price", "company.quote.pct_change")
# A word that asks for several figures at once.
SUMMARIES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        _words("业绩情况 经营业绩 经营情况 业绩报告 成绩单 财报数据 财报情况"), _RESULTS
    ),
    **dict.fromkeys(("financial results", "annual results", "results"), _RESULTS),
    **dict.fromkeys(_words("估值水平 估值指标 估值情况 valuations"), _MULTIPLES),
    **dict.fromkeys(
        ("行情数据", "股价行情", "盘口", "trading", "trade", "traded", "stock quote", "quotes"),
        _QUOTE,
    ),
}
# After 52周 or 历史 they are the highest and the lowest price.
EXTREMES: Mapping[str, str] = {
    **dict.fromkeys(("最高", "high", "highs", "highest"), "company.quote.high"),
    **dict.fromkeys(("最低", "low", "lows", "lowest"), "company.quote.low"),
}
# Figures people ask for that have no code here: asked back, never taken for one that has.
NOT_KEPT: tuple[str, ...] = (
    *_words(
        "派息率 股利支付率 分红比例 股利分配率 毛利额 资产周转率 总资产周转率 周转率 "
        "应收账款周转率 总资产收益率 总资产报酬率 资产回报率 资产收益率 投入资本回报率 资本开支 "
        "资本支出 带息负债 有息负债率 短期借款 长期借款 货币资金 账上现金 现金储备 固定资产 "
        "在建工程 存款 不良率 不良贷款率 不良贷款 拨备覆盖率 净息差 资本充足率 股东人数 股东户数 "
        "十大股东 前十大股东 机构持仓 持股比例 主营业务 主营构成 营业利润率 经营利润 贝塔 波动率 "
        "夏普 夏普比率 最大回撤 市现率 增值税 税费 流通股本 流通股 限售股 评级 研报 动态市盈率 "
        "动态pe ttm净利润 ttm营收 滚动净利润 滚动营收 什么时候出 什么时候公布 什么时候披露 "
        "何时公布 披露时间 披露日期 单季净利 单季度营收 单季度净利润 单季利润 资产减值 "
        "市盈率中位数 beta ebit payout debt cash employees capex"
    ),
    "net interest margin",
    "payout ratio",
    "dividend payout",
    "total debt",
    "net debt",
    "net cash",
    "gross profit",
    "operating margin",
    "interest margin",
    "short interest",
    "free float",
    "forward pe",
    "forward p/e",
    "ttm revenue",
    "ttm net profit",
    "asset turnover",
    "return on assets",
    "current ratio",
    "quick ratio",
    "working capital",
)
# Indicators and shapes of prices: the page of a company has them, a question cannot ask for them.
TECHNICAL: frozenset[str] = frozenset(
    {
        *_words(
            "rsi macd kdj boll ema sma obv cci dmi wr ma5 ma10 ma20 ma30 ma60 ma120 ma250 布林线 "
            "布林带 布林 均线 日均线 周均线 月均线 技术面 技术指标 技术分析 技术形态 支撑位 "
            "压力位 阻力位 支撑 压力 金叉 死叉 超买 超卖 背离 筹码 筹码分布 周线 月线 年线 周k "
            "月k 周k线 月k线 分时 分时图 分钟线 五日均线 十日均线 半年线 bollinger technicals "
            "overbought oversold"
        ),
        *("moving average", "moving averages", "technical indicators", "technical indicator"),
        *("technical analysis", "bollinger bands", "support level", "resistance level"),
        *("weekly chart", "monthly chart", "intraday chart"),
    }
)
SERIES: Mapping[str, str] = {
    **dict.fromkeys(_words("通胀率 消费者物价指数 消费者价格指数 通货膨胀率 物价指数"), "CPI"),
    **dict.fromkeys(("consumer price index", "inflation rate", "consumer prices"), "CPI"),
    **dict.fromkeys(_words("生产者价格指数 工业品出厂价格 生产者物价指数"), "PPI"),
    **dict.fromkeys(("producer price index", "producer prices"), "PPI"),
    **dict.fromkeys(("经济增速", "经济增长率", "gross domestic product"), "GDP"),
    **dict.fromkeys(("制造业pmi", "非制造业pmi", "制造业采购经理指数"), "PMI"),
    **dict.fromkeys(("purchasing managers' index", "purchasing managers index"), "PMI"),
    **dict.fromkeys(_words("广义货币 狭义货币 广义货币供应量"), "货币供应量"),
    **dict.fromkeys(("broad money", "narrow money"), "货币供应量"),
    **dict.fromkeys(("社融规模", "社会融资总量", "total social financing"), "社会融资规模"),
    **dict.fromkeys(("loan prime rate", "贷款基准报价利率"), "LPR"),
}

"""Words of questions that carry no slot, and words that name a figure or a series. Data only."""

from collections.abc import Mapping


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# What is said around a question; also keeps names from being read across these words.
FILLERS: tuple[str, ...] = _words(
    "超过 超出 不如 赶上 追上 请问 麻烦 帮我 帮忙 帮 给我 给 我想知道 我想看 我想查 我想 "
    "想知道 想看 想问 我要 告诉我 请 劳驾 老师 你好 查一下 查下 查询 查询一下 查查 查 看一下 "
    "看下 看看 看 问一下 问下 了解一下 了解 分析一下 分析 列出 列一下 列举 展示 显示 找出 "
    "找到 找 选出 选股 筛选出 筛选 一下 下 说说 讲讲 聊聊 谈谈 总结一下 总结 怎么 怎么了 把 "
    "多少 是多少 有多少 多大 多高 几 怎么样 怎样 咋样 如何 怎么看 情况 状况 表现 水平 数据 "
    "数值 数字 指标 具体 大概 大约 左右 到底 究竟 其实 一共 总共 合计 的 是 为 了 吗 呢 吧 "
    "啊 呀 嘛 那 那么 这 这个 那个 这些 那些 它 它们 他们 他 她 其中 里 里面 里头 中 当中 在 "
    "有 没有 有没有 有哪些 哪些 和 与 跟 及 以及 还有 还 也 都 分别 各自 同时 并且 而且 或者 "
    "对比 对比一下 比较 比较一下 相比 比 比起来 谁 谁的 哪个 哪家 哪只 哪一家 哪一个 哪支 "
    "什么 啥 高 低 更高 更低 更 大 小 多 少 便宜 高不高 贵不贵 赚得多 最新 最近 近期 目前 "
    "现在 当前 此刻 今天 今日 当日 当天 眼下 实时 一期 一季 财报 报告 报表 季报 年度 股票 "
    "个股 公司 企业 上市公司 集团 标的 行业 板块 市场 两市 全市场 所有 全部 所有的 季度 谢谢 "
    "谢了 多谢 拜托 欠了 收益 增长 变化 排 排名 排序 排列 排一下 排第几 第几 只 前 大家 股友 "
    "网友 最高 最低 最大 最小 最多 最少 从 到 至 按 按照 以 用 再 再看看 再来 另外 然后 接着 "
    "换 换成 改 改成 改为 换一下 只要 只看 要 去掉 去除 删掉 不要 加上 加 条件 一只 一家 "
    "一股 每股 发生 出现 怎么回事 原因 因为 所以 会 能 可以 可 对 关于 有关 针对 来 去 上 "
    "下面 时候 时 期间 之间 以内 内 以来 之前 之后 前后 停牌 复牌 涨停 跌停 大涨 大跌 暴涨 "
    "暴跌 异动 机构 分析师 券商 市场一致 一致 预期 预测 预计 预估 亏损 盈利 介于 点位 价位 "
    "走势 行情 业绩 财务 基本面 估值 正常 合理 很 比较高 比较低 最好 年底 年末 中国 国内 "
    "有什么 什么样 老板 客户 领导 我 我们 咱 咱们 你 您 高低 同行 同业 行业内 当年 上涨 "
    "下跌 排行 榜单 涨跌 刚才 刚刚 上面 前面 那家 这家 那只 这只 那几家 这几家 那几只 这几只 "
    "上一个 上一轮 上一条 前一个 问题 说的 提到的 同样 一样 相同 不限 不分 限制 限定 要求 门槛 "
    "再加 再加上 加一个 再加一个 加个 再加个 一个 一条 一些 一起 一并 就行 就好 即可 也要 也看 "
    "也给 也列 调到 改到 放宽 收紧 放宽到 收紧到 降到 提高到 设为 倒过来 反过来 满足 符合 "
    "满足条件 符合条件 连续 取 选 剩下 剩下的 余下 余下的 筛出来 筛一下 再筛 来看 至少 至多 "
    "最好 外加 名单 列表 结果 对应 各家 每家 前者 后者"
)
ENGLISH_FILLERS: tuple[str, ...] = _words(
    "a an the of for in on at to by from with and or but vs versus than is are was were be "
    "been do does did has have had can could would will please show me tell give get find "
    "list i we you us my our its it their them they this that these those what which who how "
    "much many when why where there about also only just now current currently latest recent "
    "today all any some each both company companies stock stocks share shares firm firms "
    "firms' ticker corp corporation inc ltd plc group holdings limited higher lower high low "
    "highest lowest largest biggest smallest cheapest cheaper expensive gainers losers best "
    "worst better bigger more most less least compare compared comparison against between "
    "over under above below top first last past next year years month months week weeks "
    "quarter quarters day days annual report reports figure figures number numbers data "
    "value values level fiscal ratio price look up check see let want need know like same "
    "instead then again so fy rmb cny hkd usd billion million bn mn trillion percent times "
    "sorted sort order ordered rank ranked ascending descending asc desc market markets "
    "exchange china chinese american hong kong listed consensus forecast estimate estimates "
    "estimated expected analyst analysts real time realtime live move moves fall fell drop "
    "dropped rise rose down news history chart post posts discussion discussions hot "
    "announcements peers peer switch change make it's add remove drop filter filters condition "
    "conditions reverse reversed order stock's company's listed limit restrict include including "
    "satisfying meeting ok okay well as if out into no not one "
    "two three four five ten per thanks thank hi hello mean explain define web search xueqiu"
)
# A word that asks for several figures at once.
SUMMARIES: Mapping[str, tuple[str, ...]] = {
    "业绩": ("company.finance.revenue", "company.finance.net_profit"),
    "财报": ("company.finance.revenue", "company.finance.net_profit"),
    "财务数据": ("company.finance.revenue", "company.finance.net_profit"),
    "财务状况": ("company.finance.revenue", "company.finance.net_profit"),
    "financials": ("company.finance.revenue", "company.finance.net_profit"),
    "估值": ("company.valuation.pe_ttm", "company.valuation.pb"),
    "valuation": ("company.valuation.pe_ttm", "company.valuation.pb"),
    "行情": ("company.quote.price", "company.quote.pct_change"),
    "quote": ("company.quote.price", "company.quote.pct_change"),
}
# Figures people ask for that have no code here: asked back, never taken for one that has.
NOT_KEPT: tuple[str, ...] = (
    *_words(
        "扣非净利润 扣非净利 扣非归母净利润 扣非 营业利润 利润总额 毛利润 毛利 经营现金流 "
        "经营性现金流 自由现金流 现金流量 现金流 净现金流 存货周转天数 存货周转率 存货 商誉 "
        "应收账款 应收 应付账款 研发费用率 研发费用 研发投入 研发 销售费用率 销售费用 管理费用 "
        "财务费用 换手率 量比 振幅 流通市值 有息负债 流动比率 速动比率 流动资产 流动负债 质押率 "
        "质押 人均薪酬 员工人数 主力资金 北向资金 融资余额 peg ebitda roa roic 营业成本 成本 "
        "费用率 合同负债 预收账款 产能 市占率 负债结构 单季营收 单季净利润 海外营收 海外收入 "
        "市盈率分位 估值分位"
    ),
    "margin",
    "margins",
    "free cash flow",
    "operating cash flow",
    "cash flow",
    "operating profit",
    "operating income",
    "turnover rate",
    "ev/ebitda",
    "inventory",
    "goodwill",
    "r&d",
    "capex",
)
# What follows a figure and makes it another one.
OTHER_FIGURE_AFTER = ("占比", "构成", "结构", "分位", "分位数", "环比", "明细", "拆分", "敏感性")
SERIES: Mapping[str, str] = {
    "lpr": "LPR",
    "贷款市场报价利率": "LPR",
    "cpi": "CPI",
    "居民消费价格指数": "CPI",
    "通胀": "CPI",
    "inflation": "CPI",
    "ppi": "PPI",
    "gdp": "GDP",
    "国内生产总值": "GDP",
    "pmi": "PMI",
    "采购经理指数": "PMI",
    "m1": "货币供应量",
    "m2": "货币供应量",
    "货币供应量": "货币供应量",
    "货币供应": "货币供应量",
    "money supply": "货币供应量",
    "社融": "社会融资规模",
    "社会融资规模": "社会融资规模",
    "社会融资": "社会融资规模",
    "social financing": "社会融资规模",
    "资金流向": "资金流向",
    "资金流": "资金流向",
    "fund flow": "资金流向",
}
INDUSTRIES: tuple[str, ...] = _words(
    "银行 券商 证券 保险 房地产 地产 白酒 酿酒 啤酒 医药生物 医药 医疗 生物医药 中药 "
    "家用电器 家电 汽车 钢铁 煤炭 有色金属 有色 化工 石油 石化 电子 半导体 计算机 软件 传媒 "
    "游戏 通信 食品饮料 食品 农林牧渔 农业 电力 公用事业 国防军工 军工 建筑装饰 建筑 "
    "建筑材料 建材 水泥 机械设备 机械 电气设备 交通运输 航空 机场 港口 高速公路 旅游 "
    "休闲服务 商业贸易 零售 商贸 纺织服装 轻工制造 造纸 采掘 非银金融 金融 综合 互联网 科技 "
    "消费 环保 黄金 新能源"
)
# 券商股 is one word: 券商股市净率 has no 股市 in it.
INDUSTRY_SHARES: tuple[str, ...] = tuple(f"{one}股" for one in INDUSTRIES)
ENGLISH_INDUSTRIES: Mapping[str, str] = {
    "bank": "银行",
    "banks": "银行",
    "banking": "银行",
    "broker": "券商",
    "brokers": "券商",
    "brokerage": "券商",
    "insurance": "保险",
    "insurers": "保险",
    "real estate": "房地产",
    "property": "房地产",
    "liquor": "白酒",
    "baijiu": "白酒",
    "pharma": "医药",
    "steel": "钢铁",
    "coal": "煤炭",
    "auto": "汽车",
    "chemical": "化工",
}
# What an amount is in, by the word behind or before it; 元 is the market's own.
CURRENCIES: Mapping[str, str] = {
    **dict.fromkeys(("人民币", "yuan", "rmb", "cny", "¥"), "人民币"),
    **dict.fromkeys(("港币", "港元", "hkd", "hk$"), "港元"),
    **dict.fromkeys(("美元", "美金", "usd", "us$", "$", "dollar"), "美元"),
}
MARKETS: Mapping[str, str] = {
    "a股": "A股",
    "沪深两市": "A股",
    "沪深": "A股",
    "两市": "A股",
    "港股": "港股",
    "h股": "港股",
    "香港": "港股",
    "美股": "美股",
    "a-shares": "A股",
    "a shares": "A股",
    "a-share": "A股",
    "chinese stocks": "A股",
    "h-shares": "港股",
    "hong kong": "港股",
    "hk stocks": "港股",
    **dict.fromkeys(("hk", "hk companies", "hk-listed", "hk shares", "hong kong stocks"), "港股"),
    **dict.fromkeys(("us companies", "us-listed", "u.s. stocks", "us shares", "u.s."), "美股"),
    **dict.fromkeys(("in the us", "american companies", "the us"), "美股"),
    **dict.fromkeys(("chinese companies", "mainland stocks", "mainland china"), "A股"),
    "us stocks": "美股",
    "us instead": "美股",
    "hk instead": "港股",
    "american stocks": "美股",
    "us market": "美股",
}
MARKET_CODES: Mapping[str, str] = {"A股": "CN", "港股": "HK", "美股": "US"}

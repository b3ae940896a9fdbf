"""Closed lists for reading prose: whom a text may mention, and what may stand around a figure.

A word that is on no list is taken for a figure or for another name (fail closed).
"""

import re

from services.language.plain_text import spelled

# Companies everybody knows: unless given as a name, such a company is not the one of the claims.
_COMPANIES = """
贵州茅台 茅台 五粮液 泸州老窖 洋河股份 山西汾酒 古井贡酒 今世缘 酒鬼酒 水井坊 舍得酒业 宁德时代
比亚迪 长城汽车 上汽集团 长安汽车 吉利汽车 广汽集团 理想汽车 蔚来 小鹏汽车 小鹏 赛力斯 零跑汽车
一汽解放 特斯拉 苹果 微软 谷歌 亚马逊 英伟达 英特尔 高通 台积电 三星 三星电子 奈飞 脸书 阿里巴巴
阿里 腾讯控股 腾讯 百度 京东 美团 拼多多 网易 小米集团 小米 快手 哔哩哔哩 华为 中芯国际 联想集团
联想 中兴通讯 海康威视 大华股份 立讯精密 京东方 工业富联 隆基绿能 通威股份 阳光电源 天合光能
晶科能源 亿纬锂能 赣锋锂业 天齐锂业 恩捷股份 国轩高科 招商银行 平安银行 兴业银行 浦发银行 民生银行
中信银行 光大银行 华夏银行 北京银行 宁波银行 南京银行 江苏银行 上海银行 杭州银行 工商银行 建设银行
农业银行 中国银行 交通银行 邮储银行 中国平安 中国人寿 中国太保 新华保险 中国人保 中信证券 中信建投
海通证券 国泰君安 华泰证券 广发证券 招商证券 东方财富 同花顺 万科 万科a 保利地产 保利发展 招商蛇口
碧桂园 融创中国 中国恒大 金地集团 华侨城 格力电器 美的集团 海尔智家 青岛海尔 海信家电 老板电器
伊利股份 蒙牛乳业 海天味业 双汇发展 青岛啤酒 燕京啤酒 百威亚太 农夫山泉 康师傅 恒瑞医药 迈瑞医疗
药明康德 药明生物 片仔癀 云南白药 同仁堂 复星医药 长春高新 智飞生物 爱尔眼科 通策医疗 百济神州
中国石油 中国石化 中国海油 中国神华 陕西煤业 兖州煤业 中煤能源 长江电力 华能国际 中国核电 三峡能源
中国建筑 中国中铁 中国铁建 中国交建 中国中车 三一重工 徐工机械 中联重科 海螺水泥 宝钢股份 河钢股份
鞍钢股份 紫金矿业 洛阳钼业 中国铝业 江西铜业 万华化学 荣盛石化 恒力石化 中国联通 中国移动 中国电信
中国国航 南方航空 东方航空 上港集团 顺丰控股 圆通速递 韵达股份 中国中免 永辉超市 苏宁易购 分众传媒
三六零 科大讯飞 用友网络 恒生电子 金山办公 寒武纪 海光信息 三安光电 兆易创新 北方华创 韦尔股份
京沪高铁 大秦铁路 牧原股份 温氏股份 新希望 海大集团 隆平高科 三只松鼠 七匹狼 二三四五 九州通
六国化工 四川长虹 四维图新 中国交建 乐视网 融创 恒大 格力 美的 海尔 伊利 蒙牛 招行 工行 建行 农行
中行 交行 平安 汇丰控股 汇丰 友邦保险 港交所 香港交易所 长和 新鸿基地产 中电控股 银河娱乐 金沙中国
安踏体育 李宁 申洲国际 舜宇光学 瑞声科技
apple|microsoft|google|alphabet|amazon|nvidia|intel|tesla|meta|facebook|netflix|alibaba|tencent
|baidu|jd.com|meituan|pinduoduo|pdd|netease|xiaomi|huawei|smic|lenovo|wuliangye|catl|byd|moutai
|kweichow moutai|ping an|china merchants bank|icbc|ccb|samsung|tsmc|hsbc|aia|sony|toyota|oracle
|amd|qualcomm|broadcom|disney|walmart|coca-cola|boeing
"""
# How an English sentence may begin that names no company there.
_NO_COMPANY = """
the it its this that these those they their there here he she we our you in on at by for from to
of as with within during over under since until after before while when where which who whose what
and but or so yet if although though because despite however meanwhile overall moreover also
besides still then thus hence therefore accordingly consequently notably net total revenue
revenues profit earnings sales income turnover assets liabilities equity gross operating
attributable basic diluted return price share shares stock stocks market company group management
firm both neither either each all some most many few another other no none one two three first
second third last latest current recent annual quarterly full fiscal fy based according compared
relative trailing ttm lyr mrq pe pb ps roe eps dps rsi macd kdj ma valuation dividend debt cash
cny usd hkd rmb us hk a-share h-share yoy qoq growth margin close closing open volume
"""
# Numbered talk of a text about itself: 三个方面, 以下两点, 两点值得关注, 第一，.
_DISCOURSE_NOUNS = (
    "方面|维度|角度|层面|要点|结论|问题|步骤|部分|情形|情景|风险点|风险|特征|亮点|因素|看点|建议|提示|"
    "理由|逻辑|阶段|原因|指标|数据|观察|启示|主线|前提"
)
_N = r"(?:10|\d|[一二两三四五六七八九十])"
DISCOURSE = re.compile(
    rf"(?:以下|如下|上述|以上|这){_N}(?:个|大|项|条|类|点|种)"
    rf"(?:主要|核心|关键|重要)?(?:{_DISCOURSE_NOUNS})?(?![百分元倍亿万千.\d%交易家股])"
    rf"|{_N}(?:个|大|项|条|类|种)?(?:主要|核心|关键|重要)?(?:{_DISCOURSE_NOUNS})"
    rf"|{_N}(?:[点处]|方面)(?:值得|需(?:要|关注|注意))"
    rf"|第{_N}(?:点|方面|部分|个方面|条|步)?(?=[,、:]|是)"
)
# How many companies a text says it speaks of: as many as it does, or a figure like any other.
SMALL_COUNT = re.compile(
    r"(?:这|上述|以上|以下)?(?P<n>\d{1,2}|[两二三四五六七八九十])(?:家|只|支)"
    r"(?:公司|企业|股票|个股|标的|上市公司)?(?![\d机券中有上])"
    r"|(?P<en>two|three|four|five|six) (?:companies|stocks|firms|names|issuers)(?![a-z])"
)
# A hedge that begins like the name of a figure: read with the figure, and no name.
HEDGES = ("close to", "up to", "less than", "more than", "不足", "不到")

# What may stand between a company (or nothing) and the name of its figure, in Chinese.
_BESIDE = """
论 就 可比 双双 单论
介于 介 短期 中期 长期 均线 移动平均线 除此之外 之外 此外 加总 数值 取值 读数 最近一期 单位 各项
每 占 期间内 公司 该公司 本公司 其 该股 该 它 他 我们 你 企业 集团 上市公司 标的 个股 股票 全公司
整体 总体 全年 本年 当年 年度 本期 当期 同期 报告期 报告期内 报告期末 期内 期末 年末 年底 年内
全期 期间 季度 当季 单日 当日 当天 全天 盘中 盘后 收市 收市后 最近 最新 近期 目前 当前 现在 现时
此时 截至 截止 截至目前 时点 口径 数据 指标 财务 财报 报表 年报 季报 中报 公告 披露 显示 表明 来看
看 方面 而言 来说 说 而 且 并 并且 及 以及 和 与 跟 同 也 亦 则 均 都 还 仍 又 再 更 就 便 即 却
但 但是 然而 不过 其中 此外 另外 同时 与此同时 因此 所以 由于 因为 虽然 尽管 如果 若 当 随着 根据
按照 按 依据 据 从 由 自 在 于 至 到 对 对于 关于 就是 将 把 被 让 使 令 为 是 有 达 达到 实现
录得 取得 完成 报 报出 公布 公告 发布 获得 创造 贡献 产生 拥有 保持 维持 呈现 处于 位于 对应 给出
计算 测算 得出 推算 估算 折合 合计 总计 共计 累计实现 主要 核心 关键 重要 基本 大致 约 近 上 下 中
内 前 后 里 的 了 着 过 之 所 等 这 那 这个 那个 这些 上述 以上 以下 如下 分别 各自 各家 两者 二者
双方 前者 后者
彼此 盈利能力 盈利 偿债能力 成长性 估值 估值水平 股价 技术面 技术指标 资金面 基本面 规模
水平 情况 表现 变化 走势 趋势 结果 业绩 经营 经营业绩 经营数据 经营成果 经营情况 经营层面 市场
二级市场 行情 价格方面 层面 角度 具体 具体来看 具体而言 整体来看 总体来看 综合来看 简单来说 先看
再看 首先 其次 最后 可以 可见 能够 可 能 会 已 已经 曾 尚 仅 只 只有 才 较 比 较为 比较 相对
相对于 相比 对比 高于 低于 大于 小于 超过 不及 优于 逊于 不如 高 低 大 小 多 少 强 弱 更高 更低
较高 较低 偏高 偏低 最高 最低 合理 稳健 稳定 良好 突出 优秀 平稳 显著 明显 大幅 小幅 略 略有 略微
稍 持续 继续 不断 逐步 快速 稳步 有所 出现 发生 增长 增加 上升 上涨 提升 提高 下降 下滑 下跌 减少
降低 回落 改善 恶化 扩大 收窄 回升 同比 环比 较上年 较上年同期 去年 上年 今年 第 以 其后 随后 之后
此后 之前 此前 以来 起 末 初 日 月 年 季 动态 变动 波动 区间 静态 名义 实际 账面 归母 全部 总 单
每 每股 a股 h股 b股 港股 美股 沪市 深市 两市 沪深 人民币 港币 美元 注 注意 值得注意 值得一提 需要
需 提示 说明 参考 来源 引用 数据来源 龙头 白马 蓝筹 白酒 银行 券商 保险 汽车 新能源 新能源汽车
地产 医药 家电 科技 互联网 行业 板块 同行 同业 可比公司 行业内 细分 领域 中国 国内 大陆 a 股 快照
样本 记录 查询 工具 库 表 表格 图 上图 下表 见 请 看到 知道 了解 认为 判断 反映 反映出 说明了
意味着 意味 体现 体现出 体现了 相当于 相当 略高 略低 明显高于 显著高于 远高于 远低于 略高于 略低于
且其 而其 但其 虽 既 也就是 换言之 换句话说 例如 比如 尤其 特别 特别是 尤其是 无论 不论 均为
分别为 合 收益 均值 同日 达成 拉动 带来 导致 推动 使得 带动 受益于 得益于 受 受到 影响 拖累 支撑
驱动 依然 依旧 仍然 始终 一直 目前来看 现阶段 当下 今日 昨日 今天 昨天 收盘后 盘前 早盘 午后 尾盘
早间 全日 成交 交易 交易日 个交易日 上一交易日 首日 首个 公司治理 管理层 创始人 投资者 股东 市场上
证券 代码 简称 名称 公司名称 报告 研报 本文 文中 正文 结论 总结 小结 综上 综上所述 概览 速览 一览
摘要 要点 亮点 风险 优势 劣势 采用 首次 首度 站 站上 站稳 跌破 升破 触及 触 连日 台阶 关口 大关
仍有 连续 本工作台标准
 快 慢 快于 慢于 更快 更慢 弹性 来自 源于 来源于 守住 守在 失守 微 微增 微升 微降 微涨 微跌
 推荐 回顾 结合 叠加 整理 汇总 截至当日 附近 一线 之上 之下 上方 下方 徘徊 运行 交投
"""
# Of those, what may stand before a figure's name but not before a figure: it would name another.
_CARRY_NOUNS = """
估值 估值水平 盈利 盈利能力 偿债能力 成长性 业绩 收益 成交 交易 股价 资金面 基本面 规模 经营业绩
报表 财报 股东 证券 风险 龙头 指标
"""
# A subject of its own: what stands further left is about something else.
_ANCHORS = """
该公司 本公司 其 该股 我们 报告期内 报告期 期末 期内 两者 二者 前者 后者 推动 带动 使得 导致 拉动
拖累 带来 得益于 受益于 显示 表明 意味着 同行 行业 反映 反映出
"""
# Heads of names: between a figure's name and the figure, they make it a figure of something else.
OTHER_HEADS = re.compile(
    "投入|费用|成本|现金流|税|薪酬|余额|订单|存货|商誉|应收|应付|分红|派现|回购|融资|贷款|存款|产量|销量|"
    "产能|门店|员工|人数|占比|比重|份额|业务|产品|板块|子公司|分部|海外|境外|国内市场|目标|分位|毛利|"
    "扣非|非经常|预算|计划|指引|补助|补贴|损失|减值|折旧|摊销|投资|资产|负债|借款|担保|罚款|赔偿|募资"
)
OTHER_HEADS_EN = re.compile(
    r"\b(?:costs?|expenses?|cash|debt|dividends?|buybacks?|target|guidance|budget|segment|overseas|"
    r"inventory|goodwill|tax|capex|orders?|backlog|subsidy|subsidies|impairment|depreciation|"
    r"adjusted|core|underlying|recurring|gross|operating|quarterly)\b"
)


def _split(text: str) -> list[str]:
    """Words between spaces; on a line with bars, between those."""
    words: list[str] = []
    for line in text.strip().replace("\n|", "|").splitlines():
        words += line.split("|") if "|" in line else line.split()
    return [spelled(word) for word in words]


COMPANIES = frozenset(_split(_COMPANIES))
BESIDE = frozenset(_split(_BESIDE))
CARRY_NOUNS = frozenset(_split(_CARRY_NOUNS))
ANCHORS = frozenset(_split(_ANCHORS))
NO_COMPANY = frozenset(_split(_NO_COMPANY))

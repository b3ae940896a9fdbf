"""Closed lists for reading prose: what holds a numeral and is no figure, and what may stand around
one. Data only; a word that is on no list is taken for a figure or for another name (fail closed).
"""

import re

from services.core.prose.text import spelled

# Words with a Chinese numeral in them that assert no figure.
_IDIOMS = """
盈利能力 盈利水平 盈利质量 盈利状况 盈利性 盈利改善 盈利增长 盈利模式 盈利预期 收入结构 利润空间
周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日 礼拜一
二三线 一高一低 一涨一跌 一增一减 一升一降 一快一慢 一大一小 一进一出 一前一后 一正一负 盈亏 扭亏
减亏 吃亏 亏空 亏欠 一般 一般而言 一般来说 一定 一定程度 一定程度上 一些 一直 一旦 一样 一起 一致
一致性 一致预期 一度 一同 一并 一律 一时 一再 一向 一贯 一味 一边 一面 一方面 另一方面 一方 一体
一体化 一流 一线 一带 一带一路 一路 一举 一股 一番 一系列 一揽子 一次性 一如既往 一目了然 一段时间
一段 一点点 一下 一切 一手房 一共 一心一意 一帆风顺 一马当先 一枝独秀 一蹴而就 一概而论 一言以蔽之
一分为二 一波三折 一落千丈 一鸣惊人 一视同仁 一丝不苟 一成不变 一成一变 一站式 一把手 一隅 一环
一端 一侧 一头 一批 一轮 一步 一步步 一阵 一层 一类 一组 一套 一代 一生 一日游 一季 一期 一词 一说
一环扣一环 一篮子 一来 二来 一刻 一眼 一看 一经 一应 一应俱全 一席之地 一己之力 一臂之力 一触即发
一锤定音 一览 一览表 一句话 一张 一个 一家 一只 一项 一条 一份 一种 一次 一名 一位 一部分 一大
一块 一片 一年一度 一年四季 一季度末 一致行动人 一文 一书 一章 一节 一表 一图 一栏 一列 一稿 一事
一幕 一役 一战 每一 某一 任一 同一 统一 唯一 单一 之一 万一 逐一 进一步 新一轮 另一 这一 那一 其一
其二 其三 不一 不一致 一一 一是 二是 三是 四是 五是 六是 一则 二则 前一 后一 上一 下一 上一个
下一个 下一交易日 下一个交易日 上一期 此一 哪一
又一 再一次 同一口径 统一口径 第一时间 第一梯队 第一财经 第一步 第二步 第三步 第一性 第三方
第二曲线 第一手 第一线 第一大股东 第二大股东 第三大股东 一二级市场 一级市场 二级市场 二级 一级
三级 三方 三者 两者 二者 两市 两融 两会 两岸 两端 两极 两类 两种 两地 两极分化 两难 两面 两方面
两家公司均 三农 三板 新三板 三伏 四季 四处 四川 四大 四环 五金 五一 五洲 六合 七夕 八方 九州 九龙
三大指数 三大运营商 四大行 四大银行 三大报表 三张表 三张报表 三表 三桶油 三亚 三明 三峡 三门峡
三角 三角形 三线 二线 二手 二次 二元 二维码 二胎 三胎 双十一 双十二 十一假期 十一黄金周 十四五
十五五 十三五 十二五 五年规划 五年计划 十分 十足 十全十美 十堰 百货 百姓 百科 百花 百花齐放 百强
百分比 百业 百家 千方百计 千篇一律 千变万化 千差万别 千家万户 万众 万能 万事 万物 成千上万
数以万计 千万不要 千万别 千万要 千万注意 零售 零部件 零件 零食 零星 零和 零碎 归零 清零 零基础
零容忍 零和博弈 零售商 零售业 新零售 零散 零距离 独一无二 不二 说一不二 始终如一 合二为一 五险一金
三思 三令五申 四面八方 五花八门 七上八下 九牛一毛 举一反三 丢三落四 接二连三 再三 朝三暮四 半导体
半成品 半自动 一线城市 二线城市 三线城市 一二线 三四线 日k线 一阳 一阴 一字板 一字涨停 一字跌停
一家独大 一股独大 二股东 前十大 前十大股东 前十大流通股东 前五大 前五大客户 前五大供应商 前三大
前三大股东 十大股东 十大流通股东 四舍五入 两位小数 一位小数 三表勾稽 二进制 三维 五星 停牌前收盘至今
停牌前收盘以来 停牌前收盘 零轴 零轴上方 零轴下方 零轴之上 零轴之下 每十股派
每十股转 每十股送
"""
# With a digit in them. Indicators and their parameters are names of metrics (prose.metrics).
_DIGIT_NAMES = (
    "沪深300|沪深300指数|csi 300|csi300|上证50|上证50指数|sse 50|上证180|上证380|深证100|中证100|"
    "中证500|中证800|中证1000|中证2000|中证a50|a50|科创50|科创100|创业板50|北证50|标普500|标准普尔500|"
    "s&p 500|s&p500|纳斯达克100|纳指100|nasdaq 100|nasdaq-100|日经225|nikkei 225|富时100|ftse 100|"
    "罗素2000|russell 2000|道琼斯30|5g|4g|3g|6g|t+0|t+1|t+2|双11|双12|618|3c|b2b|b2c|c2c|o2o|p2p|"
    "web3|web3.0|3d|2d|4k|8k|covid-19|iso9001|iso 9001|pm2.5|h5|level-2|level2|l2|l3|l4|7x24|996|"
    "macd(12,26,9)|macd(12, 26, 9)|kdj(9,3,3)|kdj(9, 3, 3)|boll(20,2)|boll(20, 2)|布林(20,2)|"
    "布林线(20,2)|bollinger(20,2)|bollinger (20, 2)|bollinger bands (20, 2)|adx(14)|adx (14)|ema12|"
    "ema26|ema(12)|ema(26)|ema(9)|每10股派|每10股转|每10股送|per 10 shares|前10大股东|前10大|"
    "前5大客户|前5大|top 10|top10|top 5|top5"
)
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
# Indexes by what everybody calls them; a text may name one when a claim is about it.
INDEXES = {
    "HSI": ("恒生指数", "恒指", "hang seng index", "hang seng"),
    "IXIC": ("纳斯达克综合指数", "纳斯达克指数", "纳指", "nasdaq composite", "nasdaq"),
    "SPX": ("标普500", "标普500指数", "标准普尔500", "s&p 500", "s&p500"),
    "DJI": ("道琼斯", "道琼斯工业指数", "道指", "dow jones", "the dow"),
    "000001.SH": ("上证指数", "上证综指", "沪指", "shanghai composite"),
    "399001.SZ": ("深证成指", "深成指", "shenzhen component"),
    "399006.SZ": ("创业板指", "创业板指数", "chinext index"),
    "000300.SH": ("沪深300", "沪深300指数", "csi 300", "csi300"),
    "000016.SH": ("上证50", "上证50指数", "sse 50"),
    "000905.SH": ("中证500", "中证500指数", "csi 500"),
    "000852.SH": ("中证1000", "中证1000指数", "csi 1000"),
    "000688.SH": ("科创50", "科创50指数", "star 50"),
}
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
# Numbered talk of a text about itself: 三个方面, 以下两点, 第一，.
_DISCOURSE_NOUNS = (
    "方面|维度|角度|层面|要点|结论|问题|步骤|部分|情形|情景|风险点|风险|特征|亮点|因素|看点|建议|提示|"
    "理由|逻辑|阶段|原因|指标|数据|观察|启示|主线|前提"
)
_N = r"(?:10|\d|[一二两三四五六七八九十])"
DISCOURSE = re.compile(
    rf"(?:以下|如下|上述|以上|这){_N}(?:个|大|项|条|类|点|种)"
    rf"(?:主要|核心|关键|重要)?(?:{_DISCOURSE_NOUNS})?(?![百分元倍亿万千.\d%交易家股])"
    rf"|{_N}(?:个|大|项|条|类|种)?(?:主要|核心|关键|重要)?(?:{_DISCOURSE_NOUNS})"
    rf"|第{_N}(?:点|方面|部分|个方面|条|步)?(?=[,、:]|是)"
)
# How many companies a text says it speaks of: as many as it does, or a figure like any other.
SMALL_COUNT = re.compile(
    r"(?:这|上述|以上|以下)?(?P<n>\d{1,2}|[两二三四五六七八九十])(?:家|只|支)"
    r"(?:公司|企业|股票|个股|标的|上市公司)?(?![\d机券中有上])"
    r"|(?P<en>two|three|four|five|six) (?:companies|stocks|firms|names|issuers)(?![a-z])"
)
# An English number word beside these counts nothing of the market.
_ENGLISH_IDIOMS = (
    "one of|one or|no one|one another|each one|on the one hand|on one hand|first of all|one-off|"
    "one-time|one side|one hand|two sides|day one|one day|zero-sum|at one point|one thing|for one|"
    "the one|this one|that one|one way|one reason|one more|one such|high level|low level|open to|"
    "cash position|up to date|double check|double counting|in the open|close watch|close look|"
    "close attention|for sale|on sale|high quality|low base|high base|at a high|at a low|"
    "one company|remain high|remain low|remains high|remains low|is high|is low|relatively high|"
    "relatively low|"
    "open market|cost of capital|close monitoring|cost control|cost discipline"
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
内 前 后 里 的 了 着 过 之 所 等 这 那 这个 那个 这些 上述 以上 以下 如下 分别 各自 两者 二者 双方
前者 后者 彼此 盈利能力 盈利 偿债能力 成长性 估值 估值水平 股价 技术面 技术指标 资金面 基本面 规模
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


IDIOMS = frozenset((*_split(_IDIOMS), *_split(_DIGIT_NAMES), *_split(_ENGLISH_IDIOMS)))
COMPANIES = frozenset(_split(_COMPANIES))
BESIDE = frozenset(_split(_BESIDE))
CARRY_NOUNS = frozenset(_split(_CARRY_NOUNS))
ANCHORS = frozenset(_split(_ANCHORS))
NO_COMPANY = frozenset(_split(_NO_COMPANY))

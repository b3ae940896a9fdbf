"""What figures are called in Chinese and English prose. Data only; prose.metrics reads it.

A metric of market/metrics.py must stand here, or in prose.score_names, by both its names there.
"""

# metric = name|name|…; a name may stand in several lines and then means any of them.
NAMES = """
current_price=当前价|当前价格|当前股价|现价|现股价|最新价|最新股价|最新价格|实时价|实时价格
|实时股价|现报|盘中价|现时股价|目前股价|目前价格|成交价|最新成交价|current price
|current share price|latest price|real-time price|live price|spot price|trading at|trades at
|now at|last traded price|盘中报|盘中现报
close=报收|报收于|收盘报收|最近收盘|最近收盘价|最近一个交易日收盘价|最近一个交易日收盘|收盘价
|收盘价格|收盘|收报|收于|收在|收盘于|收盘报|收盘点位|最新收盘价|最新收盘|股价收于|股价收报
|last close|latest close|most recent close|closing price|last closing price|latest closing price
|closing level|close|closed at|closes at|closing at|closed|finished at|ended at|settled at
|ended the day at|finished the day at
current_price=股价|价格|每股价格|点位|指数点位|share price|stock price|price per share|price
close=股价|价格|每股价格|点位|指数点位|share price|stock price|price per share|price
open=开盘|开盘价|今开|开盘于|opening price|open price|open|opened at|opened
high=最高|最高价|盘中最高|盘中最高价|日内最高|日内最高价|day high|intraday high|high|highest price
|高点|区间高点|上探|摸高|最高摸到|最高升至|最高涨至
low=最低|最低价|盘中最低|盘中最低价|日内最低|日内最低价|day low|intraday low|low|lowest price
|低点|区间低点|下探|盘中下探|探底|最低跌至|最低探至|最低下探
change=涨跌额|change|price change
pct_change=涨跌幅|涨跌幅度|日涨跌幅|当日涨跌幅|单日涨跌幅|change %|daily change|percentage change
|price change|change
volume=成交|成交量|成交股数|volume|trading volume
amount=成交|成交额|成交金额|turnover|turnover value|traded value
market_cap=valued at|总市值|市值|a股总市值|market cap|market capitalization|market capitalisation
|market value|total market cap|total market value
total_shares=总股本|股本|总股数|total shares|shares outstanding|share capital
float_shares=流通股|流通股本|流通股数|float shares|shares in float
amplitude=振幅|amplitude
turnover_rate=换手率|turnover rate|turnover ratio
pe_ttm=市盈率pe|市盈率(pe)|市盈率pe(ttm)|ttm口径|滚动口径|市盈率(ttm)|市盈率ttm|市盈率|滚动市盈率
|滚动市盈率(ttm)|ttm市盈率|市盈|本益比|pe(ttm)|pe (ttm)|pe ttm|ttm pe|pe-ttm|pe_ttm|pe|p/e
|p/e (ttm)|p/e(ttm)|p/e ttm|pe ratio|p/e ratio|p/e multiple|trailing p/e|trailing pe
|trailing p/e ratio|price-to-earnings|price-to-earnings ratio|price to earnings
|price-earnings ratio|earnings multiple|on trailing earnings|on a trailing earnings basis
pe_lyr=lyr口径|静态口径|市盈率(lyr)|市盈率lyr|静态市盈率|静态市盈率(lyr)|静态pe|静态市盈
|去年市盈率|lyr市盈率|pe(lyr)|pe (lyr)|pe lyr|pe_lyr|p/e (lyr)|p/e(lyr)|p/e lyr|static p/e
|static pe|lyr p/e
pb=市净率pb|市净率(pb)|市净率(mrq)|市净率mrq|市净率|pb(mrq)|pb (mrq)|pb mrq|pb|p/b|p/b (mrq)
|p/b(mrq)
|on price to book|on book value|p/b ratio|pb ratio|price-to-book|price-to-book ratio|price to book
ps_ttm=市销率ps|市销率(ttm)|市销率ttm|市销率|ps(ttm)|ps (ttm)|ps ttm|ps|p/s|p/s (ttm)|p/s(ttm)
|p/s ratio|price-to-sales|price-to-sales ratio|price to sales
dy_l=股息率|股利收益率|分红率|分红收益率|股息收益率|dividend yield|yield
revenue=top line|营业收入|营收|收入|总营收|营业额|销售额|销售收入|revenue|revenues|sales|turnover
|operating revenue
net_profit=earned|earns|bottom line|净利润|归母净利润|归母净利|归属净利润|归属于母公司股东的净利润
|归属于上市公司股东的净利润|归属于母公司所有者的净利润|净利|净赚|利润|net profit|net income
|earnings|profit|net earnings|attributable net profit|profit attributable to the parent
|net profit attributable to the parent
total_assets=总资产|资产总额|资产合计|资产总计|total assets|assets
total_liabilities=总负债|负债总额|负债合计|负债总计|负债|total liabilities|liabilities
equity=归母净资产|净资产|归属于母公司股东权益|归母权益|归母股东权益|股东权益|所有者权益|equity
|shareholders' equity|shareholders equity|net assets|attributable equity
net_profit_total=净利润(含少数股东)|净利润(含少数股东损益)|含少数股东损益的净利润
|net profit incl. minorities|net profit including minorities
eps=earned|earns|每股收益eps|每股收益(eps)|每股收益|基本每股收益|每股盈利|每股净利润|eps|basic eps
|earnings per share|basic earnings per share
dps=每股股利|每股分红|每股派息|每股现金股利|每股股息|dps|dividend per share|dividends per share
bps=每股净资产|bps|book value per share|net assets per share
roe=净资产收益率roe|净资产收益率|净资产回报率|股本回报率|摊薄净资产收益率|净资产收益率(roe)|roe
|return on equity
net_margin=净利率|净利润率|销售净利率|net margin|net profit margin
debt_to_assets=资产负债率|负债率|杠杆率|debt to assets|debt-to-assets|debt ratio
|debt-to-asset ratio|debt-to-assets ratio|liabilities to assets
revenue_yoy=营收同比|营业收入同比|收入同比|营收增速|营业收入增速|收入增速|营收增长率
|营业收入增长率|收入增长率|营收同比增速|营收同比增长率|营业收入同比增长率|营业收入同比增速
|top-line growth|top line growth|revenue yoy|revenue growth|revenue growth rate|sales growth
|yoy revenue growth
net_profit_yoy=净利润同比|净利同比|利润同比|归母净利润同比|净利润增速|归母净利润增速|净利增速
|利润增速|净利润增长率|归母净利润增长率|利润增长率|净利润同比增速|净利润同比增长率
|归母净利润同比增长率|bottom-line growth|bottom line growth|net profit yoy|profit yoy
|net profit growth|profit growth
|net profit growth rate|earnings growth|net income growth
gap=跳空|跳空幅度|跳空缺口|gap
deviation=偏离值|收盘涨跌幅偏离值|相对指数偏离|deviation
cumulative_deviation=三日累计偏离值|3日累计偏离值|累计偏离值|偏离值累计|收盘涨跌幅偏离值累计
|3-session deviation|three-session deviation|cumulative deviation
run_change=the run|its run|区间涨跌幅|累计涨跌幅|期间涨跌幅|累计涨跌|区间涨跌|run change
|change over the run
|cumulative change
volume_multiple=量比(20日)|20日量比|量比|成交量倍数|volume multiple|volume multiple (20)
return_z=偏离|收益|收益率偏离|return
deviation=偏离
pct_change=return
return_z=偏离60日均值|收益偏离60日均值
|收益偏离(60日σ)|收益偏离|收益偏离度|偏离均值|return z|return z (60)|z-score
suspended_sessions=停牌交易日数|停牌天数|停牌|suspended sessions|suspension|suspended
price_limit=daily limit|daily price limit of|涨跌幅限制|日涨跌幅限制|涨跌停幅度|涨跌幅上限
|price limit|daily price limit
suspected_limit=疑似涨跌停阈值|涨跌停阈值|suspected limit
index_move_limit=指数单日涨跌阈值|index move limit
deviation_limit=异常波动阈值|偏离值阈值|偏离阈值|累计偏离值阈值|deviation limit
|deviation threshold
deviation_sessions=异常波动交易日数|deviation sessions
z_limit=标准差阈值|异动阈值|z limit|z threshold
z_window=均值窗口|z window
volume_limit=放量阈值|量比阈值|volume limit|volume threshold
volume_window=均量窗口|volume window
gap_limit=跳空阈值|gap limit|gap threshold
run_sessions=连续同向交易日数|run sessions
run_limit=累计涨跌阈值|区间涨跌阈值|run limit|run threshold
index_share=随大盘阈值|index share
loss_share=亏损占比|loss share
rsi_overbought=超买|超买线|超买阈值|超买区|超买区间|超买线阈值|rsi超买|rsi超买线|rsi超买阈值
|overbought|overbought line|overbought threshold|overbought level
rsi_oversold=超卖|超卖线|超卖阈值|超卖区|超卖区间|rsi超卖|rsi超卖线|rsi超卖阈值|oversold
|oversold line|oversold threshold|oversold level
obv_share_limit=能量潮阈值|obv threshold|obv limit
bullish_from=偏多阈值|偏多线|偏多|bullish threshold|bullish from|bullish
bearish_to=偏空阈值|偏空线|偏空|bearish threshold|bearish to|bearish
signal_sessions=信号窗口|信号回看|signal window|signal sessions
company_count=公司数|公司数量|公司家数|上市公司数量|companies|number of companies
match_count=pass the filter|passed the filter|pass the screen|pass|meet the criteria
|meets the criteria|match the criteria|qualify|satisfy the conditions|meet the conditions|符合条件
|符合条件的公司|符合条件的有|命中|筛出|matches|matching companies
loss_count=亏损/未给出|亏损或未给出|亏损家数|loss or not given
market_cap_sum=总市值合计|市值合计|合计市值|合计总市值|total market cap|combined market cap
pe_ttm_median=市盈率(ttm)中位数|市盈率中位数|median p/e (ttm)|median p/e
pe_lyr_median=市盈率(lyr)中位数|静态市盈率中位数|median p/e (lyr)
pb_median=市净率中位数|市净率(mrq)中位数|median p/b|median p/b (mrq)
previous_close=前收盘|前收盘价|昨收|昨收盘|昨日收盘价|昨收价|前收|上一交易日收盘价|previous close
|prior close|previous closing price
gross_margin=毛利率|销售毛利率|gross margin|gross profit margin
total_revenue=营业总收入|total revenue
forecast_eps=预测每股收益|预测eps|预期每股收益|一致预期每股收益|forecast eps|consensus eps
|expected eps
forecast_net_profit=预测净利润|预期净利润|一致预期净利润|预测归母净利润|forecast net profit
|consensus net profit|forecast net income
forecast_revenue=预测营业收入|预测营收|预期营收|一致预期营收|预测收入|forecast revenue
|consensus revenue
forecast_pe=预测市盈率|预期市盈率|预测pe|forecast p/e|forward p/e|forward pe
forecast_roe=预测净资产收益率|预测roe|预期净资产收益率|forecast roe
main_net_inflow=主力净流入|主力资金净流入|main net inflow|main fund net inflow
xlarge_net_inflow=超大单净流入|超大单资金净流入|extra-large net inflow
large_net_inflow=大单净流入|大单资金净流入|large net inflow
medium_net_inflow=中单净流入|中单资金净流入|medium net inflow
small_net_inflow=小单净流入|小单资金净流入|small net inflow
main_net_inflow_pct=主力净占比|主力净流入占比|main net inflow %
pmi_manufacturing=制造业pmi|制造业采购经理指数|pmi|manufacturing pmi
pmi_non_manufacturing=非制造业pmi|非制造业商务活动指数|非制造业采购经理指数|non-manufacturing pmi
m1=m1|m1余额|狭义货币|狭义货币余额|m1 balance
m1_yoy=m1同比|m1增速|m1同比增速|狭义货币同比|m1 yoy|m1 growth
m2=m2|m2余额|广义货币|广义货币余额|m2 balance
m2_yoy=m2同比|m2增速|m2同比增速|广义货币同比|m2 yoy|m2 growth
cpi_yoy=cpi同比|cpi涨幅|居民消费价格指数同比|居民消费价格同比|cpi yoy|cpi inflation|inflation
cpi_mom=cpi环比|居民消费价格环比|cpi mom
ppi_yoy=ppi同比|工业生产者出厂价格同比|ppi yoy
gdp_ytd=gdp(累计)|gdp|国内生产总值|累计gdp|gdp year to date
gdp_yoy=gdp累计同比|gdp同比|gdp增速|国内生产总值同比|国内生产总值增速|经济增速|gdp yoy
|gdp yoy, year to date|gdp growth
lpr_1y=lpr(1年)|1年期lpr|一年期lpr|lpr1年期|1年期贷款市场报价利率|lpr 1y|1-year lpr|one-year lpr
lpr_5y=lpr(5年以上)|5年期以上lpr|5年期lpr|五年期以上lpr|五年期lpr|5年期以上贷款市场报价利率
|lpr 5y+|lpr 5y|5-year lpr|five-year lpr|over-five-year lpr
social_financing_increment=社融增量|社会融资规模增量|新增社融|新增社会融资规模
|social financing flow|new social financing
social_financing_stock=社融存量|社会融资规模存量|social financing stock
eps_ttm=每股收益(ttm)|每股收益ttm|滚动每股收益|eps (ttm)|eps(ttm)|trailing eps
boll_mid=布林中轨|布林线中轨|boll中轨|布林带中轨|bollinger mid|bollinger middle band
|middle bollinger band
boll_upper=布林上轨|布林线上轨|boll上轨|布林带上轨|bollinger upper|upper bollinger band
|bollinger upper band
boll_lower=布林下轨|布林线下轨|boll下轨|布林带下轨|bollinger lower|lower bollinger band
|bollinger lower band
rsi=rsi(14)|rsi14|rsi (14)|rsi|14日rsi|相对强弱指标|相对强弱指数|14-day rsi
macd_dif=macd dif|dif|macd的dif|macd的dif值|dif值|macd line
macd_dea=macd dea|dea|macd的dea|macd的dea值|dea值|macd signal|macd signal line|signal line
macd_histogram=macd柱|macd柱状图|macd红柱|macd绿柱|macd柱值|macd柱体|柱值|macd histogram|histogram
kdj_k=kdj k|kdj的k值|kdj的k|k值|kdj k value
kdj_j=kdj j|j值|kdj的j值|kdj的j|kdj j value
kdj_d=kdj d|kdj的d值|kdj的d|d值|kdj d value
atr=atr(14)|atr14|atr (14)|atr|平均真实波幅|average true range
trend_strength=趋势强度|trend strength
obv_share=能量潮净增占比|能量潮占比|能量潮|obv占比|obv净增占比|obv share
technical_score=技术评分|技术面评分|技术得分|technical score
position_suggestion=仓位建议|建议仓位|position suggestion|suggested position
stop_loss=止损价|止损位|止损|stop loss|stop-loss
take_profit=止盈价|止盈位|止盈|take profit|take-profit
signal_confidence=信号置信度|置信度|signal confidence|confidence
limit_up=涨停价|涨停价格|upper limit|limit-up price
limit_down=跌停价|跌停价格|lower limit|limit-down price
float_market_cap=流通市值|float market cap|free-float market cap
equity_total=股东权益合计|所有者权益合计|total equity
net_profit_deducted=扣非净利润|扣非净利|扣非归母净利润|扣非后净利润|扣除非经常性损益的净利润
|扣除非经常性损益后的净利润|归母扣非净利润|扣非利润|扣非|net profit excl. one-offs
|net profit excluding one-offs|recurring net profit|core net profit|adjusted net profit
signal_price=异动价|异动价格|price at the signal
signal_change=异动幅度|move of the signal
signal_volume=异动成交量|volume of the signal
signal_amount=异动成交额|turnover of the signal
seal_fund=封板资金|封单资金|封单金额|orders at the limit
limit_streak=连板数|连板|limit-up streak
billboard_net=龙虎榜净买额|龙虎榜净买入额|龙虎榜净买入|billboard net buying
billboard_buy=龙虎榜买入额|龙虎榜买入|billboard buying
billboard_sell=龙虎榜卖出额|龙虎榜卖出|billboard selling
like_count=点赞|点赞数|点赞量|likes
reply_count=回复|回复数|评论数|replies
view_count=阅读|阅读量|阅读数|views
retweet_count=转发|转发数|转发量|reposts
followers_count=粉丝|粉丝数|followers
status_count=发帖|发帖数|posts written
relevance_score=相关度|relevance
"""
# A name that says the direction: what it may stand for, and its sign.
SIGNED_NAMES = (
    (1, "pct_change run_change signal_change", "涨幅|升幅|涨势|单日涨幅|当日涨幅|日涨幅"),
    (1, "run_change", "累计涨幅|区间涨幅|期间涨幅"),
    (-1, "pct_change run_change signal_change", "跌幅|单日跌幅|当日跌幅|日跌幅"),
    (-1, "run_change", "累计跌幅|区间跌幅|期间跌幅"),
    (1, "revenue_yoy", "营收增幅|营业收入增幅|营收涨幅|收入增幅|营收同比增幅"),
    (-1, "revenue_yoy", "营收降幅|营业收入降幅|营收跌幅|收入降幅|营收同比降幅"),
    (1, "net_profit_yoy", "净利润增幅|归母净利润增幅|净利润涨幅|利润增幅|净利润同比增幅"),
    (-1, "net_profit_yoy", "净利润降幅|归母净利润降幅|净利润跌幅|利润降幅|净利润同比降幅"),
    (-1, "net_profit forecast_net_profit", "亏|亏了|亏损|净亏损|亏损额|净亏|亏损金额|巨亏"),
    (-1, "net_profit forecast_net_profit", "net loss|loss|losses|net losses|a loss of"),
    (-1, "worst_session", "最大单日跌幅|近60日最大单日跌幅"),
    (1, "relative_strength", "跑赢大盘|跑赢市场|跑赢"),
    (-1, "relative_strength", "跑输大盘|跑输市场|跑输"),
    (1, "pct_change price_limit", "涨停|涨停板"),
    (-1, "pct_change price_limit", "跌停|跌停板"),
    (1, "net_profit", "盈利|净盈利|盈利额"),
    (-1, "eps", "每股亏损|loss per share"),
    (-1, "main_net_inflow", "主力净流出|主力资金净流出|main net outflow"),
    (-1, "xlarge_net_inflow", "超大单净流出"),
    (-1, "large_net_inflow", "大单净流出"),
    (-1, "medium_net_inflow", "中单净流出"),
    (-1, "small_net_inflow", "小单净流出"),
    (-1, "billboard_net", "龙虎榜净卖额|龙虎榜净卖出"),
)
# Figures nobody here has, and heads of names that make any figure behind them another one.
OTHER = """
加权roe|加权净资产收益率|加权平均净资产收益率|扣非roe|稀释每股收益|摊薄每股收益|diluted eps|
|diluted earnings per share
合理估值|公允估值|目标估值|目标市值|合理市值|估值区间|预期价|支撑位|阻力位|压力位|支撑|阻力|目标价
|一批价|目标价格|目标股价|批价|出厂价|零售价|发行价|配股价|增发价|均价|成本价|定增价|吨价|单价
|指导价|售价|牌价|公允价值|账面价值|内在价值|合理价值|估值中枢
动态市盈率|动态pe|市盈率分位|市净率分位|估值分位|历史分位|分位数|分位|百分位|peg|ev/ebitda|ebitda
|roa|roic|企业价值
营业利润|利润总额|毛利润|毛利|税前利润|息税前利润|经营利润|非经常性损益|少数股东损益|投资收益
|未分配利润|留存收益|母公司净利润|单季净利润|单季营收|单季收入|单季度净利润|单季度营收|营业利润率
|经调整净利润|调整后净利润|经调整利润
现金流|经营现金流|经营性现金流|经营活动现金流|经营活动现金流净额|自由现金流|现金流量|现金流净额
|净现金流|货币资金|现金|现金及等价物|有息负债|流动负债|流动资产|非流动资产|固定资产|无形资产
|短期借款|长期借款|借款|债务|净负债|净负债率|流动比率|速动比率|质押率|担保
存货|存货周转率|存货周转天数|商誉|应收账款|应收|应付账款|合同负债|预收账款|预收款|在建工程
|营业成本|成本|费用|费用率|研发费用|研发费用率|研发投入|研发支出|研发|销售费用|管理费用|财务费用
|税费|税率|所得税|资本开支|资本支出|折旧|减值|减值损失|坏账|不良率|不良贷款率|拨备覆盖率|净息差
|资本充足率|存款|贷款|贷款余额|存款余额|薪酬|人均薪酬|员工|员工人数|员工数|人数
海外营收|海外收入|国内营收|国外营收|主营业务收入|其他业务收入|利息收入|手续费收入|服务收入
|产品收入|合同金额|订单|订单额|订单金额|在手订单|新签订单|产能|产量|销量|出货量|交付量|装机量|吨位
|门店|门店数|用户数|月活|市占率|市场份额|份额|渗透率|占比|占营收|占总|比重|渠道库存|库存|利用率
|产能利用率
分红|派息|派现|现金分红|股息|分红金额|分红总额|派息率|分红比例|股息支付率|回购|回购金额|增持|减持
|定增|募资|募集资金|融资|融资余额|融券余额|北向资金|北向|资金净流入|净流入|净流出|净买入|净卖出
|持股|持股比例|持股数|持仓|股东户数|股东人数|户均持股|评级|上涨空间|上行空间|下行空间|空间|涨停
|跌停板
cci|wr|威廉指标|bias|乖离率|psy|贝塔|beta|夏普比率|波动率|最大回撤|回撤|胜率
|股债利差|无风险利率|国债收益率|收益率|回报率|年化收益|年化|年化收益率|复合增速|复合增长率
|年均复合增长率|年复合增长率|cagr|年均增长|年均增速|复合增长|环比增速|环比增长率
失业率|汇率|人民币汇率|油价|金价|通胀率|出口|进口|贸易顺差|社零|社会消费品零售总额|固定资产投资
|工业增加值|利率|mlf|存款准备金率|降准
target price|price target|fair value|intrinsic value|operating profit|operating income
|operating margin|gross profit|pre-tax profit|pretax profit|ebit|free cash flow
|operating cash flow|cash flow|cash|debt|net debt|capex|capital expenditure|r&d|r&d spending
|research and development|inventory|goodwill|receivables|payables|operating costs|costs|cost
|expenses|expense|upside|downside|market share|order backlog|backlog|orders|shipments|deliveries
|employees|headcount|buyback|buybacks|dividends|dividend|payout ratio|volatility|beta|drawdown
|return on assets|peg ratio|overseas revenue|quarterly revenue|quarterly profit
|quarterly net profit|average price|issue price|offer price|cost of sales|percentile|tax rate
|interest rate|unemployment|exchange rate|win rate
"""
# Beside a name they say another figure of the same thing: how that figure is told.
TURNS = """
yoy=同比|增速|增长率|growth rate|较上年同期|较去年同期|比上年同期|比去年同期|与上年同期相比
|较上年|较去年|比上年|比去年
|较上一年|比上一年|yoy|y/y|year-on-year|year on year|year-over-year|year over year
|from a year earlier|from the previous year|from the year before|on the year
|over the previous year|compared with the previous year|more than the year before
|more than a year earlier|more than the previous year|more than in the year before
mom=quarter on quarter|quarter-over-quarter|month on month|month-over-month|sequentially|环比
|较上月|较上季|较上季度|qoq|q/q|mom|m/m|quarter-on-quarter|month-on-month|quarter over quarter
median=中位数|中位值|中位水平|中值|median
rank=名次|排名|排第|位列|位居|居第|列第|排在第|排名第|名列|rank|ranks|ranked|ranking
count=共|有该项数据|有数据的公司|有数据|with a value|同行有数据的公司|peers with a value|out of
difference=相差|之差|差距|差额|差值|高出|低出|高了|低了|多出|少了|difference|higher by|lower by
|more than that of|gap of
ratio=之比|比值|相当于|前者是后者的|times that of|of the other|times as much|times as high
|ratio to
mean=均量|日均量|平均成交量|日均成交量|the mean of|mean volume|average volume
run=added up to|in all|区间|累计|cumulative|cumulatively|over the run
forecast=预测|预计|预期|有望|一致预期|将达|将达到|料将|或将|forecast|forecasts|expected|consensus
|projected|is likely to|will reach|estimates of
other=平均|平均值|均值|平均水平|行业平均|占|分位|最大值|最小值|峰值|加权|目标|复合|年均|单季
|单季度|average|mean|share of|compound|cagr|annualized|annualised|target
"""

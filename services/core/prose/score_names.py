"""What the figures of scores, patterns and risk are called in prose. Data only.

As prose.figure_names: metric = name|name|…, by the names of market/metrics.py and other ones.
"""

SCORE_NAMES = """
box_height=箱体高度|Box height
candle_doji=十字星|Doji
candle_dragonfly_doji=蜻蜓十字|Dragonfly doji
candle_gravestone_doji=墓碑十字|Gravestone doji
candle_hammer=锤子线|Hammer
candle_hanging_man=上吊线|Hanging man
candle_inverted_hammer=倒锤子线|Inverted hammer
candle_shooting_star=射击之星|Shooting star
candle_engulfing=吞没|Engulfing
candle_harami=孕线|Harami
candle_piercing=刺透|Piercing
candle_dark_cloud_cover=乌云盖顶|Dark cloud cover
candle_morning_star=启明星|Morning star
candle_evening_star=黄昏星|Evening star
candle_three_white_soldiers=红三兵|Three white soldiers
candle_three_black_crows=三只乌鸦|Three black crows
candle_marubozu=光头光脚|Marubozu
earnings_yield=盈利收益率|Earnings yield
pe_ttm_cheaper=市盈率(TTM)比它贵的同行占比|Peers dearer by P/E (TTM)|比它贵的同行占比
|share of peers that are dearer
pe_lyr_cheaper=市盈率(LYR)比它贵的同行占比|Peers dearer by P/E (LYR)|比它贵的同行占比
|share of peers that are dearer
pb_cheaper=市净率(MRQ)比它贵的同行占比|Peers dearer by P/B (MRQ)|比它贵的同行占比
|share of peers that are dearer
pe_ttm_own_cheaper=自身历史中更贵的日子占比|Own days that were dearer
profit_pace=近四季盈利较上年年报|Trailing profit against last year's
pct_change_breadth=同行上涨占比|Peers that rose
ma_60_gap=收盘与 60 日均线之距|偏离60日均线|收盘偏离60日均线|Close against MA(60)
return_60=近60日涨跌幅|Price change over 60 sessions|60日涨跌幅
return_250=近250日涨跌幅|Price change over 250 sessions|250日涨跌幅
relative_strength=相对大盘|Against the market|相对强度|相对强弱|相对大盘强弱
|Strength against the market
|relative strength
volatility_60=年化波动率|Annualised volatility|Annualized volatility|volatility
|60-session volatility
|波动率|60日年化波动率|60日波动率|近60日波动率|近60日年化波动率
drawdown_250=最大回撤|Largest drawdown|250日最大回撤|近250日最大回撤|回撤|maximum drawdown
|max drawdown|drawdown
sharp_falls=近60日大跌日数|Sharp falls in 60 sessions|大跌日数
worst_session=近60日最差单日|Worst of 60 sessions|最差单日|worst session
amount_20=日均成交额|Mean daily turnover|20日日均成交额
negative_share=负面标题占比|Negative titles
counted_texts=有判断的标题数|Titles judged
positive_texts=正面标题数|Positive titles
negative_texts=负面标题数|Negative titles
earnings_yield_grade=盈利收益率（市盈率的倒数）得分|Grade of earnings yield (the inverse of P/E)
pe_peers_grade=市盈率在同行中的位置得分|Grade of P/E beside its peers
pb_peers_grade=市净率在同行中的位置得分|Grade of P/B beside its peers
own_history_grade=市盈率在自身历史中的位置得分|Grade of P/E beside its own history
dividend_grade=股息率得分|Grade of dividend yield
roe_grade=净资产收益率得分|Grade of ROE
margin_grade=净利率得分|Grade of net margin
debt_grade=资产负债率得分|Grade of debt to assets
sales_growth_grade=营收同比得分|Grade of revenue growth
profit_growth_grade=净利润同比得分|Grade of net profit growth
profit_pace_grade=近四季盈利较上年年报的变化得分
|Grade of trailing profit against the last annual report
quarter_grade=近一季股价变动得分|Grade of price change over a quarter
year_grade=近一年股价变动得分|Grade of price change over a year
above_mean_grade=收盘相对季线的位置得分|Grade of close against its quarterly mean
against_index_grade=相对大盘的强弱得分|Grade of strength against the market
volatility_grade=波动率得分|Grade of volatility
drawdown_grade=最大回撤得分|Grade of largest drawdown
sharp_falls_grade=近一季大跌的交易日数得分|Grade of sessions of a sharp fall within a quarter
worst_session_grade=近一季最差单日得分|Grade of worst session within a quarter
tone_grade=新闻与公告中的负面占比得分|Grade of share of negative news and notices
suspension_grade=最近一次停牌得分|Grade of the latest suspension
traded_grade=日均成交额得分|Grade of mean daily turnover
size_grade=总市值得分|Grade of market value
valuation_score=估值得分|Valuation score|估值评分
valuation_coverage=估值数据覆盖度|Valuation coverage
quality_score=盈利质量得分|Quality score|质量得分|质量评分|quality score
quality_coverage=盈利质量数据覆盖度|Quality coverage
growth_score=成长得分|Growth score|成长评分|growth score
growth_coverage=成长数据覆盖度|Growth coverage
momentum_score=动量与趋势得分|Momentum and trend score|动量得分|momentum score
momentum_coverage=动量与趋势数据覆盖度|Momentum and trend coverage
risk_score=波动与回撤得分|Volatility and drawdown score|风险得分|risk score
risk_coverage=波动与回撤数据覆盖度|Volatility and drawdown coverage
events_score=事件风险得分|Event risk score|事件得分
events_coverage=事件风险数据覆盖度|Event risk coverage
liquidity_score=流动性得分|Liquidity score|流动性评分|liquidity score
liquidity_coverage=流动性数据覆盖度|Liquidity coverage
hold_score=持有评分|推荐持有评分|Hold score|综合评分|评分|总分|hold score
score_coverage=评分数据覆盖度|Coverage of the score|数据覆盖度|覆盖度
"""

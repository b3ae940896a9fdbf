"""The words analysts use for figures, report periods and days. Written from practice."""

import random
from collections.abc import Mapping
from datetime import date

from services.core.claims import Claim

ZH: Mapping[str, tuple[str, ...]] = {
    "pe_ttm": ("市盈率(TTM)", "市盈率（TTM）", "滚动市盈率", "PE(TTM)", "PE TTM", "市盈率TTM"),
    "pe_lyr": ("市盈率(LYR)", "静态市盈率", "PE(LYR)", "市盈率（LYR）"),
    "pb": ("市净率", "PB", "市净率(MRQ)", "PB(MRQ)", "市净率PB"),
    "ps_ttm": ("市销率", "市销率(TTM)", "PS(TTM)", "PS"),
    "market_cap": ("总市值", "市值", "公司总市值"),
    "total_shares": ("总股本",),
    "float_shares": ("流通股", "流通股本"),
    "bps": ("每股净资产", "BPS"),
    "dy_l": ("股息率",),
    "revenue": ("营业收入", "营收", "收入"),
    "net_profit": ("净利润", "归母净利润", "归属于母公司股东的净利润", "归母净利"),
    "total_assets": ("总资产", "资产总额"),
    "total_liabilities": ("总负债", "负债总额"),
    "equity": ("归母净资产", "归属于母公司股东的净资产", "归母权益"),
    "eps": ("每股收益", "EPS", "基本每股收益"),
    "dps": ("每股股利", "每股分红", "每股派息"),
    "roe": ("ROE", "净资产收益率", "净资产收益率(ROE)"),
    "net_margin": ("净利率", "销售净利率"),
    "debt_to_assets": ("资产负债率", "负债率"),
    "revenue_yoy": ("营收同比", "营业收入同比", "营收增速", "收入同比增速"),
    "net_profit_yoy": ("净利润同比", "归母净利润同比", "净利润增速", "净利润同比增速"),
    "close": ("最近收盘", "最近收盘价", "收盘价", "收盘"),
    "open": ("开盘价", "开盘"),
    "high": ("最高价", "最高"),
    "low": ("最低价", "最低"),
    "volume": ("成交量",),
    "pct_change": ("涨跌幅",),
    "ma_5": ("MA5", "5日均线", "五日均线"),
    "ma_10": ("MA10", "10日均线"),
    "ma_20": ("MA20", "20日均线", "20 日均线"),
    "ma_60": ("MA60", "60日均线"),
    "high_20": ("20日最高", "20日高点", "近20日最高价"),
    "low_20": ("20日最低", "20日低点", "近20日最低价"),
    "high_60": ("60日最高", "60日高点"),
    "low_60": ("60日最低", "60日低点"),
    "boll_upper": ("布林上轨", "BOLL上轨", "布林带上轨"),
    "boll_mid": ("布林中轨", "BOLL中轨"),
    "boll_lower": ("布林下轨", "BOLL下轨", "布林带下轨"),
    "rsi": ("RSI(14)", "RSI", "RSI（14）", "14日RSI"),
    "kdj_k": ("KDJ的K值", "K值"),
    "kdj_d": ("KDJ的D值", "D值"),
    "macd_dif": ("DIF", "MACD DIF"),
    "macd_dea": ("DEA", "MACD DEA"),
    "macd_histogram": ("MACD柱", "MACD 柱"),
    "atr": ("ATR(14)", "ATR", "平均真实波幅"),
    "technical_score": ("技术评分", "技术面评分"),
    "stop_loss": ("止损价", "止损位"),
    "take_profit": ("止盈价", "止盈位"),
    "volume_multiple": ("量比(20日)", "量比"),
    "return_z": ("收益偏离",),
}
EN: Mapping[str, tuple[str, ...]] = {
    "pe_ttm": ("P/E (TTM)", "trailing P/E", "trailing price-to-earnings ratio", "TTM P/E"),
    "pe_lyr": ("P/E (LYR)", "static P/E", "P/E on last year's earnings"),
    "pb": ("P/B", "price-to-book ratio", "P/B (MRQ)", "price-to-book"),
    "ps_ttm": ("P/S (TTM)", "price-to-sales ratio", "P/S"),
    "market_cap": ("market cap", "market capitalisation", "market value"),
    "revenue": ("revenue", "total sales", "revenues"),
    "net_profit": ("net profit", "net income", "attributable net profit"),
    "total_assets": ("total assets",),
    "total_liabilities": ("total liabilities",),
    "equity": ("shareholders' equity", "equity"),
    "eps": ("EPS", "earnings per share", "basic EPS"),
    "roe": ("ROE", "return on equity"),
    "net_margin": ("net margin", "net profit margin"),
    "debt_to_assets": ("debt-to-assets ratio", "debt to assets"),
    "revenue_yoy": ("revenue growth", "year-on-year revenue growth"),
    "net_profit_yoy": ("net profit growth", "year-on-year profit growth"),
    "close": ("last close", "closing price", "close"),
    "open": ("open", "opening price"),
    "high": ("high",),
    "low": ("low",),
    "volume": ("volume", "trading volume"),
    "ma_5": ("MA5", "5-day moving average"),
    "ma_20": ("MA20", "20-day moving average", "MA(20)"),
    "ma_60": ("MA60", "60-day moving average"),
    "rsi": ("RSI(14)", "14-day RSI", "RSI"),
    "kdj_k": ("KDJ K",),
    "boll_upper": ("upper Bollinger band",),
    "boll_lower": ("lower Bollinger band",),
    "atr": ("ATR(14)",),
    "technical_score": ("technical score",),
    "stop_loss": ("stop loss",),
    "take_profit": ("take profit",),
}
BARE = {"zh": {"pe_ttm": ("市盈率", "PE")}, "en": {"pe_ttm": ("P/E", "price-to-earnings ratio")}}
UP = {"zh": ("增长", "同比增长", "上升"), "en": ("rose", "grew", "increased")}
DOWN = {"zh": ("下降", "同比下降", "下滑"), "en": ("fell", "declined", "decreased")}
WENT_UP, WENT_DOWN = ("上涨", "涨"), ("下跌", "跌")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def metric_words(metric: str, language: str) -> tuple[str, ...]:
    return (ZH if language == "zh" else EN)[metric]


def day_words(day: date, language: str) -> tuple[str, ...]:
    """Spellings of a full date."""
    if language == "en":
        month = _MONTHS[day.month - 1]
        return (
            day.isoformat(),
            f"{day.day} {month} {day.year}",
            f"{month} {day.day}, {day.year}",
            f"{month[:3]} {day.day}, {day.year}",
        )
    return (
        f"{day.year}年{day.month}月{day.day}日",
        day.isoformat(),
        f"{day.year}/{day.month:02}/{day.day:02}",
        f"{day.year}.{day.month:02}.{day.day:02}",
        f"{day.year} 年 {day.month} 月 {day.day} 日",
    )


def period_words(claim: Claim, language: str) -> tuple[str, ...]:
    """Spellings of an annual report period, as flows or as a balance at its end."""
    year = (claim.period or "")[:4]
    if language == "en":
        return (f"FY{year}", f"fiscal {year}", f"fiscal year {year}", year)
    if claim.metric in {"total_assets", "total_liabilities", "equity", "debt_to_assets", "bps"}:
        ends = (f"{year}年末", f"截至{year}年底", f"{year}年末")
        return (*ends, f"{year}年报") if claim.as_of.month == 12 else (f"{year}财年末",)
    if claim.as_of.month != 12:
        return (f"{year}财年", f"FY{year}", f"{year}财年")
    return (f"{year}年", f"{year}年报", f"FY{year}", f"{year}年度", f"{year}财年", f"{year}全年")


def pick(rng: random.Random, words: tuple[str, ...]) -> str:
    """One of them, the first twice as likely."""
    return rng.choice((words[0], *words))

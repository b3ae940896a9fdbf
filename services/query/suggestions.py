"""What may be asked next, each a text to be asked as it is."""

from services.core.rendering import Language
from services.query.nlir import Nlir, Node

_METRICS = (("净利润", "net profit"), ("营业收入", "revenue"), ("净资产收益率", "ROE"))
_MOST = 3


def suggestions(nlir: Nlir, language: Language) -> tuple[str, ...]:
    """Up to three follow-ups of the first node."""
    node = nlir.nodes[0]
    company = str(node.arg("entity") or "")
    if node.action == "screen":
        found = _of_screen(node, language)
    elif node.action == "query":
        found = _of_query(node, company, language)
    elif company:
        zh = [f"{company}的市盈率", f"{company}的最新价", f"{company}同行对比"]
        en = [f"{company} PE", f"{company} price", f"{company} peers"]
        found = zh if language == "zh" else en
    else:
        found = []
    return tuple(found[:_MOST])


def _of_screen(node: Node, language: Language) -> list[str]:
    if language == "en":
        return ["sort by net profit", "top 5 only"]
    found = ["按净利润排", "只要前5"]
    return [*found, "再加上股息率大于3%"] if node.arg("dy_l") is None else found


def _of_query(node: Node, company: str, language: Language) -> list[str]:
    asked = {slot.name for slot in node.outputs}
    other = next(pair for pair in _METRICS if pair[0] not in asked or pair is _METRICS[-1])
    if language == "en":
        return [f"{company} {other[1]}", f"{company} peers"]
    return [f"{other[0]}呢", "最近三年呢", f"{company}同行对比"]

"""Why a model wrote nothing, in plain words, never those of an endpoint."""

from collections.abc import Mapping

from services.core.errors import ProviderError, Unfinished, UnfinishedError
from services.core.text import Text

_WHY: Mapping[str, Text] = {
    "UnavailableError": Text("没有按时答复", "gave no answer in time"),
    "RateLimitError": Text("限流", "asks us to slow down"),
    "DeniedError": Text("拒绝访问，请检查密钥与余额", "denies access: check key and balance"),
    "RequestRefusedError": Text("不接受这种问法", "does not take how it is asked"),
    "ChangedError": Text("返回的不是对话格式", "answered in an unknown format"),
}
_UNFINISHED: Mapping[Unfinished, Text] = {
    "cut": Text("回答中途断开", "broke off in mid-answer"),
    "length": Text("回答超过长度上限，未写完", "ran out of length before the end"),
    "content_filter": Text("被服务方的内容过滤中止", "was stopped by a filter of its endpoint"),
    "too_long": Text("写个不停，已中止", "went on and on and was given up"),
}
_UNKNOWN = Text("没有答复", "did not answer")


def why_no_answer(error: ProviderError) -> Text:
    """The reason, by the class of what went wrong."""
    if isinstance(error, UnfinishedError):
        why = _UNFINISHED[error.why]
    else:
        why = _WHY.get(type(error).__name__, _UNKNOWN)
    return Text(f"模型{why.zh}", f"the model {why.en}")

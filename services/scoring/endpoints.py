"""Which model plays which agent of a score, and the client that asks it.

A request carries our key and nothing else of this machine; a client belongs to one run, since it
cannot be used in a second event loop.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from services.providers.http import host_of
from services.scoring.exchange import (
    CHECKER_AGENT,
    NEWS_AGENT,
    ROLES,
    SCORE_AGENT,
    SECTOR_AGENT,
    Role,
)
from services.settings import Settings

if TYPE_CHECKING:
    import openai

# The models of seed 003 §2, where the settings name none.
DEFAULT_SCORE_MODEL, DEFAULT_REVIEW_MODEL = "qwen-max", "deepseek-chat"
# One more try of what may pass: with the pause the endpoint asks for, never after an answer began.
_RETRIES = 1
_CONNECT_S = 8.0
_LLM = "LLM_BASE_URL, LLM_MODEL"


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The model that plays a role; `variables` are the settings to look at when it fails.

    `search` asks DashScope to look things up itself. `key` may be empty, and is never shown.
    """

    role: Role
    base_url: str
    model: str
    variables: str
    key: str = field(default="", repr=False)
    search: bool = False

    @property
    def host(self) -> str:
        """The host alone."""
        return host_of(self.base_url)


def role_models(settings: Settings) -> dict[Role, RoleModel]:
    """The models that are configured. A role without one is played by its rule agent."""
    found: dict[Role, RoleModel] = {}
    for role in ROLES:
        made = _own(settings, role) or _any(settings, role)
        if made is not None:
            found[role] = made
    return found


def step1_models(settings: Settings) -> dict[Role, RoleModel]:
    """The models of Step 1's roles: only where one is named, at DashScope or else at the endpoint
    of LLM_BASE_URL.
    """
    named: dict[Role, tuple[str, str]] = {
        NEWS_AGENT: (settings.model_news, "MODEL_NEWS"),
        SECTOR_AGENT: (settings.model_news, "MODEL_NEWS"),
        CHECKER_AGENT: (settings.model_checker, "MODEL_CHECKER"),
    }
    key, base, variables = settings.secret("DASHSCOPE_API_KEY"), settings.dashscope_base_url, ""
    if key:
        variables = "DASHSCOPE_API_KEY, DASHSCOPE_BASE_URL"
    elif settings.llm_base_url:
        key, base, variables = settings.secret("LLM_API_KEY"), settings.llm_base_url, "LLM_BASE_URL"
    return {
        role: RoleModel(role, base, model, f"{variables}, {variable}", key)
        for role, (model, variable) in named.items()
        if model and variables
    }


def _own(settings: Settings, role: Role) -> RoleModel | None:
    """DashScope for the score, DeepSeek for the review, once they have their key."""
    if role == SCORE_AGENT:
        if key := settings.secret("DASHSCOPE_API_KEY"):
            return RoleModel(
                role,
                settings.dashscope_base_url,
                settings.model_score_agent or DEFAULT_SCORE_MODEL,
                "DASHSCOPE_API_KEY, DASHSCOPE_BASE_URL, MODEL_SCORE_AGENT",
                key,
                search=settings.score_search,
            )
    elif key := settings.secret("DEEPSEEK_API_KEY"):
        return RoleModel(
            role,
            settings.deepseek_base_url,
            settings.model_review_agent or DEFAULT_REVIEW_MODEL,
            "DEEPSEEK_API_KEY, DEEPSEEK_BASE_URL, MODEL_REVIEW_AGENT",
            key,
        )
    return None


def _any(settings: Settings, role: Role) -> RoleModel | None:
    """The endpoint of LLM_BASE_URL, by the role's own model if one is named."""
    is_score = role == SCORE_AGENT
    named = settings.model_score_agent if is_score else settings.model_review_agent
    model = named or settings.llm_model
    if not (settings.llm_base_url and model):
        return None
    variable = "MODEL_SCORE_AGENT" if is_score else "MODEL_REVIEW_AGENT"
    key = settings.secret("LLM_API_KEY")
    return RoleModel(role, settings.llm_base_url, model, f"{_LLM}, {variable}", key)


def client_of(
    model: RoleModel, timeout_s: float, came_whole: Callable[[], object] = lambda: None
) -> "openai.AsyncOpenAI":
    """A client for that endpoint, for one run; `came_whole` is called when it answers in one piece,
    which the framework would take for an answer of pieces without any.
    """
    import httpx2  # both take a second to import: only those who have a model pay it
    import openai

    from services.jobs.streams import write_headers

    async def prepared(request: httpx2.Request) -> None:
        write_headers(request, model.key)

    async def looked_at(response: httpx2.Response) -> None:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().casefold()
        if response.is_success and kind == "application/json":
            came_whole()

    return openai.AsyncOpenAI(
        # Its own key is never sent: the hook sets ours, so that one in OPENAI_… stays here.
        api_key="unused",
        base_url=model.base_url,
        max_retries=_RETRIES,
        timeout=httpx2.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
        http_client=httpx2.AsyncClient(
            event_hooks={"request": [prepared], "response": [looked_at]},
            follow_redirects=False,
            trust_env=True,
        ),
    )


Missing = Literal["DASHSCOPE_API_KEY", "DEEPSEEK_API_KEY"]


def key_of(role: Role) -> Missing:
    """The variable that gives a role its usual model."""
    return "DASHSCOPE_API_KEY" if role == SCORE_AGENT else "DEEPSEEK_API_KEY"

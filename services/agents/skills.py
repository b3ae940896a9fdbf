"""What an analysis can do: the skills, under their ids and aliases. One entry adds one."""

from collections.abc import Mapping

from services.agents.results import Mode
from services.core.errors import InputError
from services.core.record import Record
from services.core.text import Text
from services.tools.registry import TOOLS


class Skill(Record):
    """An ability: its names, the mode it serves, and the tools it may use (wire names)."""

    skill_id: str
    alias: str
    zh: str
    en: str
    mode: Mode
    tools: tuple[str, ...]

    def title_of(self, name: Text) -> Text:
        """What its report is called: 招商银行 个股深度分析, BYD: in-depth analysis; of nobody by
        name it is called as the skill.
        """
        en = f"{name.en}: {self.en.lower()}" if name.en else self.en
        return Text(f"{name.zh} {self.zh}".strip(), en)


SKILLS: Mapping[str, Skill] = {
    skill.skill_id: skill
    for skill in (
        Skill(
            skill_id="stock_analysis",
            alias="stock",
            zh="个股深度分析",
            en="In-depth analysis",
            mode="stock",
            tools=tuple(TOOLS),
        ),
        Skill(
            skill_id="market_overview",
            alias="market",
            zh="市场总览",
            en="Market overview",
            mode="market",
            tools=("search_news", "get_macro_data"),
        ),
    )
}


class AgentSkillRegistry:
    """Finds the skill that is meant."""

    def __init__(self, default: str, skills: Mapping[str, Skill] = SKILLS) -> None:
        """`default` is the id or alias used when neither id nor mode is given.

        Raises: InputError when there is no such skill.
        """
        self._skills = skills
        self._default = self._find_skill(default)

    def find(self, skill_id: str | None = None, mode: Mode | None = None) -> Skill:
        """By id or alias; else the first that serves `mode`; else the default.

        Raises: InputError listing the skills.
        """
        if skill_id is not None:
            return self._find_skill(skill_id)
        if mode is None or self._default.mode == mode:
            return self._default
        return next(skill for skill in self._skills.values() if skill.mode == mode)

    def _find_skill(self, name: str) -> Skill:
        for skill in self._skills.values():
            if name in {skill.skill_id, skill.alias}:
                return skill
        known = [f"{skill.skill_id} ({skill.alias})" for skill in self._skills.values()]
        raise InputError("skill_id", name, "one of " + " | ".join(known), choices=known)

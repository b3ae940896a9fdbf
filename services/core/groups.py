"""Several companies that one word names (四大行), read once from `data/catalogue/groups.toml`."""

from collections.abc import Mapping
from pathlib import Path

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
from services.core.symbols import Symbol
from services.core.text import Text


class CompanyGroup(Record):
    """One group: its members as symbols, in the order they are told, and who tells it so."""

    zh: str
    en: str
    says_zh: tuple[str, ...]
    says_en: tuple[str, ...]
    members: tuple[str, ...]
    reference: str
    # What of an industry the mainland's source does not split is answered for by this list.
    part_of_industry: str = ""

    @property
    def label(self) -> Text:
        """Its name in both languages."""
        return Text(self.zh, self.en)

    @property
    def called(self) -> tuple[str, ...]:
        """Everything it is called, its name first."""
        return (self.zh, *self.says_zh, *self.says_en)


def read_groups(
    path: Path = DATA_FOLDER / "catalogue" / "groups.toml",
) -> Mapping[str, CompanyGroup]:
    """The groups of that file by name. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    found: dict[str, CompanyGroup] = {}
    for zh, table in file.tables.items():
        header = f'["{zh}"]'
        group = file.record(CompanyGroup, {"zh": zh, **table}, header)
        for member in group.members:
            if Symbol.parse(member).value != member:
                raise file.fault(header, f"members: {member} is no symbol", "members", member)
        if len(set(group.members)) != len(group.members) or len(group.members) < 2:
            raise file.fault(header, "members: two or more, each once", "members")
        found[zh] = group
    return found


GROUPS = read_groups()
# By the part of an industry that the mainland's source does not split: 白酒, 券商.
LISTED_PARTS: Mapping[str, CompanyGroup] = {
    group.part_of_industry: group for group in GROUPS.values() if group.part_of_industry
}

"""What is due by schedule, done beside the pages by the process that has the store."""

from services.jobs.ticking import begin_ticking
from services.settings import Settings


def begin(settings: Settings) -> None:
    """Begin to look for it; with PostgreSQL that is the workers' to do."""
    if settings.records_url is None and settings.schedule_minutes:
        begin_ticking(_do, 60 * settings.schedule_minutes)


def _do() -> None:
    # Reports are heavy to import: when there may be some, not at the start.
    from pages.ui import resources
    from services.workbench.due import do_due

    do_due(resources.shared())

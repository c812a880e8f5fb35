"""Why there is no figure, and what keeps one from being that of a whole day, in words."""

from apps.catalog.experience import EXPERIENCE
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, is_metric, metrics_of
from apps.charts import figures
from apps.inventory.models import Target
from apps.snapshots.coverage_facts import CoverageFacts

DERIVED = "derived"  # the source of what is computed from several
OTHER_INSTANCE = "another instance answered than at the reading before, so there is no difference"
NOTHING_COUNTED = "none were counted, so there is no average"
ONLY_ONE_READING = "there is only one reading so far, or this release does not have it"


def why_no_data(target: Target, metric: Metric, cover: CoverageFacts | None) -> str:
    """Why a target has no figure of a metric on a day, in words."""
    if metric.category == EXPERIENCE:
        return "nobody gave it for this day"
    if cover is None:
        return f"{target.name} was not read"
    if failed := failed_categories(metric, cover):
        return why_not_read(target, failed[0], cover)
    about = cover.categories.get(str(metric.category))
    if about is None or "missing" in about:
        return f"{metric.source} was not read for this day"
    if origin := about.get("from"):
        return f"{origin} does not have it"
    if not metric.is_over_time:
        return f"{metric.source} did not give it"
    return OTHER_INSTANCE if about.get("other_instance") else ONLY_ONE_READING


def failed_categories(metric: Metric, cover: CoverageFacts | None) -> list[int]:
    """The categories that a metric is made of and whose sources failed on a day."""
    if cover is None:
        return []
    keys = [metric.key, *metric.ingredients]
    categories = dict.fromkeys(get_metric(key).category for key in keys if is_metric(key))
    return [category for category in categories if cover.missing(category)]


def why_not_read(target: Target, category: int, cover: CoverageFacts) -> str:
    """That the source of a category failed on a day, and why."""
    sources = (metric.source for metric in metrics_of(target.platform) if metric.category == category)
    source = next((source for source in sources if source != DERIVED), "a source")
    return f"{source} was not read for {figures.short_day(cover.day)}. {cover.missing(category)}".rstrip()


def notes_of(metric: Metric, cover: CoverageFacts) -> list[str]:
    """What keeps the figures of a day from being those of a whole day, in words."""
    notes = []
    without = cover.without(metric.category)
    if without:
        notes.append(f"measured without {' and '.join(without)}")
    if cover.is_at_most(metric.category):
        notes.append(f"a bound, from {cover.source_of(metric.category)}")
    if metric.is_over_time:
        notes += filter(None, [cover.length_of(metric.category)])
    return notes

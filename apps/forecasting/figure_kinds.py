"""The kinds of figures that promises are summed up by, and what those of each kind came to."""

from collections.abc import Mapping
from functools import cached_property

from apps.catalog.metric import base_of
from apps.catalog.registry import get_metric, is_metric
from apps.forecasting.promise import KindRecord

OTHER = "Other"


def kind_of_account(metric: str) -> str:
    """The kind of a figure: the section of profiles in which its statistic stands."""
    key = base_of(metric)
    return (get_metric(key).section.title if is_metric(key) else "") or OTHER


class KindRecords:
    """What promises of each kind came to, by the key of a statistic; one query, once something is asked."""

    def __init__(self, *, is_demo: bool) -> None:
        self.is_demo = is_demo

    def __getitem__(self, metric: str) -> KindRecord | None:
        return self.by_kind.get(kind_of_account(metric))

    @cached_property
    def by_kind(self) -> Mapping[str, KindRecord]:
        return {record.kind: record for record in KindRecord.objects.filter(is_demo=self.is_demo)}

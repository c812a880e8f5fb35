"""An installation in which nobody registered anything yet: the way to the first instance, and this machine meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.urls import reverse

from apps.charts import figures
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.outlook.profile import read_profile_outlook
from apps.platforms.registration import Registration, all_registrations, find_this_machine
from apps.thresholds.judge import JudgedRow
from apps.thresholds.limits import limit_text
from apps.web.cells import link, state
from apps.web.sentences import Part
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

MOST = 8  # figures of this machine
SENTENCE = [
    Part("No target has been registered yet.", True),
    Part(" Three steps, about four minutes, show what runs out first."),
]


def is_first_run(targets: Iterable[Target]) -> bool:
    """Whether the estate has nothing but the machine that Headroom runs on; `targets` are some of it, read already."""
    machine = find_this_machine()
    if any(machine is None or target.address or target.collector != machine.collector for target in targets):
        return False
    return not Target.objects.in_estate().exclude(_is_this_machine()).exists()


def _is_this_machine() -> Q:
    machine = find_this_machine()
    return Q(collector=machine.collector, address={}) if machine is not None else Q(pk__in=[])


def this_machine() -> QuerySet[Target]:
    return Target.objects.in_estate().filter(_is_this_machine())


def first_registration() -> Registration | None:
    """What most people register first: the technology that needs an account made for it."""
    registrations = all_registrations()
    return next((registration for registration in registrations if registration.scripts), None) or next(
        iter(registrations), None
    )


@dataclass(frozen=True)
class MachineFigure:
    """One figure of this machine as it was last read."""

    target: Target
    row: JudgedRow

    @property
    def name(self) -> str:
        return self.row.row.metric.called(self.row.row.component)

    @property
    def url(self) -> str:
        address = reverse("statistic", args=[self.target.pk, self.row.row.metric.key])
        return f"{address}?component={self.row.row.component}" if self.row.row.component else address

    @property
    def limit(self) -> str:
        threshold = self.row.threshold
        return "" if threshold is None else limit_text(threshold, self.row.row.unit)


MACHINE: Table[MachineFigure] = Table(
    "this-machine",
    "Figures of the machine that Headroom runs on",
    (
        RowHead("statistic", lambda row: row.name, lambda row: link(row.url, row.name)),
        FigureColumn(
            "so far today",
            lambda row: row.row.row.today.value,
            lambda row: figures.figure(row.row.row.today.value),
            css="strong",
        ),
        Column("unit", lambda row: row.row.row.unit, css="sub"),
        FigureColumn("limit", lambda row: row.limit, lambda row: row.limit or "none"),
        Column("state", lambda row: str(row.row.state or ""), lambda row: state(row.row.state), css="nowrap"),
    ),
    title="This machine",
    opens_rows=True,
)


def machine_table(machine: Target | None, now: datetime) -> FilledTable[MachineFigure]:
    """What was measured of this machine today; no rows before its second reading."""
    today = today_of(machine, now) if machine is not None else None
    if machine is None or today is None:
        return MACHINE.fill()
    rows = read_profile_outlook(machine, today.day, now).judged.rows
    measured = [MachineFigure(machine, row) for row in rows if row.row.today.value is not None]
    return MACHINE.fill(measured[:MOST])

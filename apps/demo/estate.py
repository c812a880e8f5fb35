"""The estate: its members, its people, and the limits that hold for more than one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.demo.cast.customers import CRMPRD1, DBX_CRM01
from apps.demo.cast.finance import DBX_ERP01, ERPPRD
from apps.demo.cast.mart import DBX_DW01, MARTPRD
from apps.demo.cast.payments import DBX_PAY01, PAYPRD
from apps.demo.cast.people import CASTELLANOS, LINDQVIST, OKAFOR, PEOPLE
from apps.demo.cast.shared import BILPRD, DBX_SHR01, GISPRD, HRPRD, LOGPRD
from apps.demo.cast.warehouse import DWPRD
from apps.demo.parts import DemoHost, DemoInstance, DemoLimit, DemoMember, Trouble

__all__ = [
    "EVERYBODY", "HOSTS", "INSTANCES", "KNOWN_PEAKS", "OUTAGE", "PEOPLE", "SHARED_LIMITS", "KnownPeak", "SharedLimit",
    "find_member",
]  # fmt: skip

HOSTS: tuple[DemoHost, ...] = (DBX_DW01, DBX_CRM01, DBX_PAY01, DBX_ERP01, DBX_SHR01)
INSTANCES: tuple[DemoInstance, ...] = (DWPRD, MARTPRD, CRMPRD1, PAYPRD, ERPPRD, BILPRD, HRPRD, GISPRD, LOGPRD)
EVERYBODY: Sequence[DemoMember] = (*HOSTS, *INSTANCES)

OUTAGE = Trouble(
    first_age=-46,
    last_age=-45,
    sentence="Not reached: the network between Headroom and the data centre was down.",
)


@dataclass(frozen=True)
class SharedLimit:
    """A limit of a group; without one a template for everything that has the statistic."""

    limit: DemoLimit
    group: str


SHARED_LIMITS = (
    SharedLimit(
        DemoLimit(
            metric="redo_size",
            notation="<=80 GB/day",
            owner=CASTELLANOS,
            plan="Ask the load team what was written twice.",
        ),
        "Warehouse",
    ),
    SharedLimit(
        DemoLimit(
            metric="host_fs_used_pct",
            notation="<90",
            owner=CASTELLANOS,
            lead_time=14,
            plan="Extend the volume.",
        ),
        "Shared",
    ),
)


@dataclass(frozen=True)
class KnownPeak:
    """Days of a group that say nothing about comfort: in the notation of calendars, or by their age on the last day."""

    name: str
    group: str
    by: str
    days: str = ""
    ages: tuple[int, ...] = ()

    def days_until(self, last_day: date) -> str:
        dates = (last_day + timedelta(days=age) for age in self.ages)
        return self.days or "\n".join(day.isoformat() for day in dates)


KNOWN_PEAKS = (
    KnownPeak("month-end close", "ERP", OKAFOR, days="last 3 days of the month"),
    KnownPeak("full load", "Warehouse", LINDQVIST, ages=(-31, -7)),
)

_BY_NAME = {member.name: member for member in EVERYBODY}


def find_member(name: str) -> DemoMember:
    """The member of this name. Raises KeyError."""
    return _BY_NAME[name]

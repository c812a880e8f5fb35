"""Every page that shows rows asks the database as much of a large estate as of a small one."""

from collections.abc import Callable
from datetime import date, timedelta
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from apps.catalog.details import details_of
from apps.forecasting.models import Driver, PlannedChange, Scenario
from apps.inventory.models import Group, Target
from apps.notices.models import RecipientList, Subscriber
from apps.people.models import User
from apps.profiles.models import Note
from apps.thresholds.calendars import Calendar
from apps.thresholds.models import Violation
from apps.web.pages.estate.risks import TOGETHER
from apps.web.tests.test_queries import NOW, TODAY, days, queries_of, tell  # noqa: F401

pytestmark = pytest.mark.django_db

OF_ALL = (
    "estate", "risks", "targets", "violations", "thresholds", "packs", "calendars", "notes", "collection", "what_if",
    "plan_templates", "notices", "people", "reads", "compare", "patterns", "calculators",
    "forecast_account", "findings", "rules", "studies", "benchmarks", "drivers", "figure_files",
)  # fmt: skip
OF_A_TARGET = (
    "target", "target_violations", "target_collection", "target_all", "target_forecast", "target_compare",
    "target_pattern", "target_findings", "target_walk", "target_baseline", "target_experience", "target_edit", "target_files", "target_history",
)  # fmt: skip
OF_A_STATISTIC = (
    "statistic",
    "statistic_glance",
    "statistic_record",
    "statistic_related",
    "statistic_patterns",
    "statistic_forecast",
)


def addresses(target: Target, other: Target) -> dict[str, str]:
    """Each page of a target that has a neighbour, and those of the estate."""
    pk = [target.pk]
    pages = {name: reverse(name) for name in OF_ALL} | {name: reverse(name, args=pk) for name in OF_A_TARGET}
    about = {"component": "TS00", "days": "30"}
    for name in OF_A_STATISTIC:
        pages[name] = f"{reverse(name, args=[*pk, 'x_used'])}?{urlencode(about)}"
    pair = about | {"target": other.pk, "with": "x_used", "of": "TS00"}
    pages["statistic_pair"] = f"{reverse('statistic_pair', args=[*pk, 'x_used'])}?{urlencode(pair)}"
    pages["two targets"] = f"{pages['target_compare']}?other={other.pk}"
    pages["a table as a file"] = f"{pages['target_compare']}?format=csv&table=compared"
    pages["a calculator"] = f"{reverse('calculator', args=['huge-pages'])}?target={target.pk}"
    pages["a rule"] = reverse("rule", args=["HP_MISSING"])
    pages["find"] = f"{reverse('find')}?q=TS"
    pages["a violation"] = Violation.objects.filter(target=target).first().get_absolute_url()  # type: ignore[union-attr]
    for report in details_of(target.platform):
        pages[f"report {report.key}"] = reverse("target_report", args=[*pk, report.key])
    return pages


def fill(name: str, components: int, limits: int) -> Target:
    """A target in a group of its own, with people, notes, calendars, scenarios and lists of recipients."""
    target = tell(name, components, limits)
    owner = User.objects.create(username=f"owner of {name}")
    group = Group.objects.create(name=f"group of {name}")
    Target.objects.filter(pk=target.pk).update(group=group, owner=owner, environment=name)
    Note.objects.create(
        target=target, first_day=TODAY, last_day=TODAY, text="month end", written_at=NOW, written_by=owner
    )
    Calendar.objects.create(
        name=name, kind="peak", days="last 3 days of the month", group=group, set_at=NOW, set_by=owner
    )
    Driver.objects.create(name=f"orders of {name}", group=group, set_at=NOW, set_by=owner)
    scenario = Scenario.objects.create(name=name, created_at=NOW, created_by=owner)
    PlannedChange.objects.create(
        scenario=scenario,
        target=target,
        metric="x_used",
        component="TS00",
        change="+2 GB",
        on=TODAY + timedelta(days=9),
    )
    RecipientList.objects.create(name=name, group=group, addresses="a@example.com")
    Subscriber.objects.create(name=name, group=group, address="a@example.com")
    return target


def test_a_page_asks_as_much_of_a_large_estate_as_of_a_small_one(
    days: list[date],  # noqa: F811
    queries_of: Callable[[str], list[str]],  # noqa: F811
):
    def queries_of_pages(target: Target, other: Target) -> dict[str, list[str]]:
        return {name: queries_of(url) for name, url in addresses(target, other).items()}

    User.objects.update(is_staff=True)  # who asks sees the pages of administrators too
    # as many limits as make waits of one target share a line of the estate
    few = queries_of_pages(fill("SMALL", TOGETHER, TOGETHER), fill("OTHER", 2, 1))
    many = queries_of_pages(*[fill(name, 25, 12) for name in ("LARGE", "GREAT", "VAST")][:2])

    counts = {name: (len(few[name]), len(many[name])) for name in few}
    assert {name: pair for name, pair in counts.items() if pair[0] != pair[1]} == {}
    assert {name: most for name, (_, most) in counts.items() if most > 45} == {}

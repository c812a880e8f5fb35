"""Findings open, go on, close and come back, as the days go by."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from apps.advisors.engine.finding_rules import Classification, FindingRule, Weight, add_finding_rules
from apps.advisors.engine.rule_inputs import FigureInput, GrowthInput, LimitInput
from apps.advisors.findings import try_rules
from apps.advisors.models import Finding, RuleTrial
from apps.collection.tests.scripted import BOOT, HOSTS, PLATFORM, TODAY, host, instance, levels, prepare
from apps.inventory.models import Target
from apps.profiles.engine.growth import growth_a_day
from apps.snapshots.measured import read_series
from apps.thresholds.calendars import Calendar
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

USED = FigureInput(key="used", label="used", unit="MB", metric="x_used", is_each=True)
BUSY = FigureInput(key="busy", label="CPU busy", unit="%", metric="x_busy_pct", needs="Let the host be read.")
NEARLY_FULL = FindingRule(
    key="X_FULL",
    title="Nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(USED,),
    condition=lambda inputs: inputs.used >= 10,
    critical=lambda inputs: inputs.used >= 20,
    fires_when="used ≥ 10 MB",
    meaning="It fills up.",
    actions=("Add a file.",),
    source="a test",
)
BUSY_HOST = FindingRule(
    key="X_BUSY",
    title="Busy",
    subject="CPU",
    classification=Classification.PERFORMANCE,
    weight=Weight.INFO,
    inputs=(BUSY,),
    condition=lambda inputs: inputs.busy >= 90,
    fires_when="busy ≥ 90 %",
    meaning="It is busy.",
    actions=("Look who it is.",),
    source="a test",
)


@pytest.fixture(autouse=True)
def ruled():
    add_finding_rules(PLATFORM, [NEARLY_FULL, BUSY_HOST])
    add_finding_rules(HOSTS, [])
    yield
    add_finding_rules(PLATFORM, [])


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def try_days(target: Target, count: int) -> None:
    for back in range(count - 1, -1, -1):
        try_rules(target, TODAY - timedelta(days=back))


def day(back: int) -> date:
    return TODAY - timedelta(days=back)


def test_a_finding_opens_with_its_evidence_and_goes_on(target):
    levels(target, [9, 11, 21])

    try_days(target, 3)

    finding = Finding.objects.get()
    assert (finding.opened_on, finding.seen_on, finding.closed_on) == (day(1), day(0), None)
    assert finding.weight == "critical"
    assert finding.evidence == [{"component": "DATA", "weight": "critical", "figures": {"used": 21.0}}]
    assert finding.days_on(TODAY) == 2


def test_a_finding_closes_after_three_quiet_days_in_a_row(target):
    levels(target, [11, 9, 9, 11, 9, 9, 9])

    try_days(target, 7)

    finding = Finding.objects.get()
    assert (finding.opened_on, finding.seen_on, finding.closed_on) == (day(6), day(3), day(0))


def test_a_finding_that_comes_back_soon_is_the_same(target):
    levels(target, [11, 9, 9, 9, 11])

    try_days(target, 5)

    assert Finding.objects.get().opened_on == day(4)
    assert Finding.objects.get().closed_on is None


def test_one_that_comes_back_late_is_another(target):
    levels(target, [11, *[9] * 35, 11])

    try_days(target, 37)

    assert sorted(Finding.objects.values_list("opened_on", flat=True)) == [day(36), day(0)]
    assert Finding.objects.live().get().opened_on == TODAY


def test_trying_a_day_again_or_an_earlier_one_changes_nothing(target):
    levels(target, [11, 9, 12])
    try_days(target, 3)
    before = list(Finding.objects.values_list())

    try_days(target, 3)

    assert list(Finding.objects.values_list()) == before


def test_many_days_at_once_come_to_the_same_as_night_by_night(target):
    levels(target, [9, 11, 9, 9, 9, 11, *[9] * 35, 22, 9])
    try_days(target, 43)
    by_night = list(
        Finding.objects.order_by("opened_on").values("opened_on", "seen_on", "closed_on", "weight")
    )
    Finding.objects.all().delete()
    RuleTrial.objects.all().delete()

    try_rules(target, day(42), TODAY)

    assert (
        list(Finding.objects.order_by("opened_on").values("opened_on", "seen_on", "closed_on", "weight"))
        == by_night
    )


def test_a_rule_without_its_input_is_named_and_neither_opens_nor_closes(target):
    levels(target, [11])

    try_rules(target, TODAY)

    trial = RuleTrial.objects.get()
    assert (trial.on, trial.tried, trial.missing) == (TODAY, 2, {"X_BUSY": ["busy"]})


def test_a_day_that_was_not_read_is_passed_over(target):
    levels(target, [11])
    try_rules(target, TODAY)

    try_rules(target, TODAY + timedelta(days=1), TODAY + timedelta(days=5))

    assert Finding.objects.get().reviewed_on == TODAY
    assert RuleTrial.objects.get().on == TODAY


def test_a_target_without_rules_is_not_tried(django_assert_num_queries):
    with django_assert_num_queries(1):
        machine = host()

    with django_assert_num_queries(0):
        try_rules(machine, TODAY)


def test_on_a_day_that_a_calendar_leaves_out_a_rule_on_limits_neither_fires_nor_is_quiet(target):
    """What is not judged is not noticed either: both go by the same calendars."""
    over = replace(
        NEARLY_FULL,
        key="X_OVER",
        inputs=(USED, LimitInput(key="limit", label="its limit", unit="MB", metric="x_used", is_each=True)),
        condition=lambda inputs: inputs.used > inputs.limit,
        critical=None,
    )
    add_finding_rules(PLATFORM, [over])
    add_threshold("x_used", "<=10", now=BOOT, target=target)
    Calendar.objects.create(name="Move", days=f"{day(0):%Y-%m-%d}", target=target, set_at=BOOT)
    levels(target, [9, 11, 12])

    try_days(target, 3)

    finding = Finding.objects.get()
    assert (finding.opened_on, finding.seen_on) == (day(1), day(1))
    assert RuleTrial.objects.get().missing == {"X_OVER": ["limit"]}


def test_growth_is_the_figure_that_pages_say(target):
    """One load made it grow: the same growth a day as on its statistic, from the first to the last of its days."""
    growing = replace(
        NEARLY_FULL,
        key="X_GROWS",
        inputs=(GrowthInput(key="growth", label="growth", unit="MB/day", metric="x_used", is_each=True),),
        condition=lambda inputs: inputs.growth > 0,
        critical=None,
    )
    add_finding_rules(PLATFORM, [growing])
    levels(target, [100.0] * 20 + [400.0] * 12)

    try_rules(target, TODAY)

    measured = read_series([target], [("x_used", "DATA")], day(30), TODAY)[target.pk]
    growth = growth_a_day([measured.value(0, column) for column in range(31)])
    assert growth == 10.0
    assert Finding.objects.get().evidence[0]["figures"] == {"growth": growth}

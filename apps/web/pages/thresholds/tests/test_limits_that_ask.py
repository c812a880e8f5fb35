"""What a limit may not be, and what it asks first: at the form, in the command, in a pack, in the preview."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from apps.charts.figures import long_day
from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.thresholds.dry_run import dry_runs
from apps.thresholds.engine.notation import BadNotation, Form, Limit
from apps.thresholds.models import Threshold
from apps.thresholds.packs import parse_pack
from apps.thresholds.register import add_threshold, limit_fields, read_limits
from apps.web.pages.thresholds.headlines import count_headlines

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    prepare()
    target = instance("DWPRD", registered_at=BOOT)
    story = Story(target)
    for on in days_before(TODAY, 10):
        story.day(on, redo=60, calls=10, used={"DATA": 90}, hits=90, waits={"db file": (1000, 5.0)})
    return target


def preview(planner: Client, **fields: Any) -> str:
    return unescape(planner.get(reverse("threshold_preview"), fields).content.decode())


def typed(planner: Client, **fields: Any) -> str:
    return unescape(planner.post(reverse("threshold_add"), fields).content.decode())


@pytest.mark.parametrize(
    ("metric", "way"),
    [("x_hit_pct", "Lower is worse here"), ("x_calls", "Neither way is worse by itself here")],
)
def test_a_bare_number_asks_which_way_is_meant_at_every_door(planner, target, metric, way):
    """W10: a bare 90 on a hit ratio was taken as at most, by command and pack."""
    asks = f"{way}: write >=90 for at least, or <=90 for at most."

    assert asks in typed(planner, target=target.pk, metric=metric, notation="90")
    assert asks in preview(planner, target=target.pk, metric=metric, notation="90")
    with pytest.raises(CommandError, match="write >=90"):
        call_command("add_threshold", "DWPRD", metric, "90")
    (limit,) = parse_pack(f"limits: [{{statistic: {metric}, limit: '90'}}]").limits
    assert limit.refused == asks
    assert not Threshold.objects.exists()


def test_a_split_limit_is_previewed_and_set_by_the_form_as_by_the_command(planner, target):
    """W10: it was previewed as "At most 10 ms" and refused when it was saved."""
    fields: dict[str, Any] = {
        "target": target.pk,
        "metric": "x_read_ms",
        "notation": "10ms (Reads) 2ms (Write)",
    }

    html = preview(planner, **fields)
    typed(planner, **fields)

    assert html.count('class="drawing bars"') == 2  # each part has the chart of its own days
    assert "average wait: At most 1 cs" in html
    assert "average of writes: At most 0.2 cs" in html
    made = Threshold.objects.order_by("metric").values_list("metric", "notation", "high")
    assert list(made) == [("x_read_ms", "10ms", 1.0), ("x_write_ms", "2ms", 0.2)]


def test_no_change_without_a_steady_period_says_that_nothing_is_judged(planner, target):
    """W10: it "would not have fired"."""
    html = preview(planner, target=target.pk, metric="x_redo", notation="no change")

    assert "DWPRD has no steady period with enough figures of it, so nothing is judged" in html
    assert "would have fired" not in html


def test_a_violation_that_was_open_before_the_days_shown_is_counted(target):
    """W10: "opened 0" stood beside 90 days over."""
    (draft,) = add_threshold("x_redo", "<=50", now=BOOT, target=target)
    run = dry_runs(draft, {target: [""]}, TODAY, 5)[target.pk]

    headlines = [(fact.figure, fact.words) for fact in count_headlines(draft, run)]

    since = long_day(TODAY - timedelta(days=4))
    assert headlines == [("5", "over the limit"), ("1", f"violation, open since before {since}")]


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        ("sessions_max", "Sessions, maximum takes no limit. It is a high-water mark since start-up"),
        ("sessions_max", "Set the limit on sessions, most of the day (sessions_day_max)."),
        ("processes_max", "(processes_day_max)"),
        ("host_cpu_iowait_pct", "I/O wait takes no limit. It falls when other work takes the processors"),
    ],
)
def test_what_no_violation_could_close_takes_no_limit_and_names_what_does(metric, reason):
    """W17, and W10 of I/O wait."""
    with pytest.raises(BadNotation) as caught:
        read_limits(metric, "<450")

    assert reason in str(caught.value)


def test_W17_a_limit_on_a_high_water_mark_stays_in_force_says_so_and_moves_by_one_form(planner):
    target = Target.objects.create(
        name="HRPRD", kind="instance", platform="oracle", collector="oracle", registered_at=BOOT
    )
    limit = Limit(Form.BELOW, None, 450.0)
    old = Threshold.objects.create(
        target=target,
        metric="sessions_max",
        notation="<450",
        set_at=BOOT,
        lead_time_days=45,
        **limit_fields(limit),
    )
    reason = "Sessions, maximum takes no limit. It is a high-water mark since start-up"
    form = f"{reverse('threshold', args=[old.pk])}?metric=sessions_day_max"

    for page in (reverse("thresholds"), reverse("threshold", args=[old.pk])):
        html = unescape(planner.get(page).content.decode())
        assert reason in html, page
        assert f'href="{form}">Move it to sessions, most of the day' in html, page
    moving = planner.get(form).context["form"]
    typed = {
        name: "" if moving[name].value() in (None, False) else moving[name].value() for name in moving.fields
    }
    planner.post(reverse("threshold", args=[old.pk]), typed)

    moved = Threshold.objects.get(withdrawn_at=None)
    assert (moved.metric, moved.notation, moved.lead_time_days) == ("sessions_day_max", "<450", 45)
    assert reason not in unescape(planner.get(reverse("thresholds")).content.decode())

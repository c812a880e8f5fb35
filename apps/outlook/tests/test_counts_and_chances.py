"""What is counted and how sure it is, the same in the navigation, in lists, and on pages of one figure."""

import re

import pytest
from django.urls import reverse

from apps.collection.tests.scripted import BOOT, instance, levels
from apps.forecasting.models import Forecast
from apps.outlook.tests.test_one_answer import (
    YESTERDAY,
    closing_target,
    growing_target,
    page_of,
    prepare_partitions,
    reviewed,
    rows_of,
    run_of,
    unread_target,
)
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db


def test_navigation_and_lists_count_what_is_over_and_neither_what_is_closing_nor_what_was_not_read(reader):
    closing_target(), unread_target(), growing_target("DWPRD", "<150")

    menu = re.search(
        r'data-place="violations".*?menu-count"\s*>(\d+)',
        reader.get(reverse("thresholds")).content.decode(),
        re.DOTALL,
    )
    targets = {row["target"]: row["violations"] for row in rows_of(reader, reverse("targets"))}

    assert menu is not None
    assert menu[1] == "1"
    assert targets == {"DWPRD": "1", "GISPRD": "0", "PAYPRD": "0"}


def test_the_list_of_limits_says_of_each_what_its_cases_say(reader):
    closing_target(), unread_target(), growing_target("DWPRD", "<150")

    limits = {
        row["holds for"]: (row["state"], row["over"], row["closing"])
        for row in rows_of(reader, reverse("thresholds"))
    }

    assert limits == {
        "DWPRD": ("violated", "1", "0"), "GISPRD": ("no data", "0", "0"), "PAYPRD": ("closing", "0", "1"),
    }  # fmt: skip
    assert "One limit of 3 is broken now; one is inside again, closing." in page_of(
        reader, reverse("thresholds")
    )


def test_no_page_tells_a_smaller_chance_than_a_short_history_can(reader):
    prepare_partitions()
    target = instance("HRPRD")
    days = levels(target, [100.0 + day % 3 for day in range(40)], last=YESTERDAY)
    add_threshold("x_used", "<=400", now=BOOT, target=target, component="DATA")
    run_of(target, 0, "complete")
    reviewed(target, days[-3:])

    made = Forecast.objects.of_last_review().get()

    assert made.chance is not None
    assert made.chance < made.least_chance == 0.35
    for address, query in (
        (reverse("risks"), None),
        (reverse("target_forecast", args=[target.pk]), None),
        (reverse("statistic", args=[target.pk, "x_used"]), {"component": "DATA"}),
        (reverse("statistic_forecast", args=[target.pk, "x_used"]), {"component": "DATA"}),
    ):
        assert "< 35 %" in page_of(reader, address, query), address

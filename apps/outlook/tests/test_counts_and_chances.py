"""What is counted, the same in the navigation and in lists."""

import re

import pytest
from django.urls import reverse

from apps.outlook.tests.test_one_answer import (
    closing_target,
    growing_target,
    page_of,
    rows_of,
    unread_target,
)

pytestmark = pytest.mark.django_db


def test_navigation_and_lists_count_what_is_over_and_neither_what_is_closing_nor_what_was_not_read(reader):
    closing_target(), unread_target(), growing_target("DWPRD", "<150")

    menu = re.search(
        r'data-place="violations".*?menu-count">(\d+)', reader.get(reverse("thresholds")).content.decode()
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
    assert "One limit of 3 is broken now." in page_of(reader, reverse("thresholds"))

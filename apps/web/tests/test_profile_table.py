"""The profile as its page shows it."""

from datetime import timedelta

import pytest

from apps.charts.figures import short_day
from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.thresholds.judge import profile_of
from apps.web.profile_table import name_days

pytestmark = pytest.mark.django_db


def test_a_figure_below_the_head_of_another_day_says_which_day_it_is_of():
    """As those of a host do where the instance was not read on a night on which the host was."""
    prepare()
    target = instance("dbx-dw01", registered_at=BOOT)
    levels(target, [100.0 + day for day in range(32)], last=TODAY)
    own, week_ago, earlier = (TODAY - timedelta(days=back) for back in (30, 7, 31))

    named = name_days(profile_of(target, TODAY), {90: None, 30: earlier, 7: week_ago})

    then = next(row.row.then for row in named.rows if row.row.metric.key == "x_used")
    assert then[30].day == own
    assert then[30].length == f"figures of dbx-dw01 are of {short_day(own)}, not {short_day(earlier)}"
    assert then[7].length == ""
    assert then[90].length == ""

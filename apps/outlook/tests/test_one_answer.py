"""One figure has one state, one day and one slack, wherever it is told."""

import csv
import io
import json
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.catalog.registry import get_metric
from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import BOOT, Story, days_before, instance, levels
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.notices.events import find_events
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import outlooks_of
from apps.outlook.profile import read_profile_outlook
from apps.review.nightly import review_targets
from apps.snapshots.retention import ensure_partitions
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
YESTERDAY = NOW.date() - timedelta(days=1)
SYNC = "log file sync"


def prepare_partitions() -> None:
    ensure_partitions([YESTERDAY - timedelta(days=back) for back in range(-31, 150, 28)])


def reviewed(target: Target, days: Iterable[date], *, nights: int = 3) -> None:
    """Every day reviewed, the last nights with forecasts."""
    days = list(days)
    for number, on in enumerate(days):
        review_targets([target], on, NOW, forecasts=number >= len(days) - nights)


def closing_target() -> Target:
    """A wait of 2.6 cs under a limit of 0.5 that ended five days ago; seven judged days inside are needed."""
    prepare_partitions()
    target = instance("PAYPRD")
    add_threshold("x_read_ms", "<0.5", now=BOOT, target=target, component=SYNC, closes_after=7)
    story, days = Story(target), days_before(YESTERDAY, 40)
    for number, on in enumerate(days):
        average = 26.0 if number < len(days) - 5 else 2.1 + 0.01 * number
        story.day(on, waits={SYNC: (5000, average)}, cpu=50)
    run_of(target, 0, "complete")
    reviewed(target, days[-20:])
    return target


def growing_target(name: str, notation: str, **rest: Any) -> Target:
    """A tablespace that grows by 1 MB a day to 159."""
    prepare_partitions()
    target = instance(name)
    days = levels(target, [100.0 + day for day in range(60)], last=YESTERDAY)
    add_threshold("x_used", notation, now=BOOT, target=target, component="DATA", **rest)
    run_of(target, 0, "complete")
    reviewed(target, days[-3:])
    return target


def run_of(target: Target, nights_ago: int, state: str, reason: str = "") -> None:
    moment = datetime.combine(NOW.date() - timedelta(days=nights_ago), time(1), UTC)
    slot = timetable_of(target).last_slot(moment)
    CollectionRun.objects.create(
        target=target, slot=slot, began_at=slot, ended_at=slot, state=state, reason=reason, series=9
    )


def unread_target() -> Target:
    """A target over its limit when it was read last, five days ago; then four nights came to nothing."""
    prepare_partitions()
    target = instance("GISPRD")
    add_threshold("x_used", "<100", now=BOOT, target=target, component="DATA")
    days = levels(target, [*range(90, 120), None, None, None, None], last=YESTERDAY)
    for back in range(9, 4, -1):
        run_of(target, back - 1, "complete")
    for back in range(4):
        run_of(target, back, "failed", "The password of HEADROOM has expired (ORA-28001). Give it a new one.")
    reviewed(target, days[-20:], nights=8)
    return target


def rows_of(client: Client, url: str, **query: str) -> list[dict[str, str]]:
    answer = client.get(url, {"format": "csv", **query})
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def page_of(client: Client, url: str, query: dict[str, str] | None = None) -> str:
    """The words of a page, without its marks."""
    answer = client.get(url, query)
    assert answer.status_code == 200
    body = answer.content.decode().partition("<main")[2]
    text = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body)))
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def printed(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command(*arguments, "--json", stdout=out)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def addresses(target: Target, metric: str, component: str) -> dict[str, tuple[str, dict[str, str]]]:
    """The pages on which a figure is told."""
    of = {"component": component}
    return {
        "estate": (reverse("estate"), {}),
        "risk board": (reverse("risks"), {}),
        "violations": (reverse("violations"), {}),
        "profile": (reverse("target", args=[target.pk]), {}),
        "violations of the target": (reverse("target_violations", args=[target.pk]), {}),
        "forecasts": (reverse("target_forecast", args=[target.pk]), {}),
        "statistic": (reverse("statistic", args=[target.pk, metric]), of),
        "forecast": (reverse("statistic_forecast", args=[target.pk, metric]), of),
        "case": (reverse("violation", args=[Violation.objects.get(target=target).pk]), {}),
        "targets": (reverse("targets"), {}),
    }


def test_W3_what_is_inside_its_limit_again_is_closing_on_every_page(reader):
    target = closing_target()
    (case,) = Violation.objects.live()
    assert (case.days_inside, case.is_closing) == (5, True)

    for name, (url, query) in addresses(target, "x_read_ms", SYNC).items():
        html = reader.get(url, query).content.decode().partition("<main")[2]
        text = page_of(reader, url, query)
        assert "closing" in text.lower(), name
        assert not re.search(r"is-violated|c-over|comfortable, | slack [−-]|act by \d", html), name
        assert "over its limit since" not in text.split("Time line")[0], name
        if name not in ("targets", "case", "forecast"):
            assert "day 5 of 7" in text, name
    assert "5 of 7 good days: it closes on" in page_of(reader, reverse("violation", args=[case.pk]))
    forecast = page_of(reader, *addresses(target, "x_read_ms", SYNC)["forecast"])
    assert "is inside its limit again : 0.25 against <0.5 cs, closing, day 5 of 7." in forecast


def test_W3_files_and_commands_say_closing_too_and_no_slack(reader):
    target = closing_target()
    words = "closing, day 5 of 7"

    (line,) = rows_of(reader, reverse("estate"), table="risk-list")
    assert (line["state"], line["slack, days"], line["note"]) == ("closing", "", words)
    (line,) = rows_of(reader, reverse("risks"), table="risks")
    assert (line["state"], line["slack in days"], line["reason"]) == ("closing", "", words)
    (line,) = rows_of(reader, reverse("target_forecast", args=[target.pk]))
    assert (line["state"], line["likely"], line["slack in days"], line["reason"]) == (
        "closing",
        "",
        "",
        words,
    )
    (line,) = rows_of(reader, reverse("violations"), table="violations")
    assert line["state"] == "closing"
    (line,) = (
        row
        for row in rows_of(reader, reverse("target_csv", args=[target.pk]))
        if row["component"] == SYNC and row["threshold"]
    )
    assert (line["state"], line["slack"], line["note"]) == ("closing", "", words)

    (row,) = (row for row in printed("profile", "PAYPRD")["rows"] if row["threshold"])
    assert (row["state"], row["outlook"]["closing"], row["outlook"]["slack_days"]) == ("closing", words, None)
    (limit,) = printed("forecast", "PAYPRD", "x_read_ms", "--component", SYNC)["limits"]
    assert (limit["state"], limit["closing"]) == ("closing", words)
    assert [limit[key] for key in ("chance", "likely_on", "slack_days", "act_by")] == [None] * 4
    assert printed("profile", "PAYPRD")["state"] == "closing"
    assert not [notice for notice in find_events(NOW) if notice.kind == "predicted"]


def test_W15_a_target_that_was_not_read_for_two_slots_is_no_data_everywhere(reader):
    target = unread_target()
    last = (NOW.date() - timedelta(days=4)).isoformat()
    assert Violation.objects.get().opened_on is not None

    why = "GISPRD was not read for four nights"
    pages = addresses(target, "x_used", "DATA")
    for name in ("profile", "statistic", "forecast", "forecasts"):
        assert why in page_of(reader, *pages[name]), name
    profile = page_of(reader, *pages["profile"])
    assert f"{why} : the password of HEADROOM has expired (ORA-28001)." in profile
    for name, (url, query) in pages.items():
        html = reader.get(url, query).content.decode().partition("<main")[2]
        assert "is-no_data" in html or why in html, name
        assert not re.search(r"state is-(violated|comfortable|at_risk)|Nothing is over its limit", html), name

    (line,) = rows_of(reader, reverse("estate"), table="risk-list")
    assert (line["state"], line["what runs out"]) == ("no data", "all its limits")
    assert [row["state"] for row in rows_of(reader, reverse("risks"), table="risks")] == ["no data"]
    assert [row["state"] for row in rows_of(reader, reverse("violations"), table="violations")] == ["no data"]
    (line,) = rows_of(reader, reverse("targets"), table="targets")
    assert (line["state"], line["last read"][:10]) == ("no data", last)
    printed_profile = printed("profile", "GISPRD")
    assert (
        printed_profile["state"],
        {row["state"] for row in printed_profile["rows"] if row["threshold"]},
    ) == (
        "no_data",
        {"no_data"},
    )
    assert printed_profile["unread"].startswith("was not read for four nights: the password")


def test_what_failed_once_is_still_told_as_it_was(reader):
    target = growing_target("ONCE", "<150")
    CollectionRun.objects.update(state="failed", reason="Nothing answers.")
    run_of(target, 1, "complete")

    assert [row["state"] for row in rows_of(reader, reverse("risks"), table="risks")] == ["violated"]


def test_a_day_before_the_last_reading_is_told_as_it_was():
    target = unread_target()
    before = YESTERDAY - timedelta(days=10)

    profile_outlook = read_profile_outlook(target, before, NOW)

    assert profile_outlook.unread is None
    assert profile_outlook.outlooks["x_used", "DATA"].state is FigureState.VIOLATED


def test_W7_slack_is_the_same_wherever_it_is_told(reader):
    target = growing_target("DWPRD", "<=200", lead_time_days=9)
    (case,) = Violation.objects.predicted()
    forecast = Forecast.objects.get(made_on=YESTERDAY)
    assert forecast.likely_on is not None
    left = (forecast.likely_on - YESTERDAY).days
    slack, act_by = str(left - 9), (forecast.likely_on - timedelta(days=9)).isoformat()

    (estate,) = rows_of(reader, reverse("estate"), table="risk-list")
    (board,) = rows_of(reader, reverse("risks"), table="risks")
    (tab,) = rows_of(reader, reverse("target_forecast", args=[target.pk]))
    (row,) = (
        row for row in rows_of(reader, reverse("target_csv", args=[target.pk])) if row["component"] == "DATA"
    )
    assert {estate["slack, days"], board["slack in days"], tab["slack in days"], row["slack"]} == {slack}
    assert {estate["act by"], tab["act by"], row["act by"]} == {act_by}
    (printed_row,) = (row for row in printed("profile", "DWPRD")["rows"] if row["component"] == "DATA")
    (limit,) = printed("forecast", "DWPRD", "x_used", "--component", "DATA")["limits"]
    for outlook in (printed_row["outlook"], limit):
        assert (outlook["slack_days"], outlook["days_left"], outlook["act_by"]) == (int(slack), left, act_by)
    for name in ("estate", "risk board", "forecasts", "statistic", "forecast"):
        assert f"+{slack} d" in page_of(reader, *addresses(target, "x_used", "DATA")[name]), name
    assert f"{left} d" in page_of(reader, reverse("target", args=[target.pk]))
    assert case.owner is None


def test_W4_every_page_counts_the_same_and_what_is_closing_is_not_over(reader):
    closing_target()
    growing_target("OVER", "<150")
    growing_target("SOON", "<=200")
    growing_target("LATER", "<=210")
    states = [row["state"] for row in rows_of(reader, reverse("violations"), table="violations")]
    assert sorted(states) == ["at risk", "at risk", "closing", "violated"]

    rest = " ; two more will be within 90 days; one is inside again, closing."
    for name, first in (("estate", ", first DATA on OVER"), ("violations", "")):
        assert f"One figure is over its limit{first}{rest}" in page_of(reader, reverse(name)), name
    board = page_of(reader, reverse("risks"))
    assert "1 of 4 limited figures is over its limit ; two more will be within 90 days" in board
    assert "one is inside again, closing" in board
    limits = page_of(reader, reverse("thresholds"))
    assert "One limit of 4 is broken now; one is inside again, closing." in limits


def test_what_is_over_has_no_slack_and_comes_by_severity_then_how_far_beyond_then_age(reader):
    growing_target("LITTLE", "<150")
    growing_target("FAR", "<80")
    growing_target("CRITICAL", "<155", severity="critical")
    target = growing_target("OLD", "<150")
    Violation.objects.filter(target=target).update(opened_on=YESTERDAY - timedelta(days=119))

    heads = (("estate", "risk-list", "slack, days", "note"), ("risks", "risks", "slack in days", "reason"))
    for name, table, slack, note in heads:
        rows = rows_of(reader, reverse(name), table=table)
        assert [row["target"] for row in rows] == ["CRITICAL", "FAR", "OLD", "LITTLE"]
        assert {row[slack] for row in rows} == {""}
        assert [row[note] for row in rows][2] == "over for 120 days"
    assert "over 120 d" in page_of(reader, reverse("target", args=[target.pk]))


def outlook_of(target: Target) -> Outlook:
    (outlook,) = outlooks_of(Target.objects.filter(pk=target.pk), NOW, {}, is_whole=True)
    return outlook


def test_room_is_told_in_the_unit_and_in_percent_of_the_limit():
    outlook = outlook_of(growing_target("ROOM", "<=200"))

    assert (outlook.room, outlook.room_percent) == (pytest.approx(41), pytest.approx(20.5))
    assert outlook.room_words == "41 of 200 MB left"


def test_an_outlook_keeps_its_identities():
    outlook = outlook_of(growing_target("SAME", "<=200", lead_time_days=4))

    assert outlook.soonest_on is not None
    assert outlook.likely_on is not None
    assert outlook.act_by == outlook.likely_on - timedelta(days=outlook.lead)
    assert outlook.soonest_on <= outlook.likely_on
    assert outlook.days_left == (outlook.likely_on - outlook.day).days
    assert outlook.slack == (outlook.days_left or 0) - 4
    assert outlook.state is FigureState.AT_RISK


def test_a_limit_without_a_case_whose_figure_broke_it_is_violated_and_says_so():
    outlook = outlook_of(growing_target("YOUNG", "<150", opens_after=5, opens_within=5, closes_after=1))

    assert Violation.objects.count() == 0 or outlook.violation is not None
    assert outlook.state is FigureState.VIOLATED


def test_only_the_statistic_itself_says_that_its_component_names_it():
    assert get_metric("wait_avg_ms").called("log file sync") == "log file sync"
    assert get_metric("wait_time").called("log file sync") == "log file sync time waited"
    assert get_metric("wait_avg_ms").display.noun == "wait event"


def test_a_limit_of_all_targets_that_a_limit_of_the_target_wins_over_is_no_second_row_of_the_figure(reader):
    target = growing_target("DWPRD", "<170")
    add_threshold("x_used", "<500", now=BOOT, component="DATA")

    rows = rows_of(reader, reverse("risks"), table="risks")

    of_figure = [
        (row["state"], row["limit"]) for row in rows if (row["target"], row["component"]) == ("DWPRD", "DATA")
    ]
    assert of_figure == [("at risk", "<170")]
    assert Threshold.objects.touching([target]).count() == 2

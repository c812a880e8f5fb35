"""What users were promised: agreed, given, judged, put beside everything else, and known to baselines, relations and the weekly report."""

from datetime import date, timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.catalog.experience import BATCH_END, RESPONSE
from apps.catalog.registry import get_metric
from apps.charts.figures import short_day
from apps.collection.tests.scripted import Story, days_before, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Note
from apps.reports.engine.week import week_of
from apps.reports.text import as_text
from apps.reports.weekly_report import compose_weekly_report
from apps.review.nightly import review_targets
from apps.snapshots.models import UserFigure
from apps.thresholds.calendars import Calendar
from apps.thresholds.experience import agree, renew_user_figure_token
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import change_threshold, limit_fields, read_limits
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db
DAYS = 40


def last_day() -> date:
    return timezone.now().date() - timedelta(days=2)


@pytest.fixture(scope="module")
def target_pk(module_db: None) -> int:
    days = days_before(last_day(), DAYS)
    prepare(*days)
    target = instance()
    story = Story(target)
    for number, on in enumerate(days):
        story.day(on, redo=40 + number % 3, used={"DATA": 100, "TEMP": 10}, hits=98)
    return target.pk


@pytest.fixture
def target(target_pk: int, db: None) -> Target:
    return Target.objects.get(pk=target_pk)


@pytest.fixture
def planner() -> Client:
    return signed_in(is_planner=True)


@pytest.fixture
def agreed(target: Target) -> Target:
    agree(target, RESPONSE, "login", 2, by=None, now=timezone.now())
    agree(target, BATCH_END, "month close", 6, by=None, now=timezone.now())
    return target


def page(client: Client, target: Target, **fields: object) -> str:
    address = reverse("target_experience", args=[target.pk])
    answer = client.post(address, fields, follow=True) if fields else client.get(address)
    return unescape(answer.content.decode())


def look(client: Client, address: str) -> str:
    return unescape(client.get(address).content.decode())


def lines(*rows: str) -> str:
    return "\n".join(("day,name,value", *rows))


def day(back: int) -> date:
    return last_day() - timedelta(days=back)


def give(planner: Client, target: Target, *rows: str) -> str:
    return page(planner, target, give="1", values=lines(*rows))


def test_a_figure_is_agreed_on_and_its_limit_is_one_like_any_other(planner, target):
    assert "Nothing was promised to users of SCRIPT yet" in page(planner, target)

    page(planner, target, agree="1", name="login", kind=RESPONSE.key, most="2")
    html = page(planner, target, agree="1", name="month  close", kind=BATCH_END.key, most="06:00")

    assert "Two figures were promised to users of SCRIPT" in html
    assert "by 06:00" in html
    assert "≤2\xa0s" in html
    limits = Threshold.objects.order_by("pk").values_list("metric", "component", "notation", "unit")
    assert list(limits) == [
        (RESPONSE.key, "login", "<=2", "s"),
        (BATCH_END.key, "month close", "<=6", "h"),
    ]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Name is missing"),
        ({"name": "x" * 61}, "Name has 61 characters; at most 60 are possible."),
        ({"name": "logins*"}, "has signs that names in files cannot have"),
        ({"name": "Login"}, "“Login” is agreed on already; change its limit."),
        ({"kind": "redo_size"}, "is not one of those offered"),
        ({"most": "soon"}, "“soon” is not a number"),
        ({"most": "0"}, "“0” is not seconds, such as 2 or 0.5."),
        ({"kind": BATCH_END.key, "most": "49"}, "“49” is not a time such as 06:00."),
    ],
)
def test_what_cannot_be_agreed_on_is_said_and_nothing_is_stored(planner, agreed, fields, sentence):
    typed = {"agree": "1", "name": "post an invoice", "kind": RESPONSE.key, "most": "2"} | fields

    assert sentence in page(planner, agreed, **typed)
    assert Threshold.objects.count() == 2


def test_values_of_days_are_typed_and_stand_in_the_profile_beside_7_30_and_90_days_ago(planner, agreed):
    html = give(
        planner, agreed, f"{day(0)},login,2.547", f"{day(7)},Login,0.437", f"{day(0)},month close,05:30"
    )

    assert "Three values stored." in html
    assert "login is missed" in html
    assert "05:30" in html
    profile = planner.get(f"{agreed.get_absolute_url()}?on={day(0)}").content.decode()
    assert "What users were promised" in profile
    assert "2.55" in profile
    assert "+483" in profile
    assert "Underlined: not read by Headroom, but from users." in profile
    statistic = reverse("statistic", args=[agreed.pk, RESPONSE.key])
    assert "It was given for this day, as it stands; nothing was computed." in look(
        planner, f"{statistic}?component=login&on={day(0)}"
    )


@pytest.mark.parametrize(
    ("notation", "sentence"),
    [("<=2", "; login is kept, of others no value was given yet."), ("<2", "login is missed")],
)
def test_a_value_at_its_limit_is_kept_or_missed_as_the_limit_is_written(planner, agreed, notation, sentence):
    limit = Threshold.objects.in_force().get(target=agreed, component="login")
    (written,) = read_limits(RESPONSE.key, notation)
    change_threshold(limit, {"notation": notation, **limit_fields(written)}, by=None, now=timezone.now())

    assert sentence in give(planner, agreed, f"{day(0)},login,2")


def test_values_are_given_as_a_file_with_semicolons_and_an_empty_one_takes_back(planner, agreed):
    content = f"day;name;value\n{day(0)};login;2,5\n{day(1)};login;1,5\n"
    page(planner, agreed, give="1", file=SimpleUploadedFile("values.csv", content.encode()))
    assert list(UserFigure.objects.order_by("day").values_list("value", flat=True)) == [1.5, 2.5]

    give(planner, agreed, f"{day(0)},login,")

    assert list(UserFigure.objects.values_list("day", "value")) == [(day(1), 1.5)]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "expected the head day,name,value"),
        ("day,login\n2026-01-01,2", "expected the head day,name,value"),
        ("day,name,value\n", "There are no values"),
        ("day,name,value\nyesterday,login,2", "Line 2: “yesterday” is not a day"),
        ("day,name,value\n2999-01-01,login,2", "Line 2: 2999-01-01 has not come yet."),
        ("day,name,value\n1999-01-01,login,2", "Line 2: 1999-01-01 lies before what is kept"),
        (
            "day,name,value\n{day},logon,2",
            "Line 2: “logon” is not agreed on; what is: “month close”, “login”.",
        ),
        ("day,name,value\n{day},login,fast", "Line 2: “fast” is not a number"),
        ("day,name,value\n{day},login,-1", "Line 2: “-1” is no response in seconds"),
        ("day,name,value\n{day},login,1e9", "Line 2: “1e9” is no response in seconds"),
        ("day,name,value\n{day},month close,48:00", "Line 2: “48:00” is not a number"),
        ("day,name,value\n{day},month close,60", "Line 2: “60” is no end"),
        ("day,name,value\n{day},login,1\n{day},Login,2", "Line 3: “login” is there twice"),
        ("day,name,value\n{day},login,1,2", "Line 2 has 4 fields, and the head 3."),
    ],
)
def test_values_that_cannot_be_get_a_sentence_and_nothing_is_stored(planner, agreed, content, sentence):
    html = page(planner, agreed, give="1", values=content.format(day=day(0)))

    assert sentence in html
    assert not UserFigure.objects.exists()


def test_a_program_sends_values_with_a_token_that_is_shown_once(planner, agreed):
    assert "Authorization: Bearer " in page(planner, agreed, token="1")
    token = renew_user_figure_token(agreed, planner_of(planner), timezone.now())
    address, headers = reverse("experience_push"), {"Authorization": f"Bearer {token}"}

    def send(content: str) -> tuple[int, dict[str, object]]:
        answer = Client().post(address, content, content_type="text/csv", headers=headers)
        return answer.status_code, answer.json()

    assert send(lines(f"{day(0)},login,0.437", f"{day(1)},login,0.5")) == (200, {"values": 2, "days": 2})
    assert send(lines(f"{day(0)},login,0.437")) == (200, {"values": 1, "days": 1})
    assert UserFigure.objects.count() == 2
    status, refusal = send(lines(f"{day(0)},logout,1"))
    assert (status, "is not agreed on" in str(refusal["error"])) == (400, True)
    assert "Refused: Line 2" in page(planner, agreed)
    assert Client().post(address, "x", content_type="text/csv").status_code == 401


def planner_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_a_promise_that_is_not_kept_opens_a_violation_which_a_steady_period_knows(planner, agreed):
    rows = [f"{day(back)},login,{9.645 if back == 0 else 0.5}" for back in range(DAYS)]
    give(planner, agreed, *rows)

    review_targets([agreed], last_day(), timezone.now())

    violation = Violation.objects.get(metric=RESPONSE.key)
    assert (violation.what, violation.value) == ("response of login", 9.645)
    assert get_metric(RESPONSE.key).called("login") == "response of login"
    address = reverse("target_baseline", args=[agreed.pk])
    form = planner.get(address).context["form"]
    assert form.initial["last_day"] == day(1)
    refused = planner.post(address, {"mark": "1", "first_day": day(20), "last_day": day(0)}).content.decode()
    assert (
        "response of login was beyond what was promised. Give days on which users were satisfied." in refused
    )


def test_a_steady_period_holds_no_day_that_broke_what_was_agreed_on_later(planner, target):
    steady = reverse("target_baseline", args=[target.pk])
    assert "Left out" not in look(planner, steady)
    agree(target, RESPONSE, "login", 2, by=None, now=timezone.now())
    give(planner, target, *(f"{day(back)},login,{9 if back in (2, 9) else 0.5}" for back in range(DAYS)))

    answer = planner.get(steady)

    assert not Violation.objects.exists()
    assert answer.context["form"].initial == {"first_day": day(39), "last_day": day(10)}
    left_out = f"{short_day(day(9))} and {short_day(day(2))}: response of login was beyond what was promised."
    assert left_out in unescape(answer.content.decode())
    refused = planner.post(steady, {"mark": "1", "first_day": day(20), "last_day": day(0)}).content.decode()
    assert "On two of these days users were not satisfied" in refused


def test_a_day_that_the_limit_leaves_out_is_in_a_steady_period(planner, agreed):
    Calendar.objects.create(name="move", days=str(day(3)), target=agreed, set_at=timezone.now())
    give(planner, agreed, *(f"{day(back)},login,{9 if back == 3 else 0.5}" for back in range(DAYS)))

    assert planner.get(reverse("target_baseline", args=[agreed.pk])).context["form"].initial == {
        "first_day": day(29), "last_day": day(0),
    }  # fmt: skip


def test_the_verdict_of_users_stands_with_their_day_and_moves_steady_periods_and_relations(planner, agreed):
    give(planner, agreed, *(f"{day(back)},login,{2.4 if back in (3, 4) else 0.9}" for back in range(DAYS)))
    typed = {"text": "month end", "verdict": "slow", "said_by": "accounting", "target": agreed.pk}
    planner.post(reverse("note_add"), typed | {"first_day": day(4), "last_day": day(3)})

    assert "slow, said accounting" in page(planner, agreed)
    profile = planner.get(f"{agreed.get_absolute_url()}?on={day(3)}").content.decode()
    assert "slow, said accounting" in profile
    related = reverse("statistic_related", args=[agreed.pk, RESPONSE.key])
    html = look(planner, f"{related}?component=login&on={last_day()}")
    assert (
        "On two days that users called slow it is 2.4\xa0s in the middle, on 38 days that they did not 0.9\xa0s."
        in html
    )
    baseline = reverse("target_baseline", args=[agreed.pk])
    assert planner.get(baseline).context["form"].initial["last_day"] == day(5)
    refused = planner.post(baseline, {"mark": "1", "first_day": day(10), "last_day": day(0)}).content.decode()
    assert "On two of these days users were not satisfied" in refused


def test_days_called_fine_are_what_slow_ones_are_compared_with(planner, agreed):
    give(planner, agreed, *(f"{day(back)},login,{back}" for back in range(10)))
    for back, verdict in ((9, "slow"), (2, "fine"), (4, "fine")):
        Note.objects.create(
            target=agreed,
            first_day=day(back),
            last_day=day(back),
            text="x",
            verdict=verdict,
            written_at=timezone.now(),
        )

    related = reverse("statistic_related", args=[agreed.pk, RESPONSE.key])
    html = look(planner, f"{related}?component=login&on={last_day()}")

    assert "on two days called fine 3\xa0s." in html


def test_the_weekly_report_says_what_users_said(target):
    week = week_of(last_day() - timedelta(days=7))
    for verdict, text in (("fine", "quiet"), ("slow", "month end")):
        Note.objects.create(
            target=target, first_day=week.first_day, last_day=week.last_day, text=text, verdict=verdict,
            said_by="accounting", written_at=timezone.now(),
        )  # fmt: skip

    report = compose_weekly_report(week, timezone.now())

    verdicts = [(verdict.target, verdict.verdict, verdict.text) for verdict in report.facts.verdicts]
    assert verdicts == [("SCRIPT", "slow", "month end"), ("SCRIPT", "fine", "quiet")]
    assert "WHAT USERS SAID" in as_text(report)


def test_who_may_only_read_sees_the_page_and_changes_nothing(agreed):
    reader = signed_in(is_planner=False)

    assert "Agree on a figure" not in page(reader, agreed)
    answer = reader.post(reverse("target_experience", args=[agreed.pk]), {"token": "1"})
    assert answer.status_code == 403

"""Why a forecast changed, on its page and in the case file."""

import csv
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.tests.scripted import TODAY
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.forecasting.tests.test_forecast_change import BEFORE, NOW, scene
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.models import Threshold, Violation

pytestmark = pytest.mark.django_db

QUERY = f"?component=DATA&on={TODAY}"


@pytest.fixture
def reader() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("reader"))
    return client


def address(target: Target, more: str = "") -> str:
    return f"{reverse('statistic_forecast', args=[target.pk, 'x_used'])}{QUERY}{more}"


def words(reader: Client, url: str) -> str:
    answer = reader.get(url)
    assert answer.status_code == 200
    text = re.sub("<[^>]+>", " ", answer.content.decode()).replace("&#x27;", "'")
    return " ".join(text.replace("\xa0", " ").replace("&nbsp;", " ").split())


def test_a_likely_day_that_moved_by_more_than_the_days_to_act_is_explained(reader):
    target, _ = scene("faster")

    page = words(reader, address(target))

    assert "Why it changed" in page
    assert "Grey: the forecast of" in page
    sentence = re.search(
        r"DATA is likely to reach its limit (\d+) days sooner than forecast on 16 June\. It stands [\d.]+ MB above",
        page,
    )
    assert sentence is not None
    rows = list(
        csv.DictReader(
            reader.get(address(target, "&format=csv&table=change")).text.lstrip("\ufeff").splitlines()
        )
    )
    assert [row["what moved it"] for row in rows] == [
        "forecast of 16 June", "method", "14 new days: where it stands", "14 new days: growth from here",
        "trend changes", "limit", "decided changes", "forecast of 30 June",
    ]  # fmt: skip
    assert sum(int(row["days"]) for row in rows[1:-1]) == int(rows[-1]["days"]) == -int(sentence[1])


def test_a_likely_day_that_moved_less_is_not_explained_unless_somebody_asks(reader):
    target, _ = scene()

    assert "Why it changed" not in words(reader, address(target))
    assert "Why it changed" in words(reader, address(target, f"&since={BEFORE}"))


@pytest.mark.parametrize("since", ["x", "2026-99-99", "2026-06-01", "9999-12-31"])
def test_a_night_that_is_none_or_was_not_kept_is_not_compared(reader, since):
    target, _ = scene()

    assert "Why it changed" not in words(reader, address(target, f"&since={since}"))


def test_a_limit_that_was_changed_is_named(reader):
    target, threshold = scene()
    Threshold.objects.filter(pk=threshold.pk).update(notation="<=250", high=250.0)

    page = words(reader, address(target))

    assert "days sooner than forecast on 16 June. The limit was ≤280, it is ≤250." in page


def test_a_violation_that_appeared_is_told_by_its_chance(reader):
    target, _ = scene("faster", "<=400")
    before = Forecast.objects.get()
    assert before.likely_on is None

    page = words(reader, address(target))

    assert re.search(
        r"DATA is now likely to reach its limit: the chance was .+ on 16 June and is .+ %\. It ", page
    )


def test_the_case_says_it_in_a_sentence(reader):
    target, _ = scene("faster")
    for ago in (2, 1, 0):
        predict_violations(target, TODAY - timedelta(days=ago), NOW)
    Target.objects.update(reviewed_through=TODAY)
    case = Violation.objects.get()

    page = words(reader, case.get_absolute_url())

    assert re.search(
        r"DATA is likely to reach its limit \d+ days sooner than forecast on 16 June\. It stands", page
    )
    Threshold.objects.update(lead_time_days=365)
    assert "sooner than forecast" not in words(reader, case.get_absolute_url())

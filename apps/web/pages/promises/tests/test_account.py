"""The account of forecasts: what it says of promises that ended, beside a straight line, and what it leaves out."""

import csv
import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.tests.scripted import BOOT, TODAY, instance, prepare
from apps.forecasting.models import Promise
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

PAGE = reverse("forecast_account")
DUE = TODAY - timedelta(days=3)
MADE = DUE - timedelta(days=90)


@pytest.fixture
def reader() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("reader"))
    return client


def watched(name: str = "one", *, is_demo: bool = False) -> Threshold:
    prepare()
    target = instance(name)
    Target.objects.filter(pk=target.pk).update(is_demo=is_demo, reviewed_through=TODAY)
    (threshold,) = add_threshold("x_used", "<=100", now=BOOT, target=Target.objects.get(pk=target.pk))
    return threshold


def promise(
    threshold: Threshold, number: int = 1, chance: float = 0.7, come: int | None = None, *,
    likely: int | None = 30, line: int | None = None, due: date = DUE, outcome: str = "", reason: str = "", is_imported: bool = False,
) -> None:  # fmt: skip
    """So many promises that came, or did not, so many days after they were made."""
    made = due - timedelta(days=90)

    def day(ahead: int | None) -> date | None:
        return None if ahead is None else made + timedelta(days=ahead)

    before = Promise.objects.count()
    Promise.objects.bulk_create(
        Promise(
            target=threshold.target, metric="x_used", component=f"TS{before + place:03}", threshold=threshold,
            notation="<=100", unit="MB", made_on=made, due_on=due, chance=chance, likely_on=day(likely),
            soonest_on=day(20), latest_on=day(50), line_on=day(line), happened_on=day(come),
            outcome=outcome or ("missed" if come is None else "came"), reason=reason, is_imported=is_imported,
        )
        for place in range(number)
    )  # fmt: skip


def page(reader: Client, query: str = "") -> str:
    answer = reader.get(f"{PAGE}{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def unmarked(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split()) + " "


def rows(reader: Client, table: str, query: str = "") -> list[dict[str, str]]:
    answer = reader.get(f"{PAGE}?format=csv&table={table}{query}")
    return list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))


def test_of_40_forecast_at_60_to_80_percent_27_came(reader):
    threshold = watched()
    promise(threshold, 27, come=36, line=51)
    promise(threshold, 13, line=51)

    html = page(reader)

    assert "Of 40 violations forecast at 60 to 80 %, 27 came; the day was off by 6 in the median." in html
    assert "A straight line: 15." in html
    assert "27 of 40" in html
    (kind,) = rows(reader, "kinds")
    assert (kind["kind of figure"], kind["promises"], kind["came"], kind["did not"]) == (
        "Space",
        "40",
        "27",
        "13",
    )
    assert (kind["days off"], kind["days off, line"], kind["in range, %"]) == ("6", "15", "100")


def test_few_promises_have_counts_and_no_shares(reader):
    promise(watched(), 3, come=36)

    html = page(reader)

    assert "Of 3 violations forecast, 3 came" in html
    assert "points in the mean" not in html
    assert 'class="kept-few"' in html
    assert rows(reader, "kinds")[0]["in range, %"] == ""


def test_where_the_line_was_nearer_it_is_said(reader):
    promise(watched(), 20, come=40, line=38)

    assert "Space: the straight line was nearer, 2 days against 10" in page(reader)


def test_where_chances_are_not_true_it_is_said(reader):
    promise(watched(), 20, come=36)

    assert "Space: chances were off by 30 points in the mean" in page(reader)


def test_demo_and_own_targets_are_never_summed(reader):
    promise(watched("ours"), 2, come=36)
    promise(watched("theirs", is_demo=True), 5)

    assert [row["promises"] for row in rows(reader, "kinds")] == ["2"]
    assert [row["promises"] for row in rows(reader, "kinds", "&demo=1")] == ["5"]
    assert "Those of the demo" in page(reader)


def test_promises_of_days_that_came_by_files_have_an_account_of_their_own(reader):
    threshold = watched("ours")
    promise(threshold, 3)
    promise(threshold, 5, is_imported=True)

    assert [row["promises"] for row in rows(reader, "kinds")] == ["3"]
    assert [row["promises"] for row in rows(reader, "kinds", "&files=1")] == ["5"]
    assert "?demo=0&amp;files=1" in page(reader)
    assert "Targets of your own" in page(reader, "?files=1")


def test_where_only_the_demo_has_promises_its_account_is_shown(reader):
    watched("ours")
    promise(watched("theirs", is_demo=True), 5)

    assert [row["promises"] for row in rows(reader, "kinds")] == ["5"]


def test_an_account_is_of_one_target_or_group_or_kind(reader):
    first, second = watched("first"), watched("second")
    promise(first, 2)
    promise(second, 3)
    assert second.target is not None

    assert [row["promises"] for row in rows(reader, "kinds", f"&target={second.target.pk}")] == ["3"]
    assert [row["promises"] for row in rows(reader, "kinds", "&group=none")] == ["5"]
    assert "No promise of all targets fell due in this quarter" in page(reader, "?kind=Nothing")
    assert rows(reader, "promises", "&kind=Nothing") == []
    assert len(rows(reader, "promises", "&kind=Space")) == 5


def test_promises_that_are_not_due_are_in_no_account_even_where_they_came(reader):
    threshold = watched()
    promise(threshold, 2, come=36, line=51, due=TODAY + timedelta(days=1))

    html = page(reader)

    assert (
        "No violation that was forecast is due yet; 2 came already, off by 6 days in the median. "
        in unmarked(html)
    )
    assert "A straight line: 15." in html
    assert rows(reader, "kinds") == []
    assert len(rows(reader, "promises")) == 2
    promise(threshold, 1, chance=0.9)
    assert "Of 1 violation forecast, 0 came" in page(reader)
    assert "came before they are due" in page(reader)


def test_an_empty_ledger_says_when_the_first_promise_falls_due(reader):
    promise(watched(), outcome="waiting", due=date(2026, 9, 3))

    assert "No promise has come due" in page(reader)
    assert "the first does on 3 September" in page(reader)


def test_the_quarter_before_has_its_own_promises(reader):
    threshold = watched()
    promise(threshold, 2)
    promise(threshold, 4, due=DUE - timedelta(days=91))

    assert [row["promises"] for row in rows(reader, "kinds")] == ["2"]
    assert [row["promises"] for row in rows(reader, "kinds", f"&until={TODAY - timedelta(days=91)}")] == ["4"]


def test_what_does_not_count_is_named_and_in_the_file(reader):
    threshold = watched()
    promise(threshold, 2)
    promise(threshold, 1, outcome="withdrawn", reason="limit")

    assert "the limit was changed or withdrawn 1" in page(reader)
    lines = rows(reader, "promises")
    assert sorted(row["outcome"] for row in lines) == ["did not come", "did not come", "not counted"]
    assert {row["not counted because"] for row in lines} == {"", "the limit was changed or withdrawn"}


def test_each_promise_is_told_with_its_error(reader):
    promise(watched(), come=36, line=51)

    html = page(reader)

    assert "6 d late" in html
    assert "15 d early" in html
    (row,) = rows(reader, "promises")
    assert (row["made on"], row["error, days"], row["in range"]) == (MADE.isoformat(), "6", "yes")


@pytest.mark.parametrize(("notation", "written"), [("<=100", "≤100 MB"), ("<=1 GB", "≤1 GB")])
def test_a_limit_has_its_unit_once(reader, notation, written):
    promise(watched(), come=36)
    Promise.objects.update(notation=notation)

    assert f" {written} {MADE.day} " in unmarked(page(reader))


@pytest.mark.parametrize(
    "query",
    ["until=x", "until=9999-99-99", "until=0001-01-01", "kind=%00", "demo=maybe", "group=%27", "promises=-1"],
)
def test_an_address_that_makes_no_sense_shows_the_newest_quarter(reader, query):
    promise(watched(), 2)

    page(reader, f"?{query}")


@pytest.mark.parametrize("target", ["x", "0", "9" * 30, "-1"])
def test_a_target_that_is_not_there_has_no_account(reader, target):
    assert reader.get(f"{PAGE}?target={target}").status_code == 404


def test_the_account_asks_as_much_of_many_promises_as_of_few(reader, django_assert_max_num_queries):
    threshold = watched()
    promise(threshold, 300, come=36)
    page(reader)

    with django_assert_max_num_queries(22):
        page(reader)


def test_a_promise_due_after_the_last_review_waits_for_it(reader):
    threshold = watched()
    promise(threshold, 2)
    Target.objects.update(reviewed_through=date(2026, 6, 1))

    assert "No promise has come due" in page(reader)

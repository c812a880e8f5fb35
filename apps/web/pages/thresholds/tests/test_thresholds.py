"""The history of limits, two people at the same limit, and many limits at once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.tests.scripted import BOOT, instance, prepare
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.models import Threshold, ThresholdChange
from apps.thresholds.register import add_threshold, save_threshold, withdraw_threshold

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


@pytest.fixture
def dana() -> User:
    return User.objects.create_user("dana", may_change=True)


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


def limit(target: Target, notation: str = "10", **rest: object) -> Threshold:
    (made,) = add_threshold("x_used", notation, now=BOOT, target=target, **rest)  # type: ignore[arg-type]
    return made


def typed(threshold: Threshold, **changes: object) -> dict[str, object]:
    """What the form holds after it was opened."""
    return {
        "target": threshold.target_id, "metric": threshold.metric, "component": threshold.component,
        "notation": threshold.notation, "severity": threshold.severity, "read": threshold.set_at.isoformat(),
        "pk": threshold.pk, **changes,
    }  # fmt: skip


def pick(threshold: Threshold) -> str:
    """What the box of a limit in the list sends."""
    return f"{threshold.pk}:{threshold.set_at.isoformat()}"


def history(threshold: Threshold) -> list[str]:
    """Oldest first."""
    return [f"{change.by}: {change.words}" for change in threshold.changes.order_by("pk")]


def test_THR8_every_change_is_kept_with_who_made_it(planner, target):
    planner.post(reverse("threshold_add"), {"target": target.pk, "metric": "x_used", "notation": "10"})
    made = Threshold.objects.get()
    planner.post(made.get_absolute_url(), typed(made, notation="<=12", severity="critical"))
    made.refresh_from_db()
    planner.post(made.get_absolute_url(), typed(made))
    planner.post(reverse("threshold_withdraw", args=[made.pk]))

    assert history(made) == [
        "planner: set 10",
        "planner: changed limit 10 → ≤12, severity warning → critical",
        "planner: withdrawn ≤12",
    ]
    html = planner.get(made.get_absolute_url()).content.decode()
    assert "is not in force" in html
    assert "changed limit 10 → ≤12, severity warning → critical" in html


def test_the_page_of_a_limit_shows_its_history(planner, target, dana):
    made = limit(target, set_by=dana)

    assert "set 10" in planner.get(made.get_absolute_url()).content.decode()


def test_the_history_is_only_added_to(target):
    made = limit(target)
    change = made.changes.get()

    with pytest.raises(TypeError, match="only added to"):
        change.save()


def test_the_second_of_two_people_is_told_what_the_first_changed_and_loses_nothing(planner, target, dana):
    made = limit(target)
    opened = typed(made, notation="<=15", lead_time_days=5)
    made.notation, made.high, made.severity = "<=12", 12.0, "critical"
    save_threshold(made, by=dana, now=timezone.now())

    refused = planner.post(made.get_absolute_url(), opened)

    page = refused.content.decode()
    assert "dana changed this threshold at" in page
    assert "dana changed limit 10 → ≤12, severity warning → critical" in page
    assert 'value="&lt;=15"' in page
    assert Threshold.objects.get().notation == "<=12"

    made.refresh_from_db()
    planner.post(made.get_absolute_url(), {**opened, "read": made.set_at.isoformat()})
    assert Threshold.objects.get().notation == "<=15"
    assert len(history(made)) == 3


def test_what_was_typed_while_another_withdrew_it_can_be_set_anew(planner, target, dana):
    made = limit(target)
    opened = typed(made, notation="<=15")
    withdraw_threshold(made, by=dana, now=timezone.now())

    refused = planner.post(made.get_absolute_url(), opened)

    page = refused.content.decode()
    assert "after you opened it. Save again to set it anew." in page
    assert f'action="{reverse("threshold_add")}"' in page
    planner.post(reverse("threshold_add"), opened)
    assert Threshold.objects.in_force().get().notation == "<=15"


def test_a_limit_on_a_statistic_that_the_target_lacks_is_refused(planner, target):
    refused = planner.post(
        reverse("threshold_add"), {"target": target.pk, "metric": "x_busy_pct", "notation": "<=90"}
    )

    assert "SCRIPT has no statistic x_busy_pct; it is one of another platform." in refused.content.decode()
    assert not Threshold.objects.exists()


# ── limits by which nothing is judged ────────────────────────────────────────────────────────────────────────────────


def test_a_limit_of_a_retired_target_stays_as_it_is_and_never_becomes_one_for_all(planner, target):
    made = limit(target)
    opened = typed(made, notation="<=15", target="")
    target.retire(timezone.now())

    html = planner.get(made.get_absolute_url()).content.decode()
    answer = planner.post(made.get_absolute_url(), opened, follow=True).content.decode()

    assert "is not in force" in html
    assert "SCRIPT was retired on" in html
    assert "Nothing is saved." in answer
    assert [(threshold.target, threshold.notation) for threshold in Threshold.objects.all()] == [
        (target, "10")
    ]


def test_no_limit_is_begun_on_a_retired_target(planner, target):
    target.retire(timezone.now())

    answer = planner.get(reverse("threshold_add"), {"target": target.pk, "metric": "x_used"}, follow=True)

    assert "SCRIPT was retired; no limit on it would be judged." in answer.content.decode()


def test_a_limit_on_a_statistic_that_left_the_catalogue_says_so_is_not_exported_and_is_withdrawn(
    planner, target
):
    made = limit(target)
    Threshold.objects.update(metric="x_gone")

    html = planner.get(made.get_absolute_url()).content.decode()
    assert "x_gone is not a statistic of the catalogue any more." in html
    assert "x_gone" in planner.get(reverse("thresholds")).content.decode()
    exported = planner.get(reverse("thresholds_export"), {"target": target.pk}).content.decode()
    assert "x_gone" not in exported

    planner.post(reverse("threshold_withdraw", args=[made.pk]), {"read": made.set_at.isoformat()})
    assert not Threshold.objects.in_force().exists()


def test_somebody_who_left_stays_the_owner_until_another_is_chosen(planner, target, dana):
    made = limit(target, owner=dana)
    dana.is_active = False
    dana.save()

    planner.post(made.get_absolute_url(), typed(made, notation="<=15", owner=dana.pk))

    made.refresh_from_db()
    assert (made.notation, made.owner) == ("<=15", dana)


# ── many at once ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_many_limits_are_changed_at_once_and_what_is_empty_stays(planner, target, dana):
    picked = [limit(target, component=name, lead_time_days=7) for name in ("A", "B")]
    other = limit(target, component="C")

    planner.post(
        reverse("thresholds_bulk"),
        {
            "pick": [pick(threshold) for threshold in picked],
            "owner": dana.pk,
            "severity": "critical",
            "opens_within": "3",
        },
    )

    for threshold in picked:
        threshold.refresh_from_db()
        assert (threshold.owner, threshold.severity, threshold.opens_within, threshold.lead_time_days) == (
            dana,
            "critical",
            3,
            7,
        )
        assert history(threshold)[-1] == (
            "planner: changed severity warning → critical, of the last 1 → 3, owner none → dana (many at once)"
        )
    other.refresh_from_db()
    assert other.severity == "warning"


def test_many_limits_are_withdrawn_after_one_more_question(planner, target):
    picked = [limit(target, component=name) for name in ("A", "B")]
    fields = {"pick": [pick(threshold) for threshold in picked], "withdraw": "1"}

    question = planner.post(reverse("thresholds_bulk"), fields).content.decode()
    assert "Withdraw two limits?" in question
    assert Threshold.objects.in_force().count() == 2

    planner.post(reverse("thresholds_bulk"), fields | {"sure": "1"})
    assert not Threshold.objects.in_force().exists()
    assert ThresholdChange.objects.filter(kind="withdrawn").count() == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Nothing is given that should change"),
        ({"opens_after": "3"}, "give at least 3 for the second number. Nothing is changed yet."),
        ({"opens_after": "0"}, "“0” is not a whole number from 1 to 365."),
        ({"severity": "mild"}, "Severity: “mild” is not one of those offered; choose one from the list."),
        ({"lead_time_days": "soon"}, "“soon” is not a whole number from 0 to 3,650."),
    ],
)
def test_what_cannot_be_changed_at_once_is_said_and_nothing_is_changed(planner, target, fields, sentence):
    picked = [pick(limit(target, component=name)) for name in ("A", "B")]

    refused = planner.post(reverse("thresholds_bulk"), {"pick": picked, **fields})

    assert sentence in refused.content.decode()
    assert ThresholdChange.objects.filter(kind="changed").count() == 0


def test_the_list_says_how_each_limit_stood_when_it_was_shown(planner, target):
    made = limit(target)

    assert f'value="{pick(made)}"' in planner.get(reverse("thresholds")).content.decode()


@pytest.mark.parametrize("fields", [{"severity": "critical"}, {"withdraw": "1", "sure": "1"}])
def test_of_many_at_once_nothing_is_done_when_somebody_changed_or_withdrew_one_meanwhile(
    planner, target, dana, fields
):
    picked = [limit(target, component=name) for name in ("A", "B", "C")]
    sent = {"pick": [pick(threshold) for threshold in picked], **fields}
    first, second, third = picked
    first.notation, first.high = "<=12", 12.0
    save_threshold(first, by=dana, now=timezone.now())
    withdraw_threshold(third, by=dana, now=timezone.now())

    page = planner.post(reverse("thresholds_bulk"), sent).content.decode()

    assert "&lt;=12 on x_used of A, SCRIPT: dana changed this threshold at" in page
    assert "dana changed limit 10 → ≤12" in page
    assert "10 on x_used of C, SCRIPT: dana withdrew this threshold at" in page
    assert [len(history(threshold)) for threshold in picked] == [2, 1, 2]
    assert pick(first) in page
    assert pick(third) not in page

    planner.post(reverse("thresholds_bulk"), {**sent, "pick": [pick(first), pick(second)]})
    assert [history(threshold)[-1].split()[0] for threshold in picked] == ["planner:", "planner:", "dana:"]


def test_a_slip_of_the_pen_does_not_hide_what_another_changed(planner, target, dana):
    made = limit(target)
    read, box = made.set_at.isoformat(), pick(made)
    made.notation, made.high = "<=12", 12.0
    save_threshold(made, by=dana, now=timezone.now())

    form = planner.post(made.get_absolute_url(), typed(made, notation="<", read=read)).content.decode()
    many = planner.post(reverse("thresholds_bulk"), {"pick": [box], "opens_after": "0"}).content.decode()

    assert f'name="read" value="{read}"' in form
    assert f'value="{box}"' in many


def test_a_limit_that_somebody_changed_is_not_withdrawn_unseen(planner, target, dana):
    made = limit(target)
    read = made.set_at.isoformat()
    made.notation, made.high = "<=12", 12.0
    save_threshold(made, by=dana, now=timezone.now())

    answer = planner.post(reverse("threshold_withdraw", args=[made.pk]), {"read": read}, follow=True)

    assert "dana changed this threshold at" in answer.content.decode()
    assert Threshold.objects.in_force().exists()

    withdraw_threshold(made, by=dana, now=timezone.now())
    answer = planner.post(reverse("threshold_withdraw", args=[made.pk]), {"read": read}, follow=True)
    assert "dana withdrew this threshold at" in answer.content.decode()
    assert history(made).count("dana: withdrawn ≤12") == 1


def test_a_limit_in_the_place_of_another_is_saved_and_it_is_said_which_one_applies(planner, target, dana):
    limit(target, "<=10", set_by=dana)
    fields = {"target": target.pk, "metric": "x_used", "notation": "<=20"}

    answer = planner.post(reverse("threshold_add"), fields, follow=True).content.decode()

    assert (
        "There is &lt;=10 by dana on the very same figure already. &lt;=10 applies: ≤10 is stricter."
        in answer
    )
    others = [{"severity": "critical"}, {"component": "DATA"}, {"notation": ">=1"}, {"target": ""}]
    for other in others:  # holds beside it, or the nearer one wins: the form shows that
        answer = planner.post(reverse("threshold_add"), fields | other, follow=True).content.decode()
        assert "on the very same figure" not in answer


def test_none_chosen_is_said(planner, target):
    limit(target)

    answer = planner.post(reverse("thresholds_bulk"), {"severity": "critical"}, follow=True)

    assert "No limit is chosen, so nothing is changed" in answer.content.decode()


def test_a_change_that_was_made_a_day_ago_stands_in_the_history_with_its_day(planner, target, dana):
    made = limit(target)
    made.notation, made.high = "12", 12.0
    save_threshold(made, by=dana, now=timezone.now() - timedelta(days=1))

    assert [change.kind for change in made.changes.all()] == ["changed", "set"]

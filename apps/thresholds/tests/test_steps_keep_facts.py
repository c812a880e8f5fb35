"""What earlier releases wrote down as sentences: read once, when the columns come."""

from importlib import import_module

import pytest
from django.apps import apps

from apps.collection.tests.scripted import BOOT, instance
from apps.people.models import User
from apps.thresholds.models import Step, Violation

pytestmark = pytest.mark.django_db


def test_the_severity_before_a_change_is_filled_in_once_from_the_sentences_of_reviews():
    violation = Violation.objects.create(
        target=instance(), metric="x_used", component="DATA", severity="critical", notation="10"
    )
    dba = User.objects.create(username="dba")

    def step(why: str, **rest: object) -> Step:
        return Step.objects.create(violation=violation, at=BOOT, before="open", after="open", why=why, **rest)

    changed, by_a_person, other = (
        step("warning became critical: <100"),
        step("warning became critical: I saw it", by=dba),
        step("The disk became slow."),
    )

    import_module("apps.thresholds.migrations.0007_steps_keep_facts").fill_severity_before(apps, None)

    severities = dict(Step.objects.values_list("pk", "severity_before"))
    assert severities == {changed.pk: "warning", by_a_person.pk: "", other.pk: ""}
    changed.refresh_from_db()
    assert changed.sentence == "warning became critical: <100"

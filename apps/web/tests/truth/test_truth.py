"""One fact, one answer: everything that the product says of the estate is read, and no two places may differ."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.web.tests.truth import figures, outlooks, periods
from apps.web.tests.truth.ledger import Ledger
from apps.web.tests.truth.product import Product

LEAST_FACTS = 10_000  # that are met twice or more
SHOWN = 40  # contradictions that a failure names
SPAN = 90  # days of history that statistics are read with


@pytest.fixture(scope="module")
def ledger(product: Product) -> Ledger:
    """Everything that is said of the estate."""
    ledger = Ledger()
    targets = {target.name: target for target in Target.objects.in_estate()}
    today = {name: today_of(target, timezone.now()) for name, target in targets.items()}
    days = {name: one.day.isoformat() for name, one in today.items() if one is not None}
    for name, day in days.items():
        read_target(product, ledger, targets[name], day)
    for of in outlooks.read_risks(product, ledger):
        if of is not None and of[3] == "value":
            outlooks.read_standing(product, ledger, of, targets[of[0]])
    outlooks.read_estate(product, ledger)
    outlooks.read_violations(product, ledger)
    outlooks.read_counts(product, ledger)
    periods.read_sizes(product, ledger, days)
    periods.read_weekly(product, ledger)
    outlooks.claim_order(ledger)
    periods.claim_wholes(ledger)
    return ledger


def read_target(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """The pages, files and commands of one target: of its last day, and of the one a week before."""
    week_ago = (date.fromisoformat(day) - timedelta(days=7)).isoformat()
    shown = figures.read_profile(product, ledger, target, day)
    figures.read_profile(product, ledger, target, week_ago)
    for one in (day, week_ago):
        figures.read_everything(product, ledger, target, one)
    figures.read_details(product, ledger, target, day, 30)
    for of in shown:
        if of.target == target.name:  # not of its host
            figures.read_statistic(product, ledger, target, of, day, SPAN)
    periods.read_comparison(product, ledger, target, day)
    outlooks.read_target(product, ledger, target, day)


def test_no_two_places_say_different_things_of_one_fact_and_parts_add_up(ledger: Ledger, product: Product):
    """All of it in one test: everything is read anew by each process that has a part of it."""
    said = sum(map(len, ledger.sayings.values()))
    print(
        f"\n{len(ledger.sayings):,} facts were read in {len(ledger.places):,} places, {ledger.met_twice:,} of them"
        f" met twice or more; {said:,} sayings compared, {ledger.claims:,} identities asserted, {len(product.opened):,} answers opened"
    )

    contradictions, wrong = list(ledger.contradictions()), ledger.wrong

    assert not contradictions + wrong, (
        f"{len(contradictions)} contradictions and {len(wrong)} parts, orders or counts that do not hold, among them:\n"
        + "\n".join(contradictions[:SHOWN] + wrong[:SHOWN])
    )
    assert ledger.met_twice >= LEAST_FACTS
    assert ledger.claims > 1000

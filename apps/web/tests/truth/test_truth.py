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


def test_no_two_places_say_different_things_of_one_fact(ledger: Ledger, product: Product):
    said = sum(map(len, ledger.sayings.values()))
    print(
        f"\n{len(ledger.sayings):,} facts were read in {len(ledger.places):,} places, {ledger.met_twice:,} of them"
        f" met twice or more; {said:,} sayings compared, {ledger.claims:,} identities asserted, {len(product.opened):,} answers opened"
    )

    wrong = list(ledger.contradictions())

    assert not wrong, f"{len(wrong)} contradictions, among them:\n" + "\n".join(wrong[:SHOWN])
    assert ledger.met_twice >= LEAST_FACTS


def test_parts_add_up_days_are_in_order_and_counts_are_those_of_their_rows(ledger: Ledger):
    assert not ledger.wrong, f"{len(ledger.wrong)} do not hold, among them:\n" + "\n".join(
        ledger.wrong[:SHOWN]
    )
    assert ledger.claims > 1000

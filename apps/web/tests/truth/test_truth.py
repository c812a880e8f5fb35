"""One fact, one answer: everything that the product says of the estate is read, and no two places may differ."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.web.tests.truth import (
    addresses,
    ahead,
    behaviour,
    counts,
    figures,
    files,
    findings,
    machines,
    messages,
    outlooks,
    periods,
    space,
)  # fmt: skip
from apps.web.tests.truth.ledger import Ledger
from apps.web.tests.truth.product import Linked, Product

pytestmark = pytest.mark.long

LEAST_FACTS = 10_000  # that are met twice or more
NAMED = 40  # contradictions that a failure names
SPAN = 90  # days of history that statistics are read with
EXAMPLES = 2  # statistics of a target of which everything is read, however slow


@pytest.fixture(scope="module")
def ledger(product: Product) -> Ledger:
    """Everything that is said of the estate."""
    ledger = Ledger()
    now = timezone.now()
    targets = {target.name: target for target in Target.objects.in_estate()}
    today = {name: today_of(target, now) for name, target in targets.items()}
    days = {name: moment.day.isoformat() for name, moment in today.items() if moment is not None}
    for name, day in days.items():
        read_target(product, ledger, targets[name], day)
    for of in outlooks.read_risks(product, ledger):
        if of is not None and of[3] == "value":
            outlooks.read_standing(product, ledger, of, targets[of[0]])
            ahead.read_forecast(product, ledger, of, targets[of[0]])
            ahead.read_glance(product, ledger, of, targets[of[0]])
            ahead.read_track_record(product, ledger, of, targets[of[0]])
    outlooks.read_estate(product, ledger)
    outlooks.read_violations(product, ledger)
    ahead.read_scenarios(product, ledger)
    ahead.read_trials(product, ledger)
    counts.read_counts(product, ledger)
    findings.read_findings(product, ledger)
    behaviour.read_patterns(product, ledger, "/patterns", max(days.values()))
    behaviour.read_baseline(product, ledger)
    behaviour.read_limits(product, ledger)
    periods.read_sizes(product, ledger, days)
    periods.read_weekly(product, ledger)
    periods.read_weekly_command(product, ledger)
    messages.read_report_mail(product, ledger, now)
    messages.read_notices(product, ledger, now)
    outlooks.claim_order(ledger)
    outlooks.claim_chances(ledger)
    periods.claim_wholes(ledger)
    files.read_files(product, ledger)
    for name in days:  # last: it judges by the limits that are new
        outlooks.read_checked(product, ledger, name)
    return ledger


def read_target(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """The pages, files and commands of one target: of its last day, and of the one a week before."""
    week_ago = (date.fromisoformat(day) - timedelta(days=7)).isoformat()
    profile = figures.read_profile(product, ledger, target, day)
    figures.read_profile(product, ledger, target, week_ago)
    for on in (day, week_ago):
        figures.read_everything(product, ledger, target, on)
    figures.read_details(product, ledger, target, day, 30)
    space.read_true_headroom(product, ledger, target, day)
    if target.kind == Target.Kind.HOST:
        machines.read_machine(product, ledger, target, day)
        machines.read_walk(product, ledger, target, day)
    own = [of for of in profile if of.target == target.name]  # not of its host
    for of in own:
        figures.read_statistic(product, ledger, target, of, day, SPAN)
    for of in own[:: max(1, len(own) // EXAMPLES)]:
        read_example(product, ledger, target, of, day)
    periods.read_comparison(product, ledger, target, day)
    behaviour.read_patterns(product, ledger, f"/targets/{target.pk}/pattern", day)
    outlooks.read_target(product, ledger, target, day)


def read_example(product: Product, ledger: Ledger, target: Target, of: Linked, day: str) -> None:
    """How a statistic behaves, and what it is drawn together with."""
    behaviour.read_rhythm(product, ledger, target, of, day)
    for pair in behaviour.read_related(product, ledger, target, of, day)[:2]:
        behaviour.read_pair(product, ledger, pair, day)


def test_no_two_places_say_different_things_of_one_fact_and_none_is_left_unread(
    ledger: Ledger, product: Product
):
    """All of it in one test: everything is read anew by each process that has a part of it."""
    sayings = sum(map(len, ledger.sayings.values()))
    print(
        f"\n{len(ledger.sayings):,} facts were read in {len(ledger.places):,} places, {ledger.met_twice:,} of them"
        f" met twice or more; {sayings:,} sayings compared, {ledger.claims:,} identities asserted, {len(product.opened):,} answers opened"
    )

    contradictions, wrong = list(ledger.contradictions()), ledger.wrong

    assert not contradictions + wrong, (
        f"{len(contradictions)} contradictions and {len(wrong)} parts, orders or counts that do not hold, among them:\n"
        + "\n".join(contradictions[:NAMED] + wrong[:NAMED])
    )
    assert ledger.met_twice >= LEAST_FACTS
    assert ledger.claims > 1000
    assert_all_is_read(ledger, product)


def assert_all_is_read(ledger: Ledger, product: Product) -> None:
    """Every address that shows a figure and every command that prints one has a reader, or stands in a list with its reason."""
    pages, commands = addresses.names_read(ledger), addresses.commands_read(product)

    assert sorted(addresses.names_to_read() - pages) == []
    assert sorted(addresses.WITHOUT_FIGURES.keys() & pages) == []
    assert sorted(addresses.commands_to_read() - commands) == []
    assert sorted(addresses.COMMANDS_WITHOUT_FIGURES.keys() & commands) == []

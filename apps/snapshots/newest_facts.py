"""What targets said last of themselves: texts that are kept when they change."""

from collections.abc import Collection, Iterable
from datetime import datetime

from apps.inventory.models import Target
from apps.snapshots.models import Fact

FactKey = tuple[int, str, str]  # target, name, component


def read_newest_facts(
    targets: Iterable[Target | int],
    names: Collection[str] | None = None,
    component: str | None = None,
    until: datetime | None = None,
) -> dict[FactKey, str]:
    """The newest value of each fact of these names, or of all; where it is asked for, of one component, and as known at a moment."""
    facts = Fact.objects.filter(target__in=targets)
    if names is not None:
        facts = facts.filter(name__in=names)
    if component is not None:
        facts = facts.filter(component=component)
    if until is not None:
        facts = facts.filter(since__lte=until)
    newest = facts.order_by("target", "name", "component", "-since").distinct("target", "name", "component")
    return {
        (pk, name, of): value
        for pk, name, of, value in newest.values_list("target", "name", "component", "value")
    }


def read_facts(target: Target | int, *names: str, until: datetime | None = None) -> dict[str, str]:
    """What a target says of itself as a whole under these names, as far as it said anything; now, or as known at a moment."""
    facts = read_newest_facts([target], names, component="", until=until)
    return {name: value for (_, name, _), value in facts.items()}

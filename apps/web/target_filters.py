"""Which targets a list shows, by the filters of its address."""

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.snapshots.models import Fact

VERSIONS = ("version", "kernel")
FILTERS = ("group", "environment", "owner", "version")


def filter_targets(query: Mapping[str, str]) -> QuerySet[Target]:
    """The targets of the estate that the filters of an address leave."""
    targets = Target.objects.in_estate().prefetch_related("group", "owner")
    if query.get("group"):
        targets = targets.filter(group__name=query["group"])
    if query.get("environment"):
        targets = targets.filter(environment=query["environment"])
    if query.get("owner"):
        targets = targets.filter(owner__username=query["owner"])
    if query.get("version"):
        targets = targets.annotate(version=_version()).filter(version=query["version"])
    if words := query.get("q"):
        condition = Q(name__icontains=words) | Q(notes__icontains=words) | Q(group__name__icontains=words)
        targets = targets.filter(condition | Q(environment__icontains=words))
    return targets


def _version() -> Subquery:
    """The version a target said last: of its software, or of the kernel of a host."""
    facts = Fact.objects.filter(target=OuterRef("pk"), name__in=VERSIONS, component="").order_by("-since")
    return Subquery(facts.values("value")[:1])


def filter_words(query: Mapping[str, str]) -> str:
    """What is filtered by, in words: "group Billing and version 19.24"; empty where nothing is."""
    named = [f"{name} {query[name]}" for name in FILTERS if query.get(name)]
    if query.get("q"):
        named.append(f"the words “{query['q']}”")
    return " and ".join(named)


def filters(query: Mapping[str, str]) -> dict[str, Any]:
    """What can be filtered by, and what is set."""
    owners = User.objects.filter(pk__in=Target.objects.in_estate().values("owner"))
    return {
        "group": {
            "value": query.get("group", ""),
            "options": list(Group.objects.values_list("name", flat=True)),
        },
        "environment": {
            "value": query.get("environment", ""),
            "options": list(
                Target.objects.in_estate()
                .exclude(environment="")
                .order_by()
                .values_list("environment", flat=True)
                .distinct()
            ),
        },
        "owner": {
            "value": query.get("owner", ""),
            "options": [(owner.username, str(owner)) for owner in owners],
        },
        "version": {
            "value": query.get("version", ""),
            "options": list(
                Target.objects.in_estate()
                .annotate(version=_version())
                .exclude(version=None)
                .order_by("version")
                .values_list("version", flat=True)
                .distinct()
            ),
        },
        "q": query.get("q", ""),
        "any": any(query.get(name) for name in (*FILTERS, "q")),
    }

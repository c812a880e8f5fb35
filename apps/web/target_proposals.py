"""What Headroom found out about a target and a person is to confirm: the host it runs on, the database it shares."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from apps.inventory.models import Target
from apps.platforms.registration import all_registrations
from apps.snapshots.models import PROPOSED_HOST, Fact
from apps.snapshots.newest_facts import read_facts


@dataclass(frozen=True)
class Proposal:
    """One thing to confirm: what was found, and the page that does it."""

    fact: str
    text: str
    url: str
    button: str


def proposals_of(target: Target) -> list[Proposal]:
    """What there is to confirm of a target; nothing of one that is retired, made up or no instance."""
    if target.kind != Target.Kind.INSTANCE or target.retired_at is not None or target.is_demo:
        return []
    facts = read_facts(target, PROPOSED_HOST, "dbid", "cluster")
    return [proposal for proposal in (_host(target, facts), _database(target, facts)) if proposal is not None]


def proposed_host(target: Target) -> str:
    """The machine an instance says it runs on; empty where it never said."""
    return read_facts(target, PROPOSED_HOST).get(PROPOSED_HOST, "")


def host_named(name: str) -> Target | None:
    """The host among the targets that goes by this name, with or without its domain."""
    hosts = Target.objects.in_estate().filter(kind=Target.Kind.HOST)
    sought = name.casefold()
    for host in hosts:
        names = {host.name.casefold(), str(host.address.get("host", "")).casefold()}
        if sought in names or sought.partition(".")[0] in {
            known_name.partition(".")[0] for known_name in names
        }:
            return host
    return None


def members_with(target: Target) -> list[Target]:
    """The instances that say they belong to the same database, this one among them."""
    return _members_with(target, read_facts(target, "dbid", "cluster"))


def _members_with(target: Target, facts: Mapping[str, str]) -> list[Target]:
    dbid = facts.get("dbid", "")
    if not dbid or facts.get("cluster") != "yes":
        return [target]
    same = Fact.objects.filter(name="dbid", value=dbid).values("target")
    candidates = Target.objects.in_estate().filter(pk__in=same, kind=Target.Kind.INSTANCE, database=None)
    facts_of = ((member, read_facts(member, "dbid", "cluster")) for member in candidates)
    return [member for member, own in facts_of if (own.get("dbid"), own.get("cluster")) == (dbid, "yes")]


def database_name(target: Target) -> str:
    """What the database calls itself."""
    names = read_facts(target, "db_unique_name", "db_name")
    return names.get("db_unique_name") or names.get("db_name") or f"{target.name} database"


def _host(target: Target, facts: Mapping[str, str]) -> Proposal | None:
    if target.runs_on_id is not None or not (name := facts.get(PROPOSED_HOST, "")):
        return None
    host = host_named(name)
    if host is None:
        return Proposal(
            f"{target.name} says it runs on {name}.",
            "That host is not watched yet; its figures would stand beside those of the instance.",
            f"{_add_host_url()}?name={name}",
            "Add the host",
        )
    return Proposal(
        f"{target.name} says it runs on {name}.",
        f"{host.name} is watched already.",
        reverse("target_host", args=[target.pk]),
        f"It runs on {host.name}",
    )


def _add_host_url() -> str:
    """The page on which a host is registered; of several kinds of host, that of the first."""
    keys = [registration.key for registration in all_registrations() if registration.kind == Target.Kind.HOST]
    return reverse("target_add", args=keys[:1]) if keys else reverse("targets")


def _database(target: Target, facts: Mapping[str, str]) -> Proposal | None:
    if target.database_id is not None:
        return None
    members = _members_with(target, facts)
    if len(members) < 2:
        return None
    names = " and ".join(sorted(member.name for member in members))
    return Proposal(
        f"{names} are instances of one database, {database_name(target)}.",
        "What they share would be read once, and their figures added up.",
        reverse("target_database", args=[target.pk]),
        "Watch the database",
    )

"""Register a target: the one deed behind the forms, the commands and the first start."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.inventory.models import Credential, Deed, Target
from apps.inventory.places import fingerprint_of
from apps.inventory.record import Actor, record_deed


class BadTarget(ValueError):
    """The target cannot be registered as given; the message says what to give instead."""


def find_namesake(name: str, besides: Target | None = None) -> str:
    """The name of the target that is called so already, in whatever case; empty where the name is free."""
    others = Target.objects.named(name)
    if besides is not None and besides.pk:
        others = others.exclude(pk=besides.pk)
    return others.values_list("name", flat=True).first() or ""


def register_target(
    name: str,
    *,
    kind: str,
    platform: str,
    collector: str,
    address: dict[str, Any],
    now: datetime,
    username: str = "",
    password: str = "",
    by: Actor = None,
    **fields: Any,
) -> Target:
    """Register a target with its credential, all or nothing, and record who did. Raises BadTarget."""
    name = " ".join(name.split())
    if namesake := find_namesake(name):
        raise BadTarget(f"There is a target named {namesake} already; choose another name.")
    target = Target(
        name=name,
        kind=kind,
        platform=platform,
        collector=collector,
        address=address,
        registered_at=now,
        **fields,
    )
    try:
        target.full_clean()
    except ValidationError as error:
        raise BadTarget("; ".join(_sentences(error))) from None
    with transaction.atomic():
        target.save()
        if address:
            record_deed(Deed.Kind.TARGET_REGISTERED, by, target, address=address)
        if username:
            _keep_secret(target, username, password, Credential.Use.COLLECT)
    return target


def register_database(name: str, members: Sequence[Target], *, now: datetime) -> Target:
    """
    Register the database that several instances share, all or nothing. Raises BadTarget.

    It has no account of its own: it is read through its instances.
    """
    if len(members) < 2:
        raise BadTarget(
            "A database of its own takes two instances; a single one carries its database's figures."
        )
    member_elsewhere = next((member for member in members if member.database_id is not None), None)
    if member_elsewhere is not None:
        raise BadTarget(f"{member_elsewhere.name} belongs to {member_elsewhere.database} already.")
    first = members[0]
    with transaction.atomic():
        database = register_target(
            name,
            kind=Target.Kind.DATABASE,
            platform=first.platform,
            collector=first.collector,
            address={},
            now=now,
            group=first.group,
            environment=first.environment,
            time_zone=first.time_zone,
            collect_at=first.collect_at,
            interval_minutes=first.interval_minutes,
            is_demo=first.is_demo,
        )
        Target.objects.filter(pk__in=[member.pk for member in members]).update(database=database)
    return database


def point_at(target: Target, address: dict[str, Any], by: Actor = None) -> None:
    """
    Give a target another address; it is tried again from the next slot on.

    Its secrets stay with the address that they were typed for: where that leads elsewhere, they are to be set again.
    """
    was = target.address
    is_elsewhere = fingerprint_of(target.collector, was) != fingerprint_of(target.collector, address)
    target.address, target.blocked_because = address, ""
    with transaction.atomic():
        target.save(update_fields=["address", "blocked_because"])
        if is_elsewhere:
            target.credentials.update(is_used=False)
        if was != address:
            record_deed(Deed.Kind.ADDRESS_CHANGED, by, target, address=address, was=was)


def set_password(
    target: Target, username: str, password: str, use: str = Credential.Use.COLLECT, by: Actor = None
) -> None:
    """Give a target another account or password, for its present address; it is tried again from the next slot on."""
    with transaction.atomic():
        _keep_secret(target, username, password, use)
        record_deed(
            Deed.Kind.SECRET_SAVED, by, target, address=target.address, username=username, use=str(use)
        )
        Target.objects.filter(pk=target.pk).update(blocked_because="")
        target.blocked_because = ""


def _keep_secret(target: Target, username: str, password: str, use: str) -> None:
    Credential.objects.update_or_create(
        target=target, use=use, defaults={"username": username, "password": password, "is_used": False}
    )


def _sentences(error: ValidationError) -> list[str]:
    return [
        f"{field.replace('_', ' ')}: {' '.join(messages)}" for field, messages in error.message_dict.items()
    ]

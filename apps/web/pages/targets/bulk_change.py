"""What people say of targets, for many at once: group, environment, owner, notes; with a way back, and nobody overwritten unseen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import transaction

from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.web.address import number_in
from apps.web.sentences import capital, count

CLEAR = "-"  # typed into a field: take away what is there
FIELDS = ("group", "environment", "owner", "notes")
LONGEST = {"group": 80, "environment": 40, "notes": 4000}


class CannotChange(ValueError):
    """Nothing was saved; the message says why and what to do."""


def stamp_of(target: Target, fields: Sequence[str] = ("group_id", "environment", "owner_id", "notes")) -> str:
    """How the target stands, in a few letters: another stamp means that somebody changed it."""
    text = "\x1f".join(str(getattr(target, name)) for name in fields)
    return sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class BulkChange:
    """What was typed: a field that is empty stays as it is, a dash takes it away."""

    group: str = ""
    environment: str = ""
    owner: str = ""
    notes: str = ""

    @classmethod
    def typed(cls, fields: Mapping[str, str]) -> "BulkChange":
        return cls(**{name: str(fields.get(name, "")).strip() for name in FIELDS})

    @property
    def words(self) -> str:
        """The change in words: "environment test, no owner"."""
        parts = []
        for name in FIELDS:
            value = getattr(self, name)
            if value == CLEAR:
                parts.append(f"no {name}")
            elif value:
                parts.append("new notes" if name == "notes" else f"{name} {value}")
        return ", ".join(parts)


def change_many(chosen: Sequence[str], change: BulkChange) -> list[dict[str, Any]]:
    """
    Apply a change to the targets chosen, all or none; returns how they stood, for `undo`.

    `chosen` has "key:stamp" of each as the page showed it. Raises CannotChange where nothing is chosen or typed, where a
    value does not fit, and where somebody changed one of them meanwhile.
    """
    stamps = _parsed(chosen)
    if not stamps:
        raise CannotChange("No target is chosen: tick those that are to be changed.")
    if not change.words:
        raise CannotChange(
            "Nothing is typed: give a group, an environment, an owner or notes. A dash takes one away."
        )
    for name, longest in LONGEST.items():
        if len(getattr(change, name)) > longest:
            raise CannotChange(
                f"{capital(name)} has {len(getattr(change, name))} letters; give at most {longest}."
            )
    owner = _owner(change.owner)
    with transaction.atomic():
        targets = list(Target.objects.select_for_update().in_estate().filter(pk__in=stamps).order_by("pk"))
        if len(targets) < len(stamps):
            raise CannotChange(
                "One of the targets is not in the estate any more. Nothing was saved; choose again."
            )
        changed = [target for target in targets if stamp_of(target) != stamps[target.pk]]
        if changed:
            raise CannotChange(_meanwhile(changed))
        before = [_as_it_stands(target) for target in targets]
        group = Group.objects.get_or_create(name=change.group)[0] if change.group not in ("", CLEAR) else None
        for target, was in zip(targets, before, strict=True):
            _apply(target, change, group, owner)
            target.save(update_fields=list(FIELDS))
            was["after"] = stamp_of(target)
    return before


def undo(before: Sequence[Mapping[str, Any]]) -> tuple[list[Target], list[Target]]:
    """Put targets back to how they stood; returns those put back, and those that somebody changed again, left alone."""
    back, left = [], []
    with transaction.atomic():
        targets = {
            target.pk: target
            for target in Target.objects.select_for_update().filter(pk__in=[was["pk"] for was in before])
        }
        groups = set(Group.objects.values_list("pk", flat=True))
        for was in before:
            target = targets.get(was["pk"])
            if target is None:
                continue
            if stamp_of(target) != was["after"]:
                left.append(target)
                continue
            target.group_id = was["group"] if was["group"] in groups else None
            target.environment, target.owner_id, target.notes = was["environment"], was["owner"], was["notes"]
            target.save(update_fields=list(FIELDS))
            back.append(target)
    return back, left


def changed_meanwhile(target: Target) -> str:
    """What a form says that was opened before somebody else saved: how the target stands, what was typed is kept."""
    now = {
        "group": target.group.name if target.group else "none",
        "environment": target.environment or "none",
        "owner": str(target.owner or "nobody"),
    }
    stands = ", ".join(f"{name} {value}" for name, value in now.items())
    return (
        f"Somebody changed {target.name} after you opened it: now {stands}."
        " What you typed stands below; save again to keep yours."
    )


def _parsed(chosen: Sequence[str]) -> dict[int, str]:
    stamps = {}
    for choice in chosen:
        key, _, stamp = choice.partition(":")
        if (pk := number_in(key)) is not None:
            stamps[pk] = stamp
    return stamps


def _owner(name: str) -> User | None:
    if name in ("", CLEAR):
        return None
    owner = User.objects.filter(username=name, is_active=True).first()
    if owner is None:
        raise CannotChange(f"Nobody who may sign in is called “{name}”; choose an owner from the list.")
    return owner


def _meanwhile(changed: Sequence[Target]) -> str:
    names = " and ".join(target.name for target in changed[:3]) + (
        f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    )
    return (
        f"Somebody changed {names} after you opened this list; it shows now how {'it stands' if len(changed) == 1 else 'they stand'}."
        " Nothing was saved, and what you typed stands below: save again to go on."
    )


def _as_it_stands(target: Target) -> dict[str, Any]:
    return {
        "pk": target.pk, "group": target.group_id, "environment": target.environment, "owner": target.owner_id,
        "notes": target.notes,
    }  # fmt: skip


def _apply(target: Target, change: BulkChange, group: Group | None, owner: User | None) -> None:
    if change.group:
        target.group = group
    if change.environment:
        target.environment = "" if change.environment == CLEAR else change.environment
    if change.owner:
        target.owner = owner
    if change.notes:
        target.notes = "" if change.notes == CLEAR else change.notes


def describe_change(number: int, change: BulkChange) -> str:
    """The sentence of what was done."""
    return f"{capital(count(number, 'target'))} changed: {change.words}."

"""What we watch."""

from collections.abc import Mapping
from datetime import datetime, time
from typing import Any, NoReturn, Self
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from apps.inventory.addresses import address
from apps.inventory.places import fingerprint_of
from apps.inventory.secrets import EncryptedTextField
from apps.inventory.zones import time_zones


def validate_time_zone(name: str) -> None:
    """Refuse a name that the time-zone database does not know."""
    if name not in time_zones():
        spelling = next((zone for zone in sorted(time_zones()) if zone.casefold() == name.casefold()), "")
        advice = f"it is spelled {spelling}." if spelling else "give one such as Europe/Berlin or UTC."
        raise ValidationError(f"“{name[:64]}” is not a time zone; {advice}")


class Group(models.Model):
    """Targets that belong together for people: an application, a site, a team."""

    name = models.CharField(max_length=80, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TargetQuerySet(models.QuerySet["Target"]):
    def watched(self) -> Self:
        """Targets that are collected: not paused, not retired."""
        return self.filter(is_paused=False, retired_at=None)

    def in_estate(self) -> Self:
        """Targets that pages list: everything that was not retired."""
        return self.filter(retired_at=None)

    def named(self, name: str) -> Self:
        """The target that people call so: names are written in any case."""
        return self.filter(name__iexact=name)

    def demo(self) -> Self:
        return self.filter(is_demo=True)


class Target(models.Model):
    """Anything watched: an instance of a database, a database of several instances, or a host."""

    class Kind(models.TextChoices):
        INSTANCE = "instance", "instance"
        DATABASE = "database", "database"
        HOST = "host", "host"

    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=Kind)
    platform = models.CharField(max_length=20)  # whose metrics it has: the folder in apps/platforms
    collector = models.CharField(max_length=20)  # how it is read: as its platform registers it; "demo"
    address = models.JSONField(default=dict, blank=True)  # what its collector connects to; never a secret
    runs_on = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="instances")
    database = models.ForeignKey(  # of an instance that shares its database with others
        "self", models.SET_NULL, null=True, blank=True, related_name="members"
    )
    group = models.ForeignKey(Group, models.SET_NULL, null=True, blank=True, related_name="targets")
    environment = models.CharField(max_length=40, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    notes = models.TextField(blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    collect_at = models.TimeField(default=time(0, 5))  # of a target read daily, in its time zone
    interval_minutes = models.PositiveIntegerField(default=1440)
    is_paused = models.BooleanField(default=False)
    is_demo = models.BooleanField(default=False)
    registered_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)
    blocked_because = models.TextField(blank=True)  # no further try before a person acts; empty: not blocked
    queued_slot = models.DateTimeField(null=True, blank=True)  # the slot that was last put into the queue ...
    queued_at = models.DateTimeField(null=True, blank=True)  # ... and when
    leased_until = models.DateTimeField(null=True, blank=True)
    leased_by = models.CharField(max_length=64, blank=True)
    reviewed_through = models.DateField(null=True, blank=True)

    objects = TargetQuerySet.as_manager()

    class Meta:
        ordering = [Lower("name")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(interval_minutes__gte=1, interval_minutes__lte=1440),
                name="interval_up_to_a_day",
            ),
            models.UniqueConstraint(
                Lower("name"),
                name="target_names_in_any_case",
                violation_error_message="There is a target of this name already; choose another name.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return address("target", self.pk)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def is_daily(self) -> bool:
        return self.interval_minutes == 1440

    @property
    def is_blocked(self) -> bool:
        return bool(self.blocked_because)

    def retire(self, now: datetime) -> None:
        """Stop watching for good; what was measured stays."""
        self.retired_at = now
        self.save(update_fields=["retired_at"])


class Credential(models.Model):
    """How a target is signed in to. The password is encrypted at rest and never shown again."""

    class Use(models.TextChoices):
        COLLECT = "collect", "collection"
        STANDBY = "standby", "collection while mounted (SYSDG)"
        WALLET = "wallet", "wallet of encrypted connections"

    target = models.ForeignKey(Target, models.CASCADE, related_name="credentials")
    use = models.CharField(max_length=10, choices=Use, default=Use.COLLECT)
    username = models.CharField(max_length=128)
    password = EncryptedTextField()
    is_used = models.BooleanField(default=False)  # since it, or the address, was saved

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "use"], name="one_credential_per_use")]

    def __str__(self) -> str:
        return f"{self.username} on {self.target}"

    @property
    def secret_place(self) -> str:
        """The fingerprint of the address that the password is saved for: the target's present one."""
        return fingerprint_of(self.target.collector, self.target.address)

    def is_for(self, address: Mapping[str, Any]) -> bool:
        """Whether signing in at such an address takes this one: a wallet's does only where there may be a wallet."""
        return self.use != self.Use.WALLET or bool(address.get("wallet") or address.get("descriptor"))

    def secret_at(self, address: Mapping[str, Any]) -> str:
        """
        The password, to be used at this address alone; its first use is recorded.

        Raises UnreadableSecret, and SavedElsewhere where it was typed for another address.
        """
        secret = self.peek_at(address)
        if not self.is_used and Credential.objects.filter(pk=self.pk, is_used=False).update(is_used=True):
            Deed.objects.create(
                kind=Deed.Kind.ADDRESS_USED,
                moment=timezone.now(),
                target=self.target,
                subject=self.target.name,
                details={"address": dict(address), "username": self.username, "use": self.use},
            )
        return secret

    def peek_at(self, address: Mapping[str, Any]) -> str:
        """The same without using it anywhere: for forms, which want to know whether it has to be typed again."""
        place = fingerprint_of(self.target.collector, address)
        return str(self.password.reveal(self, place=place))


class WrittenOnce(models.QuerySet["Deed"]):
    """What happened is added, and neither changed nor taken away."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError(WRITTEN_ONCE)

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(WRITTEN_ONCE)

    def delete(self) -> NoReturn:
        raise TypeError(WRITTEN_ONCE)


WRITTEN_ONCE = "What happened is written once; it is neither changed nor deleted."


class Deed(models.Model):
    """
    Something that somebody did, or Headroom by itself, as it is kept for whoever asks later. Never a secret.

    Targets and people are told by number and by name, without constraints: a record outlives what it is of.
    """

    class Kind(models.TextChoices):
        TARGET_REGISTERED = "target_registered", "registered at this address"
        ADDRESS_CHANGED = "address_changed", "gave it this address"
        SECRET_SAVED = "secret_saved", "saved a password for this address"
        ADDRESS_USED = "address_used", "first signed in at this address"
        CONNECTION_TESTED = "connection_tested", "tested this address"

    moment = models.DateTimeField()
    kind = models.CharField(max_length=40, choices=Kind)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, related_name="+"
    )  # none: Headroom itself, or a command
    actor_name = models.CharField(max_length=200, blank=True)
    target = models.ForeignKey(
        Target, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="deeds"
    )
    subject = models.CharField(max_length=200)  # what it was done to, in words: the name it had
    details = models.JSONField(default=dict)

    objects = WrittenOnce.as_manager()

    class Meta:
        ordering = ["-moment", "-pk"]
        indexes = [
            models.Index(fields=["-moment"], name="deeds_by_moment"),
            models.Index(fields=["target", "-moment"], name="deeds_of_target"),
        ]

    def __str__(self) -> str:
        return f"{self.moment:%Y-%m-%d %H:%M} {self.actor_name or 'Headroom'}: {self.kind}, {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(WRITTEN_ONCE)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(WRITTEN_ONCE)

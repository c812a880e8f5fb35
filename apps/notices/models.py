"""Who is told, what happened, and what became of each message."""

import uuid
from datetime import UTC, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, validate_email
from django.db import models

from apps.inventory.models import Group, Target, validate_time_zone
from apps.inventory.secrets import EncryptedTextField
from apps.reports.models import WeeklyReport
from apps.thresholds.models import Violation


def parse_addresses(text: str) -> list[str]:
    """Mail addresses, separated by lines, commas or blanks, each once."""
    return list(dict.fromkeys(text.replace(",", " ").replace(";", " ").split()))


def validate_addresses(text: str) -> None:
    """Refuse what is not a mail address, by name."""
    for address in parse_addresses(text):
        try:
            validate_email(address)
        except ValidationError:
            raise ValidationError(
                f"“{address}” is not a mail address; write one like ada@example.com."
            ) from None


class RecipientList(models.Model):
    """People who get the weekly report, of all targets or a group, on a day and hour of their time zone."""

    class Weekday(models.IntegerChoices):
        MONDAY = 1, "Monday"
        TUESDAY = 2, "Tuesday"
        WEDNESDAY = 3, "Wednesday"
        THURSDAY = 4, "Thursday"
        FRIDAY = 5, "Friday"
        SATURDAY = 6, "Saturday"
        SUNDAY = 7, "Sunday"

    name = models.CharField(max_length=80, unique=True)
    addresses = models.TextField(validators=[validate_addresses])
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="+")
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    weekday = models.PositiveSmallIntegerField(choices=Weekday, default=Weekday.MONDAY)
    at = models.TimeField(default=time(7, 0))
    is_active = models.BooleanField(default=True)
    last_week = models.CharField(max_length=8, blank=True)  # the last that was prepared by the timetable

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def recipients(self) -> list[str]:
        return parse_addresses(self.addresses)

    def last_moment(self, now: datetime) -> datetime:
        """When it was last due."""
        here = now.astimezone(self.zone)
        day = here.date() - timedelta(days=(here.isoweekday() - self.weekday) % 7)
        moment = datetime.combine(day, self.at, self.zone)
        return moment if moment <= here else datetime.combine(day - timedelta(days=7), self.at, self.zone)


class Subscriber(models.Model):
    """A person or a room that is told what happens, by mail or webhook, gathered into digests."""

    class Way(models.TextChoices):
        MAIL = "mail", "mail"
        JSON = "json", "webhook, JSON"
        SLACK = "slack", "webhook, Slack"
        TEAMS = "teams", "webhook, Teams"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80, unique=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="+")
    way = models.CharField(max_length=10, choices=Way, default=Way.MAIL)
    address = models.EmailField(blank=True)
    url = EncryptedTextField(null=True, blank=True)  # of a webhook: whoever knows it can post there
    opened = models.BooleanField(default=True)
    predicted = models.BooleanField(default=True)
    overdue = models.BooleanField(default=True)
    failing = models.BooleanField(default=True)
    failing_days = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(30)]
    )
    digest_minutes = models.PositiveIntegerField(
        default=60, validators=[MinValueValidator(1), MaxValueValidator(10080)]
    )
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    is_active = models.BooleanField(default=True)
    told_through = models.BigIntegerField(default=0)  # the newest notice it was told of
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def secret_owner(self) -> str:
        return f"subscriber/{self.key}"

    @property
    def mail_address(self) -> str:
        """Its own address, else that of its person."""
        return self.address or (self.person.email if self.person else "")

    def is_quiet(self, now: datetime) -> bool:
        """Whether it is not to be disturbed; hours may go over midnight."""
        if self.quiet_from is None or self.quiet_until is None:
            return False
        here = now.astimezone(ZoneInfo(self.time_zone)).time()
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= here < self.quiet_until
        return here >= self.quiet_from or here < self.quiet_until

    def wants(self, notice: "Notice") -> bool:
        """Whether a notice is for it."""
        if not getattr(self, notice.kind) or notice.nights < (
            self.failing_days if notice.kind == Notice.Kind.FAILING else 0
        ):
            return False
        return self.group_id is None or notice.target.group_id == self.group_id


class Notice(models.Model):
    """Something that happened, told once; `key` says what, so that finding it again changes nothing."""

    class Kind(models.TextChoices):
        OPENED = "opened", "violation opened"
        PREDICTED = "predicted", "predicted within its lead time"
        OVERDUE = "overdue", "step overdue"
        FAILING = "failing", "collection failing"

    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=200, unique=True)
    target = models.ForeignKey(Target, models.CASCADE, related_name="+")
    violation = models.ForeignKey(Violation, models.CASCADE, null=True, related_name="+")
    nights = models.PositiveSmallIntegerField(default=0)  # of a collection that fails: how many in a row
    found_at = models.DateTimeField()
    text = models.TextField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self, now: datetime) -> Self:
        """To be handed over now: waiting, or of unknown fate and not yet sent once more."""
        waiting = models.Q(state=Delivery.State.QUEUED) & (
            models.Q(next_try_at=None) | models.Q(next_try_at__lte=now)
        )
        return self.filter(waiting | models.Q(state=Delivery.State.UNKNOWN, is_second=False)).order_by("pk")

    def abandoned(self, now: datetime) -> Self:
        """Whose sender must have died."""
        return self.filter(state=Delivery.State.HANDING_OVER, began_at__lt=now - Delivery.LONGEST)


class Delivery(models.Model):
    """One message to one recipient. The row and its Message-ID are there before anything is handed over."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        HANDING_OVER = "handing_over", "handing over"
        SENT = "sent", "sent"
        UNKNOWN = "unknown", "unknown"
        FAILED = "failed", "failed"

    LONGEST = timedelta(minutes=10)  # a hand-over is given up long before

    listed = models.ForeignKey(RecipientList, models.SET_NULL, null=True, related_name="deliveries")
    subscriber = models.ForeignKey(Subscriber, models.SET_NULL, null=True, related_name="deliveries")
    report = models.ForeignKey(WeeklyReport, models.CASCADE, null=True, related_name="deliveries")
    recipient = models.CharField(max_length=254)
    message_id = models.CharField(max_length=200, unique=True)
    subject = models.CharField(max_length=300)
    notices = models.JSONField(default=list)  # [{"kind", "text", "url"}]
    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    is_second = models.BooleanField(
        default=False
    )  # sent once more, because the fate of the first was unknown
    made_at = models.DateTimeField()
    next_try_at = models.DateTimeField(null=True)
    began_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["state", "next_try_at"], name="deliveries_waiting")]
        constraints = [
            models.UniqueConstraint(
                fields=["listed", "report", "recipient"], name="one_delivery_per_recipient"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject} to {self.recipient}: {self.state}"


def new_message_id() -> str:
    """A Message-ID that nothing else has."""
    moment = datetime.now(UTC)
    return f"<{moment:%Y%m%d%H%M%S}.{uuid.uuid4().hex}@{settings.HEADROOM_MAIL_DOMAIN}>"

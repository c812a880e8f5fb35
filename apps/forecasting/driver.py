"""Driver: a figure that people give day by day, such as orders, with what they plan of it; and by what it is sent."""

from django.conf import settings
from django.db import models
from django.urls import reverse

from apps.collection.models import SenderToken
from apps.inventory.models import Group, Target
from apps.inventory.scope import Scoped, one_scope


class Driver(Scoped):
    """
    What may drive statistics of a target, of a group, or of all targets.

    Its days are in `DriverDay`. What is planned are days there, or a `growth` in percent a month from a day on.
    """

    name = models.CharField(max_length=80, unique=True)
    unit = models.CharField(max_length=40, blank=True)
    target = models.ForeignKey(Target, models.CASCADE, null=True, blank=True, related_name="drivers")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="drivers")
    growth = models.FloatField(null=True, blank=True)
    grows_from = models.DateField(null=True, blank=True)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [one_scope("driver_of_target_or_group")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("driver", args=[self.pk])


class DriverDay(models.Model):
    """What a driver came to on a day, or what is planned for it."""

    driver = models.ForeignKey(Driver, models.CASCADE, related_name="days")
    day = models.DateField()
    is_planned = models.BooleanField(default=False)
    value = models.FloatField()

    class Meta:
        ordering = ["day"]
        constraints = [
            models.UniqueConstraint(fields=["driver", "day", "is_planned"], name="one_value_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.driver} on {self.day}: {self.value:g}"


class DriverToken(SenderToken):
    """By what a program proves that it may send the days of a driver."""

    driver = models.OneToOneField(Driver, models.CASCADE, related_name="token")

    def __str__(self) -> str:
        return f"token of {self.driver}"

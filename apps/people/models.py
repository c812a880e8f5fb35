"""Who may do what."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """
    A person. Everybody who signs in may read; planners may change targets and thresholds, staff everything.
    """

    may_change = models.BooleanField(
        "may change targets, thresholds and plans",
        default=False,
        help_text="Without it a person reads profiles and reports.",
    )
    time_zone = models.CharField(max_length=64, default="UTC")

    @property
    def is_planner(self) -> bool:
        return self.is_active and (self.may_change or self.is_staff)

    def __str__(self) -> str:
        return self.get_full_name() or self.username

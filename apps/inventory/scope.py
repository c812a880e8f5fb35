"""Where something that people set holds: for one target, for a group, or for all."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import models

from apps.inventory.models import Group, Target


def holding_for(targets: Iterable[Target]) -> models.Q:
    """Of rows with a scope those that hold for some of the targets: theirs, of their groups, or for all."""
    group_of: dict[int, int | None] = {target.pk: target.group_id for target in targets}
    of_groups = {group for group in group_of.values() if group}
    return (
        models.Q(target__in=group_of.keys())
        | models.Q(group__in=of_groups)
        | models.Q(target=None, group=None)
    )


def one_scope(name: str) -> models.CheckConstraint:
    """The constraint, under its name in the database, that nothing is of a target and of a group."""
    return models.CheckConstraint(condition=models.Q(target=None) | models.Q(group=None), name=name)


class Scoped(models.Model):
    """A row of one target, of a group, or, without either, of all targets; the model brings the two columns."""

    if TYPE_CHECKING:
        target: models.ForeignKey[Target | None, Target | None]
        group: models.ForeignKey[Group | None, Group | None]
        target_id: int | None
        group_id: int | None

    class Meta:
        abstract = True

    @property
    def scope(self) -> str:
        """Where it holds, in words."""
        if self.target is not None:
            return self.target.name
        return f"group {self.group.name}" if self.group is not None else "all targets"

    def reaches(self, target: Target) -> bool:
        """Whether a target is in its scope."""
        if self.target_id is not None:
            return self.target_id == target.pk
        return self.group_id is None or self.group_id == target.group_id

"""Names of targets are unique in any case. Of those that differ in case alone, the later ones get a number."""

from typing import Any

from django.db import migrations, models
from django.db.models.functions import Lower

LONGEST = 80


def tell_apart(apps: Any, schema_editor: Any) -> None:
    target = apps.get_model("inventory", "Target")
    taken: set[str] = set()
    for one in target.objects.order_by("pk"):
        name, number = one.name, 1
        while name.lower() in taken:
            number += 1
            end = f" ({number})"
            name = one.name[: LONGEST - len(end)] + end
        taken.add(name.lower())
        if name != one.name:
            target.objects.filter(pk=one.pk).update(name=name)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0004_wallet")]

    operations = [
        migrations.RunPython(tell_apart, migrations.RunPython.noop),
        migrations.AlterField("target", "name", models.CharField(max_length=80)),
        migrations.AddConstraint(
            "target",
            models.UniqueConstraint(
                Lower("name"),
                name="target_names_in_any_case",
                violation_error_message="There is a target of this name already; choose another name.",
            ),
        ),
    ]

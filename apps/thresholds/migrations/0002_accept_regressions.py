"""Regressions may be accepted; violations of targets that were retired before are closed with that reason."""

from django.db import migrations, models

ENDED = {True: "averted", False: "resolved"}


def close_those_of_retired_targets(apps, schema_editor):
    Violation = apps.get_model("thresholds", "Violation")
    Step = apps.get_model("thresholds", "Step")
    live = Violation.objects.filter(closed_on=None, target__retired_at__isnull=False)
    for violation in live.select_related("target"):
        before, target = violation.state, violation.target
        violation.state = ENDED[violation.opened_on is None]
        violation.closed_on = target.retired_at.date()
        violation.closed_because = f"{target.name} was retired."
        violation.save()
        Step.objects.create(
            violation=violation,
            at=target.retired_at,
            on=violation.closed_on,
            before=before,
            after=violation.state,
            why=violation.closed_because,
        )


class Migration(migrations.Migration):
    dependencies = [("thresholds", "0001_initial"), ("inventory", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="violation",
            name="state",
            field=models.CharField(
                choices=[
                    ("predicted", "predicted"),
                    ("open", "open"),
                    ("acknowledged", "acknowledged"),
                    ("in_progress", "in progress"),
                    ("accepted", "accepted risk"),
                    ("regression", "accepted regression"),
                    ("resolved", "resolved"),
                    ("averted", "averted"),
                ],
                default="open",
                max_length=12,
            ),
        ),
        migrations.RunPython(close_those_of_retired_targets, migrations.RunPython.noop, elidable=True),
    ]

"""Steps keep what a review found as facts; the severity before a change is filled in from the sentences of earlier releases."""

from django.db import migrations, models

BECAME = " became "


def fill_severity_before(apps, schema_editor):
    """Earlier releases kept "warning became critical: >95" of a step that changed nothing but the severity."""
    Step = apps.get_model("thresholds", "Step")
    told = Step.objects.filter(by=None, before=models.F("after"), why__contains=BECAME)
    changed = []
    for step in told.iterator():
        severity = step.why.partition(BECAME)[0]
        if severity in ("warning", "critical"):
            step.severity_before = severity
            changed.append(step)
    Step.objects.bulk_update(changed, ["severity_before"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("thresholds", "0006_calendar_history")]

    operations = [
        migrations.AddField(
            model_name="step",
            name="severity_before",
            field=models.CharField(
                blank=True, choices=[("warning", "warning"), ("critical", "critical")], max_length=10
            ),
        ),
        migrations.AddField(
            model_name="step", name="facts", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.RunPython(fill_severity_before, migrations.RunPython.noop),
    ]

from django.db import migrations, models

INSIDE = """
UPDATE thresholds_violation AS violation SET days_inside = 0 FROM thresholds_threshold AS threshold
WHERE violation.threshold_id = threshold.id AND violation.closed_on IS NULL AND violation.opened_on IS NOT NULL
  AND violation.notation = threshold.notation AND threshold.form <> 'no_change'
  AND CASE WHEN threshold.form = 'below' THEN violation.value < threshold.high
           ELSE violation.value <= coalesce(threshold.high, violation.value) END
  AND CASE WHEN threshold.form = 'above' THEN violation.value > threshold.low
           ELSE violation.value >= coalesce(threshold.low, violation.value) END
"""


class Migration(migrations.Migration):
    dependencies = [("thresholds", "0007_steps_keep_facts")]

    operations = [
        migrations.AddField(
            model_name="violation",
            name="days_inside",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.RunSQL(INSIDE, migrations.RunSQL.noop),  # how many days it were says the next review
    ]

from django.db import migrations, models

MARK = """
UPDATE forecasting_promise SET is_imported = true
FROM coverage
WHERE coverage.target_id = forecasting_promise.target_id AND coverage.day = forecasting_promise.made_on AND coverage.origin <> ''
"""


class Migration(migrations.Migration):
    dependencies = [
        ("forecasting", "0012_changes_of_drivers"),
        ("snapshots", "0006_add_coverage_origin"),
    ]

    operations = [
        migrations.AddField("promise", "is_imported", models.BooleanField(default=False)),
        migrations.RunSQL(MARK, migrations.RunSQL.noop),
    ]

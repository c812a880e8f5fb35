"""What people give of days beside what is read."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0007_record_deeds"), ("snapshots", "0006_add_coverage_origin")]

    operations = [
        migrations.CreateModel(
            name="UserFigure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("metric", models.TextField()),
                ("component", models.TextField()),
                ("value", models.FloatField()),
                (
                    "target",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="inventory.target"),
                ),
            ],
            options={
                "db_table": "user_figure",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("target", "day", "metric", "component"), name="one_user_figure_a_day"
                    )
                ],
            },
        ),
    ]

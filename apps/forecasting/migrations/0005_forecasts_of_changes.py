"""Forecasts of changes beside those of the day's figures."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("forecasting", "0004_planned_changes")]

    operations = [
        migrations.AddField(
            "forecast",
            "figure",
            models.CharField(
                choices=[
                    ("value", "the day's figure"),
                    ("change_7", "its change in 7 days, %"),
                    ("change_30", "its change in 30 days, %"),
                    ("change_90", "its change in 90 days, %"),
                ],
                default="value",
                max_length=10,
            ),
        ),
    ]

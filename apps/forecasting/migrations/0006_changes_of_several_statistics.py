"""One planned change may move several statistics alike."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("forecasting", "0005_forecasts_of_changes")]

    operations = [
        migrations.AddField("plannedchange", "others", models.JSONField(blank=True, default=list)),
    ]

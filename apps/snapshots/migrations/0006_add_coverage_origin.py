"""Where the figures of a day come from, if not from readings."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("snapshots", "0005_add_failed_sources")]

    operations = [
        migrations.AddField("coverage", "origin", models.TextField(blank=True, default="")),
    ]

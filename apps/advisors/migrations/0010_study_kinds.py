from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("advisors", "0009_benchmarks"),
    ]

    operations = [
        migrations.AddField(
            model_name="changestudy", name="kind", field=models.CharField(default="days", max_length=20)
        ),
        migrations.AddField(model_name="changestudy", name="windows", field=models.JSONField(default=dict)),
    ]

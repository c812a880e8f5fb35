from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("forecasting", "0006_changes_of_several_statistics")]

    operations = [
        migrations.AddField(
            model_name="forecast", name="least_chance", field=models.FloatField(default=0.07)
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0004_dates_in_the_readers_language"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="has_first_password",
            field=models.BooleanField(default=False),
        ),
    ]

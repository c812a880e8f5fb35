from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0003_target_database"),
    ]

    operations = [
        migrations.AlterField(
            model_name="credential",
            name="use",
            field=models.CharField(
                choices=[
                    ("collect", "collection"),
                    ("standby", "collection while mounted (SYSDG)"),
                    ("wallet", "wallet of encrypted connections"),
                ],
                default="collect",
                max_length=10,
            ),
        ),
    ]

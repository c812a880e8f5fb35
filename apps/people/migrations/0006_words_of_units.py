from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0005_first_sign_in")]

    operations = [
        migrations.AlterField(
            model_name="preferences",
            name="waits_in",
            field=models.CharField(
                choices=[("cs", "centiseconds"), ("ms", "milliseconds")], default="cs", max_length=2
            ),
        ),
    ]

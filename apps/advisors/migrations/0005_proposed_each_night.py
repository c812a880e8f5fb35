"""The day whose figures a diagnosis is proposed from."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("advisors", "0004_withdraw_templates")]

    operations = [
        migrations.AddField(
            model_name="actionplan", name="proposed_on", field=models.DateField(blank=True, null=True)
        ),
    ]

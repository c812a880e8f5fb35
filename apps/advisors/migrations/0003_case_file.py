"""What people write, keep, decide and measure about a violation."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def tell_apart(apps, schema_editor):
    """A default is drawn once for all rows that are there: give each entry of a calendar a name of its own."""
    for name in ("Action", "ActionPlan"):
        model = apps.get_model("advisors", name)
        for row in model.objects.all():
            row.uid = uuid.uuid4()
            row.save(update_fields=["uid"])
    plans = apps.get_model("advisors", "ActionPlan").objects
    plans.update(proposed=models.F("diagnosis"))


class Migration(migrations.Migration):
    dependencies = [
        ("advisors", "0002_initial"),
        ("thresholds", "0002_accept_regressions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="action",
            name="changed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="action",
            name="changed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="action",
            name="done_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="action",
            name="share",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="action",
            name="uid",
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AddField(
            model_name="action",
            name="version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="after_from",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="after_to",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="before_from",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="before_to",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="confirmed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="proposed",
            field=models.CharField(
                choices=[
                    ("performance", "performance problem"),
                    ("capacity", "capacity constraint"),
                    ("undetermined", "undetermined"),
                ],
                default="undetermined",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="reason",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="uid",
            field=models.UUIDField(default=uuid.uuid4, editable=False),
        ),
        migrations.AddField(
            model_name="actionplan",
            name="version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("name", models.CharField(max_length=120)),
                ("size", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "violation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attachments",
                        to="thresholds.violation",
                    ),
                ),
            ],
            options={
                "ordering": ["at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("text", models.TextField()),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "violation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comments",
                        to="thresholds.violation",
                    ),
                ),
            ],
            options={
                "ordering": ["at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="PlanTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120, unique=True)),
                ("family", models.CharField(blank=True, max_length=80)),
                (
                    "diagnosis",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("performance", "performance problem"),
                            ("capacity", "capacity constraint"),
                            ("undetermined", "undetermined"),
                        ],
                        max_length=12,
                    ),
                ),
                ("steps", models.TextField()),
                ("source", models.CharField(blank=True, max_length=200)),
                ("key", models.CharField(blank=True, max_length=40)),
                ("changed_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=0)),
                (
                    "changed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="StudyFigure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("metric", models.CharField(max_length=120)),
                ("component", models.CharField(blank=True, max_length=200)),
                ("aim", models.CharField(blank=True, max_length=80)),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="figures",
                        to="advisors.actionplan",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("plan", "metric", "component"), name="a_figure_once_in_a_study"
                    )
                ],
            },
        ),
        migrations.RunPython(tell_apart, migrations.RunPython.noop, elidable=True),
    ]

"""When a job of the timetable runs, as people type it."""

from django import forms

from apps.inventory.models import validate_time_zone


class JobForm(forms.Form):
    """When a job of the timetable runs."""

    hour = forms.IntegerField(min_value=0, max_value=23)
    minute = forms.IntegerField(min_value=0, max_value=59)
    weekday = forms.ChoiceField(
        choices=[
            ("*", "every day"),
            *(
                (str(n), d)
                for n, d in enumerate(
                    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
                )
            ),
        ]
    )
    zone = forms.CharField(initial="UTC", validators=[validate_time_zone])
    enabled = forms.BooleanField(required=False)

"""What people type, checked. An error names the field, what was given and what is expected."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from apps.catalog.registry import UnknownMetric, get_metric, hours_of, metrics_of
from apps.inventory.models import Credential, Group, Target, validate_time_zone
from apps.inventory.register import taken_by
from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.notation import BadNotation
from apps.thresholds.register import (
    RANGES,
    asks_which_way,
    limit_fields,
    no_hours_because,
    read_limits,
    unit_of,
)
from apps.web.voice import OurVoice


def _offer(form: forms.BaseForm, name: str, choices: QuerySet[Any]) -> None:
    """Let a field offer these rows alone."""
    field = form.fields[name]
    if isinstance(field, forms.ModelChoiceField):
        field.queryset = choices


def free_name(given: object, besides: Target | None = None) -> str:
    """A name that no other target has, in whatever case. Raises ValidationError."""
    name = " ".join(str(given).split())
    if taken := taken_by(name, besides):
        raise ValidationError(f"There is a target named {taken} already; choose another name.")
    return name


class TargetForm(OurVoice, forms.ModelForm[Target]):
    """What people say of a target, and when it is read."""

    group_name = forms.CharField(
        label="group",
        required=False,
        max_length=80,
        help_text="An application, a site, a team; a new name makes a new group.",
    )

    class Meta:
        model = Target
        fields = [
            "name",
            "environment",
            "owner",
            "runs_on",
            "time_zone",
            "collect_at",
            "interval_minutes",
            "notes",
        ]
        labels = {
            "runs_on": "runs on host",
            "collect_at": "read daily at",
            "interval_minutes": "read every, minutes",
        }
        help_texts = {
            "time_zone": "Its days are calendar days of this zone, for example Europe/Berlin.",
            "collect_at": "Of a target that is read once a day, in its time zone.",
            "interval_minutes": "1440 is once a day; hosts are usually read every 5 minutes.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "runs_on", Target.objects.in_estate().filter(kind=Target.Kind.HOST))
        _offer(self, "owner", User.objects.filter(is_active=True))
        if self.instance.pk and self.instance.group:
            self.fields["group_name"].initial = self.instance.group.name

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"], besides=self.instance)

    def clean_interval_minutes(self) -> int:
        minutes = int(self.cleaned_data["interval_minutes"])
        if minutes < 1 or minutes > 1440 or (minutes < 1440 and 1440 % minutes):
            raise ValidationError(f"{minutes} does not divide a day; give 1440, or for example 5, 15 or 60.")
        return minutes

    def save(self, commit: bool = True) -> Target:
        name = self.cleaned_data["group_name"].strip()
        self.instance.group = Group.objects.get_or_create(name=name)[0] if name else None
        target: Target = super().save(commit)
        return target


class ListForm(OurVoice, forms.Form):
    """A list of Oracle instances, with what holds for all of them."""

    file = forms.FileField(
        required=False, help_text="A CSV with a line of column names, or a tnsnames.ora, up to a megabyte."
    )
    text = forms.CharField(
        label="or the list itself",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Pasted from a file or a spreadsheet.",
    )
    username = forms.CharField(
        label="user", required=False, max_length=128, help_text="Where the list names none."
    )
    password = forms.CharField(
        required=False,
        strip=False,
        widget=forms.PasswordInput(render_value=False),
        help_text="Kept encrypted, never shown again.",
    )
    time_zone = forms.CharField(initial="UTC", validators=[validate_time_zone])
    group_name = forms.CharField(label="group", required=False, max_length=80)
    environment = forms.CharField(required=False, max_length=40)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if file is not None:
            if file.size > 1_000_000:
                self.add_error("file", f"The file has {file.size:,} bytes; give at most 1,000,000 at a time.")
            else:
                content = file.read()
                try:
                    cleaned["text"] = content.decode("utf-8-sig")
                except UnicodeDecodeError:
                    cleaned["text"] = content.decode("latin-1")
        elif not cleaned.get("text", "").strip():
            self.add_error("file", "Give a file, or paste the list below.")
        return cleaned


class PasswordForm(OurVoice, forms.Form):
    """Another account or password for a target."""

    username = forms.CharField(label="user", max_length=128)
    password = forms.CharField(
        widget=forms.PasswordInput(render_value=False),
        strip=False,
        help_text="Kept encrypted, never shown again.",
    )
    use = forms.ChoiceField(
        label="used",
        required=False,
        choices=[
            (Credential.Use.COLLECT, "to read it"),
            (Credential.Use.STANDBY, "while it is a standby that is only mounted"),
        ],
        help_text="A standby that is not open lets in accounts with SYSDG alone: give it such a one besides.",
    )

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if target.collector != "oracle":
            del self.fields["use"]
        known = Credential.objects.filter(target=target, use=Credential.Use.COLLECT).first()
        if known is not None:
            self.fields["username"].initial = known.username


def whole_number(name: str, label: str, help_text: str = "") -> forms.IntegerField:
    """A number of a limit; what is left empty is the usual one, or stays as it is."""
    least, most = RANGES[name]
    return forms.IntegerField(
        label=label, required=False, min_value=least, max_value=most, help_text=help_text
    )


class ThresholdForm(OurVoice, forms.ModelForm[Threshold]):
    """A limit in the notation of the slides, in the unit the profile shows."""

    class Meta:
        model = Threshold
        fields = [
            "target", "group", "metric", "component", "figure", "notation", "severity", "opens_after", "opens_within",
            "closes_after", "recovery_gap", "leaves_out_peaks", "lead_time_days", "owner", "plan",
        ]  # fmt: skip
        labels = {
            "metric": "statistic",
            "figure": "on what",
            "notation": "limit",
            "leaves_out_peaks": "leave out known peaks",
            "plan": "action plan",
        }
        help_texts = {
            "target": "Without a target and a group it holds for all that have the statistic.",
            "metric": "The key of the statistic, for example redo_size or wait_avg_ms.",
            "component": "A name, a pattern such as DATA*, or empty for all.",
            "notation": "2, <1.5, >=95, 0, 10..20, no change or ?; units are accepted. Of space also <=95 % unless >=50 GB free.",
            "leaves_out_peaks": "Month ends and other days of a calendar; maintenance windows are always left out.",
            "plan": "What was decided when all was calm; a step a line.",
        }
        widgets = {
            "plan": forms.Textarea(attrs={"rows": 3}),
            "metric": forms.TextInput(attrs={"list": "statistics", "autocomplete": "off"}),
        }

    opens_after = whole_number("opens_after", "opens after, days over")
    opens_within = whole_number("opens_within", "of the last judged days")
    closes_after = whole_number("closes_after", "closes after, judged days inside")
    recovery_gap = forms.FloatField(
        label="recovery gap, %",
        required=False,
        min_value=RANGES["recovery_gap"][0],
        max_value=RANGES["recovery_gap"][1],
    )
    lead_time_days = whole_number(
        "lead_time_days", "lead time, days", help_text="The days needed to carry out the plan."
    )
    hours = forms.CharField(
        label="peak hours",
        required=False,
        max_length=7,
        help_text="Clock hours of the target's day, for example 9-17; empty: the whole day. Needs readings every hour or finer.",
    )
    accept_at_most = forms.BooleanField(required=False, label="yes, at most", widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and hours_of(self.instance.metric):
            self.initial["metric"], _, self.initial["hours"] = self.instance.metric.partition(":")
        _offer(self, "target", Target.objects.in_estate())
        _offer(self, "owner", User.objects.filter(is_active=True))
        for name in ("severity", "figure"):
            self.fields[name].required = False

    def _default(self, name: str) -> Any:
        value = self.cleaned_data.get(name)
        return getattr(Threshold(), name) if value in (None, "") else value

    def clean_metric(self) -> str:
        key = str(self.cleaned_data["metric"]).strip()
        try:
            return get_metric(key).key
        except UnknownMetric as error:
            raise ValidationError(f"{error} Find its key on the page of the statistic.") from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in ("severity", "figure", *RANGES):
            cleaned[name] = self._default(name)
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        metric = self._with_hours(cleaned)
        if not metric or "notation" not in cleaned:
            return cleaned
        target = cleaned.get("target")
        if target and metric.partition(":")[0] not in {one.key for one in metrics_of(target.platform)}:
            self.add_error(
                "metric", f"{target.name} has no statistic {metric}; it is one of another platform."
            )
        if cleaned.get("component") and not get_metric(metric).component_kind:
            self.add_error("component", f"{get_metric(metric).label} has no components; leave this empty.")
        if cleaned["opens_within"] < cleaned["opens_after"]:
            least = cleaned["opens_after"]
            self.add_error(
                "opens_within",
                f"This cannot be less than the {least} days over that open it; give at least {least}.",
            )
        try:
            limits = read_limits(metric, cleaned["notation"], cleaned["figure"])
        except BadNotation as error:
            self.add_error("notation", str(error))
            return cleaned
        if len(limits) > 1:
            self.add_error("notation", "Give one limit here; a split one is set for reads and writes apart.")
            return cleaned
        (limit,) = limits
        if asks_which_way(metric, limit) and not cleaned.get("accept_at_most"):
            bare = cleaned["notation"].strip()
            if bare[:1].isdigit():
                self.add_error(
                    "notation",
                    f"Lower is worse here: write >={bare} for at least, or <={bare} if at most is meant.",
                )
        cleaned["limit"] = limit
        return cleaned

    def _with_hours(self, cleaned: dict[str, Any]) -> str:
        """The statistic, over the peak hours where they are given."""
        metric, hours = str(cleaned.get("metric") or ""), "".join(str(cleaned.get("hours") or "").split())
        if not metric or not hours:
            return metric
        if ":" in metric:
            self.add_error(
                "hours", f"{metric} is a figure of its own; give the hours or the reduction, not both."
            )
            return ""
        key = f"{metric}:{hours}"
        if hours_of(key) is None:
            self.add_error(
                "hours", f"“{hours}” are no hours of a day; give for example 9-17, from 0-1 to 0-24."
            )
            return ""
        if refused := no_hours_because(key, cleaned.get("target")):
            self.add_error("hours", refused)
            return ""
        cleaned["metric"] = key
        return key

    def save(self, commit: bool = False) -> Threshold:
        """The threshold as it was typed; register.py saves it, with its history."""
        limit = self.cleaned_data["limit"]
        row = self.instance
        for name, value in limit_fields(limit).items():
            setattr(row, name, value)
        row.unit = unit_of(row.metric, row.figure)
        threshold: Threshold = super().save(commit=False)
        return threshold


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

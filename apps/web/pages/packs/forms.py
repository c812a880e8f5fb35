"""Which pack, and what it is applied to."""

from typing import Any

from django import forms

from apps.inventory.models import Group, Target
from apps.thresholds.engine.plain_yaml import LONGEST
from apps.thresholds.packs import BadPack, Pack, load_packs, parse_pack
from apps.web.field_choices import offer


class PackForm(forms.Form):
    """A pack that comes with the program, or one in a file or as text; and its scope."""

    name = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    file = forms.FileField(
        required=False,
        error_messages={"empty": "The file is empty; choose another one."},
        help_text="A YAML file, as it is exported here.",
    )
    text = forms.CharField(
        label="or the text itself",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    target = forms.ModelChoiceField(Target.objects.none(), required=False, empty_label="all targets")
    group = forms.ModelChoiceField(Group.objects.all(), required=False, empty_label="no group")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "target", Target.objects.in_estate())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        try:
            cleaned["pack"], cleaned["text"] = self._pack(cleaned)
        except BadPack as error:
            self.add_error("file" if cleaned.get("file") else "text", str(error))
        return cleaned

    def _pack(self, cleaned: dict[str, Any]) -> tuple[Pack, str]:
        if name := cleaned.get("name"):
            for pack in load_packs():
                if pack.name == name:
                    return pack, ""
            raise BadPack(f"There is no pack named {name}; choose one of the list.")
        text = str(cleaned.get("text") or "")
        if file := cleaned.get("file"):
            if file.size > 4 * LONGEST:
                raise BadPack(f"The file has {file.size:,} bytes; give at most {LONGEST:,} characters.")
            try:
                text = file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                raise BadPack(
                    "The file is not text in UTF-8; export a pack here to see what one looks like."
                ) from None
        if not text.strip():
            raise BadPack("Give a file, or paste the text of a pack.")
        return parse_pack(text), text

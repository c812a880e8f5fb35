"""Which addresses of the product show figures, so that none is left unread unseen."""

from collections.abc import Mapping

from django.core.management import get_commands
from django.urls import Resolver404, resolve

from apps.web.tests.addresses import FILES, PAGES
from apps.web.tests.truth.ledger import Ledger
from apps.web.tests.truth.product import Product

FORM = "a form: it asks, and shows no figure"
WORDS = "words of people, no figure"
WITHOUT_FIGURES: Mapping[str, str] = {
    "account": FORM, "unsent": FORM, "preferences": FORM, "target_add": FORM, "targets_import": FORM, "target_files": FORM,
    "figure_files": "files that were given, and how many figures they had", "figure_file": "what a file has, as it was understood; its days are read on the pages of their figures",
    "target_history": "how far a history reaches and is read; its days are read on the pages of their figures",
    "target_edit": FORM, "target_address": FORM, "target_password": FORM, "target_retire": FORM, "bulk": FORM,
    "calendar": FORM, "calendar_add": FORM, "note": FORM, "note_add": FORM, "plan_template": FORM,
    "plan_template_add": FORM, "scenario_remove": FORM, "driver_add": FORM, "driver_remove": FORM, "change_remove": FORM, "recipient_list": FORM, "recipient_list_add": FORM, "subscriber": FORM,
    "subscriber_add": FORM, "threshold_add": FORM, "person": FORM, "person_add": FORM, "attachment_remove": FORM, "compare": FORM,
    "notes": WORDS, "plan_templates": WORDS, "people": WORDS, "attachment": WORDS, "packs": WORDS,
    "schedules": "moments of tasks, no figure", "calendars": "days, no figure",
    "notices": "what was sent, in the words of messages that are read themselves",
    "reads": "the statements that are sent, no figure", "demo": "how far the demo is loaded",
    "target_sessions": "sessions of the moment, read when a button is pressed and kept nowhere",
    "calculators": "questions, no figure", "calculator": "computes from what is typed; its own tests compute it apart",
    "drivers": "what people gave, and how much of it", "driver": "what people gave and plan; no figure that was measured",
    "target_experience": "what people gave, as they gave it; its days are read on the pages of their figures",
    "report": "means of months, which no other place says; its own tests compute them apart",
    "rules": "conditions, and counts of findings that are held against them",
    "benchmarks": "what was read, no figure of a target", "benchmark_add": FORM, "benchmark": "compares what people brought, no figure of a target",
    "studies": "questions and days, no figure", "study_add": FORM,
    "study": "means over days that people choose; its own tests hold them against the comparison of the same days",
    "study_paper": "what its page says; its own tests hold them together",
    "rule": "the findings of one rule, whose figures are read where they stand, and counts of days; its own tests count them",
    "forecast_account": "counts what became of past forecasts; its own tests hold it against the ledger",
    "thresholds_export": "limits as they were typed", "pack": "limits as they were typed",
    "violation_calendar": "due days of steps", "person_calendar": "due days of steps",
}  # fmt: skip


COMMANDS_WITHOUT_FIGURES: Mapping[str, str] = {
    "collect": "reads", "review": "judges, and prints what `check_thresholds` does", "rebuild_figures": "computes figures anew",
    "add_threshold": "prints the limit that was typed", "add_host": "registers", "add_instance": "registers",
    "calculate": "computes from what is typed", "import_host": "stores days, and prints which", "import_history": "stores days, and prints how many", "import_driver": "stores days, and prints how many", "import_csv_history": "stores days, and prints which", "backup": "copies", "restore": "copies", "first_start": "prepares", "ensure_administrator": "prepares",
    "rotate_secrets": "prepares", "load_demo": "loads", "remove_demo": "removes", "serve_demo_oracle": "serves",
    "send_weekly_report": "sends what `weekly_report` writes", "report": "writes what `weekly_report` does",
}  # fmt: skip


def name_of(address: str) -> str:
    """The name of an address; empty of what is none, such as a command."""
    try:
        return resolve(address.partition("?")[0].partition(",")[0]).url_name or ""
    except Resolver404:
        return ""


def names_read(ledger: Ledger) -> set[str]:
    """The addresses at which a fact was read."""
    return {name_of(place) for place in ledger.places if place.startswith("/")} - {""}


def names_to_read() -> set[str]:
    """The addresses that show figures."""
    return {*PAGES, *FILES} - WITHOUT_FIGURES.keys()


def commands_read(product: Product) -> set[str]:
    """The commands whose answers were read."""
    return {opened.split()[1] for opened in product.opened if opened.startswith("manage.py ")}


def commands_to_read() -> set[str]:
    """The commands that print figures."""
    ours = {name for name, app in get_commands().items() if str(app).startswith("apps.")}
    return ours - COMMANDS_WITHOUT_FIGURES.keys()

"""Which item of the side bar a page belongs to."""

ITEMS = {
    "violations": (
        "violation",
        "violation_step",
        "violation_owner",
        "violation_diagnosis",
        "violation_comment",
        "violation_template",
        "action",
        "action_add",
        "attachment_add",
        "attachment_remove",
        "study_windows",
        "study_figure_add",
        "plan_templates",
        "plan_template",
        "plan_template_add",
    ),
    "thresholds": (
        "threshold",
        "threshold_add",
        "threshold_withdraw",
        "calendars",
        "calendar",
        "calendar_add",
        "packs",
        "pack",
    ),
    "compare": ("target_compare", "target_pattern", "patterns"),
    "what_if": ("scenario", "scenario_remove", "change_remove", "what_if_try"),
    "targets": (
        "target",
        "target_violations",
        "target_report",
        "target_forecast",
        "target_collection",
        "target_all",
        "target_edit",
        "target_address",
        "target_password",
        "target_retire",
        "target_sessions",
        "target_host",
        "target_database",
        "target_baseline",
        "targets_import",
        "target_add",
        "statistic",
        "statistic_forecast",
        "statistic_related",
        "statistic_pair",
        "statistic_patterns",
        "notes",
        "note",
        "note_add",
    ),
}
ITEM_OF = {page: item for item, pages in ITEMS.items() for page in pages}


def item_of(page: str) -> str:
    """The item of the side bar that the page with this name belongs to: that of its own name, unless another has it."""
    return ITEM_OF.get(page, page)

"""Undo."""

from apps.advisors.engine.finding_rules import Classification, FindingRule
from apps.platforms.oracle.rules.inputs.work import NO_UNDO, TOO_OLD

UNDO_ERRORS = FindingRule(
    key="UNDO_ERRORS",
    title="Undo is too small",
    subject="undo",
    classification=Classification.CAPACITY,
    inputs=(TOO_OLD, NO_UNDO),
    condition=lambda inputs: inputs.undo_ora1555 + inputs.undo_nospace > 0,
    fires_when="snapshot too old + undo ran out > 0 a day",
    meaning="Queries end with ORA-01555, or transactions find no undo.",
    actions=("Size it by the peak rate of undo times the longest query.",),
    source="usual practice",
)

"""Whole days before and after a change."""

from apps.advisors.study_registry import StudyKind

DAYS = StudyKind(
    key="days",
    title="Whole days",
    question="Did moving the redo logs make commits faster?",
    template="pages/studies/kinds/days.html",
)

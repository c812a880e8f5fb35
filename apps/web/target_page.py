"""What all pages of one target share: the day they are of, the verdict, the facts line, the tabs."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.catalog.details import details_of
from apps.charts import figures
from apps.collection.collector import is_passive
from apps.collection.file_readers import file_source_of
from apps.collection.history.imports import offers_history
from apps.collection.history.sources import has_history
from apps.collection.today import Today, today_of
from apps.inventory.models import Target
from apps.outlook.profile import ProfileOutlook, read_profile_outlooks
from apps.platforms.registration import Registration, registration_of
from apps.platforms.sessions import find_session_source
from apps.profiles.models import Note
from apps.snapshots.recent_days import read_recent_days
from apps.thresholds.calendars import read_excluded_days
from apps.thresholds.judge import JudgedProfile, ProfileQuestion
from apps.thresholds.models import Violation
from apps.web.address import number_in
from apps.web.common_window import SilentHost, silent_host, silent_host_of
from apps.web.day_notes import NoteRow, add_url, note_rows
from apps.web.profile_sentence import verdict_of
from apps.web.report_tabs import has_something
from apps.web.rights import may_change
from apps.web.sentences import Part, day_in_words
from apps.web.target_facts import facts_of
from apps.web.target_proposals import proposals_of


@dataclass(frozen=True)
class Page:
    """A target's day as a request asks for it; without figures there is no day and no profile."""

    request: HttpRequest
    target: Target
    today: Today | None
    day: date | None
    looked: ProfileOutlook | None
    of_host: ProfileOutlook | None = None  # where the profile of its host stands below its own

    @property
    def judged(self) -> JudgedProfile | None:
        """The profile of the day with the states of its rows."""
        return self.looked.judged if self.looked is not None else None


def retired_target(pk: str) -> Target | None:
    """The target of an address, where it is one that is watched no more."""
    return Target.objects.exclude(retired_at=None).filter(pk=number_in(pk) or 0).first()


def target_of(pk: int) -> Target:
    """The target of an address, with all that the head of its pages names. Raises Http404 with a sentence."""
    target = (
        Target.objects.select_related("runs_on", "group", "owner").filter(pk=pk).first()
        if pk < 2**63
        else None
    )
    if target is None:
        raise Http404(
            f"Target {pk} is not known: it was removed with its history, or the address was mistyped."
            " Those that were only retired keep their pages."
        )
    return target


def page_of(request: HttpRequest, target: Target) -> Page:
    """The day is that of the address, else today; an impossible one is taken for today."""
    return _with_profiles(day_page(request, target), [ProfileQuestion(target)])


def page_with_host(request: HttpRequest, target: Target) -> Page:
    """The same with what the profile shows of the host below the target."""
    questions = [ProfileQuestion(target)]
    if target.runs_on is not None:
        questions.append(ProfileQuestion(target.runs_on, lambda metric: metric.display.is_shown_with_guests))
    return _with_profiles(day_page(request, target), questions)


def _with_profiles(page: Page, questions: Sequence[ProfileQuestion]) -> Page:
    """A page with the profile of its target and, where that is asked for too, of its host."""
    if page.day is None:
        return page
    looked, *of_host = read_profile_outlooks(questions, page.day, timezone.now())
    return replace(page, looked=looked, of_host=next(iter(of_host), None))


def day_page(request: HttpRequest, target: Target) -> Page:
    """The same without the profile, for pages that show something else of the day."""
    today = today_of(target, timezone.now())
    return Page(request, target, today, (day_asked(request) or today.day) if today else None, None)


def day_asked(request: HttpRequest) -> date | None:
    """The day of the address; None where there is none, or one on which nobody can have measured anything."""
    try:
        day = date.fromisoformat(request.GET.get("on", ""))
    except ValueError:
        return None
    return day if 1970 <= day.year < 3000 else None


def target_page(page: Page, active: str) -> dict[str, Any]:
    """The context that the head of every page of a target needs."""
    target, request = page.target, page.request
    density = request.GET.get("density") or request.COOKIES.get("density") or "compact"
    density = density if density in ("compact", "normal") else "compact"
    today = page.day or timezone.now().date()
    recent = read_recent_days(target, today)
    live = Violation.objects.live().filter(target=target).count()
    return {
        "target": target,
        "has_address": address_registration(target) is not None,
        "is_passive": is_passive(target),
        "file_source": file_source_of(target),
        "has_history": has_history(target),
        "offers_history": offers_history(target, timezone.now()),
        "sentence": _sentence(page),
        "facts": facts_of(target, today, recent),
        "silent_host": _silent_host(page),
        "tabs": _tabs(page, active, live, recent.categories),
        "day": _day(page),
        "left_out": _left_out(page),
        "notes": _notes(page),
        "note_url": add_url(target, page.day, request.get_full_path()),
        "density": density,
        "density_url": f"?{_query(page)}density={'normal' if density == 'compact' else 'compact'}",
        "profile": None,
        "can_change": may_change(request),
        "proposals": proposals_of(target) if may_change(request) else [],
    }


def _silent_host(page: Page) -> SilentHost | None:
    now = timezone.now()
    if page.of_host is None:
        return silent_host_of(page.target, page.day, now)
    return silent_host(page.of_host.judged.profile.target, page.of_host.unread, now)


def _sentence(page: Page) -> Sequence[Part]:
    if page.looked is None:
        return [
            Part("Nothing was measured yet", True),
            Part(
                ": the first figures come with its first file."
                if is_passive(page.target)
                else ": the first figures come with the second reading."
            ),
        ]
    if not page.looked.judged.rows and not page.looked.unread and page.day is not None:
        return [Part(f"{page.target.name} has no figures of {day_in_words(page.day)}", True), Part(".")]
    return verdict_of(page.looked)


def _left_out(page: Page) -> dict[str, str] | None:
    """Which calendar leaves this day out of judging, and for which limits."""
    if page.day is None:
        return None
    excluded = page.judged.left_out if page.judged else read_excluded_days(page.target, page.day, page.day)
    always, peak = excluded.maintenance.get(page.day), excluded.peaks.get(page.day)
    if always:
        return {"reason": always, "for": "No limit is judged on this day."}
    return {"reason": peak, "for": "Thresholds marked “ignore known peaks” are not judged."} if peak else None


def _notes(page: Page) -> list[NoteRow]:
    """What people said of the day that is shown."""
    if page.day is None:
        return []
    notes = Note.objects.about(page.target).between(page.day, page.day)
    return note_rows(notes, back=page.request.get_full_path(), can_change=may_change(page.request))


def _query(page: Page) -> str:
    is_today = page.today is None or page.day == page.today.day
    return "" if is_today else f"on={page.day}&"


def _on(page: Page, day: date) -> str:
    """This page of another day, its other choices kept."""
    query = page.request.GET.copy()
    query["on"] = day.isoformat()
    return f"?{query.urlencode()}"


def _day(page: Page) -> dict[str, Any] | None:
    if page.day is None or page.today is None:
        return None
    return {
        "date": page.day,
        "label": figures.full_day(page.day),
        "previous_url": _on(page, page.day - timedelta(days=1)),
        "next_url": _on(page, page.day + timedelta(days=1)) if page.day < page.today.day else None,
        "is_old": page.today.is_old and page.day == page.today.day,
        "is_so_far": page.today.is_so_far and page.day == page.today.day,
    }


def address_registration(target: Target) -> Registration | None:
    """How the address of a target is typed; None where it has none of its own."""
    registration = None if target.kind == Target.Kind.DATABASE else registration_of(target.collector)
    return registration if registration is not None and registration.address_form else None


def _tabs(page: Page, active: str, violations: int, read: AbstractSet[int]) -> list[dict[str, Any]]:
    target, query = page.target, _query(page).rstrip("&")
    if page.request.GET.get("days"):
        query = "&".join(filter(None, (query, urlencode({"days": page.request.GET["days"]}))))
    reports = [report for report in details_of(target.platform) if has_something(report, target, read)]
    tabs: list[tuple[str, str, str, int | str]] = [
        ("profile", "Profile", "target", ""),
        *((report.key, report.title, "target_report", "") for report in reports),
        ("forecast", "Forecast", "target_forecast", ""),
        ("violations", "Violations", "target_violations", violations or ""),
        ("findings", "Noticed", "target_findings", ""),
        ("compare", "Compare", "target_compare", ""),
        ("pattern", "Pattern", "target_pattern", ""),
        ("collection", "Collection", "target_collection", ""),
        ("all", "Everything", "target_all", ""),
    ]
    if find_session_source(target) is not None:
        tabs.append(("sessions", "Sessions", "target_sessions", ""))
    return [
        {
            "key": key,
            "label": label,
            "url": reverse(name, args=[target.pk, key] if name == "target_report" else [target.pk])
            + (f"?{query}" if query else ""),
            "count": count,
            "active": key == active,
        }
        for key, label, name, count in tabs
    ]

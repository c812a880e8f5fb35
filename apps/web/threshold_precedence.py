"""Which threshold applies and why: all that could, from far to near, with the one that wins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Max

from apps.charts import figures
from apps.inventory.models import Target
from apps.snapshots.models import Coverage
from apps.thresholds.limits import limit_text
from apps.thresholds.models import Threshold
from apps.thresholds.precedence import ApplicableThreshold, contest_key, find_applicable, wins_because
from apps.thresholds.series import components_on
from apps.web.cells import after, link
from apps.web.sentences import capital, count
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

MOST_LISTED = 12  # names and targets that are listed before the rest is counted


@dataclass(frozen=True)
class Candidate:
    """One threshold that could apply; `why` says why it does, or why another comes before it."""

    place: str
    component: str
    limit: str
    unit: str
    by: str
    url: str
    wins: bool
    why: str
    is_draft: bool = False


@dataclass(frozen=True)
class Contest:
    """Thresholds on one figure, direction and severity of which one wins, from far to near."""

    about: str
    components: str
    candidates: Sequence[Candidate]


@dataclass(frozen=True)
class Fires:
    """How often a limit would have fired on a target, and how many violations it would have opened."""

    days: int
    opened: int


@dataclass(frozen=True)
class ScopeTarget:
    """A target in the scope of a threshold: how many of its components are under it, and what wins on the others."""

    target: Target
    words: str
    wins: bool
    fires: Fires | None = None


@dataclass(frozen=True)
class Reach:
    """Where a threshold for a group or for all applies, in a sentence and target by target."""

    sentence: str
    targets: Sequence[ScopeTarget] = field(default_factory=list)

    @property
    def listed(self) -> Sequence[ScopeTarget]:
        return self.targets[:MOST_LISTED]

    @property
    def more(self) -> int:
        return max(0, len(self.targets) - MOST_LISTED)


def contests_of(
    target: Target, metric: str, components: Iterable[str], draft: Threshold | None = None
) -> list[Contest]:
    """
    Every contest on these components, those with the same outcome told once.

    A draft stands in for the threshold of its key, or joins the others where it is new; then only the contests that it
    takes part in are told.
    """
    thresholds = _in_force([target], metric, draft)
    outcomes: dict[tuple[int | None, ...], tuple[ApplicableThreshold, list[str]]] = {}
    for component in components:
        for applicable in find_applicable(thresholds, target, metric, component):
            members = (applicable.threshold, *applicable.over)
            if draft is None or any(member is draft for member in members):
                key = tuple(member.pk for member in members)
                outcomes.setdefault(key, (applicable, []))[1].append(component)
    return [_contest(applicable, names, draft) for applicable, names in outcomes.values()]


def contest_tables(contests: Sequence[Contest]) -> list[FilledTable[Candidate]]:
    """A table for each contest; one that is alone and of all components needs no caption."""
    is_alone = len(contests) == 1 and not contests[0].components
    return [
        Table(
            f"applies-{number}", f"{capital(contest.about)}{f': {contest.components}' if contest.components else ''}",
            CANDIDATES, title="Which limit applies", is_caption_seen=not is_alone,
            row_css=lambda candidate: "is-chosen" if candidate.wins else "",
        ).fill(contest.candidates)
        for number, contest in enumerate(contests, 1)
    ]  # fmt: skip


CANDIDATES: Sequence[Column[Candidate]] = (
    RowHead("where it was set", lambda row: row.place, lambda row: link(row.url, row.place)),
    Column("component", lambda row: row.component, label="component"),
    FigureColumn(
        "limit",
        lambda row: f"{row.limit} {row.unit}".strip(),
        lambda row: after(row.limit, "sub", row.unit),
        css=lambda row: "strong" if row.wins else "",
    ),
    Column("why", lambda row: row.why, css=lambda row: "" if row.wins else "quiet-text"),
    Column("by", lambda row: row.by, css="quiet-text"),
)


def _in_force(targets: Sequence[Target], metric: str, draft: Threshold | None) -> list[Threshold]:
    """What may apply to a statistic of some targets; a draft stands in for the threshold of its key."""
    touching = Threshold.objects.touching(list(targets)).filter(metric=metric)
    thresholds = list(touching.select_related("set_by"))
    if draft is None:
        return thresholds
    return [*(threshold for threshold in thresholds if threshold.pk != draft.pk or draft.pk is None), draft]


def _contest(applicable: ApplicableThreshold, names: Sequence[str], draft: Threshold | None) -> Contest:
    winner = applicable.threshold
    members = [winner, *applicable.over]
    figure, direction, severity = contest_key(winner)
    about = {"upper": "upper limits", "lower": "lower limits", "both": "ranges"}.get(
        direction, "not decided yet"
    )
    on = "" if figure == Threshold.FigureOf.VALUE else f" on {winner.get_figure_display()}"
    listed = ", ".join(name for name in names[:MOST_LISTED] if name)
    more = f" and {figures.whole(len(names) - MOST_LISTED)} more" if len(names) > MOST_LISTED else ""
    return Contest(
        f"{severity} {about}{on}",
        listed + more,
        [_candidate(member, applicable, draft) for member in reversed(members)],
    )


def _candidate(threshold: Threshold, applicable: ApplicableThreshold, draft: Threshold | None) -> Candidate:
    wins = threshold is applicable.threshold
    if not wins:
        winner = applicable.threshold
        why = f"does not apply: {wins_because(winner, threshold)}"
    elif applicable.over:
        why = f"applies: {wins_because(threshold, applicable.over[0])}"
    else:
        why = "applies: no other limit touches this figure"
    is_draft = threshold is draft
    by = "being typed, not saved" if is_draft else _by(threshold)
    return Candidate(
        threshold.scope,
        threshold.component or "all",
        limit_text(threshold, threshold.unit),
        threshold.unit,
        by,
        "" if is_draft else threshold.get_absolute_url(),
        wins,
        why,
        is_draft,
    )


def _by(threshold: Threshold) -> str:
    return f"{threshold.set_by or 'nobody named'}, {figures.long_day(threshold.set_at.date())}"


def reach_of(draft: Threshold) -> tuple[Reach, dict[Target, list[str]], date | None]:
    """
    On which targets a threshold for a group or for all applies, and where another comes before it.

    With it: the components that it would judge on each target, and the newest day with figures.
    """
    targets = [
        target for target in Target.objects.in_estate().select_related("group") if draft.reaches(target)
    ]
    newest: date | None = Coverage.objects.filter(target__in=targets, is_so_far=False).aggregate(
        newest=Max("day")
    )["newest"]
    have = components_on(targets, draft.metric, newest) if newest else {}
    thresholds = _in_force(targets, draft.metric, draft)
    rows, under = [], {}
    for target in targets:
        names = [name for name in have.get(target.pk, []) if draft.covers(name)]
        if names:
            row, mine = _place_target(draft, thresholds, target, names)
            rows.append(row)
            if mine:
                under[target] = mine
    rows.sort(key=lambda row: (row.wins, row.target.name.casefold()))
    if not rows:
        return Reach("No target in its scope has figures of this statistic yet."), {}, None
    wins = sum(row.wins for row in rows)
    if wins == len(rows):
        least = "everywhere"
    elif wins:
        least = f"on {wins} of them; on the others a nearer one wins"
    else:
        least = "nowhere as a whole; a nearer one wins"
    sentence = (
        f"{count(len(rows), 'target').capitalize()} {'has' if len(rows) == 1 else 'have'} this statistic."
        f" This limit applies {least}."
    )
    return Reach(sentence, rows), under, newest


def add_fires(reach: Reach, fires: Mapping[int, Fires]) -> Reach:
    """The reach with how often the limit would have fired, most often first."""
    rows = [replace(row, fires=fires.get(row.target.pk)) for row in reach.targets]
    rows.sort(key=lambda row: -(row.fires.days if row.fires else -1))
    return replace(reach, targets=rows)


def _place_target(
    draft: Threshold, thresholds: Sequence[Threshold], target: Target, names: Sequence[str]
) -> tuple[ScopeTarget, list[str]]:
    under: list[str] = []
    others: list[Threshold] = []
    alike: dict[tuple[bool, ...], list[str]] = {}  # components that the same thresholds cover
    for name in names:
        alike.setdefault(tuple(threshold.covers(name) for threshold in thresholds), []).append(name)
    for members in alike.values():
        for applicable in find_applicable(thresholds, target, draft.metric, members[0]):
            if applicable.threshold is draft:
                under += members
            elif any(loser is draft for loser in applicable.over):
                others.append(applicable.threshold)
    of = f"{len(under)} of {len(names)} components" if len(names) > 1 else ""
    if not others:
        return ScopeTarget(target, f"applies to {of}" if of else "applies", True), under
    winner = others[0]
    why = f"{figures.threshold(winner.notation)} for {winner.scope} wins: {wins_because(winner, draft)}"
    return ScopeTarget(target, f"applies to {of}; {why}" if under else why, False), under

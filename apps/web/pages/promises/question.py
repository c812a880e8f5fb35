"""Which promises an address asks for: of what, of which quarter, and of which kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max, Min
from django.http import Http404

from apps.forecasting.account import QUARTER, quarter_until
from apps.forecasting.models import Promise
from apps.forecasting.promise import PromiseQuerySet
from apps.inventory.models import Group, Target
from apps.web.address import number_in


@dataclass(frozen=True)
class Question:
    """Promises of the estate, of a group or of a target, due in a quarter; those of demo targets, and of days that came by files, are never among others."""

    target: Target | None
    group: Group | None
    kind: str
    is_demo: bool
    is_imported: bool
    until: date
    is_newest: bool

    @property
    def promises(self) -> PromiseQuerySet:
        """All promises of these targets."""
        promises = Promise.objects.all().of_account(is_demo=self.is_demo, is_imported=self.is_imported)
        if self.target is not None:
            promises = promises.filter(target=self.target)
        return promises if self.group is None else promises.filter(target__group=self.group)

    @property
    def due(self) -> PromiseQuerySet:
        """Those of the quarter."""
        return self.promises.due_between(*quarter_until(self.until))

    @property
    def ended(self) -> PromiseQuerySet:
        """Those of the quarter that count."""
        return self.due.ended()

    @property
    def early(self) -> PromiseQuerySet:
        """Those that came although they are not due yet; of an earlier quarter none, whose promises are all due."""
        came = self.promises.filter(outcome=Promise.Outcome.CAME, due_on__gt=self.until)
        return came if self.is_newest else came.none()

    @property
    def first_due_on(self) -> date | None:
        """When the first promise falls due that will count."""
        coming = self.promises.exclude(outcome=Promise.Outcome.WITHDRAWN)
        first = coming.aggregate(first=Min("due_on"))["first"]
        return first if first is None else max(first, self.until)

    @property
    def before(self) -> date:
        """The end of the quarter before."""
        return self.until - timedelta(days=QUARTER)

    @property
    def words(self) -> str:
        """Of what the promises are: "DWPRD", "all targets"."""
        return self.target.name if self.target else self.group.name if self.group else "all targets"


def read_question(query: Mapping[str, str], today: date) -> Question:
    """What an address asks for; the newest quarter where it names none that can be read. Raises Http404."""
    target = _read_target(query.get("target", ""))
    group = Group.objects.filter(name=query.get("group", "")).first() if query.get("group") else None
    is_demo = target.is_demo if target else _is_demo(query.get("demo", ""))
    is_imported = query.get("files", "") == "1"
    newest = _newest_day(is_demo=is_demo, today=today)
    until = min(_day(query.get("until", "")) or newest, newest)
    return Question(target, group, query.get("kind", ""), is_demo, is_imported, until, until == newest)


def _read_target(text: str) -> Target | None:
    if not text:
        return None
    pk = number_in(text)
    target = None if pk is None else Target.objects.filter(pk=pk).first()
    if target is None:
        raise Http404("There is no such target.")
    return target


def _is_demo(text: str) -> bool:
    """Those of the demo where the address says so, or where there are no others yet."""
    if text:
        return text == "1"
    return not Promise.objects.filter(target__is_demo=False).exists() and Target.objects.demo().exists()


def _newest_day(*, is_demo: bool, today: date) -> date:
    targets = Target.objects.in_estate().filter(is_demo=is_demo)
    return targets.aggregate(newest=Max("reviewed_through"))["newest"] or today


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year >= 1970 else None

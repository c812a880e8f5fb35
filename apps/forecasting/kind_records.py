"""What the estate's own promises say of each kind of figure: renewed each day, and heeded by every forecast of the kind."""

from datetime import date, timedelta

from django.db import transaction

from apps.forecasting.account import read_accounts
from apps.forecasting.engine.account import ForecastAccount, find_stretch, find_width
from apps.forecasting.figure_kinds import KindRecords, kind_of_account
from apps.forecasting.models import KindRecord, Promise
from apps.forecasting.promise import PromiseQuerySet

HALF_A_YEAR = 182  # days of promises that fell due


def renew_kind_records(on: date) -> None:
    """Sum up what the promises of the last half year came to, apart for demo targets. Doing so again changes nothing."""
    for is_demo in (False, True):
        promises = Promise.objects.all().of_account(is_demo=is_demo)
        ended = promises.due_between(on - timedelta(days=HALF_A_YEAR - 1), on).ended()
        widths = _find_widths(ended)
        before = KindRecords(is_demo=is_demo).by_kind
        records = [
            _record(kind, account, widths.get(kind, 1.0), before.get(kind), on, is_demo=is_demo)
            for kind, account in read_accounts(ended).by_kind.items()
        ]
        with transaction.atomic():
            KindRecord.objects.filter(is_demo=is_demo).delete()
            KindRecord.objects.bulk_create(records)


def _record(
    kind: str, account: ForecastAccount, width: float, before: KindRecord | None, on: date, *, is_demo: bool
) -> KindRecord:
    is_same = before is not None and before.width == width
    return KindRecord(
        kind=kind,
        is_demo=is_demo,
        width=width,
        width_before=1.0 if before is None else before.width_before if is_same else before.width,
        since=before.since if before is not None and is_same else on,
        promises=account.count,
        in_range=account.in_range,
        days_off=account.own.days_off,
        line_days_off=account.line.days_off,
        is_line_nearer=account.is_line_nearer,
        chance_off=account.chance_off,
        is_untrue=account.is_untrue,
    )


def _find_widths(ended: PromiseQuerySet) -> dict[str, float]:
    """How much wider the bands of each kind must be, by the crossings of which a day was given."""
    came = ended.filter(outcome=Promise.Outcome.CAME).exclude(likely_on=None).exclude(soonest_on=None)
    stretches: dict[str, list[float]] = {}
    for promise in came.only("metric", "happened_on", "soonest_on", "likely_on", "latest_on", "width"):
        stretches.setdefault(kind_of_account(promise.metric), []).append(_stretch(promise))
    return {kind: find_width(values) for kind, values in stretches.items()}


def _stretch(promise: Promise) -> float:
    assert promise.happened_on is not None
    assert promise.likely_on is not None
    assert promise.soonest_on is not None
    late = (promise.happened_on - promise.likely_on).days
    bound = promise.soonest_on if late < 0 else promise.latest_on
    reach = None if bound is None else abs((bound - promise.likely_on).days)
    return find_stretch(late, reach, promise.width)

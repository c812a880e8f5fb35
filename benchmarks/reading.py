"""R: what it costs to read profiles, trends, thresholds, forecast input and movers."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial

import numpy as np
from django.db import connection
from django.test import Client

from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.build import build_profile
from apps.snapshots.dictionary import layout_series
from apps.snapshots.history import read_anchored, read_histories, read_trend
from benchmarks import narrow, outer_peer
from benchmarks.clock import Question, in_turns, pages, question_of, run
from benchmarks.data import SERIES, SYSSTAT, Floats, shapes
from benchmarks.estate import TODAY, TODAYS, BenchmarkEstate, all_series, anchors_of, history_of
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.size import Size

YEAR = 365
WATCHED = 30  # series a target is watched by
MOVERS = 20


def measure(short: BenchmarkEstate, long: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """Reading, with a short and with a long history."""
    short.use()
    targets = short.targets[: size.targets : 4]
    report.add(
        Measurement(
            "R1", "profile of 1,200 series, four days", _profile_pages(targets, [SYSSTAT]), "pages", most=40
        )
    )
    whole = _profile_pages(targets)
    report.add(Measurement("R1b", "profile of all 2,500 series", whole, "pages", most=50))
    _grown(short, long, whole, report)
    short.use()
    _profile(short, size, report)
    _thresholds(short, size, report)
    _movers(short, size, report)
    long.use()
    _trend(long, report)
    _outer(long, size, report)


def profile_question(target: Target, day: date, categories: Sequence[int] | None = None) -> Question:
    """The query of a profile."""
    return question_of(lambda: read_anchored(target.pk, anchors_of(day), categories))


def _profile_pages(targets: Sequence[Target], categories: Sequence[int] | None = None) -> float:
    """Pages, the mean over targets and days; an element is read, so that TOAST counts."""
    touched = []
    for target in targets:
        for day in TODAYS:
            query, parameters = profile_question(target, day, categories)
            touched.append(pages((f'SELECT sum(read."values"[1]) FROM ({query}) AS read', parameters)))
    return float(np.mean(touched))


def _grown(short: BenchmarkEstate, long: BenchmarkEstate, whole: float, report: BenchmarkReport) -> None:
    """R2: the same question of a short and of a long history, in turns and unprepared."""
    questions = {}
    for estate in (short, long):
        estate.use()
        questions[estate.schema] = [
            profile_question(target, day) for target in estate.targets[:4] for day in TODAYS
        ]
    grown = _profile_pages(long.targets[:5])

    def ask(estate: BenchmarkEstate) -> Callable[[int], object]:
        def deed(turn: int) -> None:
            estate.use()
            for question in questions[estate.schema][turn % len(TODAYS) :: len(TODAYS)]:
                run(question)

        return deed

    contenders = {estate.schema: ask(estate) for estate in (short, long)}
    in_turns(len(TODAYS), contenders)
    timings = in_turns(4 * len(TODAYS), contenders)
    words = f"with {long.days:,} days of history / with {short.days}"
    report.add(Measurement("R2", f"its pages {words}", grown / whole, most=1.1))
    report.add(
        Measurement(
            "R2b", f"its time {words}, unprepared", timings[long.schema] / timings[short.schema], most=1.2
        )
    )


def _profile(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """R3: a profile as a frame, from vectors and from narrow rows; and on the way to its page."""
    targets = estate.targets[: size.targets]
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.create_superuser("bench"))

    def each(deed: Callable[[Target, date], object]) -> Callable[[int], object]:
        return lambda turn: deed(targets[turn % len(targets)], TODAYS[turn % len(TODAYS)])

    def page(target: Target, day: date) -> None:
        answer = client.get(target.get_absolute_url(), {"on": day.isoformat()})
        if answer.status_code != 200:
            raise RuntimeError(f"The page of {target.name} answers {answer.status_code}.")

    questions = {(target, day): profile_question(target, day) for target in targets for day in TODAYS}
    contenders = {
        "query": each(lambda target, day: run(questions[target, day])),
        "frame": each(lambda target, day: read_anchored(target.pk, anchors_of(day)).frame),
        "narrow": each(lambda target, day: narrow.read_anchored(target.pk, anchors_of(day))),
        "profile": each(build_profile),
        "page": each(page),
    }
    in_turns(2, contenders)
    timings = in_turns(max(20, size.rounds), contenders)
    report.add(
        Measurement(
            "R3", "profile as a frame / from narrow rows", timings["frame"] / timings["narrow"], most=0.25
        )
    )
    for key, name, words in (
        ("P1", "query", "profile of 2,500 series: the query"),
        ("P2", "frame", "... as a frame"),
        ("P3", "narrow", "... as a frame, from narrow rows"),
        ("P4", "profile", "... built"),
        ("P5", "page", "... as a page"),
    ):
        report.add(Measurement(key, words, 1000 * timings[name], "ms"))


def _watched_series() -> list[int]:
    return [int(pk) for pk in all_series()[:: SERIES // WATCHED][:WATCHED]]


def _thresholds(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """R7 and R8: the series watched, of the whole fleet for a day and of some targets for as long as there is."""
    series, fleet = _watched_series(), [target.pk for target in estate.targets[: size.targets]]
    today = question_of(lambda: read_histories(fleet, series, TODAY, TODAY))
    report.add(
        Measurement(
            "R7",
            "30 series of each target, for the fleet",
            pages(today) / len(fleet),
            "pages/target",
            most=10,
        )
    )
    chunk, first = fleet[:25], TODAY - timedelta(days=min(YEAR, estate.days) - 1)
    picked = question_of(lambda: read_histories(chunk, series, first, TODAY))
    whole = (
        (
            'SELECT target_id, day, layout_id, "values" FROM figure WHERE target_id = ANY(%(targets)s)'
            " AND day BETWEEN %(first)s AND %(last)s AND category = ANY(%(categories)s)"
        ),
        picked[1],
    )
    elements = _by_element(chunk, series, first)
    timings = in_turns(
        5,
        {
            "pick": lambda _: run(picked),
            "elements": lambda _: [run(each) for each in elements],
            "whole": lambda _: run(whole),
        },
    )
    report.add(
        Measurement(
            "R8",
            "forecast input by pick / by single elements",
            timings["pick"] / timings["elements"],
            most=0.8,
        )
    )
    report.add(
        Measurement("R8b", "... by pick / by whole vectors", timings["pick"] / timings["whole"], most=0.6)
    )


def _by_element(targets: list[int], series: list[int], first: date) -> list[Question]:
    """A query per layout that names each element of the vector."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM layout WHERE series_ids && %s::int[]", [series])
        layouts = [layout for (layout,) in cursor.fetchall()]
    questions = []
    for layout, members in layout_series(layouts).items():
        elements = ", ".join(
            f'"values"[{place + 1}]' for place in np.flatnonzero(np.isin(members, series)).tolist()
        )
        questions.append(
            (
                (
                    f"SELECT target_id, day, {elements} FROM figure"
                    " WHERE target_id = ANY(%s) AND day BETWEEN %s AND %s AND layout_id = %s"
                ),
                [targets, first, TODAY, layout],
            )
        )
    return questions


def _movers(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """R11: which series of the fleet changed most in a week: vectors, narrow rows, numpy alone."""
    targets = estate.targets[: size.targets]
    days = [TODAY - timedelta(days=7), TODAY]
    parameters = {"targets": [target.pk for target in targets], "then": days[0], "today": days[1]}
    vectors = (
        (
            'SELECT layout_id, "values" FROM figure WHERE target_id = ANY(%(targets)s) AND day IN (%(then)s, %(today)s)'
            " ORDER BY target_id, category, part, day"
        ),
        parameters,
    )
    rows = (
        (
            "SELECT b.target_id, b.series_id, abs(b.value - a.value) / nullif(abs(a.value), 0) AS change"
            f" FROM {narrow.TABLE} a JOIN {narrow.TABLE} b USING (target_id, series_id)"
            " WHERE a.target_id = ANY(%(targets)s) AND a.day = %(then)s AND b.day = %(today)s"
            " AND a.value <> 'NaN' AND b.value <> 'NaN'"
            f" ORDER BY change DESC NULLS LAST LIMIT {MOVERS}"
        ),
        parameters,
    )
    cube = np.stack([history_of(target, estate.days)[[-8, -1]] for target in targets], axis=1)

    def by_vectors(_: int) -> None:
        layouts, read = zip(*run(vectors), strict=True)
        if layouts[::2] != layouts[1::2]:
            raise RuntimeError("Both days have the same layouts.")
        _largest(np.concatenate(read[::2]), np.concatenate(read[1::2]))

    timings = in_turns(
        15,
        {
            "vectors": by_vectors,
            "narrow": lambda _: run(rows),
            "numpy": lambda _: _largest(cube[0].ravel(), cube[1].ravel()),
        },
    )
    report.add(
        Measurement("R11", "movers / narrow self-join", timings["vectors"] / timings["narrow"], most=0.2)
    )
    report.add(
        Measurement("R11b", "movers / numpy in memory", timings["vectors"] / timings["numpy"], most=12)
    )


def _largest(then: Floats, today: Floats) -> None:
    with np.errstate(all="ignore"):
        change = np.abs(today - then) / np.abs(then)
    np.argpartition(np.where(np.isfinite(change), change, -1.0), -MOVERS)[-MOVERS:]


def _trend(estate: BenchmarkEstate, report: BenchmarkReport) -> None:
    """R5 and R6: one series over a year."""
    target, series, first = estate.targets[0], int(all_series()[500]), TODAY - timedelta(days=YEAR - 1)
    question = question_of(lambda: read_trend(target, series, first, TODAY))
    ((layout, part, place),) = _holding(series)
    bare = (
        (
            f'SELECT day, "values"[{place}] FROM figure WHERE target_id = %s AND category = %s AND part = %s'
            " AND day BETWEEN %s AND %s AND layout_id = %s ORDER BY day"
        ),
        [target.pk, SYSSTAT, part, first, TODAY, layout],
    )
    report.add(Measurement("R5", "trend of 365 days", pages(question), "pages", most=450))
    timings = in_turns(15, {"trend": lambda _: run(question), "bare": lambda _: run(bare)})
    report.add(
        Measurement("R6", "trend / bare element of the vector", timings["trend"] / timings["bare"], most=2)
    )


def _outer(estate: BenchmarkEstate, size: Size, report: BenchmarkReport) -> None:
    """R4 and R5: a profile and a trend, beside an engine for time series that is asked over HTTP."""
    profile, trend = (
        "profile: the query / four queries of VictoriaMetrics, JSON parsed",
        "trend of 365 days / VictoriaMetrics",
    )
    if not outer_peer.is_installed():
        for key, words, most in (("R4", profile, 0.15), ("R5b", trend, 3.0)):
            report.add(Measurement(key, words, np.nan, most=most, missing=outer_peer.ABSENT))
        return
    targets, first, shape = estate.targets[:2], TODAY - timedelta(days=YEAR - 1), shapes()[0]
    series = [int(pk) for pk in all_series()[: size.rounds]]
    profiles = [profile_question(target, day) for target in targets for day in TODAYS]
    trends = [question_of(partial(read_trend, targets[0], pk, first, TODAY)) for pk in series]
    with outer_peer.peer_with(estate, targets) as peer:
        _same(peer, targets[0])
        pairs = [
            {
                "profile": lambda turn: run(profiles[turn]),
                "their profile": lambda turn: peer.profile(
                    targets[turn // len(TODAYS)], TODAYS[turn % len(TODAYS)]
                ),
            },
            {
                "trend": lambda turn: run(trends[turn % len(series)]),
                "their trend": lambda turn: peer.trend(
                    targets[0], shape.keys[turn % len(series)], first, TODAY
                ),
            },
        ]
        timings: dict[str, float] = {}
        for pair in pairs:
            in_turns(len(profiles), pair)
            timings |= in_turns(len(profiles), pair)
    report.add(Measurement("R4", profile, timings["profile"] / timings["their profile"], most=0.15))
    report.add(Measurement("R5b", trend, timings["trend"] / timings["their trend"], most=3.0))


def _same(peer: outer_peer.Peer, target: Target) -> None:
    """Both hold the same figures, or there is nothing to compare."""
    frame = read_anchored(target.pk, anchors_of(TODAY)).frame
    for day, theirs in zip(frame.columns, peer.profile(target, TODAY), strict=True):
        ours = {(metric, component): value for (_, metric, component), value in frame[day].dropna().items()}
        if any(theirs[key] != value for key, value in ours.items()):
            raise RuntimeError(f"{outer_peer.PROGRAM} holds other figures of {day}.")


def _holding(series: int) -> list[tuple[int, int, int]]:
    """The layouts that hold a series: layout, part, and its place from 1."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, part, array_position(series_ids, %s) FROM layout WHERE series_ids @> ARRAY[%s]",
            [series, series],
        )
        return list(cursor.fetchall())

"""Packs of limits: those that come along, applied, exported, imported."""

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from apps.collection.tests.scripted import BOOT, instance, prepare
from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.packs import BadPack, apply_pack, export_pack, load_packs, parse_pack, plan_pack
from apps.thresholds.register import add_threshold

PACK = """
pack: mine
title: Mine
limits:
- {statistic: x_used, component: DATA*, limit: <=100 MB, opens_after: 2, opens_within: 3, source: a book}
- {statistic: x_used, limit: <=500, severity: critical, lead_time_days: 7, plan: Add a file., leaves_out_peaks: true}
- {statistic: x_redo, limit: 50 GB/day, figure: value}
- {statistic: x_busy_pct, limit: <90}
- {statistic: x_nothing, limit: <90}
"""


@pytest.fixture
def target(db: None) -> Target:
    prepare()
    return instance(group=Group.objects.create(name="Warehouse"))


@pytest.fixture
def planner(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("planner", may_change=True))
    return client


def kinds(pack: str, target: Target) -> list[str]:
    return [planned.kind for planned in plan_pack(parse_pack(pack), target=target)]


def applied(pack: str, **scope: object) -> list[Threshold]:
    return apply_pack(parse_pack(pack), by=None, now=timezone.now(), **scope)  # type: ignore[arg-type]


def test_every_pack_that_comes_along_can_be_applied_as_a_whole_and_names_its_sources(db):
    packs = {pack.name: pack for pack in load_packs()}

    assert packs.keys() == {"oltp", "warehouse", "mixed", "host", "suggestions", "host-suggestions"}
    for pack in packs.values():
        assert {limit.kind for limit in plan_pack(pack)} == {"new"}, pack.name
        assert all(limit.source for limit in pack.limits), pack.name
    made = apply_pack(packs["oltp"], by=None, now=timezone.now())
    assert len(made) == len(packs["oltp"].limits)
    assert {limit.kind for limit in plan_pack(packs["oltp"])} == {"same"}


def test_THR1_the_suggestions_of_the_catalogue_have_the_limit_of_the_slide_with_its_source(db):
    (pack,) = (pack for pack in load_packs() if pack.name == "suggestions")
    (redo,) = (limit for limit in pack.limits if limit.statistic == "redo_size")

    assert redo.notation == "<=50 GB/day"
    assert redo.source.startswith("K. Manoharan")


@pytest.mark.parametrize(
    ("name", "statistic", "limits"),
    [
        ("suggestions", "redo_log_groups", [">=4", ">=3"]),
        ("suggestions", "sessions_per_core", ["<50", "<100"]),
        ("host-suggestions", "host_runq:p95", ["<10 threads"]),
        ("host-suggestions", "host_mem_used_pct", ["<90 %", "<95 %"]),
    ],
)
def test_suggestions_that_are_numbers_are_limits(name, statistic, limits):
    (pack,) = (pack for pack in load_packs() if pack.name == name)

    assert [limit.notation for limit in pack.limits if limit.statistic == statistic] == limits


def test_suggestions_that_are_no_limits_say_why_where_the_pack_is_chosen(planner):
    html = planner.get(reverse("packs")).content.decode()

    left_out = {exclusion.statistic: exclusion for pack in load_packs() for exclusion in pack.left_out}
    assert {"aas", "ts_days_to_full", "lfs_lfpw_gap_ms", "host_icsw_pct"} < left_out.keys()
    for exclusion in left_out.values():
        assert exclusion.suggestion
        assert exclusion.why.endswith(".")
        assert escape(exclusion.why) in html


def test_what_a_pack_leaves_out_need_not_be_written_well():
    assert parse_pack(f"{PACK}left_out: [3, {{statistic: aas}}]").left_out[0].statistic == "aas"
    assert parse_pack(f"{PACK}left_out: no").left_out == []


def test_a_preview_says_what_is_new_what_changes_and_what_is_refused_and_why(target):
    add_threshold("x_used", "<=80 MB", now=BOOT, target=target, component="DATA*")
    add_threshold("x_redo", "<=50", now=BOOT, target=target)

    planned = plan_pack(parse_pack(PACK), target=target)

    assert [limit.kind for limit in planned] == ["changes", "new", "same", "refused", "refused"]
    assert planned[0].why == "limit <=80 MB → <=100 MB, opens after 1 → 2, opens within 1 → 3"
    assert planned[3].why == "SCRIPT has no statistic x_busy_pct; it is one of another platform"
    assert planned[4].why == "x_nothing is not a statistic of the catalogue."
    assert Threshold.objects.count() == 2


def test_applying_a_pack_again_changes_nothing_and_touches_no_other_limit(target):
    other = add_threshold("x_used", "<=1", now=BOOT, target=target, component="TEMP")[0]

    made = applied(PACK, target=target)

    assert [threshold.notation for threshold in made] == ["<=100 MB", "<=500", "50 GB/day"]
    assert kinds(PACK, target) == ["same", "same", "same", "refused", "refused"]
    assert applied(PACK, target=target) == []
    other.refresh_from_db()
    assert other.notation == "<=1"
    first, second = made[0], made[1]
    assert (first.opens_after, first.opens_within) == (2, 3)
    assert (second.severity, second.lead_time_days, second.plan, second.leaves_out_peaks) == (
        "critical", 7, "Add a file.", True,
    )  # fmt: skip
    assert first.changes.get().words == "set ≤100 MB (pack Mine: a book)"


def test_a_pack_may_be_for_a_group_or_all(target):
    applied(PACK, group=target.group)
    applied(PACK)

    assert Threshold.objects.filter(group=target.group).count() == 4
    assert Threshold.objects.filter(group=None, target=None).count() == 4


def test_what_is_exported_is_imported_again_as_the_same_limits(target):
    applied(PACK, target=target)
    add_threshold(
        "x_used", "<=95 unless >=50 GB free", now=BOOT, target=target, component="TEMP", recovery_gap=5.0
    )
    for notation, metric in (
        ("0", "x_read_ms"),
        ("no change", "x_calls"),
        ("10..20", "x_hit_pct"),
        (">=3", "x_cpu"),
    ):
        add_threshold(metric, notation, now=BOOT, target=target)

    text = export_pack(Threshold.objects.filter(target=target), "mine", "Mine")

    assert set(kinds(text, target)) == {"same"}
    elsewhere = instance("OTHER")
    assert len(applied(text, target=elsewhere)) == 8
    assert "owner" not in text
    assert yaml.safe_load(text)["limits"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A pack has a list named limits"),
        ("limits: 3", "A pack has a list named limits"),
        ("- 1\n- 2", "A pack has a list named limits"),
        ("limits: []", "The pack has 0 limits; give from 1 to 500"),
        ("limits:\n  - {statistic: x", "This is not YAML at line"),
        ("limits: !!python/object/apply:os.system ['true']", "There is a tag"),
        ("limits: [{statistic: x_used, limit: 5, limit: 6}]", "“limit” stands twice at line 1"),
        ("limits: [{? [a] : b}]", "There is a list or a mapping in place of a name"),
        ("limits: [5]\n---\nlimits: [6]", "A second document begins at line 2"),
        ('title: "\\0"\nlimits: [5]', "There is a character that nobody can type at line 1"),
        ("title: \ud800", "a character in it that nobody can type"),
        ("x" * 200_001, "give at most 200,000"),
    ],
)
def test_what_is_not_a_pack_gets_a_sentence(text, sentence):
    with pytest.raises(BadPack, match=sentence) as refused:
        parse_pack(text)

    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("5", "it is not a statistic with a limit"),
        ("{statistic: x_used}", "Give a limit in MB"),
        ("{statistic: x_used, limit: 2 parsecs}", "2 parsecs” is not a unit of used"),
        ("{statistic: x_used, limit: <}", "is not a limit"),
        ("{statistic: x_redo, limit: 5, component: DATA}", "has no components"),
        ("{statistic: x_used, limit: 5, severity: mild}", "severity is “mild”; give warning or critical"),
        ("{statistic: x_used, limit: 5, figure: monday}", "figure is “monday”; give value"),
        ("{statistic: x_used, limit: 5, opens_after: 0}", "opens_after is “0”; give a number from 1 to 365"),
        ("{statistic: x_used, limit: 5, opens_after: 2.5}", "give a whole number"),
        ("{statistic: x_used, limit: 5, opens_after: yes}", "opens_after is “yes”"),
        ("{statistic: x_used, limit: 5, opens_after: 3}", "opens_within cannot be less than opens_after"),
        ("{statistic: x_used, limit: 5, recovery_gap: .nan}", "recovery_gap is “.nan”"),
        ("{statistic: x_used, limit: 5, colour: red}", "colour is not known; a limit has"),
        ("{statistic: x_read_ms, limit: 10 (Reads) 2 (Write)}", "two limits in one"),
    ],
)
def test_a_limit_that_is_wrong_is_refused_alone_and_says_why(target, entry, why):
    pack = parse_pack(f"limits:\n- {{statistic: x_used, component: A, limit: 5}}\n- {entry}")

    planned = plan_pack(pack, target=target)

    assert [limit.kind for limit in planned] == ["new", "refused"]
    assert why in planned[1].why


def test_a_limit_that_a_pack_has_twice_is_refused_the_second_time(target):
    entry = "{statistic: x_used, limit: 5}"

    assert kinds(f"limits:\n- {entry}\n- {entry}", target) == ["new", "refused"]


# ── pages ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_pack_is_previewed_and_the_chosen_limits_are_set(planner, target):
    assert "OLTP" in planner.get(reverse("packs")).content.decode()
    file = SimpleUploadedFile("mine.yaml", PACK.encode())

    html = planner.post(reverse("pack"), {"file": file, "target": target.pk}).content.decode()
    assert "Mine for SCRIPT" in html
    assert "3 new, 2 refused" in html
    assert not Threshold.objects.exists()

    planner.post(reverse("pack_apply"), {"text": PACK, "target": target.pk, "take": ["0", "2"]})
    assert sorted(threshold.notation for threshold in Threshold.objects.all()) == ["50 GB/day", "<=100 MB"]
    assert {str(threshold.set_by) for threshold in Threshold.objects.all()} == {"planner"}


def test_a_limit_is_edited_in_the_table_before_it_is_set(planner, target):
    typed = {"text": PACK, "target": target.pk, "take": ["0"], "limit:0": "<=120 MB"}

    planner.post(reverse("pack_apply"), typed)

    assert [threshold.notation for threshold in Threshold.objects.all()] == ["<=120 MB"]


def test_of_an_edited_limit_that_is_none_it_is_said_and_nothing_is_saved(planner, target):
    typed = {"text": PACK, "target": target.pk, "take": ["0", "2"], "limit:0": "2 parsecs"}

    html = planner.post(reverse("pack_apply"), typed).content.decode()

    assert "Nothing is saved yet: a limit below needs another look." in html
    assert "“parsecs”" in html or "2 parsecs" in html
    assert 'value="2 parsecs"' in html
    assert not Threshold.objects.exists()


def test_the_export_is_a_file_that_can_be_taken_elsewhere(planner, target):
    applied(PACK, target=target)

    answer = planner.get(reverse("thresholds_export"), {"target": target.pk})

    assert answer["Content-Disposition"] == 'attachment; filename="limits-SCRIPT.yaml"'
    assert len(yaml.safe_load(answer.content)["limits"]) == 3
    assert yaml.safe_load(planner.get(reverse("thresholds_export")).content)["limits"] == []


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"text": "limits: 3"}, "A pack has a list named limits"),
        ({"name": "nothing"}, "There is no pack named nothing"),
        ({"text": ""}, "Give a file, or paste the text"),
        ({"file": b"\xff\xfe\x00"}, "The file is not text in UTF-8"),
    ],
)
def test_what_cannot_be_imported_is_said_and_what_was_typed_stays(planner, target, typed, sentence):
    if "file" in typed:
        typed = {"file": SimpleUploadedFile("x.yaml", typed["file"])}

    html = planner.post(reverse("pack"), typed).content.decode()

    assert sentence in html
    if typed.get("text"):
        assert str(typed["text"]) in html


def test_none_chosen_saves_nothing(planner, target):
    html = planner.post(reverse("pack_apply"), {"text": PACK, "target": target.pk}).content.decode()

    assert "No limit is chosen, so nothing is saved" in html
    assert not Threshold.objects.exists()

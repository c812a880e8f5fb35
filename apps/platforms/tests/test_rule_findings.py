"""The cases of each rule from readings to findings: recorded, rolled up, tried in the night."""

import pytest

from apps.advisors.engine.finding_rules import all_finding_rules, find_finding_rule
from apps.advisors.models import RuleTrial
from apps.advisors.rule_figures import source_of
from apps.catalog.registry import get_metric
from apps.platforms.linux.switches import AFTER, BEFORE, read_switches
from apps.platforms.tests.rule_scene import DAY, EVENT, FILE, IDLE, RECIPES, Scene, add_wait, new_scene
from apps.platforms.tests.test_rule_cases import CASES, rule_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.rule} {number}") for number, case in enumerate(CASES)]
)
def test_a_case_that_is_read_becomes_a_finding_or_none(case):
    scene, rule = new_scene(), rule_of(case)
    for key, value in case.figures.items():
        RECIPES[key](scene, value, case.figures)
    scene.play()

    findings = scene.try_rules()

    missing = {key: names for trial in RuleTrial.objects.all() for key, names in trial.missing.items()}
    assert missing.get(rule.key, []) == []
    finding = findings.get(rule.key)
    assert (finding.weight if finding else "quiet") == case.expected
    if finding:
        assert (finding.opened_on, finding.seen_on, finding.closed_on) == (DAY, DAY, None)
        figures = finding.evidence[0]["figures"]
        expected = {key: value for key, value in case.figures.items() if key in figures}
        assert figures == pytest.approx({**figures, **expected}, rel=1e-4)


# ── guards, in the night ──────────────────────────────────────────────────────────────────────────────────────────────


def findings_of(scene: Scene) -> set[str]:
    scene.play()
    return set(scene.try_rules())


def test_io_wait_lets_nothing_fire():
    scene = new_scene()
    for key, share in (("user", 20), ("sys", 3), ("iowait", 38), ("steal", 0), ("idle", 39)):
        scene.level(f"sysstat_cpu_{key}_pct", share)

    assert findings_of(scene) == set()


def test_a_load_average_is_no_run_queue():
    scene = new_scene()
    for key in ("sysstat_load_1", "sysstat_load_5", "sysstat_load_15", "host_cpus"):
        scene.level(key, 8 if key == "host_cpus" else 300)
    scene.level("thread_involuntary_per_s", 50)
    scene.level("thread_voluntary_per_s", 50)

    assert findings_of(scene) == set()


@pytest.mark.parametrize(
    ("involuntary", "rules"), [(30, {"CPU_BOTTLENECK"}), (330, {"CPU_BOTTLENECK", "LGWR_PREEMPTED"})]
)
def test_switches_as_proc_shows_them_let_their_rules_fire(involuntary, rules):
    scene = new_scene()
    RECIPES["host_runq_p95"](scene, 40, {})
    scene.level("host_cpus", 8)
    texts = {
        BEFORE: "100.0 9\n1 50 5 systemd\n700 1000 10 ora_lgwr_ORCL\n",
        AFTER: f"101.0 9\n1 60 5 systemd\n700 1080 {involuntary} ora_lgwr_ORCL\n",
    }
    for reading in read_switches(texts):
        read = scene.grow if reading.component else scene.level  # log writers are counted from day to day
        read(reading.metric, reading.value, reading.component)

    assert findings_of(scene) == rules


def test_a_poor_hit_ratio_or_a_poor_past_lets_nothing_fire():
    scene = new_scene()
    scene.level("pga_cache_hit_pct", 12)
    for key, blocks in (
        ("physical_reads_cache", 9e6),
        ("consistent_gets_cache", 8e6),
        ("db_block_gets_cache", 2e6),
    ):
        scene.grow(key, blocks)

    assert findings_of(scene) == set()


@pytest.mark.parametrize(("waits", "rules"), [(99, set()), (100, {"COMMIT_GAP_CPU"})])
def test_an_average_of_few_waits_is_not_judged(waits, rules):
    scene = new_scene()
    for event, milliseconds in (("log file sync", 50), ("log file parallel write", 1)):
        scene.grow("wait_count", waits, event)
        scene.grow("wait_time", waits * milliseconds * 1000, event)

    assert findings_of(scene) == rules


@pytest.mark.parametrize(("count", "rules"), [(999, set()), (1000, {"DATAFILE_SLOW"})])
def test_an_average_of_few_requests_is_not_judged(count, rules):
    scene = new_scene()
    RECIPES["datafile_avg_ms"](scene, 30, {"datafile_io_day": count})

    assert findings_of(scene) == rules


@pytest.mark.parametrize(("event", "rules"), [(IDLE, set()), (EVENT, {"WAIT_TREND"})])
def test_an_idle_event_has_no_trend(event, rules):
    scene = new_scene()
    add_wait(scene, 18, {"wait_avg_cs_90d": 9}, event)

    assert findings_of(scene) == rules


def test_what_did_not_occur_is_quiet_and_not_missing():
    scene = new_scene()
    scene.grow("wait_count", 1000, "db file sequential read")
    scene.grow("wait_time", 1e6, "db file sequential read")
    for key in get_metric("px_downgrade_pct").ingredients:
        scene.grow(key, 0)

    assert findings_of(scene) == set()
    missing = RuleTrial.objects.get(target=scene.instance).missing
    assert not {"COMMIT_SLOW", "REDO_WRITE_SLOW", "CKPT_INCOMPLETE", "PX_DOWNGRADE"} & missing.keys()


def test_a_record_that_stood_is_no_spike_of_the_day():
    scene = new_scene()
    RECIPES["datafile_avg_ms"](scene, 10, {})
    scene.level("datafile_max_ms", 6.8, FILE)

    assert findings_of(scene) == set()


def test_an_instance_without_a_host_says_what_would_give_its_figures():
    scene = new_scene()
    scene.instance.runs_on = None
    scene.instance.save()
    RECIPES["sgas_gb"](scene, 60, {})

    assert findings_of(scene) == set()
    missing = RuleTrial.objects.get(target=scene.instance).missing
    assert missing["HP_SIZE"] == ["is_linux", "host_hugepages_total", "hugepages_needed"]
    rule = find_finding_rule("HP_SIZE")
    assert rule is not None
    assert source_of(rule.inputs[1]) == "Register the host that the instance runs on, and let it be read."


def test_every_input_says_what_would_give_it():
    inputs = {declared.key: declared for rule in all_finding_rules() for declared in rule.inputs}

    sentences = {key: source_of(declared) for key, declared in inputs.items()}

    assert [key for key, sentence in sentences.items() if not sentence.endswith(".")] == []

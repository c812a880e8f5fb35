"""Which of several limits applies, and why."""

import pytest

from apps.collection.tests.scripted import BOOT, instance
from apps.inventory.models import Group, Target
from apps.thresholds.models import Threshold
from apps.thresholds.precedence import find_applicable
from apps.thresholds.register import BadThreshold, add_threshold

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    return instance(group=Group.objects.create(name="Data warehouse"))


def limit(notation: str, metric: str = "x_used", **scope: object) -> Threshold:
    (made,) = add_threshold(metric, notation, now=BOOT, **scope)  # type: ignore[arg-type]
    return made


def winners(target: Target, component: str, metric: str = "x_used") -> list[str]:
    applicable = find_applicable(Threshold.objects.touching([target]), target, metric, component)
    return sorted(rule.threshold.notation for rule in applicable)


def test_the_targets_own_limit_wins_over_the_groups_and_that_over_the_one_for_all(target):
    limit("1")
    assert winners(target, "DATA") == ["1"]

    limit("2", group=target.group)
    assert winners(target, "DATA") == ["2"]

    limit("3", target=target)
    assert winners(target, "DATA") == ["3"]


def test_a_named_component_wins_over_a_pattern_and_that_over_all_components(target):
    limit("1", target=target)
    limit("2", target=target, component="DATA*")
    limit("3", target=target, component="DATA_2026")

    assert winners(target, "DATA_2026") == ["3"]
    assert winners(target, "DATA_2025") == ["2"]
    assert winners(target, "USERS") == ["1"]


def test_the_scope_counts_before_the_component(target):
    limit("1", component="DATA")
    limit("2", target=target)

    assert winners(target, "DATA") == ["2"]


@pytest.mark.parametrize(
    ("loose", "strict"), [("20", "10"), ("10", "<10"), ("<=0.5", "0"), (">=90", ">=95"), (">=95", ">95"), ("1..20", "5..9"), ("-5", "-7")]
)  # fmt: skip
def test_of_two_equal_ones_the_stricter_wins(target, loose, strict):
    limit(loose, target=target)
    limit(strict, target=target)

    assert winners(target, "DATA") == [strict]


def test_warning_and_critical_upper_and_lower_value_and_change_hold_side_by_side(target):
    limit("80", target=target)
    limit("95", target=target, severity="critical")
    limit(">=5", target=target)
    limit("50", target=target, figure="change_7")

    assert winners(target, "DATA") == ["50", "80", "95", ">=5"]


def test_a_limit_of_another_target_or_group_does_not_reach(target):
    limit("1", target=instance("OTHER"))
    limit("2", group=Group.objects.create(name="Payroll"))

    assert winners(target, "DATA") == []


def test_the_page_says_which_one_applies_and_why(target):
    limit("1")
    limit("2", target=target)

    (applicable,) = find_applicable(Threshold.objects.touching([target]), target, "x_used", "DATA")

    assert (
        applicable.why
        == "Set for SCRIPT; it wins over 1 for all targets, because a target comes before all targets."
    )


@pytest.mark.parametrize(
    ("own", "other", "why"),
    [
        ({"group": True}, {}, "a group comes before all targets"),
        ({"target": True, "component": "DATA"}, {"target": True, "component": "D*"}, "a named component comes before a pattern"),
        ({"component": "D*"}, {}, "a pattern comes before all components"),
        ({"notation": "1"}, {"notation": "2"}, "1 is stricter"),
        ({"notation": "2", "severity": "critical"}, {"notation": "2.0", "severity": "critical"}, "they are equally strict and it was set first"),
    ],
)  # fmt: skip
def test_each_rule_by_which_one_wins_has_its_words(target, own, other, why):
    def scoped(fields: dict[str, object]) -> dict[str, object]:
        places = {"target": target, "group": target.group}
        return {"notation": "5", **fields, **{name: places[name] for name in places if name in fields}}

    winner, loser = limit(**scoped(own)), limit(**scoped(other))  # type: ignore[arg-type]

    (applicable,) = find_applicable(Threshold.objects.touching([target]), target, "x_used", "DATA")

    assert (applicable.threshold, list(applicable.over)) == (winner, [loser])
    assert applicable.why.endswith(f"because {why}.")


def test_a_withdrawn_limit_does_not_apply(target):
    withdrawn = limit("1")
    withdrawn.withdrawn_at = BOOT
    withdrawn.save()

    assert winners(target, "DATA") == []


def test_the_unit_of_a_bare_number_is_stored_with_the_limit(target):
    assert limit("2", metric="x_read_ms", target=target).unit == "cs"
    assert limit("20", target=target, figure="change_30").unit == "%"


def test_THR2_a_split_limit_goes_to_the_two_statistics_it_names(target):
    reads, writes = add_threshold("x_read_ms", "10ms (Reads) 2ms (Write)", now=BOOT, target=target)

    assert (reads.metric, reads.notation, reads.high) == ("x_read_ms", "10ms", 1)
    assert (writes.metric, writes.notation, writes.high) == ("x_write_ms", "2ms", pytest.approx(0.2))


@pytest.mark.parametrize(
    ("metric", "notation", "fields", "sentence"),
    [
        ("x_used", "10 (Reads) 2 (Write)", {}, "does not name a part of x_used"),
        ("x_busy_pct", "90", {}, "SCRIPT has no statistic x_busy_pct"),
        ("x_redo", "50", {"component": "DATA"}, "leave the component empty"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_and_nothing_is_saved(
    target, metric, notation, fields, sentence
):
    with pytest.raises(BadThreshold, match=sentence):
        add_threshold(metric, notation, now=BOOT, target=target, **fields)

    assert not Threshold.objects.exists()

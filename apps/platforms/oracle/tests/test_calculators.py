"""Calculators have the figures of the method: on the command line, and on their pages."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from apps.advisors.calculators import all_calculators
from apps.catalog.registry import get_metric
from apps.catalog.units import convert
from apps.platforms.oracle.tests.lives import Life
from apps.platforms.oracle.tests.slide import slide_lived
from apps.web.tests.scenes import signed_in

pytestmark = pytest.mark.django_db

# id, calculator, inputs, figures: (name, value, digits that are asserted)
GOLDEN = [
    ("STU2", "log-buffer", "buffer=4 rate=9.45", [("fill_s", 0.42, 2)]),
    ("STU2", "log-buffer", "buffer=72 rate=14", [("fill_s", 5.1, 1)]),
    ("STU3", "log-switch", "member=500 rate=9.45", [("interval_s", 52.9, 1)]),
    ("T4", "log-switch", "member=1500 rate=10.1", [("interval_s", 148.5, 1)]),
    ("T4", "log-switch", "member=8192 rate=10.1 wanted=7", [("interval_s", 811.1, 1), ("member_mb_for_wanted", 4242, 0)]),
    ("STU4", "log-switch", "member=8192 rate=10.1 archiver=150", [("archive_s", 54.6, 1)]),
    ("STU5", "queue-depth", "requests=4 depth=2", [("in_lun", 2, 0), ("in_host", 2, 0)]),
    ("STU6", "queue-law", "rate=0.7 service=22.4 measured=0.0", [("active", 0.016, 3), ("apart", -0.016, 3)]),
    ("STU7", "queue-depth", "requests=40 depth=30 luns=20", [("in_host", 10, 0), ("of_port", 600, 0)]),
    ("STU10", "tlb-reach", "size=16 page=8 buffer=1", [("mappings", 2_097_152, 0), ("entries", 65_536, 0)]),
    ("STU10", "tlb-reach", "size=16 page=4 buffer=1", [("mappings", 4_194_304, 0)]),
    ("STU10", "tlb-reach", "size=12 page=4096 buffer=1 rss_factor=384", [("mappings", 3072, 0), ("needed_kb", 48, 0), ("filled_percent", 75, 0)]),
    ("STU10", "tlb-reach", "size=12 page=4096 buffer=1 rss_factor=308", [("filled_percent", 60, 0)]),
    ("STU11", "page-tables", "sessions=30 sga=60 page=4 measured=3.51 memory=94.4", [("bytes_per_process", 120 * 1024**2, 0), ("processes_of_measured", 30, 0), ("percent_of_memory", 3.7, 1)]),
    ("STU12", "huge-pages", "sga=60 pool=35893 free=5245 promised=73 page=2048 memory=94.413", [("needed_pages", 30_721, 0), ("used_pages", 30_721, 0), ("used_gb", 60.0, 1), ("surplus_pages", 5172, 0), ("surplus_gb", 10.1, 1), ("spare_pages", 5172, 0)]),
    ("STU12", "huge-pages", "sga=60 pool=1000 free=1000 promised=0 page=2048", [("surplus_gb", 1.953, 3), ("spare_pages", -29_721, 0)]),
    ("STU13", "huge-pages", "sga=60 pool=30720 free=0 promised=0 page=2048", [("spare_pages", -1, 0)]),
    ("STU16", "start-up-faults", "size=10 page=2048 before=37.5 after=25.7", [("faults", 5120, 0), ("change_percent", -31, 0)]),
    ("STU16", "huge-pages", "sga=7.8125 pool=4001 free=0 promised=0 page=2048", [("needed_pages", 4001, 0)]),
    ("STU17", "numa-share", "before=3587;3956 after=1331;3951", [("percent_on_one_node", 99.8, 1), ("node", 0, 0)]),
    ("STU18", "numa-cost", "far=156 near=97 slow=1.116 quick=0.931 nodes=4", [("change_percent", -38, 0), ("elapsed_percent", 20, 0), ("local_percent", 25, 0)]),
    ("STU19", "numa-spread", "pages=3800 page=2048 size=7584", [("pool_mb", 7600, 0), ("left_mb", 16, 0)]),
    ("STU20", "login-storm", "servers=25 pool=25 cpu=2.5 cores=4 sga=5", [("clients", 625, 0), ("drain_s", 391, 0), ("load", 156, 0), ("advised_clients", 125, 0), ("page_tables_gb", 6.1, 1)]),
    ("STU20", "login-storm", "servers=25 pool=25 cpu=0.15 cores=4", [("drain_s", 23, 0)]),
    ("STU21", "licence", "cores=8 cores_then=16 factor=0.5 price=47500", [("licences", 4, 0), ("licences_then", 8, 0), ("change_percent", 100, 0), ("cost", 190_000, 0)]),
]  # fmt: skip


def computed_by(*arguments: str) -> dict[str, object]:
    out = StringIO()
    call_command("calculate", *arguments, "--json", stdout=out)
    return dict(json.loads(out.getvalue()))


@pytest.mark.parametrize(
    ("row", "key", "inputs", "figures"), GOLDEN, ids=[f"{row[0]} {row[1]} {row[2]}" for row in GOLDEN]
)
def test_a_calculator_has_its_golden_figures(row, key, inputs, figures):
    computed = computed_by(key, *inputs.split(" "))["figures"]

    assert isinstance(computed, dict)
    for name, value, digits in figures:
        assert round(computed[name], digits) == value, name


def test_every_calculator_answers_to_its_own_examples_on_its_page():
    reader = signed_in()
    listed = reader.get(reverse("calculators")).text
    for calculator in all_calculators():
        address = reverse("calculator", args=[calculator.key])
        examples = {declared.key: declared.example for declared in calculator.inputs}

        empty, page = reader.get(address).text, reader.get(address, examples).text

        assert f'href="{address}"' in listed
        assert calculator.question in empty
        assert "The same as a command" not in empty
        assert "The same as a command" in page, calculator.key
        assert 'class="wrong"' not in page, calculator.key


def test_STU13_one_page_short_is_told_as_short_of_all():
    page = signed_in().get(
        reverse("calculator", args=["huge-pages"]),
        {"sga": "60", "pool": "30720", "free": "0", "promised": "0", "page": "2048"},
    )

    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.text)).replace("\N{NARROW NO-BREAK SPACE}", ",")
    assert "60 GB of SGA need 30,721 huge pages; the pool has 30,720." in text.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert "It is one page short, and one page short is short of all." in text


@pytest.mark.parametrize(
    ("key", "inputs", "sentence"),
    [
        ("log-buffer", {"buffer": "0", "rate": "9"}, "Give log buffer from 0.01 to"),
        ("log-buffer", {"buffer": "four", "rate": "9"}, "“four” is no number"),
        ("log-buffer", {"buffer": "nan", "rate": "9"}, "“nan” is no number"),
        ("log-buffer", {"buffer": "4", "rate": ""}, "Give redo at peak, for example 9.45."),
        ("queue-depth", {"requests": "4", "depth": "2.5"}, "Depth is a whole number."),
        ("numa-share", {"before": "3587", "after": "1331"}, "two at least"),
        ("numa-share", {"before": "10 10", "after": "20 20"}, "Nothing was taken"),
        ("huge-pages", {"sga": "60", "pool": "10", "free": "20", "promised": "0", "page": "2048"}, "part of the pool"),
        ("huge-pages", {"sga": "60 <b>", "pool": "10", "free": "0", "promised": "0", "page": "2048"}, "is no number"),
        ("log-switch", {"member": "1e400", "rate": "9"}, "is no number"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence_and_keeps_what_was_typed(key, inputs, sentence):
    page = signed_in().get(reverse("calculator", args=[key]), inputs).text

    assert sentence in page
    assert "The same as a command" not in page
    for value in filter(str.isalnum, inputs.values()):
        assert f'value="{value}"' in page


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing"], "There is no calculator named nothing. There are: "),
        (["log-buffer", "size=4"], "has no input size"),
        (["log-buffer", "buffer=4"], "rate: Give redo at peak"),
        (["log-buffer", "buffer=4", "rate=9", "--target", "NOWHERE"], "There is no target named NOWHERE"),
        (["huge-pages", "sga=60", "pool=10", "free=20", "promised=0", "page=2048"], "part of the pool"),
    ],
)
def test_the_command_says_what_is_wrong(arguments, sentence):
    with pytest.raises(CommandError, match=re.escape(sentence)):
        call_command("calculate", *arguments)


def test_a_calculator_that_does_not_exist_is_not_found():
    assert signed_in().get(reverse("calculator", args=["nothing"])).status_code == 404


@pytest.fixture(scope="module")
def lived(django_db_setup: None, django_db_blocker: Any) -> Iterator[Life]:
    """An instance that was read on four days."""
    with django_db_blocker.unblock(), slide_lived() as life:
        yield life


def test_STU3_what_a_target_has_is_filled_in_and_what_is_typed_over_it_is_marked(lived):
    target, reader = lived.target(), signed_in()
    address = reverse("calculator", args=["log-switch"])
    assert lived.figures()["redo_log_member_bytes", ""] == 500

    computed = computed_by("log-switch", "rate=9.45", "--target", target.name)
    page = reader.get(address, {"target": target.pk, "rate": "9.45"}).text
    changed = reader.get(address, {"target": target.pk, "member": "1500", "rate": "9.45"}).text

    assert computed["inputs"] == {"member": [500.0], "rate": [9.45], "wanted": [], "archiver": []}
    assert 'value="500"' in page
    assert f"size of the smallest log member of {target.name} on" in page
    assert "changed</span>" not in page
    assert "changed</span>" in changed
    assert f'href="{address}?target={target.pk}"' in changed


def test_statistics_that_fill_in_exist_and_have_the_unit_of_their_input():
    for calculator in all_calculators():
        for declared in calculator.inputs:
            if declared.metric:
                metric = get_metric(declared.metric)
                assert not metric.component_kind
                convert(1.0, metric.display_unit, declared.unit or metric.display_unit)

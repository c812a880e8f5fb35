"""S4, S11: YAML that people give is bounded before anything is made of it, and each refusal is a sentence."""

import time
from pathlib import Path

import pytest
import yaml

from apps.thresholds.engine.plain_yaml import BadYaml, read_yaml
from apps.thresholds.packs import BadPack, parse_pack

SHIPPED = sorted(Path(__file__).parents[2].glob("platforms/*/packs/*.yaml"))
BOMB = "\n".join(
    [f"a0: &a0 [{', '.join('x' * 9)}]"]
    + [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 8)]
    + ["title: *a7", "limits: [{statistic: x_used, limit: 5}]"]
)


def test_an_alias_bomb_is_refused_at_once():
    began = time.process_time()

    with pytest.raises(BadPack, match=r"There is an anchor or an alias \(& or \*\) at line 1;"):
        parse_pack(BOMB)

    assert time.process_time() - began < 8  # 16.9 s where it is unfolded


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("limits: " + "[" * 5000, "nests too deep at line 1; at most 8 levels"),
        ("limits: " + "{a: " * 5000, "nests too deep at line 1; at most 8 levels"),
        ("- - - - - - - - - x", "nests too deep"),
        ("limits: [" + "a, " * 50_000 + "]", "more than 30,000 values"),
        ("limits: !!int 'z'", r"There is a tag \(tag:yaml.org,2002:int\) at line 1"),
        ("limits: !!float 'z'", "There is a tag"),
        ("limits: !x [a]", "There is a tag"),
        ("limits: &a 1", "There is an anchor"),
        ("limits: *a", "There is an anchor"),
        ("? [a]\n: b", "There is a list or a mapping in place of a name at line 1"),
        ("a: 1\na: 2", "“a” stands twice at line 2"),
        ("a: 1\n---\nb: 2", "A second document begins at line 2"),
        ('a: "\\0"', "There is a character that nobody can type at line 1"),
        ("a: \x01", "a character in it that nobody can type"),
        ("a: \ud800", "a character in it that nobody can type"),
        ("a: {b", "This is not YAML at line"),
        ("x" * 200_001, "The file has 200,001 characters; give at most 200,000"),
    ],
)
def test_what_is_more_than_lists_mappings_and_texts_is_refused_in_a_sentence(text, sentence):
    began = time.process_time()

    with pytest.raises(BadYaml, match=sentence) as refused:
        read_yaml(text)

    assert str(refused.value).endswith(".")
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "value",
    ["1" * 5000, "2026-99-99", "0x_", "0b_", "2026-01-01 00:00:00 +99:99", ".inf", "1_000", "yes", "1:30"],
)
def test_numbers_and_days_stay_the_texts_they_were_written_as(value):
    assert read_yaml(f"limits: {value}") == {"limits": value}


@pytest.mark.parametrize("text", ["", "\n", "# nothing", "~", "null"])
def test_a_file_that_says_nothing_is_an_empty_text(text):
    assert read_yaml(text) == ""


def test_only_a_text_without_quotes_can_stand_for_nothing():
    assert read_yaml("a: ~\nb: 'null'\nc:\nd: null") == {"a": "", "b": "null", "c": "", "d": ""}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_packs_that_come_along_are_read_as_any_reader_of_yaml_does(path):
    def texts(value: object) -> object:
        if isinstance(value, dict):
            return {str(key): texts(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [texts(inner) for inner in value]
        return str(value).lower() if isinstance(value, bool) else str(value)

    text = path.read_text("utf-8")
    assert read_yaml(text) == texts(yaml.safe_load(text))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("{statistic: x_used, limit: " + "1" * 5000 + "}", "limit has 5,000 characters; give at most 200"),
        ("{statistic: x_used, limit: " + "1" * 100 + "}", "has 100 characters"),
        ("{statistic: x_used, limit: 2026-99-99}", "is not a limit"),
        ("{statistic: x_used, limit: 0x_}", "is not a unit"),
        ("{statistic: x_used, limit: 5, opens_after: " + "1" * 150 + "}", "give a number from 1 to 365"),
        ("{statistic: x_used, limit: 5, lead_time_days: 0x10}", "lead_time_days is “0x10”; give a number"),
        ("{statistic: x_used, limit: 5, opens_after: [1]}", "opens_after is a list or a mapping"),
        ("{statistic: x_used, limit: 5, leaves_out_peaks: maybe}", "leaves_out_peaks is true or false"),
        ("{statistic: x_used, limit: 5, component: " + "a" * 300 + "}", "component has 300 characters"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused_in_its_entry(entry, why):
    (limit,) = parse_pack(f"limits:\n- {entry}").limits

    assert why in limit.refused
    assert len(limit.refused) < 500

"""What is lost when a file is read as YAML."""

import pathlib

import pytest
import yaml

from disclosure.workflow.config import ConfigError, check, files

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
ONE = {"population": 100, "sample": 90, "epsilon": 1.0, "delta": 0.1}


def test_keys_that_stand_twice_are_named_with_their_lines(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "a: 1\nb: {c: 1, c: 2}\nd: &d {e: 1}\nf: {<<: *d, e: 2}\ng:\n- {h: 1, h: 2}\na: 3\n'a': 4\n", "utf-8"
    )
    assert list(files.duplicate_keys(path)) == [("a", 1, 7), ("a", 7, 8), ("b.c", 2, 2), ("g.0.h", 6, 6)]
    path.write_text('{\n\t"seed": 1,\n\t"seed": 2\n}', encoding="utf-8")
    assert list(files.duplicate_keys(path)) == [("seed", 2, 3)]
    with pytest.raises(ConfigError, match=r"^seed stands in lines 2 and 3 of .*mine\.yaml; allowed: every key once$"):
        check(PUBLISHED, files=[path])


@pytest.mark.parametrize(
    "text", ["a: [", "\0", "- *a", "[" * 1000, "", "1", "a: &a [*a]", "? [a, b]\n: 1", "a: !!python/none", "a: 0x_"]
)
def test_a_file_that_is_no_configuration_is_left_to_its_reader(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    for found in (files.duplicate_keys, files.misread_numbers, files.empty_mappings):
        assert list(found(path)) == []
        assert list(found(tmp_path / "missing.yaml")) == []


def test_numbers_that_yaml_misreads_are_refused(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "a: 1_80\nb: {c: [1, 1:30]}\nd: 010\ne: 0x10\nf: 1.5\ng: 1.0e+3\nh: '1_80'\ni: .inf\nj: 9\n", "utf-8"
    )
    assert list(files.misread_numbers(path)) == [
        (("a",), "1_80", 180),
        (("b", "c", 1), "1:30", 90),
        (("d",), "010", 8),
        (("e",), "0x10", 16),
    ]
    # The same numbers under keys that are not of this configuration are none of its business.
    check(PUBLISHED, files=[path])
    path.write_text("sweeps: {figure1: {sample: [90, 1:35]}}\n", encoding="utf-8")
    config = {**PUBLISHED, "sweeps": {"figure1": {**ONE, "sample": [90, 95]}}}
    with pytest.raises(
        ConfigError, match=r"^sweeps\.figure1\.sample\.1 = 1:35 in .*mine\.yaml, which YAML reads as 95; allowed"
    ):
        check(config, files=[path])


def test_a_mapping_that_merging_loses_is_refused(tmp_path):
    mine, base = tmp_path / "mine.yaml", tmp_path / "config.yaml"
    mine.write_text("datasets: {}\n", encoding="utf-8")
    base.write_text("beyond: {}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"^datasets = \{\} changes nothing, 1000 stays; allowed: a value, or null"):
        check(PUBLISHED, files=[mine, base])
    with pytest.raises(ConfigError, match=r"^sweeps\.figure1\.delta = \{\} changes nothing, 0\.0794"):
        check(PUBLISHED, options={"sweeps": {"figure1": {"delta": {}}}})
    # The first file of all loses nothing.
    assert check(PUBLISHED, files=[base]) == check({**PUBLISHED, "tables": {}}, options={"tables": {}}) | {
        "tables": check(PUBLISHED)["tables"]
    }

"""Archives: digests that see every change, bytes that follow from the contents, and what is said for people and machines."""

import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.parse

import pytest
import yaml

from disclosure.workflow.archive import codecheck, crate, results, source, tarball, verify, wheels
from disclosure.workflow.archive.errors import ArchiveError
from disclosure.workflow.archive.results import Result

ROOT = pathlib.Path(__file__).resolve().parents[3]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
COMMIT, TIME = "0" * 40, 1_700_000_000
# The name of a note is that of its file in base64.
NOTE = ".snakemake/metadata/ZmlndXJlcy9maWd1cmUxLnBkZg=="
RESULTS = [
    Result("figures/figure1.pdf", "figure", "results/logs/figure/figure1.log"),
    Result("figures/figure1.svg", "figure", "results/logs/figure/figure1.log"),
    Result("results/figure1/summary.csv", "aggregate", "results/logs/aggregate/figure1.log"),
    Result("results/figure1/upper_limit/0.csv", "upper_limit", "results/logs/upper_limit/figure1/0.log"),
    Result("results/provenance.json", "record_provenance", "results/logs/record_provenance.log"),
    Result("results/report/figure1.html", "show_result", "results/logs/show_result/figure1.log"),
]


@pytest.fixture
def folder(tmp_path):
    """Files of an archive, with their list."""
    folder = tmp_path / "disclosure-1"
    record = {"packages": {"snakemake": "9.27.1"}, "seed": 1, "platform": "Linux"}
    texts = {
        **{result.name: result.name for result in RESULTS},
        "results/provenance.json": json.dumps(record),
        "config.yaml": "seed: 1\n",
        "requirements.lock": "",
        "Snakefile": "",
        NOTE: json.dumps({"endtime": TIME + 0.5}),
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    verify.write_list(folder)
    return folder


def test_a_whole_archive_has_no_differences(folder):
    assert verify.differences(folder) == ([], [], [])
    for left in (".venv/bin/python", "src/__pycache__/a.pyc", ".snakemake/log/run.log"):
        (folder / left).parent.mkdir(parents=True)
        (folder / left).touch()
    assert verify.differences(folder) == ([], [], [])


@pytest.mark.parametrize("name", ["results/figure1/summary.csv", NOTE, "Snakefile"])
def test_a_changed_byte_is_found_and_no_time_is(folder, name):
    os.utime(folder / name, (1, 1))
    assert verify.differences(folder) == ([], [], [])
    content = (folder / name).read_bytes() or b"\0"
    (folder / name).write_bytes(bytes([content[0] ^ 1]) + content[1:])
    assert verify.differences(folder) == ([], [name], [])


def test_missing_and_additional_files_are_found(folder):
    (folder / "figures/figure1.svg").unlink()
    (folder / "results/more.csv").touch()
    assert verify.differences(folder) == (["figures/figure1.svg"], [], ["results/more.csv"])


def test_the_list_is_one_that_others_read_too(folder):
    program = shutil.which("sha256sum")
    if not program:
        pytest.skip("sha256sum is not installed")
    subprocess.run([program, "--check", "--quiet", verify.LIST], cwd=folder, check=True)


def checked(*words, cwd):
    """Run the file that goes along, by a Python that has nothing but its own library."""
    shutil.copy(verify.__file__, cwd / "verify.py")
    command = [sys.executable, "-I", "-S", str(cwd / "verify.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_who_checks_is_told_what_holds(folder, tmp_path):
    packed = tmp_path / "archive.tar.gz"
    with packed.open("wb") as file:
        tarball.write(folder, file, TIME)
    for given in (folder, packed):
        run = checked(given, cwd=tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout.splitlines() == [
            "digests: 10 files listed",
            "  all hold",
            "figure: not made again, since the archive has no packages",
        ]
    (folder / "config.yaml").unlink()
    (folder / "Snakefile").write_text("other", encoding="utf-8")
    run = checked(folder, cwd=tmp_path)
    assert run.returncode == 1
    assert run.stdout.splitlines()[1:] == ["  config.yaml: missing", "  Snakefile: changed"]


def test_what_is_no_archive_and_another_python_are_told(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    run = checked(tmp_path / "empty", cwd=tmp_path)
    assert run.returncode == 2
    assert (
        run.stderr
        == f"verify: {tmp_path}/empty: is no archive of this project, unpacked or not: it has no MANIFEST.sha256\n"
    )
    (folder / "wheels").mkdir()
    (folder / verify.PACKAGES).write_text("# CPython 2.7 on linux\n", encoding="utf-8")
    verify.write_list(folder)
    run = checked(folder, cwd=tmp_path)
    assert run.returncode == 2
    assert "all hold" in run.stdout
    assert run.stderr.startswith(
        "verify: no figure was made again: the packages are for CPython 2.7 on linux, and this is "
    )
    assert checked(folder, "--digests", cwd=tmp_path).returncode == 0


def test_what_does_not_come_out_again_is_told(folder, monkeypatch):
    summary = folder / "results/figure1/summary.csv"
    said = {"report": "Nothing to be done", "figures/figure1.svg": ""}

    def snakemake(python, folder, target, *words):
        if target != "report":
            assert not summary.exists()
            summary.write_text("other", encoding="utf-8")
            (folder / "figures/figure1.svg").write_text("figures/figure1.svg", encoding="utf-8")
        return said[target]

    monkeypatch.setattr(verify, "_snakemake", snakemake)
    lost, other = (
        "figures/figure1.pdf was not made again:\n",
        "results/figure1/summary.csv has other bytes when it is made again",
    )
    assert verify.remake(folder, "figures/figure1.svg", pathlib.Path(sys.executable)) == [lost, other]
    (folder / "figures/figure1.pdf").touch()
    said["report"] = "total 3"
    stale = "Snakemake takes the results for out of date:\ntotal 3"
    assert verify.remake(folder, "figures/figure1.svg", pathlib.Path(sys.executable)) == [stale, lost, other]


def test_a_tarball_has_the_same_bytes_whoever_packs_the_files_and_when(folder, tmp_path):
    packed = []
    for place in ("one", "two"):
        copy = tmp_path / place / folder.name
        shutil.copytree(folder, copy, copy_function=shutil.copyfile)
        (copy / "Snakefile").chmod(0o600 if place == "one" else 0o664)
        os.utime(copy / "config.yaml", (len(place), len(packed)))
        file = io.BytesIO()
        tarball.write(copy, file, TIME)
        packed.append(file.getvalue())
    assert packed[0] == packed[1]
    with tarfile.open(fileobj=io.BytesIO(packed[0])) as archive:
        members = archive.getmembers()
    assert {member.mtime for member in members} == {TIME}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}
    assert {member.name.partition("/")[0] for member in members} == {folder.name}


def test_the_packages_are_those_of_the_workflow_with_the_digests_of_the_lock():
    names = wheels._names(ROOT)
    assert {"numpy", "matplotlib", "snakemake", "pygments", "flit-core", "connection-pool"} <= names
    assert not names & {"ruff", "mypy", "pytest", "rocrate", "mkdocs"}
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    part = wheels._part(lock, names)
    assert set(re.findall(r"^([a-z0-9-]+)(?:\[\w+\])?==", part, re.MULTILINE)) == names
    assert len(re.findall("--hash", wheels._part(lock, {"numpy"}))) > 1


def test_results_that_are_not_up_to_date_make_no_archive(monkeypatch, tmp_path):
    head = "output_file\tdate\trule\tlog-file(s)\tstatus\tplan\n"
    good = "results/b.csv\tDec\taggregate\tresults/logs/b.log\tok\tno update\n"
    bad = "results/a.csv\tDec\tfigure\tresults/logs/a.log\tmissing\tupdate pending\n"
    monkeypatch.setattr(results, "_snakemake", lambda *words: head + good)
    assert results.found(tmp_path) == [Result("results/b.csv", "aggregate", "results/logs/b.log")]
    monkeypatch.setattr(results, "_snakemake", lambda *words: head + good + bad + bad)
    with pytest.raises(ArchiveError, match=r"^results/a.csv and 1 more: missing, or made by other code or settings"):
        results.found(tmp_path)


def test_an_archive_is_of_a_commit(tmp_path):
    with pytest.raises(ArchiveError, match="archives are made from a git checkout; unknown: no git checkout"):
        source.commit(tmp_path)


def test_the_outputs_are_listed_as_codecheck_specifies():
    text = codecheck.text(RESULTS, CITATION)
    assert text.startswith("---\n")
    fields = yaml.safe_load(text)
    assert fields["version"] == "https://codecheck.org.uk/spec/config/2.0/"
    assert fields["paper"]["title"].startswith("Bounds on the Posterior-to-Prior Ratios")
    assert fields["paper"]["reference"] == "https://arxiv.org/abs/2608.30473"
    assert fields["paper"]["reference-other"] == ["https://arxiv.org/abs/2607.04004"]
    assert all(author["name"] for author in fields["paper"]["authors"])
    # A reader's outputs, neither parts of others nor pages of the report.
    expected = ["figures/figure1.pdf", "results/figure1/summary.csv", "results/provenance.json"]
    assert [item["file"] for item in fields["manifest"]] == expected
    assert all(set(item) == {"file", "comment"} for item in fields["manifest"])


def test_the_crate_has_what_its_profiles_require(folder):
    graph = json.loads(crate.text(folder, RESULTS, CITATION, COMMIT, TIME))["@graph"]
    by_id = {entity["@id"]: entity for entity in graph}
    assert len(by_id) == len(graph)
    root, workflow, run = by_id["./"], by_id["Snakefile"], by_id["#run"]
    # RO-Crate 1.1: the root, with its files.
    assert by_id["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert {"name", "description", "datePublished", "license"} <= set(root)
    assert root["datePublished"] == "2023-11-14T22:13:20+00:00"
    parts = {part["@id"] for part in root["hasPart"]}
    assert {*map(urllib.parse.unquote, parts)} == {*verify.files(folder)}
    assert all("File" in by_id[part]["@type"] for part in parts)
    assert {"@id": "https://w3id.org/ro/wfrun/workflow/0.5"} in root["conformsTo"]
    # Workflow RO-Crate: the main workflow, and its language.
    assert root["mainEntity"] == {"@id": "Snakefile"}
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow"} <= set(workflow["@type"])
    assert by_id[workflow["programmingLanguage"]["@id"]]["version"] == "9.27.1"
    # Process Run Crate: the run, what did it, what went in and what came out.
    assert root["mentions"] == {"@id": "#run"}
    assert run["@type"] == "CreateAction"
    assert run["endTime"] == root["datePublished"]
    assert run["instrument"] == {"@id": "Snakefile"}
    assert {item["@id"] for item in run["object"]} == {"config.yaml", "requirements.lock"}
    assert {item["@id"] for item in run["result"]} == {result.name for result in RESULTS}
    assert {by_id[item["@id"]]["@type"] for item in run["agent"]} == {"Organization"}
    # Whatever is pointed at inside of the crate is there, and every digest is that of the file.
    pointed = {item["@id"] for entity in graph for value in entity.values() for item in pointers(value)}
    assert {name for name in pointed if not name.startswith("http")} <= set(by_id)
    assert all(by_id[part]["sha256"] == verify.digest(folder / urllib.parse.unquote(part)) for part in parts)
    assert crate.text(folder, RESULTS, CITATION, COMMIT, TIME) == crate.text(folder, RESULTS, CITATION, COMMIT, TIME)


def pointers(value):
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]

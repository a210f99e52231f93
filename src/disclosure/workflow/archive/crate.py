"""The description of an archive for machines: a Workflow Run RO-Crate."""

import datetime
import json
import mimetypes
import pathlib
from collections.abc import Mapping
from typing import Any

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from disclosure.workflow.archive.results import Result, ended
from disclosure.workflow.archive.verify import digest, files

__all__ = ["NAME", "text"]

NAME = "ro-crate-metadata.json"
# The version that these profiles extend, and the words that they add to it, sha256 among them.
_VERSION, _WORDS = "1.1", "https://w3id.org/ro/terms/workflow-run/context"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
_LICENSES = "https://spdx.org/licenses/"
# What the run was told, beside the code.
_INPUTS = ("config.yaml", "requirements.lock", "resources/")


def text(folder: pathlib.Path, results: list[Result], citation: Mapping[str, Any], commit: str, time: int) -> str:
    """The file ro-crate-metadata.json of the files in a folder.

    Parameters
    ----------
    folder : Path
    results : list of Result
    citation : dict
        What CITATION.cff says.
    commit : str
    time : int
        Of the commit, in seconds since 1970.
    """
    record = json.loads((folder / "results/provenance.json").read_text(encoding="utf-8"))
    crate = ROCrate(gen_preview=False, version=_VERSION)
    crate.metadata.extra_contexts.append(_WORDS)
    root = crate.root_dataset
    license_ = crate.add(
        ContextEntity(crate, _LICENSES + citation["license"], {"@type": "CreativeWork", "name": citation["license"]})
    )
    authors = [
        crate.add(ContextEntity(crate, f"#author-{number}", {"@type": "Organization", "name": author["name"]}))
        for number, author in enumerate(citation["authors"], 1)
    ]
    root["name"] = f"{citation['title']} {citation['version']}: source, results and packages"
    root["description"], root["datePublished"] = citation["abstract"], _moment(time)
    root["license"], root["author"] = license_, authors
    workflow = crate.add_workflow(
        dest_path="Snakefile", main=True, lang="snakemake", lang_version=record["packages"]["snakemake"]
    )
    workflow["name"], workflow["version"], workflow["license"] = citation["title"], commit, license_
    workflow["sha256"] = digest(folder / "Snakefile")
    entities = {
        name: crate.add_file(dest_path=name, properties=_properties(folder / name))
        for name in files(folder)
        if name not in ("Snakefile", NAME)
    }
    made = {result.name for result in results}
    profiles = [
        crate.add(
            ContextEntity(crate, address, {"@type": ["CreativeWork", "Profile"], "name": name, "version": version})
        )
        for address, (name, version) in _PROFILES.items()
    ]
    root.append_to("conformsTo", profiles)
    run = crate.add_action(
        workflow,
        identifier="#run",
        object=[entity for name, entity in entities.items() if name.startswith(_INPUTS)],
        result=[entity for name, entity in entities.items() if name in made],
        properties={
            "name": f"Run of commit {commit} with seed {record['seed']}",
            "description": record["platform"],
            "endTime": _moment(ended(folder, results)),
        },
    )
    run["agent"] = authors
    root["mentions"] = run
    return json.dumps(crate.metadata.generate(), indent=1, ensure_ascii=False) + "\n"


def _moment(time: float) -> str:
    return datetime.datetime.fromtimestamp(int(time), datetime.UTC).isoformat()


def _properties(path: pathlib.Path) -> dict[str, Any]:
    kind, _ = mimetypes.guess_type(path.name)
    return {
        "name": path.name,
        "contentSize": str(path.stat().st_size),
        "sha256": digest(path),
        **({"encodingFormat": kind} if kind else {}),
    }

"""The list of outputs for those who check whether they come out again, as https://codecheck.org.uk specifies it."""

from collections.abc import Mapping
from typing import Any

import yaml

from disclosure.workflow import jobs, stages
from disclosure.workflow.archive.results import Result

__all__ = ["text"]

_SPECIFICATION = "https://codecheck.org.uk/spec/config/2.0/"


def text(results: list[Result], citation: Mapping[str, Any]) -> str:
    """The file codecheck.yml, without the fields that whoever checks fills in.

    Parameters
    ----------
    results : list of Result
    citation : dict
        What CITATION.cff says. The first of its references is the paper, and the others go along.
    """
    paper, *others = citation["references"]
    fields = {
        "version": _SPECIFICATION,
        "paper": {
            "title": paper["title"],
            "authors": [{"name": author["family-names"]} for author in paper["authors"]],
            "reference": _address(paper),
            "reference-other": [_address(other) for other in others],
        },
        "manifest": [{"file": result.name, "comment": _comment(result.rule)} for result in results if _is_read(result)],
    }
    written: str = yaml.safe_dump(fields, explicit_start=True, sort_keys=False, allow_unicode=True, width=120)
    return written


def _is_read(result: Result) -> bool:
    """Whether a result is one that people read: neither a part of another, nor a page of the report, nor one more format."""
    (stage,) = [stage for stage in stages.declared() if stage.name == result.rule]
    return not (stage.work or stage.name.startswith("show_") or result.name.endswith((".svg", ".png")))


def _comment(rule: str) -> str:
    (stage,) = [stage for stage in stages.declared() if stage.name == rule]
    return jobs.COMMANDS[stage.command or stage.name]


def _address(reference: Mapping[str, Any]) -> str:
    (identifier,) = reference["identifiers"]
    return f"https://arxiv.org/abs/{identifier['value'].removeprefix('arXiv:')}"

"""The kinds of printed numbers and claims of paper A, and what gives each its verdict.

The rules are those of `disclosure.workflow.claims.verdicts`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from disclosure.numerics.types import FloatArray
from disclosure.workflow.claims import scale, verdicts
from disclosure.workflow.claims.studies import Columns, Study
from disclosure.workflow.claims.verdicts import join

__all__ = ["Claim", "Computed", "Evidence", "Number", "Row", "Spread"]

# A number, or whether a claim holds, from T and F over the points of one sweep.
Measure: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], float]
# Columns of the comparison, by their names.
Cells: TypeAlias = dict[str, Any]


class Evidence(NamedTuple):
    """What the claims of paper A are held against."""

    study: Study
    expected: Study
    """Its expected values; a sweep without them is left out."""
    replications: Study
    """A stack along the first axis."""
    computed: Mapping[str, FloatArray]
    """What `computed.evaluate` returns."""
    datasets: int
    """Of the study."""
    releases: int
    """Of the study; 0 if none were drawn."""

    @property
    def at_scale(self) -> bool:
        """Whether the study has the paper's numbers of datasets and releases."""
        return self.datasets == scale.DATASETS and self.releases in (0, scale.RELEASES)

    def missing(self, sweeps: tuple[str, ...]) -> str:
        """Why sweeps cannot be looked at, or an empty text if they can."""
        for sweep in sweeps:
            points = self.study.points.get(sweep)
            published = scale.POINTS[sweep]
            # A configuration may compute the same points in another order of operations.
            if (
                points is None
                or len(points) != len(published)
                or not np.allclose(points, published, rtol=1e-12, atol=0)
            ):
                return f"{verdicts.NOT_RUN} points of {sweep}"
        return ""


class Row(Protocol):
    """A printed number or a claim."""

    def cells(self, name: str, printed: Mapping[str, str], evidence: Evidence) -> Cells:
        """The columns of its row beside its name and the printed text, of which ``verdict`` must be among them."""


@dataclass(frozen=True)
class _OfStudy:
    """A row about some sweeps of the study.

    Attributes
    ----------
    sweeps : tuple of str
    value : callable
        The number, or the one that shows the claim.
    note : str, or callable
        What is shown, as text or as a function of the same arguments.
    expected : bool
        Whether ``value`` has a meaning for expected values, which know no datasets.
    """

    sweeps: tuple[str, ...]
    value: Measure
    note: str | Callable[[FloatArray, FloatArray, FloatArray, FloatArray], str] = ""
    expected: bool = True

    def cells(self, name: str, printed: Mapping[str, str], evidence: Evidence) -> Cells:
        if missing := evidence.missing(self.sweeps):
            return {"verdict": "open", "note": missing}
        here = evidence.study.columns(self.sweeps)
        row: Cells = {"reproduced": float(self.value(*here))}
        if self.expected and evidence.expected.has(self.sweeps):
            row["expected"] = float(self.value(*evidence.expected.columns(self.sweeps)))
        values = [self.value(*one) for one in evidence.replications.columns(self.sweeps).each()]
        row["low"], row["high"] = (float(end) for end in np.quantile(values, verdicts.RANGE))
        note = self.note if isinstance(self.note, str) else self.note(*here)
        if not evidence.at_scale:
            unlike = f"{verdicts.NOT_RUN} numbers of datasets and releases"
            return {**row, "verdict": "open", "note": join(unlike, note)}
        judged = self.judged(name, printed, row, evidence)
        return {**row, **judged, "note": join(note, judged.get("note", ""))}

    def judged(self, name: str, printed: Mapping[str, str], row: Cells, evidence: Evidence) -> Cells:
        """The verdict, and what else it takes."""
        raise NotImplementedError


@dataclass(frozen=True)
class Number(_OfStudy):
    """A printed number.

    Attributes
    ----------
    flaw : str
        Why the number, although it comes out, is not what it is said to be.
    artefact : float, optional
        What a computer prints in the place of a spread of 0; where there is none, the number cannot come out otherwise.
    half : float, optional
        How far the printed number may be off, where it is approximate; half a unit of its last digit by default.
    other : callable, optional
        From the printed text to an id and the number under it that follows from the text: two printed numbers, one fact.
    """

    flaw: str = ""
    artefact: float | None = None
    half: float | None = None
    other: Callable[[float], tuple[str, float]] | None = None

    def judged(self, name: str, printed: Mapping[str, str], row: Cells, evidence: Evidence) -> Cells:
        text = printed[name.removesuffix(".exactly")]
        half = verdicts.half_unit(text) if self.half is None else self.half
        meets = row["low"] - half <= float(text) <= row["high"] + half
        if self.artefact is not None:
            came_about = row["low"] == row["high"] == 0 and abs(float(text) - self.artefact) <= half
            return {"verdict": "explained", "note": self.flaw} if came_about else {"verdict": _simple(meets)}
        if meets:
            return {"verdict": "explained" if self.flaw else "agrees", "note": self.flaw}
        return {"verdict": "deviates", "note": self.flaw, **self._same_fact(text, printed)}

    def _same_fact(self, text: str, printed: Mapping[str, str]) -> Cells:
        """The other printed number that follows from this one, if it does."""
        if self.other is None:
            return {}
        name, value = self.other(float(text))
        if name not in printed or abs(value - float(printed[name])) > verdicts.half_unit(printed[name]):
            return {"note": join(f"{text} follows from F = {value:.3g}", self.flaw)}
        same = f"{text} follows from F = {value:.3g}, which is printed as {printed[name]}: one fact with {name}"
        return {"same_as": name, "note": join(same, self.flaw)}


@dataclass(frozen=True, kw_only=True)
class Claim(_OfStudy):
    """A claim about a study: judged by the share of the replications in which it holds, then by expected values.

    Attributes
    ----------
    holds : callable
        Whether it holds in one study.
    """

    holds: Callable[[FloatArray, FloatArray, FloatArray, FloatArray], bool]

    def judged(self, name: str, printed: Mapping[str, str], row: Cells, evidence: Evidence) -> Cells:
        share = self._share(evidence.replications.columns(self.sweeps))
        held = f"holds in {share:.1%} of the replications"
        verdict = _of_share(share)
        if verdict == "open" and self.expected and evidence.expected.has(self.sweeps):
            holds = self.holds(*evidence.expected.columns(self.sweeps))
            held = f"{'holds' if holds else 'does not hold'} of the expected values, which decide; {held}"
            verdict = _simple(holds)
        return {"verdict": verdict, "note": held}

    def _share(self, stack: Columns) -> float:
        """Share of the replications in which it holds."""
        return float(np.mean([self.holds(*one) for one in stack.each()]))


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A claim about how far a study is from another one: judged by the replications all together.

    Attributes
    ----------
    sweeps : tuple of str
    value : callable
        From the columns of all replications to a number.
    holds : callable
        From that number.
    note : str
    same_as : str
        Id of the claim that is wrong for the same reason, if both are.
    """

    sweeps: tuple[str, ...]
    value: Callable[[Columns], float]
    holds: Callable[[float], bool]
    note: str
    same_as: str = ""

    def cells(self, name: str, printed: Mapping[str, str], evidence: Evidence) -> Cells:
        if missing := evidence.missing(self.sweeps):
            return {"verdict": "open", "note": missing}
        value = self.value(evidence.replications.columns(self.sweeps))
        if not evidence.at_scale:
            unlike = f"{verdicts.NOT_RUN} numbers of datasets and releases"
            return {"reproduced": value, "verdict": "open", "note": join(unlike, self.note)}
        holds = self.holds(value)
        same = {} if holds else {"same_as": self.same_as}
        return {"reproduced": value, "verdict": _simple(holds), "note": self.note, **same}


@dataclass(frozen=True, kw_only=True)
class Computed:
    """A claim that is decided by what is computed for it, whatever study was run.

    Attributes
    ----------
    holds : callable
        Whether it holds, from the numbers of `computed`.
    value : callable
        The number that shows it, from the same.
    note : str, or callable
        Text, or a function of the same.
    identity : bool
        Whether it holds by definition, so that only a mistake of the computation could say otherwise.
    """

    holds: Callable[[FloatArray], bool]
    value: Callable[[FloatArray], float]
    note: str | Callable[[FloatArray], str]
    identity: bool = False

    def cells(self, name: str, printed: Mapping[str, str], evidence: Evidence) -> Cells:
        numbers = evidence.computed[name]
        holds = bool(self.holds(numbers))
        note = self.note if isinstance(self.note, str) else self.note(numbers)
        verdict = "identity" if holds and self.identity else _simple(holds)
        return {"expected": float(self.value(numbers)), "verdict": verdict, "note": note}


def _simple(holds: bool) -> str:
    return "agrees" if holds else "deviates"


def _of_share(share: float) -> str:
    if share >= verdicts.CLAIM_SHARE:
        return "agrees"
    return "deviates" if share <= 1 - verdicts.CLAIM_SHARE else "open"

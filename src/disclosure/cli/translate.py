"""The command `disclosure translate`: what a guarantee, or the noise itself, says in every language of privacy."""

import argparse
import dataclasses
import json
import math
from collections.abc import Iterator

import numpy as np
from scipy.special import erfinv, ndtri

from disclosure.beliefs import inclusion
from disclosure.mechanisms import gaussian, odds_risk, privacy
from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE, RELATIONS, REPLACE_ONE
from disclosure.numerics import checks, errors, numerals
from disclosure.numerics.types import FloatArray
from disclosure.plots.formats import ENDINGS, format_of
from disclosure.workflow import tables

_GIVE = (
    "give one of --sigma, --mu, --rho, --epsilon with --delta and --definition, or --renyi-epsilon with --alpha; "
    "for example --epsilon 1 --delta 1e-5 --definition approximate"
)
# What a guarantee may be given as, and what else belongs to it.
_GIVEN: dict[str, tuple[str, ...]] = {
    "sigma": (),
    "mu": (),
    "rho": (),
    "epsilon": ("delta", "definition"),
    "renyi_epsilon": ("alpha",),
}
# Order of Renyi privacy, and delta, of the answers where none is stated: usual ones, not part of any guarantee.
_ORDER, _AT_DELTA = 2.0, 1e-6


@dataclasses.dataclass(frozen=True)
class Translation:
    """The answer, by the names and in the order that it has in JSON; the fields of a prior are None without one."""

    relation: str
    sensitivity: float
    releases: int
    sigma: float
    confidence: float
    half_width: float
    mu: float
    rho: float
    alpha: float
    renyi_epsilon: float
    at_delta: float
    epsilon_approximate: float
    epsilon_probabilistic: float
    odds_bounds: list[float]
    odds_quantiles: list[float]
    odds_increase_any: float
    prior: float | None
    ratio_bounds: list[float] | None
    ratio_quantiles: list[float] | None
    advantage: float
    false_positive_rate: float
    true_positive_rate: float


def arguments(parser: argparse.ArgumentParser) -> None:
    given = parser.add_argument_group("what is given, one of")
    given.add_argument("--sigma", metavar="S", help="standard deviation of the noise, in the units of --sensitivity")
    given.add_argument("--mu", metavar="MU", help="sensitivity over sigma, the mu of Gaussian differential privacy")
    given.add_argument("--rho", metavar="RHO", help="of zero-concentrated privacy (zCDP)")
    given.add_argument("--epsilon", metavar="E", help="of approximate or probabilistic privacy, with")
    given.add_argument("--delta", metavar="D", help="and")
    given.add_argument("--definition", metavar="NAME", help="approximate or probabilistic")
    given.add_argument("--renyi-epsilon", metavar="E", help="of Renyi privacy, with")
    given.add_argument("--alpha", metavar="A", help=f"order, also of the answer (default of that {_ORDER:g})")
    about = parser.add_argument_group("what it is given for")
    about.add_argument(
        "--sensitivity", default="1", metavar="X", help="the most that one record moves the answer (default 1)"
    )
    about.add_argument(
        "--relation",
        default=REPLACE_ONE,
        metavar="NAME",
        help=f"{REPLACE_ONE} (default) or {ADD_REMOVE_ONE}; answers are for {REPLACE_ONE}",
    )
    about.add_argument(
        "--releases", default="1", metavar="K", help="releases like this one, all with own noise (default 1)"
    )
    asked = parser.add_argument_group("what is asked for")
    asked.add_argument(
        "--at-delta", metavar="D", help=f"delta of the epsilons in the answer (default that given, else {_AT_DELTA:g})"
    )
    asked.add_argument(
        "--false-positive-rate", default="0.01", metavar="P", help="of an attacker's test (default 0.01)"
    )
    asked.add_argument("--prior", metavar="P", help="an adversary's prior probability, for posterior-to-prior ratios")
    asked.add_argument("--confidence", default="0.95", metavar="C", help="of the error of a release (default 0.95)")
    asked.add_argument("--figure", metavar="FILE", help=f"trade-off curve; a name ending in {ENDINGS}")
    asked.add_argument("--json", action="store_true", help="for machines")


def run(arguments: argparse.Namespace) -> None:
    kind = format_of(arguments.figure) if arguments.figure is not None else None
    answer = translate(arguments)
    if kind is not None:
        with tables.own(arguments.figure) as file:
            from disclosure.plots import style, trade_off  # slow to import

            figure = trade_off.trade_off_figure(answer.mu, answer.false_positive_rate)
            file.write(style.rendered(figure, kind))
    if arguments.json:
        fields = {name: value for name, value in dataclasses.asdict(answer).items() if value is not None}
        print(json.dumps({name: _for_json(value) for name, value in fields.items()}))
        return
    print(*_lines(answer, arguments), sep="\n")
    if kind is not None:
        print(f"trade-off curve written to {arguments.figure}")


def translate(arguments: argparse.Namespace) -> Translation:
    """All languages; refused with a `DomainError` is what is no number, out of range, missing or given twice."""
    sensitivity = _number(arguments, "sensitivity", "(0, inf)")
    releases = checks.count("releases", _number(arguments, "releases", "[1, inf)"), 1)
    if arguments.relation not in RELATIONS:
        raise errors.DomainError(f"relation = {arguments.relation!r} is none of {', '.join(RELATIONS)}")
    alpha = _number(arguments, "alpha", "(1, inf)") if arguments.alpha is not None else _ORDER
    confidence = _number(arguments, "confidence", "(0, 1)")
    sigma, mu = _noise(arguments, sensitivity, alpha)
    if arguments.relation == ADD_REMOVE_ONE:
        mu, sensitivity = float(privacy.mu_from_add_remove(mu)), 2 * sensitivity
    mu *= math.sqrt(releases)
    with np.errstate(over="ignore", under="ignore"):
        rho = float(privacy.zcdp_rho(mu))
    checks.number("rho", rho, "(0, inf)", f"mu = {mu:g} is too large or too small for floating point")
    rate = _number(arguments, "false_positive_rate", "(0, 1)")
    delta = _delta(arguments)
    epsilon = float(privacy.probabilistic_epsilon(delta, mu))
    # The log odds of one record against another change by a normal number, with mean mu^2 / 2 and variance mu^2.
    quantiles = mu * (mu / 2 + np.array([1, -1]) * ndtri(delta))
    prior = _number(arguments, "prior", "(0, 1)") if arguments.prior is not None else None
    bounds = inclusion.ratio_bounds(prior, epsilon) if prior is not None else None
    with np.errstate(over="ignore"):
        return Translation(
            relation=REPLACE_ONE,
            sensitivity=sensitivity,
            releases=releases,
            sigma=sigma,
            confidence=confidence,
            half_width=float(sigma * math.sqrt(2) * erfinv(confidence)),
            mu=mu,
            rho=rho,
            alpha=alpha,
            renyi_epsilon=alpha * rho,
            at_delta=delta,
            epsilon_approximate=float(privacy.approximate_epsilon(delta, mu)),
            epsilon_probabilistic=epsilon,
            odds_bounds=np.exp([-epsilon, epsilon]).tolist(),
            odds_quantiles=np.exp(quantiles).tolist(),
            odds_increase_any=float(odds_risk.increase_any(delta, mu)),
            prior=prior,
            ratio_bounds=[float(bounds.lower), float(bounds.upper)] if bounds is not None else None,
            ratio_quantiles=_ratio(prior, quantiles).tolist() if prior is not None else None,
            advantage=float(privacy.advantage(mu)),
            false_positive_rate=rate,
            true_positive_rate=float(privacy.true_positive_rate(rate, mu)),
        )


def _noise(arguments: argparse.Namespace, sensitivity: float, alpha: float) -> tuple[float, float]:
    """Standard deviation of one release's noise, and its mu by the relation that is given."""
    leading = _leading(arguments)
    if leading == "sigma":
        sigma = _number(arguments, "sigma", "(0, inf)")
        return sigma, sensitivity / sigma
    if leading == "epsilon":
        sigma = _calibrated(arguments, sensitivity)
        return sigma, sensitivity / sigma
    if leading == "renyi_epsilon" and arguments.alpha is None:
        raise errors.DomainError("alpha is missing; state the order of --renyi-epsilon by --alpha")
    value = _number(arguments, leading, "(0, inf)")
    if leading == "rho":
        mu = float(privacy.mu_from_zcdp(value))
    else:
        mu = value if leading == "mu" else float(privacy.mu_from_renyi(alpha, value))
    return checks.number("sigma", sensitivity / mu, "(0, inf)", "too large or too small for floating point"), mu


def _leading(arguments: argparse.Namespace) -> str:
    """The one of `_GIVEN` that is given."""
    given = [name for name in _GIVEN if getattr(arguments, name) is not None]
    if len(given) > 1:
        raise errors.DomainError(f"{_spelt(given[0])} and {_spelt(given[1])} are both given; leave one of them out")
    if given != ["epsilon"]:
        for name in _GIVEN["epsilon"]:
            if getattr(arguments, name) is not None:
                raise errors.DomainError(
                    f"{_spelt(name)} = {getattr(arguments, name)} belongs to an epsilon that is not given; "
                    "add --epsilon, or state the delta of the answer by --at-delta"
                )
    if not given:
        raise errors.DomainError(f"nothing is given to translate; {_GIVE}")
    return given[0]


def _calibrated(arguments: argparse.Namespace, sensitivity: float) -> float:
    for name, hint in (
        ("delta", "state it by --delta"),
        ("definition", "say --definition approximate, the usual one, or --definition probabilistic"),
    ):
        if getattr(arguments, name) is None:
            raise errors.DomainError(f"{name} is missing; {hint}")
    epsilon, delta = _number(arguments, "epsilon", "[0, inf)"), _number(arguments, "delta", "(0, 1)")
    return gaussian.calibrate(epsilon, delta, sensitivity, definition=arguments.definition)


def _delta(arguments: argparse.Namespace) -> float:
    """The delta at which the answers are: that asked for, that given, or the usual one."""
    if arguments.at_delta is not None:
        return _number(arguments, "at_delta", "(0, 1)")
    return _number(arguments, "delta", "(0, 1)") if arguments.delta is not None else _AT_DELTA


def _ratio(prior: float, log_odds: FloatArray) -> FloatArray:
    """Posterior-to-prior ratio where the log odds have changed by so much."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (prior + (1 - prior) * np.exp(-log_odds)))


def _number(arguments: argparse.Namespace, name: str, interval: str) -> float:
    """An argument as a number; what is none is refused in one line, like what is out of range."""
    text = getattr(arguments, name)
    if fault := numerals.fault(text):
        raise errors.DomainError(f"{name} = {text!r} {fault}; allowed: a number in {interval}, like 12, -0.5 or 1e-3")
    return checks.number(name, numerals.number(text), interval)


def _spelt(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _for_json(value: str | float | list[float]) -> str | float | list[float | None] | None:
    """JSON has no infinity: what exceeds the largest float is null."""
    if isinstance(value, list):
        return [None if math.isinf(entry) else entry for entry in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def _lines(answer: Translation, arguments: argparse.Namespace) -> Iterator[str]:
    """The answer in words."""
    rare, known = f"probability {answer.at_delta:g}", f"at delta = {answer.at_delta:g}"
    yield from _about(answer, arguments)
    yield "noise"
    each = " of each release" if answer.releases > 1 else ""
    yield _line(f"standard deviation sigma{each}", answer.sigma)
    yield _line(
        "distance from the true answer", answer.half_width, f"not exceeded with probability {answer.confidence:g}"
    )
    yield "definitions of privacy"
    yield _line("mu (Gaussian)", answer.mu, "sensitivity over sigma" + (", all releases" if each else ""))
    yield _line("rho (zero-concentrated, zCDP)", answer.rho)
    yield _line("epsilon (Renyi)", answer.renyi_epsilon, f"of order {answer.alpha:g}: the order times rho")
    yield _line("epsilon (approximate)", answer.epsilon_approximate, known)
    yield _line("epsilon (probabilistic)", answer.epsilon_probabilistic, known)
    yield "an attacker who tests which of two neighbouring datasets the release is from"
    yield _line("advantage", answer.advantage, "true less false positive rate, at most")
    false = f"at most, at a false positive rate of {answer.false_positive_rate:g}"
    yield _line("true positive rate", answer.true_positive_rate, false)
    yield "an adversary who knows everybody else, and weighs the true record against another"
    # Above 1/2 the lower quantile is the larger number: what either is passed with is then 1 - delta, the other way round.
    tail = min(answer.at_delta, 1 - answer.at_delta)
    both, each = f"outside with {rare}", f"below with probability {tail:g}, above with the same"
    yield _line("posterior odds over prior odds, bounds", *answer.odds_bounds, both)
    yield _line("posterior odds over prior odds, quantiles", *sorted(answer.odds_quantiles), each)
    if answer.prior is not None and answer.ratio_bounds is not None and answer.ratio_quantiles is not None:
        yield f"  and whose prior probability of the true record is {answer.prior:g}"
        yield _line("posterior over prior, bounds", *answer.ratio_bounds, both)
        yield _line("posterior over prior, quantiles", *sorted(answer.ratio_quantiles), each)
    yield "any adversary, and any set that holds the true value of one record"
    yield _line("posterior odds over prior odds", answer.odds_increase_any, f"or less, except with {rare}")


def _about(answer: Translation, arguments: argparse.Namespace) -> Iterator[str]:
    """What is translated, and for which two datasets."""
    leading = _leading(arguments)
    names = [leading, *_GIVEN[leading]]
    given = ", ".join(f"{name.replace('_', ' ')} = {getattr(arguments, name)}" for name in names)
    yield f"given: {given}"
    if leading not in ("sigma", "mu"):
        yield "taken for normal noise that just keeps it; another mechanism that does promises something else below"
    if arguments.relation == ADD_REMOVE_ONE:
        yield "given for one record added or removed; to replace one is to do both, and moves the answer twice as far"
    moved = f"moves the answer by at most {answer.sensitivity:.6g}"
    yield f"below: for one record replaced by another ({answer.relation}), which {moved}"
    if answer.releases > 1:
        yield f"{answer.releases:,} such releases with independent noise, taken together"


def _line(label: str, *values: float | str) -> str:
    """A quantity, its value or both ends of its interval, and last what else must be known of it, if anything."""
    numbers = [value for value in values if not isinstance(value, str)]
    words = "".join(value for value in values if isinstance(value, str))
    shown = " to ".join(f"{number:.6g}" if math.isfinite(number) else "over 1.8e308" for number in numbers)
    return f"  {label:<44}{shown:<24}  {words}".rstrip()

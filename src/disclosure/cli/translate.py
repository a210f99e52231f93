"""What a guarantee, or the noise itself, says in every language of privacy."""

import json
import math

import numpy as np
from scipy.special import erfinv, ndtri

from disclosure.beliefs import inclusion
from disclosure.mechanisms import gaussian, odds_risk, privacy, relations
from disclosure.numerics import checks, errors, numerals
from disclosure.plots.kinds import ENDINGS, kind_of
from disclosure.workflow import tables

_GIVE = (
    "give one of --sigma, --mu, --rho, --epsilon with --delta and --definition, or --renyi-epsilon with --alpha; "
    "for example --epsilon 1 --delta 1e-5 --definition approximate"
)
_LEADING = ("sigma", "mu", "rho", "epsilon", "renyi_epsilon")
# An order and a delta at which the answers are stated where none is: usual ones, not part of any guarantee.
_ORDER, _AT_DELTA = 2.0, 1e-6


def arguments(parser):
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
        default=relations.REPLACE_ONE,
        metavar="NAME",
        help=f"{relations.REPLACE_ONE} (default) or {relations.ADD_REMOVE_ONE}; answers are for {relations.REPLACE_ONE}",
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


def run(arguments):
    kind = kind_of(arguments.figure) if arguments.figure is not None else None
    answer = translate(arguments)
    if kind is not None:
        with tables.own(arguments.figure) as file:
            from disclosure.plots import (
                style,  # slow to import
                trade_off,  # slow to import
            )

            figure = trade_off.trade_off_figure(answer["mu"], answer["false_positive_rate"])
            file.write(style.rendered(figure, kind))
    if arguments.json:
        print(json.dumps({name: _for_json(value) for name, value in answer.items()}))
        return
    print(*_lines(answer, arguments), sep="\n")
    if kind is not None:
        print(f"trade-off curve written to {arguments.figure}")


def translate(arguments):
    """All languages, by the names that they have in JSON."""
    sensitivity = _number(arguments, "sensitivity", "(0, inf)")
    releases = checks.count("releases", _number(arguments, "releases", "[1, inf)"), 1)
    if arguments.relation not in (relations.REPLACE_ONE, relations.ADD_REMOVE_ONE):
        raise errors.DomainError(
            f"relation = {arguments.relation!r} is none of {relations.REPLACE_ONE}, {relations.ADD_REMOVE_ONE}"
        )
    alpha = _number(arguments, "alpha", "(1, inf)") if arguments.alpha is not None else _ORDER
    sigma, mu = _noise(arguments, sensitivity, alpha)
    if arguments.relation == relations.ADD_REMOVE_ONE:
        mu, sensitivity = float(privacy.mu_from_add_remove(mu)), 2 * sensitivity
    mu *= math.sqrt(releases)
    with np.errstate(over="ignore", under="ignore"):
        rho = float(privacy.zcdp_rho(mu))
    checks.within("rho", rho, "(0, inf)", f"mu = {mu:g} is too large or too small for floating point")
    answer = {
        "relation": relations.REPLACE_ONE,
        "sensitivity": sensitivity,
        "releases": releases,
        "sigma": sigma,
        **_error(arguments, sigma),
        "mu": mu,
        "rho": rho,
        "alpha": alpha,
        "renyi_epsilon": alpha * rho,
        **_at_delta(arguments, mu),
    }
    return answer | _test(arguments, mu)


def _noise(arguments, sensitivity, alpha):
    """Standard deviation of one release's noise, and its mu by the relation that is given."""
    given = [name for name in _LEADING if getattr(arguments, name) is not None]
    if len(given) > 1:
        raise errors.DomainError(f"{_spelt(given[0])} and {_spelt(given[1])} are both given; leave one of them out")
    (leading,) = given or (None,)
    if leading != "epsilon":
        for name in ("delta", "definition"):
            if getattr(arguments, name) is not None:
                raise errors.DomainError(
                    f"{_spelt(name)} = {getattr(arguments, name)} belongs to an epsilon that is not given; "
                    "add --epsilon, or state the delta of the answer by --at-delta"
                )
    if leading is None:
        raise errors.DomainError(f"nothing is given to translate; {_GIVE}")
    if leading in ("sigma", "epsilon"):
        sigma = _number(arguments, "sigma", "(0, inf)") if leading == "sigma" else _calibrated(arguments, sensitivity)
        return sigma, sensitivity / sigma
    if leading == "renyi_epsilon" and arguments.alpha is None:
        raise errors.DomainError("alpha is missing; state the order of --renyi-epsilon by --alpha")
    value = _number(arguments, leading, "(0, inf)")
    mu = {
        "mu": lambda: value,
        "rho": lambda: float(privacy.mu_from_zcdp(value)),
        "renyi_epsilon": lambda: float(privacy.mu_from_renyi(alpha, value)),
    }[leading]()
    return checks.number("sigma", sensitivity / mu, "(0, inf)", "too large or too small for floating point"), mu


def _calibrated(arguments, sensitivity):
    for name, hint in (
        ("delta", "state it by --delta"),
        ("definition", "say --definition approximate, the usual one, or --definition probabilistic"),
    ):
        if getattr(arguments, name) is None:
            raise errors.DomainError(f"{name} is missing; {hint}")
    epsilon, delta = _number(arguments, "epsilon", "[0, inf)"), _number(arguments, "delta", "(0, 1)")
    return gaussian.calibrate(epsilon, delta, sensitivity, arguments.definition)


def _error(arguments, sigma):
    """Half-width of the interval around the true answer in which a release lies with the stated confidence."""
    confidence = _number(arguments, "confidence", "(0, 1)")
    return {"confidence": confidence, "half_width": float(sigma * math.sqrt(2) * erfinv(confidence))}


def _at_delta(arguments, mu):
    """What is promised except with probability delta, and what it lets become of odds and of a prior."""
    name = "at_delta" if arguments.at_delta is not None or arguments.delta is None else "delta"
    delta = _number(arguments, name, "(0, 1)") if getattr(arguments, name) is not None else _AT_DELTA
    epsilon = float(privacy.probabilistic_epsilon(delta, mu))
    # The log odds of one record against another change by a normal number, with mean mu^2 / 2 and variance mu^2.
    quantiles = mu * (mu / 2 + np.array([1, -1]) * ndtri(delta))
    with np.errstate(over="ignore"):
        answer = {
            "at_delta": delta,
            "epsilon_approximate": float(privacy.approximate_epsilon(delta, mu)),
            "epsilon_probabilistic": epsilon,
            "odds_bounds": np.exp([-epsilon, epsilon]).tolist(),
            "odds_quantiles": np.exp(quantiles).tolist(),
            "odds_increase_any": float(odds_risk.increase_any(delta, mu)),
        }
    if arguments.prior is None:
        return answer
    prior = _number(arguments, "prior", "(0, 1)")
    bounds = inclusion.ratio_bounds(prior, epsilon)
    return answer | {
        "prior": prior,
        "ratio_bounds": [float(bounds.lower), float(bounds.upper)],
        "ratio_quantiles": _ratio(prior, quantiles).tolist(),
    }


def _ratio(prior, log_odds):
    """Posterior-to-prior ratio where the log odds have changed by so much."""
    with np.errstate(over="ignore"):
        return 1 / (prior + (1 - prior) * np.exp(-log_odds))


def _test(arguments, mu):
    """What a test between two neighbouring datasets can tell."""
    rate = _number(arguments, "false_positive_rate", "(0, 1)")
    return {
        "advantage": float(privacy.advantage(mu)),
        "false_positive_rate": rate,
        "true_positive_rate": float(privacy.true_positive_rate(rate, mu)),
    }


def _number(arguments, name, interval):
    """An argument as a number; what is none is refused in one line, like what is out of range."""
    text = getattr(arguments, name)
    if fault := numerals.fault(text):
        raise errors.DomainError(f"{name} = {text!r} {fault}; allowed: a number in {interval}, like 12, -0.5 or 1e-3")
    return checks.number(name, numerals.number(text), interval)


def _spelt(name):
    return f"--{name.replace('_', '-')}"


def _for_json(value):
    """JSON has no infinity: what exceeds the largest float is null."""
    if isinstance(value, list):
        return [_for_json(entry) for entry in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def _lines(answer, arguments):
    """The answer in words."""
    rare, known = f"probability {answer['at_delta']:g}", f"at delta = {answer['at_delta']:g}"
    yield from _about(answer, arguments)
    yield "noise"
    each = " of each release" if answer["releases"] > 1 else ""
    yield _line(f"standard deviation sigma{each}", answer["sigma"])
    yield _line(
        "distance from the true answer", answer["half_width"], f"not exceeded with probability {answer['confidence']:g}"
    )
    yield "definitions of privacy"
    yield _line("mu (Gaussian)", answer["mu"], "sensitivity over sigma" + (", all releases" if each else ""))
    yield _line("rho (zero-concentrated, zCDP)", answer["rho"])
    yield _line("epsilon (Renyi)", answer["renyi_epsilon"], f"of order {answer['alpha']:g}: the order times rho")
    yield _line("epsilon (approximate)", answer["epsilon_approximate"], known)
    yield _line("epsilon (probabilistic)", answer["epsilon_probabilistic"], known)
    yield "an attacker who tests which of two neighbouring datasets the release is from"
    yield _line("advantage", answer["advantage"], "true less false positive rate, at most")
    false = f"at most, at a false positive rate of {answer['false_positive_rate']:g}"
    yield _line("true positive rate", answer["true_positive_rate"], false)
    yield "an adversary who knows everybody else, and weighs the true record against another"
    both, each = f"outside with {rare}", f"below with {rare}, above with the same"
    yield _line("posterior odds over prior odds, bounds", *answer["odds_bounds"], both)
    yield _line("posterior odds over prior odds, quantiles", *answer["odds_quantiles"], each)
    if "prior" in answer:
        yield f"  and whose prior probability of the true record is {answer['prior']:g}"
        yield _line("posterior over prior, bounds", *answer["ratio_bounds"], both)
        yield _line("posterior over prior, quantiles", *answer["ratio_quantiles"], each)
    yield "any adversary, and any set that holds the true value of one record"
    yield _line("posterior odds over prior odds", answer["odds_increase_any"], f"or less, except with {rare}")


def _about(answer, arguments):
    """What is translated, and for which two datasets."""
    (leading,) = (name for name in _LEADING if getattr(arguments, name) is not None)
    names = [leading, *{"epsilon": ("delta", "definition"), "renyi_epsilon": ("alpha",)}.get(leading, ())]
    given = ", ".join(f"{name.replace('_', ' ')} = {getattr(arguments, name)}" for name in names)
    yield f"given: {given}"
    if leading not in ("sigma", "mu"):
        yield "taken for normal noise that just keeps it; another mechanism that does promises something else below"
    if arguments.relation == relations.ADD_REMOVE_ONE:
        yield "given for one record added or removed; to replace one is to do both, and moves the answer twice as far"
    moved = f"moves the answer by at most {answer['sensitivity']:.6g}"
    yield f"below: for one record replaced by another ({answer['relation']}), which {moved}"
    if answer["releases"] > 1:
        yield f"{answer['releases']:,} such releases with independent noise, taken together"


def _line(label, *values):
    """A quantity, its value or both ends of its interval, and what else must be known of it."""
    *numbers, words = values if isinstance(values[-1], str) else (*values, "")
    shown = " to ".join(f"{number:.6g}" if math.isfinite(number) else "over 1.8e308" for number in numbers)
    return f"  {label:<44}{shown:<24}  {words}".rstrip()

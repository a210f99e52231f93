"""A case-control study whose number of cases is released: the adversaries, and their exact odds (paper B, section 4).

The study takes n cases and n controls, and one more person who is a case or a control with probability one half. The
number of people, 2n + 1, is public; n + X of them are cases, X being 0 or 1. The population has many more cases and
controls than the study takes, so that a person's absence tells nothing about either. The statistic is the number of
cases, with sensitivity 1, released through the Laplace mechanism with scale 1/epsilon.

**Who is targeted.** Any person i, with S = {case}; i is no particular one of the 2n + 1, and may be the one who was
drawn last. With N1 cases in a population of N,

    P(I = 1, Y = 1, X) = (N1/N) ((n + X)/N1) / 2 = (n + X)/(2N),        P(I = 1, Y = 0, X) = (n + 1 - X)/(2N):

the numbers N1 and N - N1 cancel. Summed over X, q = P(Y = 1 | I = 1) = 1/2 for every prevalence, as the paper says.
Divided by the sum,

    P(X = 1 | Y = 1, I = 1) = (n + 1)/(2n + 1),        P(X = 1 | Y = 0, I = 1) = n/(2n + 1).

**The others.** The other 2n people have n + X - Y cases among them:

    cases among the others      n - 1           n                   n + 1
    given Y = 1, I = 1          n/(2n + 1)      (n + 1)/(2n + 1)    0
    given Y = 0, I = 1          0               (n + 1)/(2n + 1)    n/(2n + 1)

This depends on Y, so assumption (7), that the adversary's beliefs about the others do not depend on the person's
value, fails for everybody who knows the design. It fails in I as well: the size is fixed, so that somebody else takes
the place of a person who stays out.

**Who knows everybody else** reads the table by columns. With n cases among the others both values of Y remain, with
even odds, and a release weighs n + 1 cases against n; this has probability (n + 1)/(2n + 1). With n - 1 cases the
target is a case and with n + 1 a control, for certain and before anything is released. That happens n/(2n + 1) of the
time, nearly half. The paper's claim that this adversary can't tell from the design holds if the target was drawn last,
which makes the others the n cases and n controls drawn before; it doesn't hold for any participant.

**The bounds hold nevertheless.** Whatever the target's status, the release has n or n + 1 cases behind it. So its
densities given Y = 1 and Y = 0 are mixtures of the same two, whose ratio lies in [e^-epsilon, e^epsilon]; hence so
does R10 / P10, and a release uses at most half of the exponent in e^+-2epsilon P10.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import odds, profiles
from disclosure.mechanisms import laplace
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray, IntArray

__all__ = [
    "Adversary",
    "OthersCases",
    "ReleaseOdds",
    "Study",
    "adversaries",
    "cases_among_others",
    "check",
    "log_update_knowing_design",
    "odds_ratio_knowing_design",
    "odds_ratio_knowing_others",
    "probability_of_case",
    "release",
]

# The prior probability of being a case given that one is in the study, and q0 of one who knows nothing.
_EVEN = 0.5


class Study(NamedTuple):
    """A study: how many people are in it, 2n + 1, and the prevalence of the disease in the population."""

    participants: int
    prevalence: float


class Adversary(NamedTuple):
    """What one adversary believes beforehand, and the largest epsilon that a risk profile allows against it."""

    name: str
    q: float
    q0: float
    prior_odds_ratio: float
    bound: float
    epsilon: float
    relation: str


class OthersCases(NamedTuple):
    """Numbers of cases among the other 2n people, and their probabilities."""

    cases: IntArray
    probability: FloatArray


class ReleaseOdds(NamedTuple):
    """Posterior odds ratio R10 after a release, and how much of its bounds the release uses.

    ``update`` is R10 / P10, ``lower`` and ``upper`` are e^-+2epsilon P10 for neighbours in ``relation``, and ``used``
    is the share |log update| / (2 epsilon) of the exponent, at most one half.
    """

    odds_ratio: FloatArray
    update: FloatArray
    prior_odds_ratio: FloatArray
    lower: FloatArray
    upper: FloatArray
    used: FloatArray
    relation: str


def check(study: Study) -> Study:
    """Raise `DomainError` unless it is a study of an odd number of at least 3 people, with a prevalence in (0, 1)."""
    if not isinstance(study, Study):
        raise errors.DomainError(f"study = {study!r} is no Study; give Study(participants, prevalence)")
    _half(study.participants)
    checks.number("prevalence", study.prevalence, "(0, 1)")
    return study


def _half(participants: int) -> int:
    """The n of 2n + 1."""
    participants = checks.count("participants", participants, 3)
    if participants % 2 == 0:
        raise errors.DomainError(f"participants = {participants} is even; n cases, n controls and one more are 2n + 1")
    return participants // 2


def adversaries(study: Study, profile: profiles.Profile, q0: ArrayLike = ()) -> list[Adversary]:
    """The adversaries of paper B, section 4, and the epsilon that a risk profile allows against each.

    Parameters
    ----------
    study : Study
    profile : disclosure.beliefs.profiles.RiskProfile or callable
    q0 : array_like, optional
        Further adversaries, by their prior probability that somebody who is not in the study is a case; in (0, 1).

    Returns
    -------
    list of Adversary
        One who takes the prevalence for q0; a naive one with q0 = 1/2; those asked for; and, named ``any``, the P10 at
        which the profile allows least, with the q0 that belongs to it.

    Examples
    --------
    >>> profile = profiles.RiskProfile([[0.1, 10], [1, 2], [2.5, 5]])
    >>> for row in adversaries(Study(1095, 0.00125), profile):
    ...     print(row.name, row.prior_odds_ratio, row.bound, round(row.epsilon, 3))
    prevalence 799.0 5.0 0.805
    naive 1.0 2.0 0.347
    any 1.0 2.0 0.347
    """
    check(study)
    asked = np.atleast_1d(checks.within("q0", q0, "(0, 1)")).tolist()
    names = {"prevalence": float(study.prevalence), "naive": _EVEN} | {f"q0 = {value!r}": value for value in asked}
    rows = []
    for name, value in names.items():
        answer = profiles.epsilon_for(profile, odds.prior_odds_ratio(_EVEN, value))
        numbers = (float(answer.prior_odds_ratio), float(answer.bound), float(answer.epsilon))
        rows.append(Adversary(name, _EVEN, value, *numbers, answer.relation))
    least = profiles.epsilon_for_any_prior(profile)
    numbers = (least.prior_odds_ratio, least.bound, least.epsilon)
    return [*rows, Adversary("any", _EVEN, 1 / (1 + least.prior_odds_ratio), *numbers, least.relation)]


def release(cases: ArrayLike, epsilon: float, generator: np.random.Generator, size: tuple[int, ...] = ()) -> FloatArray:
    """Release numbers of cases through the Laplace mechanism.

    Parameters
    ----------
    cases : array_like
    epsilon : float
        In (0, inf).
    generator : numpy.random.Generator
    size : tuple of int, optional
        Shape of independent releases.

    Returns
    -------
    ndarray, shape ``size`` + shape of ``cases``
    """
    return laplace.release(cases, laplace.calibrate(epsilon), generator, size)


def cases_among_others(participants: int, status: int) -> OthersCases:
    """How many cases are among the other 2n people, given the target's status.

    Parameters
    ----------
    participants : int
        2n + 1.
    status : int
        The target's: 1 for a case, 0 for a control.

    Returns
    -------
    OthersCases
        For n - 1, n and n + 1 cases. That they depend on ``status`` is the failure of assumption (7).

    Examples
    --------
    >>> cases_among_others(5, 1).probability.tolist()
    [0.4, 0.6, 0.0]
    """
    half = _half(participants)
    if checks.count("status", status, 0) > 1:
        raise errors.DomainError(f"status = {status!r} is neither 0 nor 1")
    counts = np.array([half, half + 1, 0] if status else [0, half + 1, half])
    return OthersCases(np.arange(half - 1, half + 2), counts / (2 * half + 1))


def probability_of_case(participants: int, others_cases: ArrayLike) -> FloatArray:
    """What the design alone tells about a participant to somebody who knows all the others.

    Parameters
    ----------
    participants : int
        2n + 1.
    others_cases : array_like of int
        Cases among the other 2n people: n - 1, n or n + 1.

    Returns
    -------
    ndarray
        P(Y = 1 | I = 1, the others), which is 1, 1/2 or 0.

    Raises
    ------
    DomainError
        For a number that the design never produces.

    Examples
    --------
    >>> probability_of_case(1095, [546, 547, 548]).tolist()
    [1.0, 0.5, 0.0]
    """
    half = _half(participants)
    interval = f"[{half - 1}, {half + 1}]"
    cases = checks.within("others_cases", others_cases, interval, f"the design takes {half} or {half + 1} cases in all")
    broken = cases[cases != np.rint(cases)]
    if broken.size:
        raise errors.DomainError(f"others_cases = {float(broken.flat[0])} is not a whole number")
    return (half + 1 - cases) / 2


def _log_ratio(released: ArrayLike, half: int, epsilon: float) -> FloatArray:
    """Log density ratio of a release from n + 1 cases to one from n."""
    return laplace.log_density_ratio(released, half + 1.0, float(half), laplace.calibrate(epsilon))


def _release_odds(log_update: FloatArray, epsilon: float, q0: ArrayLike) -> ReleaseOdds:
    prior = odds.prior_odds_ratio(_EVEN, q0)
    checks.broadcast(released=log_update, q0=prior)
    bounds = odds.odds_ratio_bounds(epsilon, prior)
    used = np.abs(log_update) / (2 * epsilon)
    update = np.exp(log_update)
    return ReleaseOdds(update * prior, update, prior, bounds.lower, bounds.upper, used, bounds.relation)


def odds_ratio_knowing_design(released: ArrayLike, participants: int, epsilon: float, q0: ArrayLike) -> ReleaseOdds:
    """Exact posterior odds ratio of an adversary who knows the design and nobody's status.

    With w = e^L, L the log density ratio of the release from n + 1 cases to n cases,

        R10 / P10 = ((n + 1) w + n) / (n w + n + 1),

    by the probabilities of X given Y in the module's text. It differs from 1 by at most 1/n: the person who makes the
    odd one out is hidden among 2n + 1.

    Parameters
    ----------
    released : array_like
        Released numbers of cases, in (-inf, inf).
    participants : int
        2n + 1.
    epsilon : float
        In (0, inf).
    q0 : array_like
        The adversary's prior probability that somebody who is not in the study is a case, in (0, 1).

    Returns
    -------
    ReleaseOdds

    Examples
    --------
    >>> float(odds_ratio_knowing_design(1e9, 1095, 0.34, 0.00125).update)
    1.00030...
    """
    log_ratio = _log_ratio(released, _half(participants), epsilon)
    return _release_odds(log_update_knowing_design(log_ratio, participants), epsilon, q0)


def log_update_knowing_design(log_ratio: ArrayLike, participants: int) -> FloatArray:
    """Log(R10 / P10) of an adversary who knows the design and nobody's status, for any noise (see `odds_ratio_knowing_design`).

    Parameters
    ----------
    log_ratio : array_like
        Log density ratio L of the release from n + 1 cases to one from n.
    participants : int
        2n + 1.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(log_update_knowing_design(np.inf, 1095))
    0.00182...
    """
    half = _half(participants)
    log_ratio = checks.within("log_ratio", log_ratio, "[-inf, inf]")
    # With 1/w for w the quotient becomes its inverse. So w <= 1 is enough, and nothing overflows.
    distance = -np.abs(log_ratio)
    log_update = np.log1p(np.expm1(distance) / (half * np.exp(distance) + half + 1))
    return np.asarray(-np.sign(log_ratio) * log_update)


def odds_ratio_knowing_others(
    released: ArrayLike, participants: int, epsilon: float, q0: ArrayLike, others_cases: int | None = None
) -> ReleaseOdds:
    """Exact posterior odds ratio of an adversary who knows everybody's status but the target's.

    R10 / P10 = e^L, L the log density ratio of the release from n + 1 cases to n cases. It is e^epsilon for every
    release from n + 1 upwards, and e^-epsilon from n downwards.

    Parameters
    ----------
    released : array_like
        Released numbers of cases, in (-inf, inf).
    participants : int
        2n + 1.
    epsilon : float
        In (0, inf).
    q0 : array_like
        The adversary's prior probability that somebody who is not in the study is a case, in (0, 1).
    others_cases : int, optional
        Cases among the other 2n people. It is n unless given.

    Returns
    -------
    ReleaseOdds

    Raises
    ------
    DomainError
        Unless ``others_cases`` is n: then the design gives the target's status away, and there are no odds to change.

    Examples
    --------
    >>> float(odds_ratio_knowing_others(548, 1095, 0.34, 0.00125).update)
    1.40494...
    """
    half = _half(participants)
    if others_cases is not None:
        certain = float(probability_of_case(participants, others_cases))
        if certain != _EVEN:
            raise errors.DomainError(
                f"others_cases = {others_cases!r} makes the target a {'case' if certain else 'control'} by the design "
                f"of {participants} people; a release changes the odds only for {half}"
            )
    return _release_odds(_log_ratio(released, half, epsilon), epsilon, q0)

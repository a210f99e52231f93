"""What `release` answers, in words: budget and accuracy, what holds for every table, and who of this table is how exposed."""

import math
from collections.abc import Iterator

import numpy as np

from disclosure.people.description import OF_INFINITELY_MANY, caveats, fallen, no_limit_on_falling
from disclosure.releases.accuracy import CONFIDENCE, Accuracy
from disclosure.releases.answer import People, ReleaseAnswer

__all__ = ["told"]

# Rows of the most exposed people on the screen.
_MOST = 5


def told(answer: ReleaseAnswer, table: str | None = None) -> Iterator[str]:
    """Lines that say what an answer is.

    Parameters
    ----------
    answer : ReleaseAnswer
    table : str, optional
        Name of the table.
    """
    yield from _about(answer, table)
    yield from _budget(answer)
    yield from _accuracy(answer)
    yield from _every_table(answer)
    if answer.people:
        yield from _people(answer, answer.people)


def _about(answer: ReleaseAnswer, table: str | None) -> Iterator[str]:
    plan = answer.plan
    # Of everybody's record a column is one row of the accuracy, and as many numbers as there are people.
    numbers = sum(plan.sample if accuracy.kind == "identity" else 1 for accuracy in answer.accuracy)
    of = "infinitely many" if answer.population == math.inf else f"{answer.population:,}"
    yield (
        f"{_counted(len(plan.statistics), 'statistic')} with {_counted(numbers, 'number')}, over {plan.sample:,} of {of} "
        f"people; neighbours by {answer.budget.relation}"
    )
    if answer.people:
        records = answer.people.table
        yield f"{table}: {len(records):,} people" + (f"; read as {records.format}" if records.format else "")
        if plan.person:
            yield f"  each is all rows of one {plan.person.column}, under the number of the first"
        yield from (f"  {caveat}" for caveat in caveats(records, plan.person.rows if plan.person else 1))


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}" + ("s" if number != 1 else "")


def _budget(answer: ReleaseAnswer) -> Iterator[str]:
    found = answer.budget
    yield ""
    yield "What the whole release keeps, for one record replaced by another" + (
        ":" if found.normal else " (bounds by rho, since the noise is not all normal):"
    )
    yield _line(
        "rho (zero-concentrated, zCDP)", found.rho, f"{found.spent:.6g} of it spent before" if found.spent else ""
    )
    if found.spent:
        yield "    what was spent is taken for normal noise: if it was another, all that follows can be more"
    if found.normal:
        yield _line("mu (Gaussian)", found.mu)
    at = f"at delta = {found.delta:g}"
    yield _line("epsilon (approximate)", found.epsilon_approximate, at)
    yield _line("epsilon (probabilistic)", found.epsilon_probabilistic, at)
    if found.epsilon_pure < math.inf:
        yield _line("epsilon (pure)", found.epsilon_pure)
    yield _line("advantage of any test", found.advantage, "true less false positive rate, at most")


def _line(label: str, value: float, words: str = "") -> str:
    return f"  {label:<32}{value:<14.6g}{words}".rstrip()


def _accuracy(answer: ReleaseAnswer) -> Iterator[str]:
    names = [_name(accuracy) for accuracy in answer.accuracy]
    width = max(map(len, names)) + 2
    yield ""
    yield (
        "What is released, number by number, everybody's record column by column; error is the root mean square of the noise, "
        f"which stays within the next column with probability {CONFIDENCE:g}:"
    )
    equal = [accuracy.error for accuracy in answer.other_split]
    header = f"  {'':<{width}}{'noise':<19}{'scale':>12}{'error':>12}{'within':>12}{'sampling':>12}{'budget':>8}"
    yield header + (f"{'if split equally':>18}" if equal else "")
    for place, (name, accuracy) in enumerate(zip(names, answer.accuracy, strict=True)):
        numbers = f"{accuracy.scale:>12.5g}{accuracy.error:>12.5g}{accuracy.half_width:>12.5g}"
        sampling = "-" if math.isnan(accuracy.sampling_error) else f"{accuracy.sampling_error:.5g}"
        share = f"{accuracy.rho / answer.budget.rho:>8.1%}"
        split = f"{equal[place]:>18.5g}" if equal else ""
        yield f"  {name:<{width}}{accuracy.mechanism:<19}{numbers}{sampling:>12}{share}{split}"
    yield "  sampling: standard error without noise, since a sample is not its population; it depends on the people."
    yield "  budget: the share in rho, of all cells together where a table has several."


def _name(accuracy: Accuracy) -> str:
    unit = f" ({accuracy.unit})" if accuracy.unit else ""
    return f"{accuracy.statistic}: {accuracy.entry}{unit}"


def _every_table(answer: ReleaseAnswer) -> Iterator[str]:
    limits = answer.limits
    prior = f"at the prior {limits.prior:.4g}" if limits.prior else "whatever the prior is"
    yield ""
    yield f"For every table with these ranges, {prior}; safe to publish, since no value of a person decides it:"
    yield from _factors(limits.asked.probability, limits.rise, limits.fall)
    yield (f"  it rises by more than a factor {limits.asked.ratio:g} with probability {limits.exceeding:.3g} at most")


def _factors(probability: float, rise: float, fall: float) -> Iterator[str]:
    yield (
        f"  except with probability {probability:g}, belief in anybody's presence rises by no more than a factor {rise:.4g}, "
        f"and falls by no more than 1/{1 / fall:.4g}"
    )


def _people(answer: ReleaseAnswer, people: People) -> Iterator[str]:
    moved, asked = people.movements, answer.limits.asked
    yield ""
    yield "For the people of this table; whoever learns what follows learns something about them:"
    yield from _factors(asked.probability, moved["rise_limit_of_all"][0], moved["fall_limit_of_all"][0])
    yield from no_limit_on_falling(moved)
    found = moved["rise_found"]
    if np.isnan(found).all():
        yield "    found: not computed, so many neighbours are different"
    elif answer.budget.normal:
        yield f"    found: a factor {np.nanmax(found):.4g}, and {fallen(np.nanmin(moved['fall_found']))}"
    else:
        most = int(np.nanargmax(found))
        yield (
            f"    found by drawing releases: a factor {found[most]:.4g} (95% interval {moved['rise_found_low'][most]:.4g} to "
            f"{moved['rise_found_high'][most]:.4g}), and {fallen(np.nanmin(moved['fall_found']))}"
        )
    who = f"  most exposed is row {moved['person'][0]}"
    if answer.population == math.inf:
        yield f"{who}: {OF_INFINITELY_MANY}"
    else:
        yield (
            f"{who}: belief from {moved['prior'][0]:.4g} before to at most {moved['posterior_limit'][0]:.4g} after, "
            f"except with probability {asked.probability:g}"
        )
    yield (
        f"  {'row':>8}{'rise found':>12}{'rise limit':>12}{'fall limit':>12}{f'P(above {asked.ratio:g})':>14}   limits hold "
        "for every dataset"
    )
    for place in range(min(_MOST, len(found))):
        person = {name: column[place] for name, column in moved.items()}
        rise = "-" if math.isnan(person["rise_found"]) else f"{person['rise_found']:.4g}"
        fall = f"1/{1 / person['fall_limit']:.4g}"
        alike = f"   and {person['people'] - 1:,} like it" if person["people"] > 1 else ""
        limits = f"{person['rise_limit']:>12.4g}{fall:>12}{person['exceeding_limit']:>14.3g}"
        yield f"  {person['person']:>8}{rise:>12}{limits}{alike}"

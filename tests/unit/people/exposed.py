"""Made-up exposures of people, for tests of what is made of them."""

import numpy as np

from disclosure.people.exposure import Exposure
from disclosure.people.summary import Setting

SETTING = Setting(point=0, population=40, sample=30, epsilon=1.0, delta=0.01, sigma=2.5)
OF_ALL = ("person_of_all", "rise_limit_of_all", "fall_limit_of_all", "exceeding_limit_of_all")
COLUMNS = ("point", "chosen", "people", "rows", *OF_ALL, *Exposure._fields)


def exposed(means, errors, chosen, seed=1, counts=None, datasets=7, rows=40):
    """Exposures with given means and standard errors of T, and a hundredth of them for the failure probability.

    Belief rises the more, the larger T is, and what was found is known of every other person.
    """
    generator = np.random.default_rng(seed)
    number = len(means)
    table = {name: generator.random(number) for name in COLUMNS}
    table |= {"people": np.ones(number, dtype=int) if counts is None else np.asarray(counts)}
    table |= {"datasets": np.full(number, datasets), "rows": np.full(number, rows)}
    table |= {"point": np.zeros(number, dtype=int), "person": 10 + np.arange(number)}
    table |= {
        "union_mass_mean": np.asarray(means),
        "union_mass_se": np.asarray(errors),
        "union_mass_largest": 2 * np.asarray(means),
    }
    table |= {
        "failure_probability_mean": np.asarray(means) / 100,
        "failure_probability_se": np.asarray(errors) / 100,
        "prior": np.full(number, 1 / 11),
    }
    table |= {"chosen": np.asarray(chosen), "supremum": np.array(["exact"] * number)}
    rise = 1 + 10 * np.asarray(means)
    found = np.where(np.arange(number) % 2 == number % 2, 0.9 * rise, np.nan)
    table |= {"rise_limit": rise, "rise_found": found, "fall_limit": 1 / rise, "fall_found": 1 / found}
    table |= {"exceeding_limit": rise / 100, "exceeding_found": found / 100, "posterior_limit": rise / 11}
    table |= {"probability": np.full(number, 1e-3), "ratio": np.full(number, 2.0)}
    table |= {"person_of_all": np.full(number, 3), "rise_limit_of_all": np.full(number, 1.1 * rise.max())}
    table |= {"fall_limit_of_all": 1 / table["rise_limit_of_all"]}
    table |= {"exceeding_limit_of_all": table["rise_limit_of_all"] / 100}
    table["union_mass_supremum"] = np.minimum(1.0, 3 * table["union_mass_mean"])
    return {name: table[name] for name in COLUMNS}

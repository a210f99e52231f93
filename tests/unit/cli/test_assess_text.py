"""What `assess` finds, in words."""

import numpy as np
import pytest

from disclosure.cli.assess_text import assessed
from disclosure.people import queries
from disclosure.people.summary import summarise
from tests.unit.people.exposed import SETTING, exposed
from tests.unit.people.tables import random_people

RECORDS = random_people(40, 1)
QUERY = queries.linear("mean", RECORDS.columns, SETTING.sample)


def told(people):
    return list(assessed([summarise(SETTING, people)], [people], [people], RECORDS, QUERY))


@pytest.mark.parametrize(("error", "shown"), [(1e-22, False), (1e-10, True)])
def test_a_standard_error_that_is_rounding_is_not_told(error, shown):
    lines = told(exposed(np.full(40, 1.89e-6), np.full(40, error), ["everybody"] * 40))
    (line,) = [line for line in lines if "upper limit of that (T)" in line]
    assert ("standard error" in line) == shown


@pytest.mark.parametrize("posterior", [0.9, 1.0])
def test_noise_that_hides_nothing_has_no_limit_on_falling(posterior):
    people = exposed(np.full(40, 0.1), np.zeros(40), ["everybody"] * 40)
    people["posterior_limit"] = np.full(40, posterior)
    people["fall_found"] = np.full(40, 1.0)
    text = "\n".join(told(people))
    assert ("this noise may tell all: belief rises to 1" in text) == (posterior == 1)
    assert "found: a factor 1.8, and no fall" in text

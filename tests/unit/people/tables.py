"""Tables of people for tests."""

import pathlib

import numpy as np

from disclosure.people.queries import Column
from disclosure.people.records import Records

DAVIS = pathlib.Path(__file__).resolve().parents[3] / "resources/davis.csv"
UNIT = (Column("a", 0.0, 1.0), Column("b", 0.0, 1.0))
HEIGHT, WEIGHT = Column("height_cm", 50.0, 210.0), Column("weight_kg", 35.0, 170.0)


def people(values, weights=None, high=10.0):
    """The people with given attributes, of a range that ends at ``high``."""
    values = np.asarray(values, dtype=float)
    return Records((Column("a", 0.0, high),) * values.shape[1], values, weights)


def random_people(number, dimensions, seed=0, weights=False):
    """People with attributes uniform on [0, 1], and weights from 1 to 4 on request."""
    generator = np.random.default_rng(seed)
    shares = generator.integers(1, 5, number).astype(float) if weights else None
    return Records(UNIT[:dimensions], generator.random((number, dimensions)), shares)

"""Sums have the same bits whatever is computed beside them."""

import numpy as np
import pytest

from disclosure.numerics import ordered_sums


@pytest.mark.parametrize("terms", [3, 100, 1_500])
def test_columns_add_up_to_the_same_bits_alone_and_among_others(terms):
    generator = np.random.default_rng(1)
    table, single = generator.normal(size=(terms, 40)), generator.normal(size=(terms, 1))
    every, unchanged = ordered_sums.columns([table, single], np.arange(40))
    assert unchanged is single
    for chosen in (np.array([7, 7]), np.array([3, 9, 31]), np.arange(39, -1, -1)):
        some, _ = ordered_sums.columns([table, single], chosen)
        assert np.array_equal(some, table[:, chosen])
        assert np.array_equal(some.sum(axis=0), every.sum(axis=0)[chosen])


def test_scalar_products_and_contractions_have_the_same_bits_for_any_number_of_rows():
    generator = np.random.default_rng(2)
    first, second = generator.normal(size=(300, 7)), generator.normal(size=(50, 7))
    products = ordered_sums.scalar_products(first[:, None], second[None])
    contracted = ordered_sums.contracted("ni,mi->nm", first, second)
    assert products == pytest.approx(first @ second.T, rel=1e-12, abs=1e-13)
    assert contracted == pytest.approx(products, rel=1e-12, abs=1e-13)
    for row in (0, 17, 299):
        assert np.array_equal(ordered_sums.scalar_products(first[row], second), products[row])
        assert np.array_equal(ordered_sums.contracted("ni,mi->nm", first[row : row + 1], second)[0], contracted[row])


def test_weighted_rows_have_the_same_bits_for_any_number_of_rows():
    generator = np.random.default_rng(4)
    values, weights = generator.random((64, 8)), generator.random(8)
    every = ordered_sums.weighted_rows(values, weights)
    assert every == pytest.approx(values @ weights, rel=1e-14)
    for count in range(1, 64):
        assert np.array_equal(ordered_sums.weighted_rows(values[-count:], weights), every[-count:])


def test_zeros_at_the_end_make_no_difference():
    values = np.random.default_rng(3).normal(size=(5, 90))
    longer = np.concatenate([values, np.zeros((5, 200))], axis=1)
    assert np.array_equal(ordered_sums.one_by_one(longer), ordered_sums.one_by_one(values))
    assert ordered_sums.one_by_one(values) == pytest.approx(values.sum(axis=1), rel=1e-12)
    assert np.array_equal(ordered_sums.one_by_one(values[0]), ordered_sums.one_by_one(values)[0])
    assert np.array_equal(ordered_sums.one_by_one(values[None]), ordered_sums.one_by_one(values)[None])

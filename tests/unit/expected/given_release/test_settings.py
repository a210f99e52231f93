"""Every constant says what it is."""

import dataclasses

import pytest

from disclosure.expected.given_release.settings import SETTINGS, Settings


def test_every_constant_has_a_unit_and_a_reason_and_stays_as_it_is():
    for field in dataclasses.fields(Settings):
        assert field.metadata["unit"]
        assert field.metadata["reason"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        SETTINGS.spacing = 3.0

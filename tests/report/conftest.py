"""One browser for each module of these tests."""

import os

import pytest

from tests.report import browser


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A browser with an empty profile; without Chromium the tests skip, or fail where CI is set."""
    command = browser.find()
    if command is None:
        # A report that nobody opened must not look like one that works.
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no Chromium; on Debian: apt install chromium")
    with browser.started(command, tmp_path_factory.mktemp("profile")) as opened:
        yield opened

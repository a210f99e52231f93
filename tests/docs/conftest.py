"""The site that `make docs` has built, as a server on this machine hands it out, and a browser."""

import functools
import http.server
import pathlib
import threading

import pytest

from tests.report.conftest import opened  # noqa: F401 - a fixture

SITE = pathlib.Path(__file__).resolve().parents[2] / "site"


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    """Address of the site, without a slash at its end."""
    assert (SITE / "index.html").exists(), "the site is not there: make docs"
    handler = functools.partial(_Silent, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()

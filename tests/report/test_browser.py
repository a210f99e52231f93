"""What the browser of these tests notices: without this, a report with faults could look like one without."""

import base64

import pytest

FAULTS = {
    "console": "<script>console.error('a fault')</script>",
    "exception": "<script>nobody.knows()</script>",
    "image": "<img src='http://host.invalid/image.png'>",
    "script": "<script src='https://host.invalid/script.js'></script>",
    "font": "<style>@font-face { font-family: f; src: url(http://host.invalid/f.woff) } p { font-family: f }</style><p>text",
    "fetch": "<script>fetch('http://host.invalid/data').catch(() => 0)</script>",
}


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(opened, tmp_path, fault, framed):
    page = f"<!doctype html><title>page</title>{FAULTS[fault]}"
    if framed:
        page = f"<iframe src='data:text/html;base64,{base64.b64encode(page.encode()).decode()}'></iframe>"
    (tmp_path / "page.html").write_text(f"<!doctype html>{page}", encoding="utf-8")
    opened.requests.clear()
    opened.complaints.clear()
    opened.open((tmp_path / "page.html").as_uri())
    if fault in ("console", "exception"):
        noticed = "a fault" if fault == "console" else "nobody"
        opened.wait(lambda: any(noticed in complaint for complaint in opened.complaints))
    else:
        opened.wait(lambda: any("//host.invalid/" in address for address in opened.requests))

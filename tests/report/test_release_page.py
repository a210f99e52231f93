"""The page that `assess` writes, in a browser: opened, dragged, moved by keys, printed, and on a phone."""

import base64
import csv
import math
import types

import pytest

from disclosure.plots import style
from tests.commands import main
from tests.unit.people.tables import DAVIS

COLUMNS = ["height_cm:50:210", "weight_kg:35:170"]
PHONE = 420
# Pixels below which text is hard to read on a phone.
SMALLEST = 10


@pytest.fixture(scope="module")
def answer(tmp_path_factory):
    """What `assess` has written about a table with a hostile name, and the rows of its points."""
    folder = tmp_path_factory.mktemp("release")
    table = folder / "<img src=x onerror=alert(1)>.csv"
    table.write_bytes(DAVIS.read_bytes())
    work = ["--targets", "6", "--datasets", "2", "--probability", "1e-3", "--output", str(folder / "exposure")]
    noise = ["--sample", "180", "--query", "mean", "--epsilon", "1", "--delta", "0.01"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            style, "rendered", lambda figure, kind: b"figure"
        )  # files of figures take longer than all the rest
        main(["assess", str(table), "--columns", *COLUMNS, *noise, *work])

    def rows(name):
        with open(folder / "exposure" / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return types.SimpleNamespace(url=(folder / "exposure/index.html").as_uri(), rows=rows)


@pytest.fixture
def page(opened, answer):
    """The page, freshly opened on a wide screen; it has neither complained nor asked for anything when the test ends."""
    opened.requests.clear()
    opened.complaints.clear()
    opened.open(answer.url)
    opened.resize(1280)
    yield opened
    assert not opened.complaints
    assert not [url for url in opened.requests if url != answer.url and not url.startswith("data:")]


SHOWN = """(() => {
    const of = (name) => document.querySelector(`#result [data-copy=${name}] data`)?.value;
    return {
        sigma: of('noise'), epsilon: of('epsilon'), probability: of('chance'), rise: of('rise'), posterior: of('posterior'),
        errors: [...document.querySelectorAll('#error [data-copy=error] data')].map((cell) => cell.value),
        exposed: [...document.querySelectorAll('#exposed [data-copy=row] data')].map((cell) => cell.value),
        limits: [...document.querySelectorAll('#exposed [data-copy=limit] data')].map((cell) => cell.value),
        found: document.querySelector('#found').hidden ? '' : of('found'),
    };
})()"""


def slide(page, name, place):
    """Move a slider with the keys of the keyboard."""
    page.run(f"document.querySelector('#{name}').focus()")
    press(page, "Home")
    for _ in range(place):
        press(page, "ArrowRight")
    assert page.run(f"document.querySelector('#{name}').value") == str(place)


def press(page, key):
    codes = {"Home": 36, "ArrowRight": 39, "ArrowUp": 38, "Tab": 9}
    for kind in ("rawKeyDown", "keyUp"):
        page.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key])


def drag(page, name, share):
    """Drag a slider's knob to a share of its length."""
    page.run(f"document.querySelector('#{name}').scrollIntoView({{block: 'center'}})")
    box = f"(() => {{ const r = document.querySelector('#{name}').getBoundingClientRect();"
    left, width, top = page.run(f"{box} return [r.left, r.width, r.top + r.height / 2] }})()")
    value, most = page.run(f"(() => {{ const s = document.querySelector('#{name}'); return [+s.value, +s.max] }})()")
    knob = 8  # half of the knob's width, about
    start, end = (left + knob + (width - 2 * knob) * part for part in (value / most, share))
    mouse = {"y": top, "button": "left", "buttons": 1, "clickCount": 1}
    page.ask("Input.dispatchMouseEvent", type="mousePressed", x=start, **mouse)
    for step in (0.5, 1.0):
        page.ask("Input.dispatchMouseEvent", type="mouseMoved", x=start + step * (end - start), **mouse)
    page.ask("Input.dispatchMouseEvent", type="mouseReleased", x=end, **mouse)


def test_the_page_opens_at_the_numbers_of_the_tables(page, answer):
    shown = page.run(SHOWN)
    (summary,) = answer.rows("summary.csv")
    assert shown["sigma"] == summary["sigma"]
    assert shown["rise"] == summary["rise_limit"]
    assert shown["posterior"] == summary["posterior_limit"]
    assert shown["found"] == summary["rise_found"]
    assert shown["exposed"][0] == summary["most_exposed"]
    people = {row["person"]: row["rise_limit"] for row in answer.rows("people.csv")}
    assert dict(zip(shown["exposed"], shown["limits"], strict=True)) == people


def test_every_point_has_the_numbers_of_the_table(page, answer):
    """By keys alone, through all noises and all probabilities."""
    points = answer.rows("points.csv")
    sigmas = list(dict.fromkeys(row["sigma"] for row in points))
    many = len(points) // len(sigmas)
    for chance in range(many):
        slide(page, "chance", chance)
        page.run("document.querySelector('#noise').focus()")
        press(page, "Home")
        for place in range(len(sigmas)):
            row, shown = points[place * many + chance], page.run(SHOWN)
            names = {"sigma": "sigma", "epsilon": "epsilon", "probability": "probability", "rise": "rise_limit_of_all"}
            assert {name: shown[name] for name in names} == {name: row[column] for name, column in names.items()}
            assert shown["posterior"] == row["posterior_limit"]
            assert shown["found"] == row["rise_found"]
            assert shown["exposed"][0] == row["most_exposed"]
            assert shown["errors"] == [row["sigma"]] * 2
            press(page, "ArrowRight")


def test_the_slider_is_dragged(page):
    before = page.run(SHOWN)
    ring = "document.querySelector('#here').getAttribute('cx')"
    place = page.run(ring)
    drag(page, "noise", 1.0)
    after = page.run(SHOWN)
    assert float(after["sigma"]) > float(before["sigma"])
    assert float(after["rise"]) < float(before["rise"])
    assert float(page.run(ring)) > float(place)
    drag(page, "chance", 0.0)
    assert float(page.run(SHOWN)["probability"]) == 0.05
    assert page.run("document.querySelectorAll('.line.chosen').length") == 1


def test_bars_are_as_long_as_the_errors(page):
    drag(page, "noise", 0.0)
    lengths = page.run(
        "[...document.querySelectorAll('#error tbody tr')].map((row) => [...row.querySelectorAll('.bar')].map("
        "(bar) => bar.getBoundingClientRect().width).concat([...row.querySelectorAll('td data')].map((d) => +d.value)))"
    )
    for noise, sampling, error, deviation, _ in lengths:
        assert noise / sampling == pytest.approx(error / deviation, rel=0.05)
    assert len({sampling for _, sampling, *_ in lengths}) == 1  # one scale, so that statistics can be compared


def test_the_keyboard_reaches_both_sliders_and_hears_them(page):
    reached = []
    for _ in range(4):
        press(page, "Tab")
        reached.append(page.run("document.activeElement.id"))
    assert {"noise", "chance"} <= set(reached)
    slide(page, "noise", 0)
    nodes = page.ask("Accessibility.getFullAXTree")["nodes"]
    sliders = [node for node in nodes if node["role"]["value"] == "slider"]
    assert [node["name"]["value"].split()[0] for node in sliders] == ["Noise", "Exceptions"]
    for name in ("noise", "chance"):  # a screen reader says the number, not the place of the knob
        said = page.run(f"document.querySelector('#{name}').getAttribute('aria-valuetext')")
        assert said == page.run(f"document.querySelector('#{name}-now').textContent")
    assert page.run("document.querySelector('#result').getAttribute('aria-live')") == "polite"


def test_names_of_files_are_text(page):
    assert page.run("document.images.length") == 0
    assert "<img src=x onerror=alert(1)>.csv" in page.run("document.body.textContent")


def test_print_has_the_tables_in_place_of_the_sliders(page, answer):
    page.ask("Emulation.setEmulatedMedia", media="print")
    assert page.run("getComputedStyle(document.querySelector('#controls')).display") == "none"
    cut = "[...document.querySelectorAll('.long')].filter((box) => box.scrollHeight > box.clientHeight + 1).length"
    assert page.run(cut) == 0
    rows = page.run(
        "[...document.querySelectorAll('#points tbody tr')].filter((row) => row.getClientRects().length)"
        ".map((row) => [...row.querySelectorAll('data')].slice(0, 4).map((cell) => cell.value))"
    )
    points = [row for row in answer.rows("points.csv") if row["probability"] == "0.001"]
    assert [(row[0], row[3]) for row in rows] == [(row["sigma"], row["rise_limit_of_all"]) for row in points]
    pdf = base64.b64decode(page.ask("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
    assert pdf.startswith(b"%PDF")
    page.ask("Emulation.setEmulatedMedia", media="")


def test_a_phone_shows_all_of_it(page, tmp_path):
    page.resize(PHONE)
    assert page.run("document.documentElement.scrollWidth") <= PHONE
    scale = "document.querySelector('svg').getBoundingClientRect().width / 480 * 13"
    assert page.run(scale) >= SMALLEST
    drag(page, "noise", 0.9)
    photograph = base64.b64decode(page.ask("Page.captureScreenshot", format="png")["data"])
    assert photograph.startswith(b"\x89PNG")
    assert len(photograph) > 10_000


def test_without_scripts_the_page_still_states_everything(opened, answer):
    opened.open("about:blank#blank")
    opened.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        opened.ask("Page.navigate", url=answer.url)
        opened.until("document.readyState == 'complete' && !!document.querySelector('#points')")
        assert opened.run("getComputedStyle(document.querySelector('#controls')).display") == "none"
        shown = opened.run(SHOWN)
        (summary,) = answer.rows("summary.csv")
        assert (shown["sigma"], shown["rise"]) == (summary["sigma"], summary["rise_limit"])
        assert f"{float(shown['rise']):.4g} times as likely as before" in opened.run("document.body.innerText")
        assert not math.isnan(float(shown["errors"][0]))
    finally:
        opened.ask("Emulation.setScriptExecutionDisabled", value=False)

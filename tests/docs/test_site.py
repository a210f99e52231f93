"""The site: every page opens without a complaint or a request to elsewhere, and nothing on it is missing or raw."""

import collections
import functools
import html.parser
import importlib
import pathlib
import pkgutil
import posixpath
import re
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

import disclosure
from tests.docs.conftest import SITE

ROOT = SITE.parent
SOURCES = {
    **{f"docs/{path.name}": path.with_suffix(".html").name for path in (ROOT / "docs").glob("*.md")},
    "README.md": "index.html",
    "CONTRIBUTING.md": "CONTRIBUTING.html",
    "CODE_OF_CONDUCT.md": "CODE_OF_CONDUCT.html",
    "CHANGELOG.md": "CHANGELOG.html",
}
MODULES = {
    module.name: module.ispkg
    for module in pkgutil.walk_packages(disclosure.__path__, "disclosure.")
    if not any(part.startswith("_") for part in module.name.split("."))
} | {"disclosure": True}
# Structure that GitHub and the site must read alike out of a page.
STRUCTURE = ("li", "table", "tr", "pre", "h1", "h2", "h3", "img", "blockquote", "em", "strong")


class Page(html.parser.HTMLParser):
    """What the main part of a page holds."""

    def __init__(self, name):
        super().__init__()
        self.names, self.links, self.assets = set(), [], []
        self.tags, self.text = collections.Counter(), []
        self._main, self._raw = 0, 0
        self.feed((SITE / name).read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag in ("script", "img", "link", "iframe", "source") and attributes.get("rel") != "canonical":
            self.assets += [attributes[key] for key in ("src", "href") if key in attributes]
        self._main += tag == "article"
        if self._main:
            self.tags[tag] += 1
            self._raw += tag in ("code", "pre", "math", "script", "style")

    def handle_endtag(self, tag):
        if self._main:
            self._raw -= tag in ("code", "pre", "math", "script", "style")
        self._main -= tag == "article"

    def handle_data(self, data):
        if self._main and not self._raw:
            self.text.append(data)


def names():
    return sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")) if SITE.exists() else []


page = functools.cache(Page)


def place(module):
    parts = module.split(".")[1:]
    return "/".join(["api", *parts, "index"] if MODULES[module] else ["api", *parts]) + ".html"


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_every_page_of_the_documentation_is_there(source):
    text = re.sub(
        r"^```.*?^```$|`[^`]*`", "", (ROOT / source).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    formulas = len(re.findall(r"\$\$[^$]+\$\$|\$[^$]+\$", text))
    assert page(SOURCES[source]).tags["math"] == formulas


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_lists_and_tables_are_those_that_github_shows(source):
    text = (ROOT / source).read_text(encoding="utf-8")
    formula = re.compile(r"\$\$[^$]+\$\$|\$[^$\n]+(?:\n[^$\n]+)?\$")
    rendered = MarkdownIt("commonmark").enable("table").render(formula.sub("x", text))
    expected = collections.Counter(re.findall(r"<(\w+)", rendered))
    found = page(SOURCES[source]).tags
    assert {tag: found[tag] for tag in STRUCTURE} == {tag: expected[tag] for tag in STRUCTURE}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_public_module_has_a_page(module):
    found = page(place(module))
    assert found.tags["h1"] == 1
    assert found.tags["blockquote"] == 0, "an example stands under the heading Examples"
    public = getattr(importlib.import_module(module), "__all__", [])
    documented = [name for name in public if f"{module}.{name}" in found.names]
    # Constants without a description have no entry; a function or a class always has one.
    missing = [name for name in set(public) - set(documented) if described(module, name)]
    assert not missing


def described(module, name):
    value = getattr(importlib.import_module(module), name)
    return isinstance(value, type) or (callable(value) and hasattr(value, "__code__"))


def test_navigation_leads_to_every_page():
    reached, todo = set(), ["index.html"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += [target for target, _ in internal(name) if target.endswith(".html")]
    assert set(names()) - reached == {"404.html"}


def internal(name):
    """Files of the site that a page links to, with the anchor."""
    for link in page(name).links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc and name != "404.html":
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
            yield (path if parts.path else name), unquote(parts.fragment)


@pytest.mark.parametrize("name", names())
def test_links_and_anchors_resolve(name):
    for target, anchor in internal(name):
        target = posixpath.join(target, "index.html") if (SITE / target).is_dir() else target
        assert (SITE / target).is_file(), target
        assert not anchor or anchor in page(target).names, f"{target}#{anchor}"


def test_names_of_code_lead_to_its_page():
    links = {(target, anchor) for target, anchor in internal("CONTRIBUTING.html") if target.startswith("api/")}
    assert ("api/beliefs/inclusion.html", "disclosure.beliefs.inclusion.ratio_bounds") in links
    table = re.findall(r"^\| .* \| `([a-z_]+\.[a-z_]+\.\w+)` \|$", text_of("CONTRIBUTING.md"), re.MULTILINE)
    assert {f"disclosure.{name}" for name in table} <= {anchor for _, anchor in links}


def text_of(source):
    return (ROOT / source).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names())
def test_nothing_is_fetched_from_elsewhere(name):
    assert not [asset for asset in page(name).assets if urlsplit(asset).netloc]


@pytest.mark.parametrize("name", names())
def test_no_tex_is_left(name):
    text = " ".join(page(name).text)
    assert not re.search(r"\$[^\s$][^$]*\$|\\[a-z]+\b", text)


def test_style_sheets_ask_for_nothing():
    for path in SITE.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//|@import", text), path


@pytest.fixture(scope="module")
def looked_at(opened, address):
    """The browser after it has opened every page, the written ones on a wide screen too; and pages that were too wide."""
    opened.open(f"{address}/index.html")
    wide = []
    for width, pages in ((390, names()), (1280, sorted(SOURCES.values()))):
        opened.resize(width)
        for name in pages:
            opened.ask("Page.navigate", url=f"{address}/{name}")
            seen = opened.until(f"document.readyState == 'complete' && location.pathname == '/{name}' && ({LOOK})")
            assert seen["formulas"] == page(name).tags["math"], name
            assert not seen["hidden"], name
            wide += [(name, width)] if seen["wide"] else []
    return opened, wide


LOOK = """(() => {
    const formulas = [...document.querySelectorAll('math')];
    return {
        formulas: formulas.length,
        hidden: formulas.filter(formula => formula.getBoundingClientRect().height < 1).length,
        wide: document.documentElement.scrollWidth > window.innerWidth + 1,
    };
})()"""


def test_pages_open_without_a_complaint(looked_at):
    assert not looked_at[0].complaints


def test_pages_ask_for_nothing_from_elsewhere(looked_at, address):
    assert not elsewhere(looked_at[0].requests, address)
    assert any(url == f"{address}/method.html" for url in looked_at[0].requests)


def test_pages_are_no_wider_than_the_screen(looked_at):
    assert not looked_at[1]


def elsewhere(requests, address):
    return [url for url in requests if not url.startswith((f"{address}/", "data:", "blob:", "about:"))]


def test_search_finds_a_function(opened, address):
    opened.open(f"{address}/index.html")
    opened.resize(1280)
    opened.run("document.querySelector('[data-md-component=search-query]').focus()")
    opened.run(
        "const field = document.querySelector('[data-md-component=search-query]');"
        "field.value = 'union_mass'; field.dispatchEvent(new Event('input', { bubbles: true }));"
        "field.dispatchEvent(new Event('keyup', { bubbles: true }))"
    )
    found = opened.until("document.querySelector('.md-search-result__item a')?.href")
    assert pathlib.PurePosixPath(urlsplit(found).path).suffix == ".html"
    assert not elsewhere(opened.requests, address)

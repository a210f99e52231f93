"""Pages of the site that do not stand in docs/: the README, files that pages link to, and one page for each module.

A hook of MkDocs. The pages link as GitHub wants it, relative to where they stand in the repository; here the links are
turned to where the site has them.
"""

import pathlib
import posixpath
import re
from collections.abc import Iterator

from mathml import Formulas
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from rooms import PACKAGE, ROOMS, ROOT

# Pages in the root of the repository, and their names on the site.
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md": "CODE_OF_CONDUCT.md",
    "CHANGELOG.md": "CHANGELOG.md",
}
# Languages of other files, by the end of their name; they are shown as text without one.
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".py": "python", ".cff": "yaml", ".toml": "toml", "Makefile": "make"}
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")
_NAME = re.compile(rf"(?<!\[)`((?:{'|'.join(ROOMS)})(?:\.\w+)+)`")  # such as `beliefs.odds.risks`
_FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Formulas; in the navigation pages that it does not name, and the code by rooms."""
    config.markdown_extensions.append(Formulas())
    assert config.nav is not None
    named = {page for entry in config.nav for page in entry.values()}
    others = sorted({path.name for path in (ROOT / "docs").glob("*.md")} - named)
    at = next(place for place, entry in enumerate(config.nav) if "CONTRIBUTING.md" in entry.values())
    rooms = [{room: _navigation(PACKAGE / room)} for room in ROOMS]
    config.nav[at + 1 : at + 1] = others
    config.nav.append({"Code": ["api/index.md", *rooms]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand elsewhere."""
    for name, page in OUTSIDE.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    for module, page in modules().items():
        files.append(File.generated(config, page, content=f"---\ntitle: {module}\n---\n\n::: {module}\n"))
    for name in sorted(set(_other_files(files))):
        files.append(File.generated(config, _place(name), content=_shown(name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to files of the repository to pages of the site, and names of code to links."""
    origin = _origin(page.file.src_uri)

    def turned(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[2]))
        place = posixpath.relpath(_place(target), posixpath.dirname(page.file.src_uri))
        return f"{match[1]}{place}{match[3] or ''}{match[4]}"

    def linked(part: str) -> str:
        return _NAME.sub(r'<autoref identifier="disclosure.\1" optional>`\1`</autoref>', _LINK.sub(turned, part))

    if page.file.src_uri.startswith(("api/", "files/")):
        return markdown
    return "".join(part if part.startswith("```") else linked(part) for part in _FENCED.split(markdown))


def modules() -> dict[str, str]:
    """The public modules of the package, itself among them, and where their pages are on the site."""
    pages = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            pages[".".join(parts[:-1])] = "/".join(["api", *parts[1:-1], "index.md"])
        elif not any(part.startswith("_") for part in parts):
            pages[".".join(parts)] = "/".join(["api", *parts[1:]]) + ".md"
    return pages


def _navigation(package: pathlib.Path) -> list[object]:
    """The page of a package, and entries of its public modules by name."""
    place = "/".join(["api", *package.relative_to(PACKAGE).parts])
    entries: list[object] = [f"{place}/index.md"]
    for path in sorted(package.iterdir(), key=lambda path: path.stem):
        if (path / "__init__.py").exists():
            entries.append({path.name: _navigation(path)})
        elif path.suffix == ".py" and not path.name.startswith("_"):
            entries.append({path.stem: f"{place}/{path.stem}.md"})
    return entries


def _origin(place: str) -> str:
    """Where a page of the site stands in the repository."""
    return next((name for name, page in OUTSIDE.items() if page == place), f"docs/{place}")


def _place(name: str) -> str:
    """Where a file of the repository is on the site."""
    if name in OUTSIDE:
        return OUTSIDE[name]
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    module = ".".join(name.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").split("/"))
    return modules().get(
        module, f"files/{name}.md".replace("/.", "/")
    )  # MkDocs leaves out names with a dot before them


def _other_files(files: Files) -> Iterator[str]:
    """Files of the repository that pages link to and that are neither pages nor code with a page of its own."""
    for file in files.documentation_pages():
        origin = _origin(file.src_uri)
        for match in _LINK.finditer(_FENCED.sub("", file.content_string)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[2]))
            if _place(target).startswith("files/") and (ROOT / target).is_file():
                yield target


def _shown(name: str) -> str:
    """A page that shows a file."""
    language = next((language for end, language in LANGUAGES.items() if name.endswith(end)), "text")
    text = (ROOT / name).read_text(encoding="utf-8")
    return f"---\ntitle: {posixpath.basename(name)}\nsearch:\n  exclude: true\n---\n\n# {name}\n\n````{language}\n{text}````\n"

"""Article about the results, typeset from a template that names each file from which it takes a number."""

import argparse
import json
import pathlib
import re
import shutil
import tempfile
from collections.abc import Mapping

import matplotlib
import typst

from disclosure.numerics.errors import DomainError
from disclosure.workflow import tables
from disclosure.workflow.options import add_output

# Names that the template reads, beside those of the results.
_MADE_BY = "made_by.json"
_PRINTED = "printed.csv"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("template", nargs="+", metavar="FILE", help="the document, then the files that it includes")
    parser.add_argument("--printed", required=True, metavar="FILE", help="table of the printed numbers")
    parser.add_argument(
        "--made-by",
        nargs="+",
        action="append",
        default=[],
        metavar=("RULE", "FILE"),
        help="a rule and the files of its that the document may name; once for each rule",
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file, tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        made_by = {path: rule for rule, *paths in arguments.made_by for path in paths}
        for path in arguments.template:
            shutil.copyfile(path, root / pathlib.Path(path).name)
        shutil.copyfile(arguments.printed, root / _PRINTED)
        _lay_out(root, made_by)
        file.write(_typeset(root / pathlib.Path(arguments.template[0]).name, root))


def _lay_out(root: pathlib.Path, made_by: Mapping[str, str]) -> None:
    """Copy results under their names into a folder, and write beside them which rule has made each."""
    for path in made_by:
        if pathlib.PurePath(path).is_absolute() or ".." in pathlib.PurePath(path).parts:
            raise DomainError(f"made-by = {path!r} is outside the working folder; name a file in it")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, root / path)
    (root / _MADE_BY).write_text(json.dumps(made_by), encoding="utf-8")


def _typeset(document: pathlib.Path, root: pathlib.Path) -> bytes:
    """The document as PDF/UA-1, with the same bytes wherever it is made: no date, and no font of this machine."""
    try:
        return typst.compile(
            str(document),
            root=str(root),
            font_paths=[_font_of_figures()],
            ignore_system_fonts=True,
            pdf_standards=["ua-1"],
        )
    except typst.TypstError as error:
        place = re.search(r"[\w.]+:\d+:\d+", error.diagnostic)
        raise DomainError(f"{place[0] if place else document.name}: cannot be typeset, {error.message}") from None


def _font_of_figures() -> str:
    """The folder with the font that Matplotlib's figures ask for; Typst brings that of the text."""
    return str(pathlib.Path(matplotlib.get_data_path(), "fonts", "ttf"))

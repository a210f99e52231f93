"""Digests of the code behind a result, so that a changed module makes stale what was computed with it.

The digest is taken of the parsed source, without comments, docstrings and layout, of a module and of every module of the
package that it imports, directly or not, of the template in HTML beside a module, and of the versions of the other packages
that these import.
"""

import ast
import hashlib
import importlib.metadata
import os
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

__all__ = ["Code", "digest", "installed_version"]

PACKAGE = "disclosure"
# Hexadecimal digits of a digest, of the 64 that SHA-256 has: two different codes agree in them once in 2^64 times.
_DIGITS = 16


def installed_version(package: str) -> str:
    """Version of an installed package; empty for one that is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


class _Module(NamedTuple):
    """The digest of one module's code, the package's modules that it imports, and the other packages."""

    digest: str
    imported: frozenset[str]
    others: frozenset[str]


class Code:
    """The source of a package.

    Parameters
    ----------
    root : path-like
        Folder of the package.
    version : callable, optional
        From the name of another package to its version.

    Notes
    -----
    A module is read once, so a change after that is not seen.
    """

    def __init__(self, root: str | os.PathLike[str], version: Callable[[str], str] = installed_version) -> None:
        self._root = pathlib.Path(root)
        self._version = version
        self._modules: dict[str, _Module] = {}

    def digest(self, module: str) -> str:
        """Digest of the code behind a module, named like ``"workflow.jobs.simulate"``."""
        found = self.behind(module)
        lines = [f"{name}:{self._module(name).digest}" for name in found]
        packages = sorted({package for name in found for package in self._module(name).others})
        lines += [f"{package}=={self._version(package)}" for package in packages]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:_DIGITS]

    def behind(self, module: str) -> list[str]:
        """Names of a module and of all modules of the package that it imports, directly or not, sorted."""
        found: set[str] = set()
        waiting = [module]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self._module(name).imported)
        return sorted(found)

    def _module(self, name: str) -> _Module:
        if name not in self._modules:
            self._modules[name] = self._parsed(name)
        return self._modules[name]

    def _parsed(self, name: str) -> _Module:
        tree = ast.parse(self._file(name).read_text(encoding="utf-8"))
        imported: set[str] = set()
        others: set[str] = set()
        for node in _statements(tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                package, _, parent = node.module.partition(".")
                if package == PACKAGE:
                    imported.update(self._imported(parent, alias.name) for alias in node.names)
                else:
                    others.add(package)
            elif isinstance(node, ast.Import):
                for package, _, child in (alias.name.partition(".") for alias in node.names):
                    if package == PACKAGE:
                        imported.add(child)
                    else:
                        others.add(package)
            _drop_docstring(node)
        template = self._file(name).with_suffix(".html")
        text = ast.dump(tree) + (template.read_text(encoding="utf-8") if template.exists() else "")
        digest = hashlib.sha256(text.encode()).hexdigest()
        return _Module(digest, frozenset(imported), frozenset(others - sys.stdlib_module_names))

    def _imported(self, parent: str, name: str) -> str:
        """The module behind ``from parent import name``: a submodule if there is one, else the parent itself."""
        child = f"{parent}.{name}".lstrip(".")
        return child if self._file(child).exists() else parent

    def _file(self, name: str) -> pathlib.Path:
        path = self._root.joinpath(*name.split(".")) if name else self._root
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """A module and all statements in it, without their expressions, which hold no import and no docstring."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting.extend(getattr(node, block, ()))


def _drop_docstring(node: ast.AST) -> None:
    if (
        isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    ):
        node.body = node.body[1:] or [ast.Pass()]


_OWN = Code(pathlib.Path(__file__).resolve().parents[1])


def digest(module: str) -> str:
    """Digest of the code behind one of this package's modules, named like ``"workflow.jobs.simulate"``."""
    return _OWN.digest(module)

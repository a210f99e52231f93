"""Digests of the code behind a result, so that a changed module makes stale what was computed with it.

The digest is taken of the parsed source, without comments, docstrings and layout, of a module and of every module of the
package that it imports, directly or not, of the template in HTML beside a module, and of the versions of the other packages
that these import.
"""

import ast
import functools
import hashlib
import importlib.metadata
import pathlib
import sys

__all__ = ["digest"]

_ROOT = pathlib.Path(__file__).resolve().parents[1]


def digest(module):
    """Digest of the code behind one of the package's modules, named like ``"workflow.jobs.simulate"``."""
    found, packages, waiting = {}, set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name], imported, others = _parsed(name)
            waiting.extend(imported)
            packages |= others
    lines = [f"{name}:{found[name]}" for name in sorted(found)]
    lines += [f"{name}=={_version(name)}" for name in sorted(packages)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _file(name):
    path = _ROOT.joinpath(*name.split(".")) if name else _ROOT
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@functools.cache
def _parsed(name):
    """Digest of one module's code, the package's modules that it imports, and the other packages."""
    tree = ast.parse(_file(name).read_text(encoding="utf-8"))
    imported, others = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            package, _, parent = node.module.partition(".")
            if package == "disclosure":
                imported.update(_module(parent, alias.name) for alias in node.names)
            else:
                others.add(package)
        elif isinstance(node, ast.Import):
            for package, _, child in (alias.name.partition(".") for alias in node.names):
                (imported if package == "disclosure" else others).add(child if package == "disclosure" else package)
        _drop_docstring(node)
    template = _file(name).with_suffix(".html")
    text = ast.dump(tree) + (template.read_text(encoding="utf-8") if template.exists() else "")
    return hashlib.sha256(text.encode()).hexdigest(), imported, others - set(sys.stdlib_module_names)


def _module(parent, name):
    """The module behind ``from parent import name``: a submodule if there is one, else the parent itself."""
    child = f"{parent}.{name}".lstrip(".")
    return child if _file(child).exists() else parent


def _drop_docstring(node):
    if (
        isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    ):
        node.body = node.body[1:] or [ast.Pass()]

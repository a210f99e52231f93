"""Digests of the code behind a result, so that a changed module makes stale what was computed with it.

The digest is taken of the parsed source, without comments, docstrings and layout, of a module and of every module of the
package that it imports, directly or not.
"""

import ast
import functools
import hashlib
import pathlib

__all__ = ["digest"]

_ROOT = pathlib.Path(__file__).resolve().parents[1]


def digest(module):
    """Digest of the code of one of the package's modules, named like ``"commands.simulate"``, and of what it imports."""
    found = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name], imported = _parsed(name)
            waiting.extend(imported)
    return hashlib.sha256("\n".join(f"{name}:{found[name]}" for name in sorted(found)).encode()).hexdigest()[:16]


def _file(name):
    path = _ROOT.joinpath(*name.split(".")) if name else _ROOT
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@functools.cache
def _parsed(name):
    """Digest of one module's code, and the names of the package's modules that it imports."""
    tree = ast.parse(_file(name).read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "disclosure" and not node.level:
            parent = node.module.partition(".")[2]
            imported.update(_module(parent, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            imported.update(
                n.partition(".")[2] for n in (a.name for a in node.names) if n.split(".")[0] == "disclosure"
            )
        _drop_docstring(node)
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imported


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

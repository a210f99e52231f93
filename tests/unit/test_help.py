"""What `help()` shows: the public face is documented, and every public name explains itself."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys

import pytest

import disclosure

MODULES = [module.name for module in pkgutil.walk_packages(disclosure.__path__, "disclosure.")]
FACE = {
    "ConvergenceError",
    "DisclosureError",
    "DomainError",
    "Estimate",
    "RiskProfile",
    "approximate_ratio_bounds",
    "expected_failure_probability",
    "expected_union_mass",
    "failure_probability",
    "gaussian",
    "laplace",
    "prior_free_bounds",
    "ratio_bounds",
    "ratio_quantiles",
    "standardised_gaps",
    "union_mass",
}


def test_the_public_face_is_this_snapshot():
    assert set(disclosure.__all__) == FACE
    assert set(dir(disclosure)) >= FACE
    assert all(getattr(disclosure, name) is not None for name in FACE)
    with pytest.raises(AttributeError, match="no attribute 'ratio'"):
        disclosure.ratio  # noqa: B018


def test_the_package_names_every_public_name():
    assert {name for name in FACE if not re.search(rf"\b{name}\b", disclosure.__doc__)} == set()


def test_importing_the_package_imports_none_of_its_rooms():
    code = "import sys, disclosure; sys.exit(any(name.startswith(('numpy', 'disclosure.')) for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_public_names_explain_themselves(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isfunction(value) or inspect.isclass(value):
            # A package offers what its modules hold.
            assert value.__module__ == name or value.__module__.startswith(f"{name}."), public
            assert value.__doc__, public
            assert not value.__doc__.startswith(f"{public}("), f"{public} has the text that Python makes for it"

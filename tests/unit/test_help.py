"""What `help()` shows: every module has its place in the package's own text, and every public name explains itself."""

import importlib
import inspect
import pkgutil
import re

import pytest

import disclosure
from disclosure import beliefs

# What serves the command line and the workflow explains itself to those who read it there.
INNER = {"cli", "commands", "pipeline", "plots"}
MODULES = [module.name for module in pkgutil.iter_modules(disclosure.__path__) if module.name not in INNER]
INSIDE = [
    name
    for module in pkgutil.walk_packages(disclosure.__path__, "disclosure.")
    if (name := module.name.removeprefix("disclosure.")).partition(".")[0] not in INNER
]
FUNCTIONS = {"ratio_quantiles"}


def test_the_package_names_every_module():
    lists = re.findall(r"^    ([a-z_]+(?:, [a-z_]+)*)(?:  +\S.*)?$", disclosure.__doc__, re.MULTILINE)
    named = [name for names in lists for name in names.split(", ")]
    assert sorted(named) == sorted(MODULES)
    assert set(disclosure.__all__) <= {*MODULES, *FUNCTIONS}


def test_functions_of_the_package_itself_are_found():
    assert disclosure.ratio_quantiles is beliefs.ratio_quantiles


@pytest.mark.parametrize("name", INSIDE)
def test_public_names_explain_themselves(name):
    module = importlib.import_module(f"disclosure.{name}")
    assert module.__doc__
    assert "." in name or getattr(disclosure, name) is module
    for public in module.__all__:
        value = getattr(module, public)
        if inspect.isfunction(value) or inspect.isclass(value):
            # A package offers what its modules hold.
            assert value.__module__ == module.__name__ or value.__module__.startswith(f"{module.__name__}."), public
            assert value.__doc__.strip(), public
            assert not value.__doc__.startswith(f"{public}("), f"{public} has the text that Python makes for it"

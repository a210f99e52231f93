"""What `help()` shows: every module has its place in the package's own text, and every public name explains itself."""

import importlib
import inspect
import pkgutil
import re

import pytest

import disclosure
from disclosure import beliefs

MODULES = [
    module.name for module in pkgutil.iter_modules(disclosure.__path__) if not module.ispkg and module.name != "cli"
]
PACKAGES = ["beliefs"]  # the others belong to the command line and the workflow
FUNCTIONS = ["ratio_quantiles"]
INNER = [f"beliefs.{module.name}" for module in pkgutil.iter_modules(beliefs.__path__)]


def test_the_package_names_every_module():
    lists = re.findall(r"^    ([a-z_]+(?:, [a-z_]+)*)(?:  +\S.*)?$", disclosure.__doc__, re.MULTILINE)
    named = [name for names in lists for name in names.split(", ")]
    assert sorted(named) == sorted(MODULES + PACKAGES)
    assert set(disclosure.__all__) <= {*MODULES, *PACKAGES, *FUNCTIONS}


def test_a_package_names_its_modules():
    assert set(re.findall(r"`(\w+)`", beliefs.__doc__)) == {name.removeprefix("beliefs.") for name in INNER}


def test_functions_of_the_package_itself_are_found():
    assert disclosure.ratio_quantiles is beliefs.ratio_quantiles


@pytest.mark.parametrize("name", MODULES + INNER)
def test_public_names_explain_themselves(name):
    module = importlib.import_module(f"disclosure.{name}")
    assert module.__doc__
    for public in module.__all__:
        value = getattr(module, public)
        if inspect.isfunction(value) or inspect.isclass(value):
            assert value.__module__ == module.__name__, public
            assert value.__doc__.strip(), public
            assert not value.__doc__.startswith(f"{public}("), f"{public} has the text that Python makes for it"

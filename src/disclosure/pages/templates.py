"""How the project fills its HTML templates: whatever is filled in is text, and nothing in it is taken for markup."""

from collections.abc import Callable

import jinja2

__all__ = ["template"]


def template(package: str, name: str, **filters: Callable[..., object]) -> jinja2.Template:
    """A template that stands beside the modules of a package.

    Parameters
    ----------
    package : str
        Full name of the package.
    name : str
        Of the file.
    **filters : callable
        What the template calls by name.

    Returns
    -------
    jinja2.Template
        Values are escaped, and a value that is missing is an error.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package, ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(filters)
    environment.globals["zip"] = zip
    return environment.get_template(name)

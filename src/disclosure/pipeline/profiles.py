"""Odds risk profiles as users write them: a YAML or JSON file, or the same text on the command line."""

import pathlib

import yaml

from disclosure.domain import DomainError
from disclosure.odds import RiskProfile

__all__ = ["read_profile"]


def read_profile(source):
    """Profile and its name from a file, or from text that starts with ``{``.

    Parameters
    ----------
    source : str
        The keys ``knots``, ``scale`` (linear unless given) and optionally ``name``.

    Returns
    -------
    profile : disclosure.odds.RiskProfile
    name : str
    """
    try:
        text = source if source.lstrip().startswith("{") else pathlib.Path(source).read_text(encoding="utf-8")
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DomainError(f"profile {source}: not readable as YAML ({' '.join(str(error).split())})") from None
    if not isinstance(data, dict):
        raise DomainError(f"profile {source}: holds {data!r}; expected the keys knots and scale")
    name = str(data.pop("name", ""))
    return RiskProfile.from_data(data), name

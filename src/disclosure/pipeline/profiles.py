"""Odds risk profiles as users write them: a YAML or JSON file, or the same text on the command line."""

import pathlib

import yaml

from disclosure.domain import DomainError
from disclosure.odds import RiskProfile

__all__ = ["read_profile"]


def read_profile(source):
    """Profile from a file, or from text that starts with ``{``.

    Parameters
    ----------
    source : str
        The keys ``knots`` and ``scale`` (linear unless given).

    Returns
    -------
    disclosure.odds.RiskProfile
    """
    try:
        text = source if source.lstrip().startswith("{") else pathlib.Path(source).read_text(encoding="utf-8")
        data = yaml.safe_load(text)
    except IsADirectoryError:
        raise DomainError(f"profile {source!r}: is a folder; expected a file with the keys knots and scale") from None
    except UnicodeDecodeError:
        raise DomainError(f"profile {source}: is not a text in UTF-8") from None
    except yaml.YAMLError as error:
        raise DomainError(f"profile {source}: not readable as YAML ({' '.join(str(error).split())})") from None
    if not isinstance(data, dict):
        raise DomainError(f"profile {source}: holds {data!r}; expected the keys knots and scale")
    return RiskProfile.from_data(data)

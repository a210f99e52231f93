"""Odds risk profiles as users write them: a YAML or JSON file, or the same text on the command line."""

from disclosure.beliefs.profiles import RiskProfile
from disclosure.workflow.yaml_files import load_yaml, mapping, parse_yaml

__all__ = ["read_profile"]


def read_profile(source: str) -> RiskProfile:
    """Profile from a file, or from text that starts with ``{``.

    Parameters
    ----------
    source : str
        The keys ``knots`` and ``scale`` (linear unless given).

    Returns
    -------
    disclosure.beliefs.profiles.RiskProfile
    """
    data = parse_yaml(source, f"profile {source}") if source.lstrip().startswith("{") else load_yaml(source)
    return RiskProfile.from_data(mapping(data, f"profile {source}", "the keys knots and scale"))

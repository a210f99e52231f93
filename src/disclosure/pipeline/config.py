"""The configuration: checked as a whole before any job runs, with one message that tells what to change."""

import itertools
import math
import pathlib

import jsonschema
import yaml

from disclosure import case_control, domain, odds, populations, queries
from disclosure.domain import DomainError
from disclosure.pipeline import sweeps

__all__ = ["GROUPS", "RESERVED", "ConfigError", "check", "sweep_points"]

GROUPS = ("sweeps", "beyond", "tables")
RESERVED = ("case_control_release", "epsilon_by_prior_odds", "logs", "odds_risk_profile", "replicate", "report")


class ConfigError(ValueError):
    """A configuration that no job can be run with."""


def check(config, schema):
    """Return the configuration without its dropped sweeps, or say what is wrong with it.

    Parameters
    ----------
    config : dict
        After all files and command-line settings have been merged.
    schema : path-like
        JSON schema in YAML; the ``description`` of a property tells users what is allowed.

    Returns
    -------
    dict

    Raises
    ------
    ConfigError
        Naming the key, its value and what is allowed.
    """
    schema = yaml.safe_load(pathlib.Path(schema).read_text(encoding="utf-8"))
    for group in GROUPS:
        _names(group, config.get(group))
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(config), key=lambda error: len(error.path))
    if errors:
        raise ConfigError(_message(errors[0]))
    _finite("", config)
    present = {group: _present(group, config[group]) for group in GROUPS}
    if not present["sweeps"]:
        raise ConfigError("sweeps: every one is dropped; allowed: at least one sweep")
    for group, other in itertools.combinations(GROUPS, 2):
        if twice := sorted(set(present[group]) & set(present[other])):
            raise ConfigError(f"{other}.{twice[0]}: a sweep of this name stands under {group}; allowed: another name")
    _within("odds_risk_profile", odds.RiskProfile.from_data, config["odds_risk_profile"])
    study = config["case_control"]
    _within("case_control", case_control.check, case_control.Design(study["participants"], study["prevalence"]))
    # YAML reads 1.0e+6 as a float; the schema takes it for the whole number that it is.
    whole = {name: int(value) for name, value in config.items() if isinstance(value, float)}
    whole["case_control"] = {**study, "participants": int(study["participants"])}
    return {**config, **whole, **present}


def sweep_points(entry):
    """Points of a sweep's entry."""
    return sweeps.points(*(entry[name] for name in sweeps.PARAMETERS))


def _names(group, entries):
    """Refuse names of sweeps that YAML reads as something else, and those of other files."""
    for name in entries if isinstance(entries, dict) else ():
        if not isinstance(name, str) or name in RESERVED or name.endswith("_exact"):
            raise ConfigError(
                f"{group}.{name}: not a name of a sweep; allowed: a text that does not end in _exact and is none of "
                f"{', '.join(RESERVED)}"
            )


def _present(group, entries):
    """The sweeps of a group that are not dropped, each of them checked."""
    present = {name: entry for name, entry in entries.items() if entry is not None}
    for name, entry in present.items():
        _within(f"{group}.{name}", sweep_points, entry)
        if group == "tables":
            _within(f"{group}.{name}", _table, entry)
            continue
        sampled = [stage for stage in ("upper_limit", "simulate") if entry.get(stage, True)]
        if entry.get("attributes", "uniform") != "uniform" and sampled:
            raise ConfigError(
                f"{group}.{name}.{sampled[0]} = true; allowed: false, since datasets are drawn with uniform attributes only"
            )
    return present


def _table(entry):
    """Refuse ranges, samples and numbers of targets that no release of a table can have."""
    columns = [queries.parse_column(text) for text in entry["columns"]]
    for point in sweep_points(entry):
        populations.check_sample(point.population, point.sample)
        queries.linear(entry["query"], columns, point.sample)
        domain.within("delta", point.delta, "(0, 1)", "at 1 nothing is promised and no noise is added")
    if entry.get("targets", 1) > entry["population"]:
        raise DomainError(f"targets = {entry['targets']} is more than population = {entry['population']}")


def _within(key, check, value):
    """What a schema cannot say: the package's own checks, under the key that they are about."""
    try:
        check(value)
    except DomainError as error:
        raise ConfigError(f"{key}: {error}") from None


def _finite(key, value):
    """Refuse the infinities and NaN that YAML can write and a schema's ranges let pass."""
    if isinstance(value, dict):
        for name, item in value.items():
            _finite(f"{key}.{name}".lstrip("."), item)
    elif isinstance(value, list):
        for item in value:
            _finite(key, item)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{key} = {value}; allowed: a finite number")


def _message(error):
    key = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(error.instance) - set(known))[0]
        return f"{f'{key}.{unknown}'.lstrip('.')} is not a key of the configuration; allowed here: {', '.join(known)}"
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return f"{f'{key}.{missing}'.lstrip('.')} is missing"
    if error.validator in ("propertyNames", "pattern"):
        return (
            f"{key or 'sweeps'}: {error.instance!r} is not a name of a sweep; allowed: lower-case letters, digits and _"
        )
    allowed = error.schema.get("description") or f"{error.validator} {error.validator_value}"
    hint = ""
    if isinstance(error.instance, str) and _is_number(error.instance):
        hint = f"; {error.instance!r} is text: write it as a number, with a decimal point before an exponent (1.0e-5)"
    return f"{key} = {error.instance!r}; allowed: {allowed}{hint}"


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True

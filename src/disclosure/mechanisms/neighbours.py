"""Names of the two relations by which datasets are neighbours. Every answer about privacy says which one it is for."""

__all__ = ["ADD_REMOVE_ONE", "RELATIONS", "REPLACE_ONE"]

REPLACE_ONE = "replace-one"
"""One record replaced by another; the number of records is public (paper A; bounded privacy)."""

ADD_REMOVE_ONE = "add/remove-one"
"""One record more or less (paper B; unbounded privacy)."""

RELATIONS = (REPLACE_ONE, ADD_REMOVE_ONE)

"""Which datasets are neighbours: the relation that every guarantee is about.

Two relations are in use. By `REPLACE_ONE`, also called bounded, one record of a dataset takes the place of another one, and the
size stays the same (paper A). By `ADD_REMOVE_ONE`, also called unbounded, one record is added or removed (paper B). A guarantee
by one is not a guarantee by the other, so every answer names its relation.
"""

__all__ = ["ADD_REMOVE_ONE", "REPLACE_ONE"]

ADD_REMOVE_ONE = "add/remove-one"
REPLACE_ONE = "replace-one"

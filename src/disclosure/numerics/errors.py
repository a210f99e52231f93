"""What the package raises."""

__all__ = ["ConvergenceError", "DisclosureError", "DomainError"]


class DisclosureError(Exception):
    """Anything that this package refuses or cannot compute; every error of its own is one."""


class DomainError(DisclosureError, ValueError):
    """A value outside the domain of the quantity that it stands for."""


class ConvergenceError(DisclosureError, ArithmeticError):
    """A number that was not found to the accuracy wanted within the work allowed.

    The message says which number and how far it got. A larger relative error, or the same question from a less extreme
    setting, may have an answer.
    """

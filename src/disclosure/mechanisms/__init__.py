"""What a mechanism promises, in every language that promises are made in.

``privacy`` translates between the definitions of privacy that normal noise can keep, and composes releases;
``odds_risk`` tells how often such a release raises an adversary's odds by more than a factor, and the noise that keeps
this rare. ``tails`` and ``roots`` are what both compute with.
"""

from disclosure.mechanisms import odds_risk, privacy, roots, tails

__all__ = ["odds_risk", "privacy", "roots", "tails"]

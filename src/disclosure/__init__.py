"""How much can a differentially private release change what somebody believes about a person?"""

__version__ = "0.1.0"

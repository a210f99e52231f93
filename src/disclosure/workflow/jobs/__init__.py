"""What the rules of the workflow run, a module for each command."""

__all__ = ["COMMANDS"]

COMMANDS = {
    "calibrate": "points of a sweep and the noise that each needs",
    "upper_limit": "union mass T and exact failure probability of every dataset",
    "simulate": "failing releases of the datasets of one point",
    "expect": "expected values over all datasets, without sampling",
    "expose": "exposure of people of a table at one point of a sweep",
    "aggregate": "summary of a sweep, a row for each point",
    "figure": "figure of a sweep's summary",
    "replicate": "independent replications of the whole study, by exact probabilities",
    "verify": "literal releases against exact probabilities, point by point",
    "compare_published": "printed numbers and claims against the reproduced ones",
    "design_study": "cheapest numbers of datasets and releases for a wanted error",
    "adversaries": "adversaries of a case-control study, and the epsilon allowed against each",
    "figure_odds": "figures of an odds risk profile and of a case-control study",
    "record_provenance": "versions, digests, machine and seed behind the results",
    "show_result": "figure or table as a page of the report",
    "show_claims": "printed numbers and claims as a page of the report",
    "show_provenance": "versions, parameters and times as a page of the report",
}

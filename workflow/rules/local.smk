"""Rules that stay on the submitting machine when the others go to a cluster.

They take seconds; as jobs they would take longer to start. `upper_limit`, `simulate`, `expect` and `replicate` are not among
them.
"""


localrules:
    calibrate,
    design_study,
    aggregate,
    figure,
    verify,
    adversaries,
    figure_odds,
    compare_published,
    record_provenance,
    show_result,
    show_claims,
    show_provenance,

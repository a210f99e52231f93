"""Figures of paper B: the odds risk profile, the epsilon that it allows, and the release of the case-control study.

Needs the profile and the study in the configuration; makes figures/odds_risk_profile.*, figures/epsilon_by_prior_odds.* and
figures/case_control_release.*.
"""


rule figure_odds:
    output:
        STAGES.figure_odds.output,
    log:
        STAGES.figure_odds.log,
    localrule: True
    params:
        **STAGES.figure_odds.params,
    shell:
        "python -m disclosure.workflow figure_odds {wildcards.odds_figure} --profile {params.profile:q}"
        " --participants {params.study[participants]} --prevalence {params.study[prevalence]}"
        " --epsilon {params.study[epsilon]} --output {output:q} 2> {log:q}"

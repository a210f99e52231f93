"""Paper B: the odds risk profile, the epsilon that it allows, and the case-control study.

Needs the profile and the study in the configuration; makes results/case_control.csv, a row for each adversary, and
figures/odds_risk_profile.*, figures/epsilon_by_prior_odds.* and figures/case_control_release.*.
"""


rule adversaries:
    output:
        "results/case_control.csv",
    log:
        "results/logs/adversaries.log",
    localrule: True
    params:
        code=digest("workflow.jobs.adversaries"),
        profile=json.dumps(PLAN.settings["odds_risk_profile"]),
        study=PLAN.settings["case_control"],
        q0=["--q0", *PLAN.settings["case_control"]["q0"]],
    shell:
        "python -m disclosure.workflow adversaries --profile {params.profile:q} --participants {params.study[participants]}"
        " --prevalence {params.study[prevalence]} {params.q0} --output {output:q} 2> {log:q}"


rule figure_odds:
    output:
        multiext("figures/{odds_figure}", ".pdf", ".svg", ".png"),
    log:
        "results/logs/figure_odds/{odds_figure}.log",
    localrule: True
    params:
        code=digest("workflow.jobs.figure_odds"),
        profile=json.dumps(PLAN.settings["odds_risk_profile"]),
        study=PLAN.settings["case_control"],
    shell:
        "python -m disclosure.workflow figure_odds {wildcards.odds_figure} --profile {params.profile:q}"
        " --participants {params.study[participants]} --prevalence {params.study[prevalence]}"
        " --epsilon {params.study[epsilon]} --output {output:q} 2> {log:q}"

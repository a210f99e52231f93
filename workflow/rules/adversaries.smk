"""Paper B: adversaries of the case-control study, and the epsilon that the odds risk profile allows against each.

Needs the profile and the study in the configuration; makes results/case_control.csv.
"""


rule adversaries:
    output:
        STAGES.adversaries.output,
    log:
        STAGES.adversaries.log,
    localrule: True
    params:
        **STAGES.adversaries.params,
    shell:
        "python -m disclosure.workflow adversaries --profile {params.profile:q} --participants {params.study[participants]}"
        " --prevalence {params.study[prevalence]} {params.q0} --output {output:q} 2> {log:q}"

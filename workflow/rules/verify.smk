"""Literal releases against exact probabilities, point by point.

Needs literal releases and exact probabilities of every sweep that samples datasets; makes results/verification.csv.
"""


rule verify:
    input:
        **STAGES.verify.input,
    output:
        STAGES.verify.output,
    log:
        STAGES.verify.log,
    localrule: True
    params:
        **STAGES.verify.params,
    shell:
        "python -m disclosure.workflow verify {params.sweeps:q} --datasets {params.datasets} --output {output:q} 2> {log:q}"

"""Points of a sweep and the noise that each needs.

Needs the sweep's entry in the configuration; makes results/{sweep}/calibration.csv.
"""


rule calibrate:
    output:
        STAGES.calibrate.output,
    log:
        STAGES.calibrate.log,
    localrule: True
    params:
        **STAGES.calibrate.params,
    shell:
        "python -m disclosure.workflow calibrate --sweep {wildcards.sweep} --population {params.population:q} --sample {params.sample:q}"
        " --epsilon {params.epsilon:q} --delta {params.delta:q} {params.guarantee:q} --mechanism {params.mechanism} {params.query:q}"
        " --output {output:q} 2> {log:q}"

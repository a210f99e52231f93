"""Summary of a sweep, a row for each point.

Needs what the kind of the sweep makes its summary from: of the papers' sweeps what their entries in the configuration ask for,
exact probabilities, releases (unless the variant is the exact one) and expected values; of a table the exposure of its people.
Makes results/{sweep}/summary.csv and results/{sweep}/summary_exact.csv.
"""


rule aggregate:
    input:
        **STAGES.aggregate.input,
    output:
        STAGES.aggregate.output,
    log:
        STAGES.aggregate.log,
    localrule: True
    params:
        **STAGES.aggregate.params,
    shell:
        "python -m disclosure.workflow aggregate {input.calibration:q} --datasets {params.datasets} --upper-limit {input.upper_limit:q}"
        " --simulate {input.simulate:q} --expected {input.expected:q} --exposure {input.exposure:q} {params.targets}"
        " --output {output:q} 2> {log:q}"

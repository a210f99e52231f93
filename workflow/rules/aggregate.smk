"""Summary of a sweep, a row for each point.

Needs what the sweep's entry in the configuration asks for: exact probabilities unless it says `upper_limit: false`, releases
unless it says `simulate: false` or the variant is the exact one, expected values unless it says `expect: false`; of a table the
exposure of its people. Makes results/{sweep}/summary.csv and results/{sweep}/summary_exact.csv.
"""


rule aggregate:
    input:
        unpack(RUN.needs(lambda wildcards: PLAN.aggregated(wildcards.sweep, wildcards.variant))),
    output:
        "results/{sweep}/summary{variant}.csv",
    log:
        "results/logs/aggregate/{sweep}{variant}.log",
    localrule: True
    params:
        code=digest("workflow.jobs.aggregate"),
        datasets=lambda wildcards: PLAN.datasets(wildcards.sweep),
        upper_limit=lambda wildcards, input: (
            ["--upper-limit", *input.upper_limit] if "upper_limit" in input.keys() else []
        ),
        simulate=lambda wildcards, input: ["--simulate", *input.simulate] if "simulate" in input.keys() else [],
        expected=lambda wildcards, input: ["--expected", *input.expected] if "expected" in input.keys() else [],
        exposure=lambda wildcards, input: (
            ["--targets", PLAN.targets(wildcards.sweep), "--exposure", *input.exposure]
            if "exposure" in input.keys()
            else []
        ),
    shell:
        "python -m disclosure.workflow aggregate {input.calibration:q} --datasets {params.datasets} {params.upper_limit:q}"
        " {params.simulate:q} {params.expected:q} {params.exposure:q} --output {output:q} 2> {log:q}"

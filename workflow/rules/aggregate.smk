"""Summary of a sweep, a row for each point.

Needs what the sweep's entry in the configuration asks for: always the exact probabilities, releases unless it says
`simulate: false` or the variant is the exact one, expected values unless it says `expect: false`. Makes
results/{sweep}/summary.csv and results/{sweep}/summary_exact.csv.
"""


def aggregated(wildcards):
    """The inputs of one summary."""
    entry = STUDY["sweeps"][wildcards.sweep]
    inputs = {
        "calibration": f"results/{wildcards.sweep}/calibration.csv",
        "upper_limit": upper_limits(wildcards.sweep),
    }
    if entry.get("simulate", True) and not wildcards.variant:
        inputs["simulate"] = simulated(wildcards.sweep, "simulate")
    if entry.get("expect", True):
        inputs["expected"] = f"results/{wildcards.sweep}/expected.csv"
    return inputs


rule aggregate:
    input:
        unpack(aggregated),
    output:
        "results/{sweep}/summary{variant}.csv",
    params:
        code=code("aggregate"),
        datasets=STUDY["datasets"],
        simulate=lambda wildcards, input: ["--simulate", *input.simulate] if "simulate" in input.keys() else [],
        expected=lambda wildcards, input: ["--expected", input.expected] if "expected" in input.keys() else [],
    log:
        "results/logs/aggregate/{sweep}{variant}.log",
    shell:
        "disclosure aggregate {input.calibration:q} --datasets {params.datasets} --upper-limit {input.upper_limit:q}"
        " {params.simulate:q} {params.expected:q} --output {output:q} 2> {log:q}"

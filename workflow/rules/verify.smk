"""Literal releases against exact probabilities, point by point.

Needs literal releases and exact probabilities of every sweep; makes results/verification.csv.
"""


rule verify:
    input:
        calibrations=expand("results/{sweep}/calibration.csv", sweep=SWEEPS),
        upper_limit=[file for sweep in SWEEPS for file in upper_limits(sweep)],
        simulate=[file for sweep in SWEEPS for file in simulated(sweep, "verify")],
    output:
        "results/verification.csv",
    params:
        code=code("verify"),
        datasets=STUDY["datasets"],
    log:
        "results/logs/verify.log",
    shell:
        "disclosure verify --calibrations {input.calibrations:q} --upper-limit {input.upper_limit:q}"
        " --simulate {input.simulate:q} --datasets {params.datasets} --output {output:q} 2> {log:q}"

"""Literal releases against exact probabilities, point by point.

Needs literal releases and exact probabilities of every sweep; makes results/verification.csv.
"""


rule verify:
    input:
        calibrations=RUN.needs(PLAN.per_sweep("calibration.csv")),
        upper_limit=RUN.needs([file for sweep in PLAN.sweeps for file in PLAN.upper_limits(sweep)]),
        simulate=RUN.needs([file for sweep in PLAN.sweeps for file in PLAN.simulated(sweep, "verify")]),
    output:
        "results/verification.csv",
    log:
        "results/logs/verify.log",
    localrule: True
    params:
        code=digest("workflow.jobs.verify"),
        datasets=PLAN.settings["datasets"],
    shell:
        "python -m disclosure.workflow verify --calibrations {input.calibrations:q} --upper-limit {input.upper_limit:q}"
        " --simulate {input.simulate:q} --datasets {params.datasets} --output {output:q} 2> {log:q}"

"""Points of a sweep and the noise that each needs.

Needs the sweep's entry in the configuration; makes results/{sweep}/calibration.csv.
"""


rule calibrate:
    output:
        "results/{sweep}/calibration.csv",
    params:
        code=code("calibrate"),
        **{
            name: lambda wildcards, name=name: json.dumps(STUDY["sweeps"][wildcards.sweep][name])
            for name in sweeps.PARAMETERS
        },
    log:
        "results/logs/calibrate/{sweep}.log",
    shell:
        "disclosure calibrate --population {params.population:q} --sample {params.sample:q}"
        " --epsilon {params.epsilon:q} --delta {params.delta:q} --output {output:q} 2> {log:q}"

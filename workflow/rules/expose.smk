"""Exposure of the people of a table at one point of a sweep.

Needs the sweep's calibration and its table, which is looked for in the working folder and then beside the Snakefile; makes
results/{sweep}/exposure/{point}/{shard}.csv.
"""


rule expose:
    input:
        **STAGES.expose.input,
    output:
        STAGES.expose.output,
    log:
        STAGES.expose.log,
    params:
        **STAGES.expose.params,
    shell:
        "python -m disclosure.workflow expose {input.calibration:q} {input.people:q} {params.query:q} {params.reading:q}"
        " --point {wildcards.point} --targets {params.targets} --datasets {params.datasets} --seed {params.seed}"
        " --probability {params.probability:q} --ratio {params.ratio}"
        " --start {params.range[0]} --stop {params.range[1]} --output {output:q} 2> {log:q}"

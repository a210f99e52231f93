"""Failing releases of the datasets of one point.

Needs the sweep's calibration; makes results/{sweep}/simulate/{point}/{shard}.csv.
"""


rule simulate:
    input:
        **STAGES.simulate.input,
    output:
        STAGES.simulate.output,
    log:
        STAGES.simulate.log,
    params:
        **STAGES.simulate.params,
    shell:
        "python -m disclosure.workflow simulate {input.calibration:q} --point {wildcards.point} --releases {params.releases}"
        " --method {params.method} --attributes {params.attributes} --seed {params.seed} --start {params.range[0]} --stop {params.range[1]}"
        " --output {output:q} 2> {log:q}"

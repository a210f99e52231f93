"""Failing releases of the datasets of one point.

Needs the sweep's calibration; makes results/{sweep}/simulate/{point}/{shard}.csv, and with literal releases, fewer of them,
results/{sweep}/verify/{point}/{shard}.csv.
"""


rule simulate:
    input:
        "results/{sweep}/calibration.csv",
    output:
        "results/{sweep}/{stage}/{point}/{shard}.csv",
    params:
        code=code("simulate"),
        seed=STUDY["seed"],
        releases=lambda wildcards: RELEASES[wildcards.stage],
        method=lambda wildcards: METHODS[wildcards.stage],
        range=lambda wildcards: shard_of(
            wildcards.shard, STUDY["datasets"], STUDY["releases_per_job"] // RELEASES[wildcards.stage]
        ),
    log:
        "results/logs/{stage}/{sweep}/{point}/{shard}.log",
    shell:
        "disclosure simulate {input:q} --point {wildcards.point} --releases {params.releases} --method {params.method}"
        " --seed {params.seed} --start {params.range[start]} --stop {params.range[stop]} --output {output:q} 2> {log:q}"

"""Every printed number and claim beside the reproduced one.

`replicate` needs the calibrations and makes results/replicate/{shard}.csv, independent replications of the whole study by
exact probabilities. `compare_published` needs those and the summaries; makes results/published.csv and the page
results/published.md.
"""


rule replicate:
    input:
        expand("results/{sweep}/calibration.csv", sweep=SWEEPS),
    output:
        "results/replicate/{shard}.csv",
    params:
        code=code("replicate"),
        seed=STUDY["seed"],
        datasets=STUDY["datasets"],
        range=lambda wildcards: shard_of(wildcards.shard, STUDY["replications"], STUDY["replications_per_job"]),
    log:
        "results/logs/replicate/{shard}.log",
    shell:
        "disclosure replicate {input:q} --seed {params.seed} --datasets {params.datasets} --start {params.range[start]}"
        " --stop {params.range[stop]} --output {output:q} 2> {log:q}"


rule compare_published:
    input:
        printed=os.path.join(workflow.basedir, "resources/published.csv"),
        summaries=expand("results/{sweep}/summary.csv", sweep=SWEEPS),
        replications=expand(
            "results/replicate/{shard}.csv",
            shard=range(sweeps.shards(STUDY["replications"], STUDY["replications_per_job"])),
        ),
    output:
        table="results/published.csv",
        page="results/published.md",
    params:
        code=code("compare_published"),
    log:
        "results/logs/compare_published.log",
    shell:
        "disclosure compare_published {input.printed:q} --summaries {input.summaries:q}"
        " --replications {input.replications:q} --output {output.table:q} --page {output.page:q} 2> {log:q}"

"""Versions, digests, machine and seed behind the results.

Needs the lock; makes results/provenance.json, again whenever the commit or the configuration is another one.
"""


rule record_provenance:
    input:
        os.path.join(workflow.basedir, "requirements.lock"),
    output:
        "results/provenance.json",
    log:
        "results/logs/record_provenance.log",
    params:
        code=digest("commands.record_provenance"),
        commit=runs.commit(workflow.basedir),
        config=json.dumps(PLAN.settings, sort_keys=True),
        seed=PLAN.settings["seed"],
    shell:
        "disclosure record_provenance --commit {params.commit:q} --config {params.config:q} --lock {input:q}"
        " --seed {params.seed} --output {output:q} 2> {log:q}"

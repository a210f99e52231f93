"""Versions, digests, machine and seed behind the results.

Needs the lock, and the results that it is about; makes results/provenance.json, again whenever these, the commit or the
configuration are others.
"""


rule record_provenance:
    input:
        lock=os.path.join(HOME, "requirements.lock"),
        results=RUN.needs("results/published.csv"),
    output:
        "results/provenance.json",
    log:
        "results/logs/record_provenance.log",
    localrule: True
    params:
        code=digest("workflow.jobs.record_provenance"),
        commit=lambda wildcards: runs.commit(HOME),
        config=json.dumps(PLAN.settings, sort_keys=True),
        seed=PLAN.settings["seed"],
    shell:
        "python -m disclosure.workflow record_provenance --commit {params.commit:q} --config {params.config:q} --lock {input.lock:q}"
        " --seed {params.seed} --output {output:q} 2> {log:q}"

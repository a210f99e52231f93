"""Versions, digests, machine and seed behind the results.

Needs the lock, and the results that it is about; makes results/provenance.json, again whenever these, the commit or the
configuration are others.
"""


rule record_provenance:
    input:
        **STAGES.record_provenance.input,
    output:
        STAGES.record_provenance.output,
    log:
        STAGES.record_provenance.log,
    localrule: True
    params:
        **STAGES.record_provenance.params,
        commit=lambda wildcards: runs.commit(HOME),
    shell:
        "python -m disclosure.workflow record_provenance --commit {params.commit:q} --config {params.config:q} --lock {input.lock:q}"
        " --seed {params.seed} --output {output:q} 2> {log:q}"

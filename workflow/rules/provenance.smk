"""Versions, digests, machine and seed behind the results.

Needs nothing; makes results/provenance.json, again whenever the commit or the configuration is another one.
"""


def commit():
    """The commit of the source, marked where files differ from it."""
    command = ["git", "-C", workflow.basedir, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


rule record_provenance:
    output:
        "results/provenance.json",
    params:
        code=code("record_provenance"),
        commit=commit(),
        config=json.dumps(STUDY, sort_keys=True),
        seed=STUDY["seed"],
        lock=lambda wildcards: os.path.relpath(os.path.join(workflow.basedir, "requirements.lock")),
    log:
        "results/logs/record_provenance.log",
    shell:
        "disclosure record_provenance --commit {params.commit:q} --config {params.config:q} --lock {params.lock:q}"
        " --seed {params.seed} --output {output:q} 2> {log:q}"

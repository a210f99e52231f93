"""Pages of the report.

Needs what they show, and the words in workflow/report/results.yaml; makes results/report/{shown}.html, a figure, a table or both
with a caption, results/report/claims.html and results/report/provenance.html. `snakemake report --report report.html
--report-after-run` puts them into one file.
"""

STORY = story.Story(os.path.join(HOME, "workflow/report/results.yaml"), PLAN)


rule show_result:
    input:
        unpack(RUN.needs(lambda wildcards: PLAN.shown(wildcards.shown))),
    output:
        report("results/report/{shown}.html", caption="../report/caption.rst", **STORY.flags()),
    log:
        "results/logs/show_result/{shown}.log",
    localrule: True
    params:
        code=digest("workflow.jobs.show_result"),
        title=lambda wildcards: STORY.entry(wildcards.shown)["title"],
        caption=lambda wildcards: STORY.entry(wildcards.shown)["caption"],
        finding=lambda wildcards: STORY.entry(wildcards.shown)["finding"],
        parts=lambda wildcards, input: [f"--{name}={file}" for name, file in input.items()],
    shell:
        "python -m disclosure.workflow show_result {params.parts:q} --title {params.title:q} --caption {params.caption:q}"
        " --finding={params.finding:q} --output {output:q} 2> {log:q}"


rule show_claims:
    input:
        published=RUN.needs("results/published.csv"),
        printed=os.path.join(HOME, "resources/published.csv"),
    output:
        report("results/report/claims.html", caption="../report/caption.rst", **STORY.flags("claims")),
    log:
        "results/logs/show_claims.log",
    localrule: True
    params:
        code=digest("workflow.jobs.show_claims"),
        title=STORY.entry("claims")["title"],
        caption=STORY.entry("claims")["caption"],
    shell:
        "python -m disclosure.workflow show_claims {input.published:q} --printed {input.printed:q} --title {params.title:q}"
        " --caption {params.caption:q} --output {output:q} 2> {log:q}"


rule show_provenance:
    input:
        record=RUN.needs("results/provenance.json"),
        results=RUN.needs(PLAN.everything()),
    output:
        report("results/report/provenance.html", caption="../report/caption.rst", **STORY.flags("provenance")),
    log:
        "results/logs/show_provenance.log",
    localrule: True
    params:
        code=digest("workflow.jobs.show_provenance"),
        logs=lambda wildcards, input: RUN.logs(),
        title=STORY.entry("provenance")["title"],
        caption=STORY.entry("provenance")["caption"],
    shell:
        "python -m disclosure.workflow show_provenance {input.record:q} --logs {params.logs:q} --title {params.title:q} --caption {params.caption:q}"
        " --output {output:q} 2> {log:q}"

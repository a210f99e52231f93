"""Page of the report with a figure, a table, or both.

Needs what it shows, and the words in workflow/report/results.yaml; makes results/report/{shown}.html. `snakemake report --report
report.html --report-after-run` puts all pages into one file.
"""


rule show_result:
    input:
        **STAGES.show_result.input,
    output:
        report(STAGES.show_result.output, caption="../report/caption.rst", **STORY.flags()),
    log:
        STAGES.show_result.log,
    localrule: True
    params:
        **STAGES.show_result.params,
        **STORY.words("title", "caption", "finding"),
    shell:
        "python -m disclosure.workflow show_result --figure {input.figure:q} --table {input.table:q} --title {params.title:q}"
        " --caption {params.caption:q} --finding={params.finding:q} --output {output:q} 2> {log:q}"

"""Every printed number and claim beside the reproduced one.

Needs the summaries and the replications of the sweeps that are printed; makes results/published.csv and the page
results/published.md.
"""


rule compare_published:
    input:
        **STAGES.compare_published.input,
    output:
        **STAGES.compare_published.output,
    log:
        STAGES.compare_published.log,
    localrule: True
    params:
        **STAGES.compare_published.params,
    shell:
        "python -m disclosure.workflow compare_published {input.printed:q} --summaries {input.summaries:q}"
        " --replications {input.replications:q} --profile {params.profile:q}"
        " --participants {params.study[participants]} --prevalence {params.study[prevalence]}"
        " --output {output.table:q} --page {output.page:q} 2> {log:q}"

"""Article about both papers, their numbers and what lies past their limits.

Needs the comparison, summaries, answers and figures that the template in workflow/article names; makes results/article.pdf.
"""


rule article:
    input:
        **STAGES.article.input,
    output:
        STAGES.article.output,
    log:
        STAGES.article.log,
    localrule: True
    params:
        **STAGES.article.params,
    shell:
        "python -m disclosure.workflow article {input.template:q} --printed {input.printed:q}"
        " --made-by compare_published {input.compare_published:q} --made-by aggregate {input.aggregate:q}"
        " --made-by adversaries {input.adversaries:q} --made-by answer {input.answer:q}"
        " --made-by figure {input.figure:q} --made-by figure_odds {input.figure_odds:q}"
        " --output {output:q} 2> {log:q}"

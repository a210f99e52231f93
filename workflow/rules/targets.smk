"""Named targets beside `all`.

`exact`: the papers' figures without drawing a release. `beyond`: past the papers' limits. `steward`: tables of people.
`case_control`: paper B alone. `report`: the pages of the report.
"""


rule exact:
    input:
        PLAN.figures("_exact"),


rule beyond:
    input:
        PLAN.beyond(),


rule report:
    input:
        PLAN.everything(),
        PLAN.pages(),


rule steward:
    input:
        PLAN.steward(),


rule case_control:
    input:
        PLAN.odds_files(),

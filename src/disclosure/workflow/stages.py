"""The stages of the workflow, each declared once.

Rules, named targets (`exact`, `beyond`, ...), pages of the report and the count of jobs all read these declarations.

A new stage is a declaration here, a rule of its name in ``workflow/rules``, and a command of its name in
`disclosure.workflow.jobs`; docs/adding_a_stage.md adds one.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator

from disclosure.plots.formats import FORMATS
from disclosure.study.points import PARAMETERS
from disclosure.workflow.claims.scale import PRINTED_SWEEPS
from disclosure.workflow.jobs.figure_odds import FIGURES
from disclosure.workflow.kinds import ExpectedSweep, PeopleSweep, SampledSweep, Sweep
from disclosure.workflow.plan import Plan
from disclosure.workflow.protocols import Wildcards
from disclosure.workflow.questions import QUESTIONS
from disclosure.workflow.sources import digest
from disclosure.workflow.stage import Files, Need, Param, Rule, Stage, Work

__all__ = [
    "Rules",
    "beyond",
    "case_control",
    "commands",
    "declared",
    "everything",
    "exact",
    "open_questions",
    "pages",
    "steward",
    "taken",
]

# Values of the wildcard ``variant``, of summaries and figures: with releases, and without.
_VARIANTS = ("", "_exact")


# Functions of the plan and of a job's wildcards, for the ``needs`` and ``params`` of a stage.


def _setting(name: str) -> Param:
    """A setting of the configuration."""
    return lambda plan, job: plan.settings[name]


def _setting_as_json(name: str) -> Param:
    return lambda plan, job: json.dumps(plan.settings[name])


def _entry(name: str) -> Param:
    """A setting of the job's sweep."""
    return lambda plan, job: plan.sweeps[job.sweep].entry[name]


def _entry_as_json(name: str) -> Param:
    return lambda plan, job: json.dumps(plan.sweeps[job.sweep].entry[name])


def _calibration(_plan: Plan, job: Wildcards) -> str:
    return CALIBRATE.file(sweep=job.sweep)


def _source(stage: Stage) -> Need:
    """Files of a stage for the job's sweep, if the summary is made from this stage; otherwise none."""

    def files(plan: Plan, job: Wildcards) -> list[str]:
        sweep = plan.sweeps[job.sweep]
        return stage.of_sweep(plan, sweep) if stage.name in sweep.sources(job.variant) else []

    return files


def _summaries(sweeps: Iterable[Sweep], variant: str = "") -> list[str]:
    """Names of the summaries of several sweeps."""
    return [AGGREGATE.file(sweep=sweep.name, variant=variant) for sweep in sweeps]


def _of_all(stage: Stage, sweeps: Callable[[Plan], Iterable[Sweep]]) -> Need:
    """Files of a stage for several sweeps."""
    return lambda plan, job: [file for sweep in sweeps(plan) for file in stage.of_sweep(plan, sweep)]


def _drawing(files: list[str]) -> str:
    """The one of a figure's files that pages and the article show."""
    return next(file for file in files if file.endswith(".svg"))


def _verified(plan: Plan) -> list[Sweep]:
    """Sweeps of the papers whose counts of releases are compared with exact probabilities."""
    return [sweep for sweep in plan.group("sweeps") if isinstance(sweep, SampledSweep)]


def _releases_of(setting: str) -> Callable[[Plan, Sweep], Work]:
    """Work of datasets, divided so that a job has at most ``releases_per_job`` releases; ``setting`` has those of a dataset."""
    return lambda plan, sweep: Work(
        plan.settings["datasets"], ("releases_per_job",), plan.settings["releases_per_job"], plan.settings[setting]
    )


CALIBRATE = Stage(
    name="calibrate",
    output="results/{sweep}/calibration.csv",
    log="results/logs/calibrate/{sweep}.log",
    params={
        **{name: _entry_as_json(name) for name in PARAMETERS},
        "guarantee": lambda plan, job: plan.sweeps[job.sweep].guarantee,
        "mechanism": lambda plan, job: plan.sweeps[job.sweep].mechanism,
        "query": lambda plan, job: plan.sweeps[job.sweep].query,
    },
)

UPPER_LIMIT = Stage(
    name="upper_limit",
    output="results/{sweep}/upper_limit/{shard}.csv",
    log="results/logs/upper_limit/{sweep}/{shard}.log",
    kinds=(SampledSweep,),
    needs={"calibration": _calibration},
    work=lambda plan, sweep: Work(plan.settings["datasets"], ("datasets_per_job",), plan.settings["datasets_per_job"]),
    params={
        "seed": _setting("seed"),
        "ratio_probability": _setting("ratio_probability"),
        "attributes": _entry("attributes"),
    },
)

SIMULATE = Stage(
    name="simulate",
    output="results/{sweep}/simulate/{point}/{shard}.csv",
    log="results/logs/simulate/{sweep}/{point}/{shard}.log",
    kinds=(SampledSweep,),
    needs={"calibration": _calibration},
    work=_releases_of("releases"),
    params={
        "seed": _setting("seed"),
        "releases": _setting("releases"),
        "method": _setting("method"),
        "attributes": _entry("attributes"),
    },
)

SIMULATE_LITERAL = Stage(
    name="simulate_literal",
    command="simulate",
    output="results/{sweep}/verify/{point}/{shard}.csv",
    log="results/logs/simulate_literal/{sweep}/{point}/{shard}.log",
    kinds=(SampledSweep,),
    needs={"calibration": _calibration},
    work=_releases_of("verify_releases"),
    params={
        "seed": _setting("seed"),
        "releases": _setting("verify_releases"),
        "attributes": _entry("attributes"),
    },
)

EXPECT = Stage(
    name="expect",
    output="results/{sweep}/expected/{shard}.csv",
    log="results/logs/expect/{sweep}/{shard}.log",
    kinds=(SampledSweep, ExpectedSweep),
    needs={"calibration": _calibration},
    work=lambda plan, sweep: Work(len(sweep.points), ("points_per_job",), plan.settings["points_per_job"]),
    params={
        "attributes": _entry("attributes"),
        # A sweep that draws datasets has the probabilities of (26) from these, and an expected value takes half a second.
        "prior_free": lambda plan, job: ["--prior-free"] if isinstance(plan.sweeps[job.sweep], ExpectedSweep) else [],
    },
)

EXPOSE = Stage(
    name="expose",
    output="results/{sweep}/exposure/{point}/{shard}.csv",
    log="results/logs/expose/{sweep}/{point}/{shard}.log",
    kinds=(PeopleSweep,),
    needs={
        "calibration": _calibration,
        "people": lambda plan, job: plan.located(plan.sweeps[job.sweep].entry["table"]),
    },
    work=lambda plan, sweep: Work(
        sweep.entry["targets"], ("tables", sweep.name, "targets_per_job"), sweep.entry["targets_per_job"]
    ),
    params={
        "seed": _setting("seed"),
        "query": lambda plan, job: plan.sweeps[job.sweep].query,
        "reading": lambda plan, job: plan.sweeps[job.sweep].reading,
        "targets": _entry("targets"),
        "datasets": _entry("datasets"),
        "probability": lambda plan, job: plan.sweeps[job.sweep].probabilities,
        "ratio": _entry("ratio"),
    },
)

AGGREGATE = Stage(
    name="aggregate",
    output="results/{sweep}/summary{variant}.csv",
    log="results/logs/aggregate/{sweep}{variant}.log",
    values={"variant": _VARIANTS},
    needs={
        "calibration": _calibration,
        "upper_limit": _source(UPPER_LIMIT),
        "simulate": _source(SIMULATE),
        "expected": _source(EXPECT),
        "exposure": _source(EXPOSE),
    },
    params={
        "datasets": lambda plan, job: plan.sweeps[job.sweep].datasets,
        "targets": lambda plan, job: plan.sweeps[job.sweep].targets,
    },
)

FIGURE = Stage(
    name="figure",
    output=tuple(f"figures/{{sweep}}{{variant}}.{kind}" for kind in FORMATS),
    log="results/logs/figure/{sweep}{variant}.log",
    has=lambda sweep: sweep.has_figure,
    values={"variant": _VARIANTS},
    needs={"summary": lambda plan, job: AGGREGATE.file(sweep=job.sweep, variant=job.variant)},
    params={"drawn": lambda plan, job: plan.sweeps[job.sweep].figure},
)

VERIFY = Stage(
    name="verify",
    output="results/verification.csv",
    needs={
        "calibration": _of_all(CALIBRATE, _verified),
        "upper_limit": _of_all(UPPER_LIMIT, _verified),
        "simulate": _of_all(SIMULATE_LITERAL, _verified),
    },
    params={
        # The command learns nothing from the names of files, so the options say which files belong to the same sweep.
        "sweeps": lambda plan, job: [
            word
            for sweep in _verified(plan)
            for option, stage in (
                ("--calibration", CALIBRATE),
                ("--upper-limit", UPPER_LIMIT),
                ("--simulate", SIMULATE_LITERAL),
            )
            for word in (option, *stage.of_sweep(plan, sweep))
        ],
        "datasets": _setting("datasets"),
    },
)

ADVERSARIES = Stage(
    name="adversaries",
    output="results/case_control.csv",
    params={
        "profile": _setting_as_json("odds_risk_profile"),
        "study": _setting("case_control"),
        "q0": lambda plan, job: ["--q0", *plan.settings["case_control"]["q0"]],
    },
)

FIGURE_ODDS = Stage(
    name="figure_odds",
    output=tuple(f"figures/{{odds_figure}}.{kind}" for kind in FORMATS),
    log="results/logs/figure_odds/{odds_figure}.log",
    values={"odds_figure": tuple(FIGURES)},
    params={"profile": _setting_as_json("odds_risk_profile"), "study": _setting("case_control")},
)

DESIGN_STUDY = Stage(
    name="design_study",
    output="results/study_design.csv",
    needs={"summaries": lambda plan, job: _summaries(plan.group("sweeps"), "_exact")},
    params={"design": _setting("study_design")},
)

REPLICATE = Stage(
    name="replicate",
    output="results/{sweep}/replicate/{shard}.csv",
    log="results/logs/replicate/{sweep}/{shard}.log",
    kinds=(SampledSweep, ExpectedSweep),
    needs={"calibration": _calibration},
    work=lambda plan, sweep: Work(
        plan.settings["replications"], ("replications_per_job",), plan.settings["replications_per_job"]
    ),
    params={
        "seed": _setting("seed"),
        "datasets": _setting("datasets"),
        "attributes": _entry("attributes"),
    },
)

COMPARE_PUBLISHED = Stage(
    name="compare_published",
    output={"table": "results/published.csv", "page": "results/published.md"},
    needs={
        "printed": lambda plan, job: plan.resource("resources/published.csv"),
        "summaries": lambda plan, job: _summaries(plan.printed),
        "replications": _of_all(REPLICATE, lambda plan: plan.printed),
    },
    params={"profile": _setting_as_json("odds_risk_profile"), "study": _setting("case_control")},
)

RECORD_PROVENANCE = Stage(
    name="record_provenance",
    output="results/provenance.json",
    needs={
        "lock": lambda plan, job: plan.resource("requirements.lock"),
        "results": lambda plan, job: COMPARE_PUBLISHED.files()[0],
    },
    params={"config": lambda plan, job: json.dumps(plan.settings, sort_keys=True), "seed": _setting("seed")},
)


ANSWER = Stage(
    name="answer",
    output="results/open_questions/{question}.csv",
    log="results/logs/answer/{question}.log",
    values={"question": tuple(QUESTIONS)},
    params={
        "question_code": lambda plan, job: digest(f"workflow.questions.{job.question}"),
        "settings": lambda plan, job: json.dumps(
            {
                **plan.settings["open_questions"][job.question],
                **{name: plan.settings[name] for name in QUESTIONS[job.question]},
            }
        ),
    },
)

FIGURE_ANSWER = Stage(
    name="figure_answer",
    output=tuple(f"figures/{{question}}.{kind}" for kind in FORMATS),
    log="results/logs/figure_answer/{question}.log",
    values={"question": tuple(QUESTIONS)},
    needs={"answer": lambda plan, job: ANSWER.file(question=job.question)},
    params={"question_code": lambda plan, job: digest(f"plots.questions.{job.question}")},
)


# The template of the article, the document first.
_TEMPLATE = tuple(
    f"workflow/article/{name}" for name in ("article.typ", "layout.typ", "values.typ", "notation.typ", "references.yml")
)
# The sweeps past the papers' limits that the article tells of, and the attributes that its words are about. They are quick to
# compute, so that the article can be among what is made when nothing is asked for by name.
_PAST_LIMITS = {"small_delta": "uniform", "large_epsilon_binary": "binary", "population_at_a_sample": "uniform"}


def _told(plan: Plan) -> list[Sweep]:
    """The sweeps that the article tells of."""
    past = [
        sweep
        for sweep in plan.group("beyond")
        if isinstance(sweep, ExpectedSweep) and sweep.is_as_in_paper_a(_PAST_LIMITS.get(sweep.name, ""))
    ]
    return [*plan.printed, *past]


ARTICLE = Stage(
    name="article",
    output="results/article.pdf",
    needs={
        "template": lambda plan, job: [plan.resource(name) for name in _TEMPLATE],
        "printed": lambda plan, job: plan.resource("resources/published.csv"),
        "compare_published": lambda plan, job: COMPARE_PUBLISHED.files()[0],
        "aggregate": lambda plan, job: _summaries(_told(plan)),
        "adversaries": lambda plan, job: ADVERSARIES.file(),
        "answer": lambda plan, job: [ANSWER.file(question=name) for name in ANSWER.names(plan, "question")],
        # Of what lies past the limits the article draws one.
        "figure": lambda plan, job: [
            _drawing(FIGURE.files(sweep=sweep.name, variant=""))
            for sweep in _told(plan)
            if sweep.has_figure and sweep.name in (*PRINTED_SWEEPS, "small_delta")
        ],
        "figure_odds": lambda plan, job: [
            _drawing(FIGURE_ODDS.files(odds_figure=name)) for name in ("odds_risk_profile", "epsilon_by_prior_odds")
        ],
    },
)


def exact(plan: Plan) -> list[str]:
    """The papers' figures without releases. A sweep whose summary is made from releases alone has none."""
    return _figures([sweep for sweep in plan.group("sweeps") if sweep.sources("_exact")], "_exact")


def everything(plan: Plan) -> list[str]:
    """All files that are made when nothing is asked for by name: both papers' tables and figures, verdicts, and the article."""
    papers = plan.group("sweeps")
    made = [*_summaries(papers), *_figures(papers), *case_control(plan)]
    return [*made, COMPARE_PUBLISHED.files()[0], RECORD_PROVENANCE.file(), ARTICLE.file()]


def beyond(plan: Plan) -> list[str]:
    """Tables and figures of the sweeps past the papers' limits."""
    sweeps = plan.group("beyond")
    return [*_summaries(sweeps), *_figures(sweeps), DESIGN_STUDY.file()]


def steward(plan: Plan) -> list[str]:
    """Tables and figures of the sweeps over a table of people."""
    sweeps = plan.group("tables")
    return [*_summaries(sweeps), *_figures(sweeps)]


def open_questions(plan: Plan) -> list[str]:
    """Tables and figures of the answers to what both papers leave open."""
    return [
        file
        for question in plan.settings["open_questions"]
        for file in (ANSWER.file(question=question), *FIGURE_ANSWER.files(question=question))
    ]


def case_control(_plan: Plan) -> list[str]:
    """Table and figures of paper B."""
    return [ADVERSARIES.file(), *(file for name in FIGURES for file in FIGURE_ODDS.files(odds_figure=name))]


def _figures(sweeps: Iterable[Sweep], variant: str = "") -> list[str]:
    return [file for sweep in sweeps if sweep.has_figure for file in FIGURE.files(sweep=sweep.name, variant=variant)]


# Tables with a page of the report each, beside those of the sweeps, and the stages that make them.
_TABLES = {"case_control": ADVERSARIES, "study_design": DESIGN_STUDY}


def _shown_figure(plan: Plan, job: Wildcards) -> Files:
    """The figure of the result that a page shows, if it has one."""
    if job.shown in FIGURES:
        return _drawing(FIGURE_ODDS.files(odds_figure=job.shown))
    if job.shown in QUESTIONS:
        return _drawing(FIGURE_ANSWER.files(question=job.shown))
    sweep = plan.sweeps.get(job.shown)
    return _drawing(FIGURE.files(sweep=sweep.name, variant="")) if sweep and sweep.has_figure else []


def _shown_table(plan: Plan, job: Wildcards) -> Files:
    """The table of the result that a page shows, if it has one."""
    if job.shown in _TABLES:
        return _TABLES[job.shown].file()
    if job.shown in QUESTIONS:
        return ANSWER.file(question=job.shown)
    return AGGREGATE.file(sweep=job.shown, variant="") if job.shown in plan.sweeps else []


SHOW_RESULT = Stage(
    name="show_result",
    output="results/report/{shown}.html",
    log="results/logs/show_result/{shown}.log",
    values={"shown": (*FIGURES, *_TABLES, *QUESTIONS)},
    needs={"figure": _shown_figure, "table": _shown_table},
)

SHOW_CLAIMS = Stage(
    name="show_claims",
    output="results/report/claims.html",
    needs={
        "published": lambda plan, job: COMPARE_PUBLISHED.files()[0],
        "printed": lambda plan, job: plan.resource("resources/published.csv"),
    },
)

SHOW_PROVENANCE = Stage(
    name="show_provenance",
    output="results/report/provenance.html",
    needs={
        "record": lambda plan, job: RECORD_PROVENANCE.file(),
        "results": lambda plan, job: everything(plan),
    },
)


def declared() -> list[Stage]:
    """All stages, in the order of their declarations."""
    return [value for value in globals().values() if isinstance(value, Stage)]


def pages(plan: Plan) -> list[str]:
    """All pages of the report."""
    shown = [SHOW_RESULT.file(shown=name) for name in SHOW_RESULT.names(plan, "shown")]
    return [*shown, SHOW_CLAIMS.file(), SHOW_PROVENANCE.file()]


def commands(plan: Plan) -> Iterator[list[tuple[Stage, Sweep]]]:
    """For each command that reads the files of several jobs: the stages, each with a sweep, whose files it reads.

    The check of the configuration counts these files: a command line has a largest length.
    """
    by_name = {stage.name: stage for stage in declared()}
    for sweep in plan.sweeps.values():
        yield [(by_name[name], sweep) for name in sweep.sources()]
    yield [(stage, sweep) for sweep in _verified(plan) for stage in (UPPER_LIMIT, SIMULATE_LITERAL)]
    yield [(REPLICATE, sweep) for sweep in plan.printed]


def taken() -> frozenset[str]:
    """Names that no sweep may have, since one of the sweep's files or folders would have the name of another file or folder."""
    fixed = {
        path.rsplit("/", depth)[0] if depth else path
        for stage in declared()
        for path in stage.fixed()
        for depth in range(path.count("/"))
    }
    patterns = {_up_to_the_name(pattern) for stage in declared() for pattern in stage.of_sweeps()}
    found = (re.fullmatch(pattern, path) for pattern in patterns for path in fixed)
    return frozenset(match[1] for match in found if match)


def _up_to_the_name(pattern: str) -> str:
    """A pattern as a regular expression, cut after the part of the path with the sweep's name; its group is that name."""
    before, name, after = re.split(r"{(?:sweep|shown)}", pattern)[0], "([a-z][a-z0-9_]*)", ""
    after = re.split(r"{(?:sweep|shown)}", pattern)[1].partition("/")[0].replace("{variant}", "")
    return re.escape(before) + name + re.escape(after)


class Rules:
    """The stages as the rules of a workflow read them, each by its name.

    Parameters
    ----------
    plan : Plan
    ask : callable
        As for `stage.Rule`.
    """

    def __init__(self, plan: Plan, ask: Callable[[list[str], list[str]], None]) -> None:
        self._rules = {stage.name: Rule(stage, plan, ask) for stage in declared()}

    def __getattr__(self, name: str) -> Rule:
        try:
            return self._rules[name]
        except KeyError:
            raise AttributeError(f"{name} is no stage; there are {', '.join(self._rules)}") from None

    def __iter__(self) -> Iterator[str]:
        """Names of all stages."""
        return iter(self._rules)

"""The same bytes, however the work is divided and wherever it is done."""

from tests.workflow.study import Study


def test_results_do_not_depend_on_cores_and_work_per_job(study, reference):
    study.configure(releases_per_job=4000, datasets_per_job=4, replications_per_job=3, points_per_job=2)
    study.run(cores=4)
    assert (study.folder / "results/figure1/simulate/000/1.csv").exists()
    assert (study.folder / "results/figure1/upper_limit/1.csv").exists()
    assert (study.folder / "results/figure1/replicate/1.csv").exists()
    assert (study.folder / "results/figure1/expected/1.csv").exists()
    assert study.merged() == reference.merged()


def test_one_figure_alone_is_the_same(study, reference):
    study.run("figures/figure1.pdf")
    files, expected = study.files(), reference.files()
    assert set(files) == {name for name in expected if "figure1" in name and "replicate" not in name}
    assert all(content == expected[name] for name, content in files.items())


def test_results_do_not_depend_on_the_folder_and_its_spaces(spaced, reference):
    assert " " in str(spaced.repository)
    assert " " in str(spaced.folder)
    assert " " in spaced.python
    assert spaced.files() == reference.files()


def test_the_published_study_is_found_from_another_folder(repository, tmp_path):
    planned = Study(repository, tmp_path / "work").planned()
    assert planned["calibrate"] == planned["aggregate"] == 4
    assert planned["figure"] == 3

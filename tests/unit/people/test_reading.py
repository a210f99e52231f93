"""Tables of people: what is read, and what is refused."""

import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import queries, reading
from disclosure.people.queries import Column

A, B = Column("a", 0.0, 10.0), Column("b", -1.0, 1.0)
TABLE = "id,b,a,w\n1,0.5,3,1\n2,-1,10,2\n3,1,0,0.5\n"


@pytest.fixture
def table(tmp_path):
    def write(content=TABLE, encoding="utf-8"):
        path = tmp_path / "people.csv"
        path.write_text(content, encoding=encoding, newline="")
        return path

    return write


def test_columns_are_found_by_name(table):
    people = reading.read(table(), [A, B], weights="w")
    assert people.values.tolist() == [[3, 0.5], [10, -1], [0, 1]]
    assert people.weights.tolist() == [1, 2, 0.5]
    assert people.columns == (A, B)
    assert people.clipped == 0


@pytest.mark.parametrize(
    "content",
    [TABLE.replace("\n", "\r\n"), TABLE[:-1], TABLE + "\n\n", "\ufeff" + TABLE, TABLE.replace("a,w", ' "a" , w')],
)
def test_ways_to_write_a_table(table, content):
    assert reading.read(table(content.replace(' "a" ', '"a"')), [A, B]).values.shape == (3, 2)


def test_values_outside_are_clipped_only_on_request(table):
    path = table(TABLE.replace("10,2", "99,2").replace("0.5,3", "-7,3"))
    with pytest.raises(DomainError, match=r"a is outside 0 to 10 in row 2 \(line 3\): 99; .* --clip"):
        reading.read(path, [A, B])
    people = reading.read(path, [A, B], clip=True)
    assert people.clipped == 2
    assert people.values.tolist() == [[3, -1], [10, -1], [0, 1]]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (TABLE.replace("3,1\n", ",1\n"), "row 1 (line 2): a is empty"),
        (TABLE.replace("3,1\n", "tall,1\n"), "row 1 (line 2): a is 'tall'"),
        (TABLE.replace("3,1\n", "nan,1\n"), "row 1 (line 2): a is 'nan' (is not finite)"),
        (TABLE.replace("3,1\n", "inf,1\n"), "row 1 (line 2): a is 'inf' (is not finite)"),
        (TABLE.replace("3,1\n", '"3,5",1\n'), "row 1 (line 2): a is '3,5' (has a comma"),
        (TABLE.replace("3,1\n", "1_0,1\n"), "row 1 (line 2): a is '1_0' (has an underscore)"),
        (TABLE.replace("3,1\n", "1e999,1\n"), "row 1 (line 2): a is '1e999' (is too large"),
        (TABLE.replace("3,1\n", "\u0663,1\n"), "row 1 (line 2): a is '\u0663'"),
        (TABLE.replace("3,1\n", "3\n"), "row 1 (line 2) has 3 cells; the header has 4"),
        (TABLE.replace("a,w", "c,w"), "a is not a column; there are id, b, c, w"),
        (TABLE.replace("id", "a"), "a stands twice in the header"),
        (TABLE.replace(",", ";"), "a is not a column; there are id;b;a;w"),
        ("id,b,a,w\n", "has no rows"),
        ("", "is empty; expected a header with a, b"),
        (TABLE + '4,"', "is no CSV table in UTF-8"),
    ],
)
def test_what_is_no_table_is_refused_by_row(table, content, named):
    with pytest.raises(DomainError) as caught:
        reading.read(table(content), [A, B])
    assert named in str(caught.value)
    assert str(caught.value).startswith(str(table(content)))
    assert "\n" not in str(caught.value)


def test_a_row_after_an_empty_line_keeps_its_line(table):
    with pytest.raises(DomainError, match=r"row 1 \(line 4\)"):
        reading.read(table("id,b,a,w\n\n\n1,x,3,1\n"), [A, B])


def test_many_wrong_rows_are_counted(table):
    content = "a\n" + "x\n" * 12
    with pytest.raises(DomainError, match=r"row 5 \(line 6\): a is 'x' and 7 more;"):
        reading.read(table(content), [A])


def test_a_wrong_cell_far_down_is_named_by_its_row(table):
    rows = 100
    content = "a\n" + "1\n" * rows + "1_0\n" + "2\n" * 5
    with pytest.raises(DomainError, match=rf"row {rows + 1} \(line {rows + 2}\): a is '1_0'"):
        reading.read(table(content), [A], block=40)
    assert reading.read(table(content.replace("1_0", "10")), [A], block=40).values.sum() == rows + 20


def test_another_encoding_is_refused(table):
    with pytest.raises(DomainError, match="is no CSV table in UTF-8"):
        reading.read(table(TABLE + "é,0,1,1\n", "latin-1"), [A])


def test_weights_are_positive_and_counts_of_zeros_and_ones(table):
    with pytest.raises(DomainError, match=r"w is not above 0 in row 3 \(line 4\): 0"):
        reading.read(table(TABLE.replace("0,0.5", "0,0")), [A], weights="w")
    with pytest.raises(DomainError, match=r"b is neither 0 nor 1 in row 1 \(line 2\): 0.5"):
        reading.read(table(TABLE.replace("-1", "0")), [Column("b", 0.0, 1.0)], binary=True)
    with pytest.raises(DomainError, match="columns names a twice"):
        reading.read(table(), [A, A])


def test_a_release_is_of_the_columns_of_the_table(table):
    records, query = reading.read_release(table(), "mean", ["a:0:10", "b:-1:1"], 2, weights="w")
    assert records.columns == (A, B)
    assert records.weights.tolist() == [1, 2, 0.5]
    assert query == queries.linear("mean", [A, B], 2)
    with pytest.raises(DomainError, match=r"a is outside 0 to 5 in row 2 \(line 3\): 10"):
        reading.read_release(table(), "sum", ["a:0:5"], 2)
    assert reading.read_release(table(), "sum", ["a:0:5"], 2, clip=True)[0].clipped == 1
    with pytest.raises(DomainError, match="a count needs a column of zeros and ones"):
        reading.read_release(table(), "count", ["b:0:1"], 2, clip=True)

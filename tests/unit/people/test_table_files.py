"""How tables are written: what is found out, what is stated, and what is refused because two ways would do."""

import bz2
import codecs
import csv
import gzip
import io
import lzma

import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import sources, table_files
from disclosure.people.queries import parse_column
from disclosure.people.reading import Reading, read
from disclosure.people.table_files import NOTHING, Stated

ROWS = [
    ["name", "height", "weight"],
    ["Ann, or Anna", "1.5", "60"],
    ['the "tall" one', "2.25", "90.5"],
    ["Zoë", "1.75", "70"],
]
NAMES = ["height", "weight"]
VALUES = [[1.5, 60], [2.25, 90.5], [1.75, 70]]


def written(separator=",", decimal=".", **options):
    """The rows as text; options are those of `csv.writer`."""
    file = io.StringIO()
    body = [[row[0], *(cell.replace(".", decimal) for cell in row[1:])] for row in ROWS]
    csv.writer(file, delimiter=separator, **options).writerows(body)
    return file.getvalue()


def values(path, stated=NOTHING):
    with sources.opened(path, NAMES, stated) as source:
        places = [source.header.index(name) for name in NAMES]
        rows = [[float(row[place].replace(source.decimal, ".")) for place in places] for row in source.rows]
        return rows, source.format


@pytest.fixture
def file(tmp_path):
    def write(content, name="people.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("separator", "decimal", "said"),
    [
        (",", ".", "comma, decimal point"),
        (";", ",", "semicolon, decimal comma"),
        (";", ".", "semicolon, decimal point"),
        ("\t", ".", "tab, decimal point"),
        ("\t", ",", "tab, decimal comma"),
        ("|", ".", "bar, decimal point"),
        (" ", ".", "space, decimal point"),
    ],
)
def test_separators_and_decimal_signs_are_found(file, separator, decimal, said, quoting, ends):
    text = written(separator, decimal, quoting=quoting, lineterminator=ends)
    assert values(file(text)) == (VALUES, f"UTF-8, cells separated by {said}")


@pytest.mark.parametrize(
    ("number", "other", "sign"),
    [
        ("9.603", "5,3", "point"),
        ("9,603", "5.3", "comma"),
        ("9.603", "5,300", ""),
        ("9.60", "5,3", ""),
        ("9.603", "a,3", ""),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_decimal_signs_of_columns_that_are_not_read_count(file, number, other, sign, order):
    rows = [("x", "y"), (number, other), ("7", "8"), ("1", "2")]
    path, columns = file("\n".join(";".join(row[::order]) for row in rows)), [parse_column("x:0:10")]
    value = float(number.replace(",", "."))
    if sign:
        with pytest.raises(
            DomainError, match=f"has {number}, a fraction or thousands, and {other} in y.*--decimal {sign} if"
        ):
            read(path, columns)
    else:
        assert read(path, columns).values[0] == value
    stated = Reading(stated=Stated(decimal="," if "," in number else "."))
    assert read(path, columns, stated).values[0] == value


@pytest.mark.parametrize(
    ("encoding", "mark", "said"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", codecs.BOM_UTF8, "UTF-8"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "UTF-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "UTF-16"),
        ("utf-32-le", codecs.BOM_UTF32_LE, "UTF-32"),
        ("cp1252", b"", "CP1252"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_encodings_are_found_compressed_or_not(file, encoding, mark, said, packed):
    content = mark + written(";", ",").encode(encoding)
    rows, form = values(file(gzip.compress(content) if packed else content))
    assert rows == VALUES
    assert form == f"{'compressed by gzip, ' * packed}{said}, cells separated by semicolon, decimal comma"


def test_a_spreadsheet_declares_its_separator(file):
    for declared in ("sep=;", '"sep=;"', "SEP=; "):
        assert values(file(f"{declared}\r\n" + written(";", ",")))[0] == VALUES
    # Lines are counted from the first line of the file.
    with pytest.raises(DomainError, match=r"row 2 \(line 4\): height is 'tall'"):
        read(file("sep=;\nheight;weight\n1;2\ntall;3\n"), [parse_column("height:0:9")])


def test_rows_that_have_names_are_those_of_r(file):
    text = '"height" "weight"\n"1" 1.5 60\n"2" 2.25 90.5\n"3" 1.75 70\n'
    rows, form = values(file(text))
    assert rows == VALUES
    assert form == "UTF-8, cells separated by space, decimal point, rows named"
    assert values(file(text.replace(" ", ",")))[0] == VALUES
    # With a name for that column, as `write.csv` has it, it is one like any other.
    assert values(file('"",' + text.replace(" ", ",")))[0] == VALUES


@pytest.mark.parametrize("rows", ["Ann 1.5 60\nBob 2.25 90.5\n", '"Ann" "1.5" "60"\n"Bob" "2.25" "90.5"\n'])
def test_names_of_rows_need_no_quotes_and_are_different(file, rows):
    assert values(file("height weight\n" + rows))[0] == VALUES[:2]
    with pytest.raises(DomainError, match=r"row 1 \(line 2\) has 3 cells; the header has 2; a cell with the separator"):
        values(file("height weight\n" + rows.replace("Bob", "Ann")))
    assert values(file("height weight\n" + rows.replace("\n", "  \n")))[0] == VALUES[:2]
    with pytest.raises(DomainError, match=r"row 1 \(line 2\) has 3 cells; the header has 2"):
        values(file("height,weight\n,1.5,60\nBob,2.25,90.5\n"))


def test_columns_aligned_by_blanks_are_separated_by_any_number_of_them(file):
    text = "  name  height weight  \n   Ann     1.5     60\n   Bob    2.25   90.5 \n"
    assert values(file(text)) == (VALUES[:2], "UTF-8, cells separated by space, decimal point")
    named = "  height weight\n1   1.50   60.0\n2   2.25   90.5\n"
    assert values(file(named)) == (VALUES[:2], "UTF-8, cells separated by space, decimal point, rows named")
    # A text of two words would shift the cells: the first of them is no name of a row.
    text = "    name  height weight\n  Ann A.     1.5     60\n  Bob B.    2.25   90.5\n"
    with pytest.raises(DomainError, match=r"has 4 cells; the header has 3"):
        values(file(text))


@pytest.mark.parametrize("more", [",", ",,,"])
@pytest.mark.parametrize("above", [False, True])
def test_separators_at_the_end_of_lines_separate_nothing(file, more, above):
    header, *body = written().splitlines()
    lines = [header + more * above, *(line + more for line in body)]
    assert values(file("\n".join(lines)))[0] == VALUES
    # Below a header that ends in separators rows may be without.
    assert values(file("\n".join([header + more, *body])))[0] == VALUES
    with pytest.raises(DomainError, match=r"row 1 \(line 2\) has"):
        values(file("\n".join([header, body[0] + more + ",note", *body[1:]])))


def test_rows_of_separators_only_are_none(file):
    assert values(file(",,\n" + written() + ",,\n,,\n"))[0] == VALUES
    # An empty cell of a single column is a person of whom it is missing.
    with pytest.raises(DomainError, match=r"row 2 \(line 3\): height is empty"):
        read(file('height\n1\n""\n2\n'), [parse_column("height:0:9")])


def test_lines_above_the_header_are_named(file):
    for above in ("People of 2020\n\n", "# made\n# today\n", "People,,\n,,\n"):
        with pytest.raises(
            DomainError, match="names its columns in line 3; a table begins with that line, so take out the 2"
        ):
            values(file(above + written()))
    with pytest.raises(DomainError, match="names its columns in line 3"):
        values(file("sep=;\nPeople\n" + written(";", ",")))


def test_a_header_of_numbers_is_none(file):
    for text in ("1.5,60\n2,70\n", "1,5;60\n2;70\n", "1 2 3\n1 2 4\n", "7\n8\n"):
        with pytest.raises(DomainError, match="which are numbers; write a line above that names the columns"):
            read(file(text), [parse_column("60:0:9")])
    assert read(file("name,1960\nA,3\n"), [parse_column("1960:0:9")]).values.tolist() == [[3]]


def test_names_in_single_quotes_are_without(file):
    assert values(file(written().replace("name,height,weight", "'name','height','weight'")))[0] == VALUES
    assert table_files.header([" 'a", "b' "]) == ["'a", "b'"]


def test_a_name_that_is_no_column_is_told_the_nearest_one(file):
    with pytest.raises(DomainError, match=r"Height is not a column, but height is; there are name, height, weight$"):
        read(file(written()), [parse_column("Height:0:9")])
    with pytest.raises(DomainError, match=r"age is not a column; there are c0, c1, .*, c19 and 5 more$"):
        read(file(",".join(f"c{place}" for place in range(25)) + "\n"), [parse_column("age:0:9")])
    assert read(file("a , b\n1,2\n"), [parse_column(" a :0:9")]).values.tolist() == [[1]]


def test_a_decimal_comma_without_quotes_is_no_name_of_a_row(file):
    text = "id,weight\n1,75,5\n2,80,25\n"
    with pytest.raises(DomainError, match="names of rows, or numbers with a decimal comma that lack quotes"):
        read(file(text), [parse_column("weight:0:300")])
    stated = Reading(stated=Stated(decimal="point"))
    assert read(file(text), [parse_column("weight:0:300")], stated).values.tolist() == [[5], [25]]
    # R writes names of rows with quotes.
    quoted = '"id","weight"\n"1",75,5\n"2",80,25\n'
    assert read(file(quoted), [parse_column("weight:0:300")]).values.tolist() == [[5], [25]]


@pytest.mark.parametrize("other", ["31.01.2020", "1.090,5", "x.y"])
def test_a_point_that_is_no_decimal_sign_hides_no_decimal_comma(file, other):
    path = file(f"height;weight\n1,5;60,5\n{other};70\n")
    assert table_files.find(path, NAMES).decimal == ","
    assert table_files.find(file("height;weight\n1,5;60,5\n1.5;70\n"), NAMES).decimal == "."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04\x14\x00", "is a spreadsheet or another zip archive, and no CSV; write the table as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an Excel workbook"),
        (b"PAR1\x15", "is Parquet, whose name should end in .parquet"),
        (b"$FL2@(#) SPSS", "is of SPSS"),
        (b"<stata_dta><header>", "is of Stata"),
        (bz2.compress(b"a,b\n1,2\n"), "is compressed by bzip2"),
        (lzma.compress(b"a,b\n1,2\n"), "is compressed by xz"),
        (b"\x28\xb5\x2f\xfd\x04", "is compressed by zstd"),
    ],
)
def test_files_that_are_no_text_are_named(file, content, said):
    with pytest.raises(DomainError) as caught:
        table_files.find(file(content), ["a"], Stated(encoding="latin-1"))
    assert said in str(caught.value)
    assert table_files.find(file(b"BZh,PK\n1,2\n"), ["PK"]).separator == ","


def test_blanks_around_cells_and_quotes_are_no_part_of_them(file):
    assert values(file('name, "height" , weight\n"Ann", "1.5", 60\n'.replace('" ,', '",')))[0] == [[1.5, 60]]


def test_empty_lines_are_no_rows(file):
    assert values(file("\n\nheight,weight\n\n1.5,60\n\n"))[0] == [[1.5, 60]]


def test_a_single_column_needs_no_separator(file):
    path = file("height\n1.5\n2\n")
    with sources.opened(path, ["height"], Stated()) as source:
        assert list(source.rows) == [["1.5"], ["2"]]
    path = file("height\n1,5\n2,25\n")
    with sources.opened(path, ["height"], Stated()) as source:
        assert (list(source.rows), source.decimal) == ([["1,5"], ["2,25"]], ",")


def test_a_single_column_may_have_blanks_in_its_name_and_cells(file):
    path = file("full name\nAnn Smith\nBob Jones\n")
    assert read(path, [parse_column("full name=Bob Jones")]).values.tolist() == [[0], [1]]


def test_names_decide_between_separators_that_both_fit(file):
    text = "height;weight,kg;m\n1;2,3;4\n"
    with sources.opened(file(text), ["weight,kg"], Stated()) as source:
        assert source.header == ["height", "weight,kg", "m"]
    with sources.opened(file(text), ["height;weight"], Stated()) as source:
        assert source.header == ["height;weight", "kg;m"]
    with pytest.raises(DomainError, match="could be separated by comma or semicolon; state which by --separator"):
        table_files.find(file(text), [])
    assert table_files.find(file(text), [], Stated("semicolon")).separator == ";"


@pytest.mark.parametrize("sign", ["semicolon", ";"])
def test_what_is_stated_is_taken(file, sign):
    text = "height;weight\n1;2\n"
    assert table_files.find(file(text), [], Stated(sign)).separator == ";"
    with pytest.raises(DomainError, match="height is not a column; there are height;weight"):
        values(file(text), Stated("comma"))
    assert table_files.find(file(written()), NAMES, Stated(encoding="latin-1")).encoding == "iso8859-1"


@pytest.mark.parametrize(
    ("content", "stated", "named"),
    [
        (b"a,b\n\x81,1\n", Stated(), "is in neither UTF-8 nor cp1252; state its --encoding"),
        ("a,b\n1,2\n".encode("utf-16-le"), Stated(), "has bytes of 0, as UTF-16 has without its mark"),
        (b"a,b\n\xe9,1\n", Stated(encoding="utf-8"), "is not in utf-8, by what stands in line 2"),
        ("a,b\nü".encode()[:-1], Stated(encoding="utf-8"), "is not in utf-8, by what stands at its end"),
        (b"a,b\n1,2\n", Stated(encoding="utf-16"), "is not in utf-16, by what stands at its beginning"),
        (b"a,b\n1,2\n", Stated(encoding="utf-32"), "is not in utf-32, by what stands"),
        (b"a,b\n", Stated(encoding="utf-9"), "encoding = 'utf-9' is not known"),
        (b"a,b\n", Stated(encoding="base64"), "encoding = 'base64' is not known"),
        (b"a,b\n", Stated(separator="dot"), "separator = 'dot' is none of comma, semicolon, tab, bar, space"),
        (b"a,b\n", Stated(decimal=";"), "decimal = ';' is none of point, comma"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-12], Stated(), "is compressed by gzip, and damaged"),
        (
            gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0),
            Stated(),
            "holds another archive within gzip; write the table",
        ),
        (
            gzip.compress(b"t.csv".ljust(257, b"\0") + b"ustar  \0", mtime=0),
            Stated(),
            "holds another archive within gzip",
        ),
        (
            "a;b\n1;2\n".encode("utf-16-le"),
            Stated(encoding="utf-8"),
            "is not in utf-8, by its bytes of 0; state --encoding utf-16-le",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(file, content, stated, named):
    with pytest.raises(DomainError) as caught:
        table_files.find(file(content), [], stated)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_columns_may_hold_books_and_quoted_line_ends(file):
    book = "word, " * 50_000
    text = f'height,weight,life\n1.5,60,"{book}"\n2.25,90.5,"two\nlines"\n1.75,70,\n'
    assert values(file(text))[0] == VALUES
    # The quoted cell goes on beyond the rows that were looked at.
    lines = "\n".join(map(str, range(3000)))
    assert values(file(f'height,weight,life\n1.5,60,"{lines}"\n'))[0] == [[1.5, 60]]


def test_parquet_needs_pyarrow_and_says_so(file):
    path = file(b"PAR1", "people.parquet")
    with pytest.raises(DomainError, match=r"pyarrow|is no Parquet file"):
        values(path)
    with pytest.raises(DomainError, match="has no separator, decimal sign or encoding; state none"):
        values(path, Stated("comma"))


def test_parquet_is_read_where_pyarrow_is_there(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "people.parquet"
    table = {"height": [1.5, None, 2.0], "smoker": [True, False, None], "region": ["north", "south", None]}
    parquet.write_table(pyarrow.table(table), path)
    columns = [parse_column(text) for text in ("height:0:9", "smoker", "region=north")]
    with pytest.raises(DomainError, match="height is empty"):
        read(path, columns)
    assert read(path, columns[:1], Reading(missing="drop")).values.tolist() == [[1.5], [2.0]]

"""Scripts of pgbench become files of statements, which the engine reads as a load would."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.own import FirstFile, Source, check_file, first_file

TRANSFER = """\\set aid random(1, 100000 * :scale)
\\set bid random_zipfian(1, 10, 1.1)
\\set delta random(-5000, 5000)
\\set half 5 / 2
BEGIN;
UPDATE accounts SET balance = balance + :delta WHERE aid = :aid;
SELECT balance AS left_over, aid FROM accounts
  WHERE aid = :aid \\gset a_
INSERT INTO history (aid, delta, note, half)
  VALUES (:a_aid, :a_left_over, 'it''s :no', :half);
END;
\\sleep 10 ms
"""


def of_script(folder: Path, text: str) -> FirstFile:
    path = folder / "transfer.pgbench"
    path.write_text(text)
    found = first_file(Source(str(path)), Path("own.sql"), with_values=True)
    check_file("own.sql", found.pages)
    return found


def test_a_script_is_one_transaction(tmp_path: Path) -> None:
    found = of_script(tmp_path, TRANSFER)

    assert (found.form, found.statements) == ("script of pgbench", 5)
    assert found.pages.text.split("\n\n")[1].splitlines() == [
        "-- @transaction transfer think=10ms",
        "-- @let aid = int(1..100000)",
        "-- @let bid = int(1..10, zipf 1.1)",
        "-- @let delta = int(-5000..5000)",
        "-- @let half = 2",
        "BEGIN;",
        "UPDATE accounts SET balance = balance + :delta WHERE aid = :aid;",
        "SELECT balance AS left_over, aid FROM accounts",
        "  WHERE aid = :aid;",
        "-- @save a_aid = aid, a_left_over = left_over",
        "INSERT INTO history (aid, delta, note, half)",
        "  VALUES (:a_aid, :a_left_over, 'it''s :no', :half);",
        "COMMIT;",
        "-- @end",
    ]
    assert any(":scale is 1" in note for note in found.notes)


def test_what_is_given_on_the_command_line_is_an_option(tmp_path: Path) -> None:
    text = of_script(tmp_path, "\\setrandom a 1 10\nSELECT :a, :Most;\n").pages.text

    assert "-- @option most = 1: " in text
    assert "-- @let Most = $most\n-- @let a = int(1..10)\n" in text


def test_numbers_are_divided_as_pgbench_divides(tmp_path: Path) -> None:
    sets = "\\set a random(1, 9)\n\\set w :a / 2\n\\set r :a / 2.0\n\\set k 7 % 4 / 2\n"
    lines = of_script(tmp_path, f"{sets}SELECT :w, :r, :k;\n").pages.text.splitlines()
    assert "SELECT (:a DIV 2), (:a / 2), :k;" in lines
    assert "-- @let k = 1" in lines


def test_variables_are_made_of_variables(tmp_path: Path) -> None:
    """Numbers are put in; what is made of draws, the statement calculates."""
    found = of_script(
        tmp_path,
        "\\set naccounts 100000 * :scale\n\\setrandom aid 1 :naccounts\n\\set last :aid + 100 / 3\n"
        "\\set part greatest(:last, 500) % 7\n\\set most -7 / 2\n"
        "SELECT ':last' FROM t WHERE a BETWEEN :aid AND :last AND b = :part AND c > :most;\n",
    )

    assert found.pages.text.split("\n\n")[1].splitlines() == [
        "-- @transaction transfer",
        "-- @let aid = int(1..100000)",
        "-- @let most = -3",
        "SELECT ':last' FROM t WHERE a BETWEEN :aid AND (:aid + 33)"
        " AND b = (GREATEST((:aid + 33), 500) % 7) AND c > :most;",
        "-- @end",
    ]


def test_a_draw_may_stand_in_a_formula(tmp_path: Path) -> None:
    text = of_script(
        tmp_path, "\\set k (random(1, 9) - 1) * 10 + random(0, 2 * :scale)\nSELECT :k;\n"
    ).pages.text
    assert text.split("\n\n")[1].splitlines()[1:4] == [
        "-- @let k_1 = int(1..9)",
        "-- @let k_2 = int(0..2)",
        "SELECT (((:k_1 - 1) * 10) + :k_2);",
    ]


@pytest.mark.parametrize(
    ("draw", "middle", "share"),
    [("random_gaussian(1, 100, 4)", (38, 63), 0.702), ("random_exponential(1, 100, 4)", (1, 25), 0.644)],
)
def test_other_laws_are_files_of_values(
    tmp_path: Path, draw: str, middle: tuple[int, int], share: float
) -> None:
    """70.2 % of a normal distribution are within 1.04 standard deviations; of an exponential one
    (1 - e^-1) / (1 - e^-4) are in the first quarter.
    """
    found = of_script(tmp_path, f"\\set x {draw}\nSELECT :x;\n")

    (rows,) = found.pages.files.values()
    values = [int(row) for row in rows.split()[1:]]
    assert min(values) >= 1
    assert max(values) <= 100
    inside = sum(middle[0] <= value <= middle[1] for value in values) / len(values)
    assert inside == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\\set a random(1, 2)\n\\if :a > 1\nSELECT 1;\n\\endif\n", r"transfer.pgbench:2: \\if of pgbench"),
        ("\\set a :b + 1\nSELECT :a;\n", r":1: :b, which the script does not set, of pgbench"),
        ("\\set a :client_id + 1\n", r":1: :client_id, the number of the connection, of pgbench"),
        ("SELECT :client_id;\n\\sleep 1 s\n", r": :client_id, the number of the connection, of pgbench"),
        ("\\set a 1\n\\timing\nSELECT 1;\n", r":2: \\timing is no command of pgbench"),
        ("\\set a 5 % 0\n", r":1: 5 % 0 of pgbench"),
        ("\\set a permute(1, 2)\n", r":1: permute\(1, 2\) of pgbench"),
        (
            "\\set a random(1, 9)\n\\set b random(1, :a)\n",
            r":2: a draw between other draws \(random",
        ),
        (
            "\\set a random(1, 9)\n\\set b :a + 1\n\\set a random(1, 9)\nSELECT :b;\n",
            r":4: :b, of a value that is drawn",
        ),
        ("\\set a random(1, 9)\n\\set b :a || 1\n", r":2: \\set b :a \|\| 1 of pgbench"),
        ("\\set a random(1\nSELECT :a;", r":1: \\set a random\(1"),
        ("\\setrandom a\nSELECT :a;", r":1: \\set a random\(, \)"),
        ("SELECT 1;\n\\sleep 1 s\nSELECT 2;\n", r":3: \\sleep between statements"),
        ("\\set\nSELECT 1;\n", r":1: \\set"),
    ],
)
def test_what_has_no_counterpart_is_named_by_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        of_script(tmp_path, text)

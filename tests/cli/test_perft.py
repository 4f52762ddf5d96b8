"""`catinthebox perft`: known counts, tables that add up, vectors that agree and that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle import Oracle, perft

from catinthebox.cli import main

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
KNOWN = [
    (("223345566", "223344556", "112344566"), [15, 285, 6270]),
    (("122345678", "455567788", "123334468", "224566778"), [24, 465, 10530]),
    (("22335679", "45566789", "13345699", "23478889", "22456778"), [18, 420, 9522]),
]
VECTOR = """\
# a comment
vector tiny
about two seats, one trick
players 2
ranks 2
hands 12 12
refuse 1r R14
depth 1 nodes 6 leads 6 tricks 0
depth 2 nodes 42 tricks 42
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status of a perft, what it printed, what it complained about."""
    status = main(["perft", *words])
    return status, *capsys.readouterr()


def counts(output: str) -> list[dict[str, str]]:
    """The rows of a table, by the names of its columns."""
    names, *rows = [line.split() for line in output.splitlines()]
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.parametrize(("hands", "nodes"), KNOWN)
def test_known_counts(
    hands: tuple[str, ...], nodes: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    """From the first lead on, the numbers of sequences are the known ones."""
    status, output, complaints = run(capsys, "--hands", *hands, "--depth", "3")
    assert (status, complaints) == (0, "")
    assert [int(row["nodes"]) for row in counts(output)] == nodes
    assert [row["depth"] for row in counts(output)] == ["1", "2", "3"]


def test_table_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    """Every line is as long as the heading: numbers stand under their names."""
    _, output, _ = run(capsys, "--hands", *KNOWN[0][0], "--depth", "2")
    assert len({len(line) for line in output.splitlines()}) == 1


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("face", ["white", "purple"])
def test_table_agrees_with_the_oracle(
    starter: int, face: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """All columns of a micro deck, to its very end, are the oracle's."""
    hands = ("113", "223")
    words = ("--ranks", "3", "--aside", "331", "--starter", str(starter), "--face", face)
    _, output, _ = run(capsys, "--hands", *hands, *words, "--depth", "4")
    table = Oracle.first_lead(2, hands, starter=starter, face=face, turned="331", ranks=3)
    for row, expected in zip(counts(output), perft(table, 4), strict=True):
        assert row == {
            "depth": str(expected.depth),
            "nodes": str(expected.nodes),
            "leads": str(expected.leads),
            "follows": str(expected.follows),
            "off": str(expected.off),
            "red": str(expected.red),
            "red-led": str(expected.red_led),
            "tricks": str(expected.tricks),
            "paradoxes": str(expected.paradoxes),
            "ended": str(expected.ended),
            "won": ",".join(map(str, expected.won)),
            "scores": ",".join(map(str, expected.scores)),
            "check": str(expected.check),
        }


def test_bids_earn_the_bonus(capsys: pytest.CaptureFixture[str]) -> None:
    """With bids, scores are higher than without: the bonus is counted (R25)."""
    words = ("--hands", "12", "34", "56", "--ranks", "6", "--depth", "3")
    _, without, _ = run(capsys, *words)
    _, with_bids, _ = run(capsys, *words, "--bids", "1", "1", "1")
    assert counts(without)[2]["won"] == counts(with_bids)[2]["won"]
    plain, bonus = (
        sum(map(int, counts(output)[2]["scores"].split(","))) for output in (without, with_bids)
    )
    assert bonus == plain + int(counts(without)[2]["nodes"])  # every winner has a group of one


@pytest.mark.parametrize("start", ["deal", "hands"])
@pytest.mark.parametrize("depth", ["1", "2", "3"])
def test_divide_adds_up(start: str, depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The lines of a division add up to its total, and to the table."""
    words = (f"--{start}", "112", "223", "--ranks", "3", "--depth", depth)
    _, table, _ = run(capsys, *words)
    _, output, _ = run(capsys, *words, "--divide")
    *lines, total = [line.split() for line in output.splitlines()]
    assert total == ["total", counts(table)[-1]["nodes"]]
    assert sum(int(nodes) for _, nodes in lines) == int(total[1])


def test_moves_are_played_first(capsys: pytest.CaptureFixture[str]) -> None:
    """The count behind a first action is that action's line of the division."""
    words = ("--hands", *KNOWN[0][0])
    _, divided, _ = run(capsys, *words, "--depth", "3", "--divide")
    _, after, _ = run(capsys, *words, "--depth", "2", "--moves", "2b")
    assert f"2b {counts(after)[-1]['nodes']}" in divided.splitlines()


def test_finished_round_has_no_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing comes after the end of a round."""
    words = ("--hands", "12", "12", "--ranks", "2", "--moves", "1b 2b", "--depth", "1")
    _, table, _ = run(capsys, *words)
    _, divided, _ = run(capsys, *words, "--divide")
    assert counts(table)[0]["nodes"] == "0"
    assert divided == "total 0\n"


# ── Vectors ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_published_vectors_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """Two of the published files, one by one."""
    files = [str(VECTORS / f"random-{name}.txt") for name in ("2p-white", "5p-purple")]
    status, output, complaints = run(capsys, "--check", *files)
    assert (status, complaints) == (0, "")
    assert output.endswith(" vectors checked, 0 differences\n")


def test_folder_of_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder, every .txt file counts and nothing else."""
    (tmp_path / "one.txt").write_text(VECTOR)
    (tmp_path / "two.txt").write_text(VECTOR + "\n" + VECTOR)
    (tmp_path / "README.md").write_text("nonsense")
    assert run(capsys, "--check", str(tmp_path)) == (0, "3 vectors checked, 0 differences\n", "")


@pytest.mark.parametrize(
    ("true", "tampered", "complaint"),
    [
        ("nodes 42", "nodes 43", "tiny: depth 2 nodes should be 43, not 42"),
        ("leads 6", "leads 5", "tiny: depth 1 leads should be 5, not 6"),
        ("1r R14", "1r R12", "tiny: 1r should be refused by R12, not"),
        ("1r R14", "1b R12", "tiny: 1b should be refused by R12, not"),
        ("hands 12 12", "hands 12 13", "tiny: seat 1: '3' is not a rank; ranks are 1 to 2 (R5)"),
        ("tricks 42", "tricks 42 magic 1", "tiny: depth 2 magic should be 1, not None"),
        ("refuse 1r R14", "moves 1b 2b\nover paradox 1", "tiny: paradox should be 1, not -"),
    ],
)
def test_tampered_vector_is_found(
    true: str, tampered: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong number, clause or hand is named, and the status says so."""
    file = tmp_path / "tampered.txt"
    file.write_text(VECTOR.replace(true, tampered))
    status, output, complaints = run(capsys, "--check", str(file))
    assert status == 1
    assert complaint in complaints
    assert output.startswith("1 vectors checked, ")


def test_one_published_number_tampered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a whole published file with one digit changed, one difference is found."""
    text = (VECTORS / "random-3p-white.txt").read_text()
    at = text.index(" check ") + len(" check ")
    (tmp_path / "tampered.txt").write_text(text[:at] + "9" + text[at:])
    status, output, complaints = run(capsys, "--check", str(tmp_path / "tampered.txt"))
    assert (status, complaints.count("\n")) == (1, 1)
    assert output.endswith(", 1 differences\n")


# ── Mistakes ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--hands", "12", "12"], "seat 0 has 2 cards; it should have 9 (R5)"),
        (["--hands", "12", "12", "--ranks", "10"], "(R5)"),
        (["--hands", "12", "12", "--ranks", "2", "--starter", "2"], "starter 2 is not a seat"),
        (["--hands", "12", "12", "--ranks", "2", "--face", "mauve"], "no face 'mauve'"),
        (["--hands", "12", "12", "--ranks", "2", "--moves", "9x"], "'9x' is not an action"),
        (["--hands", "12", "12", "--ranks", "2", "--moves", "1r"], "red may not be led"),
        (["--hands", "12", "12", "--ranks", "2", "--moves", "x:1b"], "a seat number stands before"),
        (["--hands", "12", "12", "--ranks", "2", "--bids", "1", "1"], "(R9)"),
        (["--deal", "112", "112", "--ranks", "2", "--bids", "1", "1"], "(R8)"),
        (["--check", "no-such-file.txt"], "no-such-file.txt: No such file"),
    ],
)
def test_mistakes_are_explained(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A position that cannot be is refused in a sentence, with status 2."""
    status, output, complaints = run(capsys, *words)
    assert (status, output) == (2, "")
    assert complaint in complaints


def test_no_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without vectors is a mistake, not a success."""
    status, _, complaints = run(capsys, "--check", str(tmp_path))
    assert status == 2
    assert "no vectors in" in complaints


def test_text_before_the_first_vector(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that does not begin with a vector is refused with the line."""
    (tmp_path / "a.txt").write_text("# fine\nplayers 2\n")
    status, _, complaints = run(capsys, "--check", str(tmp_path))
    assert status == 2
    assert "line 2: a block begins with 'vector NAME'" in complaints


@pytest.mark.parametrize("depth", ["0", "61", "-1", "three", "9" * 5_000])
def test_depth_is_a_number_from_1_to_60(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A depth that makes no sense ends the command with its usage."""
    with pytest.raises(SystemExit) as end:
        main(["perft", "--hands", "12", "12", "--ranks", "2", "--depth", depth])
    assert end.value.code == 2
    assert "--depth" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--hands", "12", "--deal", "12"]])
def test_exactly_one_position(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One of --deal, --hands and --check is needed, and not two."""
    with pytest.raises(SystemExit) as end:
        main(["perft", *words])
    assert end.value.code == 2
    assert "--deal" in capsys.readouterr().err


def test_no_ranks_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    """A micro deck of no ranks is refused like one of ten."""
    assert run(capsys, "--hands", "12", "12", "--ranks", "0")[0] == 2


def test_endless_seat_number(capsys: pytest.CaptureFixture[str]) -> None:
    """A seat that no table has is refused, however long its number."""
    words = ("--hands", "12", "12", "--ranks", "2", "--moves", "9" * 5_000 + ":1b")
    assert run(capsys, *words)[0] == 2


@pytest.mark.parametrize(
    "text",
    [
        "vector v",
        "vector v\nhands",
        "vector v\nranks two\nhands 12 12",
        "vector v\nranks 2\nstarter x\nhands 12 12",
        "vector v\nranks 2\nhands 12 12\nrefuse 1r",
        "vector v\nranks 2\nhands 12 12\nrefuse",
        "vector v\nranks 2\nhands 12 12\ndepth 1 nodes",
        "vector v\nranks 2\nhands 12 12\ndepth",
        "vector v\nranks 2\nhands 12 12\ndepth 0 nodes 6",
        "vector v\nranks 2\nhands 12 12\ndepth x nodes 6",
        "vector v\nranks 2\nhands 12 12\nover paradox",
        "vector v\nranks 2\nhands 12 12\nbids x",
    ],
)
def test_broken_vectors_are_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A vector that cannot be read is refused in a sentence, or named as a difference."""
    (tmp_path / "broken.txt").write_text(text + "\n")
    assert run(capsys, "--check", str(tmp_path))[0] in (1, 2)

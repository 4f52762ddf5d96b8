"""What is drawn and what is said, piece by piece."""

from __future__ import annotations

import io
from random import Random

import pytest
from policies import TABLES
from sample_rounds import first_lead, game_moments, positions

from catinthebox import EDITIONS, Action, Color, Face, Game, NotUnderstood, Phase, Round
from catinthebox.cli.play import narration, score_sheet
from catinthebox.cli.play.help_text import HELP, welcome
from catinthebox.cli.play.input_parser import TypedCommand, action, read
from catinthebox.cli.play.screen import Screen
from catinthebox.cli.terminal import ESCAPE, TRUECOLOR, Terminal, clip, pad, wide

TERMINALS = {
    "unicode": Terminal(),
    "ascii": Terminal(unicode=False),
    "256": Terminal(colors=256),
    "true": Terminal(colors=TRUECOLOR),
    "plain": Terminal(plain=True),
}


def table(round: Round, **options: object) -> tuple[Screen, Game]:
    """A game with this round in it, and a screen for seat 0."""
    names = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")[: round.players]
    game = Game(names, round.face, rounds=(round,))
    return Screen.of(game, 0, Terminal(**options)), game  # type: ignore[arg-type]


# ── Everything fits, everywhere ──────────────────────────────────────────────────────────────


def everything(screen: Screen, game: Game) -> list[str]:
    """All that can be shown of a moment."""
    round = game.round
    if round is None:
        return welcome(screen, game, "7")
    shown = [screen.board(round), screen.seats(game, range(game.players)), screen.trick(round)]
    shown += [
        screen.hand(round, 0),
        *narration.beginning(screen, game),
        *narration.paradox(screen, round),
    ]
    shown += [*score_sheet.so_far(screen, game), narration.last_trick(screen, round)]
    if 0 in round.to_act:
        shown += [*narration.turn(screen, game, 0), screen.legal(round, 0)]
    shown += score_sheet.of_round(screen, game) if round.over else []
    return shown + (score_sheet.final(screen, game) if game.over else [])


@pytest.mark.long
@pytest.mark.parametrize("terminal", TERMINALS)
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_every_moment_fits_80_columns(terminal: str, players: int, face: str) -> None:
    """Drawn in 79 columns of the right alphabet; said without any drawing."""
    rng = Random(players)
    names = ("A" * 40, "猫" * 20, "Curie", "猫" * 21, "Emmy")[:players]
    ascii_names = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")[:players]
    game = Game.new(players, face=face, names=ascii_names if terminal == "ascii" else names)
    moments = list(game_moments(game, rng))
    for moment in [*moments[:: 2 * players + 1], moments[-1]]:
        text = "\n".join(everything(Screen.of(moment, 0, TERMINALS[terminal]), moment))
        assert ("\x1b" in text) == (TERMINALS[terminal].colors > 0 and moment.round is not None)
        assert terminal != "ascii" or text.isascii()
        if terminal == "plain":
            assert not set(text) & set("─│╭╰▸★→Ψħ[]■·")
        else:
            assert [line for line in text.splitlines() if wide(line) >= 80] == []


# ── The board ────────────────────────────────────────────────────────────────────────────────


def test_a_cell_shows_color_rank_and_owner_without_any_color() -> None:
    """Free, free for me now, taken: three different looks, each with rank and letter."""
    round = first_lead("123 456 789").replay("1b 4b 7r 8y")
    screen, _ = table(round)
    drawn = screen.board(round, [Action("2y")])
    assert "[1bΨ]" in drawn
    assert "[7rE]" in drawn
    assert "(2y) " in drawn
    assert " 3y  " in drawn


def test_neutral_tokens_look_like_nobody() -> None:
    """Two players: blocked cells show a token without an owner."""
    round = first_lead("123 456", turned="113")
    screen, _ = table(round)
    assert "[1g■]" in screen.board(round)
    assert "1 neutral" in table(round, plain=True)[0].board(round)


def test_colors_come_with_letters() -> None:
    """Take the escapes away, and the same is still said."""
    round = first_lead("123 456 789").replay("1b 4b")
    colored, _ = table(round, colors=256)
    assert ESCAPE.sub("", colored.board(round)).split()[:2] == ["1r", "2r"]
    assert "1bΨ" in ESCAPE.sub("", colored.board(round))


def test_a_wide_face_is_drawn_slim() -> None:
    """Cells shrink before the board is wider than the screen."""
    cells = [f"{c}{n}" for c in "rbyg" for n in range(1, 10)]
    face = Face.parse("face long\n" + " ".join(cells[:18]) + "\n" + " ".join(cells[18:]))
    game = Game.new(4, face=face, house_rules=True).shuffle(Random(1))
    assert game.round is not None
    assert max(map(wide, Screen.of(game).board(game.round).splitlines())) < 80


# ── Seats, hand, trick ───────────────────────────────────────────────────────────────────────


def test_a_seat_line_says_all_that_is_public() -> None:
    """Symbol, name, color tokens, bid, tricks, group, hand size, total; starter and turn."""
    round = first_lead("123 456 789", bids=(1, 3, 4), starter=1).replay("4b 7y")
    screen, game = table(round)
    lines = screen.seats(game).splitlines()
    assert lines[1].split() == ["▸", "Ψ", "Ada", "(you)", *"rbyg", "1", "0", "0", "3", "0"]
    assert lines[2].split() == ["★", "ħ", "Bohr", *"rbyg", "3", "0", "1", "2", "0"]
    assert lines[3].split() == ["E", "Curie", "r", "-", "y", "g", "4", "0", "1", "2", "0"]


def test_the_first_edition_covers_lost_colors() -> None:
    """The same information, shown the other way round (R34)."""
    round = first_lead("123 456 789").replay("1b 4y")
    game = Game(("A", "B", "C"), round.face, edition=EDITIONS["first"], rounds=(round,))
    assert Screen.of(game).tokens(round, 1) == "r x y g"


def test_hands_stay_closed_unless_shown() -> None:
    """Only the seats asked for."""
    round = first_lead("123 456 789")
    screen, game = table(round)
    assert "456" not in screen.seats(game)
    assert "456" in screen.seats(game, [1])
    assert "789" not in screen.seats(game, [1])


def test_a_card_shows_what_it_could_still_be() -> None:
    """Open cell and token in hand; red too, though it may not be led yet."""
    round = first_lead("115 456 789").replay("1b 4y 7y")
    assert round.could_be(0, 1) == (Color.RED, Color.YELLOW, Color.GREEN)
    screen, _ = table(round)
    assert "│r·yg│" in screen.hand(round, 0)
    plain, _ = table(round, plain=True)
    assert "1, red, yellow or green; 5, any color." in plain.hand(round, 0)


# ── The story ────────────────────────────────────────────────────────────────────────────────


def printed(hands: str, moves: str, last: str, **options: object) -> list[str]:
    """What is told of the last action."""
    before = first_lead(hands, bids=(1,) * len(hands.split())).replay(moves)
    after = before.replay(last)
    return narration.happened(table(before, **options)[0], before, after)


def test_plays_are_described_with_what_they_cost() -> None:
    """Leads, follows, colors given up, red opened, tricks won."""
    hands = "1234 5678 2468"
    assert printed(hands, "", "1b") == ["Ψ You lead blue 1."]
    assert printed(hands, "1b", "5b") == ["ħ Bohr plays blue 5."]
    assert printed(hands, "1b", "5y") == ["ħ Bohr plays yellow 5 and gives up blue."]
    assert printed(hands, "1b 5b", "2r") == [
        "E Curie plays red 2 and gives up blue.",
        "  Red is open now: it may be led.",
        "  → E Curie wins trick 1 with red 2.",
    ]
    assert printed(hands, "1b 5b", "2b", plain=True)[-1] == "Bohr wins trick 1 with blue 5."


def test_a_color_is_given_up_once() -> None:
    """Nothing is lost twice (R16), and nothing is told twice."""
    lines = printed("1234 5678 2468", "4b 5y 2b 3b", "6y")
    assert lines == ["ħ Bohr plays yellow 6."]


def test_discards_are_described_without_the_card() -> None:
    """Unless the hands are open, as in a replay."""
    before = Round.deal(("1223345566", "1123344556", "1122344566"))
    screen, _ = table(before)
    assert narration.happened(screen, before, before.play("-3", 1)) == ["ħ Bohr sets a card aside."]
    opened = narration.happened(screen, before, before.play("-3", 1), True)
    assert opened == ["ħ Bohr sets a 3 aside."]


@pytest.mark.clause("R22")
def test_a_paradox_is_explained_card_by_card() -> None:
    """Whose it is, the open hand, and a reason for each color of each card."""
    ends = [round for round in positions() if round.paradox is not None]
    for round in ends:
        screen, _ = table(round)
        text = "\n".join(narration.paradox(screen, round))
        who = "You" if round.paradox == 0 else screen.names[round.paradox or 0]
        assert f"PARADOX! {who} cannot play" in text
        assert "seat" not in text
        assert ("you gave up" in text) <= (round.paradox == 0)
        for rank in set(round.hands[round.paradox or 0]):
            assert f"\n  {rank}: " in text
    assert ends


HANDS = "1234 5678 2468"
ADVICE = [
    (first_lead(HANDS), "You lead: any color but red, which nobody has played yet."),
    (first_lead(HANDS, starter=1).replay("5b 6b 1r"), "You lead: any color you like, red too."),
    (first_lead("11 23", turned="111"), "You lead, and have nothing but red left"),
    (first_lead(HANDS, starter=1).replay("5y 6y"), "Yellow is led: playing yellow is free"),
    (first_lead(HANDS).replay("1b 5b 6b 8y 2g 6y 4y"), "Yellow is led, which you gave up before"),
    (first_lead("11 15 16", starter=1).replay("1b 6b"), "no card of yours can be blue"),
]


@pytest.mark.clause("R14", "R16")
@pytest.mark.parametrize(("round", "sentence"), ADVICE, ids=lambda value: str(value)[:30])
def test_the_hint_says_what_may_be_done_and_what_it_costs(round: Round, sentence: str) -> None:
    """Before a card is played, not after."""
    screen, game = table(round)
    assert sentence in " ".join(" ".join(narration.turn(screen, game, 0)).split())


def test_dead_cards_are_pointed_out() -> None:
    """A card without any color left is a danger while others must be played."""
    round = first_lead("1145 2367", turned="111", starter=1).replay("2b 1r")
    screen, game = table(round)
    assert "Careful: no color is left for your 1 " in narration.turn(screen, game, 0)[-1]


# ── The sheets ───────────────────────────────────────────────────────────────────────────────

NAMES = ("you", "Bohr", "Curie")
VERDICTS: dict[tuple[tuple[int, ...], ...], str] = {
    ((5, 2, 0), (1, 1, 0), (0, 0, 0)): "you win with 6 points.",
    ((2, 5, 0), (1, 1, 0), (0, 0, 0)): "Bohr wins with 6 points.",
    ((5, 2, 0), (1, 4, 0), (0, 0, 0)): "they share the victory",
    ((5, 2, 0), (0, 0, 0), (1, 4, 0)): "Bohr wins by the final round (4 points there, R3)",
    ((4, 4, 2), (0, 0, 0), (1, 1, 3)): "Curie wins by the final round (3 points there",
    ((4, 2, 2), (0, 0, 0), (1, 3, 3)): "Bohr and Curie share the victory by the final round",
}


@pytest.mark.clause("R3")
@pytest.mark.parametrize("scores", VERDICTS)
def test_the_verdict_explains_ties(scores: tuple[tuple[int, ...], ...]) -> None:
    """Who wins, and what decided it."""
    assert VERDICTS[scores] in score_sheet.verdict(NAMES, scores, me=0)


@pytest.mark.clause("R24", "R25", "R26")
def test_the_sheet_gives_the_reason_for_every_score() -> None:
    """Paradox, bid met, bid missed; at two players four or fewer."""
    reasons = set()
    for round in positions():
        if round.scores is None:
            continue
        for seat, points in enumerate(round.scores):
            said = score_sheet.reason(round, seat)
            bonus = points > round.won[seat]
            assert ("group" in said) == (bonus or (round.players == 2 and "four or" in said))
            assert ("paradox" in said) == (round.paradox == seat)
            reasons.add(said.split(":")[-1].strip())
    assert reasons >= {"bid met", "bid missed, no bonus", "paradox, no bonus", "four or fewer"}


# ── What is typed ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text", ["5b", "5B", "b5", "5 b", "5 blue", "BLUE 5", "blue5", "5-b", "play 5 as blue", " 5,b "]
)
def test_a_play_is_understood_however_it_is_written(text: str) -> None:
    """Rank and color in any order, any case."""
    assert read(text, Phase.PLAY) is Action("5b")


@pytest.mark.parametrize("text", ["5", "-5", "- 5", "discard 5", "Set aside 5"])
def test_a_discard_is_understood(text: str) -> None:
    """A bare number is enough."""
    assert read(text, Phase.DISCARD) is Action("-5")


@pytest.mark.parametrize("text", ["2", "=2", "= 2", "bid 2", "BID2"])
def test_a_bid_is_understood(text: str) -> None:
    """A bare number is enough."""
    assert read(text, Phase.BID) is Action("=2")


@pytest.mark.parametrize("text", ["5", "0b", "10b", "5bb", "b", "blue", "5 5", "½b", "５b", "=7"])
def test_nonsense_is_not_understood(text: str) -> None:
    """It is answered, never guessed."""
    with pytest.raises(NotUnderstood):
        action(text, Phase.PLAY)


def test_commands_have_short_forms() -> None:
    """`?` before an action asks about it."""
    assert read("?5b", Phase.PLAY) == TypedCommand("why", "5b")
    assert read("why5b", Phase.PLAY) == TypedCommand("why", "5b")
    assert read("Q", Phase.PLAY) == TypedCommand("quit")
    assert read("  Rules   14 ", Phase.PLAY) == TypedCommand("rules", "14")


def test_every_command_in_the_help_exists() -> None:
    """And every command is in the help."""
    for word in ("why", "hint", "legal", "board", "hand", "last", "scores", "rules", "quit"):
        assert word in HELP
        assert isinstance(read(f"{word} 5b", Phase.PLAY), TypedCommand)


# ── What a terminal can show ─────────────────────────────────────────────────────────────────


class FakeTerminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Pretend."""
        return True


@pytest.mark.parametrize(
    ("environ", "colors"),
    [
        ({"TERM": "xterm"}, 256),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, TRUECOLOR),
        ({"TERM": "xterm", "NO_COLOR": "1"}, 0),
        ({"TERM": "dumb"}, 0),
    ],
)
def test_colors_are_used_where_they_are_welcome(environ: dict[str, str], colors: int) -> None:
    """A terminal, no NO_COLOR, no option against it."""
    assert Terminal.of(FakeTerminal(), environ).colors == colors
    assert Terminal.of(FakeTerminal(), environ, no_color=True).colors == 0
    assert Terminal.of(FakeTerminal(), environ, plain=True).colors == 0
    assert Terminal.of(io.StringIO(), environ).colors == 0


def test_texts_are_measured_as_they_are_seen() -> None:
    """Wide letters take two columns, escapes none."""
    assert wide("猫") == 2
    assert pad("猫", 4) == "猫  "
    assert clip("猫猫猫", 4) == "猫…"
    assert clip("Bohr", 4) == "Bohr"

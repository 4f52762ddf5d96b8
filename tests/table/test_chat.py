"""The end of a talk is kept, and nobody can push the words of all others out of it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from live_tables import Party, frames, seated, snapshot

from catinthebox.client.state import apply_frame
from catinthebox.protocol.chat import CHAT_KEPT, ChatMessage, chat_history
from catinthebox.table import Leave, Say, Sit, token_hash

SEATS = 5
SAFE = CHAT_KEPT // SEATS  # lines of everybody who sits there

speakers = st.tuples(st.integers(0, SEATS - 1), st.sampled_from(["Ada", "Ben", "Cyd"]))


def said(speaker: tuple[int, str], number: int) -> ChatMessage:
    """A line, with a time of its own."""
    return ChatMessage(*speaker, "hello", True, number)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(st.lists(st.tuples(speakers, st.integers(1, 12)), min_size=4, max_size=30))
def test_what_is_kept(turns: list[tuple[tuple[int, str], int]]) -> None:
    """Not too much, in order, with the newest; and the last ten lines of everybody who sits there.

    Anyone who speaks has the seat; the last one who spoke there has left it.
    """
    seats: dict[int, str] = {}
    talk: tuple[ChatMessage, ...] = ()
    spoken: dict[tuple[int, str], list[ChatMessage]] = {}
    for (seat, name), count in turns:
        if seats.get(seat) != name:
            spoken[seat, name] = []  # what they said before they left may be forgotten
        seats[seat] = name
        for _ in range(count):
            line = said((seat, name), talk[-1].at + 1 if talk else 0)
            spoken[seat, name].append(line)
            talk = chat_history((*talk, line), set(seats.items()))
            assert len(talk) <= CHAT_KEPT
            assert talk[-1] == line
            assert [one.at for one in talk] == sorted(one.at for one in talk)
        for speaker in seats.items():
            assert set(spoken[speaker][-SAFE:]) <= set(talk)


def flood(party: Party, visitors: int, lines: int) -> None:
    """Let visitors sit down one after the other, talk, and leave."""
    for number in range(visitors):
        who = token_hash(f"visitor {number}")
        party.do(Sit(f"Visitor {number}"), who)
        for _ in range(lines):
            party.do(Say("laugh"), who)
        party.do(Leave(), who)


def test_throw_away_tokens_push_nobody_out() -> None:
    """Sixty lines of twelve visitors took the whole history once; clients keep the same lines."""
    party = seated(3, 2)
    party.do(Leave(), "Bohr")
    seen = snapshot(party.table, None)
    before, version = party.table, len(party.log)
    for _ in range(SAFE):
        party.do(Say("well_played"), "Ada")
    flood(party, visitors=12, lines=5)
    kept = [line.name for line in party.table.chat]
    assert kept.count("Ada") == SAFE
    assert len(kept) == CHAT_KEPT
    for frame in frames(before, party.log[version:], None):
        seen = apply_frame(seen, frame)
    assert seen.chat == snapshot(party.table, None).chat

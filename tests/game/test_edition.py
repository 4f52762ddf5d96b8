"""The printed editions."""

from __future__ import annotations

import copy
import pickle

import pytest

from catinthebox import EDITIONS, FACES, Edition, NotUnderstood


@pytest.mark.clause("R31")
def test_the_standard_edition_prints_these_faces() -> None:
    """White for two, both for three and four, purple for five; white first for a first game."""
    assert dict(Edition.named("standard").faces) == {
        2: ("white",),
        3: ("white", "purple"),
        4: ("white", "purple"),
        5: ("purple",),
    }


@pytest.mark.clause("R34")
def test_the_first_edition_is_for_three_or_four_on_black_or_purple() -> None:
    """Its tokens are symbols of physics, and colors lost are covered."""
    first = Edition.named("first")
    assert dict(first.faces) == {3: ("black", "purple"), 4: ("black", "purple")}
    assert (first.year, first.symbols, first.covers_lost_colors) == (
        2020,
        ("Ψ", "ħ", "p", "E"),
        True,
    )
    assert Edition.named("standard").covers_lost_colors is False


@pytest.mark.parametrize("name", list(EDITIONS))
def test_an_edition_is_found_by_its_name_and_prints_as_code(name: str) -> None:
    """There is one object of each, with faces that exist and a symbol per seat."""
    edition = Edition.named(name)
    assert eval(repr(edition)) is edition
    assert pickle.loads(pickle.dumps(edition)) is edition is copy.deepcopy(edition)
    assert {face for faces in edition.faces.values() for face in faces} <= set(FACES)
    assert len(set(edition.symbols)) == max(edition.faces)


def test_an_unknown_edition_is_refused_with_the_known_names() -> None:
    """The sentence says what would be right."""
    with pytest.raises(NotUnderstood, match="no edition 'second'; there are standard, first") as e:
        Edition.named("second")
    assert e.value.code == "input.edition"

"""The token game, without a browser: what it shows, and what clicks do."""

import pytest

from conftest import MODELS
from starset import Net, StarsetError
from starset.widget import TokenGame


def test_a_game(philosophers: Net) -> None:
    game = philosophers.play()
    assert isinstance(game, TokenGame)
    first = game.svg
    assert game.state == philosophers.initial and len(game.enabled) == 10 and first.startswith("<svg")
    # What a browser sends.
    game.wish = {"do": "fire", "transition": "FF1a_0", "number": 1}
    assert game.fired == ["FF1a_0"] and game.state == philosophers.initial.fire("FF1a_0")
    assert game.svg != first and game.marking == str(game.state)
    assert {game.names[number] for number in game.enabled} == set(game.state.enabled())
    # A click that came too late changes nothing.
    game.wish = {"do": "fire", "transition": "FF1a_0", "number": 2}
    assert game.fired == ["FF1a_0"]
    game.fire("FF1a_1")
    game.wish = {"do": "back", "number": 3}
    assert game.fired == ["FF1a_0"]
    game.wish = {"do": "reset", "number": 4}
    assert game.fired == [] and game.svg == first
    game.back()
    assert game.state == philosophers.initial


def test_a_game_from_elsewhere(philosophers: Net) -> None:
    stuck = next(iter(philosophers.deadlocks()))
    game = TokenGame(philosophers, stuck)
    assert game.enabled == [] and game.state == stuck


def test_a_game_needs_tokens() -> None:
    with pytest.raises(StarsetError, match="nets"):
        Net.read(MODELS / "thermostat.dve").play()

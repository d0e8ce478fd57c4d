"""The environment passes PettingZoo's own tests."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="no pettingzoo: its interface is not tested")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from sharpzero import Position, policy_index  # noqa: E402
from sharpzero.pettingzoo import RawEnv, env  # noqa: E402


# It knows by name which of PettingZoo's own games have a dict as observation, and warns of others.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("rules", ["chess_sharp", "chess960", "raindrop"])
def test_pettingzoo_accepts_it(rules):
    api_test(env(rules=rules), num_cycles=300)
    seed_test(lambda: env(rules=rules), num_cycles=100)


def test_a_game_ends_with_its_points():
    game = RawEnv(table="impasse_white_more=6", render_mode="ansi")
    game.reset(options={"fen": "4k3/8/8/8/8/8/P7/4K3[] w - - 99 90"})
    assert game.agent_selection == "player_0" and game.render() == game.position.fen
    assert not game.observe("player_1")["action_mask"].any()
    game.step(policy_index(game.position, "e1d1"))
    assert game.terminations == {"player_0": True, "player_1": True}
    assert game.rewards["player_0"] == pytest.approx(0.2) and game.rewards["player_1"] == pytest.approx(-0.2)
    game.step(None)
    game.step(None)
    assert game.agents == []


def test_cards_come_by_the_seed():
    def first_moves(seed):
        game = RawEnv(rules="raindrop")
        game.reset(seed=seed)
        for _ in range(6):
            game.step(np.flatnonzero(game.observe(game.agent_selection)["action_mask"])[0])
        return game.position.moves

    assert first_moves(1) == first_moves(1) and len({tuple(first_moves(seed)) for seed in range(8)}) > 1
    assert first_moves(1)[:1] == ["draw"] and first_moves(1)[1].startswith("?")


def test_an_illegal_action_is_refused():
    game = RawEnv()
    game.reset()
    with pytest.raises(ValueError, match="action 1: expected a legal move's"):
        game.step(1)
    assert game.position == Position()

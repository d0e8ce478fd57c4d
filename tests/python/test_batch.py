"""Many games side by side."""

import numpy as np
import pytest

from sharpzero import OUTCOMES, Batch, Position, policy_indices, shape


@pytest.mark.parametrize("rules", ["chess_sharp", "chess960", "pre_chess", "raindrop"])
def test_random_games_go_on_until_they_end(rules):
    batch = Batch(20, rules)
    assert len(batch) == 20
    ended = np.zeros(len(OUTCOMES), int)
    for _ in range(400):
        mask, actions = batch.mask(), batch.sample()
        assert mask.shape == (20, shape(rules)[2]) and mask.dtype == bool
        assert mask[np.arange(20), actions].all()
        outcomes = batch.step(actions)
        assert outcomes.dtype == np.int8 and outcomes.shape == (20,)
        ended += np.bincount(outcomes[outcomes >= 0], minlength=7)
    assert ended.sum() > 5


def test_the_mask_is_that_of_the_legal_moves():
    batch = Batch(8, seed=2)
    for _ in range(40):
        batch.step(batch.sample())
    for fen, row, side in zip(batch.fens, batch.mask(), batch.side_to_move):
        position = Position(fen)
        assert sorted(policy_indices(position)) == np.flatnonzero(row).tolist()
        assert side == (position.side_to_move == "black")


def test_the_seed_decides_and_games_do_not_see_each_other():
    def played(games, seed):
        batch = Batch(games, seed=seed)
        for _ in range(50):
            batch.step(batch.sample())
        return batch.fens

    assert played(6, 1) == played(6, 1) != played(6, 2)
    assert played(6, 1)[:3] == played(3, 1)


def test_outcomes_are_those_of_the_game():
    batch, games = Batch(4, seed=5), [Position() for _ in range(4)]
    for _ in range(600):
        actions = batch.sample()
        outcomes = batch.step(actions)
        for i, position in enumerate(games):
            at = policy_indices(position).tolist().index(actions[i])
            position.push(position.legal_moves[at])
            assert (OUTCOMES[outcomes[i]] if outcomes[i] >= 0 else None) == position.outcome()
            if outcomes[i] >= 0:
                games[i] = Position()
        assert batch.fens == [position.fen for position in games]


@pytest.mark.parametrize(
    ("error", "call", "says"),
    [
        (ValueError, lambda: Batch(0), "games"),
        (ValueError, lambda: Batch(2).step(np.zeros(3, np.int64)), "length 3: expected 2"),
        (ValueError, lambda: Batch(2).step(np.array([-1, 0])), r"actions\[0\] '-1': expected"),
        (ValueError, lambda: Batch(2).planes(9), "lookahead"),
        (TypeError, lambda: Batch(2).step("e2e4"), "incompatible"),
    ],
)
def test_bad_input_is_refused(error, call, says):
    with pytest.raises(error, match=says):
        call()


def test_nothing_is_played_where_an_action_is_refused():
    batch = Batch(2)
    actions = batch.sample()
    actions[1] = -5
    with pytest.raises(ValueError, match=r"actions\[1\]"):
        batch.step(actions)
    assert batch.fens == [Position().fen] * 2

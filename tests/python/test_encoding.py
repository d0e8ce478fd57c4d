"""What a network sees: planes, global inputs, policy indices."""

import os
import subprocess

import numpy as np
import pytest
from conftest import ROOT

from sharpzero import Batch, Position, RuleSet, planes, policy_index, policy_indices, shape


def test_shapes_of_one_position_and_of_several():
    assert shape() == (62, 39, 64 * 69) and shape("chess") == shape("chess,chess_plus") == (65, 50, 64 * 98)
    board, inputs = planes(Position())
    assert board.shape == (62, 8, 8) and inputs.shape == (39,)
    assert board.dtype == inputs.dtype == np.float32
    both = planes([Position(), Position(moves=["K@e1"])])
    assert both[0].shape == (2, 62, 8, 8) and both[1].shape == (2, 39)
    np.testing.assert_array_equal(both[0][0], board)
    np.testing.assert_array_equal(both[1][0], inputs)
    wide = planes(Position(), network_rules="chess_sharp,chess_sharp+sprint")
    assert wide[0].shape == (65, 8, 8)
    np.testing.assert_array_equal(wide[0][:62], board)


def test_rows_and_columns_are_ranks_and_files():
    board, _ = planes(Position("8/8/8/8/8/8/P7/8[KQkq] w - - 0 1"))
    assert np.argwhere(board[0]).tolist() == [[1, 0]]  # the own pawn on a2
    assert board[61].all()  # the whole board


def test_both_colours_are_seen_alike():
    white = Position("4k3/p7/8/8/8/8/8/R3K3[] w - - 5 30")
    black = Position("r3k3/8/8/8/8/8/P7/4K3[] b - - 5 30")
    for mine, theirs in zip(planes(white, "impasse_equal=5"), planes(black, "impasse_equal=5")):
        np.testing.assert_array_equal(mine, theirs)
    assert policy_index(white, "a1a7") == policy_index(black, "a8a2")
    assert policy_index(white, "a1a2") != policy_index(black, "a8a2")


def test_the_table_and_the_lookahead_are_inputs():
    position = Position(moves=["K@e1", "K@e8"])
    assert not np.array_equal(planes(position)[1], planes(position, "impasse_equal=4.9")[1])
    assert not np.array_equal(planes(position, lookahead=0)[1], planes(position, lookahead=2)[1])


def test_each_legal_move_has_an_index_of_its_own():
    for name in RuleSet.names():
        size = shape(name)[2]
        position = Position(rules=name)
        for _ in range(60):
            if position.outcome() is not None:
                break
            if not position.is_chance:
                indices = policy_indices(position)
                assert indices.dtype == np.int64 and len(set(indices)) == len(position.legal_moves)
                assert indices.min() >= 0 and indices.max() < size
                assert indices[-1] == policy_index(position, position.legal_moves[-1])
            position.push(position.legal_moves[(7 * len(position.moves)) % len(position.legal_moves)])


def test_a_game_that_is_over_is_encoded_without_a_move():
    over = Position("4k3/8/8/8/8/8/8/4K3[] w - - 100 90")
    board, inputs = planes(over)
    assert np.isfinite(inputs).all() and not board[59:61].any()
    assert policy_indices(over).shape == (0,)


@pytest.mark.parametrize(
    ("error", "call", "says"),
    [
        (ValueError, lambda: planes(Position(), lookahead=5), "lookahead"),
        (ValueError, lambda: planes([]), "at least one"),
        (ValueError, lambda: planes(Position(rules="chess"), network_rules="chess_sharp"), "rule set chess: expected"),
        (ValueError, lambda: planes([Position(), Position(rules="chess")]), "rule set chess: expected"),
        (ValueError, lambda: planes(Position(rules="raindrop", moves=["draw"])), "a card is being drawn"),
        (ValueError, lambda: policy_index(Position(), "e2e4"), "expected a legal move"),
        (ValueError, lambda: shape("ches"), "rule set 'ches'"),
        (TypeError, lambda: planes([None]), "None|incompatible"),
        (TypeError, lambda: planes(3), "incompatible"),
    ],
)
def test_bad_input_is_refused(error, call, says):
    with pytest.raises(error, match=says):
        call()


def test_an_exported_network_says_in_python_what_the_program_says(program, tmp_path):
    torch = pytest.importorskip("torch", reason="no torch: exported networks are not tried")
    net, file = ROOT / "networks" / "chess_sharp-5x64.safetensors", tmp_path / "net.pt"
    subprocess.run([program, "export", "--net", net, "--to", file], check=True, capture_output=True)
    moves = ["K@e1", "K@e8", "R@a1"]
    batch = planes([Position(moves=moves)], lookahead=4)
    with torch.no_grad():
        logits, outcomes, _ = torch.jit.load(str(file))(*map(torch.from_numpy, batch))
    asked = f"setoption name Threads value 1\nposition startpos moves {' '.join(moves)}\ngo nodes 1\nisready\n"
    text = subprocess.run(
        [program, "uci", "--net", net], input=asked, capture_output=True, text=True, check=True,
        env={**os.environ, "SHARPZERO_CPU": "x86-64-v2"},  # in fp32, as Python does
    ).stdout
    said = [float(p) for p in text.split("outcomes ")[1].split("\n")[0].split()]
    assert logits.shape == (1, shape()[2])
    assert outcomes[0].tolist()[::-1] == pytest.approx(said, abs=2e-4)  # Black's order


def test_a_batch_sees_what_single_positions_show():
    batch = Batch(5, seed=3)
    for _ in range(30):
        batch.step(batch.sample())
    board, inputs = batch.planes()
    one = planes([Position(fen) for fen in batch.fens])
    np.testing.assert_array_equal(board, one[0])
    np.testing.assert_array_equal(inputs, one[1])

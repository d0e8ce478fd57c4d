"""Positions, rule sets and scoring tables beyond the reference data: what Python adds."""

import copy
import pickle
import random
import resource
import subprocess

import pytest

from sharpzero import OUTCOMES, Position, RuleSet, ScoringTable

PAWN_UP = "4k3/8/8/8/8/8/P7/4K3[] w - - 100 90"


def test_moves_are_played_and_taken_back():
    position = Position(moves=["B@a1", "K@a8"])
    position.push_san("R@b1")
    assert position.moves == ["B@a1", "K@a8", "R@b1"]
    assert position.side_to_move == "black" and position.halfmove_clock == 3
    assert [position.pop() for _ in range(3)] == ["R@b1", "K@a8", "B@a1"]
    assert position == Position() and position.fen == position.start_fen
    with pytest.raises(IndexError, match="no move"):
        position.pop()


def test_a_random_game_of_each_rule_set_can_be_taken_back():
    chance = random.Random(1)
    for name in [*RuleSet.names(), "chess_sharp+sprint+before=3"]:
        position = Position(rules=name, number=chance.randrange(960))
        seen = []
        while position.outcome() is None and len(seen) < 300:
            seen.append((position.fen, position.occurrences))
            position.push(chance.choice(position.legal_moves))
        assert position.outcome() is None or position.legal_moves == []
        again = Position(position.start_fen, name, position.moves)
        assert again == position and again.occurrences == position.occurrences
        for fen, occurrences in reversed(seen):
            position.pop()
            assert (position.fen, position.occurrences) == (fen, occurrences)


def test_repetition_ends_a_game_of_chess_and_can_be_taken_back():
    position = Position(rules="chess", moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 2)
    assert position.occurrences == 3 and position.outcome() == "impasse_equal" and position.points() == 5
    assert position.legal_moves == []
    position.pop()
    assert position.occurrences == 2 and position.outcome() is None and "f6g8" in position.legal_moves


def test_the_table_decides_an_impasse_and_what_it_pays():
    position = Position(PAWN_UP)
    assert position.outcome() == "impasse_white_more" and position.points() == 7
    assert position.points("impasse_white_more=6.5") == 6.5
    assert position.outcome(ScoringTable("pawn=0")) == "impasse_equal"
    assert Position().points() is None


def test_cards_are_drawn_by_chance():
    position = Position(rules="raindrop")
    assert not position.is_chance and position.draws == []
    position.push("draw")
    assert position.is_chance and position.side_to_move == "white"
    draws = dict(position.draws)
    assert draws["?P"] == 8 / 16 and draws["?R"] == 2 / 16 and sum(draws.values()) == pytest.approx(1)
    assert list(draws) == position.legal_moves
    position.push("?R")
    position.push("R@d4")
    assert position.side_to_move == "black" and len(position.moves) == 3


def test_copies_are_apart_and_survive_pickling():
    position = Position(rules="chess", moves=["e2e4"])
    others = [position.copy(), copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))]
    position.push("e7e5")
    for other in others:
        assert other.moves == ["e2e4"] and other != position
        other.push("e7e5")
        assert other == position
    table = ScoringTable("stalemate=2.2,bishop=3.25")
    assert pickle.loads(pickle.dumps(table)) == table and hash(ScoringTable(str(table))) == hash(table)
    rules = RuleSet("chess_sharp+sprint")
    assert pickle.loads(pickle.dumps(rules)) == rules and rules in {RuleSet("chess_sharp+sprint")}
    with pytest.raises(TypeError):
        hash(position)


def test_tables_and_rule_sets_tell_what_they_hold():
    assert len(OUTCOMES) == 7 and OUTCOMES[0] == "black_wins" and OUTCOMES[6] == "white_wins"
    table = ScoringTable("impasse_equal=4.9")
    assert list(table.points_white) == [0, 2, 3, 4.9, 7, 8, 10] and list(table.material) == [1, 3, 3, 5, 9]
    assert repr(table) == "ScoringTable('impasse_equal=4.9')"
    assert list(RuleSet("chess").table.points_white) == [0, 5, 5, 5, 5, 5, 10]
    assert ScoringTable(rules="chess") == RuleSet("chess").table
    assert "raindrop" in RuleSet.names() and RuleSet("raindrop").has_cards and str(RuleSet("Chess#")) == "chess_sharp"
    assert RuleSet("chess") != "chess"


@pytest.mark.parametrize(
    ("error", "call", "says"),
    [
        (ValueError, lambda: Position("8/8 w - - 0 1"), "FEN .*: expected"),
        (ValueError, lambda: Position(rules="chess_flatt"), "rule set 'chess_flatt': expected"),
        (ValueError, lambda: Position(number=960), "number.*0 to 959"),
        (ValueError, lambda: Position(moves=["e2e4"]), "move 'e2e4': expected a legal move"),
        (ValueError, lambda: Position().san("Ke1"), "move 'Ke1': expected a legal move"),
        (ValueError, lambda: Position().perft(-1), "depth"),
        (ValueError, lambda: Position().perft_divide(0), "depth"),
        (ValueError, lambda: ScoringTable("impasse=4"), "impasse"),
        (ValueError, lambda: Position().points("equal=x"), "equal"),
        (TypeError, lambda: Position(7), "incompatible"),
        (TypeError, lambda: Position().push(7), "incompatible"),
    ],
)
def test_bad_input_is_refused(error, call, says):
    with pytest.raises(error, match=says) as refused:
        call()
    assert error is TypeError or "\n" not in str(refused.value)


def test_perft_is_as_fast_as_the_programs(program):
    def used():
        """Seconds of processor time, of this process and of the programs that it has started."""
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    def seconds(count):
        start = used()
        count()
        return used() - start

    def in_program(depth):
        text = subprocess.run([program, "perft", "--depth", str(depth)], capture_output=True, check=True).stdout
        return int(text)

    assert Position().perft(6) == in_program(6)
    ours, theirs, start = zip(
        *((seconds(lambda: Position().perft(6)), seconds(lambda: in_program(6)), seconds(lambda: in_program(0)))
          for _ in range(5))
    )
    assert min(ours) < 1.3 * (min(theirs) - min(start))

"""The package's rules against the data of an independent implementation: every row of both files."""

import json

import pytest
from conftest import DATA

from sharpzero import Position, RuleSet

ROWS = {
    "perft": 45, "outcomes": 124, "moves": 56, "bad_fens": 29, "bad": 50, "after": 66, "games": 40, "start": 24,
}


def rows(kind):
    """The rows of that kind, each with its rule set."""
    plain = json.loads((DATA / "public_rules.json").read_text())
    sets = json.loads((DATA / "public_rulesets.json").read_text())["sets"]
    found = [(row, "chess_sharp") for row in plain.get(kind, [])]
    found += [(row, row["set"]) for kinds in sets.values() for row in kinds.get(kind, [])]
    assert len(found) == ROWS[kind]
    return found


def name(outcome):
    return "ongoing" if outcome is None else outcome


def test_start():
    for row, rules in rows("start"):
        assert Position(rules=rules, number=row.get("number", 518)).fen == row["fen"]


def test_perft():
    for row, rules in rows("perft"):
        position = Position(row["fen"], rules)
        assert position.perft(row["depth"]) == row["perft"], row
        assert position.perft(row["depth"], ends=True) == row["perft_rules"], row
        if row["depth"] > 0:
            assert sum(position.perft_divide(row["depth"]).values()) == row["perft"], row


def test_outcomes():
    for row, rules in rows("outcomes"):
        position = Position(row["fen"], rules)
        assert name(position.outcome()) == row["outcome"], row
        assert position.points() == row["white_score" if "white_score" in row else "points_white"], row


def test_moves():
    for row, rules in rows("moves"):
        position = Position(row["fen"], rules)
        assert sorted(position.legal_moves) == row["uci"], row
        if "san" in row:
            assert [position.san(move) for move in row["uci"]] == row["san"], row
            assert [position.uci(san) for san in row["san"]] == row["uci"], row


def test_after():
    for row, rules in rows("after"):
        position = Position(row["fen"], rules)
        position.push(row["uci"])
        assert position.fen == row["after"], row


@pytest.mark.parametrize("kind", ["bad_fens", "bad"])
def test_bad_fens_are_refused(kind):
    for row, rules in rows(kind):
        with pytest.raises(ValueError, match="expected") as refused:
            Position(row["fen"].encode().decode("unicode_escape") if kind == "bad_fens" else row["fen"], rules)
        assert "\n" not in str(refused.value)


def test_games():
    for game, rules in rows("games"):
        position = Position(game["start_fen"], rules)
        points = dict(game["checkpoints"])
        for ply, move in enumerate(game["uci"]):
            assert position.outcome() is None
            san = position.san(move)
            if "san" in game:
                assert san == game["san"][ply]
            position.push_san(san)
            assert position.fen == points.get(ply + 1, position.fen)
        assert position.fen == game["final_fen"]
        assert name(position.outcome()) == game["outcome"]
        while position.moves:
            position.pop()
        assert position == Position(game["start_fen"], RuleSet(rules))
        assert position.occurrences == 1

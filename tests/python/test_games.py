"""Games of a run, and of PGN files."""

import json
import sqlite3
import subprocess

import pytest
from conftest import DATA

from sharpzero import OUTCOMES, Game, Position, ScoringTable, games, read_pgn


def test_games_are_those_that_the_program_lists(program, run):
    listed = subprocess.run([program, "games", "--run", run, "--json"], capture_output=True, check=True, text=True)
    expected = [json.loads(line) for line in listed.stdout.splitlines()]
    found = list(games(run))
    assert len(found) == len(expected) > 1
    for game, fields in zip(found, expected):
        assert (game.id, game.generation, str(game.rules)) == (fields["id"], fields["generation"], fields["rules"])
        assert (game.start_fen, game.moves) == (fields["start_fen"], fields["moves"])
        assert (game.outcome, game.points, game.ended) == (fields["outcome"], fields["points_white"], fields["ended"])
        assert game.table == ScoringTable(fields["table"], game.rules)


def test_positions_lead_to_the_outcome(run):
    for game in games(run):
        positions = game.positions()
        assert len(positions) == len(game.plies) + 1
        for position, after, ply in zip(positions, positions[1:], game.plies):
            assert position.outcome(game.table) is None and position.moves == after.moves[:-1]
            assert ply.move == after.moves[-1]
        assert positions[-1].outcome(game.table) == game.outcome
        assert positions[-1] == Position(game.start_fen, game.rules, game.moves)


def test_targets_are_what_the_search_said(run):
    targets = 0
    for game in games(run):
        for position, ply in zip(game.positions(), game.plies):
            assert -1 <= ply.value <= 1 and len(ply.outcomes) == len(OUTCOMES)
            if ply.is_target:
                targets += 1
                assert sum(ply.policy.values()) == pytest.approx(1, abs=1e-3)
                assert set(ply.policy) <= set(position.legal_moves)
                assert sum(ply.outcomes) == pytest.approx(1, abs=1e-3)
    assert targets > 10


def test_a_part_of_the_games(run):
    every = [game.id for game in games(run / "games.db")]
    assert [game.id for game in games(run, last=2)] == every[-2:]
    assert list(games(run, last=0)) == []
    generation = next(games(run)).generation
    assert [game.id for game in games(run, generation=generation)] == every
    assert list(games(run, generation=generation + 1)) == []


def test_a_damaged_game_is_named(run):
    with sqlite3.connect(run / "games.db") as store:
        store.execute("UPDATE games SET record = zeroblob(100) WHERE id = 2")
    found = games(run)
    for _ in range(2):
        with pytest.raises(ValueError, match="games.db: game 2: "):
            next(found)


def test_many_games_come_in_order_and_once(run):
    with sqlite3.connect(run / "games.db") as store:
        for copy in range(5, 200):
            store.execute(
                "INSERT INTO games SELECT ?, generation, rules, start_fen, scoring_table, outcome, points_white, "
                "ended, plies, ?, record FROM games WHERE id = 1", (copy, 1000 + copy)
            )
    assert [game.id for game in games(run)] == list(range(1, 200))
    assert [game.id for game in games(run, last=150)] == list(range(50, 200))


def test_pgn_is_written_and_read(run, tmp_path):
    written = list(games(run))
    (tmp_path / "games.pgn").write_text("".join(game.pgn() for game in written))
    read = read_pgn(tmp_path / "games.pgn")
    assert [(g.moves, g.outcome, g.table) for g in read] == [(g.moves, g.outcome, g.table) for g in written]
    assert isinstance(read[0], Game) and len(read_pgn(DATA / "app_games.pgn")) > 1


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda at: games(at / "nowhere"), "there is no such file"),
        (lambda at: games(DATA / "app_games.pgn"), "app_games.pgn"),
        (lambda at: games(at, last=-1), "last"),
        (lambda at: games(at, generation=-1), "generation"),
        (lambda at: read_pgn(at / "nowhere"), "cannot be read"),
        (lambda at: read_pgn(at / "games.db"), "games.db"),
    ],
)
def test_bad_input_is_refused(run, call, says):
    with pytest.raises(ValueError, match=says) as refused:
        call(run)
    assert "\n" not in str(refused.value)

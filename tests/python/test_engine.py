"""The engine: as UCI says it, beside other threads, and what it refuses."""

import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import ROOT

from sharpzero import Engine, Position, ScoringTable

NODES, LINES = 20000, 3


def uci_answer(program, moves, options=()):
    """What the program says of the position: nodes, (score, line) for each line, outcomes, best move."""
    net = ROOT / "networks" / "nnue" / "chess_sharp.safetensors"
    told = [f"setoption name {name} value {value}" for name, value in options]
    text = "\n".join(
        ["setoption name Threads value 1", "setoption name Hash value 64", f"setoption name MultiPV value {LINES}",
         *told, f"position startpos moves {' '.join(moves)}", f"go nodes {NODES}"]
    )
    engine = subprocess.Popen([program, "uci", "--net", net], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    engine.stdin.write(text + "\n")
    engine.stdin.flush()
    said = []
    for line in engine.stdout:
        said.append(line)
        if line.startswith("bestmove"):
            break
    engine.communicate("quit\n")
    lines = {}
    for line in said:
        found = re.match(r"info depth (\d+) .* nodes (\d+) .* multipv (\d+) score cp (-?\d+) pv (.*)", line)
        if found:
            lines[int(found[3])] = (int(found[1]), int(found[2]), int(found[4]), found[5].split())
    outcomes = [float(p) for p in re.search(r"outcomes (.*)", "".join(said))[1].split()]
    return [lines[i + 1] for i in range(LINES)], outcomes, said[-1].split()[1]


@pytest.mark.parametrize(
    ("moves", "table"),
    [
        ([], None),
        (["B@a1", "K@a8", "R@b1", "e7e6"], None),
        (["B@a1", "K@a8", "R@b1", "e7e6", "K@h1"], "impasse_equal=4.9,stalemate=2.2"),
    ],
)
def test_a_search_says_what_uci_says(program, moves, table):
    lines, outcomes, best = uci_answer(program, moves, [("ScoringTable", table)] if table else ())
    position = Position(moves=moves)
    report = Engine().search(position, nodes=NODES, lines=LINES, table=table)
    white = 1 if position.side_to_move == "white" else -1
    assert report.best == best and len(report.lines) == LINES
    for line, (depth, nodes, score, pv) in zip(report.lines, lines):
        assert (report.depth, report.nodes, line.moves) == (depth, nodes, pv)
        assert white * 100 * (line.points - 5) == pytest.approx(score, abs=0.51)
    assert report.outcomes == pytest.approx(outcomes, abs=1e-4)


def test_the_answer_depends_on_nothing_but_the_nodes():
    position = Position(moves=["K@e1", "K@e8"])
    engine = Engine()
    first = engine.search(position, nodes=5000)
    engine.clear()
    again = engine.search(position, nodes=5000)
    assert (first.points, first.outcomes, first.lines[0].moves) == (again.points, again.outcomes, again.lines[0].moves)
    assert sum(first.outcomes) == pytest.approx(1, abs=1e-5) and 0 <= first.points <= 10
    table = position.rules.table.points_white
    assert first.points == pytest.approx(sum(p * q for p, q in zip(first.outcomes, table)), abs=0.5)


def test_two_threads_search_at_once():
    found = []

    def search(engine):
        found.append(engine.search(Position(), seconds=0.6))

    threads = [threading.Thread(target=search, args=[Engine()]) for _ in range(2)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    turns = 0
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.01)
        turns += 1
    elapsed = time.perf_counter() - start
    assert elapsed < 0.9 * sum(report.seconds for report in found)  # one after the other: the sum at least
    assert len(found) == 2 and all(report.nodes > 1000 for report in found)
    assert turns > 10  # Python went on


def test_one_engine_serves_threads_in_turn():
    engine, found = Engine(), []
    threads = [
        threading.Thread(target=lambda: found.append(engine.search(Position(), nodes=2000).best)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4


def test_ctrl_c_ends_a_search():
    script = (  # a child of a job in the background is told to ignore it
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "import sharpzero; print('go', flush=True); sharpzero.Engine().search(sharpzero.Position(), seconds=60)"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "go\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, error = child.communicate(timeout=10)
    assert "KeyboardInterrupt" in error


def test_material_plays_other_games():
    mate = Position("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "chess")
    report = Engine("material").search(mate, depth=3)
    assert report.best == "a1a8" and report.points == 10 and report.outcomes[6] == 1
    assert Engine("material").rules is None and Engine().rules == "chess_sharp"


def over():
    return Position("4k3/8/8/8/8/8/8/4K3[] w - - 100 90")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Engine().search(Position()), "expected nodes, seconds or depth"),
        (lambda: Engine().search(Position(), nodes=0), "nodes '0'"),
        (lambda: Engine().search(Position(), seconds=-1), "seconds '-1"),
        (lambda: Engine().search(Position(), seconds=float("nan")), "seconds 'nan'"),
        (lambda: Engine().search(Position(), depth=0), "depth"),
        (lambda: Engine().search(Position(), nodes=1, lines=0), "lines"),
        (lambda: Engine().search(Position(), nodes=1, table="x=1"), "'x"),
        (lambda: Engine().search(over(), nodes=1), "the game is over"),
        (lambda: Engine().search(Position(rules="chess"), nodes=1), "for the rule set chess_sharp, expected .* chess"),
        (lambda: Engine("material").search(Position(rules="raindrop"), nodes=1), "without cards"),
        (lambda: Engine("/nowhere"), "/nowhere: no such file"),
        (lambda: Engine(ROOT / "networks" / "chess_sharp-5x64.safetensors"), "chess_sharp-5x64"),
        (lambda: Engine(threads=0), "threads"),
        (lambda: Engine(hash_mib=0), "hash_mib"),
    ],
)
def test_bad_input_is_refused(call, says):
    with pytest.raises(ValueError, match=says) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_a_table_changes_what_is_expected():
    position, engine = Position(), Engine()
    default = engine.search(position, nodes=2000)
    dear = engine.search(position, nodes=2000, table=ScoringTable("impasse_equal=10,impasse_unequal=0"))
    assert dear.points != default.points

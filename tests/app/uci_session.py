#!/usr/bin/env python3
"""Talks to the UCI engine from outside, as a chess program does, and checks what it says.

  uci_session.py PROGRAM SCENARIO [--net NET] [--long] [--slow]

Scenarios: games, refusals, end, stop, ponder, multipv, clock, growth. Prints what was measured; exit code
1 and a line on stderr where a check fails. --long: many more searches; --slow: for a program built
with sanitizers, times and memory are printed but not judged. Needs nothing but Python.
"""

import argparse
import json
import queue
import random
import statistics
import subprocess
import sys
import threading
import time

START = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"
PATIENCE = 120  # seconds for any answer: a limit against hanging, not a measurement
net = []  # the words that name the engine's network


def check(holds, message):
    if not holds:
        sys.exit(f"failed: {message}")


class Engine:
    """The program as a child; its lines come with the time at which they were read."""

    def __init__(self, program, *arguments):
        self.child = subprocess.Popen([program, "uci", *net, *arguments], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, bufsize=0)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put((time.monotonic(), line.decode("utf-8", "replace").rstrip("\n")))
        self.lines.put((time.monotonic(), None))

    def say(self, line):
        self.child.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")

    def line(self):
        try:
            at, line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            sys.exit("failed: the engine hangs")
        check(line is not None, f"the engine is gone, exit code {self.child.poll()}")
        return at, line

    def until(self, head):
        """All lines up to the one that begins with `head`, and the time of that."""
        seen = []
        while True:
            at, line = self.line()
            seen.append(line)
            if line.startswith(head):
                return seen, at

    def ready(self):
        self.say("isready")
        return self.until("readyok")[0][:-1]

    def end(self, say_quit=False):
        """Seconds until it is gone."""
        began = time.monotonic()
        if say_quit:
            self.say("quit")
        else:
            self.child.stdin.close()
        try:
            code = self.child.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            sys.exit("failed: the engine does not end")
        check(code == 0, f"exit code {code}, expected 0")
        return time.monotonic() - began

    def memory_mib(self):
        with open(f"/proc/{self.child.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0


class Rules:
    """Asks `inspect` of the same program for legal moves and outcomes."""

    def __init__(self, program):
        self.child = subprocess.Popen([program, "inspect"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True, bufsize=1)

    def at(self, moves, fen=START):
        self.child.stdin.write(fen + (" moves " + " ".join(moves) if moves else "") + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())


def fields(line):
    """An info line as {word: next word}, with the rest of `pv` as a list."""
    words = line.split()
    values = dict(zip(words, words[1:]))
    if "pv" in words:
        values["pv"] = words[words.index("pv") + 1:]
    return values


def check_answer(lines, position, white_to_move):
    """The end of a search: its last line 1, its `points_white` and its move agree and are legal."""
    first = [fields(line) for line in lines if line.startswith("info depth") and " multipv 1 " in line]
    check(first, "a search without an info line")
    points = next(line.split() for line in lines if line.startswith("info string points_white"))
    move = lines[-1].split()[1]
    check(move in position["moves"], f"bestmove {move} is not legal in {position['fen']}")
    check(first[-1]["pv"][0] == move, f"bestmove {move}, but line 1 is {first[-1]['pv']}")
    centi = int(first[-1]["cp"]) * (1 if white_to_move else -1)
    check(abs(float(points[3]) - (5 + centi / 100)) < 0.006, f"{points[3]} is not cp {centi}")
    shares = [float(share) for share in points[5:]]
    check(len(shares) == 7 and abs(sum(shares) - 1) < 0.01, f"outcomes {shares}")
    return move


def games(program, long_form, _slow):
    rules = Rules(program)
    engine = Engine(program, "--threads", "1")
    plies = 0
    limits = ["nodes 12", "movetime 5", "wtime 50 btime 50 winc 1 binc 1", "depth 2", "nodes 1"]
    for game in range(50 if long_form else 3):
        engine.say("ucinewgame")
        moves = []
        while True:
            position = rules.at(moves)
            engine.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            if position["outcome"] != "ongoing":
                break
            engine.say("go " + limits[(game + len(moves)) % len(limits)])
            answer = engine.until("bestmove")[0]
            moves.append(check_answer(answer, position, len(moves) % 2 == 0))
        engine.say("go nodes 10")
        check(engine.until("bestmove")[0][-1] == "bestmove (none)", "a move after the end")
        plies += len(moves)
        print(f"game {game + 1}: {len(moves)} plies, {position['outcome']}")
    # The score is the mover's: a king that can be taken is ten points for whoever takes it.
    for fen, points in (("4k3/8/8/8/8/8/4R3/K7[] w - - 0 1", "10.00"),
                        ("k7/4r3/8/8/8/8/8/4K3[] b - - 0 1", "0.00")):
        engine.say("position fen " + fen)
        engine.say("go nodes 50")
        answer = engine.until("bestmove")[0]
        check_answer(answer, rules.at([], fen), fen.split()[1] == "w")
        check(any("score cp 500 " in line for line in answer), f"{answer}: expected cp 500")
        check(any(f"points_white {points} " in line for line in answer), f"expected {points}")
    engine.end(say_quit=True)
    print(f"{plies} plies, all moves legal")


def refusals(program, _long_form, _slow):
    engine = Engine(program, "--threads", "1")
    engine.say("position startpos moves N@d1")
    engine.ready()
    engine.say("d")
    before = engine.until("Outcome")[0]
    for bad in ("fly", "stop", "ponderhit", "position", "position fen", "position fen 8/8 w",
                "position fen " + START + " moves e2e4", "position startpos moves e2e3 e2e3",
                "position startpos moves N@d1 Q@d8", "position middle", "setoption", "setoption name", "setoption name Hash", "setoption name Hash value -1",
                "setoption name Threads value many", "setoption name MultiPV value 0",
                "setoption name Net value /nonexistent", "setoption name ScoringTable value x=1",
                "setoption name Wings value 2", "setoption name Ponder value maybe",
                "x" * 100000, b"\xff\xfe\x00\x01", "position startpos moves " + "N@d1 " * 2000):
        engine.say(bad)
        answer = engine.ready()
        shown = bad if len(bad) < 60 else bad[:60]
        check(len(answer) == 1 and answer[0].startswith("info string "), f"{shown!r}: {answer}")
    for bad in ("go nodes", "go nodes -1", "go nodes 1e9", "go movetime x", "go sideways",
                "go nodes 9 searchmoves a1a8"):
        engine.say(bad)
        answer = engine.until("bestmove")[0]
        errors = [line for line in answer if line.startswith("info string error: go")]
        check(len(errors) == 1, f"{bad!r}: {answer}")
    engine.say("")
    check(engine.ready() == [], "an empty line is answered")
    engine.say("d")
    check(engine.until("Outcome")[0] == before, "a refusal changed the position")
    engine.say("go nodes 20")
    engine.until("bestmove")
    engine.end()


def end(program, _long_form, slow):
    for go, say_quit in (("go infinite", False), ("go ponder wtime 1000 btime 1000", False),
                         ("go nodes 1000000000", True)):
        engine = Engine(program, "--threads", "2")
        engine.ready()
        engine.say(go)
        engine.until("info depth")
        seconds = engine.end(say_quit)
        check(slow or seconds < 5, f"{go}: {seconds:.1f} s to end")
        print(f"{go}, {'quit' if say_quit else 'end of input'}: gone after {1000 * seconds:.0f} ms")


def stop(program, long_form, slow):
    engine = Engine(program, "--threads", "1")
    engine.ready()
    chance = random.Random(1)
    latencies = []
    for i in range(300 if long_form else 25):
        engine.say("position startpos" + (" moves K@e1" if i % 2 else ""))
        engine.say("go infinite")
        time.sleep(chance.uniform(0, 0.15))
        began = time.monotonic()
        engine.say("stop")
        latencies.append(1000 * (engine.until("bestmove")[1] - began))
    median = statistics.median(latencies)
    print(f"stop answered after {median:.1f} ms (median of {len(latencies)}; "
          f"longest {max(latencies):.1f} ms)")
    check(slow or median < 20, f"median {median:.1f} ms, expected below 20")
    engine.end()


def ponder(program, _long_form, slow):
    engine = Engine(program, "--threads", "1")
    engine.say("setoption name Ponder value true")
    engine.say("position startpos moves K@e1 K@e8")
    engine.ready()
    engine.say("go ponder wtime 3000 btime 3000")
    time.sleep(0.3)
    check(not any(line.startswith("bestmove") for line in engine.ready()), "moved while pondering")
    began = time.monotonic()
    engine.say("ponderhit")
    seconds = engine.until("bestmove")[1] - began
    print(f"bestmove {1000 * seconds:.0f} ms after ponderhit, 3 s on the clock")
    check(slow or seconds < 2, f"{seconds:.1f} s after ponderhit")
    engine.say("go infinite")
    engine.say("ponderhit")
    engine.until("info string ponderhit")
    engine.say("stop")
    engine.until("bestmove")
    engine.say("go ponder nodes 10")
    time.sleep(0.1)
    engine.say("stop")
    engine.until("bestmove")
    engine.end()


def multipv(program, _long_form, _slow):
    rules = Rules(program)
    engine = Engine(program, "--threads", "1")
    for moves in ([], ["K@e1", "K@e8"]):
        legal = rules.at(moves)["moves"]
        for count in (1, 3, 500):
            engine.say(f"setoption name MultiPV value {count}")
            engine.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            engine.say("go nodes 400")
            lines = [fields(line) for line in engine.until("bestmove")[0]
                     if line.startswith("info depth")]
            wanted = min(count, len(legal))
            last = lines[-wanted:]
            check([int(line["multipv"]) for line in last] == list(range(1, wanted + 1)),
                  f"MultiPV {count}: lines {[line['multipv'] for line in last]}")
            firsts = [line["pv"][0] for line in last]
            check(len(set(firsts)) == wanted and set(firsts) <= set(legal), f"lines {firsts}")
            if count == 3:
                scores = [int(line["cp"]) for line in last]
                print(f"three lines: {list(zip(firsts, scores))}")
    engine.end()


def clock(program, _long_form, slow):
    engine = Engine(program, "--threads", "1")
    engine.ready()
    for go, least, most in (("movetime 300", 0.15, 0.3), ("wtime 1000 btime 1", 0, 0.9),
                            ("wtime 60 btime 60", 0, 0.06), ("wtime -5 btime 9", 0, 0.05),
                            ("wtime 400 btime 400 movestogo 1", 0, 0.4)):
        for _ in range(3):  # a busy machine may take the processor away for a while
            engine.say("ucinewgame")
            engine.ready()
            began = time.monotonic()
            engine.say("go " + go)
            seconds = engine.until("bestmove")[1] - began
            print(f"go {go}: {1000 * seconds:.0f} ms")
            if slow or least <= seconds <= most + 0.1:
                break
        else:
            check(False, f"go {go} took {seconds:.3f} s")
    engine.end()


def growth(program, long_form, slow):
    searches = 20000 if long_form else 400
    engine = Engine(program, "--threads", "2")
    engine.say("setoption name Hash value 8")
    rules = Rules(program)
    chance = random.Random(2)
    memory = []
    moves = []
    for i in range(searches):
        position = rules.at(moves)
        if position["outcome"] != "ongoing" or i % 40 == 0:
            engine.say("ucinewgame")
            moves = []
            position = rules.at(moves)
        moves.append(chance.choice(position["moves"]))
        if rules.at(moves)["outcome"] != "ongoing":
            continue
        engine.say("position startpos moves " + " ".join(moves))
        if i % 3 == 0:
            engine.say("go infinite")
            engine.say("stop")
        else:
            engine.say("go nodes 60" if i % 20 else "go movetime 40")
        engine.until("bestmove")
        memory.append(engine.memory_mib())
    early, late = memory[len(memory) // 4], memory[-1]
    print(f"{len(memory)} searches: {memory[0]:.1f} MiB after the first, {early:.1f} after a quarter, "
          f"{late:.1f} at the end")
    # In the short form caches still fill.
    check(slow or late - early < (8 if long_form else 32), f"grew by {late - early:.1f} MiB")
    engine.end()


def main():
    scenarios = {f.__name__: f for f in (games, refusals, end, stop, ponder, multipv, clock, growth)}
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scenario", choices=scenarios)
    parser.add_argument("--net")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--slow", action="store_true")
    arguments = parser.parse_args()
    if arguments.net:
        net.extend(["--net", arguments.net])
    scenarios[arguments.scenario](arguments.program, arguments.long, arguments.slow)


if __name__ == "__main__":
    main()

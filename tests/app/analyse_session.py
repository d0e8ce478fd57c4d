#!/usr/bin/env python3
"""Talks to `analyse` from outside, as a script or a GUI does, and checks what it says.

  analyse_session.py PROGRAM SCENARIO

Scenarios: equal, terminate, keep, ids, closed, interrupt, end. Exit code 1 and a line on stderr where a check fails.
"""

import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import threading
import time

PATIENCE = 120  # seconds for any answer: a limit against hanging, not a measurement
NNUE = str(pathlib.Path(__file__).parents[2] / "networks/nnue/chess_sharp.safetensors")
NETWORK = str(pathlib.Path(__file__).parents[2] / "networks/chess_sharp-5x64.safetensors")
GAME = "K@e1 K@e8 e2e3 R@d8 N@f1 d7d6 B@c1 N@b8".split()
LONG = {"seconds": 600, "nodes": None}


def check(holds, message):
    if not holds:
        sys.exit(f"failed: {message}")


class Program:
    """`analyse` as a child, its answers one by one."""

    def __init__(self, program, *arguments, **more):
        self.child = subprocess.Popen([program, "analyse", "--nodes", "300", *arguments], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, **more)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in iter(self.child.stdout.readline, b""):
            self.lines.put(line)
        self.lines.put(None)

    def ask(self, **fields):
        self.child.stdin.write((json.dumps(fields) + "\n").encode())

    def answer(self):
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            sys.exit("failed: no answer")
        check(line is not None, f"the program is gone, exit code {self.child.poll()}")
        check(line.endswith(b"\n"), f"a line that is cut: {line}")
        return json.loads(line)

    def rest(self):
        """All answers until the end of output."""
        found = []
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            check(line.endswith(b"\n"), f"a line that is cut: {line}")
            found.append(json.loads(line))
        return found

    def code(self):
        try:
            return self.child.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            sys.exit("failed: it does not end")


def uci_answers(program, words, nodes):
    """What `uci` says of each position of GAME, cleared before each: nodes, line, points and outcomes."""
    child = subprocess.Popen([program, "uci", "--threads", "1", *words], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True, bufsize=1)
    child.stdin.write("setoption name Hash value 64\n")
    found = []
    for ply in range(len(GAME) + 1):
        child.stdin.write(f"ucinewgame\nposition startpos moves {' '.join(GAME[:ply])}\ngo nodes {nodes}\n")
        child.stdin.flush()
        said = {}
        for line in child.stdout:
            words_of = line.split()
            if " pv " in line:
                said.update(nodes=int(words_of[words_of.index("nodes") + 1]), depth=int(words_of[2]),
                            moves=words_of[words_of.index("pv") + 1:])
            elif line.startswith("info string points_white"):
                said.update(points=words_of[3], outcomes=words_of[5:])
            elif line.startswith("bestmove"):
                break
        found.append(said)
    child.stdin.close()
    child.wait()
    return found


def equal(program):
    """Each position's answer is the one of `uci` with one thread."""
    os.environ["SHARPZERO_CPU"] = "x86-64-v2"  # which has fp32 alone: otherwise a measurement chooses the precision
    for words, nodes in ((["--net", NETWORK], 60), (["--net", NNUE], 5000)):
        engine = Program(program, "--threads", "2", *words)
        engine.ask(id="a", moves=" ".join(GAME), plies="all", nodes=nodes)
        engine.child.stdin.close()
        answers = {each["ply"]: each for each in engine.rest()}
        check(engine.code() == 0, "exit code")
        expected = uci_answers(program, words, nodes)
        for ply, said in enumerate(expected):
            got = answers[ply]
            seen = {"nodes": got["nodes"], "depth": got["depth"], "moves": got["lines"][0]["moves"],
                    "points": f"{got['points_white']:.2f}", "outcomes": [f"{each:.4f}" for each in got["outcomes"]]}
            check(seen == said, f"ply {ply}: uci says {said}, analyse {seen}")


def terminate(program):
    """What is under way says what it knows, what waits that it knows nothing, and the rest goes on."""
    engine = Program(program, "--threads", "1")
    engine.ask(id="a", moves="K@e1", report_every=0.05, **LONG)
    engine.ask(id="b", moves="K@e1", plies="all", **LONG)
    engine.ask(id="c", moves="")
    check(engine.answer()["partial"], "a partial report")
    began = time.monotonic()
    engine.ask(id="t", action="terminate", of="b")
    engine.ask(id="u", action="terminate", of="a")
    by_id = {}
    while "c" not in by_id or "u" not in by_id:
        each = engine.answer()
        if not each.get("partial"):
            by_id.setdefault(each["id"], []).append(each)
    check([each["no_result"] for each in by_id["b"]] == [True, True], f"what waits: {by_id}")
    check([by_id[each][0]["terminated"] for each in "tu"] == [2, 1], f"how many: {by_id}")
    check(by_id["a"][0]["ended"] == "terminated" and by_id["a"][0]["lines"], f"what is known: {by_id}")
    check(by_id["c"][0]["ended"] == "nodes", f"what was not terminated: {by_id}")
    check(time.monotonic() - began < 20, "it takes long")
    engine.ask(id="d", moves="", **LONG)
    engine.ask(id="e", moves="", **LONG)
    engine.ask(id="f", action="terminate")
    engine.child.stdin.close()
    check(sorted(each["id"] for each in engine.rest()) == ["d", "e", "f"], "all are terminated")
    check(engine.code() == 0, "exit code")


def keep(program):
    """With --keep a search goes on from the last one, until `clear`; without it none does."""
    for words, fresh in ([["--keep"], [True, False, True]], [[], [True, True, True]]):
        engine = Program(program, "--threads", "1", "--rules", "chess", *words)
        found = []
        for id in "abc":
            if id == "c":
                engine.ask(id="clear", action="clear")
                engine.answer()
            engine.ask(id=id, moves="e4")
            found.append(engine.answer())
        check([each["nodes"] for each in found] == [300] * 3, f"nodes: {found}")
        check([each["nodes_per_s"] > 0 for each in found] == fresh, f"{words}: {found}")
        engine.child.stdin.close()
        check(engine.code() == 0, "exit code")


def ids(program):
    """Who has the answer may use its id again."""
    engine = Program(program, "--threads", "2")
    for _ in range(20):
        engine.ask(id="same", moves="", nodes=50)
        check("error" not in engine.answer(), "the id is free")
    engine.child.stdin.close()
    check(engine.code() == 0, "exit code")


def closed(program):
    """Nobody reads any more: it ends, though a search is under way and its input stays open."""
    for ignored in (False, True):
        more = {"restore_signals": False} if ignored else {}  # Python ignores SIGPIPE, and so would the child
        child = subprocess.Popen([program, "analyse", "--threads", "2"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **more)
        child.stdin.write(b'{"id":"v","action":"version"}\n{"id":"a","moves":"","seconds":600}\n')
        child.stdout.readline()
        began = time.monotonic()
        child.stdout.close()
        try:
            code = child.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            sys.exit("failed: it goes on for nobody")
        said = child.stderr.read().decode()
        check(code == (3 if ignored else -signal.SIGPIPE), f"exit code {code}: {said}")
        check(("error: cannot write to standard output" in said) == ignored, said)
        check(time.monotonic() - began < 20, "it takes long")


def interrupt(program):
    """Ctrl-C ends it at once, and every line is whole."""
    engine = Program(program, "--threads", "2")
    for i in range(300):
        engine.ask(id=str(i), moves=" ".join(GAME), plies="all", nodes=100, lines=40)
    for _ in range(5):
        engine.answer()
    engine.ask(id="long", moves="", priority=1, **LONG)
    began = time.monotonic()
    engine.child.send_signal(signal.SIGINT)
    engine.rest()
    check(engine.code() == 130, f"exit code {engine.child.returncode}")
    check(time.monotonic() - began < 20, "it takes long")


def end(program):
    """At the end of the input everything is answered, and refusals do not change the exit code."""
    text = "".join(json.dumps({"id": str(i), "moves": " ".join(GAME[:i % 8])}) + "\n" for i in range(40))
    done = subprocess.run([program, "analyse", "--nodes", "200"], input=text + "{\n" + '{"id":"cut","mo', text=True,
                          capture_output=True, timeout=PATIENCE)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    check(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    check(sorted(int(each["id"]) for each in answers if "id" in each) == list(range(40)), "all are answered")
    check([each["line"] for each in answers if "error" in each] == [41, 42], "two lines are refused")
    bad = subprocess.run([program, "analyse", "--net", "/nowhere"], input="", text=True, capture_output=True)
    check(bad.returncode == 2 and not bad.stdout, f"a network that is not there: {bad}")


def main():
    globals()[sys.argv[2]](sys.argv[1])


main()

#!/usr/bin/env python3
"""bench_rules.py [--rounds N] [--build DIR] [--deep]: our perft beside Stockfish's.

One core, user time, the programs in turn within each round; the best round counts. Writes the table
of docs/rules.md to stdout; exit code 1 where a count is wrong or a bound is missed. What an engine
needs to start is measured and taken off. --deep also counts the start to depth 7. Needs perft_speed,
which only ./test builds, and the engines of Debian's packages stockfish and fairy-stockfish.
"""
import argparse
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
START_LEAVES = {6: 547_279_236, 7: 12_921_738_192}
# Fairy-Stockfish does not know that the queen comes last: both hands without her are the same tree
# as far as depth 6 goes.
FAIRY_FEN = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KRRBBNNkrrbbnn] w - - 0 1"


def user_seconds(command, text=""):
    """Runs a program to its end; returns its user time and output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["taskset", "-c", "0", *map(str, command)], input=text, text=True,
                          capture_output=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def best(runs):
    return min(seconds for seconds, _ in runs)


class Contestant:
    """One row: a program, what it is told, and the leaves it must count."""

    def __init__(self, name, command, leaves, text="", idle_text=None):
        self.name, self.command, self.leaves = name, command, leaves
        self.text, self.idle_text = text, idle_text
        self.runs, self.idle_runs = [], []

    def run(self):
        self.runs.append(user_seconds(self.command, self.text))
        if self.idle_text is not None:
            self.idle_runs.append(user_seconds(self.command, self.idle_text))
        if str(self.leaves) not in self.runs[-1][1].replace(",", ""):
            sys.exit(f"{self.name}: expected {self.leaves} leaves in:\n{self.runs[-1][1]}")

    def seconds(self):
        return best(self.runs) - (best(self.idle_runs) if self.idle_runs else 0)

    def speed(self):
        return self.leaves / self.seconds() / 1e6


def contestants(build):
    perft = build / "bin" / "perft_speed"
    fairy_setup = (f"setoption name VariantPath value {ROOT}/configs/chesssharp.ini\n"
                   "setoption name UCI_Variant value chesssharp\n")
    return (
        Contestant("sharpzero, every leaf made", [perft, 6, "every-leaf"], START_LEAVES[6]),
        Contestant("Fairy-Stockfish 11.1, Chess#", ["/usr/games/fairy-stockfish"], START_LEAVES[6],
                   f"{fairy_setup}position fen {FAIRY_FEN}\ngo perft 6\nquit\n",
                   f"{fairy_setup}isready\nquit\n"),
        Contestant("sharpzero, last ply counted", [perft, 6], START_LEAVES[6]),
        Contestant("Stockfish 15.1, chess", ["/usr/games/stockfish"], 119_060_324,
                   "position startpos\ngo perft 6\nquit\n", "isready\nquit\n"),
    )


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--deep", action="store_true")
    options = parser.parse_args()
    rows = contestants(options.build)
    missing = {str(row.command[0]) for row in rows if not pathlib.Path(row.command[0]).exists()}
    if missing:
        sys.exit(f"error: {', '.join(sorted(missing))} missing: ./test rules builds perft_speed; the engines are Debian's "
                 "packages stockfish and fairy-stockfish")
    for _ in range(options.rounds):
        for row in rows:
            row.run()
    print(f"{processor()}, one core, user time, best of {options.rounds}\n")
    print("| program | leaves | seconds | million leaves/s |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.name} | {row.leaves:,} | {row.seconds():.2f} | {row.speed():.0f} |")
    made, fairy, counted, stockfish = (row.speed() for row in rows)
    print(f"\nEvery leaf made: {made / fairy:.1f} times Fairy-Stockfish (the script asks for 4). "
          f"Last ply counted: {counted / stockfish:.1f} times Stockfish (it asks for 2).")
    if options.deep:
        seconds, out = user_seconds([options.build / "bin" / "perft_speed", 7])
        if int(out) != START_LEAVES[7]:
            sys.exit(f"depth 7: expected {START_LEAVES[7]}, got {out}")
        print(f"Depth 7: {START_LEAVES[7]:,} leaves in {seconds:.1f} s.")
    sys.exit(0 if made >= 4 * fairy and counted >= 2 * stockfish else 1)


if __name__ == "__main__":
    main()

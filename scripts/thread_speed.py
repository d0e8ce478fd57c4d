#!/usr/bin/env python3
"""How much sooner the alpha-beta search reaches a depth with more threads, in positions of games that `match --resume`
kept: one search a position with one thread, one with more, in turns. Nothing else should run.

  scripts/thread_speed.py [--net NNUE] [--threads N] [--depth N] [--positions N] GAMES
"""
import json
import math
import pathlib
import random
import subprocess
import time

import common


class Engine:
    def __init__(self, program, network, threads):
        self.process = subprocess.Popen([program, "uci", "--net", network], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.send(f"setoption name Threads value {threads}", "setoption name Hash value 64")

    def send(self, *lines, until="readyok"):
        """Sends the lines and returns what is answered before the last line asked for."""
        print(*lines, *(["isready"] if until == "readyok" else []), sep="\n", file=self.process.stdin, flush=True)
        answer = []
        while not (line := self.process.stdout.readline()).startswith(until):
            if not line:
                raise SystemExit("the engine ended")
            answer.append(line.split())
        return answer

    def search(self, position, depth):
        """Seconds and nodes to that depth."""
        self.send(position)
        begin = time.time()
        lines = [line for line in self.send(f"go depth {depth}", until="bestmove") if "nodes" in line]
        return time.time() - begin, int(lines[-1][lines[-1].index("nodes") + 1])


def drawn_positions(games, count, seed):
    rng = random.Random(seed)
    lines = [json.loads(line) for line in games.read_text().splitlines()]
    lines = [line for line in lines if "moves" in line]
    for _ in range(count):
        game = rng.choice(lines)
        moves = game["moves"].split()
        yield f"position fen {game['start']} moves {' '.join(moves[:rng.randrange(10, len(moves) - 5)])}"


def geometric_mean(ratios):
    """With its 95 % interval."""
    logs = [math.log(ratio) for ratio in ratios]
    center = sum(logs) / len(logs)
    half = 1.96 * (sum((value - center) ** 2 for value in logs) / (len(logs) - 1) / len(logs)) ** 0.5
    return {"mean": math.exp(center), "low": math.exp(center - half), "high": math.exp(center + half)}


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--net", default=common.NNUE, help="an NNUE's file (default: the one that comes along)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=13)
    parser.add_argument("--positions", type=int, default=250)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("games", type=pathlib.Path)
    asked = parser.parse_args()
    one, many = (Engine(asked.program, asked.net, threads) for threads in (1, asked.threads))
    faster, more, seconds = [], [], [0.0, 0.0]
    for position in drawn_positions(asked.games, asked.positions, asked.seed):
        (alone_s, alone_nodes), (together_s, nodes) = (engine.search(position, asked.depth) for engine in (one, many))
        seconds = [seconds[0] + alone_s, seconds[1] + together_s]
        if alone_s < 0.02:  # decided: nothing to share
            continue
        faster.append(alone_s / together_s)
        more.append(nodes / alone_nodes)
    print(f"{asked.threads} threads against one, to depth {asked.depth} in {len(faster)} positions: "
          f"{common.interval(geometric_mean(faster))} times as fast, {common.interval(geometric_mean(more))} times the "
          f"nodes; in all {seconds[0]:.1f} s and {seconds[1]:.1f} s")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Whether a change of the NNUE or its search makes the engine stronger: plays CHANGE against BASE, two revisions of this
repository, as UCI engines with one thread each until a sequential test over pairs of games is decided. Builds both in
.cache/revisions; each game is kept there, so that the same command goes on where it was stopped. Adds a line to
docs/experiments/engine_log.md once it is decided.

  scripts/sprt.py BASE CHANGE [--elo 0,10] [--movetime MS | --nodes N] [--what TEXT]
"""
import argparse
import datetime
import json
import os
import subprocess
import sys

import common

KEPT = common.ROOT / ".cache" / "revisions"
PROGRAM = "build/release/bin/sharpzero"  # of a checkout
LOG = common.ROOT / "docs" / "experiments" / "engine_log.md"


def git(*words):
    return subprocess.run(["git", "-C", common.ROOT, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def checkout(revision):
    """The folder of a revision, built, and its name."""
    name = git("rev-parse", "--short", revision + "^{commit}")
    folder = KEPT / name
    if not folder.exists():
        git("worktree", "prune")
        git("worktree", "add", "--detach", folder, name)
    subprocess.run([folder / "sharpzero", "uci"], input="quit\n", stdout=subprocess.DEVNULL, check=True, text=True)
    return folder, name


def engine(folder, limit):
    net = folder / common.NNUE.relative_to(common.ROOT)
    return f"uci:timeout=60:{limit}:{folder / PROGRAM} uci --net {net}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base")
    parser.add_argument("change")
    parser.add_argument("--elo", default="0,10", help="of H0 and H1 (default: 0,10)")
    parser.add_argument("--movetime", type=int, help="milliseconds a move")
    parser.add_argument("--nodes", type=int, help="nodes a move (default: 10000), where a change costs no time")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="games at once (default: all cores)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--what", help="what changes, for the log (default: the commit's subject)")
    asked = parser.parse_args()
    limit = f"movetime={asked.movetime}" if asked.movetime else f"nodes={asked.nodes or 10000}"
    (base, base_name), (change, change_name) = checkout(asked.base), checkout(asked.change)
    what = asked.what or git("log", "-1", "--format=%s", change_name)
    KEPT.mkdir(parents=True, exist_ok=True)
    games = KEPT / f"{change_name}-{base_name}-{limit}-{asked.seed}.games"
    command = [change / PROGRAM, "match", "--a", engine(change, limit), "--b", engine(base, limit),
               "--sprt", asked.elo, "--opening-plies", "8", "--seed", asked.seed, "--threads", asked.threads,
               "--resume", games, "--json"]
    played = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, check=False)
    if played.returncode not in (0, 1):  # 1: H0, or stopped
        sys.exit(played.returncode)
    result = json.loads(played.stdout)
    level = common.run_json(change / "sharpzero", "bench", "search")["cpu_level"]
    sprt = result["sprt"]
    line = (f"| {datetime.date.today()} | {what} | {change_name} "
            f"against {base_name} | {limit}, {level} | {asked.elo} | {common.interval(result['elo'], '{:+.0f}')} "
            f"| {result['games']} | {sprt['llr']:.2f} | {sprt['verdict']} |")
    print(line)
    if sprt["verdict"] != "undecided":
        with open(LOG, "a", encoding="utf-8") as log:
            log.write(line + "\n")


if __name__ == "__main__":
    main()

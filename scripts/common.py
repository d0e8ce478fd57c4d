"""What the scripts share."""
import argparse
import json
import pathlib
import subprocess
import sys
import time

# What an impasse pays White where Black has more, neither and White: tables that networks learn, each far from the
# default (3, 4, 7), so that it matters who knows.
IMPASSES = ((5.5, 6.5, 7.5), (2.5, 3, 3.5), (7, 7.5, 8), (4.8, 5, 5.2))
# Of Chess#.
START = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The NNUE that comes along.
NNUE = ROOT / "networks" / "nnue" / "chess_sharp.safetensors"
# Positions where an impasse is near and uncertain: of docs/findings/games.pgn.xz, from the games under changed tables,
# at most one a game, 60 plies after the last capture or pawn's move, for which a search of the NNUE (4,000 nodes) gives
# an impasse a probability of 0.1 to 0.9.
LATE = ROOT / "scripts" / "late_positions.txt"


def parser(description):
    """A parser of a script's command line, which may name another program than this checkout's launcher."""
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--program", default=str(ROOT / "sharpzero"), help="a copy, where the sources will change")
    return result


def run(program, *words):
    """What the program prints; ends the script with the program's exit code where it fails."""
    finished = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, check=False)
    if finished.returncode != 0:
        sys.exit(finished.returncode)
    return finished.stdout


def run_json(program, *words):
    """The same with --json, read."""
    return json.loads(run(program, *words, "--json"))


def impasse_table(pays):
    """The scoring table in which impasses pay so much, as --table takes it."""
    return "impasse_black_more={},impasse_equal={},impasse_white_more={}".format(*pays)


def mean(estimates):
    """The mean of independent estimates, with its 95 % interval."""
    count = len(estimates)
    center = sum(one["mean"] for one in estimates) / count
    half = sum((one["high"] - one["low"]) ** 2 / 4 for one in estimates) ** 0.5 / count
    return {"mean": center, "low": center - half, "high": center + half}


def interval(estimate, digits="{:.2f}"):
    """A mean with its 95 % interval."""
    return " ".join([digits, f"[{digits}, {digits}]"]).format(estimate["mean"], estimate["low"], estimate["high"])


def metrics(run):
    """The records of a run's folder."""
    return [json.loads(line) for line in open(pathlib.Path(run) / "metrics.jsonl")]


def play_rows(asked, rows, heads, play):
    """Plays the rows that asked.rows names, or all, and prints a table in Markdown. play(number, row) returns a match's
    answer and the cells between name and minutes. The last line is the mean over the rows that tell of a table."""
    print(f"| {' | '.join(heads)} |\n" + "|---" * len(heads) + "|")
    told = []
    for number, (name, row) in enumerate(rows.items()):
        if asked.rows and not any(text in name for text in asked.rows):
            continue
        begin = time.time()
        result, cells = play(number, row)
        print(f"| {name} | {' | '.join(map(str, cells))} | {(time.time() - begin) / 60:.1f} |", flush=True)
        if name.startswith("told"):
            told.append(result["points"])
    if len(told) > 1:
        mean_cells = [interval(mean(told)) if head.startswith("points") else "" for head in heads[1:]]
        print(f"| told of {len(told)} tables, mean | {' | '.join(mean_cells)} |")

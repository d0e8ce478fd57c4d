"""What the scripts share."""
import argparse
import json
import pathlib
import subprocess
import sys

# What an impasse pays White where Black has more, neither and White: tables like those that networks learn.
IMPASSES = ((5.5, 6.5, 7.5), (2.5, 3, 3.5), (2.2, 5, 7.8), (4.8, 5, 5.2))
ROOT = pathlib.Path(__file__).resolve().parent.parent
# Positions of games of self-play after 40 plies without a capture or a pawn's move, where impasses are near.
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


def interval(estimate, digits="{:.2f}"):
    """A mean with its 95 % interval."""
    return " ".join([digits, f"[{digits}, {digits}]"]).format(estimate["mean"], estimate["low"], estimate["high"])

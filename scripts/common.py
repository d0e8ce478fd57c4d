"""What the scripts share."""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


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

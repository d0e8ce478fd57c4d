#!/usr/bin/env python3
"""check_book.py DIR [POSITIONS] [TIMES] [SEED]: how often the bounds of a book hold what longer searches say.

Draws POSITIONS (100) of the book in DIR, searches each with TIMES (10) the book's nodes, and counts those whose value
lies within the book's bounds. The last line is "N of N within the bounds"; exit code 1 below 95 %.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

program = pathlib.Path(__file__).resolve().parent.parent / "sharpzero"
folder, (count, times, seed) = sys.argv[1], map(int, sys.argv[2:] + ["100", "10", "1"][len(sys.argv) - 2:])
with tempfile.TemporaryDirectory() as here:
    epd = pathlib.Path(here) / "book.epd"
    book = json.loads(subprocess.run([program, "book", "--out", folder, "--epd", epd, "--json"], check=True,
                                     capture_output=True).stdout)
    lines = epd.read_text(encoding="utf-8").splitlines()
drawn = random.Random(seed).sample(lines, min(count, len(lines)))
asked = [{"id": str(i), "fen": line.split(" bm ")[0] + " 0 1", "rules": book["rules"], "table": book["table"],
          "nodes": times * book["nodes"]} for i, line in enumerate(drawn)]
answers = subprocess.run([program, "analyse"], input="\n".join(map(json.dumps, asked)), check=True,
                         capture_output=True, text=True).stdout
within = 0
for answer in map(json.loads, answers.splitlines()):
    line = drawn[int(answer["id"])]
    value, low, high = map(float, re.search(r'c0 "White (\S+) \[(\S+), (\S+)\]"', line).groups())
    points = answer["points_white"]
    within += low <= points <= high
    if not low <= points <= high:
        print(f"{points:.3f}, not {value:.3f} [{low:.3f}, {high:.3f}]: {line.split(' bm ')[0]}")
print(f"{within} of {len(drawn)} within the bounds")
sys.exit(within < 0.95 * len(drawn))

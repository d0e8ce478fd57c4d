#!/usr/bin/env python3
"""Whether a change of the NNUE or its search makes the engine stronger: plays CHANGE against BASE, two revisions of this
repository, as UCI engines with one thread each until a sequential test over pairs of games is decided. Either may name
other constants of tactics/search_constants.h behind a colon. Builds what is missing and keeps programs and games in
.cache/revisions, so that the same command goes on where it was stopped. Adds a line to docs/experiments/engine_log.md
once it is decided.

  scripts/sprt.py BASE CHANGE [--elo 0,10] [--movetime MS | --nodes N] [--what TEXT]
  scripts/sprt.py HEAD HEAD:kRazoringMargin=350,kNullMoveReduction=4
"""
import datetime
import json
import re
import subprocess
import sys

import common
import revisions

LOG = common.ROOT / "docs" / "experiments" / "engine_log.md"


def main():
    parser = revisions.parser(__doc__, nodes=10000)
    parser.add_argument("base", metavar="BASE")
    parser.add_argument("change", metavar="CHANGE")
    parser.add_argument("--elo", default="0,10", help="of H0 and H1 (default: 0,10)")
    parser.add_argument("--games", type=int, help="stop undecided after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--what", help="what changes, for the log (default: the constants, or the commit's subject)")
    asked = parser.parse_args()
    tuned = ":" in asked.base + asked.change
    base, change = revisions.Revision(asked.base, tuned), revisions.Revision(asked.change, tuned)
    what = asked.what or change.constants.replace(",", ", ") or change.subject
    games = revisions.KEPT / f"{change.label}-{base.label}-{asked.limit}-{asked.seed}.games"
    command = [change.program, "match", "--a", change.player(asked.limit), "--b", base.player(asked.limit),
               f"--sprt={asked.elo}", "--opening-plies", "8", "--seed", asked.seed, "--threads", asked.threads,
               "--resume", games, "--json"]
    if asked.games:
        command += ["--games", asked.games]
    played = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, check=False)
    if played.returncode not in (0, 1):  # 1: H0, or stopped
        sys.exit(played.returncode)
    result = json.loads(played.stdout)
    sprt = result["sprt"]
    line = (f"| {datetime.date.today()} | {what} | {change.name} against {base.name} | {asked.limit}, {revisions.cpu_level()} "
            f"| {asked.elo} | {common.interval(result['elo'], '{:+.0f}')} | {result['games']} | {sprt['llr']:.2f} "
            f"| {sprt['verdict']} |")
    print(line)
    if sprt["verdict"] != "undecided":
        same = line.split("|")[2:6]  # a test that goes on, or is asked for again, has one line
        rows = [row for row in LOG.read_text(encoding="utf-8").splitlines() if row.split("|")[2:6] != same]
        rows.insert(max(i for i, row in enumerate(rows) if re.match(r"\| 2|\|---\|", row) and row.count("|") == 10) + 1, line)
        LOG.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

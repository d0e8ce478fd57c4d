#!/usr/bin/env python3
"""Which of many changes of the search help, in one experiment (a two-level factorial): in each batch of games one side has
each change by chance and the other side those that are left, so that every game tells of every change. Prints the mean
effect of each, averaged over the others, with its 95 % interval. Batches are kept in .cache/revisions, so that the same
command goes on where it was stopped.

  scripts/screen.py REVISION NAME=VALUE[,NAME=VALUE...] ... [--games 8000] [--movetime MS | --nodes N]

Each change is one or more constants of tactics/search_constants.h.
"""
import json
import math
import random

import revisions


def elo(share):
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share / (1 - share))


def effects(batches, changes):
    """Of each change: Elo, half its interval. A batch has its games' share of points for the side with `first`."""
    games = sum(batch["games"] for batch in batches)
    spread = 2 * 0.5 / games ** 0.5  # of a share; 0.5 is the most that a game's can have
    for change in changes:
        share = sum(batch["games"] * (batch["share"] if change in batch["first"] else 1 - batch["share"])
                    for batch in batches) / games
        yield change, elo(share), elo(0.5 + spread)


def main():
    parser = revisions.tuning_parser(__doc__, games=8000, batch=32, of_batch="with one drawing of sides")
    parser.add_argument("changes", metavar="CHANGE", nargs="+")
    asked = parser.parse_args()
    engine = revisions.Revision(asked.revision, tuned=True)
    engine.check(",".join(asked.changes))
    kept = revisions.KEPT / (revisions.labelled(engine.label, asked.limit, *asked.changes) + ".screen")
    batches = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] if kept.exists() else []
    while sum(batch["games"] for batch in batches) < asked.games:
        random.seed(len(batches) + 1)
        first = [change for change in asked.changes if random.random() < 0.5]
        second = [change for change in asked.changes if change not in first]
        share = revisions.play(engine, ",".join(first), ",".join(second), asked, len(batches) + 1)
        batches.append({"first": first, "share": share, "games": asked.batch})
        with open(kept, "a", encoding="utf-8") as file:
            file.write(json.dumps(batches[-1]) + "\n")
    print(f"{sum(batch['games'] for batch in batches)} games, {asked.limit}, {revisions.cpu_level()}")
    for change, gain, half in sorted(effects(batches, asked.changes), key=lambda one: -one[1]):
        print(f"| {change.replace(',', ', ')} | {gain:+.0f} [{gain - half:+.0f}, {gain + half:+.0f}] |")


if __name__ == "__main__":
    main()

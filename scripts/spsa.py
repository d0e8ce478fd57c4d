#!/usr/bin/env python3
"""Tunes constants of tactics/search_constants.h by SPSA (Spall 1992): each step plays pairs of games between the engine with
all of them moved a little one way, each by chance up or down, and with all moved the other way, and shifts them towards
the side that won. Its state lies in .cache/revisions, so that the same command goes on where it was stopped; it prints
the constants as sprt.py takes them.

  scripts/spsa.py REVISION NAME[=STEP] ... [--games 20000] [--movetime MS | --nodes N]

STEP is what a constant is moved by at the end (default: a tenth of its value).
"""
import json
import random

import revisions

# Of Spall's gains a / (A + k)^alpha and c / k^gamma, as usual.
ALPHA, GAMMA, STABLE = 0.602, 0.101, 0.1


def values_of(revision):
    """The values of a revision's constants, as it is built or as it is named."""
    values = {name: eval(value) for name, (_, value) in revision.tunables.items()}  # pylint: disable=eval-used # arithmetic
    for one in filter(None, revision.constants.split(",")):
        name, value = one.split("=")
        values[name] = float(value)
    return values


def spelled(values, tunables):
    """Constants as the program takes them: whole numbers are drawn between the two that are next."""
    return ",".join(f"{name}={value:.5g}" if tunables[name][0] == "double" else
                    f"{name}={int(value // 1) + (random.random() < value % 1)}" for name, value in values.items())


def main():
    parser = revisions.tuning_parser(__doc__, games=20000, batch=16, of_batch="of a step")
    parser.add_argument("names", metavar="NAME[=STEP]", nargs="+")
    parser.add_argument("--rate", type=float, default=0.006, help="shift at the end, in steps for a won game")
    asked = parser.parse_args()
    engine = revisions.Revision(asked.revision, tuned=True)
    known = values_of(engine)
    steps = {}
    for one in asked.names:
        name, _, step = one.partition("=")
        if name not in known:
            parser.error(f"{name}: expected a TUNABLE of {revisions.CONSTANTS}")
        steps[name] = float(step) if step else abs(known[name]) / 10
    kept = revisions.KEPT / (revisions.labelled(engine.label, asked.limit, *asked.names) + ".spsa")
    state = {"games": 0, "values": {name: known[name] for name in steps}}
    if kept.exists():
        state = json.loads(kept.read_text(encoding="utf-8"))
    values, total = state["values"], asked.games / asked.batch
    while state["games"] < asked.games:
        k = state["games"] / asked.batch + 1
        random.seed(k)
        width = (total / k) ** GAMMA
        rate = asked.rate * asked.batch * ((1 + STABLE) * total / (STABLE * total + k)) ** ALPHA / width
        signs = {name: random.choice((-1, 1)) for name in steps}
        sides = [spelled({name: values[name] + way * signs[name] * width * steps[name] for name in steps}, engine.tunables)
                 for way in (1, -1)]
        won = 2 * revisions.play(engine, *sides, asked, int(k)) - 1
        for name, step in steps.items():
            values[name] += rate * step * signs[name] * won
        state["games"] += asked.batch
        kept.write_text(json.dumps(state), encoding="utf-8")
        if int(k) % 25 == 0:
            print(state["games"], ",".join(f"{name}={value:.4g}" for name, value in values.items()), flush=True)
    print(",".join(f"{name}={value:.4g}" for name, value in values.items()))


if __name__ == "__main__":
    main()

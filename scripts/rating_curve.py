#!/usr/bin/env python3
"""Draws a run's ratings over its evaluations: what `sharpzero ladder --run RUN` has rated.

usage: rating_curve.py RUN OUT.svg    (needs the Python package matplotlib)
"""

import json
import pathlib
import sys

import matplotlib.pyplot as plt

# Text stays text, and the same figures make the same picture.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sharpzero"})


def main():
    run, out = map(pathlib.Path, sys.argv[1:3])
    evaluations = {0: 0.0}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        record = json.loads(line)
        evaluations[record["generation"]] = record["evals"] / 1e6

    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    curve = []
    for rating in json.loads((run / "ratings.json").read_text()):
        name, elo = rating["player"], rating["elo"]
        if name.startswith("checkpoint "):
            curve.append((evaluations[int(name.split()[1])], elo["mean"], elo["low"], elo["high"]))
            continue
        name = name.split("/")[0].rstrip(":") if name.startswith("uci") else name
        axes.axhline(elo["mean"], color="0.6", linestyle="--", linewidth=1)
        axes.annotate(name, (1.01, elo["mean"]), xycoords=("axes fraction", "data"), va="center")
    millions, means, lows, highs = zip(*sorted(curve))
    errors = [[m - l for m, l in zip(means, lows)], [h - m for m, h in zip(means, highs)]]
    axes.errorbar(millions, means, errors, marker="o", markersize=4, capsize=2)
    axes.set_xlabel("million network evaluations in self-play")
    axes.set_ylabel("Elo over random")
    axes.grid(axis="y", alpha=0.3)
    figure.savefig(out, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main()

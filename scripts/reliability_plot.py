#!/usr/bin/env python3
"""Draws how often each outcome came where a network said so: what `sharpzero calibration` has found.

usage: reliability_plot.py CALIBRATION.json OUT.svg    (needs the Python package matplotlib)
"""

import json
import pathlib
import sys

import matplotlib.pyplot as plt
from matplotlib.ticker import PercentFormatter

# Text stays text, and the same figures make the same picture.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sharpzero"})


def main():
    study = json.loads(pathlib.Path(sys.argv[1]).read_text())
    figure, axes = plt.subplots(figsize=(8, 4.8), layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
    for outcome in study["outcomes"]:
        # Of bins with few positions, which are of few games, nothing can be seen.
        bins = [b for b in outcome["bins"] if b["weight"] >= 0.001 * study["positions"]]
        said, came = [b["predicted"] for b in bins], [b["observed"] for b in bins]
        name = outcome["name"].removeprefix("stalemate_").replace("_", " ")
        (line,) = axes.plot(said, came, linewidth=1, label=f"{name}, error {outcome['error']['mean']:.3f}")
        sizes = [10 + 300 * b["weight"] / study["positions"] for b in bins]
        axes.scatter(said, came, sizes, color=line.get_color(), alpha=0.6)
    axes.set(xlabel="said by the network", ylabel="came", box_aspect=1)
    for axis in axes.xaxis, axes.yaxis:
        axis.set_major_formatter(PercentFormatter(1))
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right center", frameon=False)
    figure.savefig(sys.argv[2], bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main()

#!/usr/bin/env python3
"""Draws how often each outcome came where a network said so as an SVG picture: what `sharpzero calibration` has found.

usage: reliability_plot.py CALIBRATION.json OUT.svg
"""

import json
import math
import pathlib
import sys

SIDE, LEFT, RIGHT, TOP, BOTTOM = 360, 60, 230, 20, 45
COLOURS = ["#1a1a1a", "#7a4fa3", "#1f5fa8", "#2a8f83", "#b8860b", "#c2557a", "#d1495b"]


def main():
    study, out = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM

    def x(share):
        return LEFT + SIDE * share

    def y(share):
        return TOP + SIDE * (1 - share)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for tenth in range(0, 11, 2):
        share = tenth / 10
        svg.append(f'<line x1="{x(0)}" x2="{x(1)}" y1="{y(share):.1f}" y2="{y(share):.1f}" stroke="#ddd"/>')
        svg.append(f'<line x1="{x(share):.1f}" x2="{x(share):.1f}" y1="{y(0)}" y2="{y(1)}" stroke="#ddd"/>')
        svg.append(f'<text x="{LEFT - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{tenth * 10} %</text>')
        svg.append(f'<text x="{x(share):.1f}" y="{y(0) + 18}" text-anchor="middle">{tenth * 10} %</text>')
    svg.append(f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="#888" stroke-dasharray="4 4"/>')
    svg.append(f'<text x="{x(0.5)}" y="{height - 8}" text-anchor="middle">said by the network</text>')
    svg.append(f'<text x="14" y="{y(0.5)}" text-anchor="middle" transform="rotate(-90 14 {y(0.5)})">came</text>')
    for i, outcome in enumerate(study["outcomes"]):
        # Of bins with few positions, which are of few games, nothing can be seen.
        bins = [b for b in outcome["bins"] if b["weight"] >= 0.001 * study["positions"]]
        points = " ".join(f'{x(b["predicted"]):.1f},{y(b["observed"]):.1f}' for b in bins)
        svg.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[i]}"/>')
        for b in bins:
            radius = 2 + 6 * math.sqrt(b["weight"] / study["positions"])
            svg.append(f'<circle cx="{x(b["predicted"]):.1f}" cy="{y(b["observed"]):.1f}" r="{radius:.1f}" fill="{COLOURS[i]}" fill-opacity="0.6"/>')
        line = TOP + 14 + 20 * i
        name = outcome["name"].removeprefix("stalemate_").replace("_", " ")
        svg.append(f'<circle cx="{LEFT + SIDE + 18}" cy="{line - 4}" r="5" fill="{COLOURS[i]}"/>')
        svg.append(f'<text x="{LEFT + SIDE + 30}" y="{line}">{name}, error {outcome["error"]["mean"]:.3f}</text>')
    svg.append("</svg>")
    out.write_text("\n".join(svg) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()

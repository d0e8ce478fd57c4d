#!/usr/bin/env python3
"""Draws a run's ratings over its evaluations as an SVG picture: what `sharpzero ladder --run RUN` has rated.

usage: rating_curve.py RUN OUT.svg
"""

import json
import pathlib
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 60, 190, 20, 45


def main():
    run, out = map(pathlib.Path, sys.argv[1:3])
    evaluations = {0: 0}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        record = json.loads(line)
        evaluations[record["generation"]] = record["evals"] / 1e6
    curve, others = [], []
    for rating in json.loads((run / "ratings.json").read_text()):
        name, elo = rating["player"], rating["elo"]
        if name.startswith("checkpoint "):
            curve.append((evaluations[int(name.split()[1])], elo["mean"], elo["low"], elo["high"]))
        else:
            others.append((name, elo["mean"]))
    curve.sort()
    most = max(point[0] for point in curve)
    values = [v for point in curve for v in point[1:]] + [elo for _, elo in others]
    low, high = min(values) // 200 * 200, -(-max(values) // 200) * 200

    def x(millions):
        return LEFT + (WIDTH - LEFT - RIGHT) * millions / most

    def y(elo):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (elo - low) / (high - low)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for elo in range(int(low), int(high) + 1, 400):
        svg.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(elo):.1f}" y2="{y(elo):.1f}" stroke="#ddd"/>')
        svg.append(f'<text x="{LEFT - 8}" y="{y(elo) + 4:.1f}" text-anchor="end">{elo}</text>')
    step = 10 if most > 20 else 2 if most > 4 else 1
    for millions in range(0, int(most) + 1, step):
        svg.append(f'<text x="{x(millions):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{millions}</text>')
    svg.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">million network evaluations in self-play</text>')
    svg.append(f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">Elo over random</text>')
    below = HEIGHT
    for name, elo in sorted(others, key=lambda one: one[1]):
        name = " ".join(name.split("/")[:1] if name.startswith("uci") else [name]).rstrip(":")
        below = min(y(elo) + 4, below - 13)  # labels keep apart
        svg.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(elo):.1f}" y2="{y(elo):.1f}" stroke="#888" stroke-dasharray="4 4"/>')
        svg.append(f'<text x="{WIDTH - RIGHT + 8}" y="{below:.1f}" fill="#555">{name}</text>')
    points = " ".join(f"{x(m):.1f},{y(e):.1f}" for m, e, _, _ in curve)
    svg.append(f'<polyline points="{points}" fill="none" stroke="#1f5fa8" stroke-width="2"/>')
    for millions, elo, least, greatest in curve:
        svg.append(f'<line x1="{x(millions):.1f}" x2="{x(millions):.1f}" y1="{y(least):.1f}" y2="{y(greatest):.1f}" stroke="#1f5fa8"/>')
        svg.append(f'<circle cx="{x(millions):.1f}" cy="{y(elo):.1f}" r="3.5" fill="#1f5fa8"/>')
    svg.append("</svg>")
    out.write_text("\n".join(svg) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()

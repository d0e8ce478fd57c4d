#!/usr/bin/env python3
"""Chooses learner.learning_rate by a short sweep on stored games: a run for each rate and seed, which plays nothing and
learns the same games; the rate with the lowest loss on validation games (policy and outcome, nats above their targets'
entropy, mean over the seeds) is chosen. Goes on where it was stopped: runs resume, finished ones are not repeated.

    scripts/sweep_rates.py GAMES --config configs/gpu-overnight.toml --device cuda --out DIR

GAMES: a games.db, or the folder of a run or of `selfplay`, as `train --games` takes it. DIR/table.md gets the table;
each run has a folder there, with its log beside it."""
import argparse
import json
import pathlib
import subprocess
import sys

import common

GENERATIONS = 10  # in which the games are learned: as often is the loss measured, and the rate changed at the end


def numbers(kind):
    return lambda text: [kind(one) for one in text.split(",")]


def words_of(asked, reuse):
    """What every run of the sweep is told. The window holds all games, and nothing but the rate changes on the way."""
    changes = {"run.plies_per_generation": 0, "run.generations": GENERATIONS, "run.max_minutes": 0, "run.max_evaluations": 0,
               "run.keep_checkpoints": 1, "evaluation.every": 0, "evaluation.final_games": 0,
               "learner.window_min": 1000000000, "learner.window_max": 1000000000, "learner.plateau_guard": "false"}
    if reuse:
        changes["learner.reuse"] = f"{reuse:.4g}"
    words = ["--config", asked.config, "--games", asked.games, "--device", asked.device]
    for change in [*(f"{key}={value}" for key, value in changes.items()), *asked.set]:
        words += ["--set", change]
    return [*words, "--threads", asked.threads] if asked.threads else words


def train(asked, words, run):
    """Trains into DIR/run. Returns its records, None where it failed; ends the script where the program refuses or is
    stopped."""
    done = asked.out / (run + ".done")
    told = " ".join(map(str, words))
    if done.exists() and done.read_text() != told:
        sys.exit(f"{done}: the run was made with other settings: expected another --out")
    log = asked.out / (run + ".log")
    if not done.exists():
        print(f"== {run}", file=sys.stderr, flush=True)
        with open(log, "a") as out:
            finished = subprocess.run([asked.program, "train", "--run", asked.out / run, *map(str, words)], stdout=out,
                                      stderr=out, check=False)
        if finished.returncode not in (0, 1):  # 1: it diverged
            print(*log.read_text().splitlines()[-3:], sep="\n", file=sys.stderr)
            if finished.returncode in (2, 130):
                sys.exit(finished.returncode)
            return None  # it goes on with the next call of this script
        done.write_text(told)
    return common.metrics(asked.out / run)


def loss(asked, run, records):
    """The loss of a run's last network on validation games; text where there is none."""
    if records is None:
        return "failed"
    if "exploded" in (asked.out / (run + ".log")).read_text():
        return "diverged"
    last = records[-1]
    parts = [last.get(f"held_out_{part}_gap") for part in ("policy", "outcome")]
    if parts[1] is None:
        sys.exit(f"{run}: fewer than 24 validation games: expected more games, or --set learner.hold_out=8")
    return sum(part or 0 for part in parts)  # an NNUE has no policy


def best(rates, losses, seeds):
    """The rate with the lowest mean over these seeds, of those that have them; None where none has."""
    means = {rate: sum(losses[rate, seed] for seed in seeds) / len(seeds) for rate in rates
             if all(isinstance(losses[rate, seed], float) for seed in seeds)}
    return min(means, key=means.get) if means else None


def table(asked, losses):
    shown = lambda value: f"{value:.3f}" if isinstance(value, float) else value
    lines = [f"| learning rate | {' | '.join(f'seed {seed}' for seed in asked.seeds)} | mean |", "|---" * (len(asked.seeds) + 2) + "|"]
    for rate in asked.rates:
        row = [losses[rate, seed] for seed in asked.seeds]
        mean = sum(row) / len(row) if all(isinstance(one, float) for one in row) else ""
        lines.append(f"| {rate:g} | {' | '.join(map(shown, row))} | {shown(mean)} |")
    chosen = best(asked.rates, losses, asked.seeds)
    if chosen is None:
        return [*lines, "", "no rate with a loss for every seed"], None
    lines += ["", f"chosen: learner.learning_rate = {chosen:g}"]
    if chosen in (min(asked.rates), max(asked.rates)):
        lines.append("that is the end of the rates: try further ones")
    first, *others = ({seed: best(asked.rates, losses, [seed]) for seed in asked.seeds}).items()
    for seed, rate in others:
        lines.append(f"seed {seed} alone {'confirms' if rate == first[1] else 'does not confirm'} seed {first[0]}'s choice of "
                     f"{first[1]:g}" + ("" if rate == first[1] else f": it chooses {rate:g}"))
    return lines, chosen


def main():
    parser = common.parser(__doc__)
    parser.add_argument("games", type=pathlib.Path)
    parser.add_argument("--config", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--positions", type=int, help="learned by each run (default: the games' own, learner.reuse times)")
    parser.add_argument("--rates", type=numbers(float), default=[1e-3, 2.5e-3, 5e-3, 1e-2])
    parser.add_argument("--seeds", type=numbers(int), default=[1, 2])
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a change of the config")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    reuse = None
    if asked.positions:  # how many the games have shows a run that learns next to nothing
        probe = train(asked, [*words_of(asked, 0.01), "--generations", 1], "probe")
        reuse = asked.positions / probe[-1]["window"] if probe else sys.exit(3)
    words = words_of(asked, reuse)
    losses = {}
    for seed in asked.seeds:
        for rate in sorted(asked.rates):
            run = f"rate-{rate:g}-seed-{seed}"
            records = train(asked, [*words, "--seed", seed, "--set", f"learner.learning_rate={rate:g}"], run)
            losses[rate, seed] = loss(asked, run, records)
    lines, chosen = table(asked, losses)
    (asked.out / "table.md").write_text("\n".join(lines) + "\n")
    (asked.out / "sweep.json").write_text(json.dumps({"chosen": chosen, "losses": [
        {"rate": rate, "seed": seed, "loss": loss} for (rate, seed), loss in losses.items()]}, indent=2) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What several learners gain: positions learned a second by one learner and by two, on this machine.

A private PostgreSQL server; the same short run (the quick preset's network, cheap games, four shards a step) by one
learner with one thread, by one with two, and by two with one each, which exchange gradients by gloo over loopback.
Generations after the first count. Prints a table.
"""
import json
import os
import subprocess
import sys

from common import ROOT, parser

sys.path.insert(0, str(ROOT / "tests" / "app"))
from postgres import free_port, private_server  # noqa: E402

BATCH = 512
SETTINGS = {"selfplay.simulations": 8, "selfplay.fast_simulations": 2, "run.first_plies": 20000,
            "run.plies_per_generation": 10000, "learner.batch": BATCH, "learner.shard_rows": BATCH // 4,
            "learner.reuse": 8, "evaluation.every": 0, "evaluation.final_games": 2}


def learn(asked, server, name, learners, threads):
    """Positions learned a second, and the last loss."""
    folder, port = server.folder, free_port()
    changes = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    started = []
    for rank in range(learners):
        place = {"RANK": str(rank), "WORLD_SIZE": str(learners), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        with open(folder / f"{name}{rank}.log", "wb") as log:
            started.append(subprocess.Popen(
                [asked.program, "train", "--config", str(ROOT / "configs" / "quick.toml"), "--run", str(folder / name),
                 "--store", server.url(), "--device", "cpu", "--threads", str(threads), "--generations",
                 str(asked.generations), *changes],
                env={**os.environ, **(place if learners > 1 else {})}, stdout=log, stderr=log))
    for rank, process in enumerate(started):
        if process.wait() != 0:
            sys.exit((folder / f"{name}{rank}.log").read_text()[-2000:])
    lines = [json.loads(line) for line in (folder / name / "metrics.jsonl").read_text().splitlines()]
    seconds = sum(line["train_s"] for line in lines[1:])
    return (lines[-1]["steps"] - lines[0]["steps"]) * BATCH / seconds, lines[-1]["loss"]


def main():
    options = parser(__doc__)
    options.add_argument("--generations", type=int, default=5)
    asked = options.parse_args()
    with private_server("sharpzero-learners-") as server:
        print("| learners | threads each | positions/s | of one with one thread | last loss |\n|---|---|---|---|---|")
        first = None
        for learners, threads in ((1, 1), (1, 2), (2, 1)):
            rate, loss = learn(asked, server, f"run{learners}x{threads}", learners, threads)
            first = first or rate
            print(f"| {learners} | {threads} | {rate:,.0f} | {rate / first:.2f} | {loss:.4f} |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Watches a training run for as long as it lives: memory, open files, threads, disk, throughput.

    scripts/soak.py [--hours 2] [--config FILE] [--run DIR] [--log FILE] [--set SECTION.KEY=VALUE ...]

Trains (the quick preset unless told otherwise) for so long, with a replay window that is full after some minutes, and
writes FILE (a line every 20 s). At the end it says by how much each figure changed between the first
and the last quarter of the time after the window was full. `--report DIR` says so again from DIR and FILE.

A machine's own speed drifts. So every ten minutes the run is held for some 15 s in which `bench forward` measures
what the network alone makes there and then; throughput is reported as it was and in shares of that. Generations
that were held are left out of both."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from statistics import mean

import common


def sample(pid, folder):
    status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status") if ":" in line)
    ticks = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    disk = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    return {
        "time": time.time(),
        "rss_kib": int(status["VmRSS"].split()[0]),
        "peak_kib": int(status["VmHWM"].split()[0]),
        "threads": int(status["Threads"]),
        "files": len(os.listdir(f"/proc/{pid}/fd")),
        "cpu_s": (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK"),
        "disk_mib": disk / 2**20,
    }


def trainer_of(pid):
    """The program itself, below the launcher."""
    for child in open(f"/proc/{pid}/task/{pid}/children").read().split():
        return trainer_of(int(child))
    return pid


def machine_speed(arguments, pid):
    """Evaluations a second of the config's network alone, while the run stands still."""
    os.kill(pid, signal.SIGSTOP)
    began = time.time()
    try:
        command = [arguments.program, "bench", "forward", "--json", "--preset", pathlib.Path(arguments.config).stem]
        out = subprocess.run(command, capture_output=True, text=True)
        speed = json.loads(out.stdout)["forward_evals_per_s"] if out.returncode == 0 else None
    finally:
        os.kill(pid, signal.SIGCONT)
    return {"held": [began, time.time()], "machine_evals_per_s": speed}


def watch(arguments):
    folder = pathlib.Path(arguments.run)
    command = [
        arguments.program, "train", "--config", arguments.config, "--run", str(folder),
        "--max-time", f"{arguments.hours * 60:.0f}m", "--set", "learner.window_min=40000",
        "--set", "learner.window_max=40000", "--set", "evaluation.every=10", "--set", "evaluation.games=20",
        "--set", "evaluation.final_games=0"]
    for change in arguments.set:
        command += ["--set", change]
    process = subprocess.Popen(command)
    began = measured = time.time()
    with open(arguments.log, "w") as log:
        while process.poll() is None:
            time.sleep(20)
            try:
                pid = trainer_of(process.pid)
                line = {"began": began} | sample(pid, folder)
                if time.time() - measured >= 600:
                    line |= machine_speed(arguments, pid)
                    measured = time.time()
                print(json.dumps(line), file=log, flush=True)
            except (OSError, KeyError):
                pass  # it has just ended
    return process.returncode


def report(folder, log):
    """First against last quarter of what came after the window was full."""
    records = common.metrics(folder)
    largest = max(r["window"] for r in records)
    full = [r for r in records if r["window"] >= 0.97 * largest]  # whole games go
    if len(full) < 8:
        sys.exit("the window was full for fewer than eight generations: too short")
    samples = [json.loads(line) for line in open(log)]
    start = samples[0]["began"]
    samples = [s for s in samples if s["time"] >= start + full[0]["elapsed_s"]]
    print(f"{records[-1]['elapsed_s'] / 60:.0f} min, {len(records)} generations, {records[-1]['evals']} evaluations; "
          f"window full after {full[0]['elapsed_s'] / 60:.1f} min")
    quarter = max(1, len(samples) // 4)
    parts = samples[:quarter], samples[-quarter:]
    for key in ("rss_kib", "files", "threads"):
        first, last = (mean(s[key] for s in part) for part in parts)
        print(f"{key}: {first:.1f} -> {last:.1f} ({100 * (last / first - 1):+.1f} %)")
    print(f"peak_kib: {samples[0]['peak_kib']} -> {samples[-1]['peak_kib']}")

    def within(part, generation):
        """Was it played in this part of the time, and not held?"""
        began, ended = start + generation["began_s"], start + generation["elapsed_s"]
        held = any(s["held"][0] < ended and began < s["held"][1] for s in part if "held" in s)
        return part[0]["time"] <= began and ended <= part[-1]["time"] and not held

    for before, generation in zip([{"elapsed_s": 0}] + records, records):
        generation["began_s"] = before["elapsed_s"]
    speeds = [mean(s["machine_evals_per_s"] for s in part if s.get("machine_evals_per_s")) for part in parts]
    print(f"the network alone, evaluations/s: {speeds[0]:.0f} -> {speeds[1]:.0f} "
          f"({100 * (speeds[1] / speeds[0] - 1):+.1f} %)")
    for key in ("evals_per_s", "games_per_h"):
        first, last = (mean(r[key] for r in full if within(part, r)) for part in parts)
        share = last / speeds[1] / (first / speeds[0]) - 1
        print(f"{key}: {first:.0f} -> {last:.0f} ({100 * (last / first - 1):+.1f} %); "
              f"over the network alone {100 * share:+.1f} %")
    print(f"disk: {samples[-1]['disk_mib']:.0f} MiB, {samples[-1]['disk_mib'] * 2**20 / records[-1]['plies']:.0f} bytes a ply")


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--config", default=str(common.ROOT / "configs/quick.toml"))
    parser.add_argument("--run", default="runs/soak")
    parser.add_argument("--log", default="soak.jsonl")
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE")
    parser.add_argument("--report", metavar="DIR", help="only read DIR and the log")
    arguments = parser.parse_args()
    if not arguments.report and watch(arguments) not in (0, 130):
        sys.exit("the run failed")
    report(pathlib.Path(arguments.report or arguments.run), arguments.log)


if __name__ == "__main__":
    main()

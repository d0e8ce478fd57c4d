#!/usr/bin/env python3
"""Watches a training run for as long as it lives: memory, open files, threads, disk, throughput.

    scripts/soak.py [--hours 2] [--config FILE] [--run DIR] [--log FILE] [--set SECTION.KEY=VALUE ...]
    scripts/soak.py --kills 100 [--hours 2] [--config FILE] [--run DIR] [--device NAME] [--disk MIB] [--set ...]

Trains (the quick preset unless told otherwise) for so long, with a replay window that is full after some minutes, and
writes FILE (a line every 20 s). At the end it says by how much each figure changed between the first
and the last quarter of the time after the window was full. `--report DIR` says so again from DIR and FILE.

A machine's own speed drifts. So every ten minutes the run is held for some 15 s in which `bench forward` measures
what the network alone makes there and then; throughput is reported as it was and in shares of that. Generations
that were held are left out of both.

With --kills the run is killed so many times at random moments, or fails by itself (--device simulated:…,hang_after=N; a
disk of so many MiB in memory, which needs root and grows by half when it is full), and is started again. Each time every
finished game that was there must still be there. Then only that is reported."""
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import random
import signal
import sqlite3
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


def games_of(folder):
    """A digest of each finished game, by its id."""
    if not (folder / "games.db").exists():
        return {}
    with contextlib.closing(sqlite3.connect(f"file:{folder}/games.db?mode=ro", uri=True)) as store:
        return {row[0]: hashlib.sha256(repr(row).encode()).digest() for row in store.execute("SELECT * FROM games")}


def survive(arguments, command):
    """Kills the run and starts it again until it has ended; ends the script where a game is lost."""
    folder, rng, kills, known, ends = pathlib.Path(arguments.run), random.Random(1), arguments.kills, {}, collections.Counter()
    mib = arguments.disk
    if mib:
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", folder], check=True)
    try:
        while not ends["finished"]:
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            try:
                wait = rng.uniform(0, 2 * 3600 * arguments.hours / kills) if ends["killed"] < kills else None
                _, error = process.communicate(timeout=wait)
                end = {0: "finished", 3: "failed"}.get(process.returncode)
                if end is None:
                    sys.exit(f"exit code {process.returncode}: {error}")
                full = "No space left" in error or "database or disk is full" in error
                ends["disk full" if full else end] += 1
                if full:
                    mib += mib // 2
                    subprocess.run(["mount", "-o", f"remount,size={mib}m", folder], check=True)
            except subprocess.TimeoutExpired:
                os.kill(trainer_of(process.pid), signal.SIGKILL)
                process.communicate()
                ends["killed"] += 1
            now = games_of(folder)
            if lost := [number for number, game in known.items() if now.get(number) != game]:
                sys.exit(f"{dict(ends)}: {len(lost)} of {len(known)} games are lost or changed, such as {lost[0]}")
            known = now
        records = common.metrics(folder)
        matches = sum("score_vs_greedy" in record for record in records)
        print(f"{dict(ends)}: none of {len(known)} finished games lost; {len(records)} generations, {matches} with matches")
    finally:
        if mib:
            subprocess.run(["umount", folder], check=True)


def train(arguments):
    """The command line of the run."""
    return [
        arguments.program, "train", "--config", arguments.config, "--run", arguments.run, "--device", arguments.device,
        *(word for change in arguments.set for word in ("--set", change))]


def watch(arguments):
    folder = pathlib.Path(arguments.run)
    command = train(arguments) + [
        "--max-time", f"{arguments.hours * 60:.0f}m", "--set", "learner.window_min=40000",
        "--set", "learner.window_max=40000", "--set", "evaluation.every=10", "--set", "evaluation.games=20",
        "--set", "evaluation.final_games=0"]
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
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--disk", type=int, default=0, metavar="MIB")
    parser.add_argument("--report", metavar="DIR", help="only read DIR and the log")
    arguments = parser.parse_args()
    if arguments.kills:
        return survive(arguments, train(arguments))
    if not arguments.report and watch(arguments) not in (0, 130):
        sys.exit("the run failed")
    report(pathlib.Path(arguments.report or arguments.run), arguments.log)


if __name__ == "__main__":
    main()

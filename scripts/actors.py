#!/usr/bin/env python3
"""What many actors bring into a store, against as many times what one brings.

A private PostgreSQL server; a learner makes the run and its first network and ends; then one actor plays, then --actors
of them, each with the same fixed share of a core (control groups: needs root), so that what is compared is the store and
not the cores. Prints games a second of each and their ratio to so many times one actor's, with the server's own share.
"""
import contextlib
import pathlib
import subprocess
import sys
import time

from common import ROOT, parser

sys.path.insert(0, str(ROOT / "tests" / "app"))
from postgres import private_server  # noqa: E402

PERIOD_US = 20_000


class Share:
    """A control group whose processes have a share of a core together; `share` None: they are only counted."""

    def __init__(self, name, share=None):
        both = pathlib.Path("/sys/fs/cgroup")
        self.old = (both / "cpu").is_dir()  # version 1, with a hierarchy for each controller
        self.folder = both / "cpu" / name if self.old else both / name
        self.count = both / "cpuacct" / name if self.old else self.folder
        for folder in {self.folder, self.count}:
            folder.mkdir(exist_ok=True)
        if share is None:
            return
        quota = int(share * PERIOD_US)
        if self.old:
            (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (self.folder / "cpu.max").write_text(f"{quota} {PERIOD_US}")

    def add(self, pid):
        for folder in {self.folder, self.count}:
            (folder / "cgroup.procs").write_text(str(pid))

    def seconds(self):
        """Of a core, that its processes have used."""
        if self.old:
            return int((self.count / "cpuacct.usage").read_text()) / 1e9
        return int((self.count / "cpu.stat").read_text().split()[1]) / 1e6

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for folder in {self.folder, self.count}:
            folder.rmdir()


def drain(server, seconds):
    """Takes what comes out of the queue, as a learner does, for so long, and at the end; how many games that were."""
    until, games = time.time() + seconds, 0
    while True:
        last = time.time() >= until
        games += server.number("WITH gone AS (DELETE FROM sharpzero.arrivals RETURNING 1) SELECT count(*) FROM gone")
        if last:
            return games
        time.sleep(min(2.0, max(0.0, until - time.time())))


def played(asked, server, service, count):
    """Games a second that so many actors bring, and the server's seconds of a core a second."""
    with contextlib.ExitStack() as ends:
        for number in range(count):
            share = ends.enter_context(Share(f"sharpzero-actor{number}", asked.share))
            actor = subprocess.Popen([asked.program, "actor", "--store", server.url(), "--threads", "1", "--device", "cpu"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            ends.callback(actor.wait)
            ends.callback(actor.kill)
            share.add(actor.pid)
        drain(server, asked.warm_up)
        used, began = service.seconds(), time.time()
        games = drain(server, asked.seconds)
        passed = time.time() - began
        return games / passed, (service.seconds() - used) / passed, games


def main():
    options = parser(__doc__)
    options.add_argument("--actors", type=int, default=8)
    options.add_argument("--share", type=float, default=0.15, help="of a core, each actor (default: 0.15)")
    options.add_argument("--seconds", type=float, default=120, help="that are counted (default: 120)")
    options.add_argument("--warm-up", type=float, default=40, help="seconds before them (default: 40)")
    options.add_argument("--rounds", type=int, default=1)
    asked = options.parse_args()
    with Share("sharpzero-server") as service, private_server("sharpzero-actors-") as server:
        service.add(server.process.pid)
        learner = subprocess.Popen([asked.program, "train", "--config", str(ROOT / "configs" / "tiny.toml"), "--run",
                                    str(server.folder / "run"), "--learn-only", "--threads", "1", "--device", "cpu",
                                    "--store", server.url(), "--set", "selfplay.precision=fp32"],
                                   stdout=subprocess.DEVNULL)
        while server.sql("SELECT 1 FROM sharpzero.networks", check=False).stdout.strip() == "":
            time.sleep(0.2)
        learner.terminate()
        learner.wait()
        print("| actors | games | games/s | of so many times one's | server, of a core |\n|---|---|---|---|---|")
        for _ in range(asked.rounds):
            one = None
            for count in (1, asked.actors):
                rate, server_share, games = played(asked, server, service, count)
                drain(server, 0)  # what came after the time was up
                one = one or rate
                print(f"| {count} | {games} | {rate:.2f} | {rate / (count * one):.3f} | {server_share:.3f} |", flush=True)


if __name__ == "__main__":
    main()

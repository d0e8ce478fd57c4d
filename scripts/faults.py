#!/usr/bin/env python3
"""The long form of the test of faults: three hosts and many faults, for ten minutes.

A learner with its database and two actors, each in a network namespace of its own; at random an actor, the learner
or PostgreSQL is killed, a link is cut for some seconds or has 200 ms of delay and 5 % loss, or the database's disk is
full. At the end no game that was sent is lost, none counts twice, no damaged network came to an actor, and all go
on by themselves. Needs root (namespaces, a file system in memory), iproute2 and PostgreSQL. Prints what it did.
"""
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from common import ROOT, parser

sys.path.insert(0, str(ROOT / "tests" / "app"))
from fault_world import Fault, World  # noqa: E402
from postgres import Server  # noqa: E402

DISK_MIB = 256
LINKS = {"actor1": 1, "actor2": 2}


def sh(text, check=True):
    return subprocess.run(text, shell=True, check=check, capture_output=True, text=True)


def enter(name):
    return ["ip", "netns", "exec", f"sharpzero-{name}"]


class Hosts:
    """Three namespaces; each actor's has one link, to the learner's."""

    def __enter__(self):
        try:
            self.make()
        except subprocess.CalledProcessError as error:
            self.__exit__()
            sys.exit(f"{error.cmd}: {error.stderr.strip()} (needs root and iproute2)")
        return self

    def make(self):
        for name in ("learner", *LINKS):
            sh(f"ip netns add sharpzero-{name}")
            sh(f"ip -n sharpzero-{name} link set lo up")
        for name, number in LINKS.items():
            sh(f"ip link add sz{number} netns sharpzero-learner type veth peer name link0 netns sharpzero-{name}")
            sh(f"ip -n sharpzero-learner addr add 10.231.{number}.1/24 dev sz{number}")
            sh(f"ip -n sharpzero-{name} addr add 10.231.{number}.2/24 dev link0")
            self.link(name, "up")
            sh(f"ip -n sharpzero-{name} link set link0 up")
        self.netem = self.slow("actor1").returncode == 0
        self.fast("actor1")

    def __exit__(self, *_):
        for name in ("learner", *LINKS):
            sh(f"ip netns del sharpzero-{name}", check=False)

    def link(self, name, state):
        sh(f"ip -n sharpzero-learner link set sz{LINKS[name]} {state}")

    def slow(self, name):
        return sh(f"tc -n sharpzero-learner qdisc add dev sz{LINKS[name]} root netem delay 200ms loss 5%", check=False)

    def fast(self, name):
        sh(f"tc -n sharpzero-learner qdisc del dev sz{LINKS[name]} root", check=False)


def disk_full(folder, world):
    """Fills the database's disk for some seconds."""
    filler = folder / "filler"
    with open(filler, "wb") as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass
    world.keep_up(8)
    os.truncate(filler, 0)
    filler.unlink()
    if world.server.process.poll() is not None:  # it gives up where it cannot write its log
        world.server.start(enter_as_owner())


def enter_as_owner():
    return [*enter("learner"), "runuser", "-u", "postgres", "--"]


def main():
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--faults", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    rng = random.Random(asked.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sharpzero-faults-"))
    disk = folder / "disk"
    disk.mkdir()
    sh(f"mount -t tmpfs -o size={DISK_MIB}m tmpfs {disk}")
    done = collections.Counter()
    world = None
    try:
        with Hosts() as hosts:
            os.chmod(folder, 0o755)
            server = Server(disk / "server", address="*", port=5433)
            server.start(enter_as_owner())
            urls = {name: f"postgresql://owner@10.231.{number}.1:5433/postgres" for name, number in LINKS.items()}
            wraps = {name: enter(name) for name in ("learner", *LINKS)}
            world = World(asked.program, ROOT, folder, server, urls, wraps)
            world.wrap_server = enter_as_owner()
            world.begin()
            began, pause = time.time(), 60 * asked.minutes / asked.faults
            kinds = ["actor1", "actor2", "learner", "server", "cut", "cut", "full"] + ["slow"] * hosts.netem
            for number in range(asked.faults):
                kind, link = rng.choice(kinds), rng.choice(list(LINKS))
                done[kind] += 1
                if kind == "cut":
                    hosts.link(link, "down")
                    world.keep_up(rng.uniform(1, 2 * pause))
                    hosts.link(link, "up")
                elif kind == "slow":
                    hosts.slow(link)
                    world.keep_up(rng.uniform(1, 2 * pause))
                    hosts.fast(link)
                elif kind == "full":
                    disk_full(disk, world)
                else:
                    world.kill(kind)
                world.keep_up(max(0.5, began + (number + 1) * pause - time.time()))
            world.require_progress(180)
            world.stop_actors()
            print(f"{dict(done)} in {(time.time() - began) / 60:.1f} minutes" +
                  ("" if hosts.netem else "; no delay and loss: this kernel has no netem"))
    except Fault as fault:
        sys.exit(f"{dict(done)}: {fault}")
    finally:
        if world:
            world.end()
            world.server.stop()
        sh(f"umount {disk}", check=False)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

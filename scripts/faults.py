#!/usr/bin/env python3
"""The long form of the test of faults: three hosts and many faults, for ten minutes.

A learner with its database and two actors, each in a network namespace of its own; at random an actor, the learner
or PostgreSQL is killed, a link is cut for some seconds or has 200 ms of delay and 5 % loss, or the database's disk is
full. At the end no game that was sent is lost, none counts twice, no damaged network came to an actor, and all go
on by themselves. Needs root (namespaces, TUN devices, a file system in memory), iproute2 and PostgreSQL. Prints what it did.
"""
import collections
import ctypes
import fcntl
import heapq
import itertools
import os
import pathlib
import random
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

from common import ROOT, parser

sys.path.insert(0, str(ROOT / "tests" / "app"))
from fault_world import Fault, World  # noqa: E402
from postgres import Server  # noqa: E402

CLONE_NEWNET, TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x40000000, 0x400454CA, 0x0001, 0x1000  # of Linux
DISK_MIB = 3072
LINKS = {"actor1": 1, "actor2": 2}


def sh(text, check=True):
    return subprocess.run(text, shell=True, check=check, capture_output=True, text=True)


def enter(name):
    return ["ip", "netns", "exec", f"sharpzero-{name}"]


class Wire:
    """Carries packets between the TUN devices of two namespaces; `delay` in seconds and `loss`, each way; both may change."""

    def __init__(self, ends, rng):
        self.delay, self.loss, self.cut, self.rng = 0.0, 0.0, False, rng
        self.ends, self.under_way = ends, []
        threading.Thread(target=self.carry, daemon=True).start()

    def carry(self):
        other = dict(zip(self.ends, reversed(self.ends)))
        for number in itertools.count():
            wait = max(0.0, self.under_way[0][0] - time.monotonic()) if self.under_way else 0.05
            for end in select.select(self.ends, [], [], wait)[0]:
                packet = os.read(end, 65536)
                if not self.cut and self.rng.random() >= self.loss:
                    heapq.heappush(self.under_way, (time.monotonic() + self.delay, number, other[end], packet))
            while self.under_way and self.under_way[0][0] <= time.monotonic():
                _, _, end, packet = heapq.heappop(self.under_way)
                try:
                    os.write(end, packet)
                except OSError:  # the device is gone, at the end
                    return


def open_tun(namespace, device):
    """Makes a TUN device in the namespace and opens its end."""
    enter_namespace = ctypes.CDLL(None, use_errno=True).setns
    with open("/proc/self/ns/net", "rb") as own, open(f"/run/netns/{namespace}", "rb") as other:
        if enter_namespace(other.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")
        try:
            end = os.open("/dev/net/tun", os.O_RDWR)
            fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
        finally:
            enter_namespace(own.fileno(), CLONE_NEWNET)
    return end


class Hosts:
    """Three namespaces; each actor's has one wire, to the learner's."""

    def __init__(self, rng):
        self.rng, self.wires = rng, {}

    def __enter__(self):
        try:
            self.make()
        except (subprocess.CalledProcessError, OSError) as error:
            self.__exit__()
            sys.exit(f"{getattr(error, 'stderr', None) or error} (needs root, iproute2 and TUN devices)")
        return self

    def make(self):
        for name in ("learner", *LINKS):
            sh(f"ip netns add sharpzero-{name}")
            sh(f"ip -n sharpzero-{name} link set lo up")
        for name, number in LINKS.items():
            ends = []
            for host, device, own, peer in (("learner", f"sz{number}", 1, 2), (name, "link0", 2, 1)):
                ends.append(open_tun(f"sharpzero-{host}", device))
                sh(f"ip -n sharpzero-{host} addr add 10.231.{number}.{own} peer 10.231.{number}.{peer} dev {device}")
                sh(f"ip -n sharpzero-{host} link set {device} up")
            self.wires[name] = Wire(ends, self.rng)

    def __exit__(self, *_):
        for name in ("learner", *LINKS):
            sh(f"ip netns del sharpzero-{name}", check=False)


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
        with Hosts(random.Random(asked.seed + 1)) as hosts:
            os.chmod(folder, 0o755)
            server = Server(disk / "server", address="*", port=5433)
            server.start(enter_as_owner())
            urls = {name: f"postgresql://owner@10.231.{number}.1:5433/postgres" for name, number in LINKS.items()}
            wraps = {name: enter(name) for name in ("learner", *LINKS)}
            world = World(asked.program, ROOT, folder, server, urls, wraps)
            world.wrap_server = enter_as_owner()
            world.begin()
            began, pause = time.time(), 60 * asked.minutes / asked.faults
            kinds = ["actor1", "actor2", "learner", "server", "cut", "cut", "slow", "slow", "full"]
            for number in range(asked.faults):
                kind, link = rng.choice(kinds), rng.choice(list(LINKS))
                done[kind] += 1
                wire = hosts.wires[link]
                if kind == "cut":
                    wire.cut = True
                    world.keep_up(rng.uniform(1, 2 * pause))
                    wire.cut = False
                elif kind == "slow":
                    wire.delay, wire.loss = 0.2, 0.05
                    world.keep_up(rng.uniform(1, 2 * pause))
                    wire.delay, wire.loss = 0.0, 0.0
                elif kind == "full":
                    disk_full(disk, world)
                else:
                    world.kill(kind)
                world.keep_up(max(0.5, began + (number + 1) * pause - time.time()))
            world.require_progress(180)
            world.stop_actors()
            print(f"{dict(done)} in {(time.time() - began) / 60:.1f} minutes")
    except Fault as fault:
        sys.exit(f"{dict(done)}: {fault}")
    finally:
        if world:
            world.end()
            world.server.stop()
        sh(f"umount -l {disk}", check=False)  # also where a server is left behind
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

"""Programs of revisions of this repository, built and kept in .cache/revisions, to be played against each other."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import zlib

import common

KEPT = common.ROOT / ".cache" / "revisions"
SOURCE = KEPT / "source"  # the checkout in which they are built, one after the other
CONSTANTS = "tactics/search_constants.h"
TUNABLE = re.compile(r"TUNABLE\((\S+), (k\w+),\s*([^)]+)\)")  # of that file


def git(*words):
    return subprocess.run(["git", "-C", common.ROOT, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def labelled(name, *more):
    """A file's name for what is kept of a revision with this and that."""
    text = " ".join(more)
    return f"{name}-{zlib.crc32(text.encode()):08x}" if text else name


class Revision:
    """`named`: a revision, perhaps with constants of the search: HEAD:kRazoringMargin=350. `tuned`: built so that its
    constants can be set."""

    def __init__(self, named, tuned=False):
        revision, _, self.constants = named.partition(":")
        self.name = git("rev-parse", "--short", revision + "^{commit}")
        self.subject = git("log", "-1", "--format=%s", self.name)
        self.label = labelled(self.name, self.constants)
        self.tunables = {}  # name: type in C++ and value, of those that can be set
        if tuned:
            text = git("show", f"{self.name}:{CONSTANTS}")
            self.tunables = {name: (kind, value) for kind, name, value in TUNABLE.findall(text)}
        self.check(self.constants)
        self.folder = KEPT / (self.name + ("-tuned" if tuned else ""))
        self.program = self.folder / "bin" / "sharpzero"
        if not self.program.exists():
            self._build(tuned)

    def _build(self, tuned):
        if not SOURCE.exists():
            git("worktree", "prune")
            git("worktree", "add", "--detach", SOURCE, self.name)
        subprocess.run(["git", "-C", SOURCE, "checkout", "-q", "--detach", "--force", self.name], check=True)
        build = SOURCE / "build" / ("tuned" if tuned else "release")
        for program in (build / "bin").glob("sharpzero*"):  # of another revision, which may have more of them
            program.unlink()
        # An older revision has one build of both programs, a newer one of sharpzero alone.
        for words in (["cmake", "--fresh", "--preset", "release", "-B", build, "-DSHARPZERO_NET=OFF",
                       f"-DSHARPZERO_TUNE={'ON' if tuned else 'OFF'}"], ["cmake", "--build", build]):
            subprocess.run(words, cwd=SOURCE, check=True, stdout=sys.stderr)
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / common.NNUE.relative_to(common.ROOT), self.folder)
        for program in sorted((build / "bin").glob("sharpzero*"), reverse=True):  # last the one that is looked for
            shutil.copy(program, self.folder / "bin")

    def check(self, constants):
        """Ends the script where the revision has not all of them."""
        for one in filter(None, constants.split(",")):
            if not re.fullmatch(r"k\w+=-?[\d.]+", one) or one.partition("=")[0] not in self.tunables:
                sys.exit(f"{one}: expected a TUNABLE of {CONSTANTS} and its value, as in kRazoringMargin=350")

    def player(self, limit, more=""):
        """As `match` takes it, with a limit such as nodes=5000, and more constants than its own, which go before those."""
        constants = ",".join(filter(None, (self.constants, more)))
        constants = f"env SHARPZERO_TUNE={constants} " if constants else ""
        return f"uci:timeout=60:hash=16:{limit}:{constants}{self.program} uci --net {self.folder / common.NNUE.name}"


def cpu_level():
    """Of the processor, or what it is held to, as every revision's program takes it."""
    return common.run_json(common.ROOT / "sharpzero", "bench", "search")["cpu_level"]


def parser(description, nodes):
    """A parser of what the scripts share: how long a move may take (by default so many nodes), games at once."""
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    limit = result.add_mutually_exclusive_group()
    limit.add_argument("--nodes", dest="limit", type=lambda text: f"nodes={int(text)}", default=str(nodes),
                       help=f"nodes a move (default: {nodes}), where a change costs no time")
    limit.add_argument("--movetime", dest="limit", type=lambda text: f"movetime={int(text)}", help="milliseconds a move")
    result.add_argument("--threads", type=int, default=os.cpu_count(), help="games at once (default: all cores)")
    return result


def tuning_parser(description, games, batch, of_batch):
    """The same for a script that plays a revision against itself by play(): so many games, in batches."""
    result = parser(description, nodes=5000)
    result.add_argument("revision", metavar="REVISION")
    result.add_argument("--games", type=int, default=games)
    result.add_argument("--batch", type=int, default=batch, help=f"games {of_batch} (default: {batch})")
    return result


def play(engine, first, second, asked, seed):
    """The share of points that the revision wins with the constants `first` against itself with `second`, in asked.batch
    games."""
    command = [engine.program, "match", "--a", engine.player(asked.limit, first), "--b", engine.player(asked.limit, second),
               "--games", asked.batch, "--opening-plies", "8", "--seed", seed, "--threads", asked.threads, "--json"]
    played = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(played.stdout)["points"]["mean"] / 10

"""Programs of revisions of this repository, built and kept in .cache/revisions, to be played against each other."""
import json
import re
import shutil
import subprocess
import sys
import zlib

import common

KEPT = common.ROOT / ".cache" / "revisions"
SOURCE = KEPT / "source"  # the checkout in which they are built, one after the other
CONSTANTS = "tactics/search_constants.h"


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
        # An older revision has one build of both programs, a newer one of sharpzero alone.
        for words in (["cmake", "--preset", "release", "-B", build, "-DSHARPZERO_NET=OFF",
                       f"-DSHARPZERO_TUNE={'ON' if tuned else 'OFF'}"], ["cmake", "--build", build]):
            subprocess.run(words, cwd=SOURCE, check=True, stdout=sys.stderr)
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / common.NNUE.relative_to(common.ROOT), self.folder)
        for program in sorted((build / "bin").glob("sharpzero*"), reverse=True):  # last the one that is looked for
            shutil.copy(program, self.folder / "bin")

    def check(self, constants):
        """Ends the script where the revision has not all of them."""
        known = set(re.findall(r"TUNABLE\(\S+, (k\w+),", git("show", f"{self.name}:{CONSTANTS}"))) if constants else set()
        for one in filter(None, constants.split(",")):
            if not re.fullmatch(r"k\w+=-?[\d.]+", one) or one.partition("=")[0] not in known:
                sys.exit(f"{one}: expected a TUNABLE of {CONSTANTS} and its value, as in kRazoringMargin=350")

    def player(self, limit, more=""):
        """As `match` takes it, with a limit such as nodes=5000, and with more constants than its own, which go before them."""
        constants = ",".join(filter(None, (self.constants, more)))
        constants = f"env SHARPZERO_TUNE={constants} " if constants else ""
        return f"uci:timeout=60:hash=16:{limit}:{constants}{self.program} uci --net {self.folder / common.NNUE.name}"


def cpu_level():
    """Of the processor, or what it is held to, as every revision's program takes it."""
    return common.run_json(common.ROOT / "sharpzero", "bench", "search")["cpu_level"]


def play(engine, first, second, limit, games, threads, seed):
    """The share of points that the revision wins with the constants `first` against itself with `second`."""
    command = [engine.program, "match", "--a", engine.player(limit, first), "--b", engine.player(limit, second),
               "--games", games, "--opening-plies", "8", "--seed", seed, "--threads", threads, "--json"]
    played = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(played.stdout)["points"]["mean"] / 10

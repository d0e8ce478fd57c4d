#!/usr/bin/env python3
"""Runs of more than one machine, all here, with a private PostgreSQL server. Exit code 1 and a line where one fails.

  distributed.py PROGRAM SOURCE FOLDER TEST…

weights   `train --store` gives the weights, games and metrics of the run with games.db, bit for bit
store     games survive the way from games.db into a store and back; damage is found; prune keeps the newest
roles     an actor's role can do nothing but read runs and networks and send games
refusals  what does not fit is refused in one line
strangers records that are no sound games never count
team      two learners by gloo have the weights of one, bit for bit; with too few shards or another config they say so
faults    two actors and a learner: kills of each and of the server lose no game that was sent, and double none
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fault_world import Fault, World  # noqa: E402
from postgres import free_port, private_server  # noqa: E402

PROGRAM, SOURCE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
TINY = ["--config", str(SOURCE / "configs" / "tiny.toml"), "--device", "cpu", "--threads", "2", "--set",
        "selfplay.precision=fp32", "--set", "learner.precision=fp32", "--set", "evaluation.every=3",
        "--set", "evaluation.games=2", "--set", "evaluation.final_games=2"]


def require(holds, *what):
    if not holds:
        print(*what)
        sys.exit(1)


def run(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    require(done.returncode == code, words, "gave", done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return done


def start(log, *words):
    return subprocess.Popen([PROGRAM, *map(str, words)], stdout=open(log, "ab"), stderr=subprocess.STDOUT)


def refused(code, said, *words):
    error = [line for line in run(*words, code=code).stderr.splitlines() if line.startswith("error: ")]
    require(len(error) == 1 and said in error[0], words, "says", error)


def games_of(*words):
    lines = run("games", "--json", *words).stdout.splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "id"} for line in lines]


def newest(folder):
    return sorted(pathlib.Path(folder, "checkpoints").iterdir())[-1]


def metrics_of(folder):
    timed = re.compile(r"_s$|_per_h$|_per_s$|^(device|cores|rows)_|^store$")
    lines = pathlib.Path(folder, "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if not timed.search(key)} for line in lines]


def weights(server):
    run("train", *TINY, "--run", FOLDER / "plain")
    run("train", *TINY, "--run", FOLDER / "stored", "--store", server.url())
    require(not (FOLDER / "stored" / "games.db").exists(), "a run in a store has a games.db")
    ours, theirs = newest(FOLDER / "stored"), newest(FOLDER / "plain")
    for name in ("network.safetensors", "trainer.safetensors"):
        require((ours / name).read_bytes() == (theirs / name).read_bytes(), name, "differs")
    require(metrics_of(FOLDER / "stored") == metrics_of(FOLDER / "plain"), "the metrics differ")
    require(games_of("--run", "stored", "--store", server.url()) == games_of("--run", FOLDER / "plain"),
            "the games differ")
    published = server.rows("SELECT generation, network FROM sharpzero.networks ORDER BY generation DESC LIMIT 1")[0]
    require(int(published[0]) == 3 and bytes.fromhex(published[1][2:]) == (ours / "network.safetensors").read_bytes(),
            "the newest network in the store is not that of the run")
    require(server.rows("SELECT finished FROM sharpzero.runs") == [["t"]], "the run is not said to have finished")
    done = run("actor", "--store", server.url(), "--threads", "1", "--device", "cpu")
    require("0 games of run stored sent" in done.stdout, "an actor of a finished run says", done.stdout)
    shown = json.loads(run("status", "--store", server.url(), "--json").stdout)
    require(shown[0]["run"] == "stored" and shown[0]["finished"] and shown[0]["network"] == 3, shown)


def store(server):
    run("train", *TINY, "--run", FOLDER / "plain")
    url = server.url()
    first = json.loads(run("store", "copy", "--store", FOLDER / "plain", "--to", url, "--json").stdout)
    require(first["games"] == first["new"] > 10, first)
    again = json.loads(run("store", "copy", "--store", FOLDER / "plain", "--to", url, "--json").stdout)
    require(again["games"] == first["games"] and again["new"] == 0, again)
    server.sql("UPDATE sharpzero.games SET seed = 0")  # as of games that were played without one
    again = json.loads(run("store", "copy", "--store", FOLDER / "plain", "--to", url, "--json").stdout)
    require(again["new"] == 0, again)
    run("store", "copy", "--store", url, "--run", "plain", "--to", FOLDER / "back.db")
    run("store", "check", "--store", FOLDER / "back.db")
    require(json.loads(run("store", "check", "--store", url, "--json").stdout)["games"] == first["games"], "check")
    (FOLDER / "copy").mkdir()
    shutil.copy(FOLDER / "back.db", FOLDER / "copy" / "games.db")
    there = run("games", "--run", FOLDER / "plain", "--json").stdout
    require(run("games", "--run", FOLDER / "copy", "--json").stdout == there, "the copy of the copy differs")
    require(run("games", "--run", "plain", "--store", url, "--json").stdout == there, "the copy differs")
    few = there.splitlines()[-7:]
    require(run("games", "--run", "plain", "--store", url, "--last", "7", "--json").stdout.splitlines() == few,
            "--last in a store")
    # A run goes on from its copy.
    shutil.copytree(FOLDER / "plain", FOLDER / "moved" / "plain", ignore=shutil.ignore_patterns("games.db*"))
    run("train", *TINY, "--run", FOLDER / "moved" / "plain", "--store", url, "--generations", "4")
    require(metrics_of(FOLDER / "moved" / "plain")[-1]["generation"] == 4, "the moved run did not go on")
    pruned = json.loads(run("store", "prune", "--store", url, "--games", "9", "--networks", "1", "--json").stdout)
    require(pruned["games"] > 0 and pruned["networks"] > 0, pruned)
    require(server.number("SELECT count(*) FROM sharpzero.games") == 9, "prune left another number of games")
    run("store", "prune", "--store", FOLDER / "back.db", "--games", "5")
    require(json.loads(run("store", "check", "--store", FOLDER / "back.db", "--json").stdout)["games"] == 5, "prune")
    server.sql("UPDATE sharpzero.games SET record = substr(record, 1, 40) WHERE id = (SELECT max(id) FROM sharpzero.games)")
    refused(2, "its checksum does not fit", "store", "check", "--store", url)
    server.sql("DELETE FROM sharpzero.games")
    server.sql("UPDATE sharpzero.networks SET network = set_byte(network, 5000, get_byte(network, 5000) # 1)")
    refused(2, "its checksum does not fit", "store", "check", "--store", url)


def roles(server):
    server.sql("CREATE ROLE helper LOGIN; CREATE ROLE stranger LOGIN")
    run("train", *TINY, "--run", FOLDER / "run", "--store", server.url(), "--generations", "1")
    run("store", "grant", "--store", server.url(), "--role", "helper")
    refused(3, "permission denied", "actor", "--store", server.url("stranger"))
    learner = start(FOLDER / "learner.log", "train", *TINY, "--run", FOLDER / "run", "--store", server.url(), "--learn-only")
    while server.rows("SELECT finished FROM sharpzero.runs") == [["t"]]:
        require(learner.poll() is None, (FOLDER / "learner.log").read_text())
        time.sleep(0.1)
    actor = start(FOLDER / "actor.log", "actor", "--store", server.url("helper"), "--threads", "1", "--device", "cpu")
    require(learner.wait(300) == 0, (FOLDER / "learner.log").read_text())
    require(actor.wait(60) == 0, (FOLDER / "actor.log").read_text())
    require(server.number("SELECT count(*) FROM sharpzero.games WHERE lease > 0") > 0, "no games of the actor")
    lease = server.number("SELECT sharpzero.enlist(1, 1, 'm', 'p', 'd', 1)")  # the owner's
    games = server.number("SELECT count(*) FROM sharpzero.games")
    forbidden = [
        "SELECT * FROM sharpzero.games", "SELECT * FROM sharpzero.arrivals", "SELECT * FROM sharpzero.actors",
        "SELECT * FROM sharpzero.refused", "INSERT INTO sharpzero.games SELECT * FROM sharpzero.games",
        "INSERT INTO sharpzero.games (run, id) VALUES (1, 1)", "DELETE FROM sharpzero.games",
        "DELETE FROM sharpzero.arrivals", "UPDATE sharpzero.arrivals SET run = 2", "TRUNCATE sharpzero.arrivals",
        "UPDATE sharpzero.networks SET generation = 9", "DELETE FROM sharpzero.networks",
        "INSERT INTO sharpzero.networks (run, generation, checksum, network) VALUES (1, 99, '', '')",
        "UPDATE sharpzero.runs SET config = ''", "INSERT INTO sharpzero.runs (name, config) VALUES ('x', '')",
        "UPDATE sharpzero.about SET version = 2", "UPDATE sharpzero.actors SET role = 'helper'",
        "CREATE TABLE sharpzero.mine (x int)", "DROP TABLE sharpzero.networks", "DROP SCHEMA sharpzero CASCADE",
        "ALTER TABLE sharpzero.arrivals DISABLE TRIGGER guard", "DROP TRIGGER guard ON sharpzero.arrivals",
        "INSERT INTO sharpzero.arrivals (id, run, lease, record) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 'x')",
        "INSERT INTO sharpzero.arrivals (run, lease, record, arrived) VALUES (1, 1, 'x', now() - interval '1 day')",
        f"INSERT INTO sharpzero.arrivals (run, lease, record) VALUES (1, {lease}, 'x')",  # another's lease
        "INSERT INTO sharpzero.arrivals (run, lease, record) VALUES (1, 999999, 'x')",
        f"SELECT sharpzero.beat({lease}, 1, 1, 1, 1)", "SELECT sharpzero.beat(999999, 1, 1, 1, 1)",
        "SET ROLE owner", "CREATE ROLE more", "COPY sharpzero.networks TO PROGRAM 'cat'",
        "SELECT pg_read_file('/etc/passwd')",
        "CREATE FUNCTION sharpzero.guard_queue() RETURNS trigger LANGUAGE sql AS ''",
    ]
    for text in forbidden:
        done = server.sql(text, user="helper", check=False)
        require(done.returncode != 0, "an actor's role may", text)
    own = server.sql("SELECT sharpzero.enlist(1, 1, 'm', 'p', 'd', 1)", user="helper").stdout.strip()
    large = f"INSERT INTO sharpzero.arrivals (run, lease, record) SELECT 1, {own}, decode(repeat('00', 262145), 'hex')"
    require("violates check" in server.sql(large, user="helper", check=False).stderr, "a record of any size is taken")
    flood = f"INSERT INTO sharpzero.arrivals (run, lease, record) SELECT 1, {own}, 'x' FROM generate_series(1, 20001)"
    require("the queue is full" in server.sql(flood, user="helper", check=False).stderr, "the queue takes any number")
    require("version" in server.sql("SELECT sharpzero.enlist(1, 9, 'm', 'p', 'd', 1)", user="helper", check=False).stderr,
            "another version may enlist")
    require(server.number("SELECT count(*) FROM sharpzero.games") == games, "the games have changed")
    require(server.number("SELECT count(*) FROM sharpzero.networks") > 0, "the networks have gone")


def refusals(server):
    url = server.url()
    refused(2, "holds no store of games", "status", "--store", url)
    refused(2, "holds no store of games", "actor", "--store", url)
    refused(2, "expected postgresql://", "actor", "--store", "games.db")
    refused(2, "expected postgresql://", "train", *TINY, "--run", FOLDER / "x", "--store", "games.db")
    refused(2, "invalid URI query parameter", "status", "--store", "postgresql:///x?nonsense=1")
    refused(3, "/none", "status", "--store", url.replace("/postgres?", "/none?"))
    done = run("status", "--store", url.replace(":///", "://owner:secret@/").replace("/postgres?", "/none?"), code=3)
    require("secret" not in done.stderr + done.stdout, "a password is printed", done.stderr)
    require(not (FOLDER / "x").exists(), "a refused run has left its folder")
    run("train", *TINY, "--run", FOLDER / "run", "--store", url, "--generations", "1")
    refused(2, "holds no run 'other'", "actor", "--store", url, "--run", "other")
    refused(2, "holds no run 'other'", "games", "--run", "other", "--store", url)
    refused(2, "expected --to", "store", "copy", "--store", url)
    refused(2, "how many to keep", "store", "prune", "--store", url)
    # Another run of the same name, whose folder lies elsewhere.
    refused(2, "put the checkpoints back, or take another --run", "train", *TINY, "--run", FOLDER / "b" / "run",
            "--store", url)
    server.sql("UPDATE sharpzero.runs SET config = config || E'\\n[run]\\nnonsense = 1\\n'")
    refused(2, "config of run run", "actor", "--store", url)
    server.sql("UPDATE sharpzero.about SET version = 2")
    refused(2, "a store of version 2, expected 1", "actor", "--store", url)
    refused(2, "a store of version 2, expected 1", "train", *TINY, "--run", FOLDER / "run", "--store", url)


def team(server):
    port = free_port()

    def learner(rank, name, *words):
        place = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        with open(FOLDER / f"{name}{rank}.log", "wb") as log:
            return subprocess.Popen([PROGRAM, "train", *TINY, "--run", str(FOLDER / name), "--store", server.url(),
                                     *words], env={**os.environ, **place}, stdout=log, stderr=log)

    def ends(name, *words_of):
        both = [learner(rank, name, *words) for rank, words in enumerate(words_of)]
        return [process.wait(300) for process in both], [(FOLDER / f"{name}{rank}.log").read_text() for rank in (0, 1)]

    run("train", *TINY, "--run", FOLDER / "one", "--store", server.url())
    codes, logs = ends("two", [], [])
    if "built without gloo" in logs[0]:
        print("built without gloo")
        return
    require(codes == [0, 0], codes, *logs)
    for file in ("network.safetensors", "trainer.safetensors"):
        require((newest(FOLDER / "two") / file).read_bytes() == (newest(FOLDER / "one") / file).read_bytes(),
                "two learners'", file, "is not one's")
    require(metrics_of(FOLDER / "two")[-1]["steps"] == metrics_of(FOLDER / "one")[-1]["steps"] > 0, "no steps")
    codes, logs = ends("few", *[["--set", "learner.shard_rows=32"]] * 2)
    require(codes == [2, 2] and "fewer than the 2 learners" in logs[0], codes, *logs)
    codes, logs = ends("odd", ["--set", "learner.batch=32"], ["--set", "learner.batch=64"])
    require(codes == [2, 2] and "configs differ" in logs[1], codes, *logs)


def strangers(server):
    run("train", *TINY, "--run", FOLDER / "run", "--store", server.url(), "--generations", "2")
    before = server.number("SELECT count(*) FROM sharpzero.games")
    lease = server.number("SELECT sharpzero.enlist(1, 1, 'm', 'p', 'd', 1)")
    records = [bytes.fromhex(row[0][2:]) for row in server.rows("SELECT record FROM sharpzero.games LIMIT 20")]
    rng = random.Random(1)
    values = []
    for number in range(400):
        record = bytearray(rng.choice(records))
        if number % 4 == 3:
            record = bytearray(rng.randbytes(rng.randrange(300)))
        elif number % 4 == 2:
            record = record[:rng.randrange(len(record))]
        else:
            record[rng.randrange(len(record))] ^= 1 << rng.randrange(8)
        values.append(f"(1, {lease}, '\\x{record.hex()}')")
    server.sql("INSERT INTO sharpzero.arrivals (run, lease, record) VALUES " + ",".join(values))
    # Sound records that are there already.
    server.sql(f"INSERT INTO sharpzero.arrivals (run, lease, record) SELECT 1, {lease}, record FROM sharpzero.games LIMIT 5")
    run("train", *TINY, "--run", FOLDER / "run", "--store", server.url(), "--generations", "3")
    require(server.number("SELECT count(*) FROM sharpzero.arrivals") == 0, "the queue is not empty")
    require(server.number("SELECT count(*) FROM sharpzero.refused") == 400, "not all strangers were refused:",
            server.number("SELECT count(*) FROM sharpzero.refused"))
    require(server.number("SELECT count(*) FROM sharpzero.games WHERE lease > 0") == 0, "a stranger's game counts")
    require(server.number("SELECT count(*) FROM sharpzero.games") > before, "the run did not go on")
    run("store", "check", "--store", server.url())


def faults(server):
    world = World(PROGRAM, SOURCE, FOLDER, server)
    victims = ["actor1", "learner", "server", "actor2"]
    rng = random.Random(2)
    try:
        world.begin()
        for number in range(9):
            world.keep_up(4 * rng.uniform(0.5, 1.5))
            world.kill(victims[number % len(victims)])
        world.require_progress(300)
        world.stop_actors()
    except Fault as fault:
        require(False, fault)
    finally:
        world.end()
    run("store", "check", "--store", server.url())


def main():
    for name in sys.argv[4:]:
        require(name in ("weights", "store", "roles", "refusals", "strangers", "team", "faults"), "no test", name)
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        with private_server("sharpzero-store-") as server:
            globals()[name](server)


if __name__ == "__main__":
    main()

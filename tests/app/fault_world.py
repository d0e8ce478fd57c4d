"""A learner, two actors and a database server that are started again whenever they end, as a supervisor does."""
import signal
import subprocess
import time


class Fault(Exception):
    """What does not hold."""


class World:
    """`urls` and `wraps`, by name: how each reaches the server, and the words before its command."""

    def __init__(self, program, source, folder, server, urls=None, wraps=None):
        self.program, self.folder, self.server = program, folder, server
        self.wraps = wraps or {}
        self.wrap_server = ()
        config = ["--config", str(source / "configs" / "tiny.toml"), "--run", str(folder / "run"), "--learn-only",
                  "--generations", "100000"]
        for change in ("selfplay.precision=fp32", "learner.precision=fp32", "evaluation.every=0",
                       "evaluation.final_games=0", "run.keep_checkpoints=3"):
            config += ["--set", change]
        self.commands = {}
        for name, words in (("learner", ["train", *config]), ("actor1", ["actor"]), ("actor2", ["actor"])):
            url = (urls or {}).get(name, server.url())
            self.commands[name] = [*words, "--threads", "1", "--device", "cpu", "--store", url]
        self.alive = {}

    def log_of(self, name):
        return (self.folder / (name + ".log")).read_text(errors="replace")

    def start(self, name):
        with open(self.folder / (name + ".log"), "ab") as log:
            self.alive[name] = subprocess.Popen([*self.wraps.get(name, ()), self.program, *self.commands[name]],
                                                stdout=log, stderr=log)

    def begin(self):
        """Starts all. From here on the server notes, in its transaction, each game that an actor puts there."""
        self.start("learner")
        while self.server.sql("SELECT 1 FROM sharpzero.networks", check=False).stdout.strip() == "":
            if self.alive["learner"].poll() is not None:
                raise Fault(self.log_of("learner"))
            time.sleep(0.2)
        self.server.sql("""CREATE TABLE sent (record bytea);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
            $$ BEGIN INSERT INTO public.sent SELECT record FROM new_games; RETURN NULL; END $$;
            CREATE TRIGGER note AFTER INSERT ON sharpzero.arrivals REFERENCING NEW TABLE AS new_games
            FOR EACH STATEMENT EXECUTE FUNCTION note();""")
        self.start("actor1")
        self.start("actor2")

    def keep_up(self, seconds):
        """Starts what has ended, for so long."""
        until = time.time() + seconds
        while time.time() < until:
            for name, process in list(self.alive.items()):
                code = process.poll()
                if code is None:
                    continue
                if code not in (3, -signal.SIGKILL):
                    raise Fault(f"{name} ended with {code}: {self.log_of(name)[-2000:]}")
                self.start(name)
            time.sleep(0.1)

    def kill(self, name):
        if name == "server":
            self.server.kill()
            self.keep_up(1)
            self.server.start(self.wrap_server)
        else:
            self.alive[name].kill()

    def require_progress(self, seconds):
        """All go on by themselves: more games count, and a new network is there."""
        games = "SELECT count(*) FROM sharpzero.games"
        network = "SELECT max(generation) FROM sharpzero.networks"
        before = self.server.number(games), self.server.number(network)
        until = time.time() + seconds
        while time.time() < until:
            self.keep_up(0.5)
            if self.server.number(games) > before[0] and self.server.number(network) > before[1]:
                return
        raise Fault(f"nothing goes on after the faults: {self.log_of('learner')[-2000:]}")

    def stop_actors(self):
        """Ends the actors, and requires that no game is lost or counts twice."""
        for name in ("actor1", "actor2"):
            self.alive[name].send_signal(signal.SIGTERM)
            self.alive.pop(name).wait(120)
        self.end()
        number = self.server.number
        sent = number("SELECT count(*) FROM sent")
        lost = number("""SELECT count(*) FROM (SELECT record FROM sent EXCEPT (SELECT record FROM sharpzero.games
            UNION ALL SELECT record FROM sharpzero.arrivals)) lost""")
        twice = number("""SELECT count(*) FROM (SELECT generation, seed FROM sharpzero.games
            GROUP BY generation, seed HAVING count(*) > 1) twice""")
        print(f"{sent} games sent, {number('SELECT count(*) FROM sharpzero.games')} count, network "
              f"{number('SELECT max(generation) FROM sharpzero.networks')}")
        if sent < 50 or lost or twice:
            refused = self.server.rows("SELECT reason, count(*) FROM sharpzero.refused GROUP BY reason")
            raise Fault(f"{sent} games sent, {lost} lost, {twice} twice; refused: {refused}")
        damaged = [name for name in self.commands if "not played" in self.log_of(name)]
        if damaged:
            raise Fault(f"a damaged network came to {damaged}")

    def end(self):
        for process in self.alive.values():
            if process.poll() is None:
                process.kill()
            process.wait()
        self.alive = {}

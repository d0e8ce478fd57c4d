"""A private PostgreSQL server in a folder of its own, for tests and measurements."""
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time


def programs():
    """The folder of initdb and postgres; None where there are none."""
    found = shutil.which("initdb")
    folders = [pathlib.Path(found).parent] if found else []
    folders += sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


class Server:
    """Listens on a socket in `folder`, and with `address` on a TCP port too. Owned by `postgres` where we are root,
    as whom it refuses to run."""

    def __init__(self, folder, address=None, port=5432):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.bin = programs()
        self.port = port
        self.owner = {}
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            self.owner = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        os.chmod(self.folder, 0o755)
        self.data = self.folder / "data"
        subprocess.run([self.bin / "initdb", "-D", self.data, "-U", "owner", "-A", "trust", "--no-locale", "-E",
                        "UTF8"], check=True, stdout=subprocess.DEVNULL, cwd="/", **self.owner)
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as conf:
            conf.write(f"unix_socket_directories = '{self.folder}'\nlisten_addresses = '{address or ''}'\n"
                       f"port = {port}\nmax_connections = 60\nshared_buffers = 32MB\nmax_wal_size = 128MB\n")
        if address:
            with open(self.data / "pg_hba.conf", "a", encoding="utf-8") as rules:
                rules.write("host all all 0.0.0.0/0 trust\n")
        self.process = None

    def url(self, user="owner"):
        return f"postgresql:///postgres?host={self.folder}&port={self.port}&user={user}"

    def start(self, wrap=()):
        """Starts it, in a namespace of the network where `wrap` is the command that enters it."""
        for _ in range(30):  # what a killed one left must go first
            log = open(self.folder / "log", "ab")
            self.process = subprocess.Popen([*wrap, self.bin / "postgres", "-D", self.data], stdout=log, stderr=log,
                                            cwd="/", **({} if wrap else self.owner))
            for _ in range(300):
                if self.process.poll() is not None:
                    break
                if self.sql("SELECT 1", check=False).returncode == 0:
                    return self
                time.sleep(0.1)
            time.sleep(0.5)
        raise RuntimeError((self.folder / "log").read_text()[-2000:])

    def sql(self, text, user="owner", check=True):
        """Runs the text; rows are lines, columns parted by |."""
        return subprocess.run(["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", self.url(user)], input=text,
                              check=check, capture_output=True, text=True)

    def rows(self, text):
        return [line.split("|") for line in self.sql(text).stdout.splitlines()]

    def number(self, text):
        return int(self.rows(text)[0][0])

    def kill(self):
        """SIGKILL, as a power cut for all that it has not synced."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGINT)
            self.process.wait()


@contextlib.contextmanager
def private_server(prefix):
    """A server that listens on its socket; it and its folder, whose name is short enough for that, go at the end."""
    server = Server(tempfile.mkdtemp(prefix=prefix))
    try:
        yield server.start()
    finally:
        server.stop()
        shutil.rmtree(server.folder)


def free_port():
    """A port of the loopback on which nobody listens now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]

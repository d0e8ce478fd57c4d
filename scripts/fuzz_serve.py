#!/usr/bin/env python3
"""Sends malformed and mutated requests to a running `serve` and checks that it still answers.

fuzz_serve.py URL [SECONDS] [SEED]: for ten minutes if nothing else is said. Meant for a build with sanitizers:
  build/asan/bin/sharpzero serve --port 8080 &
  scripts/fuzz_serve.py http://127.0.0.1:8080/
It asks for runs and studies too, but for none that could be started. Exit code 1 where the server stops answering.
"""

import http.client
import json
import random
import socket
import sys
import time
from urllib.parse import urlparse

from common import START

if len(sys.argv) < 2 or not sys.argv[1].startswith("http://"):
    sys.exit(__doc__)
address = urlparse(sys.argv[1])
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 600
draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)

VALUES = [None, True, -1, 0, 1, 6, 7, 1e308, 2**70, "", "w", "none", "K@e1", "e2e3", "e7e8q", "R@e1,e2e4", START,
          START + " moves K@e1", "chess", "chess960", "chess_sharp+sprint+before=7", "chess_plus", "default",
          "impasse_equal=4.9", "impasse_equal=nan", "stalemate=1e999", "[Event \"x\"]\n\n1. e3 *", "[", "X{pawns={double_step=[3]}}",
          "based_on = 'chess960'\n[setup]\nblack = 'apart'\n[pawns]\ndouble_step = [2, 3]\n", "based_on = '/etc/x.toml'", "\ud7ff\0\r\n",
          "A" * 5000, [], [[]], {}, {"a": 1}]
KEYS = ["config", "study", "minutes", "generations", "games", "fair", "rules", "table", "side", "level", "move_ms", "fen", "moves", "pgn", "move", "ply", "text", "x"]
ACTIONS = ["move", "answer", "hint", "undo", "resign", "settings", "pgn", "positions/0", "positions/99999999999",
           "analysis?lines=2", "analysis?ply=-1", "analysis?table=%ff", "curve", "", "%00", "../..", "x/y/z"]
# Of runs, studies and games of one's own; "config" and "study" of a body are never those that exist.
OTHERS = ["/api/runs", "/api/runs/x", "/api/runs/%2e%2e", "/api/runs/../..", "/api/runs/x/metrics/0", "/api/runs/x/metrics/-1",
          "/api/runs/x/games", "/api/runs/x/stop", "/api/runs/x/continue", "/api/runs/%00/%ff", "/api/studies", "/api/studies/x",
          "/api/studies/" + "y" * 500, "/api/watch", "/api/watch?x=%ff", "/watch", "/ask", "/api/game/keys", "/api/game/file/chess",
          "/api/game/file/X{}", "/api/game/file/%7b", "/api/game/check", "/api/game/check"]
ids = []


def ask(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        reply = connection.getresponse()
        streams = reply.headers.get("Content-Type") == "text/event-stream"
        return reply.status, reply.read(200) if streams else reply.read()
    finally:
        connection.close()


def mutated(data):
    data = bytearray(data)
    for _ in range(draw.randint(1, 8)):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(3)
        if kind == 0 and at < len(data):
            data[at] = draw.randrange(256)
        elif kind == 1:
            data[at:at] = bytes(draw.randrange(256) for _ in range(draw.randint(1, 20)))
        else:
            del data[at:at + draw.randint(1, 10)]
    return bytes(data)


def request():
    """A request that is nearly right: method, path, body."""
    body = json.dumps({draw.choice(KEYS): draw.choice(VALUES) for _ in range(draw.randint(0, 4))})
    if draw.random() < 0.2:
        return draw.choice(["GET", "POST"]), draw.choice(["/", "/main.js", "/api/about", "/api/games", "/nothing"]), body
    if draw.random() < 0.2:
        return draw.choice(["GET", "GET", "POST", "DELETE", "PUT"]), draw.choice(OTHERS), body
    if not ids or draw.random() < 0.1:
        return "POST", "/api/games", body
    path = "/api/games/" + draw.choice(ids) + "/" + draw.choice(ACTIONS)
    return draw.choice(["GET", "POST", "POST", "DELETE", "PUT", "HEAD"]), path, body


def send_raw(method, path, body):
    text = (f"{method} {path} HTTP/1.1\r\nHost: {address.hostname}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n")
    text += draw.choice(["", "Range: bytes=0-1,2-3\r\n", "Range: bytes=" + "0-1," * 1500 + "\r\n", "Expect: 100-continue\r\n",
                         "Transfer-Encoding: chunked\r\n", "Cookie: " + "a=b;" * 500 + "\r\n", "Accept-Encoding: gzip\r\n",
                         "Content-Type: multipart/form-data; boundary=x\r\n", "Authorization: Bearer x\r\n"])
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(mutated((text + "\r\n" + body).encode(errors="replace")))
        if draw.random() < 0.5:
            connection.shutdown(socket.SHUT_WR)
        connection.settimeout(0.5)
        connection.recv(1000)


sent, end = 0, time.monotonic() + seconds
while time.monotonic() < end:
    method, path, body = request()
    try:
        if draw.random() < 0.4:
            send_raw(method, path, body)
        else:
            status, text = ask(method, path, body, {"Content-Type": "application/json"})
            if status == 201:
                ids.append(json.loads(text)["id"])
                del ids[:-30]
    except (OSError, http.client.HTTPException, ValueError):
        pass  # what was asked deserves no answer; whether the server lives is asked below
    sent += 1
    if sent % 100 == 0 and ask("GET", "/api/about")[0] != 200:
        sys.exit(f"after {sent} requests the server does not answer")
if ask("GET", "/api/about")[0] != 200:
    sys.exit(f"after {sent} requests the server does not answer")
print(f"{sent} requests, and it answers")

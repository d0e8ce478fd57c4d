"""Asks `serve` over HTTP what a browser, a stranger and a broken client would.

serve_http.py URL [TOKEN]: exit code 1 and one line where an answer is wrong.
serve_http.py URL --start CONFIG: only starts a run.
"""

import http.client
import json
import socket
import sys
from urllib.parse import urlparse

address = urlparse(sys.argv[1])
token = sys.argv[2] if len(sys.argv) == 3 else None
cookie = {"Cookie": "a=b; sharpzero_token=" + token} if token else {}


def ask(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
    if isinstance(body, dict):
        body = json.dumps(body)
    connection.request(method, path, body, {**cookie, **(headers or {})})
    reply = connection.getresponse()
    text = reply.read()
    connection.close()
    return reply, text


def require(holds, what, *more):
    if not holds:
        print(what, *more)
        sys.exit(1)


def expect(status, method, path, body=None, headers=None):
    reply, text = ask(method, path, body, headers)
    require(reply.status == status, method, path[:80], "gave", reply.status, text[:200])
    require("script-src 'self'" in reply.headers.get("Content-Security-Policy", ""), path[:80], "has no policy")
    if status >= 400 and status != 416:
        error = json.loads(text)["error"]
        require(error and "\n" not in error, path[:80], "says", text)
    return reply, text


def raw(request):
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(request)
        return connection.recv(4096)


def check_page():
    reply, page = expect(200, "GET", "/")
    require(reply.headers["Content-Type"].startswith("text/html"), "the page is no HTML")
    require(b"<script>" not in page and b" style=" not in page, "the page has inline code")
    for name in ("watch", "ask", "style.css", "main.js", "board.js", "run.js", "chart.js", "watch.js", "icon.svg"):
        require(len(expect(200, "GET", "/" + name)[1]) > 100, name, "is empty")
    for path in ("/../README.md", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/app/web/main.js", "/style.css/x", "/%00"):
        expect(404, "GET", path)


def check_game():
    reply, text = expect(201, "POST", "/api/games", {"level": 1})
    game = "/api/games/" + json.loads(text)["id"]
    expect(400, "POST", game + "/move", {"move": "e2e4"})
    expect(200, "POST", game + "/move", {"move": "K@e1"})
    _, text = expect(200, "POST", game + "/answer")
    require(len(json.loads(text)["plies"]) == 2, "the engine does not answer")
    expect(200, "POST", game + "/hint")
    return game


def check_runs():
    runs = json.loads(expect(200, "GET", "/api/runs")[1])
    require("tiny" in runs["configs"] and runs["training"] is None, "the runs are", runs)
    for path in ("/api/runs/..", "/api/runs/%2e%2e%2fetc", "/api/runs/none", "/api/studies/none", "/api/runs/none/games"):
        expect(404, "GET", path)
    for config in ("../configs/tiny", "configs/tiny.toml", "/etc/passwd", "", 7):
        expect(400, "POST", "/api/runs", {"config": config})
    expect(400, "POST", "/api/runs", {"config": "tiny", "minutes": 0})
    expect(403, "POST", "/api/runs", {"config": "tiny"}, {"Origin": "http://elsewhere.example"})
    expect(409, "DELETE", "/api/studies")
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    connection.request("GET", "/api/watch", headers=cookie)
    event = connection.getresponse().readline()
    require(event.strip() == b"event: report", "watching begins with", event)
    connection.close()


def check_stream(game):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    connection.request("GET", game + "/analysis?lines=2", headers=cookie)
    reply = connection.getresponse()
    require(reply.status == 200 and reply.headers["Content-Type"] == "text/event-stream", "no stream")
    data = None
    while data is None or not data["lines"]:
        line = reply.readline()
        require(line, "the stream ends")
        if line.startswith(b"data: "):
            data = json.loads(line[6:])
    require(len(data["outcomes"]) == 7 and len(data["lines"]) == 2, "a report is", data)
    connection.close()
    expect(400, "GET", game + "/analysis?lines=x")
    expect(400, "GET", game + "/analysis?table=%ff=1")
    expect(404, "GET", "/api/games/none/analysis")


def check_refusals(game):
    expect(413, "POST", "/api/games", "x" * 70000)
    expect(414, "GET", "/" + "a" * 3000)
    expect(416, "GET", "/", headers={"Range": "bytes=0-1"})
    expect(403, "POST", "/api/games", {}, {"Origin": "http://elsewhere.example"})
    expect(400, "POST", "/api/games", "{\"pgn\": \"\xff\"}".encode("latin-1"))
    expect(404, "GET", game + "/nothing/at/all")
    for request in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00\x01\x02\r\n\r\n",
                    b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"):
        raw(request)  # whatever it says
    expect(200, "GET", game)


def check_strangers():
    if token:
        for headers in ({"Cookie": ""}, {"Cookie": "sharpzero_token=" + token[:-1]}, {"Cookie": "sharpzero_token=" + token + "x"}):
            expect(401, "GET", "/", headers=headers)
            expect(401, "POST", "/api/games", {}, headers)
        expect(200, "GET", "/api/about", headers={"Cookie": "", "Authorization": "Bearer " + token})
        reply, _ = ask("GET", "/?token=" + token, headers={"Cookie": ""})
        require(reply.status == 303 and "HttpOnly" in reply.headers["Set-Cookie"], "the token sets no cookie")
    else:
        expect(403, "GET", "/", headers={"Host": "elsewhere.example"})
        expect(200, "GET", "/", headers={"Host": "localhost:1"})


if sys.argv[2:3] == ["--start"]:
    expect(201, "POST", "/api/runs", {"config": sys.argv[3]})
    sys.exit(0)
check_strangers()
check_page()
check_runs()
started = check_game()
check_stream(started)
check_refusals(started)

"""Drives a headless Chromium over its DevTools protocol, with the standard library alone."""

import base64
import json
import os
import socket
import struct
import subprocess
import tempfile
import time


class WebSocket:
    """A client's end of one connection (RFC 6455): text messages, no extensions."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise RuntimeError("the browser refuses the connection")
        while self.file.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = b"\x81"
        if size < 126:
            head += struct.pack("!B", 0x80 | size)
        elif size < 65536:
            head += struct.pack("!BH", 0x80 | 126, size)
        else:
            head += struct.pack("!BQ", 0x80 | 127, size)
        masked = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
        self.socket.sendall(head + mask + masked)

    def receive(self):
        text = b""
        while True:
            first, second = self.file.read(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack("!H", self.file.read(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.file.read(8))[0]
            data = self.file.read(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Browser:
    """One page. `faults` gathers what its console complains of."""

    def __init__(self, width, height=900, dark=False):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--remote-debugging-port=0", "--user-data-dir=" + self.folder.name, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port, path = self._address()
        self.web = WebSocket("127.0.0.1", port, path)
        self.number, self.session, self.faults, self.loaded = 0, None, [], False
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(domain + ".enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])

    def _address(self):
        file = os.path.join(self.folder.name, "DevToolsActivePort")
        for _ in range(600):
            if os.path.exists(file):
                lines = open(file).read().split()
                if len(lines) == 2:
                    return int(lines[0]), lines[1]
            time.sleep(0.1)
        raise RuntimeError("chromium does not start")

    def close(self):
        self.process.terminate()
        self.process.wait()
        for _ in range(50):  # its children may still write there
            try:
                return self.folder.cleanup()
            except OSError:
                time.sleep(0.1)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.web.send(json.dumps(message))
        while True:
            reply = json.loads(self.web.receive())
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']['message']}")
                return reply["result"]
            self._note(reply)

    def _note(self, event):
        method, data = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.faults.append(data["exceptionDetails"].get("exception", {}).get(
                "description", data["exceptionDetails"]["text"]))
        elif method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning"):
            self.faults.append(str([a.get("value", a.get("description")) for a in data["args"]]))
        elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
            self.faults.append(data["entry"]["text"] + " " + data["entry"].get("url", ""))

    def open(self, url):
        self.ask("Page.navigate", url=url)

    def run(self, script):
        """The value of the expression, in the page; a promise's when it is there."""
        reply = self.ask("Runtime.evaluate", expression=script, returnByValue=True,
                         awaitPromise=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(reply["exceptionDetails"]["exception"]["description"])
        return reply["result"].get("value")

    def wait(self, script, seconds=60, what=""):
        """Waits until the expression is true and returns it, over a change of the page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.run(script)
            except RuntimeError as error:
                if "navigated or closed" not in str(error):
                    raise
                value = None
            if value:
                return value
            time.sleep(0.05)
        raise RuntimeError(f"waited {seconds} s in vain for {what or script}")

    def middle(self, selector):
        """The middle of the first element that the selector finds, brought into sight."""
        return self.run(f"""(() => {{
          const one = document.querySelector({json.dumps(selector)});
          one.scrollIntoView({{block: 'nearest'}});
          const box = one.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")

    def mouse(self, kind, x, y, down):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if down else "none",
                 buttons=1 if down else 0, clickCount=1 if down else 0)

    def click(self, selector):
        x, y = self.middle(selector)
        self.mouse("mousePressed", x, y, True)
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left",
                 buttons=0, clickCount=1)

    def drag(self, source, target):
        self.middle(source)
        to = self.middle(target)
        at = self.middle(source)
        self.mouse("mousePressed", *at, True)
        for step in (0.2, 0.6, 1.0):
            self.ask("Input.dispatchMouseEvent", type="mouseMoved",
                     x=at[0] + step * (to[0] - at[0]), y=at[1] + step * (to[1] - at[1]),
                     button="left", buttons=1)
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", x=to[0], y=to[1], button="left",
                 buttons=0, clickCount=1)

    def key(self, name):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37,
                 "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        more = {"text": "\r"} if name == "Enter" else {"text": name} if len(name) == 1 else {}
        common = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper()) if name.isalnum() else 0)}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **common, **more)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    def focus_on(self, selector):
        """By the Tab key alone."""
        for _ in range(250):
            if self.run(f"document.activeElement.matches({json.dumps(selector)})"):
                return
            self.key("Tab")
        raise RuntimeError("Tab does not reach " + selector)

    def barriers(self, axe):
        """What axe-core (the file) finds on the page that is serious or critical."""
        with open(axe, encoding="utf-8") as file:
            self.run(file.read() + "; true")
        found = self.run("axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => "
                         "({impact: v.impact, id: v.id, where: v.nodes.map(n => n.target.join(' ')).slice(0, 3)})))")
        return [one for one in found if one["impact"] in ("serious", "critical")]

    def screenshot(self, file):
        size = {"width": self.run("innerWidth"),
                "height": self.ask("Page.getLayoutMetrics")["cssContentSize"]["height"]}
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                              "scale": 1})
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

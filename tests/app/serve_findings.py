"""Reads the findings that come with the program as a person would, in a headless Chromium.

serve_findings.py URL WIDTH [FOLDER]: URL is the server's; prints one line of JSON, {"barriers": […], "faults": […]};
what does not work is exit code 1. With FOLDER, a screenshot is left there. With AXE in the environment, a file of
axe-core, barriers are what that finds serious.
"""

import json
import os
import pathlib
import re
import sys

from browser import Browser

url, width = sys.argv[1], int(sys.argv[2])
shots = sys.argv[3] if len(sys.argv) > 3 else None
page = Browser(width, dark=width < 600)
TEXT = (pathlib.Path(__file__).parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")


def require(holds, what):
    if not holds:
        raise RuntimeError(what)


try:
    page.open(url)
    page.wait("document.querySelector('#status')?.textContent.length > 0", what="the game")
    page.click("nav a[href='/findings']")
    page.wait("document.querySelectorAll('#findings table').length > 0", what="the findings")
    shown = page.run("document.getElementById('findings').textContent")
    for written in (re.findall(r"^## (.*)$", TEXT, re.M), re.findall(r"\d+\.\d+ \[[^]]*\]", TEXT)):
        missing = [each for each in written if each not in shown]
        require(written and not missing, f"not shown: {missing}")
    pictures = re.findall(r"^!\[", TEXT, re.M)
    page.wait("[...document.querySelectorAll('#findings img')].filter(image => image.complete && image.naturalWidth)"
              f".length === {len(pictures)}", what="the pictures")
    require("|" not in shown and "](" not in shown, "Markdown is shown as it is written")
    wide = page.run("document.documentElement.scrollWidth - innerWidth")
    require(wide <= 0, f"the page scrolls sideways by {wide} pixels")
    if shots:
        page.screenshot(os.path.join(shots, f"findings-{width}.png"))
    barriers = page.barriers(os.environ["AXE"]) if "AXE" in os.environ else []
    print(json.dumps({"barriers": barriers, "faults": page.faults}))
except RuntimeError as error:
    print(json.dumps({"failed": str(error), "faults": page.faults}))
    sys.exit(1)
finally:
    page.close()

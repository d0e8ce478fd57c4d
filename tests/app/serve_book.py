"""Browses an opening book as a person would, in a headless Chromium.

serve_book.py URL WIDTH [FOLDER]: by mouse, on the narrow page by the keyboard alone; prints one line of JSON,
{"barriers": […], "faults": […]}; what does not work is exit code 1. URL is a file's or a server's. With FOLDER,
screenshots are left there. With AXE in the environment, a file of axe-core, barriers are what that finds serious.
"""

import json
import os
import sys

from browser import Browser

url, width = sys.argv[1], int(sys.argv[2])
shots = sys.argv[3] if len(sys.argv) > 3 else None
page = Browser(width, dark=width < 600)
barriers = []
STATUS = "(document.querySelector('.book-status')?.textContent ?? '')"
MOVES = "[...document.querySelectorAll('.book table button')].map(b => b.textContent)"
PATH = "[...document.querySelectorAll('.moves button')].map(b => b.textContent)"

CURRENT = "document.querySelector('.moves [aria-current]')?.textContent"


def require(holds, what):
    if not holds:
        raise RuntimeError(what + "; status: " + str(page.run(STATUS)))


def shoot(name):
    if shots:
        page.screenshot(os.path.join(shots, f"book-{name}-{width}.png"))
    if "AXE" in os.environ:
        barriers.extend(page.barriers(os.environ["AXE"]))


def forward(by_key):
    """Takes the second move of the book, or the only one; returns it."""
    moves, before = page.run(MOVES), len(page.run(PATH))
    number = min(1, len(moves) - 1)
    if by_key:
        page.focus_on(".book table button")
        for _ in range(number):
            page.key("ArrowDown")
        require(page.run("document.activeElement.textContent") == moves[number], "the arrow keys do not go down")
        page.key("Enter")
    else:
        page.click(f".book tbody tr:nth-child({number + 1}) button")
    page.wait(f"({PATH}).length === {before + 1}", what="the move")
    require(page.run(PATH)[-1] == moves[number], "another move was made")
    return moves[number]


try:
    page.open(url)
    page.wait(f"({STATUS}).includes('bounds')", what="the book")
    start, by_key = page.run(STATUS), width < 600
    moves = page.run(MOVES)
    require(len(moves) > 1, "few moves")
    require(page.run("document.querySelectorAll('.sunburst path').length") > 3, "no sunburst")
    require("Main line: " in page.run("document.body.textContent"), "no main line")
    shoot("start")
    forward(by_key)
    forward(by_key)
    shoot("later")
    if by_key:
        page.key("ArrowLeft")
        page.wait(f"{CURRENT} === ({PATH})[0]", what="one back")
        page.key("Home")
    else:
        page.click("[aria-label='Back']")
        page.wait(f"{CURRENT} === ({PATH})[0]", what="one back")
        page.click("[aria-label='To the start']")
    page.wait(f"{CURRENT} === undefined && {STATUS} === {json.dumps(start)}", what="the start")
    if by_key:
        page.key("ArrowRight")
    else:
        page.click("[aria-label='The best move']")
    page.wait(f"({PATH}).length === 1 && {CURRENT} === {json.dumps(moves[0])}", what="the best move alone")
    if not by_key:
        page.click("[aria-label='To the start']")
        page.wait(f"{CURRENT} === undefined", what="the start again")
        label = page.run("document.querySelector('.sunburst .part text').textContent")
        page.click(".sunburst .part text")  # the middle of a wide arc may lie outside of it
        page.wait(f"{CURRENT} === {json.dumps(label)}", what="a move of the sunburst")
    wide = page.run("document.documentElement.scrollWidth - innerWidth")
    require(wide <= 0, f"the page scrolls sideways by {wide} pixels")
    print(json.dumps({"barriers": barriers, "faults": page.faults}))
except RuntimeError as error:
    shoot("failed")
    print(json.dumps({"failed": str(error), "faults": page.faults}))
    sys.exit(1)
finally:
    page.close()

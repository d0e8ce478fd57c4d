"""Uses the page of `serve` as a person would, in a headless Chromium.

serve_page.py URL WIDTH [light|dark] [FOLDER]: plays, analyses, loads; prints one line of JSON, {"plies": …,
"barriers": […], "faults": […]}; what does not work is exit code 1. With FOLDER, screenshots are left there. With AXE in
the environment, a file of axe-core, barriers are what that finds serious.
"""

import json
import os
import random
import sys

from browser import Browser

url, width = sys.argv[1], int(sys.argv[2])
dark = sys.argv[3:4] == ["dark"]
shots = sys.argv[4] if len(sys.argv) > 4 else None
page = Browser(width, dark=dark)
draw = random.Random(width)
barriers = []

READY = ("(() => { const s = document.getElementById('status').textContent; "
         "return !s.includes('thinking') && s.length > 0; })()")
STATUS = "document.getElementById('status').textContent"
PLIES = "document.querySelectorAll('#moves button').length"
SOURCES = """[...document.querySelectorAll('.in-hand:enabled')].map(b => `[data-hand="${b.dataset.hand}"]`)
  .concat([...document.querySelectorAll('.cell')].filter(c => c.ariaLabel.includes('can move'))
  .map(c => `[data-square="${c.dataset.square}"]`))"""
TARGETS = """[...document.querySelectorAll('.cell')].filter(c => c.ariaLabel.includes('possible target'))
  .map(c => `[data-square="${c.dataset.square}"]`)"""


def require(holds, what):
    if not holds:
        raise RuntimeError(what + "; status: " + str(page.run(STATUS)) + "; error: " +
                           str(page.run("document.getElementById('error').textContent")))


def shoot(name):
    if shots:
        page.screenshot(os.path.join(shots, f"{name}-{width}{'-dark' if dark else ''}.png"))


def check_access():
    if "AXE" in os.environ:
        barriers.extend(page.barriers(os.environ["AXE"]))


def choose(selector, option):
    page.run(f"""(() => {{ const s = document.getElementById({json.dumps(selector)});
      s.value = {json.dumps(option)}; s.dispatchEvent(new Event('change')); }})()""")


def settle():
    page.wait(READY, what="the answer")


def new_game(start):
    """Starts a game by what `start()` does, and waits until it is there."""
    game = page.run("sessionStorage.getItem('sharpzero-game')")
    start()
    page.wait(f"sessionStorage.getItem('sharpzero-game') !== '{game}'", what="a new game")
    settle()


def move_somehow(by_drag):
    """A move of a piece that may move, by two clicks or by drag and drop."""
    before = page.run(PLIES)
    source = draw.choice(page.run(SOURCES))
    page.click(source)
    target = draw.choice(page.run(TARGETS))
    if by_drag:
        page.click(source)  # lets go of it again
        page.drag(source, target)
    else:
        page.click(target)
    page.wait(f"{PLIES} > {before} || document.getElementById('choice').open", 20, "the move")
    if page.run("document.getElementById('choice').open"):
        page.click("#choice button")
        page.wait(f"{PLIES} > {before}", 20, "the choice")
    settle()


def play_a_game():
    choose("level", "level 1")
    new_game(lambda: page.click("#new-form button"))
    number = 0
    while page.run(SOURCES):
        move_somehow(by_drag=number % 3 == 1)
        number += 1
        if number == 6:
            shoot("play")
            check_access()
        if number == 60:
            page.click("#resign")
            settle()
    require("of ten points" in page.run(STATUS), "the game does not end")
    plies = page.run(PLIES)
    require(plies > 4, "the game is short")
    page.click("#first")
    page.click("#next")
    require(page.run("document.querySelector('#moves [aria-current]') === document.querySelector('#moves button')"),
            "the first move is not shown")
    page.click("#last")
    page.wait(f"{STATUS}.includes('of ten points')", what="the end again")
    page.click("#undo")
    page.wait(f"{PLIES} < {plies} || !{STATUS}.includes('of ten points')", what="the undo")
    settle()
    return plies


def walk_to(square):
    """With the arrow keys, from where the board's focus is."""
    for _ in range(20):
        at = page.run("document.activeElement.dataset.square")
        if at == square:
            return
        if at[0] != square[0]:
            page.key("ArrowRight" if at[0] < square[0] else "ArrowLeft")
        else:
            page.key("ArrowUp" if at[1] < square[1] else "ArrowDown")
    raise RuntimeError("the arrow keys do not reach " + square)


def play_by_keyboard():
    page.run("document.activeElement.blur()")
    page.focus_on("#new-form button")
    new_game(lambda: page.key("Enter"))
    page.focus_on('[data-hand="K@"]')
    page.key("Enter")
    require(page.run("document.activeElement.dataset.square") in ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"),
            "the focus is not on a target")
    walk_to("e1")
    page.key("Enter")
    page.wait(f"{PLIES} >= 2", what="the king's placement and the answer")
    settle()
    require("king" in page.run("document.querySelector('#moves button').ariaLabel"), "no king was placed")
    walk_to("c2")
    page.key("Enter")
    walk_to("c3")
    page.key("Enter")
    page.wait(f"{PLIES} >= 4", what="the pawn's move and the answer")
    settle()
    page.focus_on("#moves button")
    page.key("Home")
    page.wait("document.activeElement.ariaCurrent === 'true' && document.activeElement.textContent === 'K@e1'", what="the first move")
    page.key("End")
    page.wait(f"{STATUS}.includes('White to move')", what="the last move")


def analyse():
    page.click("#mode-analyse")
    page.wait("document.getElementById('value').textContent !== ''", what="an evaluation")
    page.wait("document.querySelectorAll('#pv-lines li').length === 3", what="three lines")
    page.wait("document.querySelector('.arrow') !== null", what="an arrow")
    page.wait("[...document.querySelectorAll('.outcome')].some(o => +o.style.flexGrow > 0)", what="the outcomes")
    page.click("#curve-run")
    page.wait(f"/after {page.run(PLIES)} plies/.test(document.getElementById('curve').ariaLabel)", what="the curve")
    page.wait("document.querySelectorAll('#pv-lines li').length === 3", what="the lines again")
    shoot("analyse")
    check_access()
    page.click("#analysis-run")  # stops, so that the slider alone changes the value
    page.wait("document.getElementById('analysis-run').ariaPressed === 'false'")
    page.click("#prices summary")
    value = page.run("document.getElementById('value').textContent")
    page.run("document.querySelectorAll('#sliders input').forEach(s => s.focus())")
    for name in ("black_stalemated", "impasse_white_more", "impasse_equal"):
        page.run(f"document.querySelector('[name={name}]').focus()")
        page.key("Home")
    changed = page.run("document.getElementById('value').textContent")
    require(changed != value, "the sliders do not change " + value)
    page.click("#analysis-run")
    page.wait("document.getElementById('search-state').textContent.startsWith('depth')", what="the search under the new table")
    shoot("analyse-prices")
    page.click("#prices-reset")
    before = page.run(PLIES)
    page.wait("document.querySelector('#pv-lines button') !== null", what="a line")
    page.click("#pv-lines button")
    page.wait(f"{PLIES} === {before + 1}", what="the line's move")


def play_again():
    """From the analysis, if it is that, back to the game."""
    page.click("#mode-play")
    page.wait("document.getElementById('mode-play').ariaPressed === 'true'", what="the game")
    settle()


def load():
    play_again()
    page.run("document.getElementById('text').closest('details').open = true")
    fen = "4k3/P7/8/8/8/8/8/4K3[] w - - 0 1"
    for text, what in (("k", "error"), (fen, "moves")):
        page.run(f"document.getElementById('text').value = {json.dumps(text)}")
        page.click("#load")
        if what == "error":
            page.wait("document.getElementById('error').textContent.length > 5", what="a refusal")
    page.wait("document.querySelector('[data-square=a7]').ariaLabel.includes('white pawn')", what="the position")
    page.drag("[data-square=a7]", "[data-square=a8]")
    page.wait("document.querySelector('[data-square=a8]').ariaLabel.includes('white queen')", what="the queen")
    page.click("#copy-link")
    page.wait("document.getElementById('text').value.includes('#rules=')", what="the link")
    link = page.run("document.getElementById('text').value")
    page.click("#copy-pgn")
    page.wait("document.getElementById('text').value.includes('a8=Q')", what="the PGN")
    page.click("#flip")
    require(page.run("document.querySelector('.cell').dataset.square") == "h1", "the board is not turned")
    page.open("about:blank")
    page.open(link)
    page.wait("document.querySelector('[data-square=a8]')?.ariaLabel.includes('white queen')", what="the link's position")


def other_rules():
    play_again()
    choose("rules", "chess960")
    new_game(lambda: page.click("#new-form button"))
    page.wait("[...document.querySelectorAll('.cell')].filter(c => c.ariaLabel.includes('rook')).length === 4", what="Chess960")
    settle()
    move_somehow(by_drag=False)


def play_with_cards():
    """Raindrop: draws by mouse and keyboard, and places each card that comes."""
    choose("rules", "raindrop")
    new_game(lambda: page.click("#new-form button"))
    for number in range(4):
        before = page.run(PLIES)
        if page.run("document.getElementById('card-bar').hidden"):  # in check
            move_somehow(by_drag=False)
            continue
        if number % 2:
            page.focus_on("#card")
            page.key("Enter")
        else:
            page.click("#card")
        page.wait(f"{PLIES} >= {before + 2}", what="the card")
        require(page.run("[...document.querySelectorAll('#moves button')].some(b => b.ariaLabel.includes('the card is a'))"),
                "the card is not named")
        settle()
        if number == 1:
            shoot("raindrop")
            check_access()
        if "of ten points" in page.run(STATUS):  # drawn in check, and no shield
            break
        if page.run(SOURCES):
            move_somehow(by_drag=number == 2)
        else:  # the card has no place
            page.click("#card")
            page.wait(f"{PLIES} > {before + 2}", what="the pass")
            settle()


try:
    page.open(url)
    page.wait("document.querySelector('.cell.movable, .in-hand:enabled') !== null", what="the page")
    played = play_a_game()
    play_by_keyboard()
    analyse()
    load()
    other_rules()
    play_with_cards()
    wide = page.run("document.documentElement.scrollWidth - innerWidth")
    require(wide <= 0, f"the page scrolls sideways by {wide} pixels")
    # The one refusal was asked for.
    faults = [fault for fault in page.faults if "400" not in fault]
    print(json.dumps({"plies": played, "barriers": barriers, "faults": faults}))
except RuntimeError as error:
    shoot("failed")
    print(json.dumps({"failed": str(error), "faults": page.faults}))
    sys.exit(1)
finally:
    page.close()

"""Writes a game of one's own as a person would, in a headless Chromium.

serve_rules.py URL WIDTH FOLDER [SHOTS]: on the narrow page by the keyboard alone; the game is left in FOLDER as
my_game.toml. Prints one line of JSON, {"barriers": […], "faults": […]}; what does not work is exit code 1. With SHOTS,
screenshots are left there. With AXE in the environment, a file of axe-core, barriers are what that finds serious.
"""

import json
import os
import sys
import time

from browser import Browser

url, width, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
shots = sys.argv[4] if len(sys.argv) > 4 else None
by_key = width < 600
page = Browser(width, dark=by_key)
barriers = []
TEXT = "document.getElementById('text').value"  # the game's file
ROW = "[...document.querySelectorAll('.cell')].slice(-8).map(c => c.ariaLabel).join()"
PLIES = "document.querySelectorAll('#moves button').length"


def text_of(name):
    return f"(document.getElementById('{name}')?.textContent ?? '')"


def square(name):
    return f"document.querySelector('[data-square={name}]')?.ariaLabel ?? ''"


def require(holds, what):
    if not holds:
        raise RuntimeError(what + "; error: " + str(page.run(text_of("error"))))


def shoot(name):
    if shots:
        page.screenshot(os.path.join(shots, f"rules-{name}-{width}.png"))
    if "AXE" in os.environ:
        barriers.extend(page.barriers(os.environ["AXE"]))
    wide = page.run("document.documentElement.scrollWidth")
    require(wide <= width, f"the page is {wide} pixels wide")


def go_to(name):
    """Focuses the control of that ID, in its section, when the page has done what was asked before."""
    page.wait("document.querySelector('main').ariaBusy === 'false'", what="the page to be idle")
    section = f"document.getElementById('{name}').closest('details')"
    if page.run(f"{section}?.open === false"):
        page.run(f"{section}.dataset.now = ''")
        if by_key:
            page.focus_on("[data-now] summary")
            page.key("Enter")
        else:
            page.click("[data-now] summary")
        page.run(f"delete {section}.dataset.now")
    if by_key:
        page.focus_on("#" + name)
    else:
        page.run(f"document.getElementById('{name}').focus()")


def choose(name, value):
    """An option of a list, by its arrow keys."""
    go_to(name)
    here, there = page.run(f"""(() => {{ const s = document.getElementById('{name}');
      return [s.selectedIndex, [...s.options].findIndex(o => o.value === {json.dumps(value)})]; }})()""")
    for _ in range(abs(there - here)):
        page.key("ArrowDown" if there > here else "ArrowUp")
    page.wait(f"document.getElementById('{name}').value === {json.dumps(value)}", 10, name + " " + value)


def write(name, text):
    go_to(name)
    page.run(f"document.getElementById('{name}').select()")
    page.ask("Input.insertText", text=text)
    page.key("Tab")


def press(name):
    if by_key:
        page.focus_on("#" + name)
        page.key("Enter")
    else:
        page.click("#" + name)


def write_a_game():
    choose("base", "chess")
    page.wait(f"({square('e8')}).includes('black king')", what="chess")
    write("title", "Turned chess")
    choose("key-setup-black", "'turned'")
    page.wait(f"({square('d8')}).includes('black king')", what="the turned army")
    choose("key-kings-castling", "'none'")
    page.wait(f"!{text_of('sentences')}.includes('castling')", what="no castling")
    write("key-pawns-double_step", "[9]")
    page.wait(f"{text_of('key-pawns-double_step-error')}.includes('expected a list of rows from 2 to 5')", what="the refusal")
    require(page.run("document.getElementById('play').disabled && document.getElementById('key-pawns-double_step').ariaInvalid === 'true'"),
            "a wrong value can be played")
    shoot("refused")
    write("key-pawns-double_step", "[2, 3]")
    page.wait(f"{text_of('key-pawns-double_step-error')} === '' && {text_of('sentences')}.includes('rows 2 or 3')", what="the sentences")
    text = page.run(TEXT)
    for line in ('title = "Turned chess"', 'based_on = "chess"', "black = 'turned'", "castling = 'none'", "double_step = [2, 3]"):
        require(line in text, "the file lacks " + line)
    require(len(text.split()) == 3 * 6 + 2, "the file has more than what differs: " + text)
    shoot("written")
    return text


def save_and_open(text):
    """Saves the game, begins another, and opens the first again."""
    page.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
    press("save")
    file = os.path.join(folder, "my_game.toml")
    for _ in range(100):
        if os.path.exists(file) and open(file).read() == text:
            break
        time.sleep(0.1)
    require(open(file).read() == text, "another file was saved")
    choose("base", "chess960")
    page.wait(f"!document.getElementById('another').hidden && {TEXT}.includes('chess960')", what="Chess960")
    first = page.run(ROW)
    press("another")
    page.wait(f"{ROW} !== {json.dumps(first)}", what="another first position")
    node = page.ask("Runtime.evaluate", expression="document.getElementById('file')")["result"]["objectId"]
    page.ask("DOM.setFileInputFiles", files=[file], objectId=node)
    page.wait(f"{TEXT} === {json.dumps(text)} && document.getElementById('base').value === 'chess'", what="the file's text")
    page.wait("document.getElementById('key-setup-black').value === \"'turned'\"", what="the file's keys")
    page.wait(f"({square('d8')}).includes('black king')", what="the file's board")


def play():
    press("play")
    page.wait(f"location.pathname === '/' && ({square('d8')}).includes('black king')", what="the game")
    require(page.run("document.getElementById('rules').selectedOptions[0].textContent") == "Turned chess", "the game has no title")
    shoot("play")
    page.click("[data-square=d2]")
    page.click("[data-square=d4]")
    page.wait(f"{PLIES} >= 2", what="the move and its answer")


def place_anywhere():
    """Writes the file's text by hand: pieces enter on three rows."""
    page.run(f"{TEXT} = \"title = 'Wide'\\n[placing]\\nsquares = ['1', '2', '3']\\n\"; document.getElementById('text').dispatchEvent(new Event('change'))")
    page.wait("document.getElementById('key-placing-king').value === \"['1', '2', '3']\"", what="the keys of the text")
    write("key-placing-squares", "['2', 'e3']")
    page.wait(f"{TEXT}.includes(\"squares = ['2', 'e3']\") && !{TEXT}.includes('king =')", what="the other pieces' squares")
    press("play")
    page.wait("document.querySelector('[data-hand=\"K@\"]') !== null", what="the reserve")
    page.click("[data-hand=\"K@\"]")
    page.click("[data-square=e3]")
    page.wait(f"{PLIES} >= 2 && ({square('e3')}).includes('white king')", what="the king on the third row")


try:
    page.open(url + "rules")
    page.wait(f"{text_of('sentences')} !== ''", what="the page")
    game = write_a_game()
    save_and_open(game)
    play()
    page.open("about:blank")
    page.open(url + "rules")
    page.wait(f"{text_of('sentences')} !== '' && {TEXT} === {json.dumps(game)}", what="the game again")
    place_anywhere()
    # The refusals were asked for.
    faults = [fault for fault in page.faults if "400" not in fault]
    print(json.dumps({"barriers": barriers, "faults": faults}))
except RuntimeError as error:
    if shots:
        page.screenshot(os.path.join(shots, f"rules-failed-{width}.png"))
    print(json.dumps({"failed": str(error), "faults": page.faults}))
    sys.exit(1)
finally:
    page.close()

"""Trains a run and asks questions on the pages of `serve`, as a person would, in a headless Chromium.

serve_run.py URL WIDTH RUNS [light|dark] [FOLDER]: with the keyboard alone below 600 pixels, else with the mouse. Output,
exit code, FOLDER and AXE as of serve_page.py. RUNS is the server's folder of runs, empty or of its own.
"""

import glob
import json
import os
import signal
import sys
import time

from browser import Browser

url, width, runs = sys.argv[1], int(sys.argv[2]), sys.argv[3]
dark = sys.argv[4:5] == ["dark"]
shots = sys.argv[5] if len(sys.argv) > 5 else None
page = Browser(width, dark=dark)
barriers = []

STATUS = "(document.getElementById('status')?.textContent ?? '')"
SAID = "(document.getElementById('said')?.textContent ?? '')"
by_keyboard = width < 600


def require(holds, what):
    if not holds:
        raise RuntimeError(what)


# Read from copies: the browser warns where a canvas itself is read often.
DRAWN = """[...document.querySelectorAll('figure canvas')].every(canvas => {
  const copy = document.createElement('canvas'), ink = copy.getContext('2d', {willReadFrequently: true});
  if (canvas.width === 0 || canvas.height === 0) return false;
  Object.assign(copy, {width: canvas.width, height: canvas.height});
  ink.drawImage(canvas, 0, 0);
  return ink.getImageData(0, 0, copy.width, copy.height).data.some(x => x !== 0);
})"""


def look(name):
    """What is checked of every page: all curves are drawn, no faults of access, no scrolling sideways."""
    page.wait(DRAWN, 20, "the curves")
    if shots:
        page.screenshot(os.path.join(shots, f"{name}-{width}{'-dark' if dark else ''}.png"))
    if "AXE" in os.environ:
        barriers.extend(page.barriers(os.environ["AXE"]))
    wide = page.run("document.documentElement.scrollWidth - innerWidth")
    require(wide <= 0, f"the page {name} scrolls sideways by {wide} pixels")


def press(selector):
    page.wait(f"document.querySelector({json.dumps(selector)}).disabled === false", 60, selector)
    if by_keyboard:
        page.focus_on(selector)
        page.key("Enter")
    else:
        page.click(selector)


def choose(name, option):
    if by_keyboard:
        page.focus_on("#" + name)
        for letter in option[:3]:  # as many as tell the options apart
            page.key(letter)
    else:
        page.run(f"""(() => {{ const s = document.getElementById({json.dumps(name)});
          s.value = {json.dumps(option)}; s.dispatchEvent(new Event('change')); }})()""")
    page.wait(f"document.getElementById({json.dumps(name)}).value === {json.dumps(option)}", 5, option)


def fill(name, text):
    if by_keyboard:
        page.focus_on("#" + name)
        page.run("document.activeElement.select()")
        for letter in text:
            page.key(letter)
    else:
        page.run(f"document.getElementById({json.dumps(name)}).value = {json.dumps(text)}")
    page.wait(f"document.getElementById({json.dumps(name)}).value === {json.dumps(text)}", 5, text)


def confirm(selector):
    """Presses the button, says no, presses it again and says yes."""
    before = page.run(SAID)
    press(selector)
    page.wait("document.getElementById('choice').open", 5, "the question whether to " + selector)
    press("#choice button:last-child")
    page.wait("!document.getElementById('choice').open", 5, "the end of the question")
    require(page.run(SAID) == before, "a no is not heard")
    press(selector)
    page.wait("document.getElementById('choice').open", 5, "the second question")
    press("#choice button:first-child")
    page.wait("!document.getElementById('choice').open", 5, "the end of the second question")


def trained(known=()):
    """The runs that have a generation, by the files that say so, without those that are known."""
    return [file for file in glob.glob(runs + "/*/metrics.jsonl") if file not in known and os.path.getsize(file) > 0]


def process_in(folder):
    """The number of the process that trains there."""
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = open(path, "rb").read().split(b"\0")
        except OSError:
            continue  # it has ended
        if b"train" in words and folder.encode() in words:
            return int(path.split("/")[2])
    raise RuntimeError("no process trains in " + folder)


def held(known):
    """Halts the process of a run that is not among the known, once it has a generation: all three can be over before a
    page has shown the first. Returns its number."""
    deadline = time.time() + 300
    while time.time() < deadline:
        for file in trained(known):
            process = process_in(os.path.dirname(file))
            os.kill(process, signal.SIGSTOP)
            return process
        time.sleep(0.005)
    raise RuntimeError("no run has a generation")


def train():
    """A run from its start over a stop and, on the wide page, to its end; its name, and the last generation."""
    page.open(url + "watch")
    page.wait(f"{STATUS} !== ''", what="the page")
    look("watch-before")
    choose("config", "tiny")
    known = trained()
    confirm("#start button")
    process = held(known)
    try:
        page.wait(f"/^tiny.*runs, started here/.test({STATUS})", 120, "the run's start")
        name = page.run("document.getElementById('run').value")
        page.wait(f"/generation [1-9]/.test({STATUS})", 300, "a generation")
        page.wait("document.querySelectorAll('figure').length >= 5", 60, "curves")
        confirm("#stop")
    finally:
        os.kill(process, signal.SIGCONT)  # or nothing could end it
    page.wait(f"{SAID} === {json.dumps(name + ': stopped')}", 300, "the stop")
    reached = page.run("+/generation (\\d+)/.exec(" + STATUS + ")[1]")
    require(1 <= reached < 3, f"stopped at generation {reached}")
    if by_keyboard:
        return name, reached
    confirm("#continue")
    page.wait(f"{SAID} === {json.dumps(name + ': finished')}", 600, "the end")
    page.wait(f"{STATUS}.includes('generation 3')", 10, "the last generation")
    return name, 3


def look_at_run(last):
    page.wait(f"/^Policy loss, nats, by generation\\. policy loss: .* at {last}/.test(document.querySelector('canvas').ariaLabel)", 20, "the last curve")
    page.run("(() => { const s = document.querySelector('[name=axis]'); s.value = 'hours'; s.onchange(); })()")
    page.wait("document.querySelector('canvas').ariaLabel.includes('by hours')", 5, "the other axis")
    page.run("document.querySelector('[name=log-x]').click()")
    page.run("document.querySelector('[name=log-y]').click()")
    require(page.run("document.querySelectorAll('figure').length") >= 10, "curves are missing on logarithmic scales")
    look("watch")
    page.run("document.querySelector('[name=log-x]').click()")
    position = "document.querySelector('.viewer [role=status]').textContent"
    plies = page.run(f"+/of (\\d+)/.exec({position})[1]")
    page.focus_on(".viewer .moves button")
    page.key("ArrowLeft")
    page.wait(f"{position}.startsWith('Position {plies - 1} of ')", 5, "the arrow key")
    page.key("Home")
    page.wait(f"{position}.startsWith('Position 1 of ')", 5, "the first move")
    others = page.run("[...document.querySelectorAll('#others input:enabled')].map(i => i.value)")
    if others:
        page.run("document.getElementById('compare').open = true")
        page.click("#others input:enabled")
        page.wait(f"document.querySelector('canvas').ariaLabel.includes({json.dumps(others[0] + ', policy loss')})", 20, "another run's curve")
        look("watch-two")


def ask(name):
    page.open(url + "ask")
    page.wait(f"{STATUS} !== ''", what="the page")
    if page.run("document.getElementById('subject').value") != name:
        page.run(f"(() => {{ const s = document.getElementById('subject'); s.value = {json.dumps(name)}; s.onchange(); }})()")
    look("ask-before")
    fill("games", "8")
    fill("simulations", "4")
    press("#question button.main")
    page.wait(f"{STATUS}.includes('has answered: advantage')", 300, "the answer")
    page.wait("[...document.querySelectorAll('figcaption')].some(c => c.textContent.startsWith('White’s points by simulations'))", 5, "a picture")
    require(page.run("document.querySelectorAll('dd').length") > 0, "no answer in words")
    look("ask")
    page.run("document.getElementById('study').focus()")
    choose("study", "scoring") if not by_keyboard else page.key("ArrowDown")
    page.wait("!document.getElementById('scoring').hidden", 5, "the prices")
    fill("table", "impasse_equal=99")
    press("#question button.main")
    page.wait("document.getElementById('error').textContent.includes('impasse_equal')", 20, "a refusal")
    fill("table", "impasse_equal=4.9")
    press("#question button.main")
    page.wait(f"{STATUS}.includes('scoring')", 300, "the second answer")
    page.wait("[...document.querySelectorAll('caption')].some(c => c.textContent.startsWith('White’s points of ten under other tables'))", 20, "its table")


try:
    run, generation = train()
    look_at_run(generation)
    ask(run)
    # The one refusal was asked for.
    faults = [fault for fault in page.faults if "400" not in fault]
    print(json.dumps({"run": run, "barriers": barriers, "faults": faults}))
except RuntimeError as error:
    if shots:
        page.screenshot(os.path.join(shots, f"failed-{width}.png"))
    print(json.dumps({"failed": str(error), "status": page.run(STATUS), "said": page.run(SAID),
                      "error": page.run("document.getElementById('error').textContent"), "faults": page.faults}))
    sys.exit(1)
finally:
    page.close()

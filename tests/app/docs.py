#!/usr/bin/env python3
"""Checks the documents (every *.md of the source). Prints a line for each fault; exit code 1 where there is one.

  docs.py ROOT PROGRAM links|shape|experiments|options|quick

links        each relative link leads to a file, and its #anchor to a heading there
shape        lines of at most 110 characters but for tables, code and the addresses of links; pages no longer than allowed
experiments  each page of docs/experiments gives date, revision, command and verdict, and stands in the list there
options      each `./sharpzero COMMAND --option` outside docs/experiments is one that the program's help knows
quick        each code block behind a line <!-- quick --> runs as written with exit code 0, each command in less than
             ten seconds of processor time. Where commands begin with "$ ", the lines behind one are what it prints,
             and "…" stands for any.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

LINE = 110
MOST_LINES = {"README.md": 200, "docs/learning.md": 150, "docs/ablations.md": 150, "docs/performance.md": 150}
QUICK = "<!-- quick -->"
SECONDS = 10
GIVES = ("Date", "Revision", "Command", "Verdict")


def pages(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders
                            if not name.startswith(".") and name not in ("build", "runs", "gpu"))
        for name in sorted(files):
            if name.endswith(".md"):
                yield pathlib.Path(folder, name)


def lines_of(page):
    """Each line with its number, and whether it is code."""
    code = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        fence = line.lstrip().startswith("```")
        yield number, line, code or fence
        code ^= fence


def anchors_of(page):
    """The anchors of its headings, as GitHub makes them."""
    found = set()
    for _, line, code in lines_of(page):
        heading = None if code else re.match(r"#+ +(.*)", line)
        if heading:
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            anchor = name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            again = 0
            while anchor in found:
                again += 1
                anchor = f"{name}-{again}"
            found.add(anchor)
    return found


def links(root, _):
    for page in pages(root):
        prose = "\n".join("" if code else re.sub(r"`[^`]*`", "", line) for _, line, code in lines_of(page))
        for match in re.finditer(r"\]\(([^)\s]+)\)", prose):
            target, _, anchor = match[1].partition("#")
            where = f"{page.relative_to(root)}:{prose.count(chr(10), 0, match.start()) + 1}: {match[1]}"
            if re.match(r"[a-z]+:", target):
                continue
            file = page if not target else page.parent / target
            if not file.exists():
                yield f"{where}: no such file"
            elif anchor and anchor not in anchors_of(file):
                yield f"{where}: no such heading"


def shape(root, _):
    for page in pages(root):
        name = str(page.relative_to(root))
        for number, line, code in lines_of(page):
            length = len(re.sub(r"\]\([^)]*\)", "]", line))
            if not code and not line.startswith("|") and length > LINE:
                yield f"{name}:{number}: {length} characters, at most {LINE}"
        length = page.read_text(encoding="utf-8").count("\n")
        if length > MOST_LINES.get(name, length):
            yield f"{name}: {length} lines, at most {MOST_LINES[name]}"
    for name in MOST_LINES:
        if not (root / name).exists():
            yield f"{name}: no such page"


def experiments(root, _):
    folder = root / "docs" / "experiments"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    for page in folder.glob("*.md"):
        if page.name == "README.md":
            continue
        if f"]({page.name})" not in listed:
            yield f"{page.name}: not listed in README.md"
        text = page.read_text(encoding="utf-8")
        for what in GIVES:
            if not re.search(rf"^- \*{what}:\* \S", text, re.M):
                yield f"{page.name}: expected a line '- *{what}:* …'"


def written_commands(root):
    """Where a page writes `./sharpzero COMMAND …`, the command and its options."""
    for page in pages(root):
        if page.parent.name == "experiments":
            continue
        text = re.sub(r"\\\n\s*", " ", page.read_text(encoding="utf-8"))
        for match in re.finditer(r"\./sharpzero ([a-z][a-z-]*)([^`|\n#;]*)", text):
            yield page.relative_to(root), match[1], re.findall(r"(?<= )--[a-z][a-z-]*", match[2])


def options(root, program):
    def help_of(*command):
        return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=False)

    everywhere = help_of().stdout
    helps = {}
    seen = 0
    for page, command, asked in written_commands(root):
        if command not in helps:
            helps[command] = help_of(command)
        if helps[command].returncode != 0:
            yield f"{page}: no command {command}"
            continue
        seen += 1
        for option in asked:
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", helps[command].stdout + everywhere):
                yield f"{page}: {command} has no {option}"
    if seen < 20:
        yield f"only {seen} commands found"


def quick_blocks(page):
    """Its marked blocks: the number of the first line, and the lines."""
    block, marked = None, False
    for number, line, code in lines_of(page):
        if code and line.lstrip().startswith("```"):
            if block is None and marked:
                block = (number + 1, [])
            elif block is not None:
                yield block
                block = None
            marked = False
        elif block is not None:
            block[1].append(line)
        elif line.strip():
            marked = line.strip() == QUICK


def commands_in(block):
    """Each command and the lines that it is to print."""
    lines = "\n".join(block).replace("\\\n", " ").split("\n")
    if not any(line.startswith("$ ") for line in lines):
        return [(line, []) for line in lines if line.strip()]
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line)
    return found


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def faults_of(command, expected, folder):
    start = processor_time()  # not the clock's: the machine may be busy
    try:
        done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True,
                              timeout=120, check=False)
    except subprocess.TimeoutExpired:
        yield "still running after 120 s"
        return
    seconds = processor_time() - start
    if done.returncode != 0:
        yield f"exit code {done.returncode}: {done.stderr.strip()}"
    if seconds >= SECONDS:
        yield f"{seconds:.1f} s, less than {SECONDS} expected"
    printed = [line.rstrip() for line in done.stdout.split("\n")]
    for line in expected:
        if line.strip() != "…" and line.rstrip() not in printed:
            yield f"does not print '{line}'"


def quick(root, program):
    ran = 0
    for page in pages(root):
        with tempfile.TemporaryDirectory() as folder:
            for entry in ("configs", "networks"):
                os.symlink(root / entry, pathlib.Path(folder, entry))
            os.symlink(program, pathlib.Path(folder, "sharpzero"))
            for number, block in quick_blocks(page):
                for command, expected in commands_in(block):
                    ran += 1
                    for fault in faults_of(command, expected, folder):
                        yield f"{page.relative_to(root)}:{number}: {command}: {fault}"
    if ran < 5:
        yield f"only {ran} quick commands found"


def main():
    root, program, check = pathlib.Path(sys.argv[1]).absolute(), os.path.abspath(sys.argv[2]), sys.argv[3]
    faults = list({"links": links, "shape": shape, "experiments": experiments, "options": options,
                   "quick": quick}[check](root, program))
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())

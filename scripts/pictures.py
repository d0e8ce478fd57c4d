"""Small pictures as SVG: marks with whiskers, and bars of shares."""
from xml.sax.saxutils import escape

WIDTH, LABELS, RIGHT, ROW, TOP = 760, 250, 150, 22, 14
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1")
# From Black's win to White's.
OUTCOMES = ("#1a202c", "#4a5568", "#718096", "#a0aec0", "#cbd5e0", "#e2e8f0", "#f7fafc")


def _page(height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            'font-family="sans-serif" font-size="12">'
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>{"".join(body)}</svg>\n')


def _text(x, y, text, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#1a202c" {more}>{escape(text)}</text>'


def whiskers(rows, low, high, line=None, step=1.0, key=()):
    """Rows of (label, [estimates]), each a mean with its interval; a heading has none. `line`: where to draw a line; `key`:
    what the first, second, … estimate of a row is."""
    def x(value):
        return LABELS + (min(max(value, low), high) - low) / (high - low) * (WIDTH - LABELS - RIGHT)

    bottom = TOP + ROW * len(rows)
    body = []
    marks = low
    while marks <= high + 1e-9:
        strong = line is not None and abs(marks - line) < 1e-9
        body.append(f'<line x1="{x(marks):.1f}" x2="{x(marks):.1f}" y1="{TOP}" y2="{bottom}" '
                    f'stroke="{"#718096" if strong else "#e2e8f0"}"/>')
        body.append(_text(x(marks), bottom + 15, f"{marks:g}", "middle"))
        marks += step
    for number, (label, estimates) in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        if not estimates:
            body.append(_text(8, y + 4, label, more='font-weight="bold"'))
            continue
        body.append(_text(LABELS - 10, y + 4, label, "end"))
        for index, estimate in enumerate(estimates):
            if estimate is None:
                continue
            at = y + 5 * (index - (len(estimates) - 1) / 2)
            colour = COLOURS[index % len(COLOURS)]
            body.append(f'<line x1="{x(estimate["low"]):.1f}" x2="{x(estimate["high"]):.1f}" y1="{at:.1f}" y2="{at:.1f}" '
                        f'stroke="{colour}" stroke-width="2"/>'
                        f'<circle cx="{x(estimate["mean"]):.1f}" cy="{at:.1f}" r="3" fill="{colour}"/>')
        if len(estimates) == 1:
            only = estimates[0]
            body.append(_text(WIDTH - RIGHT + 10, y + 4, f'{only["mean"]:.2f} [{only["low"]:.2f}, {only["high"]:.2f}]'))
    for index, name in enumerate(key):
        at = bottom + 36
        body.append(f'<circle cx="{LABELS + 150 * index}" cy="{at - 4}" r="4" fill="{COLOURS[index]}"/>')
        body.append(_text(LABELS + 150 * index + 10, at, name))
    return _page(bottom + (42 if key else 24), body)


def bars(rows, names):
    """Rows of (label, shares of the outcomes, which sum to 1, a note), with a key of the outcomes' names."""
    body = []
    for number, (label, shares, note) in enumerate(rows):
        y, x = TOP + ROW * number, float(LABELS)
        body.append(_text(LABELS - 10, y + 15, label, "end"))
        for share, colour in zip(shares, OUTCOMES):
            width = share * (WIDTH - LABELS - RIGHT)
            body.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="{ROW - 4}" fill="{colour}" '
                        'stroke="#1a202c" stroke-width="0.5"/>')
            x += width
        body.append(_text(x + 10, y + 15, note))
    y = TOP + ROW * len(rows) + 16
    for index, name in enumerate(names):
        x, line = 10 + (index % 4) * 185, y + 18 * (index // 4)
        body.append(f'<rect x="{x}" y="{line - 10}" width="12" height="12" fill="{OUTCOMES[index]}" stroke="#1a202c"/>')
        body.append(_text(x + 18, line, name))
    return _page(y + 32, body)


def boards(positions):
    """Up to four boards side by side: (caption, FEN)."""
    size, glyphs = 20, dict(zip("KQRBNPkqrbnp", "\u2654\u2655\u2656\u2657\u2658\u2659\u265a\u265b\u265c\u265d\u265e\u265f"))
    body = []
    for number, (caption, fen) in enumerate(positions):
        left = 10 + number * (8 * size + 20)
        rows = fen.split(" ")[0].split("[")[0].split("/")
        for rank, row in enumerate(rows):
            file = 0
            for sign in row:
                for _ in range(int(sign) if sign.isdigit() else 1):
                    fill = "#f0d9b5" if (file + rank) % 2 == 0 else "#b58863"
                    x, y = left + file * size, TOP + rank * size
                    body.append(f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{fill}"/>')
                    if not sign.isdigit():
                        body.append(_text(x + size / 2, y + size - 4, glyphs[sign], "middle", 'font-size="17"'))
                    file += 1
        for line, words in enumerate(caption):
            body.append(_text(left, TOP + 8 * size + 16 + 15 * line, words))
    return _page(TOP + 8 * size + 16 + 15 * max(len(caption) for caption, _ in positions), body)

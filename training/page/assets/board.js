// The board with both reserves: shows a position and lets a person move, by drag and drop, by two
// clicks, or with the keyboard alone. A picture (SVG) lies under a grid of cells, which a screen
// reader reads.

import {element, make} from './dom.js';
import {colorName, isWhite, parseFen, parseMove, pieceNames, reserveOrder, squaresOf} from './position.js';
import {drawPiece, pieceIcon} from './pieces.js';

const dragFrom = 5;  // pixels

export class Board {
  // `play(moves)` is called with the legal moves (UCI) that a person's choice leaves: mostly one.
  constructor(root, play) {
    this.play = play;
    this.flipped = false;
    this.fen = '';
    this.legal = [];
    this.marked = [];
    this.arrows = [];
    this.selected = null;  // a source, as parseMove() names it
    this.at = 'e1';        // where the keyboard is
    const hand = () => element('div', root, {class: 'hand', role: 'group'});
    this.upper = hand();
    const box = element('div', root, {class: 'board-box'});
    this.lower = hand();
    this.picture = make('svg', {viewBox: '0 0 800 800', 'aria-hidden': 'true'}, box);
    this.grid = element('div', box, {class: 'grid', role: 'grid', 'aria-label': 'Board, arrow keys move'});
    this.cells = [];
    for (let row = 0; row < 8; ++row) {
      const made = element('div', this.grid, {role: 'row'});
      for (let column = 0; column < 8; ++column) {
        this.cells.push(element('div', made, {role: 'gridcell', tabindex: -1, class: 'cell'}));
      }
    }
    this.grid.addEventListener('keydown', event => this.key(event));
    root.addEventListener('click', event => this.click(event));
    root.addEventListener('pointerdown', event => this.press(event));
    root.addEventListener('keydown', event => { if (event.key === 'Escape') this.select(null); });
  }

  // `legal`: the moves (UCI) that a person may make now; `last`: the move before.
  show({fen, legal = [], last = null}) {
    this.fen = fen;
    this.legal = legal;
    this.marked = last ? squaresOf(last) : [];
    this.selected = null;
    this.draw();
  }
  setArrows(arrows) {  // [{uci, weight}], the best first
    this.arrows = arrows;
    this.drawArrows();
  }
  flip(flipped) {
    this.flipped = flipped;
    this.draw();
  }

  squareOf(i) {
    const at = this.flipped ? 63 - i : i;
    return 'abcdefgh'[at % 8] + (8 - Math.floor(at / 8));
  }
  cellOf(square) {
    const at = 'abcdefgh'.indexOf(square[0]) + 8 * (8 - square[1]);
    return this.cells[this.flipped ? 63 - at : at];
  }
  corner(square) {  // of the square in the picture
    const i = this.cells.indexOf(this.cellOf(square));
    return {x: 100 * (i % 8), y: 100 * Math.floor(i / 8)};
  }
  movesFrom(source) { return this.legal.filter(uci => parseMove(uci).source === source); }
  targets() { return this.selected ? this.movesFrom(this.selected).map(uci => parseMove(uci).to) : []; }

  select(source) {
    this.selected = source;
    this.draw();
  }
  // What a click on the square means. True: a move was made.
  activate(square) {
    const moves = this.selected ? this.movesFrom(this.selected).filter(uci => parseMove(uci).to === square) : [];
    if (moves.length > 0) {
      this.select(null);
      this.play(moves);
      return true;
    }
    this.select(this.selected !== square && this.movesFrom(square).length > 0 ? square : null);
    return false;
  }

  sourceAt(target) {
    const place = target.closest?.('[data-square], [data-hand]');
    return place?.dataset.hand ?? place?.dataset.square;
  }
  click(event) {
    if (this.dragged) {  // the end of a drag
      this.dragged = false;
      return;
    }
    const source = this.sourceAt(event.target);
    if (!source) return;
    if (source[1] !== '@') {
      this.focusOn(source);
      this.activate(source);
      return;
    }
    if (!this.movesFrom(source).length) return;
    this.select(this.selected === source ? null : source);
    const byKeyboard = event.detail === 0;
    if (byKeyboard && this.selected) this.focusOn(this.targets().sort()[0]);
  }
  key(event) {
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8};
    const i = this.cells.indexOf(this.cellOf(this.at));
    if (event.key in steps) {
      const to = i + steps[event.key];
      const wraps = Math.abs(steps[event.key]) === 1 && Math.floor(to / 8) !== Math.floor(i / 8);
      if (to >= 0 && to < 64 && !wraps) this.focusOn(this.squareOf(to));
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.activate(this.at);
    } else {
      return;
    }
    event.preventDefault();
  }
  focusOn(square) {
    this.at = square;
    this.drawCells();
    this.cellOf(square).focus();
  }

  press(event) {
    this.dragged = false;
    const source = this.sourceAt(event.target);
    if (!source || event.button !== 0 || this.movesFrom(source).length === 0) return;
    const start = {x: event.clientX, y: event.clientY};
    const letter = source[1] === '@' ? event.target.closest('[data-letter]').dataset.letter : parseFen(this.fen).pieces[source];
    let ghost = null;
    const move = now => {
      if (!ghost && Math.hypot(now.clientX - start.x, now.clientY - start.y) < dragFrom) return;
      if (!ghost) {
        ghost = pieceIcon(document.body, letter);
        ghost.classList.add('ghost');
        ghost.style.width = this.grid.clientWidth / 8 + 'px';
        this.select(source);
      }
      ghost.style.left = now.clientX + 'px';
      ghost.style.top = now.clientY + 'px';
    };
    const end = now => {
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', end);
      document.removeEventListener('pointercancel', end);
      if (!ghost) return;
      ghost.remove();
      this.dragged = true;
      setTimeout(() => { this.dragged = false; });
      const to = now.type === 'pointerup' && this.sourceAt(document.elementFromPoint(now.clientX, now.clientY) ?? document.body);
      if (to && this.targets().includes(to)) this.activate(to);
      else this.select(null);
    };
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
  }

  draw() {
    if (!this.fen) return;
    this.position = parseFen(this.fen);
    this.drawPicture();
    this.drawCells();
    this.drawHand(this.upper, this.flipped ? 'w' : 'b');
    this.drawHand(this.lower, this.flipped ? 'b' : 'w');
  }
  drawPicture() {
    const svg = this.picture, targets = this.targets();
    svg.replaceChildren();
    for (let i = 0; i < 64; ++i) {
      const square = this.squareOf(i), x = 100 * (i % 8), y = 100 * Math.floor(i / 8);
      const dark = (i + Math.floor(i / 8)) % 2 === 1;
      const fill = dark ? 'square dark' : 'square light';
      make('rect', {class: fill, x, y, width: 100, height: 100}, svg);
      if (this.marked.includes(square)) make('rect', {class: 'moved', x, y, width: 100, height: 100}, svg);
      if (this.selected === square) make('rect', {class: 'selected', x, y, width: 100, height: 100}, svg);
      const ink = dark ? 'coordinate on-dark' : 'coordinate on-light';
      if (i % 8 === 0) make('text', {class: ink, x: x + 5, y: y + 24}, svg).textContent = square[1];
      if (i >= 56) make('text', {class: ink, x: x + 82, y: y + 94}, svg).textContent = square[0];
      const piece = this.position.pieces[square];
      if (piece) drawPiece(svg, piece, x + 4, y + 4, 92);
      if (targets.includes(square)) {
        make('circle', {class: 'target', cx: x + 50, cy: y + 50, r: piece ? 44 : 16, 'data-ring': piece ? 1 : 0}, svg);
      }
    }
    this.arrowLayer = make('g', {}, svg);
    this.drawArrows();
  }
  drawArrows() {
    if (!this.arrowLayer) return;
    this.arrowLayer.replaceChildren();
    this.arrows.forEach(({uci}, i) => {
      const name = 'arrow' + (i === 0 ? ' best' : '');
      const squares = squaresOf(uci).map(square => this.corner(square));
      const to = {x: squares.at(-1).x + 50, y: squares.at(-1).y + 50};
      if (squares.length === 1) {
        make('circle', {class: name + ' ring', cx: to.x, cy: to.y, r: 42}, this.arrowLayer);
        make('text', {class: name + ' letter', x: to.x, y: to.y + 18}, this.arrowLayer).textContent = uci[0];
        return;
      }
      const from = {x: squares[0].x + 50, y: squares[0].y + 50};
      const length = Math.hypot(to.x - from.x, to.y - from.y), dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
      const neck = {x: to.x - 40 * dx, y: to.y - 40 * dy};
      make('path', {class: name, d: `M${from.x} ${from.y}L${neck.x} ${neck.y}`}, this.arrowLayer);
      make('path', {class: name + ' head', d: `M${to.x} ${to.y}L${neck.x - 22 * dy} ${neck.y + 22 * dx}L${neck.x + 22 * dy} ${neck.y - 22 * dx}Z`}, this.arrowLayer);
    });
  }
  drawCells() {
    const targets = this.targets();
    this.cells.forEach((cell, i) => {
      const square = this.squareOf(i), piece = this.position.pieces[square];
      const movable = this.movesFrom(square).length > 0;
      const words = [square, piece ? (isWhite(piece) ? 'white ' : 'black ') + pieceNames[piece.toUpperCase()] : 'empty'];
      if (targets.includes(square)) words.push('possible target');
      else if (movable) words.push('can move');
      if (this.marked.includes(square)) words.push('last move');
      cell.dataset.square = square;
      cell.setAttribute('aria-label', words.join(', '));
      cell.setAttribute('aria-selected', this.selected === square);
      cell.tabIndex = square === this.at ? 0 : -1;
      cell.classList.toggle('movable', movable || targets.includes(square));
    });
  }
  drawHand(hand, side) {
    const own = this.position.reserves[side];
    const isMovable = kind => side === this.position.turn && this.movesFrom(kind + '@').length > 0;
    const kinds = reserveOrder.filter(kind => own[kind]);
    const shown = side + kinds.map(kind => kind + own[kind] + isMovable(kind));
    if (hand.dataset.shown !== shown) {  // a button that is held or focused stays
      hand.dataset.shown = shown;
      hand.setAttribute('aria-label', colorName(side) + '’s reserve');
      hand.replaceChildren();
      for (const kind of kinds) this.addToHand(hand, side, kind, own[kind], isMovable(kind));
      if (kinds.length === 0) element('span', hand, {class: 'muted'}, 'reserve empty');
    }
    for (const button of hand.children) {
      if (button.dataset.hand) button.setAttribute('aria-pressed', this.selected === button.dataset.hand);
    }
  }
  addToHand(hand, side, kind, count, movable) {
    const letter = side === 'w' ? kind : kind.toLowerCase();
    const name = pieceNames[kind] + (count > 1 ? 's' : '');
    const button = element('button', hand, {type: 'button', class: 'in-hand', 'data-letter': letter,
      'aria-label': colorName(side) + '’s reserve: ' + count + ' ' + name});
    if (movable) button.dataset.hand = kind + '@';
    button.disabled = !movable;
    pieceIcon(button, letter);
    if (count > 1) element('span', button, {'aria-hidden': true}, count);
  }
}

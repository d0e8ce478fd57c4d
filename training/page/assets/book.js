// An opening book, to browse: a position, what the book's moves are worth there, and where they lead.

import {Board} from './board.js';
import {element, make} from './dom.js';
import {MoveList} from './moves.js';
import {colorName, outcomeNames, parseFen} from './position.js';
import {drawSunburst} from './sunburst.js';

const rings = 3, fadesOver = 0.5;  // points lost

const files = 'abcdefgh';
const mirrorFiles = text => text.replace(/[a-h]/g, file => files[7 - files.indexOf(file)]);
const mirrorUci = uci => uci[4] && uci[4] !== ',' ? mirrorFiles(uci.slice(0, 4)) + uci.slice(4) : mirrorFiles(uci);
function mirrorFen(fen) {
  const [places, turn, castling, passed, ...clocks] = fen.split(' '), [board, ...reserves] = places.split('[');
  const rows = board.split('/').map(row => [...row].reverse().join(''));
  return [[rows.join('/'), ...reserves].join('['), turn, castling, mirrorFiles(passed), ...clocks].join(' ');
}
const two = points => points.toFixed(2);
const bounds = ({low, high}) => '[' + two(low) + ', ' + two(high) + ']';
const percentage = share => (100 * share).toFixed(share < 0.1 ? 1 : 0) + ' %';

export class BookView {
  // `load(id)` gives a promise of positions by number, among them that one and those of the next plies.
  constructor(root, load) {
    this.load = load;
    this.nodes = new Map();
    const columns = element('div', root, {class: 'book'});
    this.board = new Board(element('section', columns, {'aria-label': 'Board'}), ([uci]) => this.play(uci));
    const side = element('div', columns, {class: 'book-side'});
    const buttons = element('div', side, {class: 'bar'});
    for (const [text, name, act] of [['|◀', 'To the start', () => this.go(0)], ['◀', 'Back', () => this.go(this.ply - 1)],
      ['▶', 'The best move', () => this.play(this.moves()[0]?.uci)], ['Flip the board', 'Flip the board', () => this.board.flip(!this.board.flipped)]]) {
      element('button', buttons, {'aria-label': name}, text).onclick = act;
    }
    this.back = buttons.children[1];
    this.status = element('p', side, {role: 'status', class: 'book-status'});
    this.note = element('p', side, {class: 'muted'});
    this.path = new MoveList(element('ol', side, {'aria-label': 'Moves so far'}), to => this.go(to));
    this.table = element('table', element('div', side, {class: 'wide'}));
    this.line = element('p', side, {class: 'muted'});
    this.outcomes = element('p', side, {class: 'muted'});
    const figure = element('figure', columns, {class: 'book-figure'});
    element('figcaption', figure, {}, 'The next plies. The wider, the larger the share: for each 0.1 points that a move loses it is 2.7 times less. The paler, the more it loses.');
    this.sunburst = make('svg', {viewBox: '0 0 400 400', role: 'img', class: 'sunburst', 'aria-label': 'The next plies'}, figure);
    root.addEventListener('keydown', event => this.key(event));
  }

  // Shows the book from its start; `mirrored`: the start is the image of the first position.
  async show({mirrored}) {
    this.steps = [{id: 0, mirrored}];  // the positions on the way, the first the start
    this.played = [];                  // the moves between them, as MoveList shows them
    await this.go(0);
  }
  async go(ply) {
    if (ply < 0 || ply >= this.steps.length) return;
    const {id} = this.steps[ply];
    if (!this.nodes.get(id)?.whole) {
      for (const [number, node] of Object.entries(await this.load(id))) if (!this.nodes.get(+number)?.whole) this.nodes.set(+number, node);
      this.nodes.get(id).whole = true;
    }
    this.ply = ply;
    this.draw();
  }
  async play(uci) {
    const move = uci && this.legal().find(one => one.uci === uci);
    if (!move) return;
    const {fen} = this.here();
    this.steps.splice(this.ply + 1, Infinity, {id: move.to, mirrored: move.mirrored});
    this.played.splice(this.ply, Infinity, {uci: move.uci, san: move.san, before: fen});
    await this.go(this.ply + 1);
  }

  // A position as it stands on the board.
  seen({id, mirrored}) {
    const node = this.nodes.get(id);
    if (!node || !mirrored) return node;
    const move = one => one && {...one, uci: mirrorUci(one.uci), san: mirrorFiles(one.san), mirrored: !one.mirrored};
    return {...node, fen: mirrorFen(node.fen), moves: node.moves.map(move), others: move(node.others), line: node.line.map(mirrorFiles)};
  }
  here() { return this.seen(this.steps[this.ply]); }
  moves() { return this.here().moves; }
  // With the images of moves where the position is its own.
  legal() {
    const {fen, moves} = this.here();
    if (mirrorFen(fen) !== fen) return moves;
    return [...moves, ...moves.map(one => ({...one, uci: mirrorUci(one.uci), san: mirrorFiles(one.san), mirrored: !one.mirrored}))];
  }

  key(event) {
    if (event.defaultPrevented || event.target.closest('.grid')) return;
    const rows = [...this.table.querySelectorAll('button')], at = rows.indexOf(document.activeElement);
    const act = {ArrowDown: () => this.focusOn(at + 1), ArrowUp: () => this.focusOn(at - 1), ArrowLeft: () => this.go(this.ply - 1),
      ArrowRight: () => this.play((this.moves()[Math.max(at, 0)])?.uci), Home: () => this.go(0)}[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  focusOn(row) {
    const rows = this.table.querySelectorAll('button');
    (rows[Math.max(0, Math.min(rows.length - 1, row))] ?? this.back).focus();
  }

  draw() {
    const node = this.here(), side = colorName(parseFen(node.fen).turn);
    this.board.show({fen: node.fen, legal: this.legal().map(one => one.uci), last: this.played[this.ply - 1]?.uci});
    this.board.setArrows(node.moves.slice(0, 3));
    this.path.show(this.played, this.ply);
    this.status.textContent = 'White ' + two(node.value) + ', Black ' + two(10 - node.value) + ' of ten points' +
      (node.over ? ': the game is over' : '; White’s bounds ' + bounds(node));
    const more = node.others && node.others.lost <= 0.1 ? ' or more' : '';
    this.note.textContent = node.over ? '' : `${side} to move; within 0.05 points of the best: ${node.within[0]}, within 0.1: ${node.within[1]}${more}. Mirror images are one move.`;
    this.line.textContent = node.line.length ? 'Main line: ' + node.line.join(' ') : '';
    this.outcomes.textContent = 'At its end: ' + node.outcomes.map((share, i) => [outcomeNames[i], share]).reverse()
      .filter(([, share]) => share >= 0.005).map(([name, share]) => name + ' ' + (100 * share).toFixed(0) + ' %').join(', ');
    this.drawTable(node);
    drawSunburst(this.sunburst, this.parts(this.steps[this.ply], rings, []));
    this.sunburst.setAttribute('aria-label', 'The next plies: ' + node.moves.map(one => one.san + ' ' + percentage(one.share)).join(', '));
  }
  drawTable({moves, others}) {
    const hadFocus = this.table.contains(document.activeElement);
    this.table.replaceChildren();
    element('caption', this.table, {}, 'Moves of the book, and White’s points after them');
    const head = element('tr', element('thead', this.table));
    for (const name of ['move', 'points', 'bounds', '', 'share']) element(name ? 'th' : 'td', head, name ? {scope: 'col'} : {}, name);
    const body = element('tbody', this.table), all = others ? [...moves, others] : moves;
    const low = Math.min(...all.map(one => one.low)), high = Math.max(...all.map(one => one.high));
    for (const one of all) {
      const row = element('tr', body), first = element('td', row);
      if (one === others) first.textContent = `${others.count} other${others.count > 1 ? 's, best' : ''}: ${others.san}`;
      else element('button', first, {}, one.san).onclick = () => this.play(one.uci);
      for (const text of [two(one.value), bounds(one)]) element('td', row, {}, text);
      const picture = make('svg', {viewBox: '0 0 100 12', class: 'whisker', 'aria-hidden': 'true'}, element('td', row));
      const x = points => high > low ? 3 + 94 * (points - low) / (high - low) : 50;
      make('line', {x1: x(one.low), x2: x(one.high), y1: 6, y2: 6}, picture);
      make('circle', {cx: x(one.value), cy: 6, r: 3}, picture);
      element('td', row, {}, percentage(one.share));
    }
    if (hadFocus) this.focusOn(0);
  }
  // What the sunburst shows of a position, as far as it is known here. `way`: the moves before.
  parts(step, deep, way) {
    const node = deep > 0 && this.seen(step);
    return !node ? [] : node.moves.map(one => ({label: one.san, title: `${[...way, one.san].join(' ')}: ${two(one.value)} ${bounds(one)}, ${percentage(one.share)}`,
      share: one.share, shade: Math.max(0.15, 0.9 - one.lost / fadesOver), parts: this.parts({id: one.to, mirrored: one.mirrored}, deep - 1, [...way, one.san]),
      pick: () => this.follow([...way, one.san])}));
  }
  async follow(way) {
    for (const san of way) await this.play(this.moves().find(one => one.san === san)?.uci);
  }
}

// What the engine thinks of a position and of a whole game, and what it would be under other prices.

import {element, make} from './dom.js';
import {outcomeNames} from './position.js';
import {byId} from './server.js';

// Keys of a scoring table, by outcome; what a win pays is fixed.
const priceKeys = ['black_wins', 'white_stalemated', 'impasse_black_more', 'impasse_equal',
  'impasse_white_more', 'black_stalemated', 'white_wins'];
const graded = [1, 2, 3, 4, 5];
const restartAfter = 250;  // milliseconds after a slider's last move

const priced = (outcomes, prices) => outcomes.reduce((sum, share, i) => sum + share * prices[i], 0);
// What a tablebase knows of a line: "White wins in 5", the plies to the capture, pawn's move or end that makes it certain.
const exactly = line => outcomeNames[line.outcomes.indexOf(1)] + ' in ' + line.plies;
const isKnown = outcomes => outcomes.some(share => share > 0);

export class Analysis {
  // `onArrows` is given what the board should show; `onMove` a move (UCI) of a line.
  constructor(onArrows, onMove) {
    this.onArrows = onArrows;
    this.onMove = onMove;
    this.on = false;       // somebody looks
    this.wanted = true;    // the search runs while on
    this.where = null;     // {id, ply, prices, over}
    this.changed = null;   // prices other than the game's
    this.points = [];      // of the curve
    byId('analysis-run').onclick = () => this.want(!this.wanted || !this.source);
    byId('lines').onchange = () => this.restart();
    byId('curve-run').onclick = () => this.drawCurve();
    byId('prices-reset').onclick = () => { this.changed = null; this.price(); this.restart(); };
    this.addOutcomes();
    this.addSliders();
  }

  addOutcomes() {
    this.parts = outcomeNames.map((name, i) => {
      const part = element('span', byId('outcomes'), {class: 'outcome o' + i});
      const item = element('li', byId('legend'));
      byId('legend').prepend(item);  // White's wins first
      element('i', item, {class: 'o' + i});
      return {name, part, label: element('span', item)};
    });
  }
  addSliders() {
    this.sliders = graded.map(i => {
      const label = element('label', byId('sliders'));
      element('span', label, {}, outcomeNames[i]);
      const slider = element('input', label, {type: 'range', min: 0, max: 10, step: 0.1, name: priceKeys[i]});
      const value = element('output', label);
      slider.oninput = () => {
        this.changed = [...this.prices()];
        this.changed[i] = +slider.value;
        this.price();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.restart(), restartAfter);
      };
      return {i, slider, value};
    });
  }
  prices() { return this.changed ?? this.where?.prices ?? [0, 2, 3, 4, 7, 8, 10]; }

  // The position to look at: of a game, after so many moves; null: none.
  look(where) {
    const other = where?.id !== this.where?.id;
    this.where = where;
    if (other) {
      this.changed = null;
      this.points = [];
    }
    this.report = null;
    this.price();
    this.restart();
  }
  turn(on) {
    this.on = on;
    this.restart();
  }
  want(wanted) {
    this.wanted = wanted;
    this.restart();
  }

  close() {
    this.source?.close();
    this.source = null;
    byId('analysis-run').setAttribute('aria-pressed', 'false');
  }
  address(kind, parameters) {
    const table = this.changed && graded.map(i => priceKeys[i] + '=' + this.changed[i]).join(',');
    if (table) parameters.table = table;
    return '/api/games/' + this.where.id + '/' + kind + '?' + new URLSearchParams(parameters);
  }
  restart() {
    this.close();
    if (!this.on || !this.where) {
      this.onArrows([]);
      return;
    }
    if (this.where.over || !this.wanted) {
      byId('search-state').textContent = this.where.over ? 'the game is over' : '';
      this.onArrows([]);
      return;
    }
    byId('analysis-run').setAttribute('aria-pressed', 'true');
    byId('search-state').textContent = 'waiting …';
    const source = new EventSource(this.address('analysis', {ply: this.where.ply, lines: byId('lines').value}));
    this.source = source;
    source.addEventListener('report', event => {
      if (this.source !== source) return;
      this.report = JSON.parse(event.data);
      this.price();
    });
    const end = event => {
      if (this.source !== source) return;
      this.close();
      const error = event.data && JSON.parse(event.data).error;
      byId('search-state').textContent = error ?? 'stopped; “Search” goes on';
    };
    source.addEventListener('end', end);
    source.onerror = end;
  }

  // Shows what is known under the prices that hold now.
  price() {
    const prices = this.prices();
    for (const {i, slider, value} of this.sliders) {
      slider.value = prices[i];
      value.textContent = (+prices[i]).toFixed(1);
      slider.setAttribute('aria-valuetext', (+prices[i]).toFixed(1) + ' of ten points for White');
    }
    this.showValue(prices);
    this.showLines(prices);
    this.showCurve(prices);
  }
  showValue(prices) {
    const outcomes = this.report?.outcomes ?? [0, 0, 0, 0, 0, 0, 0];
    const points = !this.report ? null : isKnown(outcomes) ? priced(outcomes, prices) : this.report.points_white;
    byId('value').textContent = points === null ? '' :
      'White ' + points.toFixed(2) + ', Black ' + (10 - points).toFixed(2) + ' of ten points';
    this.parts.forEach(({name, part, label}, i) => {
      part.style.flexGrow = outcomes[i];
      label.textContent = name + ' ' + (100 * outcomes[i]).toFixed(0) + ' %';
    });
    byId('outcomes').setAttribute('aria-label', outcomeNames.map((name, i) => name + ' ' + (100 * outcomes[i]).toFixed(0) + ' %').reverse().join(', '));
  }
  showLines(prices) {
    const lines = this.report?.lines ?? [], list = byId('pv-lines');
    while (list.children.length > lines.length) list.lastChild.remove();
    // A line keeps its elements while the search goes on: a click or the focus on one would be lost with it.
    while (list.children.length < lines.length) {
      const item = element('li', list);
      for (const tag of ['b', 'i', 'button', 'span']) element(tag, item);
    }
    lines.forEach((line, i) => {
      const [value, exact, move, rest] = list.children[i].children, [first, ...others] = line.san.split(' ');
      const points = isKnown(line.outcomes) ? priced(line.outcomes, prices) : line.points_white;
      value.textContent = points.toFixed(2) + (line.proven ? '!' : '');
      exact.hidden = !line.plies;
      exact.textContent = line.plies ? exactly(line) : '';
      move.textContent = first;
      move.onclick = () => this.onMove(line.moves[0]);
      rest.textContent = others.slice(0, 9).join(' ') + (line.visits ? ' · ' + line.visits.toLocaleString('en') + ' visits' : '');
    });
    if (this.report) {
      byId('search-state').textContent = lines[0]?.plies ? 'exact: ' + exactly(lines[0]) : 'depth ' + this.report.depth + ', ' + this.report.nodes.toLocaleString('en') + ' nodes';
      this.onArrows(lines.map(line => ({uci: line.moves[0]})));
    }
  }

  drawCurve() {
    if (!this.where) return;
    this.close();
    this.points = [];
    const source = new EventSource(this.address('curve', {}));
    this.source = source;
    byId('search-state').textContent = 'evaluating the game …';
    source.addEventListener('report', event => {
      this.points.push(JSON.parse(event.data));
      this.showCurve(this.prices());
    });
    source.onerror = () => { if (this.source === source) this.close(); };
    source.addEventListener('end', () => { if (this.source === source) this.restart(); });
  }
  showCurve(prices) {
    const svg = byId('curve'), last = Math.max(1, this.points.length - 1);
    svg.replaceChildren();
    const height = points => 100 - 10 * points;
    make('line', {class: 'middle', x1: 0, x2: 300, y1: 50, y2: 50}, svg);
    const values = this.points.map(p => isKnown(p.outcomes) ? priced(p.outcomes, prices) : p.points_white);
    if (values.length === 0) return;
    const path = values.map((value, i) => (i ? 'L' : 'M') + 300 * i / last + ' ' + height(value)).join('');
    make('path', {class: 'area', d: path + `L${300 * (values.length - 1) / last} 100L0 100Z`}, svg);
    make('path', {class: 'line', d: path}, svg);
    if (this.where) make('line', {class: 'here', x1: 300 * this.where.ply / last, x2: 300 * this.where.ply / last, y1: 0, y2: 100}, svg);
    svg.setAttribute('aria-label', 'White’s expected points, from ' + values[0].toFixed(1) + ' at the start to ' + values.at(-1).toFixed(1) +
      ' after ' + (values.length - 1) + ' plies; lowest ' + Math.min(...values).toFixed(1) + ', highest ' + Math.max(...values).toFixed(1));
  }
}

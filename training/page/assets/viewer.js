// Finished games, to step through.

import {Board} from './board.js';
import {element} from './dom.js';
import {MoveList} from './moves.js';
import {spoken} from './position.js';

export class GameViewer {
  constructor(root) {
    this.games = [];
    this.chosen = null;  // the ID of a game that a person has chosen; null: the newest is shown
    const bar = element('div', root, {class: 'bar'});
    this.choice = element('select', element('label', bar, {}, 'Game '));
    this.choice.onchange = () => {
      this.chosen = this.choice.value;
      this.open(this.games[this.choice.selectedIndex]);
    };
    const columns = element('div', root, {class: 'viewer'});
    this.board = new Board(element('section', columns, {'aria-label': 'Board'}), () => {});
    const side = element('div', columns);
    const buttons = element('div', side, {class: 'bar'});
    for (const [text, name, to] of [['|◀', 'To the start', () => 0], ['◀', 'Back', () => this.ply - 1],
      ['▶', 'Forward', () => this.ply + 1], ['▶|', 'To the end', () => Infinity]]) {
      element('button', buttons, {'aria-label': name}, text).onclick = () => this.go(to());
    }
    element('button', buttons, {}, 'Flip the board').onclick = () => this.board.flip(!this.board.flipped);
    this.status = element('p', side, {role: 'status'});
    this.list = new MoveList(element('ol', side, {'aria-label': 'Moves'}), to => this.go(to));
    root.addEventListener('keydown', event => this.key(event));
  }

  // Arrow keys step, but where they already mean something: on the board and in the choice.
  key(event) {
    const to = {ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: Infinity}[event.key];
    if (to === undefined || !this.game || event.defaultPrevented || event.target.closest('select, .grid')) return;
    event.preventDefault();
    this.go(to);
  }

  // [{id, title, result, fens, moves, san}], the newest first. The game that was chosen stays.
  show(games) {
    const names = games.map(game => game.id).join();
    if (names === this.names) return;
    this.names = names;
    this.games = games;
    this.choice.replaceChildren();
    for (const {id, title} of games) element('option', this.choice, {value: id}, title);
    const kept = games.find(game => String(game.id) === this.chosen);
    if (kept) this.choice.value = this.chosen;
    else this.open(games[0]);
  }
  open(game) {
    this.game = game;
    this.plies = game.moves.map((uci, i) => ({uci, san: game.san[i], before: game.fens[i]}));
    this.go(Infinity);
  }
  go(to) {
    const last = this.plies.length;
    this.ply = Math.max(0, Math.min(last, to));
    const played = this.ply > 0 ? this.plies[this.ply - 1] : null;
    this.board.show({fen: this.game.fens[this.ply], last: played?.uci});
    this.list.show(this.plies, this.ply);
    this.status.textContent = 'Position ' + this.ply + ' of ' + last + (played ? '. ' + spoken(played.uci, played.before) : '') +
      (this.ply === last ? '. ' + this.game.result : '');
  }
}

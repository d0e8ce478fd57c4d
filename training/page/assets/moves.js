// The list of a game's moves, to jump in.

import {element} from './dom.js';
import {parseFen, spoken} from './position.js';

export class MoveList {
  // `go(ply)` is called where a person wants the position after so many moves.
  constructor(list, go) {
    this.list = list;
    this.go = go;
    list.classList.add('moves');
    list.addEventListener('keydown', event => {
      const to = {ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 1, End: this.plies.length}[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.go(to);
    });
  }

  // `plies`: [{uci, san, before}], `before` the FEN in which it is played; `ply`: how many stand on the board.
  show(plies, ply) {
    this.plies = plies;
    this.ply = ply;
    const focused = this.list.contains(document.activeElement);
    this.list.replaceChildren();
    let item = null, turnBefore = 'b';  // a turn with a card has several plies
    plies.forEach(({uci, san, before}, i) => {
      const {turn, number} = parseFen(before);
      if (!item || (turn === 'w' && turnBefore === 'b')) item = element('li', this.list, {}, number + (turn === 'w' ? '. ' : '… '));
      turnBefore = turn;
      const button = element('button', item, {'aria-label': spoken(uci, before), tabindex: i + 1 === Math.max(1, ply) ? 0 : -1}, san);
      if (i + 1 === ply) button.setAttribute('aria-current', 'true');
      button.onclick = () => this.go(i + 1);
    });
    const current = this.list.querySelector('[aria-current]');
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    if (focused) this.list.querySelector('[tabindex="0"]')?.focus();
  }
}

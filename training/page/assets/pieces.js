// The pieces, drawn for this page, as symbols of an SVG.

import {make} from './dom.js';
import {isWhite} from './position.js';

const foot = '<path d="M24 82h52v10h-52z"/>';
const shapes = {
  P: '<path d="M34 82C34 66 44 62 45 46H55C56 62 66 66 66 82Z"/><circle cx="50" cy="34" r="14"/>' + foot,
  N: '<path d="M34 82C34 62 48 60 46 48C38 52 34 60 26 60C20 56 19 50 24 43C30 34 32 24 43 20L45 9L54 17C75 22 79 48 74 82Z"/>' +
    '<circle class="ink" cx="41" cy="32" r="3"/><path class="detail" d="M58 26C67 36 68 54 66 72"/>' + foot,
  B: '<path d="M38 62H62L67 82H33Z"/><path d="M50 20C69 34 71 50 60 62H40C29 50 31 34 50 20Z"/><circle cx="50" cy="14" r="6"/>' +
    '<path class="detail" d="M50 32V50M42 41H58"/>' + foot,
  R: '<path d="M26 18H38V27H45V18H55V27H62V18H74V40L66 48V70L74 82H26L34 70V48L26 40Z"/><path class="detail" d="M34 48H66M34 70H66"/>' + foot,
  Q: '<path d="M30 82L20 34L36 54L39 24L50 50L61 24L64 54L80 34L70 82Z"/><circle cx="20" cy="30" r="5"/><circle cx="39" cy="19" r="5"/>' +
    '<circle cx="61" cy="19" r="5"/><circle cx="80" cy="30" r="5"/><path class="detail" d="M31 70H69"/>' + foot,
  K: '<path d="M46 6H54V12H60V19H54V30H46V19H40V12H46Z"/><path d="M50 38C58 24 84 28 80 48C77 60 70 64 70 82H30C30 64 23 60 20 48C16 28 42 24 50 38Z"/>' +
    '<path class="detail" d="M50 38V66M31 70H69"/>' + foot,
};

// Puts the symbols into the document, once.
export function addPieces() {
  const svg = make('svg', {class: 'symbols', 'aria-hidden': 'true'}, document.body);
  for (const [letter, shape] of Object.entries(shapes)) {
    make('symbol', {id: 'piece-' + letter, viewBox: '0 0 100 100'}, svg).innerHTML = shape;
  }
}

// A piece at a place of an SVG; `letter` is a capital for White.
export function drawPiece(parent, letter, x = 0, y = 0, size = 100) {
  const color = isWhite(letter) ? 'white' : 'black';
  return make('use', {href: '#piece-' + letter.toUpperCase(), class: 'piece ' + color, x, y, width: size, height: size}, parent);
}

// A piece as an SVG of its own.
export function pieceIcon(parent, letter) {
  const svg = make('svg', {viewBox: '0 0 100 100', 'aria-hidden': 'true'}, parent);
  drawPiece(svg, letter);
  return svg;
}

// Positions and moves as the server writes them: FEN and UCI.

export const pieceNames = {K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn'};
export const reserveOrder = ['K', 'Q', 'R', 'B', 'N', 'P'];

// In the order of the seven outcomes, from Black's win to White's.
export const outcomeNames = ['Black wins', 'White stalemated', 'impasse, Black more', 'impasse, equal',
  'impasse, White more', 'Black stalemated', 'White wins'];

export const isWhite = letter => letter === letter.toUpperCase();
export const colorName = side => side === 'w' ? 'White' : 'Black';

// A deck tells bishops by their squares' colour.
const kindOf = sign => 'LD'.includes(sign.toUpperCase()) ? 'B' : sign.toUpperCase();

// {pieces: {e2: 'P', …}, reserves: {w: {N: 2, …}, b: {…}}, turn: 'w' or 'b', number}; White's
// letters are capitals on the board, all are in the reserves.
export function parseFen(fen) {
  const [places, turn, , , , number] = fen.split(' ');
  const pieces = {}, reserves = {w: {}, b: {}};
  places.split('[')[0].split('/').forEach((row, r) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += +sign;
      else pieces['abcdefgh'[file++] + (8 - r)] = sign;
    }
  });
  for (const sign of places.match(/\[([^\]]*)\]/)?.[1] ?? '') {
    const own = reserves[isWhite(sign) ? 'w' : 'b'], kind = kindOf(sign);
    own[kind] = (own[kind] ?? 0) + 1;
  }
  const [side, card] = turn.split('?');
  if (card) reserves[side] = {[kindOf(card)]: 1};  // the card in hand, which alone may be placed
  return {pieces, reserves, turn: side, number: +number};
}

// {source, to, more}: the source is a square, or a piece of the reserve as 'N@'; `more` is what is
// left to choose: a promotion, or the step of the pawn before a piece that enters.
export function parseMove(uci) {
  return {source: uci.slice(0, 2), to: uci.slice(2, 4), more: uci.slice(4)};
}

// The squares that a move touches.
export const squaresOf = uci => uci.match(/[a-h][1-8]/g)?.slice(0, uci[1] === '@' ? 1 : 2) ?? [];

// A move in words, played in the position of this FEN.
export function spoken(uci, fen) {
  const {source, to, more} = parseMove(uci), {pieces, turn} = parseFen(fen);
  const who = colorName(turn) + ': ';
  if (uci === 'draw') return who + 'draws a card';
  if (uci === 'pass') return who + 'cannot place the card and passes';
  if (uci[0] === '?') return who + 'the card is a ' + pieceNames[kindOf(uci[1])];
  if (source[1] === '@') {
    const step = more ? ', and the pawn before it goes from ' + more.slice(1, 3) + ' to ' + more.slice(3, 5) : '';
    return who + pieceNames[source[0]] + ' from the reserve to ' + to + step;
  }
  const piece = pieces[source], taken = pieces[to];
  if (taken && isWhite(taken) === isWhite(piece)) return who + 'castles with the rook on ' + to;
  return who + pieceNames[piece.toUpperCase()] + ' from ' + source + (taken ? ' takes ' + pieceNames[taken.toUpperCase()] + ' on ' : ' to ') + to +
    (more ? ', becomes a ' + pieceNames[more.toUpperCase()] : '');
}

// The page: one game on the server, looked at, played and analysed.

import {Analysis} from './analysis.js';
import {Board} from './board.js';
import {element} from './dom.js';
import {MoveList} from './moves.js';
import {addPieces} from './pieces.js';
import {colorName, parseFen, parseMove, pieceNames, spoken} from './position.js';
import {byId, choose, request} from './server.js';

const outcomeWords = {white_wins: 'White wins', black_wins: 'Black wins', stalemate_white_stalemated: 'White is stalemated',
  stalemate_black_stalemated: 'Black is stalemated', impasse_white_more: 'Impasse, White has more',
  impasse_equal: 'Impasse, equal material', impasse_black_more: 'Impasse, Black has more'};
const kept = 'sharpzero-game';  // in sessionStorage

let game = null;        // as the server describes it
let ply = 0;            // how many moves stand on the board
let analysing = false;
let playedSide = 'w';   // while analysing, when play goes on
let busy = false;       // the engine thinks
let withOptions = [];   // rule sets that take Chess#'s options
const legalAt = new Map();  // by ply, of this game as it is

const plies = () => game.plies.length;
const atEnd = () => ply === plies();
const fenAt = at => at === 0 ? game.start_fen : game.plies[at - 1].fen;

// What a game is made of, should the server have dropped it.
const recipe = () => ({rules: game.rules, network: game.network, side: game.side, fen: game.start_fen,
  moves: game.plies.map(p => p.uci).join(' '), ...strength(game)});
const strength = ({level, move_ms: ms}) => ms > 0 ? {move_ms: ms} : {level};

// A request about the game; the game is made anew where the server has dropped it.
async function ask(method, path, body) {
  try {
    return await request(method, '/games/' + game.id + path, body);
  } catch (error) {
    if (error.status !== 404) throw error;
    keep(await request('POST', '/games', recipe()));
    return request(method, '/games/' + game.id + path, body);
  }
}

// Runs an action of the person after those before it; what goes wrong is said.
let actions = Promise.resolve();
function attempt(action) {
  actions = actions.then(async () => {
    byId('error').textContent = '';
    try {
      await action();
    } catch (error) {
      byId('error').textContent = error.message;
      show();
    }
  });
  return actions;
}

function keep(next) {
  game = next;
  offer(game.rules);
  sessionStorage.setItem(kept, game.id);
  legalAt.clear();
  legalAt.set(plies(), game.moves);
}

// Takes what the server says of the game, goes to its end, and says the last move in words.
function take(next) {
  keep(next);
  ply = plies();
  say();
  show();
}

const points = white => 'White ' + white.toFixed(2) + ', Black ' + (10 - white).toFixed(2) + ' of ten points';
function say() {
  const words = [];
  if (ply > 0) words.push(spoken(game.plies[ply - 1].uci, fenAt(ply - 1)));
  if (!atEnd()) {
    words.push('Position ' + ply + ' of ' + plies());
  } else if (game.outcome !== 'ongoing') {
    words.push(outcomeWords[game.outcome] + (game.resigned ? ' by resignation' : game.fast_fifty ? ', agreed' : ''), points(game.points_white));
  } else {
    words.push(colorName(parseFen(fenAt(ply)).turn) + ' to move' + (game.engines_turn && !analysing ? ', thinking' : ''));
  }
  byId('status').textContent = words.join('. ') + '.';
}

function show() {
  const human = !busy && (analysing || (atEnd() && !game.engines_turn));
  const legal = human ? legalAt.get(ply) ?? [] : [];
  const offBoard = legal.find(uci => uci === 'draw' || uci === 'pass');
  byId('card-bar').hidden = !offBoard;
  byId('card').textContent = offBoard === 'pass' ? 'Pass: the card has no place' : 'Draw a card';
  byId('card').onclick = () => play([offBoard]);
  board.show({fen: fenAt(ply), legal, last: ply > 0 ? game.plies[ply - 1].uci : null});
  moveList.show(game.plies.map((played, i) => ({...played, before: fenAt(i)})), ply);
  const over = game.outcome !== 'ongoing';
  byId('undo').disabled = busy || plies() === 0;
  byId('hint').disabled = byId('resign').disabled = byId('fast-fifty').disabled = busy || over || game.engines_turn;
  byId('play-bar').hidden = analysing;
  byId('analysis').hidden = !analysing;
  byId('mode-play').setAttribute('aria-pressed', !analysing);
  byId('mode-analyse').setAttribute('aria-pressed', analysing);
}

async function go(to) {
  ply = Math.max(0, Math.min(plies(), to));
  if (analysing && !legalAt.has(ply)) {
    const at = ply, {moves} = await ask('GET', '/positions/' + at);
    legalAt.set(at, moves);
  }
  say();
  show();
  look();
}
function look() {
  analysis.look(analysing ? {id: game.id, ply, prices: game.table.points_white, over: atEnd() && game.outcome !== 'ongoing'} : null);
}

// The engine moves for as long as it is its turn, which a card that it draws does not end.
async function answer() {
  while (!analysing && game.engines_turn) {
    busy = true;
    show();
    try {
      const next = await ask('POST', '/answer');
      busy = false;
      take(next);
    } finally {
      busy = false;
    }
  }
}

// One of the moves, which differ in what a pawn becomes or how it steps; null: none.
function chooseMove(moves) {
  if (moves.length === 1) return moves[0];
  const isPromotion = parseMove(moves[0]).more.length === 1;
  return choose(isPromotion ? 'What does the pawn become?' : 'Which move?', moves.map(uci => {
    const {more} = parseMove(uci);
    return [uci, more.length === 1 ? pieceNames[more.toUpperCase()] : more ? 'and the pawn ' + more.slice(1, 3) + ' to ' + more.slice(3, 5) : 'the pawn stays'];
  }));
}

const play = moves => attempt(async () => {
  const uci = await chooseMove(moves);
  if (!uci) return show();
  take(await ask('POST', '/move', {move: uci, ply}));
  byId('board').querySelector('[tabindex="0"]').focus({preventScroll: true});
  look();
  await answer();
});

async function begin(asked) {
  const instead = game?.id ?? sessionStorage.getItem(kept) ?? '';
  const made = await request('POST', '/games', {...asked, instead});
  if (!analysing) playedSide = made.side;
  board.flipped = made.side === 'b' ? true : made.side === 'w' ? false : board.flipped;
  take(made);
  look();
  await answer();
}

async function setMode(toAnalysis) {
  if (analysing === toAnalysis) return;
  if (toAnalysis) playedSide = game.side;
  analysing = toAnalysis;
  take(await ask('POST', '/settings', {side: analysing ? 'none' : playedSide}));
  analysis.turn(analysing);
  look();
  await answer();
}

function chosenRules() {
  const name = byId('rules').value;
  if (!withOptions.includes(name)) return name;
  const options = [...byId('options').querySelectorAll('input:checked')].map(input => '+' + input.value).join('');
  const before = +byId('before').value;
  return name + (before > 0 ? options + '+before=' + before : options);
}
const chosenOpponent = () => ({network: byId('network').value, ...chosenStrength()});
function chosenStrength() {
  const [kind, value] = byId('level').value.split(' ');
  return kind === 'level' ? {level: +value} : {move_ms: +value};
}

async function copy(text, what) {
  byId('text').value = text;
  try {
    await navigator.clipboard.writeText(text);
    byId('copied').textContent = what + ' copied.';
  } catch {
    byId('text').select();
    byId('copied').textContent = what + ' stands in the field above, to be copied.';
  }
}

function load(text) {
  const rules = chosenRules(), side = 'none', given = text.trim();
  if (!given) throw new Error('expected a FEN or a PGN in the field');
  if (/^\s*\[|^\s*1\./m.test(given)) return {rules, side, pgn: given};
  const [fen, moves = ''] = given.split(' moves ');
  return {rules, side, fen, moves};
}

function wire() {
  const buttons = {
    'mode-play': () => setMode(false),
    'mode-analyse': () => setMode(true),
    undo: async () => { take(await ask('POST', '/undo')); await answer(); },
    resign: async () => take(await ask('POST', '/resign')),
    'fast-fifty': async () => {
      const answered = await ask('POST', '/fast_fifty');
      if (answered.accepted) return take(answered);
      byId('status').textContent = 'Your opponent declines: it does not expect what an impasse pays now.';
    },
    hint: async () => {
      const {move, san, points_white: white} = await ask('POST', '/hint');
      board.setArrows([{uci: move}]);
      byId('status').textContent = 'Try ' + spoken(move, fenAt(ply)) + ' (' + points(white) + '): ' + san;
    },
    first: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1), last: () => go(plies()),
    flip: () => board.flip(!board.flipped),
    load: () => begin({...load(byId('text').value), ...chosenOpponent()}),
    'copy-fen': () => copy(fenAt(ply), 'FEN'),
    'copy-pgn': async () => copy((await ask('GET', '/pgn')).pgn, 'PGN'),
    'copy-app-pgn': async () => copy((await ask('GET', '/pgn/app')).pgn, 'PGN'),
    'copy-link': () => {
      const where = new URLSearchParams({rules: game.rules, fen: fenAt(ply)});
      return copy(location.origin + '/#' + where, 'Link');
    },
  };
  for (const [id, action] of Object.entries(buttons)) byId(id).onclick = () => attempt(async () => action());
  byId('new-form').onsubmit = event => {
    event.preventDefault();
    attempt(async () => {
      if (analysing) await setMode(false);
      await begin({rules: chosenRules(), side: byId('side').value, ...chosenOpponent()});
    });
  };
  byId('level').onchange = () => attempt(async () => { keep(await ask('POST', '/settings', chosenStrength())); });
  byId('rules').onchange = () => { byId('options').hidden = !withOptions.includes(byId('rules').value); };
}

// Offers a game from a file by its title; its name is all of its rules.
function offer(rules) {
  if (rules.endsWith('}') && ![...byId('rules').options].some(known => known.value === rules)) {
    element('option', byId('rules'), {value: rules}, rules.split('{')[0]);
  }
}

async function fillForm() {
  const about = await request('GET', '/about');
  const option = (parent, value, text) => element('option', byId(parent), {value}, text);
  withOptions = about.rule_sets_with_options;
  for (const name of about.rule_sets) option('rules', name, name.replaceAll('_', ' '));
  const rated = elo => elo ? ', Elo ' + elo.toLocaleString('en') : '';
  option('network', '', 'the strongest');
  for (const {name, elo} of about.networks) option('network', name, name + rated(elo));
  byId('network').onchange = () => {
    const chosen = about.networks.find(one => one.name === byId('network').value) ?? about, before = byId('level').value;
    byId('level').replaceChildren();
    chosen.levels.forEach((budget, i) => option('level', 'level ' + (i + 1), 'level ' + (i + 1) + ': ' + budget.toLocaleString('en') + ' ' + chosen.unit + rated(chosen.elos[i])));
    byId('level').title = chosen.elos[0] ? 'Elo: ' + about.elo_scale : '';
    for (const ms of [500, 1000, 3000, 10000]) option('level', 'time ' + ms, ms / 1000 + ' s a move');
    byId('level').value = before || 'level 4';
  };
  byId('network').onchange();
  const [base, ...options] = about.rules.split('+');
  offer(base);
  byId('rules').value = base;
  byId('rules').onchange();
  for (const name of options) {
    const [key, value] = name.split('=');
    if (key === 'before') byId('before').value = value;
    else byId('options').querySelector(`[value="${key}"]`).checked = true;
  }
}

// The position of a link, a new game of the rules that it names, else the game that this tab had, else a new one.
async function start() {
  wire();
  await fillForm();
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has('fen')) {
    await begin({rules: link.get('rules') ?? chosenRules(), side: 'none', fen: link.get('fen'), moves: link.get('moves') ?? '', ...chosenOpponent()});
    history.replaceState(null, '', '/');
    return setMode(true);
  }
  if (link.has('play')) {
    history.replaceState(null, '', '/');
    await begin({rules: link.get('play'), side: 'w', ...chosenOpponent()});
    byId('rules').value = game.rules;
    return byId('rules').onchange();
  }
  const known = sessionStorage.getItem(kept);
  if (known) {
    try {
      take(await request('GET', '/games/' + known));
      playedSide = game.side;
      board.flip(game.side === 'b');
      return analyseWhereAsked();
    } catch (error) {
      if (error.status !== 404) throw error;
    }
  }
  await begin({rules: chosenRules(), side: 'w', ...chosenOpponent()});
  await analyseWhereAsked();
}
// Other pages link to the analysis.
function analyseWhereAsked() {
  if (location.hash !== '#analyse') return answer();
  history.replaceState(null, '', '/');
  return setMode(true);
}

addPieces();
const board = new Board(byId('board'), play);
const moveList = new MoveList(byId('moves'), to => attempt(() => go(to)));
const analysis = new Analysis(arrows => board.setArrows(arrows), uci => play([uci]));
start().catch(error => { byId('error').textContent = error.message; });

// The editor of a game of one's own: a file of keys that differ from those of a rule set.

import {Board} from './board.js';
import {element} from './dom.js';
import {addPieces} from './pieces.js';
import {outcomeNames} from './position.js';
import {attempt, byId, request} from './server.js';

const fileName = 'my_game.toml', kept = 'sharpzero-own-game';  // in sessionStorage
const titles = {setup: 'First position', placing: 'Placing', pawns: 'Pawns', kings: 'Kings', ends: 'Ends', points: 'Points'};
const controls = new Map();  // by "section.key": {input, get, set, error, section}
let keys = [];               // as the server lists them
let values = {}, standard = {};  // the game's and its base's, as the file has them, by "section.key"
let base = '';                   // the name whose values those are
let report = null, start = 0;    // what the server says of the game; which first position is shown
let asked = 0;                   // counts checks: only the newest is shown

// Runs what the person asked for after what was asked before; until all is done the page is busy.
let actions = Promise.resolve(), waiting = 0;
const inTurn = action => {
  const count = change => document.querySelector('main').setAttribute('aria-busy', (waiting += change) > 0);
  count(1);
  actions = actions.then(() => attempt(action)).finally(() => count(-1));
};

const nameOf = ({section, key}) => section + '.' + key;
// Keys that say the same as another where they are not given.
const parentOf = name => name === 'setup.black_reserve' ? 'setup.reserve' :
  /^placing\.(king|queen|rook|bishop|knight)$/.test(name) ? 'placing.squares' : null;
const isChanged = name => {
  const parent = parentOf(name);
  return values[name] !== (parent && isChanged(parent) ? values[parent] : standard[name]);
};

function fileText() {
  const lines = ['title = ' + JSON.stringify(byId('title').value), 'based_on = ' + JSON.stringify(byId('base').value)];
  let section = '';
  for (const one of keys.filter(each => isChanged(nameOf(each)))) {
    if (one.section !== section) lines.push('', '[' + (section = one.section) + ']');
    lines.push(one.key + ' = ' + values[nameOf(one)]);
  }
  return lines.join('\n') + '\n';
}

// The text's keys as far as each stands in a line of its own: [name, value], the value as it is written.
function linesOf(text) {
  let section = '';
  return text.split('\n').map(line => {
    section = line.match(/^\s*\[(\w+)\]/)?.[1] ?? section;
    const [, key, value] = line.match(/^\s*(\w+)\s*=\s*(.*?)\s*$/) ?? [];
    return [(section && section + '.') + key, value?.replaceAll('"', "'")];
  });
}
// Says what is wrong where the key stands.
function showError(message = '') {
  const said = message.replace(/^my_game\.toml(:\d+)?: /, ''), line = +(message.match(/^my_game\.toml:(\d+):/)?.[1] ?? 0);
  const named = [said.match(/([a-z]+\.[a-z_]+)[ :]/)?.[1], line ? linesOf(byId('text').value)[line - 1]?.[0] : ''].find(name => controls.has(name));
  for (const [name, {input, error, section}] of controls) {
    error.textContent = name === named ? said : '';
    input.setAttribute('aria-invalid', name === named);
    if (name === named && section) section.open = true;
  }
  byId('error').textContent = message;
  byId('play').disabled = Boolean(message);
}

function showReport() {
  const list = (id, lines) => byId(id).replaceChildren(...lines.map(line => Object.assign(document.createElement('li'), {textContent: line})));
  list('sentences', report.sentences);
  list('suspicious', report.suspicious.map(line => 'Suspicious: ' + line));
  const ends = report.outcomes.map((count, i) => count ? outcomeNames[i] + ' ' + count : '').filter(Boolean).reverse();
  byId('tried').textContent = `Of 100 random games, of ${report.plies.toFixed(0)} plies on average: ${ends.join(', ')}. Perft ${report.perft.map(n => n.toLocaleString('en')).join(', ')}.`;
  byId('another').hidden = report.starts === 1;
  showStart(0);
}
function showStart(number) {
  start = number % report.fens.length;
  board.show({fen: report.fens[start]});
  byId('where').textContent = report.starts === 1 ? '' : 'one of ' + report.starts.toLocaleString('en');
}

// Asks the server what it makes of the text. True: it is a game.
async function check() {
  const text = byId('text').value, number = ++asked;
  sessionStorage.setItem(kept, text);
  try {
    const found = await request('POST', '/game/check', {text});
    if (number !== asked) return false;
    report = found;
    showReport();
    showError();
    return true;
  } catch (error) {
    if (number === asked) showError(error.message);
    return false;
  }
}
function markChanges() {
  for (const [name, {label}] of controls) label.classList.toggle('changed', isChanged(name));
}

// Keys that said the same as this one go on saying it.
function setValue(name, value) {
  const before = values[name];
  values[name] = value;
  for (const [child, control] of controls) {
    if (parentOf(child) !== name || values[child] !== before) continue;
    values[child] = value;
    control.set(value);
  }
}
function showValues() {
  for (const [name, control] of controls) control.set(values[name]);
  markChanges();
}
// A control was changed: the text follows.
function change(name, value) {
  setValue(name, value);
  markChanges();
  byId('text').value = fileText();
  return check();
}
async function setBase(name) {
  standard = (await request('GET', '/game/file/' + encodeURIComponent(name))).values;
  values = {...standard};
  base = name;
}
// The text was changed: the controls follow, as far as it can be read.
async function takeText(text) {
  const said = linesOf(text), top = key => said.find(([name]) => name === key)?.[1]?.slice(1, -1);
  const basis = top('based_on') ?? 'chess_sharp';
  byId('text').value = text;
  byId('title').value = top('title') ?? 'my_game';
  byId('base').value = basis;
  if (byId('base').value !== basis) element('option', byId('base'), {value: basis, selected: true}, basis);
  const isGame = await check();
  await setBase(basis).catch(error => {
    base = '';
    if (isGame) throw error;
  });
  for (const [name, value] of said) if (controls.has(name)) setValue(name, value);
  if (isGame) values = {...report.values};
  showValues();
}

// What a value is written with: a choice of words, perhaps with a text for another value, a box, or a text.
function makeControl(parent, {expected}, attributes, onchange) {
  const words = expected.startsWith("'") ? expected.match(/'[^']*'/g) : [], isOpen = expected.includes(' or a ');
  if (expected === 'true or false') {
    const input = element('input', parent, {type: 'checkbox', ...attributes});
    input.onchange = onchange;
    return {input, get: () => String(input.checked), set: value => { input.checked = value === 'true'; }};
  }
  if (words.length === 0) {
    const input = element('input', parent, {type: 'text', spellcheck: false, autocomplete: 'off', ...attributes});
    const quote = expected.startsWith('letters') ? "'" : '';  // which the page does not show
    input.onchange = onchange;
    return {input, get: () => quote + input.value.trim() + quote || "''", set: value => { input.value = quote ? value.slice(1, -1) : value; }};
  }
  const input = element('select', parent, attributes), other = isOpen ? 'rows' : null;
  for (const word of words) element('option', input, {value: word}, word.slice(1, -1).replaceAll('_', ' '));
  if (!other) {
    input.onchange = onchange;
    return {input, get: () => input.value, set: value => { input.value = value; }};
  }
  element('option', input, {value: other}, 'rows of its own');
  const text = element('input', parent, {type: 'text', spellcheck: false, autocomplete: 'off', 'aria-label': 'its rows'});
  input.onchange = () => {
    text.hidden = input.value !== other;
    if (!text.hidden && !text.value) text.value = values['setup.rows'];
    onchange();
  };
  text.onchange = onchange;
  return {input, get: () => input.value === other ? text.value.trim() || "''" : input.value, set: value => {
    input.value = words.includes(value) ? value : other;
    text.hidden = input.value !== other;
    if (!text.hidden) text.value = value;
  }};
}
// What stands beside the control: not what it offers itself.
function helpOf({help, expected}) {
  const isOffered = expected === 'true or false' || (expected.startsWith("'") && !expected.includes(' or a '));
  return isOffered ? help : help + ': ' + expected;
}
function addKeys() {
  let section = null, last = null, told = null, help = '';  // where help stands that the next key may have too
  for (const each of keys) {
    if (each.section !== last) {
      section = element('details', byId('keys'));
      element('summary', section, {}, titles[last = each.section] ?? last);
      section.open = last === 'setup';
    }
    const name = nameOf(each), id = 'key-' + name.replace('.', '-'), row = element('div', section, {class: 'key'});
    const label = element('label', row, {for: id}, each.key), text = helpOf(each);
    const isNew = text !== told;
    if (isNew) [told, help] = [text, id + '-help'];
    const control = makeControl(row, each, {id, 'aria-describedby': help + ' ' + id + '-error'}, () => {
      const value = control.get();
      inTurn(() => change(name, value));
    });
    if (isNew) element('small', row, {id: help, class: 'muted'}, text);
    const error = element('small', row, {id: id + '-error', class: 'wrong'});
    controls.set(name, {...control, label, error, section});
  }
}

function wire() {
  byId('base').onchange = () => inTurn(async () => {
    if (byId('base').value === base) return;
    await setBase(byId('base').value);
    showValues();
    byId('text').value = fileText();
    await check();
  });
  byId('title').onchange = () => inTurn(() => {
    byId('text').value = fileText();
    return check();
  });
  byId('text').onchange = () => inTurn(() => takeText(byId('text').value));
  byId('another').onclick = () => showStart(start + 1);
  byId('game').onsubmit = event => {
    event.preventDefault();
    inTurn(async () => { if (await check()) location.href = '/#' + new URLSearchParams({play: report.name}); });
  };
  byId('save').onclick = () => {
    const url = URL.createObjectURL(new Blob([byId('text').value], {type: 'application/toml'}));
    const link = element('a', document.body, {href: url, download: fileName});
    link.click();
    link.remove();
    URL.revokeObjectURL(url);
  };
  byId('open').onclick = () => byId('file').click();
  byId('file').onchange = () => inTurn(async () => {
    const [file] = byId('file').files;
    if (file) await takeText(await file.text());
    byId('file').value = '';
  });
}

addPieces();
const board = new Board(byId('board'), () => {});
inTurn(async () => {
  const known = await request('GET', '/game/keys');
  keys = known.keys;
  for (const name of known.bases) element('option', byId('base'), {value: name}, name.replaceAll('_', ' '));
  addKeys();
  wire();
  byId('title').value = 'My game';
  await setBase(known.bases[0]);
  await takeText(sessionStorage.getItem(kept) ?? fileText());
});

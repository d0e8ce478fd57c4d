// Watches runs, starts, stops and continues them.

import {element} from './dom.js';
import {addPieces} from './pieces.js';
import {RunView} from './run.js';
import {attempt, byId, choose, request, said, watch} from './server.js';

const mostOthers = 3;
const known = new Map();  // by name, what the server said of a run
let overview = null;      // what runs, newest word
let shown = null;         // the name of the run that is shown
let awaited = null;       // the name of one that is to be shown when it is there
let busy = false, again = false;

const path = name => '/runs/' + encodeURIComponent(name);
const stateOf = name => overview.runs.find(run => run.name === name);
const others = () => [...byId('others').querySelectorAll('input:checked')].map(input => input.value).filter(name => name !== shown);

function time(seconds) {
  if (seconds < 90) return seconds.toFixed(0) + ' s';
  return seconds < 5400 ? (seconds / 60).toFixed(0) + ' min' : (seconds / 3600).toFixed(1) + ' h';
}

// Reads what is new of a run. True: there was something.
async function read(name) {
  const {generation, elapsed_s: elapsed} = stateOf(name), run = known.get(name);
  const newest = run?.metrics.at(-1);
  if (run && (newest?.generation ?? 0) === generation && (newest?.elapsed_s ?? 0) === elapsed) return false;
  if (!run || generation < (newest?.generation ?? 0)) {
    known.set(name, {...await request('GET', path(name)), name});
    return true;
  }
  const from = Math.max(0, run.metrics.length - 50);  // matches come later than their generation's other figures
  run.metrics.splice(from, Infinity, ...(await request('GET', path(name) + '/metrics/' + from)).records);
  if (name === shown) run.games = (await request('GET', path(name) + '/games')).games;
  return true;
}

// Brings the page up to date; one at a time, and once more where it was asked for meanwhile.
async function refresh(isOther = false) {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    showChoice();
    showState();
    if (!shown) return;
    const names = [shown, ...others()];
    let isNew = isOther || names.join('\n') !== view.names;
    for (const name of names) isNew = await read(name) || isNew;
    byId('view').hidden = false;
    if (isNew) view.show(names.map(name => known.get(name)));
    view.names = names.join('\n');
  } finally {
    busy = false;
    if (again) {
      again = false;
      setTimeout(() => attempt(refresh));
    }
  }
}

function showChoice() {
  const names = overview.runs.map(run => run.name);
  if (awaited && names.includes(awaited)) {
    shown = awaited;
    awaited = null;
  }
  if (!names.includes(shown)) shown = overview.runs.find(run => run.user)?.name ?? names[0] ?? null;
  if (byId('run').dataset.names !== names.join('\n')) {
    byId('run').dataset.names = names.join('\n');
    byId('run').replaceChildren();
    const checked = others();
    byId('others').querySelectorAll('label').forEach(label => label.remove());
    for (const name of names) {
      element('option', byId('run'), {value: name}, name);
      const box = element('input', element('label', byId('others')), {type: 'checkbox', value: name});
      box.after(' ' + name);
      box.checked = checked.includes(name);
      box.onchange = () => attempt(refresh);
    }
  }
  byId('run').value = shown ?? '';
  const full = others().length >= mostOthers;
  for (const box of byId('others').querySelectorAll('input')) box.disabled = box.value === shown || (full && !box.checked);
}

function showState() {
  const state = shown && stateOf(shown), job = overview.training;
  byId('stop').disabled = !state?.is_ours;
  byId('continue').disabled = !state || Boolean(state.user) || Boolean(job?.running);
  byId('start').querySelector('button').disabled = Boolean(job?.running);
  const who = !state?.user ? 'does not run' : state.is_ours ? 'runs, started here' : 'runs in process ' + state.user;
  byId('status').textContent = !state ? 'There is no run yet.' :
    `${shown} ${who}: generation ${state.generation}, ${state.games.toLocaleString('en')} games, ${time(state.elapsed_s)}.`;
  byId('said').textContent = job ? job.name + ': ' + said(job) : '';
}

function limit() {
  const unit = byId('limit').value;
  return unit ? {[unit]: +byId('many').value} : {};
}
// Does what the person has confirmed.
function act(title, word, where, body = {}) {
  return attempt(async () => {
    if (!await choose(title, [[true, word], [null, 'Cancel']])) return;
    const {configs, ...now} = await request('POST', where, body);
    overview = {...overview, ...now};
    if (overview.training?.running) awaited = overview.training.name;
    await refresh();
  });
}

addPieces();
const view = new RunView(byId('view'));
byId('run').onchange = () => attempt(() => {
  shown = byId('run').value;
  return refresh(true);
});
byId('stop').onclick = () => act('Stop ' + shown + '? It saves a checkpoint first.', 'Stop the run', path(shown) + '/stop');
byId('continue').onclick = () => act('Continue ' + shown + '? It takes the cores of this machine.', 'Continue the run', path(shown) + '/continue', limit());
byId('start').onsubmit = event => {
  event.preventDefault();
  const config = byId('config').value;
  act('Start a run of ' + config + '? It takes the cores of this machine.', 'Start the run', '/runs', {config, ...limit()});
};
attempt(async () => {
  const {configs, ...now} = await request('GET', '/runs');
  for (const config of configs) element('option', byId('config'), {value: config}, config);
  if (configs.includes('quick')) byId('config').value = 'quick';
  overview = now;
  await refresh();
  watch(next => {
    overview = next;
    attempt(refresh);
  });
});

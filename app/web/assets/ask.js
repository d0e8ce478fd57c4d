// Asks a network about the game, and shows its answers.

import {Answers} from './answers.js';
import {element} from './dom.js';
import {addPieces} from './pieces.js';
import {attempt, byId, request, said, watch} from './server.js';
import {GameViewer} from './viewer.js';

let job = null;  // the study that was started last

async function showAnswers() {
  const subject = byId('subject').value;
  const {studies, games = []} = await request('GET', '/studies/' + encodeURIComponent(subject));
  answers.show(studies);
  byId('played').hidden = games.length === 0;
  if (games.length > 0) viewer.show(games);
  const names = Object.keys(studies);
  if (!job?.running) byId('status').textContent = names.length ? subject + ' has answered: ' + names.join(', ') + '.' : subject + ' has not been asked yet.';
}

function showJob() {
  const running = Boolean(job?.running), [, done, all] = /(\d+) of (\d+) games/.exec(job?.line ?? '') ?? [];
  byId('stop').disabled = !running;
  byId('question').querySelector('.main').disabled = running;
  byId('progress').hidden = !running;
  byId('progress').value = all ? done / all : 0;
  byId('said').textContent = said(job);
  if (running) byId('status').textContent = job.name + ' plays for “' + job.study + '” …';
}
// What the server says of the study; when it is over, its answer is shown.
async function take(now) {
  const ended = job?.running && !now?.running;
  job = now;
  showJob();
  if (ended) {
    byId('subject').value = job.name;
    await showAnswers();
  }
}

function chosen() {
  const study = byId('study').value, more = study === 'scoring' ? {table: byId('table').value.trim(), fair: byId('fair').value, play: byId('play').checked} : {};
  if (byId('simulations').value) more.simulations = +byId('simulations').value;
  return {study, games: +byId('games').value, ...more};
}

addPieces();
const answers = new Answers(byId('answers')), viewer = new GameViewer(byId('played'));
answers.show({});
byId('study').onchange = () => { byId('scoring').hidden = byId('study').value !== 'scoring'; };
byId('subject').onchange = () => attempt(showAnswers);
byId('question').onsubmit = event => {
  event.preventDefault();
  attempt(async () => take((await request('POST', '/studies/' + encodeURIComponent(byId('subject').value), chosen())).study));
};
byId('stop').onclick = () => attempt(() => request('DELETE', '/studies'));
attempt(async () => {
  const {subjects, keys, study} = await request('GET', '/studies');
  for (const name of subjects) element('option', byId('subject'), {value: name}, name);
  for (const key of keys) element('option', byId('fair'), {value: key}, key);
  if (study) byId('subject').value = study.name;
  await take(study);
  if (subjects.length > 0) await showAnswers();
  watch(next => attempt(() => take(next.study)));
});

// What all pages share: requests, and questions to the person.

import {element} from './dom.js';

export const byId = id => document.getElementById(id);

// The answer to a request of the API; throws what it says is wrong, with its status.
export async function request(method, path, body) {
  const options = {method, headers: {}};
  if (body) {
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(body);
  }
  const reply = await fetch('/api' + path, options);
  const json = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(json.error), {status: reply.status});
  return json;
}

// Asks in the dialog `choice`; the value of the button that was pressed, [value, text] each; null: none.
export function choose(title, answers) {
  const dialog = byId('choice'), bar = dialog.querySelector('.bar');
  return new Promise(resolve => {
    byId('choice-title').textContent = title;
    bar.replaceChildren();
    for (const [value, text] of answers) {
      element('button', bar, {type: 'button'}, text).onclick = () => {
        resolve(value);
        dialog.close();
      };
    }
    dialog.onclose = () => { if (!dialog.open) resolve(null); };  // it may be open again
    dialog.showModal();
  });
}

// Runs what a person asked for; what goes wrong is said.
export async function attempt(action) {
  byId('error').textContent = '';
  try {
    await action();
  } catch (error) {
    byId('error').textContent = error.message;
  }
}

// Calls `take` with what runs on the server, now and whenever it changes.
export function watch(take) {
  const source = new EventSource('/api/watch');
  source.addEventListener('report', event => take(JSON.parse(event.data)));
  source.addEventListener('end', event => {
    source.close();
    const {error} = JSON.parse(event.data);
    if (error) byId('error').textContent = error;
    setTimeout(() => watch(take), error ? 10000 : 100);
  });
}

// How a job stands, in words; empty where there was none.
export function said(job) {
  if (!job) return '';
  if (job.running) return job.line;
  return job.code === 0 ? 'finished' : job.code === 130 ? 'stopped' : 'failed: ' + job.line;
}

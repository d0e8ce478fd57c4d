// The findings that come with the program: docs/findings.md, by marked, which a script before this one has loaded.

import {attempt, byId} from './server.js';

// Other documents are not here: what was a link to one is its text alone.
function withoutOtherPages(article) {
  for (const link of article.querySelectorAll('a')) {
    if (!link.getAttribute('href').startsWith('#')) link.replaceWith(...link.childNodes);
  }
}

// Tables scroll on a narrow screen, by keys too.
function scrolling(table) {
  const box = document.createElement('div');
  box.className = 'wide';
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', [...table.querySelectorAll('th')].map(head => head.textContent).join(', '));
  table.replaceWith(box);
  box.append(table);
}

attempt(async () => {
  const reply = await fetch('findings.md');
  if (!reply.ok) throw new Error('the findings cannot be read');
  const article = byId('findings');
  const text = (await reply.text()).replace(/^(#+) /gm, '#$1 ');  // the page has its own first heading
  article.innerHTML = marked.parse(text);
  withoutOtherPages(article);
  article.querySelectorAll('table').forEach(scrolling);
});

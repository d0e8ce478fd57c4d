// The opening book that the server has.

import {BookView} from './book.js';
import {addPieces} from './pieces.js';
import {attempt, byId, request} from './server.js';

addPieces();
attempt(async () => {
  const {book} = await request('GET', '/book');
  byId('about').textContent = book?.text ?? 'There is no book here. “sharpzero book --out DIR” grows one, “sharpzero serve --book DIR” shows it.';
  if (book) await new BookView(byId('book'), id => request('GET', '/book/' + id)).show(book);
});

// The frame of every page of the site: header, book on the left, contents of the page on the right.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const list = (items) => `<ul>${items.join('')}</ul>`;
const current = (is) => (is ? ' aria-current="page"' : '');

/** Side bar: the pages of the book, by part. `book`: [{heading, pages: [{title, file}]}]. */
function bookBar(book, file, up) {
  const part = ({ heading, pages }) => {
    const items = pages.map(
      (page) => `<li><a href="${up}${page.file}"${current(page.file === file)}>${escaped(page.title)}</a></li>`,
    );
    return `<h2>${escaped(heading)}</h2>${list(items)}`;
  };
  return `<aside class="book" id="book" aria-label="Book">${book.map(part).join('')}</aside>`;
}

/** Contents of a page: its headings of two levels, where there are at least three. */
function contentsBar(headings) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 3) return '';
  const item = ({ level, anchor, html }) =>
    `<li${level === 3 ? ' class="deep"' : ''}><a href="#${anchor}">${html}</a></li>`;
  return `<aside class="contents" aria-label="On this page"><h2>On this page</h2>${list(shown.map(item))}</aside>`;
}

/** Links to the pages before and after. */
function turn(before, after, up) {
  const link = (page, name, rel) =>
    page ? `<a href="${up}${page.file}" rel="${rel}"><small>${name}</small>${escaped(page.title)}</a>` : '';
  return `<nav class="turn" aria-label="Pages">${link(before, 'Before', 'prev')}${link(after, 'Next', 'next')}</nav>`;
}

/**
 * Returns a writer of pages into the folder `out`:
 * `write({file, title, content, headings?, before?, after?, isInBook?})`. `parts`: [file, name] of the header.
 */
export function pageWriter({ out, parts, book }) {
  return ({ file, title, content, headings = [], before, after, isInBook = false }) => {
    const up = '../'.repeat(file.split('/').length - 1);
    const own = (target) => target === file || (isInBook && target === 'docs/README.html');
    const links = parts.map(([target, name]) => `<a href="${up}${target}"${current(own(target))}>${name}</a>`).join('');
    const page = `<!doctype html>
<html lang="en"${isInBook ? ' class="has-book"' : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title><link rel="stylesheet" href="${up}style.css"><script src="${up}page.js"></script></head>
<body><header><button id="book-button" aria-expanded="false" aria-controls="book">Pages</button><nav aria-label="Site">${links}</nav>
<search><input type="search" aria-label="Search the book" placeholder="Search ( / )" disabled><ul></ul></search><button id="theme" hidden></button></header>
<div class="frame">${isInBook ? bookBar(book, file, up) : ''}<main>
${content}
${before || after ? turn(before, after, up) : ''}
</main>${contentsBar(headings)}</div></body></html>
`;
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), page);
  };
}

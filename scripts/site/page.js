// For every page of the site: theme, side bar of narrow screens, search, copies of code. Pages can be read without it.
const site = new URL('.', document.currentScript.src);
const root = document.documentElement;

/** The reader's choice, else that of the system. */
const wished = () => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null; // storage is switched off
  }
};
const isDark = () => (wished() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const showTheme = () => (root.dataset.theme = isDark() ? 'dark' : 'light');
showTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);

function themeButton() {
  const button = document.getElementById('theme');
  const name = () => (button.textContent = root.dataset.theme === 'dark' ? 'Light' : 'Dark');
  name();
  button.hidden = false;
  button.onclick = () => {
    const theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', theme);
    } catch {} // the choice holds for this page only
    root.dataset.theme = theme;
    name();
  };
}

function bookButton() {
  const button = document.getElementById('book-button');
  const book = document.querySelector('.book');
  if (!book) return;
  button.onclick = () => button.setAttribute('aria-expanded', String(book.classList.toggle('open')));
  book.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
  scrollTo(0, location.hash ? scrollY : 0);
}

/** Each code block gets a button; of a console, the commands are copied, not what they print. */
function copyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.textContent = 'Copy';
    button.onclick = async () => {
      const text = block.querySelector('code').textContent;
      const commands = [...text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command]) => command);
      await navigator.clipboard.writeText(commands.length > 0 ? commands.join('\n') : text);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    };
    block.append(button);
  }
}

const load = (file) =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: new URL(file, site).href, onload: resolve });
    script.onerror = () => reject(new Error(`${file} cannot be loaded`));
    document.head.append(script);
  });

/** Index over the sections of the book; loaded when the reader first turns to the field. */
let index;
async function searchIndex() {
  await Promise.all([load('minisearch.js'), load('sections.js')]);
  const fields = ['heading', 'page', 'text'];
  const found = new MiniSearch({
    fields,
    processTerm: (term) => (term.length > 2 || /\d/.test(term) ? term.toLowerCase() : null), // not "of", "a", "is"
    storeFields: ['heading', 'page', 'address', 'text'],
    searchOptions: { prefix: true, fuzzy: 0.15, boost: { heading: 4, page: 2 } },
  });
  found.addAll(SECTIONS);
  return found;
}

/** The words about the first match. */
function excerpt(text, terms) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((i) => i >= 0);
  const near = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 40);
  const from = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 140).replace(/\s\S*$/, '')} …`;
}

function search() {
  const field = document.querySelector('search input');
  const list = document.querySelector('search ul');
  field.disabled = false;
  const show = async () => {
    index ??= searchIndex();
    const query = field.value.trim();
    const results = query === '' ? [] : (await index).search(query).slice(0, 8);
    if (query !== field.value.trim()) return; // an older query
    const items = results.map(({ heading, page, address, text, terms }) => {
      const link = document.createElement('a');
      link.href = new URL(address, site).href;
      const note = document.createElement('small');
      note.textContent = heading === page ? excerpt(text, terms) : `${page}: ${excerpt(text, terms)}`;
      link.append(heading, note);
      const item = document.createElement('li');
      item.append(link);
      return item;
    });
    if (query !== '' && items.length === 0) {
      const item = document.createElement('li');
      item.append(Object.assign(document.createElement('p'), { textContent: `Nothing about “${query}”.` }));
      items.push(item);
    }
    list.replaceChildren(...items);
  };
  field.onfocus = () => (index ??= searchIndex());
  field.oninput = show;
  document.querySelector('search').onkeydown = (event) => {
    const links = [field, ...list.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) links[(links.indexOf(document.activeElement) + step + links.length) % links.length].focus();
    else if (event.key === 'Enter' && document.activeElement === field) links[1]?.click();
    else if (event.key === 'Escape') list.replaceChildren();
    else return;
    event.preventDefault();
  };
  document.addEventListener('click', ({ target }) => target.closest('search') || list.replaceChildren());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, textarea')) return;
    field.focus();
    event.preventDefault();
  });
}

/** The heading that is being read is marked in the contents of the page. */
function markContents() {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const read = headings.filter((heading) => heading.getBoundingClientRect().top < 120).at(-1) ?? headings[0];
    for (const [id, link] of links) {
      if (id === read.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  if (headings.length === 0) return;
  addEventListener('scroll', mark, { passive: true });
  mark();
}

document.addEventListener('DOMContentLoaded', () => {
  for (const part of [themeButton, bookButton, copyButtons, search, markContents]) part();
});

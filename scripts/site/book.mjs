// The book: pages of Markdown in the order and the parts of docs/README.md, coloured code, sections for the search.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import highlight from 'highlight.js';
import MarkdownIt from 'markdown-it';
import { headingsOf } from '../check-package.mjs';
import { escaped } from './layout.mjs';

/** Languages of code blocks by the names of highlight.js; `console` is a shell session, `jsonl` lines of JSON. */
const languageOf = (name) => ({ console: 'shell', sh: 'bash', jsonl: 'json' })[name] ?? name;

export const markdown = new MarkdownIt({
  html: true,
  highlight: (code, name) => {
    const language = languageOf(name);
    return highlight.getLanguage(language) ? highlight.highlight(code, { language }).value : escaped(code);
  },
});
/** Links to pages lead to their HTML. */
markdown.renderer.rules.link_open = (tokens, i, options, _, self) => {
  const href = tokens[i].attrGet('href');
  if (!/^[a-z]+:/.test(href)) tokens[i].attrSet('href', href.replace(/\.md(#|$)/, '.html$1'));
  return self.renderToken(tokens, i, options);
};
markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

const htmlOf = (file) => file.replace(/\.md$/, '.html');

/** Parts and subheadings of docs/README.md with their pages: [{heading, pages: [{title, file}]}]. */
export function readBook() {
  const book = [];
  let part = '';
  for (const line of readFileSync('docs/README.md', 'utf8').split('\n')) {
    const [, level, heading] = /^(##|###) (.+)$/.exec(line) ?? [];
    const [, title, page] = /^\d+\. \[(.+)\]\((.+\.md)\)/.exec(line) ?? [];
    if (level === '##') part = heading;
    if (heading) book.push({ heading: level === '##' ? heading : `${part}: ${heading}`, pages: [] });
    else if (page) book.at(-1).pages.push({ title, file: htmlOf(`docs/${page}`) });
  }
  return book.filter(({ pages }) => pages.length > 0);
}

const titleOf = (text, file) => /^# (.+)$/m.exec(text)?.[1] ?? file;
const wordsOf = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

/** Renders a page; links to files that the site does not have lose their target. `pages`: the files of the book. */
export function renderPage(file, pages) {
  const text = readFileSync(file, 'utf8').replace(/\nNext: \[.*\n*$/, '\n'); // the frame has links to the pages about
  const anchors = headingsOf(text.replace(/^```[\s\S]*?^```/gm, ''));
  const headings = [];
  const content = markdown
    .render(text)
    .replace(/<pre>([\s\S]*?)<\/pre>/g, '<div class="code"><pre tabindex="0">$1</pre></div>') // the keyboard scrolls it
    .replace(/<h(\d)>([\s\S]*?)<\/h\d>/g, (_, digit, html) => {
      const level = Number(digit);
      const anchor = anchors[headings.length];
      headings.push({ level, anchor, html: html.replace(/<\/?a[^>]*>/g, '') });
      const link = level > 1 ? `<a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a>` : '';
      return `<h${level} id="${anchor}">${html}${link}</h${level}>`;
    })
    .replace(/<a href="([^"#]*)(#[^"]*)?">([\s\S]*?)<\/a>/g, (link, path, _, words) => {
      if (path === '' || /^[a-z]+:/.test(path)) return link;
      const target = posix.join(posix.dirname(file), path).replace(/\.html$/, '.md');
      if (!pages.has(target)) return /\.(svg|png)$/.test(target) ? link : words;
      if (!/^[\w-]+\.md$/.test(words)) return link;
      return link.replace(`>${words}<`, `>${escaped(titleOf(readFileSync(target, 'utf8'), target))}<`);
    });
  return { file: htmlOf(file), title: titleOf(text, file), content, headings };
}

/** Sections of a rendered page, for the search: what is below each heading. */
export function sectionsOf({ file, title, content, headings }) {
  return content
    .split(/(?=<h\d id=)/)
    .filter((part) => part.startsWith('<h'))
    .map((part, i) => ({
      id: `${file}#${headings[i].anchor}`,
      address: `${file}#${headings[i].anchor}`,
      page: title,
      heading: wordsOf(headings[i].html),
      text: wordsOf(part.replace(/^<h[\s\S]*?<\/h\d>/, '')).slice(0, 3000),
    }));
}

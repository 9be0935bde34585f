// Builds the static site: the book, the API reference, scenes that plan in the browser, and charts of the benchmarks:
// npm run site [-- --no-api] [-- --out FOLDER]. Fails if a link of a page leads nowhere.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pageWith } from 'elbowroom';
import { loadScene } from 'elbowroom/node';
import MarkdownIt from 'markdown-it';
import { CHARTS, drawChart } from './charts.mjs';
import { headingsOf } from './check-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const { values } = parseArgs({ options: { out: { type: 'string' }, 'no-api': { type: 'boolean' } }, strict: false });
const out = resolve(values.out ?? 'site');
const hasApi = !values['no-api'];

/** Bytes of the first page and all that it loads, gzipped. */
const FIRST_PAGE = 300e3;
/** Scenes of the gallery: one robot each, a start and a goal. */
const SCENES = [
  'table-top',
  'shelf',
  'doorway',
  'cage',
  'narrow-passage',
  'machine-tending',
  'scara-trays',
  'gantry-bins',
];

const markdown = new MarkdownIt({ html: true });
/** Links to pages lead to their HTML; headings get the anchors that links to them name. */
markdown.renderer.rules.link_open = (tokens, i, options, _, self) => {
  const href = tokens[i].attrGet('href');
  if (!/^[a-z]+:/.test(href)) tokens[i].attrSet('href', href.replace(/\.md(#|$)/, '.html$1'));
  return self.renderToken(tokens, i, options);
};
markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

const STYLE = `:root{color-scheme:light dark;--ink:#1f2328;--paper:#fff;--soft:#f3f5f8;--line:#d0d7de;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#14171c;--soft:#1f242c;--line:#3a424d;--link:#7ab8ff}}
*{box-sizing:border-box}body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
nav{padding:.6rem 1rem;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
main{max-width:54rem;margin:0 auto;padding:1rem}a{color:var(--link)}img{max-width:100%;height:auto;background:#fff;border-radius:6px}
img.chart{display:block;width:100%;min-width:36rem;max-width:none}
pre{background:var(--soft);padding:.8rem;overflow-x:auto;border-radius:6px}code{font-size:.9em;overflow-wrap:anywhere}pre code{overflow-wrap:normal}
.wide{overflow-x:auto}table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.2rem .5rem;text-align:left}
ul.scenes{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.8rem}
ul.scenes li{border:1px solid var(--line);border-radius:6px;padding:.7rem}`;

const PARTS = [
  ['index.html', 'elbowroom'],
  ['docs/tutorial.html', 'Tutorial'],
  ['docs/README.html', 'Book'],
  ['scenes.html', 'Scenes'],
  ['playground.html', 'Playground'],
  ['charts.html', 'Charts'],
  ['docs/referee.html', 'Referee'],
  ...(hasApi ? [['api/index.html', 'API']] : []),
];

/** Writes a page with the navigation of the site. */
function writePage(file, title, content) {
  const up = '../'.repeat(file.split('/').length - 1);
  const links = PARTS.map(([target, name]) => `<a href="${up}${target}">${name}</a>`).join('');
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="${up}style.css"></head>
<body><nav>${links}</nav><main>
${content}
</main></body></html>
`;
  mkdirSync(dirname(join(out, file)), { recursive: true });
  writeFileSync(join(out, file), page);
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const titleOf = (text, file) => /^# (.+)$/m.exec(text)?.[1] ?? file;

/** Renders a page of Markdown; links to files that the site does not have lose their target. */
function renderPage(file, pages) {
  const text = readFileSync(file, 'utf8');
  const anchors = headingsOf(text.replace(/^```[\s\S]*?^```/gm, ''));
  let heading = 0;
  const html = markdown
    .render(text)
    .replaceAll('<pre>', '<pre tabindex="0">') // it scrolls: the keyboard must reach it
    .replace(/<h(\d)>/g, (_, level) => `<h${level} id="${anchors[heading++]}">`)
    .replace(/<a href="([^"#]*)(#[^"]*)?">([\s\S]*?)<\/a>/g, (link, path, _, words) => {
      if (path === '' || /^[a-z]+:/.test(path)) return link;
      const target = posix.join(posix.dirname(file), path);
      return pages.has(target.replace(/\.html$/, '.md')) || /\.svg$/.test(target) ? link : words;
    });
  writePage(file.replace(/\.md$/, '.html'), escaped(titleOf(text, file)), html);
}

function writeBook() {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map(
    (file) => `docs/${file.replaceAll('\\', '/')}`,
  );
  const pages = new Set([
    ...inDocs.filter((file) => file.endsWith('.md') && !file.startsWith('docs/api')),
    'CHANGELOG.md',
  ]);
  for (const page of pages) renderPage(page, pages);
  for (const file of inDocs.filter((name) => name.endsWith('.svg'))) cpSync(file, join(out, file));
}

/** One page per scene: the page of `elbowroom view`, which plans in a worker of the browser. */
async function writeScenes() {
  const template = readFileSync('dist/viewer/index.html', 'utf8');
  const entries = [];
  mkdirSync(join(out, 'scenes'), { recursive: true });
  for (const name of SCENES) {
    const { scene, robot } = await loadScene(`scenes/${name}.yaml`);
    const page = pageWith(template, { format: 'elbowroom-page/1', title: scene.name, problem: { scene, robot } });
    writeFileSync(join(out, `scenes/${name}.html`), page);
    const size = Math.ceil(gzipSync(page).length / 1e3);
    const about = escaped(scene.description ?? '');
    entries.push(`<li><a href="scenes/${name}.html">${name}</a> (${robot.name}, ${size} kB)<br>${about}</li>`);
  }
  const about =
    'Each page plans in your browser, in a worker; drag joints and obstacles, press <em>Plan</em>, and the certificate is verified there, too.';
  writePage('scenes.html', 'Scenes', `<h1>Scenes</h1><p>${about}</p><ul class="scenes">${entries.join('')}</ul>`);
}

function writeCharts() {
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  mkdirSync(join(out, 'charts'), { recursive: true });
  const figures = CHARTS.map((chart) => {
    const { svg, command } = drawChart(chart, page);
    writeFileSync(join(out, `charts/${chart.name}.svg`), svg);
    const picture = `<img class="chart" src="charts/${chart.name}.svg" alt="${escaped(chart.title)}, by row of the table">`;
    return `<h2>${escaped(chart.title)}</h2><div class="wide" tabindex="0">${picture}</div><p>${markdown.renderInline(command)}</p>`;
  });
  const about =
    'Made from the tables of <a href="docs/benchmarks.html">Benchmarks</a> when the site is built: a row of dots for each row of a table, on logarithmic axes, with the numbers beside it. The tables state what is measured and how peers are called.';
  const anytime = ['tables', 'passages', 'robots'].map((suite) => {
    const file = `examples/experiments/anytime-${suite}.yaml`;
    const alt = `Suite ${suite}: median length of the best path so far over iterations, for each planner, with intervals`;
    return `<p><img src="docs/pictures/anytime-${suite}.svg" alt="${alt}"></p>
<details><summary>Suite ${suite}: the experiment file</summary><pre tabindex="0"><code># ${file}
${escaped(readFileSync(file, 'utf8'))}</code></pre></details>`;
  });
  const anytimePart = `<h2>BIT*, RRT*, Informed RRT*: length of the best path, 30 seeds of three scenes each</h2>${anytime.join('')}<p><a href="docs/experiments.html#anytime-planners">Table, command and discussion</a></p>`;
  const referee =
    '<h2>Paths of OMPL that collide between their samples</h2><p><img src="docs/pictures/referee-our-scenes.svg" alt="Share of refuted paths and their depths, by planner"></p><p><a href="docs/referee.html">How it is measured</a></p>';
  writePage('charts.html', 'Charts', `<h1>Charts</h1><p>${about}</p>${figures.join('')}${anytimePart}${referee}`);
}

function writeFirstPage() {
  const readme = readFileSync('README.md', 'utf8');
  const [, about] = /^# .+\n\n([\s\S]+?)\n\n!\[/.exec(readme);
  writePage(
    'index.html',
    'elbowroom',
    `<h1>elbowroom</h1>${markdown.render(about)}
<ul><li><a href="docs/tutorial.html">Tutorial</a>: your own robot, from an empty folder to a certified pick and place</li>
<li><a href="docs/README.html">The book</a>: concepts, how-to, reference</li>
<li><a href="scenes.html">Scenes</a> that plan in your browser</li>
<li><a href="playground.html">Playground</a>: GJK and growth distance, step by step</li>
<li><a href="charts.html">Charts</a> of the benchmarks, and the <a href="docs/referee.html">referee's board</a></li>${hasApi ? '\n<li><a href="api/index.html">API reference</a></li>' : ''}</ul>
<p><img src="docs/pictures/shelf.svg" alt="A UR5e moves from one bay of a shelf into another"></p>`,
  );
}

/** Targets of the pages that are not in the site, as `PAGE: LINK`. */
export function brokenLinks(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const known = new Set(files);
  const broken = [];
  for (const file of files.filter((name) => /^(?!api\/|scenes\/).*\.html$/.test(name))) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, link] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path, anchor] = link.split('#');
      const target = path === '' ? file : posix.join(posix.dirname(file), path);
      if (!known.has(target)) broken.push(`${file}: ${link}`);
      else if (anchor && !readFileSync(join(folder, target), 'utf8').includes(`id="${decodeURIComponent(anchor)}"`))
        broken.push(`${file}: ${link}`);
    }
  }
  return broken;
}

/** Bytes of the first page, its style and its pictures, gzipped. */
function firstPageSize() {
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  const parts = ['index.html', 'style.css', ...[...page.matchAll(/src="([^"]+)"/g)].map(([, file]) => file)];
  return parts.reduce((sum, file) => sum + gzipSync(readFileSync(join(out, file))).length, 0);
}

async function main() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'style.css'), STYLE);
  cpSync('dist/viewer/playground.html', join(out, 'playground.html'));
  writeFirstPage();
  writeBook();
  await writeScenes();
  writeCharts();
  if (hasApi)
    execFileSync('npx', ['--no-install', 'typedoc', '--out', join(out, 'api'), '--logLevel', 'Warn'], {
      stdio: 'inherit',
    });
  const problems = brokenLinks(out);
  const size = firstPageSize();
  if (size > FIRST_PAGE) problems.push(`index.html: ${size} bytes, gzipped, at most ${FIRST_PAGE}`);
  for (const problem of problems) console.error(problem);
  const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  console.log(
    `${out}: ${pages.length} pages, first page ${Math.ceil(size / 1e3)} kB gzipped, ${problems.length} problems`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();

// Builds the static site: the book, the API reference, scenes that plan in the browser, and charts of the benchmarks:
// npm run site [-- --no-api] [-- --out FOLDER]. Fails if a link of a page leads nowhere.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pageWith } from 'elbowroom';
import { loadScene } from 'elbowroom/node';
import { CHARTS, drawChart } from './charts.mjs';
import { markdown, readBook, renderPage, sectionsOf } from './site/book.mjs';
import { escaped, pageWriter } from './site/layout.mjs';

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

const book = readBook();
const write = pageWriter({ out, parts: PARTS, book });

/** Pages in the order of the book, and those that it does not list. */
function writeBook() {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map(
    (file) => `docs/${file.replaceAll('\\', '/')}`,
  );
  const pages = new Set([
    ...inDocs.filter((file) => file.endsWith('.md') && !file.startsWith('docs/api')),
    'CHANGELOG.md',
  ]);
  const order = [{ title: 'The book', file: 'docs/README.html' }, ...book.flatMap((part) => part.pages)];
  const sections = [];
  for (const source of pages) {
    const page = renderPage(source, pages);
    const place = order.findIndex(({ file }) => file === page.file);
    const about = place < 0 ? {} : { before: order[place - 1], after: order[place + 1] };
    write({ ...page, ...about, isInBook: true });
    sections.push(...sectionsOf(page));
  }
  writeFileSync(join(out, 'sections.js'), `const SECTIONS = ${JSON.stringify(sections)};\n`);
  cpSync('node_modules/minisearch/dist/umd/index.js', join(out, 'minisearch.js')); // MIT licence, see LICENCES.txt
  writeFileSync(
    join(out, 'LICENCES.txt'),
    `minisearch.js:\n\n${readFileSync('node_modules/minisearch/LICENSE.txt', 'utf8')}`,
  );
  for (const file of inDocs.filter((name) => /\.(svg|png)$/.test(name))) cpSync(file, join(out, file));
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
  const content = `<h1>Scenes</h1><p>${about}</p><ul class="scenes">${entries.join('')}</ul>`;
  write({ file: 'scenes.html', title: 'Scenes', content });
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
  const referee =
    '<h2>Paths of OMPL that collide between their samples</h2><p><img src="docs/pictures/referee-our-scenes.svg" alt="Share of refuted paths and their depths, by planner"></p><p><a href="docs/referee.html">How it is measured</a></p>';
  const content = `<h1>Charts</h1><p>${about}</p>${figures.join('')}${referee}`;
  write({ file: 'charts.html', title: 'Charts', content });
}

function writeFirstPage() {
  const readme = readFileSync('README.md', 'utf8');
  const [, about] = /^# .+\n\n([\s\S]+?)\n\n!\[/.exec(readme);
  write({
    file: 'index.html',
    title: 'elbowroom',
    content: `<h1>elbowroom</h1>${markdown.render(about)}
<ul><li><a href="docs/tutorial.html">Tutorial</a>: your own robot, from an empty folder to a certified pick and place</li>
<li><a href="docs/README.html">The book</a>: concepts, how-to, reference</li>
<li><a href="scenes.html">Scenes</a> that plan in your browser</li>
<li><a href="playground.html">Playground</a>: GJK and growth distance, step by step</li>
<li><a href="charts.html">Charts</a> of the benchmarks, and the <a href="docs/referee.html">referee's board</a></li>${hasApi ? '\n<li><a href="api/index.html">API reference</a></li>' : ''}</ul>
<p><img src="docs/pictures/shelf.svg" alt="A UR5e moves from one bay of a shelf into another"></p>`,
  });
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

/** Bytes of the first page, its style, its script and its pictures, gzipped. */
function firstPageSize() {
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  const parts = [
    'index.html',
    'style.css',
    'page.js',
    ...[...page.matchAll(/<img src="([^"]+)"/g)].map(([, file]) => file),
  ];
  return parts.reduce((sum, file) => sum + gzipSync(readFileSync(join(out, file))).length, 0);
}

async function main() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const file of ['style.css', 'page.js']) cpSync(`scripts/site/${file}`, join(out, file));
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

// `npm run papers` writes bench/results/papers.html: the tables and curves of the papers beside ours. Counters are
// computed; ratios of times are those of docs/benchmarks.md, or of new runs with `--times`, which take some minutes.
// `--pairs` writes bench/pairs instead: pairs with proven distances, from their seed.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import markdownIt from 'markdown-it';
import { importBundled } from './bundled.mjs';
import { tableOf } from './charts.mjs';
import { drawCurves } from './papers/curves.mjs';
import { escaped } from './site/layout.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const PAIRS = 'bench/pairs/pairs.jsonl';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

const { createProvenPairs, provedDistance, provenRows } = await importBundled('bench/narrowphase/provenPairs.ts');
if (process.argv.includes('--pairs')) {
  const text = (await createProvenPairs()).map((pair) => `${JSON.stringify(pair)}\n`).join('');
  mkdirSync('bench/pairs', { recursive: true });
  writeFileSync(PAIRS, text);
  writeFileSync('bench/pairs/SHA256SUMS', `${sha256(text)}  pairs.jsonl\n`);
} else {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync('bench/results/papers.html', await pageOf(process.argv.includes('--times')));
  console.log('bench/results/papers.html');
}

async function pageOf(isTimed) {
  const { printed, oursOf, deviationOf } = await importBundled('bench/narrowphase/printed.ts');
  const bench = await importBundled('bench/narrowphase.ts');
  const benchmarks = readFileSync('docs/benchmarks.md', 'utf8');
  const run = new Map();
  for (const section of ['iterations', ...(isTimed ? ['papers', 'expanding', 'planar'] : [])]) {
    for await (const table of bench.run(section))
      if (table.rows.length > 0) run.set(table.title, { section, ...table });
  }
  const rowsOf = (title) => run.get(title)?.rows ?? tableOf(benchmarks, title).rows;
  const machine = `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} cores, Node ${process.version}`;
  const here = (section) =>
    section === 'iterations'
      ? 'computed for this page'
      : `${machine} · for this page · load ${os.loadavg()[0].toFixed(0)}`;
  const comparison = printed.map((value) => {
    const ours = oursOf(value, rowsOf);
    return {
      paper: value.paper,
      'table, figure': value.place,
      quantity: value.quantity,
      printed: [value.theirs].flat().join(' to '),
      ours: ours ?? '–',
      'deviation %': ours === undefined ? '–' : Math.round(deviationOf(value, ours)),
      pairs: value.pairs,
      command: `narrowphase:${value.section}`,
      measured: run.has(value.title)
        ? here(value.section)
        : tableOf(benchmarks, value.title).command.replace(/^`[^`]*` · /, ''),
    };
  });
  const parts = [
    '<h1>The papers, ours beside the printed values</h1>',
    '<p>Counters were computed for this page and are equal on every machine. Times are ratios of interleaved runs; the last column shows when and where they were measured. ' +
      'A deviation from a range counts from its nearer end. The meshes of the papers are replaced by hulls with their numbers of vertices, so deviations are expected: ' +
      'the verdicts are below.</p>',
    table(comparison),
    `<h2>Curves</h2>${drawCurves(rowsOf).join('')}`,
    provenPart(),
    markdownIt({ html: false }).render(verdicts()),
    '<h2>All counters</h2>',
    ...[...run.values()].map(({ title, rows, notes = [], section }) => {
      const said = notes.map((note) => `<li>${escaped(note)}</li>`).join('');
      return `<details><summary>${escaped(title)}</summary>${table(rows)}<ul>${said}<li><code>npm run bench -- narrowphase:${section}</code></li></ul></details>`;
    }),
  ];
  const style = readFileSync('scripts/papers/style.css', 'utf8');
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The papers</title><style>${style}</style></head><body><main>${parts.join('\n')}</main></body></html>\n`;
}

/** Verifies checksum and proofs of the data set, and runs all solvers on it. */
function provenPart() {
  const text = readFileSync(PAIRS, 'utf8');
  const [expected] = readFileSync('bench/pairs/SHA256SUMS', 'utf8').split(' ');
  if (sha256(text) !== expected) throw new Error(`${PAIRS} differs from its checksum`);
  const pairs = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const pair of pairs) {
    if (provedDistance(pair) !== pair.distance) throw new Error(`${PAIRS}: pair ${pair.id} has another distance`);
  }
  const about =
    `<p><code>${PAIRS}</code>, SHA-256 <code>${expected}</code>: ${pairs.length} pairs of hulls with points in whole millimetres. ` +
    'The distance of each pair is proved in whole numbers, and the proofs were verified for this page. Updates are counted for distances.</p>';
  return `<h2>Pairs with proven distances</h2>${about}${table(provenRows(pairs))}`;
}

/** The tables of docs/papers.md, without its title, examples and links between pages. */
function verdicts() {
  const page = readFileSync('docs/papers.md', 'utf8');
  const from = page.indexOf('\n## ');
  return page.slice(from, page.indexOf('\n## Try it')).replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}

function table(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${columns.map((column) => cell(row[column])).join('')}</tr>`);
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function cell(value) {
  if (typeof value !== 'number') return `<td>${escaped(String(value ?? '–'))}</td>`;
  return `<td class="number">${Number.isInteger(value) ? value : Number(value.toPrecision(3))}</td>`;
}

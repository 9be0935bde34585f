#!/usr/bin/env node
// Benches: `npm run bench` lists them, `npm run bench -- collision planning` runs some, `-- all` all; `--json` prints
// JSON lines. `-- narrowphase:planar` runs a section of one. Each bench/<name>.ts exports `about` (a line),
// `run(section?)`, which yields tables { title, rows, notes? }, and the names of its `sections`, if it has any.
// `--docs` writes what is run into docs/benchmarks.md as well, or into the `page` that the bench exports, between the
// marks of that name, long tables condensed; and the figures of its tables.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { importBundled } from '../scripts/bundled.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const known = readdirSync(here)
  .filter((file) => file.endsWith('.ts') && existsSync(path.join(here, file)))
  .map((file) => file.slice(0, -3))
  .filter((name) =>
    /export (const about|async function\* run)/.test(readFileSync(path.join(here, `${name}.ts`), 'utf8')),
  );

const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const asJson = process.argv.includes('--json');
const intoDocs = process.argv.includes('--docs');
const names = asked.includes('all') ? known : asked;
const unknown = names.find((name) => !known.includes(name.split(':')[0]));
if (names.length === 0 || unknown !== undefined) {
  console.error(
    unknown === undefined ? 'npm run bench -- NAME… | all  [--json] [--docs]' : `no bench is called "${unknown}"`,
  );
  console.error(`benches: ${known.join(', ')}`);
  process.exit(unknown === undefined ? 0 : 2);
}

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
// Tables that are written into docs leave the commit clean: the next ones can be written, too.
const isDirty = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs') !== '';
const commit = `${git('describe', '--always')}${isDirty ? '-dirty' : ''}`;
if (intoDocs && isDirty) {
  console.error('--docs writes figures of a commit: commit the changes first');
  process.exit(2);
}
const machine = `${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, ${os.cpus().length} cores, Node ${process.version}, commit ${commit}`;
if (!asJson) console.log(machine);

for (const asked of names) {
  const [name, section] = asked.split(':');
  process.chdir(root);
  const bench = await importBundled(path.join(here, `${name}.ts`));
  if (section !== undefined && !bench.sections?.includes(section)) {
    console.error(`bench ${name} has no section "${section}"; sections: ${bench.sections?.join(', ') ?? 'none'}`);
    process.exit(2);
  }
  const pages = [];
  for await (const { title, rows, notes = [], figures = [], inDocs } of bench.run(section)) {
    pages.push(markdown(title, inDocs?.(rows) ?? rows, notes));
    if (intoDocs) for (const { file, svg } of figures) writeFileSync(path.join(root, file), svg);
    if (asJson) {
      for (const row of rows) console.log(JSON.stringify({ bench: name, title, machine, ...row }));
      continue;
    }
    console.log(`\n${title}`);
    printTable(rows);
    for (const note of notes) console.log(`  ${note}`);
  }
  if (intoDocs) writeIntoDocs(bench.page ?? 'docs/benchmarks.md', asked, pages);
}

/** Puts the tables between `<!-- bench NAME -->` and `<!-- end -->`, with the command, the machine and the day. */
function writeIntoDocs(docs, name, pages) {
  const file = path.join(root, docs);
  const text = readFileSync(file, 'utf8');
  const mark = `<!-- bench ${name} -->`;
  const start = text.indexOf(mark);
  const end = text.indexOf('<!-- end -->', start);
  if (start < 0 || end < 0) {
    console.error(`${docs} has no place for ${name}: no line says ${mark}`);
    process.exit(2);
  }
  const load = os.loadavg()[0].toFixed(0);
  const made = `\`npm run bench -- ${name}\` · ${machine} · ${new Date().toISOString().slice(0, 10)} · load ${load}`;
  const filled = `${mark}\n${made}\n\n${pages.join('\n')}`;
  writeFileSync(file, text.slice(0, start) + filled + text.slice(end));
}

function markdown(title, rows, notes) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (words) => `| ${words.map((word) => word.replaceAll('|', '\\|').trim()).join(' | ')} |\n`;
  const isText = (column) => rows.some((row) => typeof row[column] === 'string');
  const table =
    line(columns) +
    line(columns.map((column) => (isText(column) ? '---' : '---:'))) +
    rows.map((row) => line(columns.map((column) => show(row[column])))).join('');
  return `**${title}**\n\n${rows.length > 0 ? `${table}\n` : ''}${notes.map((note) => `- ${note}\n`).join('')}`;
}

function printTable(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => show(row[column])));
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i].length)));
  const isText = columns.map((column) => rows.some((row) => typeof row[column] === 'string'));
  const line = (words) =>
    `  ${words.map((word, i) => (isText[i] ? word.padEnd(widths[i]) : word.padStart(widths[i]))).join('  ')}`;
  console.log(line(columns));
  for (const row of cells) console.log(line(row));
}

function show(value) {
  if (value === undefined || value === null) return '–';
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
}

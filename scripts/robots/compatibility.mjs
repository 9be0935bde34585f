#!/usr/bin/env node
// Tries published robots as a newcomer would, and prints the table of docs/robots-published.md:
//   node scripts/robots/compatibility.mjs --checkouts DIR [--list FILE] [--only PATTERN] [--jobs 2] [--samples 1000]
//     [--log FILE] [--pictures DIR] [--steps load,doctor,picture,import,plan] [--write]
// DIR holds the repositories of the list (published.txt) as OWNER+NAME, with .git or a file .commit. Each robot is
// loaded without hints (no --package), examined (robot --doctor), imported (robot --import, which compares the copy
// with the robot), drawn (robot --svg), and a plan is made in the imported scene. --write puts the table into
// docs/robots-published.md,
// --pictures keeps the drawings. With --steps, only these are done; the results of others are kept from the page, if
// its row has the same source. Robots whose checkout or whose file is missing are listed on stderr and left out.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = path.join(root, 'bin/elbowroom.js');
const page = path.join(root, 'docs/robots-published.md');
/** Ms after which a command counts as hanging. */
const LIMIT = 300_000;

const { values } = parseArgs({
  options: {
    checkouts: { type: 'string' },
    list: { type: 'string', default: 'published.txt' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    samples: { type: 'string', default: '1000' },
    log: { type: 'string' },
    pictures: { type: 'string' },
    steps: { type: 'string', default: 'load,doctor,picture,import,plan' },
    write: { type: 'boolean', default: false },
  },
});
if (values.checkouts === undefined) {
  console.error('compatibility: --checkouts DIR is needed');
  process.exit(2);
}
const wanted = new Set(values.steps.split(','));
const listed = readFileSync(new URL(values.list, import.meta.url), 'utf8').split('\n');
const robots = listed
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name, repository, file, args = ''] = line.split('|').map((cell) => cell.trim());
    return { name, repository, file, args: args === '' ? [] : args.split(/\s+/) };
  });
const chosen = robots.filter(({ name, repository }) => new RegExp(values.only, 'i').test(`${name} ${repository}`));
const rows = new Array(chosen.length);
const log = [];
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    while (next < chosen.length) {
      const i = next++;
      rows[i] = await tried(chosen[i]);
      if (rows[i] !== undefined)
        console.error(`${rows.filter(Boolean).length}/${chosen.length} ${cellsOf(rows[i]).join(' | ')}`);
    }
  }),
);

/** Tries one robot; undefined if its checkout is not there. */
async function tried({ name, repository, file, args }) {
  const checkout = path.join(values.checkouts, repository.replace('/', '+'));
  if (!existsSync(path.join(checkout, file))) {
    console.error(`${name}: no ${repository}/${file}`);
    return undefined;
  }
  const commit = (await commitOf(checkout)).slice(0, 10);
  const folder = mkdtempSync(path.join(tmpdir(), 'published-'));
  const given = [path.join(checkout, file), ...args.flatMap((arg) => ['--arg', arg])];
  const sampled = ['--samples', values.samples];
  const steps = {};
  try {
    steps.load = await run(['robot', ...given, '--json']);
    if (steps.load.code === 0) {
      const isBare = steps.load.stderr.includes('has no collision geometry: scenes refuse it');
      const geometry = isBare ? ['--geometry', 'visual'] : [];
      steps.isBare = isBare;
      if (wanted.has('doctor')) steps.doctor = await run(['robot', ...given, '--doctor', '--json', ...sampled]);
      const drawing = path.join(folder, 'robot.svg');
      if (wanted.has('picture')) steps.picture = await run(['robot', ...given, ...geometry, '--svg', drawing]);
      if (steps.picture?.code === 0) steps.drawn = contentOf(drawing);
      if (steps.picture?.code === 0 && values.pictures !== undefined) keep(drawing, name);
      const imported = ['--import', path.join(folder, 'robot'), ...sampled];
      if (wanted.has('import')) steps.import = await run(['robot', ...given, ...geometry, ...imported]);
    }
    const scene = path.join(folder, 'robot/scene.yaml');
    if (wanted.has('plan') && steps.import?.code === 0 && existsSync(scene))
      steps.plan = await run(['plan', scene, '--time-limit', '60', '-o', path.join(folder, 'motion.json')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { isBare: _, drawn: __, ...results } = steps;
  for (const [step, { code, stderr }] of Object.entries(results)) {
    const failure = stderr.split('\n').filter((line) => !line.startsWith('warning:'));
    log.push({ name, repository, file, step, code, stderr: failure.join('\n') });
    if (code !== 0 && !(step === 'doctor' && code === 1)) console.error(`${name}: ${step}: ${code}: ${failure[0]}`);
  }
  return { name, repository, commit, file, args, steps };
}

/** Returns the number of elements of a drawing that show faces of links; without any it shows no robot. */
function contentOf(drawing) {
  return readFileSync(drawing, 'utf8').match(/class="link/g)?.length ?? 0;
}

function keep(drawing, name) {
  mkdirSync(values.pictures, { recursive: true });
  copyFileSync(drawing, path.join(values.pictures, `${name.replace(/[^\w.-]+/g, '-')}.svg`));
}

/** Runs a command of the built program. */
function run(words) {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words], { timeout: LIMIT, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr });
    });
  });
}

/** Returns the commit of a checkout: that of git, or the content of a file .commit. */
async function commitOf(checkout) {
  const note = path.join(checkout, '.commit');
  if (existsSync(note)) return readFileSync(note, 'utf8').trim();
  return new Promise((resolve) => {
    execFile('git', ['-C', checkout, 'rev-parse', 'HEAD'], (error, stdout) =>
      resolve(error === null ? stdout.trim() : '?'),
    );
  });
}

function report(tried) {
  const rows = tried.map(cellsOf);
  const columns = ['robot', 'source', 'joints', 'loads', 'doctor', 'picture', 'import', 'plan'];
  const lines = [columns, columns.map((name) => (name === 'joints' ? '--:' : '---')), ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const share = (name) => {
    const results = rows.map((cells) => cells[columns.indexOf(name)]);
    return `${results.filter((cell) => cell.startsWith('yes')).length} of ${rows.length}`;
  };
  const drawn = `${share('picture')} are drawn, ${share('import')} are imported`;
  const summary = `${share('loads')} load without hints, ${drawn}, ${share('plan')} get a plan.`;
  console.log(`${table}\n\n${summary}`);
  if (values.log !== undefined) writeFileSync(values.log, JSON.stringify(log, undefined, 1));
  if (!values.write) return;
  const [before, , after] = readFileSync(page, 'utf8').split(/<!-- (?:table|end) -->\n/);
  writeFileSync(page, `${before}<!-- table -->\n${summary}\n\n${table}\n<!-- end -->\n${after}`);
}

function cellsOf({ name, repository, commit, file, args, steps }) {
  const { load, doctor, picture, drawn, import: copy, plan, isBare } = steps;
  const source = `${repository} ${commit} \`${file}\`${args.length === 0 ? '' : ` ${args.join(' ')}`}`;
  const dof = load.code === 0 ? JSON.parse(load.stdout).dof : '';
  const cells = {
    doctor: verdict(doctor),
    picture: picture?.code === 0 && drawn === 0 ? 'empty' : yes(picture),
    import: `${yes(copy)}${isBare ? ', visual' : ''}`,
    plan: yes(plan),
  };
  const before = earlierCells(name, source);
  const kept = Object.entries(cells).map(([step, cell]) => (wanted.has(step) ? cell : (before[step] ?? '-')));
  return [name, source, dof, yes(load), ...kept];
}

/** Returns the cells of a robot on the page, by column; none if its source has changed. */
function earlierCells(name, source) {
  const lines = readFileSync(page, 'utf8').split('\n');
  const cellsIn = (line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
  const columns = cellsIn(lines.find((line) => line.startsWith('| robot | source')));
  const row = lines.map(cellsIn).find((cells) => cells[0] === name && cells[1] === source);
  return row === undefined ? {} : Object.fromEntries(columns.map((column, i) => [column, row[i]]));
}

function yes(step) {
  return step === undefined ? '-' : step.code === 0 ? 'yes' : `no (${step.code})`;
}

function verdict(doctor) {
  if (doctor === undefined || (doctor.code !== 0 && doctor.code !== 1)) return '-';
  const problems = JSON.parse(doctor.stdout).filter(({ kind }) => kind === 'problem').length;
  return problems === 0 ? 'no problem' : `${problems} problem${problems === 1 ? '' : 's'}`;
}

report(rows.filter((row) => row !== undefined));

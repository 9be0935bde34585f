import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * What docs/architecture.md promises: a new shape, checker, planner, output format or command is one file and one line
 * in a table; a shape that certificates cover needs a line in `certificate/supportHeight.ts`, too. One of each is added
 * to a copy of the project, which is then built and used.
 */
const root = new URL('..', import.meta.url).pathname;
const copy = mkdtempSync(join(tmpdir(), 'elbowroom-additions-'));
afterAll(() => rmSync(copy, { recursive: true }));

interface Addition {
  readonly name: string;
  readonly file: string;
  /** Table: file, text of the table's first line, the entry, and the import. */
  readonly table: readonly [string, string, string, string];
}

const additions: readonly Addition[] = [
  {
    name: 'octahedron',
    file: 'core/shapes/octahedron.ts',
    table: [
      'core/shapes/index.ts',
      'export const shapes:',
      'octahedron,',
      "import { octahedron } from './octahedron.ts';",
    ],
  },
  {
    name: 'straightLine',
    file: 'core/planning/straightLine.ts',
    table: [
      'core/planning/index.ts',
      'export const planners =',
      "'straight-line': straightLine,",
      "import { straightLine } from './straightLine.ts';",
    ],
  },
  {
    name: 'gjkAgain',
    file: 'core/narrowphase/gjk/gjkAgain.ts',
    table: [
      'core/narrowphase/index.ts',
      'export const checkers =',
      "'gjk-again': gjkAgain,",
      "import { gjkAgain } from './gjk/gjkAgain.ts';",
    ],
  },
  {
    name: 'compactJson',
    file: 'formats/trajectories/compactJson.ts',
    table: [
      'formats/trajectories/index.ts',
      'export const writers:',
      "'compact-json': compactJson,",
      "import { compactJson } from './compactJson.ts';",
    ],
  },
  {
    name: 'greet',
    file: 'host/cli/commands/greet.ts',
    table: [
      'host/cli/commands/index.ts',
      'export const commands:',
      "greet: { summary: 'an example of a new command', load: async () => (await import('./greet.ts')).greet },",
      '',
    ],
  },
];

/** Adds an entry to the table that begins with the given text, and its import. */
function addEntry([file, table, entry, imported]: Addition['table']): void {
  const path = join(copy, 'src', file);
  const text = readFileSync(path, 'utf8');
  const at = text.indexOf('{', text.indexOf('=', text.indexOf(table)));
  if (!text.includes(table)) throw new Error(`${file} has no ${table}`);
  writeFileSync(path, `${imported}\n${text.slice(0, at + 1)} ${entry}${text.slice(at + 1)}`);
}

const elbowroom = (...args: string[]) =>
  execFileSync(process.execPath, [join(copy, 'bin/elbowroom.js'), ...args], { encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  for (const folder of ['src', 'bin', 'scripts', 'robots', 'scenes', 'viewer'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, file, table } of additions) {
    cpSync(join(root, 'test/fixtures/additions', `${name}.ts.txt`), join(copy, 'src', file));
    addEntry(table);
  }
  const heights = join(copy, 'src/core/certificate/supportHeight.ts');
  const line =
    "case 'octahedron': return Math.max(s0 * Math.abs(x), s1 * Math.abs(y), s2 * Math.abs(z));\n    case 'box':";
  writeFileSync(heights, readFileSync(heights, 'utf8').replace("case 'box':", line));
  execFileSync(process.execPath, [join(copy, 'scripts/build.mjs'), '--bundle'], { stdio: 'pipe' });
}, 120_000);

test('a new command is in the help and runs', () => {
  expect(elbowroom('--help')).toContain('greet');
  expect(elbowroom('greet')).toBe('hello\n');
});

test('a new shape, checker, planner and format work together, and certificates cover the shape', () => {
  const scene = join(copy, 'scene.yaml');
  writeFileSync(
    scene,
    `format: elbowroom-scene/1
robot: ur5e
start: [0, -90 deg, 90 deg, -90 deg, -pi/2, 0]
goal: [10 deg, -90 deg, 90 deg, -90 deg, -pi/2, 0]
obstacles: [{name: gem, type: octahedron, size: [0.1, 0.1, 0.2], pose: {xyz: [0.6, 0.5, 0.1]}}]
`,
  );
  const options = ['--planner', 'straight-line', '--checker', 'gjk-again'];
  expect(
    elbowroom('plan', scene, ...options, '--format', 'compact-json')
      .trim()
      .split('\n'),
  ).toHaveLength(1);
  const [motion, proof] = [join(copy, 'motion.json'), join(copy, 'proof.json')];
  elbowroom('plan', scene, ...options, '-o', motion, '--certificate', proof);
  elbowroom('verify', proof, scene, motion);
  expect(elbowroom('schema', 'scene')).toContain('octahedron');
  expect(elbowroom('plan', '--help')).toMatch(/straight-line/);
});

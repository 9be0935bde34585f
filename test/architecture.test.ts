import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { preProcessFile } from 'typescript';
import { describe, expect, test } from 'vitest';

/** Who may import whom (docs/architecture.md); everyone may import `errors`. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  math: [],
  shapes: ['math'],
  kinematics: ['math', 'shapes'],
  scene: ['math', 'shapes', 'kinematics', 'trajectory'],
  narrowphase: ['math', 'shapes'],
  planning: ['math'],
  collision: ['math', 'shapes', 'kinematics', 'scene', 'narrowphase', 'planning'],
  trajectory: ['math'],
  cartesian: ['math', 'kinematics', 'scene', 'trajectory'],
  constraints: ['math', 'shapes', 'kinematics', 'scene', 'cartesian'],
  dynamics: ['math', 'shapes', 'hulls', 'kinematics', 'scene', 'trajectory', 'narrowphase', 'collision'],
  world: ['math', 'kinematics', 'scene', 'trajectory'],
  certificate: ['math', 'shapes', 'kinematics', 'scene', 'trajectory', 'world'],
  optimization: ['math', 'shapes', 'kinematics', 'narrowphase', 'collision', 'trajectory'],
  hulls: ['math', 'shapes'],
  formats: ['math', 'shapes', 'hulls', 'kinematics', 'scene', 'trajectory', 'certificate'],
};
const core = Object.keys(mayImport);
const table: Readonly<Record<string, readonly string[]>> = {
  ...mayImport,
  client: core,
  tasks: core,
  node: [...core, 'tasks'],
  service: [...core, 'client', 'tasks', 'node'],
  experiments: [...core, 'tasks', 'node'],
  cli: [...core, 'tasks', 'node', 'service', 'experiments'],
};
/** Packages that a module may load. The core has none. */
const packages: Readonly<Record<string, RegExp>> = {
  hulls: /^three(\/|$)/,
  formats: /^(urdf-loader|@xmldom\/xmldom|three|yaml|zod|mathjs|vega|vega-lite|@mcap\/|@foxglove\/)/,
  node: /^piscina$/,
  service: /^(ws|@modelcontextprotocol\/)/,
  experiments: /^(bullmq|ioredis|esbuild)$/,
  cli: /^yargs/,
};
const onNode = ['node', 'service', 'experiments', 'cli'];
/** The zones that hold modules; `formats` and `tasks` are zones of one module each. */
const zones = ['core', 'host'];
const moduleOf = (file: string): string => {
  const [zone, module] = file.split('/');
  return zones.includes(zone) ? module : zone;
};

/** Static, dynamic and side-effect imports. */
const importedPaths = (file: string): string[] =>
  preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && file.includes('/'));

describe.each(Object.keys(table))('%s', (module) => {
  const own = files.filter((file) => moduleOf(file) === module);
  test.runIf(own.length > 0)('imports only what the table allows', () => {
    for (const file of own) {
      for (const path of importedPaths(`src/${file}`)) {
        if (path.startsWith('node:')) {
          expect(onNode, `${file} imports ${path}: ${module} must run in a browser too`).toContain(module);
          continue;
        }
        if (!path.startsWith('.')) {
          expect(path, `${file} loads a package that ${module} may not`).toMatch(packages[module] ?? /^$/);
          continue;
        }
        const target = posix.join(posix.dirname(file), path);
        const atTop = ['errors.ts', ...(onNode.includes(module) ? ['node.ts'] : [])];
        expect([...atTop, module, ...table[module]], `${file} imports ${path}`).toContain(moduleOf(target));
      }
    }
  });
});

test('every module in src has a row in the table', () => {
  const modules = new Set(files.map(moduleOf));
  expect(Object.keys(table)).toEqual(expect.arrayContaining([...modules]));
});

/**
 * What engines may compute differently: results must repeat on every one of them. Of powers, only squares, cubes and
 * powers of two are allowed.
 */
const unrepeatable =
  /\bMath\.(?!sqrt\b|abs\b|min\b|max\b|floor\b|ceil\b|round\b|trunc\b|sign\b|imul\b|[A-Z0-9_]+\b)\w+|\bDate\b|performance\.now|(?<!(?<![\w.])2 )\*\*(?! [23](?![\w.]))/;

test('modules whose results must repeat use no function that engines compute in their own way, no clock and no chance', () => {
  const strict = [
    'math',
    'shapes',
    'kinematics',
    'scene',
    'narrowphase',
    'planning',
    'collision',
    'trajectory',
    'certificate',
    'optimization',
    'tasks',
    'cartesian',
    'constraints',
    'world',
    'hulls',
    'dynamics',
  ];
  for (const file of files.filter((one) => strict.includes(moduleOf(one)))) {
    const code = readFileSync(`src/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(unrepeatable.exec(code)?.[0], file).toBeUndefined();
  }
});

test('every work that is cited has a row in docs/references.md, and every row is of a work that is cited', () => {
  const rows = [...readFileSync('docs/references.md', 'utf8').matchAll(/^\| ([\w-]+) \| .{20}/gm)].map(
    ([, key]) => key,
  );
  const citing = ['src', 'bench', 'test', 'docs']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
    .filter((file) => /\.(ts|md)$/.test(file) && !/node_modules|references\.md$/.test(file));
  const text = [...citing, 'README.md'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const cited = [...text.matchAll(/[[;] ?([A-Z][A-Za-z]+\d\d)\b(?=[\]; ,])|\bsource(?:: | = )'(\w+)'/g)].map(
    ([, key, source]) => key ?? source,
  );
  expect([...new Set(cited)].filter((key) => !rows.includes(key))).toEqual([]);
  expect(rows.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
});

test('bench/README.md has a row for each benchmark, with its sections', () => {
  const benchmarks = readdirSync('bench')
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ name: file.slice(0, -3), source: readFileSync(`bench/${file}`, 'utf8') }))
    .filter(({ source }) => source.includes('export const about'));
  const sectionsOf = (source: string) => / sections = \[([^\]]*)\]/.exec(source)?.[1].match(/[\w-]+/g) ?? [];
  const rows = [...readFileSync('bench/README.md', 'utf8').matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)];
  const inReadme = rows.map(([, name, sections]) => `${name}: ${sections.match(/[\w-]+/g)?.join(' ') ?? ''}`);
  const inCode = benchmarks.map(({ name, source }) => `${name}: ${sectionsOf(source).join(' ')}`);
  expect(inReadme.sort()).toEqual(inCode.sort());
});

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
// @ts-expect-error a script without declarations
import * as checks from '../../../../scripts/check-package.mjs';
import { root, temporaryFolder } from '../run.ts';

const { fileProblems, install, linkProblems, pack, publishProblems, typeProblems } = checks;
vi.setConfig({ testTimeout: 600_000 });
const run = promisify(execFile);
const folder = temporaryFolder();
const { tarball, files, size } = pack(folder) as { tarball: string; files: string[]; size: number };
const own = install(tarball, folder) as string;

test('each file of the package is expected, none has a path of this machine, and all links lead into the package', () => {
  expect(fileProblems(files, own)).toEqual([]);
  expect(linkProblems(files, own)).toEqual([]);
  expect(size).toBeLessThan(4e6);
});

test('the checks of files and links find what is wrong', () => {
  const spoiled = temporaryFolder();
  cpSync(own, spoiled, { recursive: true });
  writeFileSync(
    join(spoiled, 'README.md'),
    '# One\n[a](docs/nowhere.md) [b](docs/proof.md#nowhere) [c](#one) [d](scenes)\n',
  );
  writeFileSync(join(spoiled, 'dist/index.js'), `const from = '${root}';\n`);
  expect(linkProblems(files, spoiled)).toEqual([
    'README.md: docs/nowhere.md is not in the package',
    'README.md: docs/proof.md#nowhere is not a heading',
  ]);
  writeFileSync(join(spoiled, 'secrets.env'), '');
  const found = fileProblems([...files.filter((file) => file !== 'bin/elbowroom.js'), 'secrets.env'], spoiled);
  expect(found.sort()).toEqual([
    `dist/index.js: contains ${root.slice(0, -1)}`,
    'no file matches /^bin\\/elbowroom\\.js$/',
    'secrets.env: not expected',
  ]);
});

test('publint and arethetypeswrong find no problem in the package', async () => {
  expect(await publishProblems(tarball)).toEqual([]);
});

test('the types need no package that is not installed, and the library check of the compiler passes', () => {
  expect(typeProblems(folder)).toEqual([]);
  expect(typeProblems(folder, { lib: ['dom'] })).toEqual([]);
  for (const name of ['@types/node', '@xmldom/xmldom']) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const imports = "import * as all from 'elbowroom';\nall.planMotion satisfies object;\n";
  const aborts = 'new AbortController().signal satisfies AbortSignal;\n';
  const parses = "import { DOMParser } from '@xmldom/xmldom';\nexport const parser = new DOMParser();\n";
  expect(typeProblems(folder, { types: ['node'], more: `${imports}${aborts}${parses}` })).toEqual([]);
  expect(typeProblems(folder, { more: "import 'elbowroom/nowhere';" }).join()).toContain('elbowroom/nowhere');
});

/** The modules that a module loads at once, itself included, and the packages that these import. */
function loadedBy(entry: string, loaded = new Set<string>(), packages = new Set<string>()) {
  loaded.add(entry);
  for (const [, from] of readFileSync(entry, 'utf8').matchAll(
    /^(?:(?:import|export)\b[^;'"]*?from ?|import ?)"([^"]+)"/gm,
  )) {
    if (!from.startsWith('.')) packages.add(from);
    else if (!loaded.has(join(dirname(entry), from))) loadedBy(join(dirname(entry), from), loaded, packages);
  }
  return { count: loaded.size, packages: [...packages] };
}

test('importing the library loads few modules and no package', () => {
  const library = loadedBy(join(own, 'dist/index.js'));
  expect(library.packages).toEqual([]);
  expect(library.count).toBeLessThan(60);
  const onNode = loadedBy(join(own, 'dist/node.js'));
  expect(onNode.packages.filter((name) => !name.startsWith('node:'))).toEqual([]);
  expect(onNode.count).toBeLessThan(60);
});

test('the licences of bundled packages are in the package, and these packages are not required', () => {
  const licences = readFileSync(join(own, 'dist/LICENCES.txt'), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const name of ['three', 'mathjs', 'urdf-loader', 'yargs-parser', 'zod', 'yaml', '@xmldom/xmldom']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\([\\w-.]+\\)\\n\\n.`, 'm'));
    expect(dependencies).not.toHaveProperty([name]);
  }
});

test('the demonstration of the installed command runs in an empty folder', async () => {
  const empty = temporaryFolder();
  const bin = join(folder, 'node_modules/.bin/elbowroom');
  const { stderr } = await run(process.execPath, [bin, 'demo'], { cwd: empty });
  expect(stderr).toContain('verify');
  expect(readdirSync(join(empty, 'elbowroom-demo')).length).toBeGreaterThan(2);
});

test('each example runs from the installed package', async () => {
  const examples = [
    ...readdirSync(join(own, 'examples')),
    ...readdirSync(join(own, 'examples/library')).map((name) => `library/${name}`),
  ];
  const programs = examples.filter((name) => name.endsWith('.mjs'));
  expect(programs.length).toBeGreaterThan(15);
  for (const name of programs) {
    const { stdout, stderr } = await run(process.execPath, [join(own, 'examples', name)], { cwd: own });
    const lines = stdout.split('\n').length - 1;
    expect({ name, stderr, printed: lines > 0 }).toEqual({ name, stderr: '', printed: true });
  }
  expect(existsSync(join(folder, 'node_modules/three'))).toBe(false);
});

test('a program outside of the package plans and starts threads and the service', async () => {
  const program = `
    import { planMotion } from 'elbowroom';
    import { loadScene, PlanThreads, startService } from 'elbowroom/node';
    const scene = ${JSON.stringify(join(own, 'scenes/shelf.yaml'))};
    const problem = await loadScene(scene);
    const here = planMotion(problem, { seed: 1 }).trajectory.hash;
    const threads = await PlanThreads.start([problem], 1);
    const there = (await threads.plan(problem, { ...(await import('elbowroom')).planDefaults, seed: 1 })).trajectory.hash;
    await threads.end();
    const client = await startService(scene);
    const [valid] = await client.areValid([problem.scene.start]);
    await client.close();
    console.log(here === there, valid);
  `;
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, [join(folder, 'program.mjs')], { cwd: folder });
  expect(stdout.trim()).toBe('true true');
});

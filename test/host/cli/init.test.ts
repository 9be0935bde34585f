import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownDependency } from '../../../src/host/cli/commands/init.ts';
import { temporaryFolder } from './run.ts';
import { elbowroom } from './runHere.ts';

test('the starter plans, verifies and checks by the commands of its scripts', async () => {
  const folder = join(temporaryFolder(), 'new', 'cell');
  const { code, stderr } = await elbowroom(['init', folder]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const {
    name: project,
    type,
    scripts,
    dependencies,
    allowScripts,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect({ project, type }).toEqual({ project: 'cell', type: 'module' }); // programs may await at the top level
  expect(dependencies).toEqual({ elbowroom: `file:${process.cwd()}` });
  expect(allowScripts).toEqual({ [dependencies.elbowroom]: false });
  for (const name of ['plan', 'verify', 'program', 'check']) {
    const [command, ...words] = scripts[name].split(' ');
    expect(command).toBe('elbowroom');
    const ran = await elbowroom(words, { cwd: folder });
    expect({ name, code: ran.code, warned: ran.stderr.includes('warning') }).toEqual({ name, code: 0, warned: false });
  }
  expect((await elbowroom(['robot', 'robot/ur5e.urdf', '--srdf', 'robot/ur5e.srdf'], { cwd: folder })).code).toBe(0);
});

test('a project depends on the tarball or the version that npm installed, and on nothing if none is recorded', () => {
  const project = temporaryFolder();
  const root = join(project, 'node_modules', 'elbowroom');
  mkdirSync(root, { recursive: true });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const dependencyOf = (entry: object) => {
    const packages = { 'node_modules/elbowroom': entry };
    writeFileSync(join(project, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    return ownDependency(root);
  };
  expect(ownDependency(root)).toEqual({});
  const tarball = { dependencies: { elbowroom: `file:${join(project, '../e.tgz')}` } };
  expect(dependencyOf({ version, resolved: 'file:../e.tgz' })).toEqual(tarball);
  const registry = { dependencies: { elbowroom: `^${version}` } };
  expect(dependencyOf({ version, resolved: 'https://registry.npmjs.org/elbowroom/-/e.tgz' })).toEqual(registry);
  expect(dependencyOf({ version })).toEqual(registry);
});

test('no file is replaced', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'robot'));
  writeFileSync(join(folder, 'robot', 'ur5e.srdf'), 'mine');
  const { code, stderr } = await elbowroom(['init', folder]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${join(folder, 'robot', 'ur5e.srdf')}: it exists already`);
  expect(readFileSync(join(folder, 'robot', 'ur5e.srdf'), 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'scene.yaml'))).toBe(false);
});

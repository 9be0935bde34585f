import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { AtomicFile } from '../../../src/host/node/atomicFile.ts';
import {
  checkOutput,
  checkOutputs,
  isOfInstalledPackage,
  refuseSceneAsOutput,
} from '../../../src/host/node/outputTarget.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'elbowroom-test-'));
});

test('a file has its name only when it is whole, and what stood there before stays until then', async () => {
  const file = join(folder, 'a/b/answers.txt');
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(file, 'before');
  const whole = new AtomicFile(file);
  await whole.write('one, ');
  expect(readFileSync(file, 'utf8')).toBe('before');
  await whole.write('µ two');
  whole.commit();
  expect(readFileSync(file, 'utf8')).toBe('one, µ two');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['answers.txt']);
});

test('folders that were created for discarded files are removed, those with other files remain', async () => {
  mkdirSync(join(folder, 'old'));
  const names = ['new/first', 'new/below/second', 'old/below/third', 'shared/deep/fourth'];
  const files = names.map((name) => new AtomicFile(join(folder, name)));
  for (const file of files) await file.write('x');
  writeFileSync(join(folder, 'shared', 'other'), '');
  AtomicFile.discardAll();
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['old', 'shared', 'shared/other']);
});

test('what is discarded leaves nothing behind, alone or all at once', async () => {
  const files = ['x', 'y', 'z'].map((name) => new AtomicFile(join(folder, name)));
  for (const file of files) await file.write('half');
  files[0].discard();
  files[0].discard();
  files[2].commit();
  AtomicFile.discardAll();
  expect(readdirSync(folder)).toEqual(['z']);
});

test('a device is written to, never replaced', async () => {
  const whole = new AtomicFile('/dev/null');
  await whole.write('gone');
  whole.commit();
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('places that cannot take a file are refused with their name', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => new AtomicFile(folder)).toThrow(`${folder}: this is a folder`);
  expect(() => checkOutput(folder)).toThrow(`${folder}: this is a folder`);
  expect(() => new AtomicFile(join(folder, 'file/below'))).toThrow(`${join(folder, 'file/below')}: cannot be written`);
});

test('an existing file keeps its mode, and a symbolic link stays a link to the file that is replaced', async () => {
  const [file, link, chain] = ['file', 'links/link', 'links/chain'].map((name) => join(folder, name));
  mkdirSync(join(folder, 'links'));
  writeFileSync(file, 'before');
  symlinkSync('../file', link);
  symlinkSync('link', chain);
  for (const mode of [0o600, 0o640, 0o666, 0o755]) {
    chmodSync(file, mode);
    for (const name of [file, link, chain]) {
      const whole = new AtomicFile(name);
      await whole.write(`${name} ${mode}`);
      whole.commit();
      expect(readFileSync(file, 'utf8')).toBe(`${name} ${mode}`);
      expect(statSync(file).mode & 0o7777).toBe(mode);
    }
  }
  expect([link, chain].every((name) => lstatSync(name).isSymbolicLink())).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['file', 'links']);
  expect(readdirSync(join(folder, 'links')).sort()).toEqual(['chain', 'link']);
});

test('files of the same name that are written at once do not mix, and temporary files of killed processes do not matter', async () => {
  const file = join(folder, 'same');
  writeFileSync(join(folder, `.elbowroom-${process.pid}-0.part`), 'left over');
  const writers = Array.from({ length: 5 }, () => new AtomicFile(file));
  await Promise.all(writers.map((whole, i) => whole.write(String(i).repeat(1000))));
  for (const [i, whole] of writers.entries()) {
    whole.commit();
    expect(readFileSync(file, 'utf8')).toBe(String(i).repeat(1000));
  }
  expect(readdirSync(folder).length).toBe(2);
});

test('symbolic links without target and loops of them are refused, and nothing is created', () => {
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('b', join(folder, 'a'));
  symlinkSync('a', join(folder, 'b'));
  expect(() => new AtomicFile(join(folder, 'dangling'))).toThrow(/leads to .*nowhere, which does not exist/);
  expect(() => new AtomicFile(join(folder, 'a'))).toThrow('symbolic links form a loop');
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
});

test.runIf(existsSync('/proc/self'))('devices, pipes and files of the kernel are refused at once', () => {
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  symlinkSync(pipe, join(folder, 'link'));
  for (const file of [pipe, join(folder, 'link'), '/dev/zero', '/dev/full', '/proc/self/environ', '/proc/new/file']) {
    for (const attempt of [checkOutput, (path: string) => new AtomicFile(path)]) {
      expect(() => attempt(file)).toThrow(`${file}: this is `);
    }
  }
});

test('- is no output: neither stdout nor a file of that name is meant for certain', () => {
  expect(() => checkOutput('-')).toThrow(/^-: this output is not written/);
});

test('outputs of the same name are refused, also by other paths and links; stdout and /dev/null may repeat', () => {
  const at = (name: string) => join(folder, name);
  mkdirSync(at('inner'));
  writeFileSync(at('old'), '');
  symlinkSync('old', at('link'));
  symlinkSync('inner', at('alias'));
  const same = (one: string, other: string) => () => checkOutputs([one, undefined, other]);
  expect(same(at('new'), `${folder}/inner/../new`)).toThrow(/new: two outputs have this name/);
  expect(same(at('old'), at('link'))).toThrow(/link: two outputs have this name/);
  expect(same(at('inner/new'), at('alias/new'))).toThrow(/alias\/new: two outputs have this name/);
  for (const [one, other] of [
    [at('new'), at('inner/new')],
    ['/dev/null', '/dev/null'],
    ['/dev/stdout', '/dev/stdout'],
  ])
    expect(same(one, other)).not.toThrow();
  const scene = (output: string | undefined) => () => refuseSceneAsOutput(at('old'), ['-', output]);
  expect(scene(at('link'))).toThrow(/link: this output would replace the scene/);
  for (const other of [undefined, at('new'), at('inner/old')]) expect(scene(other)).not.toThrow();
});

test('files of an installed package are not written: directly, through links, relative paths or new folders', () => {
  const root = join(folder, 'project/node_modules/elbowroom');
  const scenes = join(root, 'scenes');
  mkdirSync(scenes, { recursive: true });
  writeFileSync(join(scenes, 'shelf.yaml'), 'format: elbowroom-scene/1');
  symlinkSync(join(scenes, 'shelf.yaml'), join(folder, 'link.yaml'));
  symlinkSync(root, join(folder, 'linked'));
  mkdirSync(join(folder, 'project/node_modules/elbowroom-more'));
  const isRefused = (path: string) => isOfInstalledPackage(path, scenes);
  for (const path of ['link.yaml', 'linked/scenes/shelf.yaml', 'linked/new/folder/out.json', 'linked/scenes/new.yaml'])
    expect(isRefused(join(folder, path)), path).toBe(true);
  expect(isRefused(`${folder}/project/other/../node_modules/elbowroom/scenes/shelf.yaml`)).toBe(true);
  for (const path of ['out.yaml', 'project/shelf.yaml', 'project/node_modules/elbowroom-more/out.yaml', 'no/out.yaml'])
    expect(isRefused(join(folder, path)), path).toBe(false);
  expect(isOfInstalledPackage(join(folder, 'link.yaml'), join(folder, 'scenes'))).toBe(false); // a clone of the project
});

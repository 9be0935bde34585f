import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { preProcessFile } from 'typescript';
import { expect, test } from 'vitest';
import { matchingFiles } from '../src/host/experiments/glob.ts';
import { LONG, LONGEST, OWN_PROCESS } from './slowFiles.ts';

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));

function groupedBy(files: readonly string[], keyOf: (file: string) => string): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const file of files) groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file]);
  return [...groups];
}

/** Files that each file imports; types included, for a cycle of types is a cycle for the reader. */
function importGraph(folder: string): Map<string, string[]> {
  const files = new Set(filesOf(folder));
  const importsOf = (file: string) =>
    preProcessFile(readFileSync(`${folder}/${file}`, 'utf8'), true, true)
      .importedFiles.map(({ fileName }) => posix.join(posix.dirname(file), fileName))
      .filter((target) => files.has(target));
  return new Map([...files].map((file) => [file, importsOf(file)]));
}

/** Strongly connected components of more than one file, by Tarjan's algorithm. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const target of graph.get(file)!) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) cycles.push(component);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}

test('the search for cycles finds one', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ]);
  expect(cyclesIn(graph).map((cycle) => cycle.sort())).toEqual([['a', 'b', 'c']]);
});

test.each(['src', 'bench'])('%s has no import cycle, types included', (folder) => {
  expect(cyclesIn(importGraph(folder))).toEqual([]);
});

test('no folder of src holds more than 25 files', () => {
  const large = groupedBy(filesOf('src'), (file) => posix.dirname(file)).filter(([, files]) => files.length > 25);
  expect(large.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

test('the median file of src has at most 120 lines', () => {
  const lines = filesOf('src').map((file) => readFileSync(`src/${file}`, 'utf8').split('\n').length);
  lines.sort((a, b) => a - b);
  expect(lines[lines.length >> 1]).toBeLessThanOrEqual(120);
});

test('README has at most 120 lines', () => {
  expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('files of one name have one meaning: only a command is named after the file that implements it', () => {
  const shared = groupedBy(filesOf('src'), (file) => posix.basename(file))
    .filter(([name]) => name !== 'index.ts')
    .map(([, files]) => files.filter((file) => !file.startsWith('host/cli/commands/')))
    .filter((files) => files.length > 1);
  expect(shared).toEqual([]);
});

test('the lists of slow test files name files that exist', () => {
  const patterns = [...LONGEST.map((name) => `test/${name}.test.ts`), ...OWN_PROCESS, ...LONG];
  expect(patterns.filter((pattern) => matchingFiles(pattern, '.').length === 0)).toEqual([]);
});

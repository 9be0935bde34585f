import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/run.ts';

const simulate = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/scaling.mjs', ...args], { cwd: root, encoding: 'utf8' });

test('docs/scaling.md shows what the simulation of ten million runs prints', () => {
  const { stdout, status } = simulate('--runs', '1e7');
  expect(status).toBe(0);
  const [heading, ...table] = stdout.trim().split('\n');
  const page = readFileSync(join(root, 'docs/scaling.md'), 'utf8');
  expect(page).toContain(`${heading}\n\n${table.join('\n')}\n`);
});

test('a simulation makes every run, however few, and equal seeds give equal tables', () => {
  const small = ['--runs', '700', '--workers', '3', '--json'];
  const { stdout } = simulate(...small);
  expect(simulate(...small).stdout).toBe(stdout);
  expect(simulate(...small, '--seed', '2').stdout).not.toBe(stdout);
  const rates = (JSON.parse(stdout) as { 'runs/s': string }[]).map((row) => Number(row['runs/s']));
  // Three workers with a mean of 0.24 s · exp(0.94² / 2), 7 % longer for stragglers: 7.5 runs a second at most.
  expect(rates[0]).toBeGreaterThan(5);
  for (const rate of rates) expect(rate).toBeLessThan(10.5);
});

test('numbers that make no sense are refused', () => {
  for (const args of [
    ['--runs', '0'],
    ['--workers', '1.5'],
    ['--median', '0'],
  ])
    expect(simulate(...args).status).toBe(2);
});

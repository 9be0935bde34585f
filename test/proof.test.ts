import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { root, temporaryFolder } from './host/cli/run.ts';

const sources = readdirSync(join(root, 'proof')).filter((name) => name.endsWith('.v'));
const textOf = (name: string) => readFileSync(join(root, 'proof', name), 'utf8');

/** Axioms of Coq's real numbers, and of classical logic, which its library of them uses. */
const ofReals = [
  'ClassicalDedekindReals.sig_forall_dec',
  'ClassicalDedekindReals.sig_not_dec',
  'Classical_Prop.classic',
  'FunctionalExtensionality.functional_extensionality_dep',
];

function hasCoq(): boolean {
  try {
    execFileSync('coqc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('Assumptions.v prints the axioms of every theorem, and proof/README.md has each theorem', () => {
  const theorems = sources.flatMap((name) => [...textOf(name).matchAll(/^ *Theorem (\w+)/gm)].map(([, one]) => one));
  const assumed = textOf('Assumptions.v').match(/\w+/g)!;
  const readme = textOf('README.md');
  expect(theorems.length).toBeGreaterThan(0);
  expect(theorems.filter((one) => !assumed.includes(one))).toEqual([]);
  expect(theorems.filter((one) => !readme.includes(`\`${one}\``))).toEqual([]);
});

describe.skipIf(!hasCoq())('the Coq development', () => {
  test('is proved by make from the axioms of the real numbers alone', async () => {
    const folder = temporaryFolder();
    for (const name of [...sources, 'Makefile']) copyFileSync(join(root, 'proof', name), join(folder, name));
    const { stdout: output } = await promisify(execFile)('make', ['-j2'], { cwd: folder });
    const names = output
      .split('\n')
      .filter((line) => /^[^\s]/.test(line) && !/^(coqc |Axioms:|Closed under)/.test(line));
    expect(output).toContain('Axioms:');
    expect(names.map((line) => line.split(' ')[0]).filter((name) => !ofReals.includes(name))).toEqual([]);
  }, 300_000);
});

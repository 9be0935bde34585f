import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { elbowroom, root, temporaryFolder } from './host/cli/run.ts';

const sources = readdirSync(join(root, 'proof')).filter((name) => name.endsWith('.v'));
const textOf = (name: string) => readFileSync(join(root, 'proof', name), 'utf8');

/** Axioms of Coq's real numbers, and of classical logic, which its library of them uses. */
const ofReals = [
  'ClassicalDedekindReals.sig_forall_dec',
  'ClassicalDedekindReals.sig_not_dec',
  'Classical_Prop.classic',
  'FunctionalExtensionality.functional_extensionality_dep',
];

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** True if Coq has the library coq-interval. */
function hasIntervals(): boolean {
  if (!has('coqc')) return false;
  const at = execFileSync('coqc', ['-where'], { encoding: 'utf8' }).trim();
  return existsSync(join(at, 'user-contrib', 'Interval'));
}

test('files of assumptions print the axioms of every theorem, and proof/README.md has each theorem', () => {
  const theorems = sources.flatMap((name) => [...textOf(name).matchAll(/^ *Theorem (\w+)/gm)].map(([, one]) => one));
  const assumed = ['Assumptions.v', 'CheckerAssumptions.v', 'TrigonometryAssumptions.v'].flatMap(
    (name) => textOf(name).match(/\w+/g)!,
  );
  const readme = textOf('README.md');
  expect(theorems.length).toBeGreaterThan(0);
  expect(theorems.filter((one) => !assumed.includes(one))).toEqual([]);
  expect(theorems.filter((one) => !readme.includes(`\`${one}\``))).toEqual([]);
});

test('the rounding errors of positions and poses are proved of the expressions of the program', () => {
  const sources = ['trajectory/polynomial.ts', 'math/transform.ts', 'kinematics/forwardKinematics.ts'].map((name) =>
    readFileSync(join(root, 'src/core', name), 'utf8').replace(/\s+/g, ' '),
  );
  for (const expression of [
    'c[at + 2] = (3 * mean - 2 * v - w) / T;',
    'c[at + 3] = (v + w - 2 * mean) / (T * T);',
    'c[at + 2] = a / 2;',
    'c[at + 3] = (10 * mean - 6 * v - 4 * w - (3 * a - b) * (T / 2)) / T / T;',
    'c[at + 4] = (8 * v + 7 * w - 15 * mean + (3 * a - 2 * b) * (T / 2)) / T / T / T;',
    'c[at + 5] = (6 * mean - 3 * v - 3 * w - (a - b) * (T / 2)) / T / T / T / T;',
    'c[at] + u * (c[at + 1] + u * (c[at + 2] + u * (c[at + 3] + u * (c[at + 4] + u * c[at + 5]))))',
  ])
    expect(sources[0]).toContain(expression);
  expect(sources[1]).toContain(
    'T_a_c[row + 2] = x * b2 + y * b6 + z * b10; T_a_c[row + 3] = x * b3 + y * b7 + z * b11 + t;',
  );
  expect(sources[2]).toContain('poses[w + row] = x * l0 + y * l3 + z * l6;');
});

/** Returns the names of all axioms that Coq printed. */
const axiomsIn = (output: string) =>
  output
    .split('\n')
    .filter((line) => /^[\w.]+ ?:|^[A-Z][\w.]+$/.test(line) && line !== 'Axioms:')
    .map((line) => line.split(/[ :]/)[0]);

/** Copies the development to a folder of its own, and returns a function that runs `make` there. */
function developed() {
  const folder = temporaryFolder();
  for (const name of [...sources, 'Makefile', 'certificate.py'])
    copyFileSync(join(root, 'proof', name), join(folder, name));
  const make = async (...args: string[]) =>
    (await promisify(execFile)('make', ['-s', ...args], { cwd: folder })).stdout;
  return { folder, make };
}

describe.skipIf(!has('coqc'))('the Coq development', () => {
  const { folder, make } = developed();

  test('is proved by make from the axioms of the real numbers alone', async () => {
    expect(new Set(axiomsIn(await make('-j2')))).toEqual(new Set(ofReals));
  }, 300_000);

  test.skipIf(!hasIntervals())(
    'proves the checker, which accepts a certificate and refuses turned planes and holes',
    async () => {
      const at = (name: string) => join(folder, name);
      const scene = join(root, 'examples/concepts/two-joints.yaml');
      const files = ['cert.json', 'cell.json', 'motion.json'].map(at);
      await elbowroom(['plan', scene, '--seed', '1', '-o', files[2], '--certificate', files[0]]);
      await elbowroom(['scene', scene, '--resolved', '-o', files[1]]);
      const checked = () => make('checked', `CERTIFICATE=${files[0]}`, `SCENE=${files[1]}`, `TRAJECTORY=${files[2]}`);

      expect(new Set(axiomsIn(await make('-j2', 'checker')))).toEqual(new Set(ofReals));
      const output = await checked();
      expect(output).toContain('given_apart');
      expect(new Set(axiomsIn(output.slice(output.indexOf('given_apart'))))).toEqual(new Set(ofReals));

      // The pair of two or more intervals that is checked fastest: the checker has accepted it above.
      const certificate = JSON.parse(readFileSync(files[0], 'utf8'));
      const [pair] = (certificate.pairs as { spans: number[][] }[])
        .filter(({ spans }) => spans.length > 1)
        .sort((one, other) => one.spans.length - other.spans.length);
      const [from, to, x, y, z] = pair.spans[0];
      const refuses = async (spans: number[][]) => {
        writeFileSync(files[0], JSON.stringify({ ...certificate, pairs: [{ ...pair, spans }] }));
        await expect(checked()).rejects.toThrow('accepts given = true');
      };
      await refuses([[from, to, -x, -y, -z], ...pair.spans.slice(1)]);
      await refuses(pair.spans.slice(1));
    },
    600_000,
  );
});

describe.skipIf(!hasIntervals())('the polynomials of sine and cosine', () => {
  test('are as near to them as Coq proves, from the axioms of its numbers alone', async () => {
    const axioms = axiomsIn(await developed().make('trigonometry'));
    expect(axioms.filter((one) => !ofReals.includes(one) && !/^(PrimInt63|Uint63)\./.test(one))).toEqual([]);
    expect(axioms).toContain(ofReals[0]);
  }, 600_000);

  test('have the coefficients of the program', () => {
    const source = readFileSync(join(root, 'src/core/math/trigonometry.ts'), 'utf8');
    const own = new Set([...source.matchAll(/\d+\.\d+(?:e-?\d+)?/g)].map(([one]) => Number(one)));
    const stated = [...textOf('Trigonometry.v').matchAll(/:= -?(\d+) \/ 2 \^ (\d+)\./g)];
    expect(stated).toHaveLength(15);
    expect(stated.filter(([, above, below]) => !own.has(Number(above) / 2 ** Number(below)))).toEqual([]);
  });
});

describe.skipIf(!has('gappa'))('the bounds on rounding errors', () => {
  const goals = readdirSync(join(root, 'proof')).filter((name) => name.endsWith('.gappa'));

  test('are proved by make gappa, each file that the folder has', () => {
    const output = execFileSync('make', ['gappa'], { cwd: join(root, 'proof'), encoding: 'utf8' });
    expect(goals.length).toBeGreaterThan(0);
    expect(goals.filter((name) => !output.includes(`gappa ${name}`))).toEqual([]);
  }, 300_000);

  test('are about the coefficients of the program', () => {
    const source = readFileSync(join(root, 'src/core/math/trigonometry.ts'), 'utf8');
    const literals = goals.flatMap((name) =>
      [...textOf(name).matchAll(/= rnd\(-?([\d.e-]+)\);/g)].map(([, one]) => one),
    );
    expect(new Set(literals).size).toBeGreaterThan(15);
    const inverse = String(1 / (Math.PI / 2));
    expect(literals.filter((one) => !source.includes(one) && String(Number(one)) !== inverse)).toEqual([]);
  });
});

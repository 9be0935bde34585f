import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/math/random.ts';
import { checkers } from '../../src/core/narrowphase/index.ts';
import { planners } from '../../src/core/planning/index.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { threadMessages } from '../../src/formats/schemas/planningMessages.ts';
import { isLong } from '../cases.ts';
import { root, temporaryFolder } from '../host/cli/run.ts';

// The Python package, without installation. Its own tests are in clients/python/tests.

const run = promisify(execFile);
const folder = join(root, 'clients/python');
const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', NODE: process.execPath };

const python = (...args: string[]) => run('python3', args, { cwd: root, env });
const works = (...args: string[]) => {
  try {
    execFileSync('python3', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasPython = works('-c', 'import sys; assert sys.version_info >= (3, 9)');
const hasNumpy = hasPython && works('-c', 'import numpy');
const hasMypy = (process.env['PATH'] ?? '').split(':').some((place) => existsSync(join(place, 'mypy')));
if (!hasPython) console.log('python3 (3.9 or newer) is not installed: the Python package is not tested');

describe.skipIf(!hasPython)('the Python package', () => {
  /** In `npm test` all but most tests of sessions, each class of which starts services. */
  const session = ['Handshake', 'Planning.test_plans_checks_verifies_and_repairs', 'States'];
  const some = [
    ...['bounds', 'constraints', 'readers', 'refusals'].map((name) => `exact.test_${name}`),
    ...['install', 'lerobot', 'trajectory'].map((name) => `test_${name}`),
    ...session.map((name) => `test_session.${name}`),
  ].map((name) => `tests.${name}`);

  test('passes its own tests', async () => {
    const { stderr } = await run('python3', ['-m', 'unittest', ...(isLong ? [] : some)], { cwd: folder, env });
    expect(stderr).toMatch(/Ran \d\d tests[\s\S]*\nOK/);
  }, 600_000);

  test.runIf(hasNumpy && isLong)(
    'passes the tests of arrays without numpy',
    async () => {
      const tests = ['tests.test_session.States', 'tests.test_trajectory'];
      const { stderr } = await run('python3', ['-S', '-m', 'unittest', ...tests], { cwd: folder, env }); // no packages
      expect(stderr).toMatch(/\nOK \(skipped=1\)/);
    },
    180_000,
  );

  test.runIf(hasMypy)('has complete types', async () => {
    await run('mypy', ['--cache-dir', temporaryFolder(), 'elbowroom'], { cwd: folder });
  });

  const page = readFileSync(join(root, 'docs/python.md'), 'utf8');
  const examples = [...page.matchAll(/## (.*)\n\n```python\n([\s\S]*?)```/g)];
  test.each(examples.map(([, title, code]) => [title, code]))(
    'the example "%s" of its page runs',
    async (title, code) => {
      expect(examples.length).toBe(3);
      const { stdout } = await python('-c', code);
      const expected: Record<string, RegExp> = {
        'Plan, check, repair':
          /^solved <Trajectory [\d.]+ s, \d+ points, 6 joints>\nproved: True\n.+\nrepaired True\n$/,
        'Many states in one call': /^True 10000\n100 6 \(.+\)\n100 7\n100\n$/,
        'A motion in execution': /^certified until [\d.]+ \('.+', 'visitor'\)\ncancelled\nGive it more time.*\n$/,
      };
      expect(stdout).toMatch(expected[title]);
    },
    60_000,
  );

  test('builds a wheel that contains every module, with the version of the package', async () => {
    const target = temporaryFolder();
    const code = `import sys; sys.path.insert(0, 'build_backend'); import backend; print(backend.build_wheel(${JSON.stringify(target)}))`;
    const { stdout } = await run('python3', ['-c', code], { cwd: folder, env });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(stdout.trim()).toBe(`elbowroom-${version}-py3-none-any.whl`);
    for (const [file, stated] of [
      ['clients/python/pyproject.toml', `\nversion = "${version}"\n`],
      ['clients/cpp/moveit/package.xml', `<version>${version}</version>`],
      ['CITATION.cff', `\nversion: ${version}\n`],
      ['CHANGELOG.md', `\n## ${version}`],
    ])
      expect(readFileSync(join(root, file), 'utf8')).toContain(stated);
    const listing = `import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")`;
    const names = (await python('-c', listing, join(target, stdout.trim()))).stdout.split('\n');
    for (const module of readdirSync(join(folder, 'elbowroom')).filter((name) => /\.(py|typed)$/.test(name)))
      expect(names).toContain(`elbowroom/${module}`);
    const env2 = { ...env, PYTHONPATH: join(target, stdout.trim()) }; // a wheel can be imported as it is
    expect((await run('python3', ['-c', 'import elbowroom; print(elbowroom.__file__)'], { env: env2 })).stdout).toMatch(
      /\.whl/,
    );
  });

  test('plan and repair have the parameters of the service, planners and checkers those of the tables', async () => {
    const code = `
import inspect, json, typing
from elbowroom import Session, session
names = {m: [p for p in inspect.signature(getattr(Session, m)).parameters] for m in ("plan", "repair")}
print(json.dumps([names, [typing.get_args(one) for one in (session.Planner, session.Checker)]]))`;
    const [found, names] = JSON.parse((await python('-c', code)).stdout);
    const own = new Set(['self', 'on_progress', 'cancellation', 'deadline', 'more']);
    for (const method of ['plan', 'repair'] as const) {
      const given = (found[method] as string[]).filter((name) => !own.has(name));
      expect(given.sort()).toEqual(Object.keys(threadMessages[method].params.shape).sort());
    }
    expect(names).toEqual([Object.keys(planners), Object.keys(checkers)]);
  });

  test('positions of trajectories are those that check proves', async () => {
    const random = new Random(18);
    const list = () => [random.between(-2, 2), random.between(-2, 2)];
    const cases = Array.from({ length: 60 }, (_, i) => {
      let time = random.between(0, 1);
      const next = () => {
        time += random.between(0.1, 1);
        return time;
      };
      const points = Array.from({ length: 2 + random.below(4) }, () => ({
        ...(i % 7 === 0 ? {} : { time_from_start: next() }),
        positions: list(),
        ...(random.below(4) > 0 ? { velocities: list() } : i % 2 ? { velocities: [] } : {}),
        ...(random.below(3) > 0 ? { accelerations: list() } : {}),
      }));
      const interpolation = ([undefined, 'linear', 'cubic', 'quintic'] as const)[i % 4];
      return { joint_names: ['a', 'b'], points, ...(interpolation ? { interpolation } : {}) };
    });
    const curves = cases.map(
      ({ joint_names: jointNames, ...rest }) => new TrajectoryCurve({ jointNames, ...rest } as Trajectory),
    );
    const times = curves.map(({ start, end }) => [
      start,
      end,
      ...[1, 2, 3, 4, 5].map((k) => start + (k / 6) * (end - start)),
    ]);
    const file = join(temporaryFolder(), 'cases.json');
    writeFileSync(file, JSON.stringify({ cases, times }));
    const code = `
import json, sys
from elbowroom import Trajectory
given = json.load(open(sys.argv[1]))
print(json.dumps([[Trajectory(case).at(t) for t in ts] for case, ts in zip(given["cases"], given["times"])]))`;
    const found = JSON.parse((await python('-c', code, file)).stdout) as number[][][];
    const out = new Float64Array(2);
    for (const [i, curve] of curves.entries())
      for (const [k, t] of times[i].entries()) {
        curve.position(out, t);
        for (const j of [0, 1]) expect(found[i][k][j], `case ${i}, t = ${t}`).toBeCloseTo(out[j], 10);
      }
  });
});

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadScene } from '../../src/host/node/files.ts';
import { Service } from '../../src/host/service/service.ts';
import { type Listening, listenOnSocket } from '../../src/host/service/socket.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../src/tasks/validation/stateValidityChecker.ts';
import { root, temporaryFolder } from '../host/cli/run.ts';

// clients/cpp/elbowroom.hpp: ompl/adapters.cpp is compiled with OMPL 1.5 of Debian and run against a service.

type Path = readonly (readonly number[])[];

/** What adapters.cpp prints. */
interface Found {
  readonly samples: Path;
  readonly single: readonly boolean[];
  readonly again: readonly boolean[];
  readonly back: readonly boolean[];
  readonly messages: readonly [number, number];
  readonly states: readonly boolean[];
  readonly manyStates: readonly boolean[];
  readonly blocked: readonly boolean[];
  readonly reset: readonly boolean[];
  readonly repaired: boolean;
  readonly repairedPath: Path;
  readonly shortened: boolean;
  readonly shorterPath: Path;
  readonly hopeless: boolean;
  readonly roadmap: {
    readonly vertices: Path;
    readonly edges: readonly (readonly [number, number])[];
    readonly unproved: readonly (readonly [number, number])[];
    readonly invalid: number;
  };
  readonly batched: readonly { readonly messages: number; readonly motions: number; readonly unproved: number }[];
}

const run = promisify(execFile);
const works = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasOmpl = works('g++', '--version') && existsSync('/usr/include/ompl-1.5') && existsSync('/usr/include/eigen3');
if (!hasOmpl) console.log('g++ or libompl-dev (Debian) is not installed: clients/cpp is not tested');

const folder = temporaryFolder();
const { scene, robot: description } = await loadScene(join(root, 'scenes/table-top.yaml'));
const robot = createSceneRobot({ scene, robot: description });
const checker = new StateValidityChecker(robot, scene);
const isValid = (from: readonly number[], to: readonly number[]) => checker.isValidMotion(from, to);
const lengthOf = (path: Path) =>
  path.slice(1).reduce((sum, q, i) => sum + Math.hypot(...q.map((x, j) => x - path[i][j])), 0);

describe.skipIf(!hasOmpl)('the header for OMPL', () => {
  let listening: Listening;
  let found: Found;
  beforeAll(async () => {
    const socket = join(folder, 'service.sock');
    const program = join(folder, 'adapters');
    listening = await listenOnSocket(new Service({ robot, scene, version: '0' }), socket);
    const includes = ['-I/usr/include/ompl-1.5', '-isystem', '/usr/include/eigen3', `-I${join(root, 'clients/cpp')}`];
    const source = join(root, 'test/clients/ompl/adapters.cpp');
    const { stderr } = await run('g++', [
      '-std=c++17',
      '-Wall',
      '-Wextra',
      ...includes,
      source,
      '-o',
      program,
      '-lompl',
    ]);
    expect(stderr).not.toMatch(/(clients\/cpp|adapters\.cpp).*warning/);
    found = JSON.parse((await run(program, [socket], { maxBuffer: 1 << 26 })).stdout);
  }, 120_000);
  afterAll(() => listening?.stop());

  test('returns the verdicts of the validator, one by one, in a batch, and from the cache in both directions', () => {
    const { samples, single, again, back, messages } = found;
    const expected = samples.slice(1).map((q, i) => isValid(samples[i], q));
    expect(new Set(expected).size).toBe(2);
    expect({ single, again, back }).toEqual({ single: expected, again: expected, back: expected });
    expect(messages).toEqual([1, 0]);
    expect(found.states).toEqual(samples.map((q) => checker.isValid(q)));
    expect(found.manyStates).toEqual(found.states);
  });

  test('forgets verdicts when the scene of its session changes', () => {
    expect(found.blocked.some(Boolean)).toBe(false);
    expect(found.reset).toEqual(found.single);
  });

  test('repairs and shortens a path; every edge is valid, and the ends remain', () => {
    const { repairedPath, shorterPath } = found;
    expect(found).toMatchObject({ repaired: true, shortened: true, hopeless: true });
    for (const path of [repairedPath, shorterPath])
      for (const [i, q] of path.entries()) if (i > 0) expect(isValid(path[i - 1], q)).toBe(true);
    expect(shorterPath[0]).toEqual(repairedPath[0]);
    expect(shorterPath.at(-1)).toEqual(repairedPath.at(-1));
    expect(isValid(repairedPath[0], repairedPath.at(-1)!)).toBe(false);
    expect(lengthOf(shorterPath)).toBeLessThanOrEqual(lengthOf(repairedPath));
  });

  test('lists exactly the edges of planner data that are not valid', () => {
    const { vertices, edges, unproved, invalid } = found.roadmap;
    const wrong = edges.filter(([v, w]) => !isValid(vertices[v], vertices[w]));
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.length).toBeLessThan(edges.length);
    const sorted = (list: readonly (readonly number[])[]) => list.map(String).sort();
    expect(sorted(unproved)).toEqual(sorted(wrong));
    expect(invalid).toBe(0);
  });

  test('checks the candidate edges of a milestone with one message', () => {
    const [plain, batched] = found.batched;
    expect(plain.unproved + batched.unproved).toBe(0);
    expect(batched.motions).toBeGreaterThan(100);
    expect(plain.messages).toBeGreaterThan(plain.motions);
    expect(batched.messages).toBeLessThan(0.8 * batched.motions);
  });
});

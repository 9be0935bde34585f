import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { certificateText, readCertificate } from '../../src/core/certificate/certificate.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { InputError } from '../../src/errors.ts';
import { readExperimentFile } from '../../src/formats/schemas/experimentFile.ts';
import { readParams, serviceMessages } from '../../src/formats/schemas/serviceMessages.ts';
import { MotionReader } from '../../src/formats/streams/motions.ts';
import { PairReader } from '../../src/formats/streams/pairs.ts';
import { StateReader } from '../../src/formats/streams/states.ts';
import { parseSource } from '../../src/formats/text/sourceText.ts';
import { readTrajectory, writers } from '../../src/formats/trajectories/index.ts';
import { experimentDefaults, experimentTables } from '../../src/host/experiments/names.ts';
import { isRunRecord } from '../../src/host/experiments/record.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { loadProblemsIn } from '../../src/host/node/scenes.ts';
import { createTrajectoryChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { cases } from '../cases.ts';

// Every value of a valid file is replaced by values of other types. Whatever the file is then, reading it and using
// what was read either succeeds or throws InputError; anything else would end a command with exit code 70.

const INTRUDERS: readonly unknown[] = [
  {},
  [],
  null,
  true,
  'text',
  '',
  -1,
  1e999,
  { toString: 'x', valueOf: 'y' },
  { constructor: {}, hasOwnProperty: 1 },
  [[]],
];

/** Milliseconds for one file; the paths that do not fit are skipped evenly. */
const BUDGET = cases(3000);

type Place = readonly (string | number)[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  // Of long lists only the first entries are replaced.
  const entries = Object.entries(value).slice(0, Array.isArray(value) ? 3 : 60);
  return [at, ...entries.flatMap(([key, child]) => placesIn(child, [...at, Array.isArray(value) ? Number(key) : key]))];
}

function replaced(value: unknown, [key, ...rest]: Place, intruder: unknown): unknown {
  if (key === undefined) return intruder;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, intruder);
  return copy;
}

/** JSON with 1e999 where JSON.stringify would write null. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (one === Number.POSITIVE_INFINITY ? '\u0001' : one)).replaceAll(
    '"\\u0001"',
    '1e999',
  );

async function attack(valid: unknown, use: (text: string) => unknown): Promise<{ tried: number; failures: string[] }> {
  const places = placesIn(valid);
  const failures: string[] = [];
  let tried = 0;
  const begun = performance.now();
  for (const [i, place] of places.entries()) {
    if (performance.now() - begun > (BUDGET * (i + 1)) / places.length) continue;
    for (const intruder of INTRUDERS) {
      const text = textOf(replaced(valid, place, intruder));
      tried++;
      try {
        await use(text);
      } catch (error) {
        if (!(error instanceof InputError)) failures.push(`${place.join('.')} = ${textOf(intruder)}: ${error}`);
      }
    }
  }
  return { tried, failures };
}

const loaded = await loadScene('scenes/table-top.yaml');
const robot = createSceneRobot(loaded);
const joints = robot.variables.map(({ name }) => name);
const planned = planMotion(loaded, { certificate: true });
const trajectory = planned.trajectory!;
const certificate = planned.certificate!;
const checker = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, loaded.scene)));
const scene = {
  format: 'elbowroom-scene/1',
  name: 'x',
  description: 'y',
  robot: {
    urdf: 'robots/ur5e/ur5e.urdf',
    srdf: 'robots/ur5e/ur5e.srdf',
    joints,
    limits: { elbow_joint: { velocity: '180 deg/s', acceleration: 3 } },
    pose: { xyz: [0, 0, 0], rpy: [0, 0, '90 deg'] },
  },
  start: [0, -1, 1, -1, -1, 0],
  goal: { link: 'tool0', xyz: [0.4, 0.2, 0.3], rpy: [0, 0, 0], tolerance: { position: '1 mm', angle: 0.01 } },
  obstacles: [
    { name: 'b', type: 'box', size: [1, 1, 0.1], pose: { xyz: [2, 0, 0], quat_wxyz: [1, 0, 0, 0] }, margin: 0.01 },
    {
      name: 's',
      type: 'convex',
      points: [
        [0, 0, 9],
        [1, 0, 9],
        [0, 1, 9],
        [0, 0, 10],
      ],
    },
  ],
  attached: [
    { name: 'c', type: 'sphere', radius: 0.01, link: 'tool0', pose: { xyz: [0, 0, 0.1] }, touches: ['wrist_3_link'] },
  ],
  allow: [['b', 'base_link']],
  padding: '5 mm',
};
const experiment = {
  format: 'elbowroom-experiment/1',
  name: 'x',
  scenes: ['shelf', 'table-top'],
  planners: ['rrt-connect', 'rrt'],
  checkers: ['gjk'],
  seeds: [1, 2],
  repetitions: 2,
  metrics: ['total_ms'],
};
const record = JSON.parse(readFileSync('test/fixtures/runRecord.json', 'utf8'));

const readers: Readonly<Record<string, readonly [unknown, (text: string) => unknown]>> = {
  trajectory: [
    {
      ...JSON.parse(writers['json'].write({ ...trajectory, points: trajectory.points.slice(0, 3) })),
      interpolation: 'linear',
    },
    async (text) => checker(await readTrajectory(text, 't.json', joints)),
  ],
  'trajectory of ROS': [
    {
      joint_names: joints,
      points: [{ positions: [0, 0, 0, 0, 0, 0], velocities: [], time_from_start: { sec: 0, nanosec: 5 } }],
    },
    async (text) => checker(await readTrajectory(text, 't.yaml', joints)),
  ],
  certificate: [
    JSON.parse(certificateText({ ...certificate, pairs: certificate.pairs.slice(0, 2) })),
    (text) => verifyCertificate(readCertificate(text, 'c.json'), robot, loaded.scene, trajectory),
  ],
  scene: [scene, (text) => loadProblemsIn(text, 's.yaml')],
  suite: [
    {
      ...scene,
      format: 'elbowroom-suite/1',
      problems: [{ name: 'p', start: [0, 0, 0, 0, 0, 0], goals: [[0, 0, 0, 0, 0, 1]] }],
    },
    (text) => loadProblemsIn(text, 's.yaml'),
  ],
  experiment: [experiment, (text) => readExperimentFile(text, 'e.yaml', experimentTables, experimentDefaults)],
  'source text': [scene, (text) => parseSource(text, 's.yaml')],
  state: [{ id: 1, q: [0, 0, 0, 0, 0, 0] }, (text) => new StateReader(joints, 's').read(text)],
  'state by name': [
    { id: { a: 1 }, q: Object.fromEntries(joints.map((name) => [name, 0])) },
    (text) => new StateReader(joints, 's').read(text),
  ],
  motion: [{ id: 1, from: [0, 0, 0, 0, 0, 0], to: [1, 0, 0, 0, 0, 0] }, (text) => new MotionReader(joints).read(text)],
  pair: [
    {
      id: 'x',
      a: {
        shape: { type: 'box', size: [1, 1, 1] },
        pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
        center: [0, 0, 0],
      },
      b: {
        shape: {
          type: 'convex',
          points: [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
        pose: { xyz: [3, 0, 0] },
      },
      track: 1,
    },
    (text) => new PairReader().read(text),
  ],
  'run record': [record, (text) => isRunRecord(JSON.parse(text))],
};

test.each(Object.keys(readers))(
  'values of other types in a %s are bad input, never an internal error',
  async (name) => {
    const [valid, use] = readers[name];
    await use(textOf(valid)); // the file itself is good
    const { tried, failures } = await attack(valid, use);
    expect(tried).toBeGreaterThan(10);
    expect(failures).toEqual([]);
  },
  60_000,
);

test('messages to the service return an error, never an internal one', async () => {
  const q = [0, -1, 1, -1, -1, 0];
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'describe', params: {} },
    { jsonrpc: '2.0', id: 1, method: 'validate', params: { q, all: true } },
    { jsonrpc: '2.0', id: 1, method: 'validate', params: { states: [q, q] } },
    { jsonrpc: '2.0', id: 1, method: 'validate_motion', params: { from: q, to: q, details: true } },
    { jsonrpc: '2.0', id: 1, method: 'clearance', params: { q, gradient: true } },
    { jsonrpc: '2.0', id: 1, method: 'fk', params: { q } },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'ik',
      params: { pose: { xyz: [0.4, 0, 0.4], rpy: [0, 0, 0] }, link: 'tool0', seed: 1, collision_free: true, most: 2 },
    },
  ];
  for (const message of messages) {
    if (!Object.hasOwn(serviceMessages, message.method)) continue;
    const { failures } = await attack(message.params, (text) =>
      readParams(message.method as keyof typeof serviceMessages, JSON.parse(text)),
    );
    expect(failures).toEqual([]);
  }
});

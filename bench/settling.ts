import { BodyWorld, type FixedPart } from '../src/core/dynamics/bodyWorld.ts';
import { type ContactFinderName, contactFinders } from '../src/core/dynamics/contactFinder.ts';
import { RigidBody } from '../src/core/dynamics/rigidBody.ts';
import { Random } from '../src/core/math/random.ts';
import { create } from '../src/core/math/transform.ts';
import { createShape } from '../src/core/shapes/index.ts';
import type { ShapeSpec } from '../src/core/shapes/shape.ts';
import { settleScene } from '../src/tasks/settling/settleScene.ts';
import { quantile, type Table } from './measure.ts';
import { rapierTable } from './settling/rapierTable.ts';

export const about =
  'settle: a step of a falling heap with each contact finder, as in the growth distance paper; bins from seeds; Rapier';
export const sections = ['heap', 'bins', 'rapier'];
/** Where `--docs` writes the tables. */
export const page = 'docs/settle.md';

/** Hulls in the heap, and the steps from the first hits to rest. */
const BODIES = 60;
const STEPS = 240;
const BINS = 20;
/** Rounds of all contact finders, and the columns of which the least counts. */
const ROUNDS = 3;
const TIMES = /ms\/step|us\/query/;

export async function* run(section?: string): AsyncGenerator<Table> {
  if (section === undefined || section === 'heap') yield heap();
  if (section === undefined || section === 'bins') yield bins();
  if (section === undefined || section === 'rapier') yield await rapierTable();
}

function heap(): Table {
  const names = Object.keys(contactFinders) as ContactFinderName[];
  const rounds = Array.from({ length: ROUNDS }, () => names.map(measured));
  const rows = names.map((_, i) => {
    const least = (column: string) => Math.min(...rounds.map((rows) => Number(rows[i][column])));
    return Object.fromEntries(Object.entries(rounds[0][i]).map(([key, x]) => [key, TIMES.test(key) ? least(key) : x]));
  });
  return {
    title: `A heap of ${BODIES} hulls of 30 vertices, ${STEPS} steps of ${(1000 / 120).toFixed(1)} ms`,
    rows,
    notes: [
      `Processor time; the least of ${ROUNDS} rounds of all finders.`,
      'Each finder simulates its own heap: the motions differ after the first hits.',
    ],
  };
}

function measured(checker: ContactFinderName): Record<string, string | number> {
  const world = heapOf(checker);
  const findContacts = world.findContacts.bind(world);
  let contactMs = 0;
  world.findContacts = (margin, duration) => {
    const before = processorMs();
    findContacts(margin, duration);
    contactMs += processorMs() - before;
  };
  let [contacts, deepest] = [0, 0];
  const before = processorMs();
  for (let k = 0; k < STEPS; k++) {
    world.step();
    contacts += world.contacts;
    for (const pair of world.active) for (const { gap } of pair.contacts) deepest = Math.max(deepest, -gap);
  }
  const ms = processorMs() - before;
  return {
    checker,
    'ms/step': ms / STEPS,
    'contacts ms/step': contactMs / STEPS,
    'queries/step': world.checks / STEPS,
    'us/query': (1000 * contactMs) / world.checks,
    'contacts/step': contacts / STEPS,
    'deepest mm': 1000 * deepest,
    'energy J': world.energy,
  };
}

/** Processor time of this process, milliseconds: other processes do not count. */
const processorMs = () => process.cpuUsage().user / 1000;

function heapOf(checker: ContactFinderName): BodyWorld {
  const random = new Random(11);
  const floor: FixedPart = { shape: createShape({ type: 'halfspace', normal: [0, 0, 1] }), T_world: create() };
  const bodies = Array.from({ length: BODIES }, (_, i) => {
    const points = Array.from({ length: 30 }, () => {
      const p = [0, 1, 2].map(() => random.between(-1, 1));
      const length = Math.hypot(...p);
      return p.map((x) => (0.03 * x) / length);
    });
    const body = new RigidBody([{ shape: createShape({ type: 'convex', points }), at: create() }], {
      density: 800,
      friction: 0.5,
      restitution: 0,
    });
    const [x, y] = [0.062 * (i % 3), 0.062 * (Math.floor(i / 3) % 3)];
    body.setPose({ xyz: [x, y, 0.05 + 0.065 * Math.floor(i / 9)], quat_wxyz: [1, 0, 0, 0] });
    return body;
  });
  const world = new BodyWorld([floor], Math.min(...bodies.map((body) => body.size)), { checker });
  for (const body of bodies) world.add(body);
  return world;
}

const wall = (size: number[], xyz: [number, number, number]) => ({
  name: `wall ${xyz.join(' ')}`,
  pose: { xyz, quat_wxyz: [1, 0, 0, 0] as [number, number, number, number] },
  parts: [{ shape: { type: 'box', size } }],
});
const kinds: readonly ShapeSpec[] = [
  { type: 'box', size: [0.05, 0.04, 0.06] },
  { type: 'cylinder', radius: 0.025, length: 0.05 },
  { type: 'sphere', radius: 0.025 },
  { type: 'capsule', radius: 0.02, length: 0.05 },
  { type: 'cone', radius: 0.03, length: 0.06 },
  { type: 'ellipsoid', radii: [0.03, 0.025, 0.02] },
];

function bins(): Table {
  const identity = {
    xyz: [0, 0, 0] as [number, number, number],
    quat_wxyz: [1, 0, 0, 0] as [number, number, number, number],
  };
  const free = { density: 800, friction: 0.5, restitution: 0 };
  const results = Array.from({ length: BINS }, (_, i) => {
    const before = processorMs();
    const result = settleScene(
      {
        name: 'bin',
        robot: { name: 'ur5e', packages: {}, fixed: {}, limits: {}, pose: identity, parts: 'hull' },
        goals: [],
        equivalent: false,
        attached: [],
        allow: [],
        padding: 0,
        obstacles: [
          wall([0.4, 0.4, 0.02], [0, 0, -0.01]),
          wall([0.02, 0.4, 0.9], [0.19, 0, 0.45]),
          wall([0.02, 0.4, 0.9], [-0.19, 0, 0.45]),
          wall([0.4, 0.02, 0.9], [0, 0.19, 0.45]),
          wall([0.4, 0.02, 0.9], [0, -0.19, 0.45]),
        ],
        drop: {
          from: { shape: { type: 'box', size: [0.25, 0.25, 0.6] }, pose: { ...identity, xyz: [0, 0, 0.45] } },
          count: 20,
          shapes: kinds.map((shape) => ({ parts: [{ shape }], free })),
        },
      },
      { seed: i + 1 },
    );
    return { ...result, ms: processorMs() - before };
  });
  const seconds = results.map(({ stats }) => stats.steps * stats.time_step);
  return {
    title: `${BINS} bins of 20 parts of six shapes`,
    rows: [
      {
        rest: results.filter(({ status }) => status === 'rest').length,
        'median ms': quantile(
          results.map(({ ms }) => ms),
          0.5,
        ),
        'most ms': Math.max(...results.map(({ ms }) => ms)),
        'median simulated s': quantile(seconds, 0.5),
        'most simulated s': Math.max(...seconds),
        'deepest mm': 1000 * Math.max(...results.map(({ stats }) => stats.max_penetration)),
      },
    ],
  };
}

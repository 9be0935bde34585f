import { expect, test } from 'vitest';
import {
  type CoordinationCertificate,
  coordinationCertificateOf,
  coordinationCertificateText,
} from '../../../../src/core/certificate/coordination/cellCertificate.ts';
import {
  type CoordinationRecord,
  readCoordination,
} from '../../../../src/core/certificate/coordination/coordinationRecord.ts';
import { verifyCoordination } from '../../../../src/core/certificate/coordination/verifyCoordination.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { Pose } from '../../../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { certifyCoordination } from '../../../../src/tasks/coordination/certifyCoordination.ts';
import { coordinateRobots } from '../../../../src/tasks/coordination/coordinate.ts';
import { coordinationText } from '../../../../src/tasks/coordination/writeCoordination.ts';
import { arm, armDescription } from '../../world/oracle.ts';

/** Arms of spheres whose tips sweep through the same place, a post beside them, and a cup at the first one. */
const bases: readonly Pose[] = [
  { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  { xyz: [1.5, 0, 0], quat_wxyz: [0, 0, 0, 1] },
  { xyz: [0.75, 2.5, 0], quat_wxyz: [1, 0, 0, 0] },
];
const joints = arm.axes.map((_, i) => `joint${i}`);
const sweep: Trajectory = {
  jointNames: joints,
  points: [-1, 0.9, -1].map((q, k) => ({ time_from_start: 2 * k, positions: [q, 0.1 * k, 0], velocities: [0, 0, 0] })),
};
const straight: Trajectory = {
  jointNames: joints,
  interpolation: 'linear',
  points: [0.8, -0.7, 0.9].map((q, k) => ({ time_from_start: 0.25 + 1.5 * k, positions: [q, -0.1, 0.1] })),
};
const scene: Scene = {
  name: 'arms',
  robot: { fixed: {}, limits: {}, pose: bases[0] },
  obstacles: [
    { name: 'post', pose: { ...bases[0], xyz: [0, 1.4, 0] }, parts: [{ shape: { type: 'sphere', radius: 0.1 } }] },
  ],
  attached: [
    {
      name: 'cup',
      link: 'link2',
      pose: { ...bases[0], xyz: [0.35, 0, 0] },
      parts: [{ shape: { type: 'box', size: [0.05, 0.05, 0.08] } }],
      touches: [],
    },
  ],
  allow: [['cup', 'link1']],
  padding: 0.001,
} as unknown as Scene;
const members = (count: number, trajectories: readonly Trajectory[] = [sweep, straight, sweep]) =>
  bases.slice(0, count).map((pose, i) => ({
    name: ['left', 'right', 'top'][i],
    prefix: ['', 'right/', 'top/'][i],
    model: createRobotModel(armDescription(), { pose }),
    trajectory: trajectories[i],
  }));

const options = { delay: 0.02, undecided: 0.03, cells: 4000 };

function solved(count: number) {
  const robots = members(count);
  const { coordination, certificate, problem } = certifyCoordination(
    robots,
    robots.map(({ trajectory }) => trajectory),
    scene,
    options,
  );
  expect(problem).toBeUndefined();
  const text = coordinationCertificateText(certificate!);
  return { coordination, record: coordinationText(coordination), certificate: text };
}
const two = solved(2);
const three = solved(3);

type Numbers = number[];
/** Certificate and record of which all numbers may be changed. */
interface Draft {
  certificate: {
    robots: {
      robot: string;
      trajectory: string;
      duration: number;
      interpolation?: string;
      pairs: { spans: Numbers[] }[];
    }[];
    diagrams: { a: string; b: string; pairs: { a: string; partA: number; b: string; cells: Numbers[] }[] }[];
  };
  record: {
    robots: string[];
    free: Numbers[];
    undecided: Numbers[];
    schedule: { robot: string; points: Numbers[] }[];
    makespan: number | null;
    delay: { robot: string; points: Numbers[] }[];
  };
}

const judge = (
  certificate: unknown,
  record: unknown,
  robots: ReturnType<typeof members> = members(2),
  world: Scene = scene,
) =>
  verifyCoordination(
    coordinationCertificateOf(JSON.parse(JSON.stringify(certificate)), 'certificate') as CoordinationCertificate,
    robots,
    world,
    readCoordination(JSON.stringify(record), 'record') as CoordinationRecord,
  );
const draft = (): Draft => ({ certificate: JSON.parse(two.certificate), record: JSON.parse(two.record) });
const changed = (change: (draft: Draft) => void) => {
  const one = draft();
  change(one);
  return judge(one.certificate, one.record).problems;
};

test('a coordination is the same with and without a certificate, which is verified', () => {
  const robots = members(2);
  expect(coordinationText(coordinateRobots(robots, scene, options))).toBe(two.record);
  const { certificate, record } = draft();
  const result = judge(certificate, record);
  expect(result).toMatchObject({ proved: true, problems: [] });
  expect(result.leastGap).toBeGreaterThanOrEqual(0.001);
  expect(record.undecided.length).toBeGreaterThan(0);
  expect(record.makespan).toBeGreaterThan(4.005);
  const moreThan = (points: Numbers[]) => points.some(([, delay]) => delay > 0.02);
  expect(record.delay.some(({ points }) => moreThan(points))).toBe(true);
});

test('coordinations of three robots are verified for each pair', () => {
  const result = judge(JSON.parse(three.certificate), JSON.parse(three.record), members(3));
  expect(result).toMatchObject({ proved: true, problems: [] });
  const record = JSON.parse(three.record);
  record.pairs.pop();
  expect(judge(JSON.parse(three.certificate), record, members(3)).problems[0]).toMatch('pairs of the coordination');
});

/** A cell of a pair of the tips, whose planes are needed. */
const tips = ({ certificate }: Draft) =>
  certificate.diagrams[0].pairs.find(({ a, b }) => [a, b].includes('link2') && [a, b].includes('right/link2'))!;
/** Index of the cell nearest to a collision: the smallest one. */
const smallest = (cells: Numbers[]) => {
  const areas = cells.map(([a0, a1, b0, b1]) => (a1 - a0) * (b1 - b0));
  return areas.indexOf(Math.min(...areas));
};
test.each<[string, (draft: Draft) => void, RegExp]>([
  ['a turned plane', (d) => tips(d).cells[smallest(tips(d).cells)].splice(4, 3, 0, 0, 1), /is not proved/],
  [
    'an opposite plane',
    (d) => {
      const cell = tips(d).cells[0];
      for (const k of [4, 5, 6]) cell[k] *= -1;
    },
    /is not proved/,
  ],
  ['a plane without direction', (d) => tips(d).cells[0].splice(4, 3, 0, 0, 0), /a direction of length 0/],
  [
    'a plane of length 1.01',
    (d) => {
      tips(d).cells[0][4] *= 1.1;
    },
    /a direction of length/,
  ],
  ['a missing plane', (d) => tips(d).cells.splice(smallest(tips(d).cells), 1), /no plane for the free cell/],
  [
    'no planes',
    (d) => {
      tips(d).cells = [];
    },
    /no plane for the free cell/,
  ],
  [
    'a smaller cell',
    (d) => {
      tips(d).cells[0][1] -= 1e-9;
    },
    /no plane for the free cell/,
  ],
  ['a cell that covers everything', (d) => tips(d).cells.push([0, 4, 0, 3.25, 1, 0, 0]), /is not proved/],
  [
    'a cell beyond the end',
    (d) => {
      tips(d).cells[0][1] = 4.1;
    },
    /a cell is/,
  ],
  ['a reversed cell', (d) => tips(d).cells.push([1, 0.5, 0, 1, 1, 0, 0]), /a cell is/],
  ['a missing pair', (d) => d.certificate.diagrams[0].pairs.splice(3, 1), /the pair is missing/],
  [
    'a pair without the cup',
    (d) => {
      const { pairs } = d.certificate.diagrams[0];
      pairs.splice(
        pairs.findIndex(({ a, b }) => a === 'cup' || b === 'cup'),
        1,
      );
    },
    /cup.*the pair is missing/,
  ],
  [
    'an unknown part',
    (d) => {
      tips(d).partA = 7;
    },
    /the scene has no such part|the pair is missing/,
  ],
  [
    'a pair with an obstacle',
    (d) => {
      d.certificate.diagrams[0].pairs.push({ ...tips(d), b: 'post' });
    },
    /it is not a checked pair/,
  ],
  [
    'no diagram',
    (d) => {
      d.certificate.diagrams = [];
    },
    /diagrams of the certificate/,
  ],
  [
    'robots in another order',
    (d) => {
      d.certificate.robots.reverse();
    },
    /robots of the certificate/,
  ],
  [
    'another trajectory',
    (d) => {
      d.certificate.robots[0].trajectory = d.certificate.robots[1].trajectory;
    },
    /left: it is the certificate of another motion/,
  ],
  [
    'another duration',
    (d) => {
      d.certificate.robots[1].duration = 3;
    },
    /right: its duration is 3/,
  ],
  [
    'a missing interpolation',
    (d) => {
      delete d.certificate.robots[1].interpolation;
      d.certificate.robots[0].interpolation = 'linear';
    },
    /left: its interpolation is linear/,
  ],
  [
    'a missing pair of one robot',
    (d) => {
      d.certificate.robots[0].pairs.pop();
    },
    /left: .*the pair is missing/,
  ],
  [
    'a missing span of one robot',
    (d) => {
      d.certificate.robots[0].pairs[0].spans.pop();
    },
    /left: .*(hole|no spans)/,
  ],
  [
    'a free cell that was undecided',
    (d) => {
      d.record.free.push(d.record.undecided[0]);
    },
    /no plane for the free cell/,
  ],
  [
    'one free cell',
    (d) => {
      d.record.free = [[0, 4, 0, 3.25]];
    },
    /no plane for the free cell/,
  ],
  [
    'a larger free cell',
    (d) => {
      for (const cell of d.record.free) cell[1] = Math.min(4, cell[1] + 0.01);
    },
    /no plane for the free cell/,
  ],
  ['a free cell beyond the end', (d) => d.record.free.push([4, 5, 0, 1]), /a free cell is/],
  [
    'no free cells',
    (d) => {
      d.record.free = [];
    },
    /leave the free cells/,
  ],
  [
    'a schedule without waits',
    (d) => {
      d.record.schedule[0].points = [
        [0, 0],
        [4, 4],
      ];
      d.record.schedule[1].points = [
        [0, 0],
        [3.25, 3.25],
      ];
      d.record.makespan = 4;
    },
    /leave the free cells/,
  ],
  [
    'a wait at the end instead',
    (d) => {
      d.record.schedule[0].points = [
        [0, 0],
        [4, 4],
        [d.record.makespan!, 4],
      ];
    },
    /leave the free cells/,
  ],
  [
    'a faster robot',
    (d) => {
      const { points } = d.record.schedule[0];
      points[1][1] += 1e-9;
    },
    /faster than the trajectory|runs backwards/,
  ],
  [
    'a schedule that ends early',
    (d) => {
      d.record.schedule[1].points.at(-1)![1] -= 1e-9;
    },
    /it ends at/,
  ],
  [
    'another makespan',
    (d) => {
      d.record.makespan! -= 1e-9;
    },
    /the makespan is/,
  ],
  ['a missing schedule', (d) => d.record.schedule.pop(), /schedules: /],
  [
    'schedules of each other',
    (d) => {
      const [a, b] = d.record.schedule;
      [a.points, b.points] = [b.points, a.points];
    },
    /it ends at/,
  ],
  [
    'no schedule',
    (d) => {
      d.record.schedule = [];
      d.record.delay = [];
      d.record.makespan = null;
    },
    /has no schedule/,
  ],
  [
    'a greater delay',
    (d) => {
      for (const { points } of d.record.delay) for (const point of points) point[1] += 0.5;
    },
    /delay of .* not tolerated/,
  ],
  [
    'a delay of the other robot',
    (d) => {
      for (const { points } of d.record.delay) points.splice(0, points.length, [0, 10]);
    },
    /delay of .* not tolerated/,
  ],
  ['a missing delay', (d) => d.record.delay.pop(), /delays: /],
  [
    'other robots',
    (d) => {
      d.record.robots = ['right', 'left'];
    },
    /robots of the coordination/,
  ],
])('a coordination with %s is refused', (_, change, problem) => {
  expect(changed(change)[0]).toMatch(problem);
});

test.each([0.1, 0.3, 1.7, 3.9])('a gap of rounding size between free cells at %f s hides no delay', (time) => {
  const one = draft();
  const gap = 0.9 * 2 ** -40 * one.record.makespan!;
  one.record.free = one.record.free.flatMap(([a0, a1, ...b]) =>
    a0 < time && time < a1
      ? [
          [a0, time, ...b],
          [time + gap, a1, ...b],
        ]
      : [[a0, a1, ...b]],
  );
  one.record.delay[1].points = [[0, 10]];
  expect(judge(one.certificate, one.record).problems[0]).toMatch(/delay of right: not tolerated/);
});

test('a certificate of other trajectories, robots or scenes is refused', () => {
  const { certificate, record } = draft();
  const later = {
    ...sweep,
    points: sweep.points.map((p) => ({ ...p, time_from_start: p.time_from_start! * 1.0000001 })),
  };
  expect(judge(certificate, record, members(2, [later, straight])).problems[0]).toMatch('hashes differ');
  const curve = { ...straight, interpolation: undefined } as unknown as Trajectory;
  expect(judge(certificate, record, members(2, [sweep, { ...curve, points: sweep.points }])).proved).toBe(false);
  const near = members(2).map((one, i) =>
    i === 0 ? one : { ...one, model: createRobotModel(armDescription(), { pose: { ...bases[1], xyz: [1.4, 0, 0] } }) },
  );
  expect(judge(certificate, record, near).problems[0]).toMatch('is not proved');
  expect(judge(certificate, record, members(2), { ...scene, padding: 0.05 }).problems[0]).toMatch(/leaves|not proved/);
  const [post] = scene.obstacles;
  const hit = { ...post, pose: { ...post.pose, xyz: [0.5, 0.6, 0] as const } };
  expect(judge(certificate, record, members(2), { ...scene, obstacles: [hit] }).problems[0]).toMatch('left: ');
  expect(judge(certificate, record, members(2), { ...scene, attached: [], allow: [] }).proved).toBe(false);
});

test('a coordination of a robot that is elsewhere before its first point is refused', () => {
  const { certificate, record } = draft();
  const at = (start: number[]) => judge(certificate, record, members(2), { ...scene, start });
  expect(at([-1, 0, 0]).proved).toBe(true);
  expect(at([-1, 0.01, 0]).problems).toEqual([
    'left: the motion from the start of the scene to its first point is not proved',
  ]);
});

test('a coordination in a scene with steps is refused: their events and constraints would be ignored', () => {
  const { certificate, record } = draft();
  expect(judge(certificate, record).proved).toBe(true);
  for (const steps of [[], [{ kind: 'detach', index: 0, object: 'cup' }]]) {
    const { proved, problems } = judge(certificate, record, members(2), { ...scene, steps } as unknown as Scene);
    expect(proved).toBe(false);
    expect(problems).toEqual([expect.stringMatching(/^the scene is a program/)]);
  }
});

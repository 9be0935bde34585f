import { expect, test } from 'vitest';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { TimeRectangle } from '../../../src/core/planning/coordination/freeRectangles.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import {
  type CoordinatedRobot,
  createPairDiagram,
  createPairModel,
} from '../../../src/tasks/coordination/pairDiagram.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { meetingDistance, type OracleRobot } from './meetingOracle.ts';

/** A random trajectory from rest to rest; `straight`: without velocities, so that they jump. */
function randomTrajectory(random: Random, joints: readonly string[], straight: boolean): Trajectory {
  const count = 2 + random.below(3);
  const start = random.next() < 0.2 ? random.between(0, 0.5) : 0;
  const points = Array.from({ length: count }, (_, k) => {
    const values = (reach: number) => joints.map(() => random.between(-reach, reach));
    const atRest = k === 0 || k === count - 1;
    return {
      time_from_start: start + k * random.between(0.8, 1),
      positions: values(1.5),
      ...(straight ? {} : { velocities: atRest ? joints.map(() => 0) : values(1) }),
    };
  });
  return { jointNames: joints, points };
}

const EMPTY = { attached: [], allow: [], padding: 0 };

const areaOf = (list: readonly TimeRectangle[]) =>
  list.reduce((sum, [x0, x1, y0, y1]) => sum + (x1 - x0) * (y1 - y0), 0);

/** A point of a rectangle: inside, on a side or in a corner. */
function pointOf(random: Random, [x0, x1, y0, y1]: TimeRectangle): [number, number] {
  const kind = random.below(4);
  const share = (toSide: boolean) => (toSide ? random.below(2) : random.next());
  return [x0 + share(kind % 2 === 1) * (x1 - x0), y0 + share(kind >= 2) * (y1 - y0)];
}

const cornersOf = ([x0, x1, y0, y1]: TimeRectangle) =>
  [x0, x1].flatMap((x) => [y0, y1].map((y): [number, number] => [x, y]));

/** Returns a checker of states of both robots at two times, by distances, without bounds on motions. */
function stateChecker([a, b]: readonly CoordinatedRobot[]): (s: number, t: number) => boolean {
  const names = [a, b].map(({ prefix, model }) => model.links.map(({ name }) => `${prefix}${name}`));
  const allow = names.flatMap((own) => own.flatMap((one) => own.map((other): [string, string] => [one, other])));
  const manager = new CollisionManager(createPairModel(a, b, { ...EMPTY, allow }));
  const curves = [a, b].map(({ trajectory }) => new TrajectoryCurve(trajectory));
  const q = new Float64Array(a.model.dof + b.model.dof);
  const parts = [q.subarray(0, a.model.dof), q.subarray(a.model.dof)];
  return (s, t) => {
    for (const [i, time] of [s, t].entries()) curves[i].position(parts[i], Math.max(curves[i].start, time));
    return manager.isCollisionFree(q);
  };
}

interface Meetings {
  readonly seed: number;
  readonly count: number;
  /** Number of joints of each robot, at most. */
  readonly joints: number;
  /** Share of motions along straight lines, whose velocities jump. */
  readonly straight: number;
  /** Cells of each diagram: the fewer, the larger. */
  readonly cells: number;
}

/** Two random robots whose bases are about a metre apart or less, and their diagram. */
function* meetings({ seed, count, joints: most, straight, cells }: Meetings) {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const robots = [0, 1].map((i): OracleRobot => {
      const description = randomRobot(random, 1 + random.below(most));
      const joints = createRobotModel(description).variables.map(({ name }) => name);
      const pose = {
        ...randomPose(random, 0.3),
        ...(i === 0 ? {} : { xyz: [random.between(0.3, 0.8), 0, 0] as const }),
      };
      return { description, pose, trajectory: randomTrajectory(random, joints, random.next() < straight) };
    });
    if (robots.some(({ trajectory }) => trajectory.jointNames.length === 0)) continue;
    const [a, b] = robots.map(({ description, pose, trajectory }, i) => {
      const model = createRobotModel(description, { pose: pose as Pose });
      return { name: `${i}`, prefix: i === 0 ? '' : 'other/', model, trajectory };
    });
    const diagram = createPairDiagram(a, b, EMPTY, { cells, undecided: 0.02 });
    made++;
    yield { random, a: robots[0], b: robots[1], members: [a, b], diagram, label: `seed ${seed}, meeting ${made}` };
  }
}

test.each([
  ['many small cells', { seed: 1, count: cases(16, 1 / 4), joints: 5, straight: 0.3, cells: 1000 }],
  ['few large cells', { seed: 3, count: 300, joints: 2, straight: 0.7, cells: 50 }],
])('robots are apart in free cells, and collide in colliding ones, by distances of plain code: %s', (_, kind) => {
  const seen = { free: 0, colliding: 0, near: 0 };
  const failures: string[] = [];
  for (const { random, a, b, diagram, label } of meetings(kind)) {
    const free = diagram.free();
    for (const cell of free) {
      for (let k = 0; k < Math.max(2, 20 / free.length); k++) {
        let [s, t] = pointOf(random, cell);
        let [lower, upper] = meetingDistance(a, b, s, t);
        // Downhill: smaller and smaller steps that stay within the cell.
        for (let h = 0.25; h > 1e-3 && upper < 0.1 && k < 1; h /= 2) {
          const steps = [-h, h].flatMap((x): [number, number][] => [
            [s + x * (cell[1] - cell[0]), t],
            [s, t + x * (cell[3] - cell[2])],
          ]);
          for (const [x, y] of steps) {
            if (x < cell[0] || x > cell[1] || y < cell[2] || y > cell[3]) continue;
            const next = meetingDistance(a, b, x, y);
            if (next[1] < upper) [[s, t], [lower, upper]] = [[x, y], next];
          }
        }
        seen.free++;
        if (upper < 0.02) seen.near++;
        if (!(lower > 0)) failures.push(`${label}: free at ${s}, ${t}, distance ${upper}`);
      }
    }
    const colliding = diagram.colliding();
    for (const cell of colliding) {
      for (let k = 0; k < Math.max(1, 30 / colliding.length); k++) {
        const [s, t] = pointOf(random, cell);
        seen.colliding++;
        if (!(meetingDistance(a, b, s, t)[0] < 1e-9)) failures.push(`${label}: colliding at ${s}, ${t}`);
      }
    }
  }
  expect(failures).toEqual([]);
  expect(seen.free).toBeGreaterThan(cases(200, 1 / 4));
  expect(seen.near).toBeGreaterThan(cases(10, 1 / 4));
  expect(seen.colliding).toBeGreaterThan(cases(10, 1 / 4));
});

test.each([
  ['many small cells', { seed: 11, count: cases(25, 1 / 4), joints: 5, straight: 0.3, cells: 3000 }],
  ['few large cells', { seed: 13, count: cases(250, 1 / 4), joints: 2, straight: 0.7, cells: 50 }],
])('robots are apart in all free cells, and collide in all colliding ones: %s', (_, kind) => {
  const seen = { free: 0, colliding: 0 };
  const failures: string[] = [];
  for (const { random, members, diagram, label } of meetings(kind)) {
    const isFree = stateChecker(members);
    for (const cell of diagram.free()) {
      seen.free++;
      const points = [...cornersOf(cell), pointOf(random, cell), pointOf(random, cell)];
      for (const [s, t] of points) if (!isFree(s, t)) failures.push(`${label}: free at ${s}, ${t}`);
    }
    for (const cell of diagram.colliding()) {
      seen.colliding++;
      const points = [...cornersOf(cell), pointOf(random, cell), pointOf(random, cell)];
      for (const [s, t] of points) if (isFree(s, t)) failures.push(`${label}: colliding at ${s}, ${t}`);
    }
  }
  expect(failures).toEqual([]);
  expect(seen.free).toBeGreaterThan(cases(120, 1 / 4));
  expect(seen.colliding).toBeGreaterThan(cases(20, 1 / 4));
});

test('the cells of a diagram cover it', () => {
  for (const { a, b, diagram, label } of meetings({ seed: 2, count: 20, joints: 4, straight: 0.3, cells: 400 })) {
    const [x, y] = [a, b].map(({ trajectory }) => trajectory.points.at(-1)!.time_from_start!);
    const covered = areaOf(diagram.free()) + areaOf(diagram.colliding()) + areaOf(diagram.undecided());
    expect(covered, label).toBeCloseTo(x * y, 9);
    expect(diagram.undecidedArea, label).toBeCloseTo(areaOf(diagram.undecided()), 9);
  }
});

test.each([
  [0.95, 0],
  [1.05, 1],
])('a robot that starts just after the middle, %s m before another one, makes %i cell free', (gap, cells) => {
  const box = { shape: { type: 'box', size: [0.1, 0.1, 0.1] }, triangles: 0, source: 0 } as const;
  const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const joint = { name: 'x', type: 'prismatic', parent: 'base', child: 'slide', origin, axis: [1, 0, 0] } as const;
  const description = {
    ...randomRobot(new Random(1), 1),
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      { name: 'slide', collisions: [{ ...box, pose: origin }] },
    ],
    joints: [{ ...joint, lower: -9, upper: 9, velocity: 9 }],
  };
  const sliderAt = (x: number, positions: readonly number[]) => ({
    name: `at ${x}`,
    prefix: `${x}/`,
    model: createRobotModel(description, { pose: { ...origin, xyz: [x, 0, 0] } }),
    trajectory: {
      jointNames: ['x'],
      points: positions.map((position, k) => ({ time_from_start: [0, 1.001, 2][k], positions: [position] })),
    },
  });
  const one = sliderAt(0, [0, 0, 0.999]);
  const diagram = createPairDiagram(one, sliderAt(gap + 0.1, [0, 0, 0]), EMPTY, { cells: 1 });
  expect(diagram.free()).toHaveLength(cells);
});

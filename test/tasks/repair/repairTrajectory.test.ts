import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { type RepairOptions, repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { cases } from '../../cases.ts';
import { RADIUS, slider } from '../slider.ts';
import { faultsOf, isSegmentBad, leastRoom, lostCurve, type SliderWorld } from './sliderOracle.ts';

const robot = createRobotModel(slider());
const jointNames = ['x', 'y'];

function sceneOf({ posts, padding }: SliderWorld, more: Partial<Scene> = {}): Scene {
  const obstacles = posts.map(({ x, y, radius }, i) => ({
    name: `post ${i}`,
    parts: [{ shape: { type: 'sphere' as const, radius } }],
    pose: { ...IDENTITY_POSE, xyz: [x, y, 0] as const },
  }));
  const robotOf = { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' as const };
  return { name: 'posts', robot: robotOf, goals: [], obstacles, attached: [], allow: [], padding, ...more } as Scene;
}

function worldOf(random: Random): SliderWorld {
  const posts = Array.from({ length: 7 }, () => ({
    x: random.between(-0.8, 0.8),
    y: random.between(-0.8, 0.8),
    radius: random.between(0.05, 0.2),
  }));
  const padding = random.next() < 0.5 ? 0 : 0.01;
  return { posts, radius: RADIUS, padding, position: 1, velocity: 1, acceleration: 4 };
}

const SEEDS = cases(10);
const kinds = ['path', 'linear', 'cubic', 'quintic'] as const;

/** Random points, the first and the last of which are free; as a path, or timed with rest at the ends or without. */
function trajectoryOf(world: SliderWorld, random: Random, kind: (typeof kinds)[number]): Trajectory {
  const state = () => [random.between(-0.95, 0.95), random.between(-0.95, 0.95)];
  const free = () => {
    for (;;) {
      const positions = state();
      const still = { jointNames, points: [{ positions }, { positions }] };
      if (leastRoom(world, still, 0) > 1e-3) return positions;
    }
  };
  const count = 3 + random.below(6);
  const pace = random.between(0.3, 3);
  const atRest = random.next() < 0.7;
  const rates = (i: number, most: number) =>
    [0, 1].map(() => (atRest && (i === 0 || i === count - 1) ? 0 : random.between(-most, most)));
  let time = random.next() < 0.5 ? 0 : 0.5;
  const start = time;
  const points = Array.from({ length: count }, (_, i) => {
    const positions = i === 0 || i === count - 1 ? free() : state();
    if (kind === 'path') return { positions };
    const at = time;
    time += random.between(0.3, 1) / pace;
    return {
      time_from_start: at,
      positions,
      ...(kind !== 'linear' && { velocities: rates(i, 0.5) }),
      ...(kind === 'quintic' && { accelerations: i === 0 && start > 0 ? [0, 0] : rates(i, 2) }),
    };
  });
  return { jointNames, points };
}

const repaired = (world: SliderWorld, given: Trajectory, options: Partial<RepairOptions> = {}) =>
  repairTrajectory(given, robot, sceneOf(world), options);

describe('random trajectories between posts', () => {
  test.each(kinds)(
    'a repaired %s is valid for the oracle, and keeps its ends and what is not next to a fault',
    (kind) => {
      const counts = { good: 0, repaired: 0, failed: 0 };
      for (let seed = 1; seed <= SEEDS; seed++) {
        const random = new Random(seed, kinds.indexOf(kind));
        const world = worldOf(random);
        const given = trajectoryOf(world, random, kind);
        const copy = JSON.stringify(given);
        const result = repaired(world, given);
        const label = `${kind} ${seed}: ${result.reason}`;
        counts[result.status]++;
        expect(JSON.stringify(given), label).toBe(copy);
        if (result.status === 'good') expect(result.trajectory, label).toBe(given);
        if (result.trajectory === undefined) continue;
        expect(faultsOf(world, result.trajectory), label).toEqual([]);
        const { points } = result.trajectory;
        expect(points[0].positions, label).toEqual(given.points[0].positions);
        expect(points.at(-1)!.positions, label).toEqual(given.points.at(-1)!.positions);
        const hasBad = given.points.some((_, k) => k > 0 && isSegmentBad(world, given, k - 1));
        expect(lostCurve(world, given, result.trajectory), label).toBeLessThan(hasBad ? 1e-6 : 1e-4);
        expect(repaired(world, result.trajectory).status, label).toBe('good');
      }
      expect(counts.failed, JSON.stringify(counts)).toBeLessThanOrEqual(1);
      expect(counts.repaired, JSON.stringify(counts)).toBeGreaterThan(SEEDS / 2);
    },
  );
});

const open: SliderWorld = { posts: [], radius: RADIUS, padding: 0, position: 1, velocity: 1, acceleration: 4 };
const post: SliderWorld = { ...open, posts: [{ x: 0, y: 0.02, radius: 0.1 }] };
const at = (time: number, x: number, y: number, v = 0, w = 0) => ({
  time_from_start: time,
  positions: [x, y],
  velocities: [v, w],
});

describe('a timed motion past a post', () => {
  const given: Trajectory = {
    jointNames,
    points: [at(0, -0.8, 0), at(2, -0.4, 0, 0.3), at(4, 0.4, 0, 0.3), at(6, 0.8, 0)],
  };

  test('with --keep-times keeps every time, and only the geometry changes', () => {
    const result = repaired(post, given, { keepTimes: true });
    expect(result.status).toBe('repaired');
    expect(faultsOf(post, result.trajectory!)).toEqual([]);
    const times = result.trajectory!.points.map(({ time_from_start: t }) => t!);
    for (const { time_from_start: t } of given.points)
      expect(Math.min(...times.map((one) => Math.abs(one - t!)))).toBeLessThan(1e-12);
  });

  test('with --keep-times fails if only the times could be changed', () => {
    const fast = {
      ...given,
      points: given.points.map((point) => ({ ...point, time_from_start: point.time_from_start! / 9 })),
    };
    expect(repaired(open, fast, { keepTimes: true })).toMatchObject({
      status: 'failed',
      changed: [],
      trajectory: undefined,
    });
  });

  test('with --limits-only fails, for it collides', () => {
    const result = repaired(post, given, { limitsOnly: true });
    expect(result).toMatchObject({ status: 'failed', trajectory: undefined });
    expect(result.reason).toContain('--limits-only');
  });

  test('reports the times that were changed, about the collision and within the segments next to it', () => {
    const { changed } = repaired(post, given);
    expect(changed.length).toBeGreaterThan(0);
    for (const [from, to] of changed) expect(from < to && from >= 0 && to <= 6).toBe(true);
    expect(changed.some(([from, to]) => from < 3 && to > 3)).toBe(true);
  });
});

describe('times', () => {
  const given: Trajectory = { jointNames, points: [at(0, -0.5, 0), at(0.3, 0.5, 0), at(3, -0.5, 0)] };

  test('only the segment that is too fast becomes slower', () => {
    const result = repaired(open, given, { limitsOnly: true });
    expect(result.status).toBe('repaired');
    expect(faultsOf(open, result.trajectory!)).toEqual([]);
    expect(result.changed).toEqual([[0, 0.3]]);
    const { points } = result.trajectory!;
    const [before, last] = points.slice(-2).map(({ time_from_start: t }) => t!);
    expect(last - before).toBeCloseTo(2.7, 9);
    // The fastest motion over 1 m at 1 m/s and 4 m/s²: 0.25 s + 0.75 s + 0.25 s.
    expect(before).toBeGreaterThan(1.25 - 1e-9);
    expect(before).toBeLessThan(1.3);
  });

  test('jerk limits: a curve without jumps is slowed down as a whole, straight lines stop at each corner', () => {
    const limits = { x: { jerk: 20 }, y: { jerk: 20 } };
    const limited = createRobotModel(slider(), { limits });
    const quintic: Trajectory = {
      jointNames,
      points: [
        { ...at(0, -0.5, 0), accelerations: [0, 0] },
        { ...at(0.8, 0.5, 0.3), accelerations: [0, 0] },
      ],
    };
    const lines = {
      jointNames,
      points: [at(0, -0.5, 0), at(1, 0.5, 0), at(2, 0.5, 0.5)].map(({ velocities: _, ...point }) => point),
    };
    for (const one of [quintic, lines]) {
      const result = repairTrajectory(one, limited, sceneOf(open));
      expect(result.status, result.reason).toBe('repaired');
      expect(faultsOf(open, result.trajectory!)).toEqual([]);
      expect(lostCurve(open, one, result.trajectory!)).toBeLessThan(1e-6);
    }
  });

  test.each([
    [
      'equal times, as of a path that was never timed',
      [at(0, -0.5, 0), at(0, -0.5, 0), at(0, 0.5, 0), at(0, 0.5, 0.5)],
    ],
    ['times before 0', [at(-1, -0.5, 0), at(0, 0.5, 0), at(1, 0.5, 0.5)]],
    ['times that decrease', [at(0, -0.5, 0), at(2, 0.5, 0), at(1, 0.5, 0.5)]],
  ])('%s are replaced', (_, points) => {
    const result = repaired(open, { jointNames, points });
    expect(result.status, result.reason).toBe('repaired');
    expect(faultsOf(open, result.trajectory!)).toEqual([]);
    expect(result.trajectory!.points[0]).toMatchObject({ time_from_start: 0, positions: [-0.5, 0] });
    expect(result.trajectory!.points.at(-1)!.positions).toEqual([0.5, 0.5]);
    const times = points.map(({ time_from_start: t }) => t);
    expect(result.changed).toEqual([[Math.min(...times), Math.max(...times)]]);
    expect(repaired(open, { jointNames, points }, { keepTimes: true }).status).toBe('failed');
  });

  test('an acceleration at a first point after time 0, which depends on the controller, is replaced', () => {
    const points = [
      { ...at(1, -0.5, 0), accelerations: [1, 0] },
      { ...at(3, 0.2, 0), accelerations: [0, 0] },
    ];
    const result = repaired(open, { jointNames, points });
    expect(result.status, result.reason).toBe('repaired');
    expect(faultsOf(open, result.trajectory!)).toEqual([]);
    expect(result.trajectory!.points[0]).not.toHaveProperty('accelerations');
    expect(lostCurve(open, { jointNames, points }, result.trajectory!)).toBeLessThan(1e-4);
  });

  test('points in another order of the joints come back in that order', () => {
    const swapped = {
      jointNames: ['y', 'x'],
      points: given.points.map(({ time_from_start, positions: [x, y], velocities: [v, w] = [] }) => ({
        time_from_start: time_from_start!,
        positions: [y, x],
        velocities: [w, v],
      })),
    };
    const one = repaired(open, given).trajectory!;
    const other = repaired(open, swapped).trajectory!;
    expect(other.jointNames).toEqual(['y', 'x']);
    expect(other.points.map(({ positions: [y, x] }) => [x, y])).toEqual(one.points.map(({ positions }) => positions));
  });
});

describe('what cannot be repaired', () => {
  const path = (...points: [number, number][]): Trajectory => ({
    jointNames,
    points: points.map((positions) => ({ positions })),
  });

  test.each([
    ['a start in collision', path([0, 0], [0.8, 0])],
    ['an end in collision', path([0.8, 0], [0, 0])],
    ['an end out of limits', path([-0.8, 0], [1.2, 0])],
    ['a single point', path([0, 0])],
  ])('%s', (_, given) => {
    const result = repaired(post, given);
    expect(result).toMatchObject({ status: 'failed', changed: [], trajectory: undefined });
    expect(result.reason.length).toBeGreaterThan(10);
  });

  test.each([
    ['segments', { segments: [{ step: 0, kind: 'move', from: 0, to: 6 }] }],
    ['events', { events: [{ step: 1, time: 6, set: { gripper: 'open' } }] }],
  ] as const)('the motion of a program, whose %s are stated at times', (_, more) => {
    const points = [at(0, -0.8, 0), at(6, 0.8, 0)];
    expect(repaired(post, { jointNames, points })).toMatchObject({ status: 'repaired' });
    const result = repaired(post, { jointNames, points, ...more } as Trajectory);
    expect(result).toMatchObject({ status: 'failed', trajectory: undefined });
    expect(result.reason).toContain('segments, events or signals of a program');
  });

  test('a closed wall ends the search at its limit', () => {
    const wall: SliderWorld = {
      ...open,
      posts: Array.from({ length: 21 }, (_, i) => ({ x: 0, y: -1 + 0.1 * i, radius: 0.1 })),
    };
    let now = 0;
    const clock = () => (now += 20);
    const result = repairTrajectory(path([-0.8, 0], [0.8, 0]), robot, sceneOf(wall), { timeLimit: 2 }, { clock });
    expect(result).toMatchObject({ status: 'failed', trajectory: undefined });
    expect(result.reason).toContain('time limit of 2 s');
  });

  test('joints that are not those of the robot, and paths without times of programs or where something moves', () => {
    expect(() => repaired(post, { jointNames: ['x', 'z'], points: [{ positions: [0, 0] }] })).toThrow(
      'no planned joint "z"',
    );
    const still = sceneOf(post);
    const motion = { times: [0, 1], poses: [IDENTITY_POSE, { ...IDENTITY_POSE, xyz: [0.1, 0, 0] as const }] };
    const moving = { ...still, obstacles: still.obstacles.map((one) => ({ ...one, motion })) };
    expect(() => repairTrajectory(path([0.8, 0], [0, 0.8]), robot, moving)).toThrow('it has no times');
    const program = sceneOf(post, { steps: [{ kind: 'wait', index: 0, duration: 1 }] } as never);
    expect(repairTrajectory(path([0.8, 0], [0, 0.8]), robot, program).reason).toBe(
      'it has no times (time_from_start), which a program needs',
    );
  });
});

test('motions that lead back to their start, as paths and with times', () => {
  // The turning point lies in a post, behind it or beside it; or behind a wall that leaves no way.
  const turns = [
    [0, 0],
    [0.8, 0],
    [0.5, 0.5],
  ];
  const posts = Array.from({ length: 21 }, (_, i) => ({ x: 0, y: -1 + 0.1 * i, radius: 0.1 }));
  const worlds = turns.map((turn) => [post, turn] as const);
  for (const [world, turn] of [...worlds, [{ ...open, posts }, turns[1]] as const])
    for (const pace of [0.2, 1, 20])
      for (const keepTimes of [false, true]) {
        const points = [at(0, -0.8, 0), at(3 / pace, turn[0], turn[1]), at(6 / pace, -0.8, 0)];
        const states = points.map(({ positions }) => ({ positions }));
        for (const given of [
          { jointNames, points: states },
          { jointNames, points },
        ]) {
          const result = repaired(world, given, { keepTimes });
          const label = JSON.stringify([given.points, keepTimes, result.reason]);
          if (!result.trajectory) expect(result.status, label).toBe('failed');
          else expect(faultsOf(world, result.trajectory), label).toEqual([]);
          if (result.status !== 'repaired') continue;
          expect(result.trajectory!.points.length, label).toBeGreaterThan(1);
          if (keepTimes && 'time_from_start' in given.points[0])
            expect(result.trajectory!.points.at(-1)!.time_from_start, label).toBeCloseTo(6 / pace, 9);
        }
      }
});

test('equal seeds give equal trajectories, without a clock and with one', () => {
  const random = new Random(3, 1);
  const world = worldOf(random);
  const given = trajectoryOf(world, random, 'linear');
  const one = JSON.stringify(repaired(world, given));
  expect(JSON.stringify(repaired(world, given))).toBe(one);
  const clocked = repairTrajectory(given, robot, sceneOf(world), {}, { clock: () => performance.now() });
  expect(JSON.stringify(clocked)).toBe(one);
});

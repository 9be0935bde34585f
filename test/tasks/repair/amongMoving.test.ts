import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { isRepairImpossible } from '../../../src/tasks/repair/repairRefusal.ts';
import { type RepairOptions, repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { cases } from '../../cases.ts';
import { RADIUS, slider } from '../slider.ts';
import { faultsOf, lostCurve, type Post, positionAt, type SliderWorld } from './sliderOracle.ts';

const robot = createRobotModel(slider());
const jointNames = ['x', 'y'];

/** A sphere that moves along a line from one time to another. */
interface Crossing {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly begin: number;
  readonly end: number;
  readonly radius: number;
}

const sphere = (name: string, radius: number) => ({ name, parts: [{ shape: { type: 'sphere' as const, radius } }] });
const poseAt = (x: number, y: number) => ({ ...IDENTITY_POSE, xyz: [x, y, 0] as const });

function sceneOf(posts: readonly Post[], crossings: readonly Crossing[]): Scene {
  const still = posts.map(({ x, y, radius }, i) => ({ ...sphere(`post ${i}`, radius), pose: poseAt(x, y) }));
  const moving = crossings.map(({ from, to, begin, end, radius }, i) => ({
    ...sphere(`crossing ${i}`, radius),
    pose: IDENTITY_POSE,
    motion: { times: [begin, end], poses: [poseAt(...from), poseAt(...to)] },
  }));
  const robotOf = { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' as const };
  const rest = { goals: [], attached: [], allow: [], padding: 0 };
  return { name: 'crossings', robot: robotOf, obstacles: [...still, ...moving], ...rest } as unknown as Scene;
}

const worldOf = (posts: readonly Post[]): SliderWorld => ({
  posts,
  radius: RADIUS,
  padding: 0,
  position: 1,
  velocity: 1,
  acceleration: 4,
});

/** The least distance to what moves, over samples 1 ms apart, until all is at rest. */
function leastRoom(crossings: readonly Crossing[], trajectory: Trajectory): number {
  const { points } = trajectory;
  const last = points.length - 1;
  const until = Math.max(points[last].time_from_start!, ...crossings.map(({ end }) => end)) + 0.01;
  let least = Number.POSITIVE_INFINITY;
  let k = 0;
  for (let t = 0; t <= until; t += 1e-3) {
    while (k < last - 1 && points[k + 1].time_from_start! <= t) k++;
    const [from, to] = [points[k].time_from_start!, points[k + 1].time_from_start!];
    const [x, y] = positionAt(trajectory, k, Math.min(1, Math.max(0, (t - from) / (to - from))));
    for (const { from: a, to: b, begin, end, radius } of crossings) {
      const s = Math.min(1, Math.max(0, (t - begin) / (end - begin)));
      const distance = Math.hypot(x - a[0] - s * (b[0] - a[0]), y - a[1] - s * (b[1] - a[1]));
      least = Math.min(least, distance - radius - RADIUS);
    }
  }
  return least;
}

const at = (time: number, x: number, v = 0) => ({ time_from_start: time, positions: [x, 0], velocities: [v, 0] });
/** Along y = 0 from -0.8 to 0.8, at rest at both ends. */
const across: Trajectory = { jointNames, points: [at(0, -0.8), at(1, -0.4, 0.6), at(2, 0.4, 0.6), at(3, 0.8)] };

const repaired = (crossings: readonly Crossing[], options: Partial<RepairOptions> = {}, given = across) =>
  repairTrajectory(given, robot, sceneOf([], crossings), options);

const crossing = (x: number, begin: number, end: number): Crossing => ({
  from: [x, 0.9],
  to: [x, -0.9],
  begin,
  end,
  radius: 0.1,
});

describe('a motion across the path of spheres that move', () => {
  test('is repaired by a wait: valid for the oracle, on the same curve, and refused only before', () => {
    const counts = { good: 0, repaired: 0, failed: 0 };
    for (let seed = 1; seed <= cases(20); seed++) {
      const random = new Random(seed, 5);
      const crossings = Array.from({ length: 1 + random.below(3) }, () => {
        const begin = random.between(0, 2);
        return crossing(random.between(-0.5, 0.5), begin, begin + random.between(0.6, 3));
      });
      const posts = random.next() < 0.3 ? [{ x: 0, y: random.between(0.1, 0.15), radius: 0.05 }] : [];
      const pace = random.next() < 0.3 ? 1.5 : 1;
      const points = across.points.map(({ time_from_start: t, positions, velocities }) => ({
        time_from_start: t! / pace,
        positions,
        velocities: velocities!.map((v) => v * pace),
      }));
      const given = { jointNames, points };
      const { status, reason, trajectory, changed } = repairTrajectory(given, robot, sceneOf(posts, crossings));
      const label = `seed ${seed}: ${status}, ${reason}`;
      counts[status]++;
      const isBad = leastRoom(crossings, given) < 0 || faultsOf(worldOf(posts), given).length > 0;
      expect(isBad, label).toBe(status !== 'good');
      if (!trajectory) continue;
      expect(faultsOf(worldOf(posts), trajectory), label).toEqual([]);
      expect(leastRoom(crossings, trajectory), label).toBeGreaterThan(0);
      expect(trajectory.points[0], label).toMatchObject({ time_from_start: 0, positions: [-0.8, 0] });
      expect(trajectory.points.at(-1)!.positions, label).toEqual([0.8, 0]);
      expect(lostCurve(worldOf(posts), given, trajectory), label).toBeLessThan(1e-6);
      expect(changed.length > 0, label).toBe(status === 'repaired');
      expect(repairTrajectory(trajectory, robot, sceneOf(posts, crossings)).status, label).toBe('good');
    }
    expect(counts.repaired, JSON.stringify(counts)).toBeGreaterThan(cases(10) - 1);
    expect(counts.failed, JSON.stringify(counts)).toBeLessThan(cases(5));
  });

  test('waits at the start, and keeps curve and pace of every segment, if the start stays free', () => {
    const { status, reason, trajectory, changed } = repaired([crossing(0, 0, 3)]);
    expect(status, reason).toBe('repaired');
    expect(reason).toMatch(/^waits 0\.\d\d s at the start$/);
    expect(changed).toEqual([[0, 0]]);
    const wait = trajectory!.points[1].time_from_start!;
    expect(trajectory!.points.slice(1)).toEqual(
      across.points.map((point) => ({ ...point, time_from_start: point.time_from_start! + wait })),
    );
  });

  test('waits on its way if the start does not stay free', () => {
    const leave = { ...crossing(-0.8, 0.3, 1), from: [-0.8, 0.9] as const, to: [-0.8, 0] as const };
    const later = crossing(0.2, 0, 3.4);
    const { status, reason, trajectory } = repaired([leave, later]);
    expect(status, reason).toBe('repaired');
    expect(reason).toMatch(/^waits \d\.\d\d s at \d/);
    expect(leastRoom([leave, later], trajectory!)).toBeGreaterThan(0);
  });

  test('is repaired by another path or several waits if no single wait suffices', () => {
    const wrong: string[] = [];
    let found = 0;
    for (let seed = 1; seed <= cases(8); seed++) {
      const random = new Random(seed, 9);
      // one sphere parks on the path for ever, others cross it at different times
      const y = random.between(-0.1, 0.1);
      const parks = { ...crossing(random.between(-0.2, 0.3), 0.2, random.between(0.6, 1.2)), to: [0, y] as const };
      const others = Array.from({ length: random.below(3) }, () => {
        const begin = random.between(0, 2);
        return crossing(random.between(-0.5, 0.5), begin, begin + random.between(0.6, 3));
      });
      const crossings = [parks, ...others];
      const limited = repaired(crossings, { limitsOnly: true });
      if (limited.status !== 'failed') wrong.push(`seed ${seed}: ${limited.reason}`);
      const { trajectory, reason } = repaired(crossings, { seed });
      if (!trajectory) {
        wrong.push(`seed ${seed}: ${reason}`);
        continue;
      }
      found++;
      const room = leastRoom(crossings, trajectory);
      const faults = faultsOf(worldOf([]), trajectory);
      const ends = [trajectory.points[0], trajectory.points.at(-1)!].map(({ positions }) => positions);
      const keepsEnds =
        JSON.stringify(ends) ===
        JSON.stringify([
          [-0.8, 0],
          [0.8, 0],
        ]);
      if (!(room > 0) || faults.length > 0 || !keepsEnds) wrong.push(`seed ${seed}: ${room}, ${faults}, ${ends}`);
    }
    expect([wrong, found]).toEqual([[], cases(8)]);
  });

  test('is not repaired if its times are kept, or if its end never becomes free', () => {
    const kept = repaired([crossing(0, 0, 3)], { keepTimes: true });
    expect(kept).toMatchObject({ status: 'failed', trajectory: undefined });
    expect(kept.reason).toMatch(
      /^its times are kept, and ball and crossing 0 collide, first at 1\.\d+ s, until 1\.\d+ s, 200 mm deep$/,
    );
    const stays = { ...crossing(0.8, 0, 2), to: [0.8, 0] as const };
    const never = repaired([stays]);
    expect(never).toMatchObject({ status: 'failed', trajectory: undefined });
    expect(isRepairImpossible(across, robot, sceneOf([], [stays]))).toBe(true);
    expect(isRepairImpossible(across, robot, sceneOf([], [crossing(0, 0, 3)]))).toBe(false);
  });

  test('is not repaired if it states segments or events of a program, whose times would change', () => {
    const segments = [{ step: 0, kind: 'move', from: 0, to: across.points.at(-1)!.time_from_start! }] as const;
    const programs = [
      { ...across, segments },
      { ...across, events: [{ step: 0, time: 1, set: { gripper: 1 } }] },
    ] as Trajectory[];
    for (const given of programs) {
      const { status, reason } = repaired([crossing(0, 0, 3)], {}, given);
      expect([status, reason]).toEqual([
        'failed',
        expect.stringMatching(/^it has segments, events or signals of a program/),
      ]);
    }
  });

  test('a path without times is refused', () => {
    const path = { jointNames, points: across.points.map(({ positions }) => ({ positions })) };
    expect(() => repaired([crossing(0, 0, 3)], {}, path as Trajectory)).toThrow('it has no times');
  });
});

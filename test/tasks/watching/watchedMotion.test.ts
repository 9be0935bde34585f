import { assert, describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { replanMotion } from '../../../src/tasks/watching/replanMotion.ts';
import { WatchedMotion } from '../../../src/tasks/watching/watchedMotion.ts';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const model = createSceneRobot({ scene, robot });
const plan = planMotion({ scene, robot, model }, { certificate: true });
const trajectory = plan.trajectory!;
const curve = new TrajectoryCurve(trajectory);
const SAMPLES = 1500;

/** The oracle: the first of many sampled times from `now` on at which a state is in collision; Infinity: none. */
function firstContact(changed: Scene, now: number, motion = curve): number {
  const checker = new StateValidityChecker(model, changed);
  const q = new Float64Array(model.dof);
  for (let i = 0; i <= SAMPLES; i++) {
    const time = now + ((motion.end - now) * i) / SAMPLES;
    motion.position(q, time);
    if (!checker.isValid(q)) return time;
  }
  return Number.POSITIVE_INFINITY;
}

/** The minimum clearance of sampled states between two times. */
function clearance(changed: Scene, from: number, to: number): number {
  const checker = new StateValidityChecker(model, changed);
  const q = new Float64Array(model.dof);
  return Math.min(
    ...Array.from({ length: 200 }, (_, i) => {
      curve.position(q, from + ((to - from) * i) / 199);
      return checker.clearance(q).distance;
    }),
  );
}

const ball = (name: string, random: Random): Obstacle => ({
  name,
  parts: [{ shape: { type: 'sphere', radius: random.between(0.02, 0.08) } }],
  pose: {
    xyz: [random.between(0.1, 0.8), random.between(-0.6, 0.6), random.between(0.1, 0.9)],
    quat_wxyz: [1, 0, 0, 0],
  },
});

/** A random change of the balls in the scene: one is added, moved or removed. */
function changed(before: readonly Obstacle[], random: Random, count: number): Obstacle[] {
  const at = Math.floor(random.between(0, before.length));
  const kind = random.between(0, 3);
  if (before.length === 0 || (kind < 1 && before.length < 4)) return [...before, ball(`ball ${count}`, random)];
  if (kind < 2) return before.map((one, i) => (i === at ? { ...one, pose: ball('', random).pose } : one));
  return before.filter((_, i) => i !== at);
}

describe('a watched motion', () => {
  test('is never certified beyond the first contact, and stops short only near obstacles', () => {
    const random = new Random(11);
    const counts = { whole: 0, cut: 0 };
    for (let run = 0; run < 4; run++) {
      const watched = new WatchedMotion(model, trajectory);
      expect(watched.certify(scene, plan.certificate).until).toBeNull();
      let balls: Obstacle[] = [];
      let now = 0;
      for (let step = 0; step < 12; step++) {
        balls = changed(balls, random, step);
        const next = { ...scene, obstacles: [...scene.obstacles, ...balls] };
        if (random.between(0, 1) < 0.3) {
          now = Math.min(curve.end, now + random.between(0, 0.15) * curve.end);
          watched.advance(now);
        }
        const { until, pair } = watched.certify(next);
        const contact = firstContact(next, now);
        const label = `run ${run}, step ${step}, now ${now}`;
        if (until === null) expect(contact, label).toBe(Number.POSITIVE_INFINITY);
        else {
          expect(until, label).toBeGreaterThanOrEqual(now);
          expect(until, label).toBeLessThanOrEqual(contact + curve.end / SAMPLES);
          expect(balls.map(({ name }) => name)).toContain(pair!.find((name) => name.startsWith('ball')));
          // What is certified ends within a hundredth of a second of a state nearer than a millimetre.
          expect(clearance(next, until, Math.min(curve.end, until + 0.01)), label).toBeLessThan(1e-3);
        }
        const { until: fresh } = freshly(next, now);
        expect(until === null, label).toBe(fresh === null);
        if (until !== null) expect(until, label).toBeCloseTo(fresh!, 5);
        counts[until === null ? 'whole' : 'cut']++;
      }
    }
    expect(counts.whole).toBeGreaterThan(5);
    expect(counts.cut).toBeGreaterThan(5);
  });

  /** The same motion and scene without history. */
  function freshly(next: Scene, now: number) {
    const watched = new WatchedMotion(model, trajectory);
    watched.advance(now);
    return watched.certify(next);
  }

  test('certificates that are no proof in this scene are ignored', () => {
    const random = new Random(3);
    for (let i = 0; i < 10; i++) {
      const next = { ...scene, obstacles: [...scene.obstacles, ball('ball', random)] };
      const { until } = new WatchedMotion(model, trajectory).certify(next, plan.certificate);
      if (until === null) expect(firstContact(next, 0)).toBe(Number.POSITIVE_INFINITY);
      else expect(until).toBeLessThanOrEqual(firstContact(next, 0) + curve.end / SAMPLES);
    }
  });

  test('a moved attached object, and one that changes from obstacle to attached, are proved again', () => {
    const body = { name: 'rod', parts: [{ shape: { type: 'sphere', radius: 0.05 } }] } as const;
    const at = (z: number) => ({ xyz: [0, 0, z], quat_wxyz: [1, 0, 0, 0] }) as const;
    const carried = (z: number) => ({ ...body, link: 'tool0', touches: ['wrist_3_link'], pose: at(z) });
    const watched = new WatchedMotion(model, trajectory);
    for (const next of [
      { ...scene, obstacles: [...scene.obstacles, { ...body, pose: at(3) }] },
      { ...scene, attached: [...scene.attached, carried(0.06)] },
      { ...scene, attached: [...scene.attached, carried(0.4)] },
      { ...scene, attached: [...scene.attached, carried(0.06)] },
    ]) {
      const { until } = watched.certify(next);
      const contact = firstContact(next, 0);
      expect(until === null).toBe(contact === Number.POSITIVE_INFINITY);
      if (until !== null) expect(until).toBeLessThanOrEqual(contact + curve.end / SAMPLES);
    }
  });

  test('nothing is certified if the motion exceeds a limit; a velocity at its start is none', () => {
    const fast = {
      ...trajectory,
      points: trajectory.points.map((one) => ({ ...one, time_from_start: one.time_from_start! / 2 })),
    };
    const { until, faults } = new WatchedMotion(model, fast).certify(scene);
    expect([until, faults!.length > 0]).toEqual([0, true]);
    const k = 3;
    const shift = trajectory.points[k].time_from_start!;
    const points = trajectory.points.slice(k).map((one) => ({ ...one, time_from_start: one.time_from_start! - shift }));
    expect(points[0].velocities!.some((value) => value !== 0)).toBe(true);
    expect(new WatchedMotion(model, { ...trajectory, points }).certify(scene).until).toBeNull();
  });

  test('an interrupted proof certifies nothing that was not proved', () => {
    const watched = new WatchedMotion(model, trajectory);
    expect(watched.certify(scene, undefined, () => true).until).toBe(0);
    expect(watched.certify(scene).until).toBeNull();
  });

  test('a path without times is refused', () => {
    const points = trajectory.points.map(({ positions }) => ({ positions }));
    const path: Trajectory = { jointNames: trajectory.jointNames, points };
    expect(() => new WatchedMotion(model, path, 'params.trajectory')).toThrow(
      /params.trajectory: a path without times/,
    );
  });
});

describe('a replanned motion', () => {
  test('leaves the old one on its certified rest with its position and velocity, and is proved', () => {
    const random = new Random(21);
    let solved = 0;
    let moving = 0;
    for (let i = 0; i < 40 && solved < 4; i++) {
      const next = { ...scene, obstacles: [...scene.obstacles, ball('ball', random)] };
      const now = random.between(0, 0.3) * curve.end;
      const watched = new WatchedMotion(model, trajectory);
      watched.advance(now);
      const { until } = watched.certify(next);
      if (until === null || until <= now) continue;
      const found = replanMotion({ scene: next, robot, model }, trajectory, { now, until }, { iterations: 3000 });
      if (!found.trajectory) continue;
      solved++;
      const { from, trajectory: fresh } = found;
      expect(from >= now && from <= until).toBe(true);
      const [q, v] = [new Float64Array(model.dof), new Float64Array(model.dof)];
      curve.position(q, from);
      curve.velocity(v, from);
      expect(fresh.points[0].positions).toEqual([...q]);
      for (const [j, value] of fresh.points[0].velocities!.entries()) expect(value).toBeCloseTo(v[j], 9);
      if (v.some((value) => Math.abs(value) > 0.05)) moving++;
      const last = fresh.points.at(-1)!;
      for (const [j, value] of last.positions.entries())
        expect(value).toBeCloseTo(trajectory.points.at(-1)!.positions[j], 9);
      expect(last.velocities!.every((value) => value === 0)).toBe(true);
      expect(firstContact(next, 0, new TrajectoryCurve(fresh))).toBe(Number.POSITIVE_INFINITY);
    }
    expect(solved).toBeGreaterThanOrEqual(3);
    expect(moving).toBeGreaterThanOrEqual(1);
  });

  test('of a motion that the robot begins while it moves has the velocity of its start', () => {
    const k = trajectory.points.findIndex(({ velocities }) => velocities!.some((rate) => Math.abs(rate) > 0.3));
    const { time_from_start: start, positions, velocities } = trajectory.points[k];
    const points = trajectory.points
      .slice(k)
      .map((point) => ({ ...point, time_from_start: point.time_from_start! - start! }));
    const rest = { ...trajectory, points };
    const found = replanMotion({ scene, robot, model }, rest, { now: 0, until: 0 }, { iterations: 3000 });
    assert(found.trajectory);
    const [first] = found.trajectory.points;
    expect(first.positions).toEqual(positions);
    for (const [j, rate] of first.velocities!.entries()) expect(rate).toBeCloseTo(velocities![j], 9);
  });
});

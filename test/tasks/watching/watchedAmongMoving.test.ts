import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { SessionScene } from '../../../src/host/service/sessionScene.ts';
import { SceneReceiver, SceneSender } from '../../../src/host/service/threads/sentScenes.ts';
import { replanMotion } from '../../../src/tasks/watching/replanMotion.ts';
import { WatchedMotion } from '../../../src/tasks/watching/watchedMotion.ts';
import { cases } from '../../cases.ts';
import {
  arm,
  armSpheres,
  boxDistance,
  distanceAt,
  hermite,
  inFrame,
  type OracleScene,
} from '../../core/world/oracle.ts';
import {
  description,
  jointNames,
  randomScene,
  randomTrajectory,
  robot,
  sceneOf,
} from '../../core/world/randomScenes.ts';

const STEP = 5e-3;

/** The oracle: minimum distance at t between the arm and everything in the scene of a session. */
function distanceIn(scene: Scene, given: OracleScene, q: readonly number[], t: number): number {
  const names = new Set(scene.obstacles.map(({ name }) => name));
  const moving = { ...given, boxes: given.boxes.filter(({ name }) => names.has(name)) };
  let least = distanceAt(moving, q, t);
  for (const { pose, parts, motion } of scene.obstacles) {
    if (motion) continue;
    const frame = { xyz: [...pose.xyz] as [number, number, number], quat: pose.quat_wxyz };
    for (const p of armSpheres(q))
      least = Math.min(least, boxDistance(inFrame(p, frame), parts[0].shape.size as number[]) - arm.radius);
  }
  return least;
}

/** The first sampled time from `now` on at which the arm is in collision, or collides with itself; Infinity: none. */
function firstContact(scene: Scene, given: OracleScene, trajectory: Trajectory, now: number, end: number): number {
  for (let t = Math.min(now, end); t < end + STEP; t += STEP)
    if (distanceIn(scene, given, hermite(trajectory, t), t) < -1e-9) return t;
  return Number.POSITIVE_INFINITY;
}

const endOf = ({ boxes, others }: OracleScene, { points }: Trajectory) =>
  Math.max(
    points.at(-1)!.time_from_start!,
    ...boxes.map(({ motion }) => motion.times.at(-1)!),
    ...others.map(({ trajectory, startTime }) => startTime + (trajectory?.points.at(-1)?.time_from_start ?? 0)),
  );

const drawnPose = (random: Random) => ({
  xyz: [0, 1, 2].map(() => random.between(-0.9, 0.9)) as [number, number, number],
  rpy: [0, 0, random.between(-3, 3)] as [number, number, number],
});

/** Changes the scene of a session at random: objects at rest are added and moved; any object is removed. */
function change(session: SessionScene, random: Random, count: number): void {
  const { obstacles } = session.current;
  const still = obstacles.filter(({ motion }) => motion === undefined);
  const kind = random.below(6);
  const one = (list: readonly Obstacle[]) => list[random.below(list.length)].name;
  if (kind === 0) session.reset();
  else if (kind === 1 && obstacles.length > 0) session.remove(one(obstacles));
  else if (kind < 4 && still.length > 0) session.move(one(still), drawnPose(random));
  else {
    const size = [0, 1, 2].map(() => random.between(0.02, 0.25));
    session.add({ name: `new ${count}`, pose: drawnPose(random) }, [{ shape: { type: 'box', size } }]);
  }
}

/** Moves a random trajectory to a time that is not the start, or nearer to the moving obstacles. */
function drawnTrajectory(random: Random): Trajectory {
  const drawn = randomTrajectory(random, 1);
  const calm = drawn.points.map((point) => ({ ...point, time_from_start: 2 * point.time_from_start! }));
  return { ...drawn, points: calm.map((point) => ({ ...point, velocities: point.velocities!.map((v) => v / 2) })) };
}

test('a motion among moving objects is never certified beyond the first contact, whatever the session changes', () => {
  const wrong: string[] = [];
  const counts = { whole: 0, cut: 0, afterwards: 0 };
  for (let seed = 1; seed <= cases(24); seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const original = sceneOf(given);
    const trajectory = drawnTrajectory(random);
    const end = endOf(given, trajectory);
    const session = new SessionScene(robot, original);
    const [sender, receiver] = [new SceneSender(original), new SceneReceiver(original)];
    const watched = new WatchedMotion(robot, trajectory);
    let now = 0;
    for (let step = 0; step < 8; step++) {
      if (step > 0) change(session, random, step);
      if (random.below(3) === 0) now += random.between(0, 0.2) * end;
      if (step >= 6 && seed % 2 === 0) now = Math.max(now, end); // everything is at rest
      watched.advance(now);
      const scene = receiver.decode(structuredClone(sender.encode(session.current)));
      const { until, faults, pair } = watched.certify(scene);
      const fresh = new WatchedMotion(robot, trajectory);
      fresh.advance(now);
      const again = fresh.certify(scene);
      const label = `seed ${seed}, step ${step}, now ${now}, until ${until}`;
      if (faults) wrong.push(`${label}: ${faults.join()}`);
      if ((until === null) !== (again.until === null) || Math.abs((until ?? 0) - (again.until ?? 0)) > 1e-5)
        wrong.push(`${label}: without history ${again.until}`);
      if (pair?.every((name) => /^(base|link\d)$/.test(name))) continue; // it collides with itself
      const contact = firstContact(session.current, given, trajectory, now, end);
      if (contact < (until ?? Number.POSITIVE_INFINITY)) wrong.push(`${label}: contact at ${contact}`);
      if (until !== null) {
        const near = distanceIn(session.current, given, hermite(trajectory, until), until);
        if (until < now || near > 1e-3) wrong.push(`${label}: ends at a distance of ${near}`);
        if (until > trajectory.points.at(-1)!.time_from_start!) counts.afterwards++;
      }
      counts[until === null ? 'whole' : 'cut']++;
    }
  }
  expect(wrong).toEqual([]);
  expect(counts.whole).toBeGreaterThan(cases(30));
  expect(counts.cut).toBeGreaterThan(cases(30));
  expect(counts.afterwards).toBeGreaterThan(cases(3) - 1);
});

test('a motion that is planned anew among moving objects begins on the certified rest, at the time of the scene', () => {
  const wrong: string[] = [];
  let solved = 0;
  for (let seed = 1; seed <= 60 && solved < 6; seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const trajectory = drawnTrajectory(random);
    const scene = sceneOf(given);
    const now = random.between(0, 0.5);
    const watched = new WatchedMotion(robot, trajectory);
    watched.advance(now);
    const { until } = watched.certify(scene);
    if (until === null || until <= now) continue;
    const found = replanMotion({ scene, robot: description, model: robot }, trajectory, { now, until });
    if (!found.trajectory) continue;
    solved++;
    const { from, trajectory: fresh } = found;
    const [first, last] = [fresh.points[0], fresh.points.at(-1)!];
    const goal = trajectory.points.at(-1)!.positions;
    const joins = hermite(trajectory, from).every((x, j) => Math.abs(x - first.positions[j]) < 1e-9);
    const arrives = goal.every((x, j) => Math.abs(x - last.positions[j]) < 1e-9);
    if (!(joins && arrives && first.time_from_start === from && from >= now && from <= until))
      wrong.push(`seed ${seed}: from ${from}, first point at ${first.time_from_start}, ${joins}, ${arrives}`);
    const contact = firstContact(scene, given, fresh, from, endOf(given, fresh));
    if (contact < Number.POSITIVE_INFINITY) wrong.push(`seed ${seed}: contact at ${contact}`);
  }
  expect(wrong).toEqual([]);
  expect(solved).toBe(6);
});

/** A motion to q in a second, and the place of the tip of the arm there. */
const q = [0.3, 0.3, 0.3];
const short = motionTo(q);
const tip = armSpheres(q).at(-1)!;

function motionTo(end: readonly number[]): Trajectory {
  const velocities = [0, 0, 0];
  const points = [
    { time_from_start: 0, positions: [0, 0, 0], velocities },
    { time_from_start: 1, positions: [...end], velocities },
  ];
  return { jointNames, interpolation: 'cubic', points };
}

const placed = ([x, y, z]: readonly number[]) => ({ xyz: [x, y, z] as const, quat_wxyz: [1, 0, 0, 0] as const });

test('a contact at the end of all motion is reported again by each later proof', () => {
  const parts = [{ shape: { type: 'box', size: [0.1, 0.1, 0.1] } }];
  const empty = sceneOf({ boxes: [], others: [] });
  const hit = { ...empty, obstacles: [{ name: 'b', parts, pose: placed(tip) }] };
  const another = { ...hit, obstacles: [...hit.obstacles, { name: 'far', parts, pose: placed([5, 5, 5]) }] };
  const watched = new WatchedMotion(robot, short);
  expect(watched.certify(empty)).toEqual({ until: null });
  watched.advance(1);
  const results = [hit, hit, another, another].map((scene) => watched.certify(scene as Scene));
  expect(results.map(({ until, pair }) => [until, pair?.[1]])).toEqual(Array(4).fill([1, 'b']));
});

test('proofs are not kept if other robots change', () => {
  const [near, far] = [
    [0, 0, 0.02],
    [5, 5, 5],
  ].map((place) => {
    const base = place as [number, number, number];
    const setting = { ...sceneOf({ boxes: [], others: [] }).robot, pose: placed(base) };
    const other = { name: 'o', description, robot: setting, startTime: 0, q: [0.3, 0.3, 0.3], base, yaw: 0 };
    return sceneOf({ boxes: [], others: [other] });
  });
  const watched = new WatchedMotion(robot, short);
  expect(watched.certify(far)).toEqual({ until: null });
  expect(watched.certify(near).until).not.toBeNull();
});

test('a robot that has arrived leaves its goal at a time to come, before an object meets it', () => {
  const poses = [[3, 0, 0], [3, 0, 0], tip, [3, 0, 0]].map(placed);
  const parts = [{ shape: { type: 'box', size: [0.05, 0.05, 0.05] } }];
  const obstacle = { name: 'b', parts, pose: placed([3, 0, 0]), motion: { times: [0, 6, 8, 10], poses } };
  const scene = { ...sceneOf({ boxes: [], others: [] }), obstacles: [obstacle] } as unknown as Scene;
  for (const now of [3, 7]) {
    const watched = new WatchedMotion(robot, short);
    watched.advance(now);
    const until = watched.certify(scene).until!;
    expect(until).toBeGreaterThan(now);
    const found = replanMotion({ scene, robot: description, model: robot }, short, { now, until });
    const from = found.trajectory ? found.from : Number.NaN;
    expect([from >= now, from <= until]).toEqual([true, true]);
  }
});

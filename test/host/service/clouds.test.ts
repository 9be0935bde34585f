import { describe, expect, onTestFinished, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { attachedClusters, sphereClusters } from '../../../src/formats/clouds/sphereClusters.ts';
import { serviceMessages } from '../../../src/formats/schemas/serviceMessages.ts';
import { bytesOfParts, objectBytes } from '../../../src/host/service/session/objectBytes.ts';
import type { Session } from '../../../src/host/service/session/session.ts';
import { SceneReceiver, SceneSender } from '../../../src/host/service/threads/sentScenes.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { WatchedMotion } from '../../../src/tasks/watching/watchedMotion.ts';
import { arm, armSpheres, hermite } from '../../core/world/oracle.ts';
import { robot as armRobot, randomTrajectory, sceneOf } from '../../core/world/randomScenes.ts';
import { call, free, model, robot, scene, sessionsOf, sessionsWith } from './shelf.ts';

type Vec = [number, number, number];

interface Added {
  readonly name: string;
  readonly radius: number;
  readonly points: readonly Vec[];
  readonly xyz?: Vec;
  readonly replace?: boolean;
}

/** Bytes of a frame that adds a cloud, from the description in docs/serve.md. */
function frameOf({ name, radius, points, xyz = [0, 0, 0], replace = false }: Added, shape?: unknown): Buffer {
  const params = { body: { type: 'cloud', name, radius, pose: { xyz } }, replace };
  const arrays = { points: shape ?? [points.length, 3] };
  let text = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'scene.add', params, arrays });
  while (Buffer.byteLength(text) % 8 !== 0) text += ' ';
  const bytes = Buffer.alloc(16 + text.length + 24 * points.length);
  Buffer.from('93454c42', 'hex').copy(bytes);
  for (const [i, value] of [1, text.length, 24 * points.length].entries()) bytes.writeUInt32LE(value, 4 + 4 * i);
  bytes.write(text, 16);
  for (const [i, value] of points.flat().entries()) bytes.writeDoubleLE(value, 16 + text.length + 8 * i);
  return bytes;
}

interface Reply {
  readonly result?: { readonly obstacles: string[]; readonly warnings?: string[] };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note: string } };
}

/** Adds a cloud as a frame. */
async function addFrame(session: Session, cloud: Added, shape?: unknown): Promise<Reply> {
  const bytes = await session.answerFrame(frameOf(cloud, shape));
  const reply = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(8)));
  if (reply.result) serviceMessages['scene.add'].result.parse(reply.result);
  return reply;
}

/** Adds a cloud as JSON. */
async function addText(session: Session, { name, radius, points, xyz, replace }: Added): Promise<Reply> {
  const body = { type: 'cloud', name, radius, points, ...(xyz && { pose: { xyz } }) };
  return (await call(session, 'scene.add', { body, ...(replace !== undefined && { replace }) })) as unknown as Reply;
}

const drawnPoint = (random: Random, reach: number): Vec => [0, 1, 2].map(() => random.between(-reach, reach)) as Vec;

/** A cloud of one to 60 points: scattered, on a plane, or repeated. */
function drawnCloud(random: Random, name: string): Added {
  const kind = random.below(3);
  const center = drawnPoint(random, 0.9);
  const point = (): Vec => {
    const at = drawnPoint(random, kind === 0 ? 1 : 0.15);
    if (kind > 0) for (let k = 0; k < 3; k++) at[k] += center[k];
    if (kind === 2) at[2] = center[2];
    return at;
  };
  const points = Array.from({ length: 1 + random.below(60) }, point);
  if (random.below(3) === 0) points.push(points[0]);
  return { name, radius: random.between(0.002, 0.06), points, xyz: drawnPoint(random, 0.2) };
}

/** The oracle: minimum distance between the spheres of the arm and those of the clouds. */
function distanceOf(clouds: Iterable<Added>, q: readonly number[]): number {
  const spheres = armSpheres(q);
  let least = Number.POSITIVE_INFINITY;
  for (const { points, radius, xyz = [0, 0, 0] } of clouds)
    for (const p of points)
      for (const s of spheres) {
        const gap = Math.hypot(...p.map((x, k) => x + xyz[k] - s[k])) - radius - arm.radius;
        least = Math.min(least, gap);
      }
  return least;
}

/** Adds, replaces, moves or removes a cloud at random, in the session and in the list of the oracle. */
async function change(session: Session, clouds: Map<string, Added>, random: Random, count: number): Promise<string> {
  const names = [...clouds.keys()];
  const one = names[random.below(Math.max(1, names.length))];
  const kind = names.length === 0 ? 9 : random.below(10);
  if (kind === 0) {
    await call(session, 'scene.reset');
    clouds.clear();
    return 'reset';
  }
  if (kind < 3) {
    await call(session, 'scene.remove', { name: one });
    clouds.delete(one);
    return 'remove';
  }
  if (kind < 6) {
    const xyz = drawnPoint(random, 0.3);
    await call(session, 'scene.move', { name: one, pose: { xyz } });
    clouds.set(one, { ...clouds.get(one)!, xyz });
    return 'move';
  }
  const cloud = { ...drawnCloud(random, kind < 8 ? one : `cloud ${count}`), replace: kind < 8 };
  const add = random.below(2) === 0 ? addFrame : addText;
  const { error } = await add(session, cloud);
  clouds.set(cloud.name, cloud);
  return error?.message ?? (kind < 8 ? 'replace' : 'add');
}

/** The first sampled time from `now` on at which the arm touches a cloud; Infinity: none. */
function firstContact(clouds: Iterable<Added>, trajectory: Trajectory, now: number, end: number): number {
  for (let t = now; t <= end; t += 4e-3) if (distanceOf(clouds, hermite(trajectory, t)) < -1e-9) return t;
  return Number.POSITIVE_INFINITY;
}

test('states and watched motions among clouds that change at random agree with spheres in closed form', async () => {
  const original = sceneOf({ boxes: [], others: [] });
  const service = sessionsOf({ robot: armRobot, scene: original, version: '0' });
  const wrong: string[] = [];
  const counts: Record<string, number> = { valid: 0, hit: 0, whole: 0, cut: 0 };
  for (let seed = 1; seed <= 12; seed++) {
    const random = new Random(seed);
    const session = service.open();
    const clouds = new Map<string, Added>();
    const drawn = randomTrajectory(random, 2);
    const trajectory = {
      ...drawn,
      points: drawn.points.map((p) => ({ ...p, time_from_start: 3 * p.time_from_start! })),
    };
    const end = trajectory.points.at(-1)!.time_from_start;
    const [sender, receiver] = [new SceneSender(original), new SceneReceiver(original)];
    const watched = new WatchedMotion(armRobot, trajectory);
    let now = 0;
    for (let step = 0; step < 7; step++) {
      const label = `seed ${seed}, step ${step}, ${await change(session, clouds, random, step)}`;
      const states = Array.from({ length: 8 }, () => [0, 1, 2].map(() => random.between(-3, 3)));
      const { answers } = (await call(session, 'validate', { states, details: true })).result! as unknown as {
        answers: { valid: boolean; collisions: string[][] }[];
      };
      for (const [i, { valid, collisions }] of answers.entries()) {
        const distance = distanceOf(clouds.values(), states[i]);
        const isSelf = collisions.some(([, b]) => b.startsWith('link'));
        if (Math.abs(distance) > 1e-9 && !isSelf && valid !== distance > 0)
          wrong.push(`${label}: ${states[i]}: ${distance}`);
        counts[valid ? 'valid' : 'hit']++;
      }
      if (random.below(3) === 0) now = Math.min(end, now + random.between(0, 0.2) * end);
      watched.advance(now);
      const current = receiver.decode(structuredClone(sender.encode(session.scene.current)));
      const { until, pair } = watched.certify(current);
      const fresh = new WatchedMotion(armRobot, trajectory);
      fresh.advance(now);
      const again = fresh.certify(session.scene.current).until;
      if ((until === null) !== (again === null) || Math.abs((until ?? 0) - (again ?? 0)) > 1e-5)
        wrong.push(`${label}: ${until}, without history ${again}`);
      if (pair?.every((name) => /^(base|link\d)$/.test(name))) continue; // it collides with itself
      const contact = firstContact(clouds.values(), trajectory, now, until ?? end);
      if (contact < (until ?? Number.POSITIVE_INFINITY)) wrong.push(`${label}: until ${until}, contact at ${contact}`);
      if (until !== null && distanceOf(clouds.values(), hermite(trajectory, until)) > 1e-3)
        wrong.push(`${label}: it ends at ${until}, far from all clouds`);
      counts[until === null ? 'whole' : 'cut']++;
    }
    session.close();
  }
  expect(wrong).toEqual([]);
  expect(service.takenMemory).toBe(0);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(4);
});

const random = new Random(5);
const planned = planMotion({ scene, robot, model }, {}).trajectory!;
/** Where the wrist is in the middle of the planned motion. */
const inTheWay = (() => {
  const curve = new TrajectoryCurve(planned);
  const q = new Float64Array(model.dof);
  curve.position(q, 0.6 * curve.end);
  const state = new RobotState(model);
  forwardKinematics(state, q);
  const [, , , x, , , , y, , , , z] = state.T_world_link[model.links.findIndex(({ name }) => name === 'wrist_2_link')];
  return [x, y, z] as Vec;
})();
/** A dense ball of points, at the place of the ball that a scene file would describe. */
const ball = (center: Vec, count: number): Vec[] =>
  Array.from({ length: count }, () => center.map((x) => x + random.between(-0.05, 0.05)) as Vec);

describe('a cloud of a session', () => {
  const points = ball([0.5, 0.3, 0.6], 1000);
  const cloud = { name: 'scan', radius: 0.004, points };

  test('is the same as JSON, as a frame, and in a scene; attached, it has few groups', async () => {
    const service = sessionsWith();
    const [text, frame] = [service.open(), service.open()];
    expect((await addText(text, cloud)).error).toBeUndefined();
    expect((await addFrame(frame, cloud)).error).toBeUndefined();
    const parts = sphereClusters(points.flat(), 0.004);
    expect(parts.length).toBeGreaterThan(50);
    const added = { name: 'scan', parts, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } };
    expect(text.scene.current.obstacles).toEqual([...scene.obstacles, added]);
    expect(frame.scene.current.obstacles).toEqual(text.scene.current.obstacles);
    await call(frame, 'scene.attach', { name: 'scan', link: 'tool0', pose: { xyz: [0, 0, 1] } });
    expect(frame.scene.current.attached[0].parts).toEqual(attachedClusters(points.flat(), 0.004));
    await call(frame, 'scene.detach', { name: 'scan', pose: {} });
    expect(frame.scene.current.obstacles.at(-1)).toEqual(added);
    expect(frame.scene.addedBytes()).toBe(bytesOfParts(parts));
    for (const session of [text, frame]) session.close();
    expect(service.takenMemory).toBe(0);
  });

  test('is planned around, watched and replaced by the threads of the service', async () => {
    const service = sessionsWith();
    onTestFinished(() => service.close());
    const session = service.open();
    const reports: { certified_until: number | null; pair?: string[] }[] = [];
    session.notify = (text) => {
      const { method, params } = JSON.parse(text);
      if (method === '$/watch') reports.push(params);
    };
    const given = { joint_names: planned.jointNames, points: planned.points };
    expect((await call(session, 'watch', { trajectory: given })).result).toMatchObject({ certified_until: null });
    await addFrame(session, cloud);
    const expected = new WatchedMotion(model, planned).certify(session.scene.current);
    expect(reports.at(-1)!.certified_until).toBe(expected.until);
    const hit = { ...cloud, points: ball(inTheWay, 200), replace: true };
    await addFrame(session, hit);
    const cut = new WatchedMotion(model, planned).certify(session.scene.current);
    expect(reports.at(-1)).toMatchObject({ certified_until: cut.until, pair: cut.pair! });
    const options = { seed: 2, iterations: 400 };
    const answer = (await call(session, 'plan', options)).result as unknown as { trajectory?: { points: object[] } };
    const own = planMotion({ scene: session.scene.current, robot, model }, options);
    expect(answer.trajectory?.points).toEqual(own.trajectory && JSON.parse(JSON.stringify(own.trajectory.points)));
    await call(session, 'scene.remove', { name: 'scan' });
    expect(reports.at(-1)!.certified_until).toBe(null);
    expect([reports.length, service.takenMemory > 0]).toEqual([3, true]); // of the watch
    session.close();
    expect(service.takenMemory).toBe(0);
  });

  test('that is replaced again and again takes the memory of one', async () => {
    const { length } = sphereClusters(points.flat(), 0.004);
    const session = sessionsWith({ objects: 2 * objectBytes(length, 1000) - 1 }).open();
    for (let i = 0; i < 4; i++) expect((await addFrame(session, { ...cloud, replace: true })).error).toBeUndefined();
    const other = { ...cloud, name: 'other' };
    expect((await addFrame(session, other)).error!.message).toMatch(/memory budget/);
    await call(session, 'scene.remove', { name: 'scan' });
    expect((await addFrame(session, other)).error).toBeUndefined();
    session.close();
  });

  test('skips points that are not finite, with a warning', async () => {
    const session = sessionsWith().open();
    const nan = {
      ...cloud,
      points: [
        [Number.NaN, 0, 0],
        [1, 1, 1],
        [0, Number.POSITIVE_INFINITY, 0],
      ] as Vec[],
    };
    const { result } = await addFrame(session, nan);
    expect(result!.warnings).toEqual([expect.stringMatching(/^arrays.points: 2 of its 3 points are not finite/)]);
    expect(session.scene.current.obstacles.at(-1)!.parts).toEqual(sphereClusters([1, 1, 1], 0.004));
    expect((await call(session, 'validate', { q: free })).result).toEqual({ valid: true });
  });

  const one = { name: 'scan', radius: 0.01, points: [[1, 1, 1]] as Vec[] };
  test.each<[string, Added, RegExp, unknown?]>([
    ['no points', { ...one, points: [] }, /^arrays.points: the cloud is empty: it has no points/],
    ['no finite points', { ...one, points: [[Number.NaN, 0, 0]] }, /none of its 1 points is finite/],
    ['a coordinate beyond all bounds', { ...one, points: [[2e7, 0, 0]] }, /^arrays.points: the coordinate 20000000/],
    ['too many points', { ...one, points: ball([0, 0, 0], 65_537) }, /^arrays.points: it has 65537 points/],
    ['a radius of 0', { ...one, radius: 0 }, /^params.body.radius/],
    ['a name that is taken', { ...one, name: 'jar' }, /jar/],
    ['points of two numbers', one, /arrays.points is \[1,2\], not \[n, 3\]/, [1, 2]],
  ])('with %s is refused, and nothing is added or reserved', async (_, given, message, shape) => {
    const service = sessionsWith();
    const session = service.open();
    const { error } = await addFrame(session, given, shape);
    expect(error!.message).toMatch(message);
    expect([session.scene.isChanged, service.takenMemory]).toEqual([false, 0]);
  });

  test('as JSON needs its points, which are not read from a file', async () => {
    const session = sessionsWith().open();
    const body = { type: 'cloud', name: 'scan', radius: 0.01 };
    expect((await call(session, 'scene.add', { body })).error!.message).toMatch(/^params.body.points/);
    expect((await call(session, 'scene.add', { body: { ...body, file: 'scan.pcd' } })).error!.message).toMatch(/file/);
  });

  test('is not added to the scene that HTTP clients without a session share', async () => {
    const shared = sessionsWith().open('network', false);
    expect((await addFrame(shared, one)).error!.message).toMatch(/needs a session/);
  });
});

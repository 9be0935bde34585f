import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { serviceMessages } from '../../../src/formats/schemas/serviceMessages.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { startService } from '../../../src/host/service/connectService.ts';
import { frameOf } from '../../../src/host/service/frames/binaryFrame.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { distanceAt } from '../../core/world/oracle.ts';
import { jointNames, randomScene, robot, sceneOf } from '../../core/world/randomScenes.ts';
import { call, open, sessionsOf } from './shelf.ts';

type Verdict = { readonly valid: boolean; readonly collisions: [string, string][] };
const isSelf = (pair: readonly string[]) => pair.every((name) => /^(base|link\d)$/.test(name));

/** The arm at rest collides with itself where it does, whatever moves: the same at a time with nothing else. */
function selfCollides(q: readonly number[]): Promise<boolean> {
  const alone = sessionsOf({ robot, scene: sceneOf({ boxes: [], others: [] }), version: '0', jobs: 1 });
  return call(open(alone), 'validate', { q }).then(({ result }) => !(result as unknown as Verdict).valid);
}

test('states and clearances of a service are those of an oracle that shares no code, at every time', async () => {
  const seen = { valid: 0, invalid: 0 };
  for (let seed = 1; seed <= 25; seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const service = sessionsOf({ robot, scene: sceneOf(given), version: '0', jobs: 1 });
    const [session, other] = [open(service), open(service)];
    const draw = () => ({ q: jointNames.map(() => random.between(-2, 2)), t: random.between(-2, 5) });
    const near = () =>
      Array.from({ length: 12 }, draw).reduce((a, b) =>
        distanceAt(given, a.q, a.t) < distanceAt(given, b.q, b.t) ? a : b,
      );
    const queries = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? draw() : near()));
    for (const query of [...queries]) queries.push({ q: query.q, t: random.between(-2, 5) }); // the same state, later
    const states = queries.map(({ q }) => q);
    const times = queries.map(({ t }) => t);
    const lists = await Promise.all([
      call(session, 'validate', { states, times }),
      call(other, 'validate', { states, times: times.toReversed() }),
      call(session, 'clearance', { states, times, gradient: true }),
      call(session, 'validate', { states, t: 1.5 }),
    ]);
    const [valid, reversed, clearances, atOnce] = lists.map(
      ({ result }) => result as unknown as Record<string, never[]>,
    );
    for (const [i, { q, t }] of queries.entries()) {
      const single = (await call(session, 'validate', { q, t, details: true })).result as unknown as Verdict;
      const least = distanceAt(given, q, t);
      const moving = single.collisions.filter((pair) => !isSelf(pair));
      const isHit = single.collisions.length > 0;
      seen[single.valid ? 'valid' : 'invalid']++;
      if (least < -1e-9) expect(isHit, `seed ${seed}, query ${i}: ${least}`).toBe(true);
      if (least > 1e-9) expect(moving, `seed ${seed}, query ${i}: ${least}`).toEqual([]);
      if (least > 1e-9 && isHit) expect(await selfCollides(q)).toBe(true);
      expect(valid.valid[i]).toBe(single.valid);
      const swapped = distanceAt(given, q, times[times.length - 1 - i]);
      if (swapped < -1e-9) expect(reversed.valid[i]).toBe(false);
      if (distanceAt(given, q, 1.5) < -1e-9) expect(atOnce.valid[i]).toBe(false);
      const { distance, gradient } = clearances.answers[i] as { distance: number; gradient: number[] };
      expect(distance <= Math.max(0, least) + 1e-9 || distance <= least + 1e-9).toBe(true);
      expect(gradient.length).toBe(jointNames.length);
      expect(distance > 0).toBe(single.collisions.length === 0);
    }
    await service.close();
  }
  expect(seen.valid).toBeGreaterThan(300);
  expect(seen.invalid).toBeGreaterThan(100);
});

const loaded = await loadScene('scenes/revolving-door.yaml');
const model = createSceneRobot(loaded);
const door = sessionsOf({ robot: model, scene: loaded.scene, version: '0', jobs: 1 });
const start = [-70, -75, 110, -125, -90, 0].map((angle) => (angle * Math.PI) / 180);

test('a request without time, and methods that would ignore what moves, are refused', async () => {
  const session = open(door);
  const trajectory = { format: 'elbowroom-trajectory/1', joint_names: [], points: [] };
  for (const [method, params, message] of [
    ['validate', { q: start }, 'params.t: missing; the scene has moving obstacles or other robots'],
    ['validate', { states: [start] }, 'params.times: missing'],
    ['validate', { states: [start], times: [0, 1] }, 'params.times: it has 2 values for 1 states'],
    ['validate', { states: [start], times: [0], t: 0 }, 'params: t and times are both given'],
    ['validate', { q: start, t: null }, 'params.t'],
    ['validate', { q: start.slice(1), t: 0 }, 'params.q: it has 5 values'],
    ['clearance', { q: start }, 'params.t: missing'],
    ['validate_motion', { from: start, to: start }, 'validate_motion: not supported in a scene with moving'],
    ['ik', { pose: { xyz: [0.5, 0, 0.5] }, collision_free: true }, 'params.collision_free: not supported in a scene'],
    ['repair', { trajectory }, 'params.trajectory'],
    ['watch', { trajectory }, 'watch needs a connection that carries notifications'],
    ['scene.move', { name: 'wings-1', pose: {} }, 'params.name: the obstacle "wings-1" has a motion'],
    ['scene.attach', { name: 'wings-1', link: 'tool0', pose: {} }, 'params.name: the obstacle "wings-1" has a motion'],
    [
      'scene.add',
      { body: { name: 'wings-1', type: 'sphere', radius: 0.1 } },
      'params.body: obstacles[1]: the name "wings-1" is taken',
    ],
    ['plan', { explain: true }, 'params.explain: not for scenes with moving'],
    ['plan', { optimize: true }, 'params.optimize: not for scenes with moving'],
  ] as const) {
    const { error, result } = await call(session, method, params);
    expect(result).toBeUndefined();
    expect(error?.code).toBe(-32602);
    expect(error!.message).toContain(message);
  }
  for (const method of ['validate', 'validate_motion', 'clearance']) {
    const width = method === 'validate_motion' ? [1, 2, 6] : [1, 6];
    const name = method === 'validate_motion' ? 'motions' : 'states';
    const data = Float64Array.from({ length: method === 'validate_motion' ? 12 : 6 }, (_, i) => start[i % 6]);
    const header = { jsonrpc: '2.0', id: 1, method, arrays: { [name]: width } };
    const frame = frameOf(JSON.stringify(header), [{ name, shape: width, data }]);
    const text = Buffer.from(await session.answerFrame(frame)).toString('latin1');
    expect(text).toContain(
      method === 'validate_motion' ? 'A motion between two states' : 'binary frames have no times',
    );
  }
});

test('a session whose scene moves describes it, plans, checks, verifies and certifies again', async () => {
  const session = open(door);
  const about = (await call(session, 'describe')).result as unknown as {
    obstacles: { name: string; motion?: { times: number[] } }[];
    methods: string[];
  };
  expect(about.obstacles.map(({ name, motion }) => [name, motion?.times.length])).toEqual([
    ['table', undefined],
    ['wings-1', 7],
    ['wings-2', 7],
  ]);
  expect(about.methods).toEqual(Object.keys(serviceMessages));
  expect((await call(session, 'fk', { q: start, links: ['tool0'] })).error).toBeUndefined();
  const planned = (await call(session, 'plan', { certificate: true, time_limit: 25 })).result as unknown as {
    status: string;
    trajectory: { points: { positions: number[]; time_from_start: number }[] };
    certificate: object;
  };
  expect(planned.status).toBe('solved');
  const { trajectory, certificate } = planned;
  const states = trajectory.points.map(({ positions }) => positions);
  const times = trajectory.points.map((point) => point.time_from_start);
  const valid = (await call(session, 'validate', { states, times })).result as unknown as { valid: boolean[] };
  expect(valid.valid.every(Boolean)).toBe(true);
  const checked = (await call(session, 'check', { trajectory })).result as unknown as { valid: boolean };
  expect(checked.valid).toBe(true);
  const verified = (await call(session, 'verify', { trajectory, certificate })).result as unknown as {
    proved: boolean;
  };
  expect(verified.proved).toBe(true);
  expect((await call(session, 'recertify', { trajectory, certificate })).error).toBeUndefined();
  const early = {
    ...trajectory,
    points: trajectory.points.map((p) => ({ ...p, time_from_start: p.time_from_start / 4 })),
  };
  const late = (await call(session, 'check', { trajectory: early })).result as unknown as { valid: boolean };
  expect(late.valid).toBe(false);
});

test('changes of a scene that moves take effect at every time, for one session, and watches report them', async () => {
  const [session, other] = [open(door), open(door)];
  const told: { certified_until: number | null; pair?: string[] }[] = [];
  session.notify = (text) => {
    const { method, params } = JSON.parse(text);
    if (method === '$/watch') told.push(params);
  };
  const planned = (await call(session, 'plan', { certificate: true, time_limit: 25 })).result as unknown as {
    trajectory: { points: { positions: number[]; time_from_start: number }[] };
    certificate: object;
  };
  const { trajectory, certificate } = planned;
  const watch = await call(session, 'watch', { trajectory, certificate });
  expect(watch.result).toMatchObject({ certified_until: null });
  const { points } = trajectory;
  const middle = points[Math.floor(points.length / 2)];
  const state = { q: middle.positions, t: middle.time_from_start };
  const { links } = (await call(session, 'fk', { q: state.q, links: ['tool0'] })).result as unknown as {
    links: Record<string, { xyz: number[] }>;
  };
  const isValid = async (one: typeof session) =>
    (await call(one, 'validate', state)).result as unknown as { valid: boolean };
  const body = { name: 'ball', type: 'sphere', radius: 0.05, pose: { xyz: links.tool0.xyz } };
  await call(session, 'scene.add', { body });
  expect([(await isValid(session)).valid, (await isValid(other)).valid]).toEqual([false, true]);
  await call(session, 'scene.move', { name: 'ball', pose: { xyz: [9, 9, 9] } });
  expect((await isValid(session)).valid).toBe(true);
  await call(session, 'scene.remove', { name: 'wings-1' });
  await call(session, 'scene.reset');
  expect((await isValid(session)).valid).toBe(true);
  expect(told.map(({ certified_until: until }) => until === null)).toEqual([false, true, true, true]);
  expect(told[0].pair).toContain('ball');
  expect(told[0].certified_until).toBeLessThan(state.t);
  const wait = (await call(session, 'watch', { trajectory, time: 1e3 })).result as unknown as { certified_until: null };
  expect(wait.certified_until).toBeNull();
});

test('the client sends the time', async () => {
  const client = await startService('scenes/revolving-door.yaml', { options: ['--jobs', '1'] });
  const q = [0, -1.3, 1.9, -2.2, -1.57, 0];
  expect(await client.isValid(q, { t: 0 })).toBe(false);
  expect(await client.isValid(q, { t: 1 })).toBe(true);
  expect((await client.judgeState(q, { t: 1.2 })).collisions).toEqual([['gripper', 'wings-2']]);
  expect((await client.clearance(q, { t: 1.2 })).distance).toBeLessThan(0);
  await expect(client.isValid(q)).rejects.toThrow('params.t: missing');
  await expect(client.areValid([q])).rejects.toThrow('binary frames have no times');
  await client.close();
});

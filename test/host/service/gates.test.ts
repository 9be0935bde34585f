import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { decodeFrame, encodeFrame } from '../../../src/host/client/clientFrame.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { Service } from '../../../src/host/service/service.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { temporaryFolder } from '../cli/run.ts';
import { elbowroom } from '../cli/runHere.ts';
import { type Answering, call, sessionsOf } from './shelf.ts';

const cell = join(temporaryFolder(), 'cell.yaml');
const start = [-0.9, -1.2, 1.4, -1.7, -1.6, 0];
writeFileSync(
  cell,
  `format: elbowroom-scene/1
robot: ur5e
start: [${start.join(', ')}]
padding: 5 mm
unknown_speed: 0.1 m/s
tracking: 1 mm
obstacles:
  - {name: post, type: cylinder, radius: 0.05, length: 0.8, pose: {xyz: [0.72, 0, 0.4]}}
  - {name: crate, type: box, size: [0.1, 0.1, 0.1], pose: {xyz: [0.5, 0.5, 0.05]}}
`,
);
const { scene, robot: description } = await loadScene(cell);
const robot = createSceneRobot({ scene, robot: description });
const sessions = sessionsOf({ robot, scene, version: '0', checker: 'growth-distance' });

interface Message {
  readonly id: number;
  readonly now: number;
  readonly points?: object[];
  readonly q?: number[];
  readonly scene?: Record<string, unknown>[];
}

/** A random policy: turns of the first joint, ticks, and changes of the world. */
function messagesOf(random: Random, count: number): Message[] {
  const added = new Set<string>();
  let [now, q] = [0, start[0]];
  return Array.from({ length: count }, (_, id) => {
    now += random.between(0, 0.15);
    const kind = random.below(6);
    if (id === 0) return { id, now: 0, points: [0.1, 0.2].map((time) => ({ time, positions: start })) };
    if (kind < 3) {
      const speed = random.between(-0.8, 0.9);
      const points = Array.from({ length: 2 + random.below(8) }, (_, i) => ({
        time: now + 0.02 + 0.1 * i,
        positions: start.map((value, j) => (j === 0 ? q + 0.1 * i * speed : value)),
        ...(kind > 0 && { velocities: start.map((_, j) => (j === 0 ? speed : 0)) }),
      }));
      q += 0.1 * speed;
      return { id, now, points };
    }
    if (kind === 3) return { id, now, q: start.map((value, j) => (j === 0 ? q : value)) };
    const place = { xyz: [random.between(0.5, 0.9), random.between(-0.5, 0.5), 0.4] };
    if (kind === 4) return { id, now, scene: [{ move: 'post', pose: place }] };
    const name = `box${random.below(2)}`;
    if (added.delete(name)) return { id, now, scene: [{ remove: name }] };
    added.add(name);
    return { id, now, scene: [{ add: { name, type: 'box', size: [0.05, 0.05, 0.3], pose: place } }] };
  });
}

/** Sends a message to the gate of a session; returns the answer as the command writes it. */
async function answerTo(session: Answering, { id, now, points, q, scene: changes }: Message): Promise<string> {
  const change = changes?.[0] ?? {};
  const { move, add, remove, pose } = change;
  const [method, params] = points
    ? (['gate.propose', { gate: 1, now, points }] as const)
    : move
      ? (['scene.move', { name: move, pose, now }] as const)
      : add
        ? (['scene.add', { body: add, now }] as const)
        : remove
          ? (['scene.remove', { name: remove, now }] as const)
          : (['gate.tick', { gate: 1, now, q }] as const);
  const { result } = (await call(session, method, params)) as { result?: { gates?: object[] } };
  if (result === undefined) return 'error';
  const { gate: _, ...fields } = (result.gates?.[0] ?? result) as { gate?: number };
  return JSON.stringify({ id, ...fields });
}

test('gates of the service and the command answer the same messages with the same bytes', async () => {
  const verdicts = new Set<string>();
  for (const seed of [1, 2, 3]) {
    const messages = messagesOf(new Random(seed), 30);
    const file = join(temporaryFolder(), 'messages.jsonl');
    writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const { stdout, stderr } = await elbowroom(['gate', cell, file, '--deterministic']);
    const expected = stdout.trim().split('\n');
    expect(expected.length, stderr).toBe(messages.length);
    const session = sessions.open();
    expect((await call(session, 'gate.open')).result).toMatchObject({ gate: 1 });
    for (const [i, message] of messages.entries()) {
      const own = await answerTo(session, message);
      if (own !== 'error') expect(own).toBe(expected[i]);
      else expect(expected[i]).toMatch(/"error"/);
      verdicts.add(/"verdict":"(\w+)"/.exec(expected[i])?.[1] ?? 'error');
    }
    session.close();
  }
  expect([...verdicts]).toEqual(
    expect.arrayContaining(['accepted', 'slowed', 'trimmed', 'refused', 'held', 'stopping']),
  );
});

test('a proposal as a binary frame gets the answer of the same proposal as JSON', async () => {
  const [frames, texts] = [sessions.open(), sessions.open()];
  for (const session of [frames, texts]) await call(session, 'gate.open');
  let kept = 0;
  for (const { now, points } of messagesOf(new Random(5), 25)) {
    if (!points) continue;
    const rows = (points as { time: number; positions: number[]; velocities?: number[] }[]).map(
      ({ time, positions, velocities = [] }) => [time, ...positions, ...velocities],
    );
    const header = { jsonrpc: '2.0', id: 7, method: 'gate.propose', params: { gate: 1, now } };
    const arrays = { points: [rows.length, rows[0].length] };
    const bytes = encodeFrame({ ...header, arrays }, Float64Array.from(rows.flat()));
    const frame = decodeFrame(await frames.answerFrame(Buffer.from(bytes)));
    const { result } = (await call(texts, 'gate.propose', { gate: 1, now, points })) as unknown as {
      result: { committed?: { from: number; points: { time: number; positions: number[]; velocities: number[] }[] } };
    };
    const { committed, ...fields } = result;
    expect(frame.header['result']).toEqual({ ...fields, ...(committed && { committed: { from: committed.from } }) });
    if (!committed) continue;
    const own = committed.points.flatMap(({ time, positions, velocities }) => [time, ...positions, ...velocities]);
    expect([...frame.arrays['committed'].data]).toEqual(own);
    kept++;
  }
  expect(kept).toBeGreaterThan(3);
});

test('a cloud that is replaced at the rate of a camera is judged as by the command, in one message', async () => {
  const random = new Random(9);
  const cloudAt = (x: number) => {
    const points = Array.from({ length: 300 }, () => [x, -0.2, 0.4].map((c) => c + random.between(-0.04, 0.04)));
    return { name: 'scan', type: 'cloud', radius: 0.01, points };
  };
  const turn = (now: number, from: number) => {
    const points = Array.from({ length: 10 }, (_, i) => {
      return { time: now + 0.1 + 0.1 * i, positions: [from + 0.004 * i * i, ...start.slice(1)] };
    });
    return { now, points };
  };
  const replaced = [1.3, 0.72, 0.72, 1.3].map(cloudAt); // far away, before the arm, and away again
  const messages: Message[] = [
    { id: 0, now: 0, scene: [{ add: cloudAt(1.3) }] },
    { id: 1, ...turn(0, start[0]) },
    ...replaced.map((add, i) => ({ id: 2 + i, now: 0.5 + 0.033 * i, scene: [{ remove: 'scan' }, { add }] })),
    { id: 6, ...turn(2, -0.5) },
  ];
  const file = join(temporaryFolder(), 'clouds.jsonl');
  writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const { stdout, stderr } = await elbowroom(['gate', cell, file, '--deterministic']);
  const expected = stdout.trim().split('\n');
  expect(expected.length, stderr).toBe(messages.length);
  const session = sessions.open();
  await call(session, 'gate.open');
  for (const [i, message] of messages.entries()) {
    const { id, now, scene: [, change] = [] } = message;
    if (!change) expect(await answerTo(session, message)).toBe(expected[i]);
    else {
      const { result } = await call(session, 'scene.add', { body: change['add'], replace: true, now });
      const [{ gate: _, ...fields }] = (result as unknown as { gates: { gate: number }[] }).gates;
      expect(JSON.stringify({ id, ...fields })).toBe(expected[i]);
    }
  }
  const verdicts = expected.map((line) => JSON.parse(line).verdict);
  expect(verdicts).toEqual(['held', 'accepted', 'held', 'stopping', 'held', 'held', expect.anything()]);
  session.close();
});

test('a plan of another session that does not end delays no verdict of a gate', async () => {
  const service = sessionsOf({ robot, scene, version: '0', checker: 'growth-distance', jobs: 1 });
  const [planning, gated] = [service.open(), service.open()];
  const goal = [0.9, ...start.slice(1)];
  const params = { goal, planner: 'rrt-star', iterations: 1e9, time_limit: 25 };
  let isPlanned = false;
  const plan = planning.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'plan', params }));
  const planned = Promise.resolve(plan).then((text) => {
    isPlanned = true;
    return JSON.parse(text);
  });
  await call(gated, 'gate.open');
  for (const message of messagesOf(new Random(5), 25)) expect(await answerTo(gated, message)).not.toBe('');
  expect(isPlanned).toBe(false);
  planning.notice(JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } }));
  expect((await planned).error.message).toMatch(/cancel/);
  await service.close();
});

test('a session moves to the thread of the gates with its gate, unless it changed its scene or watches', async () => {
  const service = new Service({ robot, scene, version: '0' });
  const places: string[] = [];
  const opened = () => {
    const session = service.openSession()!;
    const notified: string[] = [];
    session.notify = (text) => notified.push(text);
    const answer = (text: string) => {
      const given = session.answer(text);
      places.push(`${service.sessions.length}${service.gates.length}`);
      return given;
    };
    return { answer, notified, close: () => session.close() };
  };
  const place = { xyz: [0.9, 0, 0.4] };
  const rest = {
    joint_names: robot.variables.map(({ name }) => name),
    points: [{ positions: start, time_from_start: 0 }],
  };
  const watch = { trajectory: rest, any_start: true };

  const [moved, mirror] = [opened(), sessions.open()];
  await call(moved, 'describe');
  for (const one of [moved, mirror]) await call(one, 'gate.open');
  for (const message of messagesOf(new Random(8), 20))
    expect(await answerTo(moved, message)).toBe(await answerTo(mirror, message));
  expect((await call(moved, 'watch', watch)).result).toMatchObject({ watch: 1 });
  await call(moved, 'scene.move', { name: 'crate', pose: place });
  expect(moved.notified.join()).toContain('"method":"$/watch"');
  expect(places.splice(0)).toEqual(['10', ...Array(23).fill('01')]);

  const [changed, watching] = [opened(), opened()];
  await call(changed, 'scene.move', { name: 'crate', pose: place });
  await call(changed, 'gate.open');
  await call(changed, 'scene.reset');
  expect((await call(changed, 'gate.open')).result).toMatchObject({ gate: 2 });
  await call(watching, 'watch', watch);
  await call(watching, 'gate.open');
  await call(watching, 'scene.move', { name: 'crate', pose: place });
  expect(watching.notified.join()).toContain('"method":"$/watch"');
  expect(places).toEqual(Array(7).fill('10'));
  for (const { close } of [moved, changed, watching]) close();
  await expect.poll(() => service.takenMemory).toBe(0);
  await service.close();
});

test('a time before the last message of a gate changes neither the scene nor the gate', async () => {
  const session = sessions.open();
  await call(session, 'gate.open');
  await call(session, 'gate.tick', { gate: 1, now: 2 });
  const before = session.scene.current;
  const late = await call(session, 'scene.move', { name: 'post', pose: { xyz: [0.5, 0, 0.4] }, now: 1 });
  expect(late.error!.message).toBe('params.now: 1 is before the last message of gate 1, at 2');
  expect(session.scene.current).toBe(before);
  expect((await call(session, 'gate.state', { gate: 1 })).result).toMatchObject({ now: 2, until: 0 });
});

test('gate messages about unknown gates, too many gates, and values that are not finite are errors', async () => {
  const session = sessions.open();
  expect((await call(session, 'gate.tick', { gate: 1, now: 0 })).error!.message).toMatch(/no such gate/);
  for (let i = 0; i < 4; i++) await call(session, 'gate.open');
  expect((await call(session, 'gate.open')).error!.message).toMatch(/4 gates, which is the limit/);
  await call(session, 'gate.close', { gate: 2 });
  expect((await call(session, 'gate.open')).result).toMatchObject({ gate: 5 });
  const header = { jsonrpc: '2.0', id: 7, method: 'gate.propose', params: { gate: 1, now: 0 } };
  for (const [bad, message] of [
    [Number.NaN, /points\[1\]\.positions\[0\].*is null, not a joint value/],
    [Number.POSITIVE_INFINITY, /not a joint value/],
  ] as const) {
    const numbers = Float64Array.from(
      [
        [0.1, ...start],
        [0.2, bad, ...start.slice(1)],
      ].flat(),
    );
    const bytes = encodeFrame({ ...header, arrays: { points: [2, 7] } }, numbers);
    const { header: found } = decodeFrame(await session.answerFrame(Buffer.from(bytes)));
    expect((found['error'] as { message: string }).message).toMatch(message);
  }
  const wide = encodeFrame({ ...header, arrays: { points: [1, 9] } }, new Float64Array(9));
  const { header: found } = decodeFrame(await session.answerFrame(Buffer.from(wide)));
  expect((found['error'] as { message: string }).message).toMatch(/arrays\.points is \[1,9\], not \[n, 7\]/);
  const shared = sessions.open('local', false);
  expect((await call(shared, 'gate.open')).error!.message).toMatch(/needs a session/);
});

test('gates reserve memory, which is released when they are closed, and with their session', async () => {
  const few = sessionsOf({ robot, scene, version: '0', checker: 'growth-distance', limits: { objects: 200_000 } });
  const session = few.open();
  await call(session, 'gate.open');
  expect((await call(session, 'gate.open')).result).toBeDefined();
  expect((await call(session, 'gate.open')).error!.message).toMatch(/more than the memory budget/);
  await call(session, 'gate.close', { gate: 1 });
  expect((await call(session, 'gate.open')).result).toBeDefined();
  session.close();
  expect(few.takenMemory).toBe(0);
});

import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { attachedClusters, sphereClusters } from '../../../src/formats/clouds/sphereClusters.ts';
import { MemoryBudget } from '../../../src/host/service/memoryBudget.ts';
import { serviceLimits } from '../../../src/host/service/serviceLimits.ts';
import { Counters } from '../../../src/host/service/serviceMetrics.ts';
import { type AddedBody, addObject, attachObject, detachObject } from '../../../src/host/service/session/addObject.ts';
import { bytesOfParts } from '../../../src/host/service/session/objectBytes.ts';
import { SessionMemory } from '../../../src/host/service/session/sessionMemory.ts';
import { SessionScene } from '../../../src/host/service/sessionScene.ts';
import type { Turn } from '../../../src/host/service/turns.ts';
import { call, model, scene, sessionsWith } from './shelf.ts';

const random = new Random(11);
const pointNear = (center: number, reach: number) => [0, 1, 2].map(() => center + random.between(-reach, reach));
/** Scattered points: each is a group of its own. */
const scattered = (count: number) => Array.from({ length: count }, () => pointNear(3, 0.8));
/** Points of a tiny sphere: all of them are vertices of one hull. */
function clump(count: number, center: number, radius: number): number[][] {
  return Array.from({ length: count }, () => {
    const d = pointNear(0, 1);
    const norm = Math.hypot(...d);
    return d.map((x) => center + (radius * x) / norm);
  });
}

/** A session without its messages: the scene, and the memory that it reserves of a budget. */
function session(total: number, of: Scene = scene) {
  const budget = new MemoryBudget(total);
  const memory = new SessionMemory(budget, new Counters());
  const own = new SessionScene(model, of, createShape, 40_000);
  const keep = (bytes: number) => memory.keep(bytes);
  const paused = { count: 0, call: () => {} };
  const next = async () => {
    paused.count++;
    paused.call();
  };
  const turn = { isOver: true, next } as unknown as Turn;
  const context = { scene: own, limits: serviceLimits, keep, shapeOf: createShape, turn };
  const add = (name: string, points: number[][], link?: string) => {
    const body = { type: 'cloud', name, radius: 0.005, ...(link && { link, pose: { xyz: [0, 0, 5] } }) };
    return addObject(context, body as AddedBody, true, Float64Array.from(points.flat()));
  };
  /** Runs a change to its end; returns the number of its pauses. */
  const pausesOf = async (change: () => Promise<string>): Promise<number> => {
    paused.count = 0;
    await change();
    return paused.count;
  };
  return { budget, memory, context, scene: own, add, paused, pausesOf };
}

describe('a replacement that fails while other sessions take all memory', () => {
  const before = clump(4000, 3, 0.01);
  const withCloud = async (pause: (memory: SessionMemory) => void = () => {}) => {
    const one = session(bytesOfParts(sphereClusters(before.flat(), 0.005)));
    await one.add('scan', before);
    const { current } = one.scene;
    let taken = 0;
    one.paused.call = () => {
      const rest = one.budget.total - one.budget.taken; // others take the rest of the budget while it runs
      one.budget.take(rest);
      taken += rest;
      pause(one.memory);
    };
    const error = await one.add('scan', clump(3500, 3, 0.01), 'nobody').catch((one: Error) => one);
    return { ...one, current, error, taken };
  };

  test('reports its own error, and leaves the old object with its memory', async () => {
    const { error, budget, scene: own, current, taken, memory } = await withCloud();
    expect(String(error)).toMatch(/params.body: .*there is no link or object "nobody"/);
    expect(own.current).toBe(current);
    expect(budget.taken).toBe(taken + own.addedBytes());
    expect(own.addedBytes()).toBe(bytesOfParts(own.current.obstacles.at(-1)!.parts));
    memory.close();
    expect(budget.taken).toBe(taken);
  });

  test('and so does one that ends at a pause, or after its session', async () => {
    for (const isClosed of [false, true]) {
      const ended = new Error('ended');
      const found = await withCloud((memory) => {
        if (isClosed) memory.close();
        throw ended;
      });
      expect([found.error, found.scene.current === found.current]).toEqual([ended, true]);
      expect(found.budget.taken).toBe(found.taken + (isClosed ? 0 : found.scene.addedBytes()));
    }
  });
});

describe('a cloud that is attached and detached', () => {
  test('is grouped with pauses, reserves what it takes, and releases what it took', async () => {
    const { add, context, scene: own, budget, pausesOf } = session(1e9);
    const points = [...clump(20_000, 3, 0.01), ...scattered(70)];
    const took = () => own.objects.at(-1)!.parts;
    expect(await pausesOf(() => add('scan', points))).toBeGreaterThan(20);
    const free = took();
    const attach = () => attachObject(context, 'scan', { link: 'tool0', pose: { xyz: [0, 0, 5] } });
    expect(await pausesOf(attach)).toBeGreaterThan(20);
    expect([took().length, budget.taken]).toEqual([64, bytesOfParts(took())]);
    expect(await pausesOf(() => detachObject(context, 'scan', { pose: {} }))).toBeGreaterThan(20);
    expect([took(), budget.taken]).toEqual([free, bytesOfParts(free)]);
    const whole = own.current;
    context.keep(budget.total); // all memory is taken
    expect(budget.take(1)).toBe(false);
    await expect(attachObject(context, 'nothing', { link: 'tool0' })).rejects.toThrow(/nothing/);
    expect(own.current).toBe(whole);
  });

  test('without memory is refused, and stays where it was', async () => {
    const points = clump(3000, 3, 0.01);
    const file = { name: 'scan', parts: sphereClusters(points.flat(), 0.005), pose: scene.obstacles[0].pose };
    const { context, scene: own, budget } = session(10_000, { ...scene, obstacles: [...scene.obstacles, file] });
    const { current } = own;
    const attach = attachObject(context, 'scan', { link: 'tool0', pose: { xyz: [0, 0, 5] } });
    await expect(attach).rejects.toThrow(
      /^the objects and gates of the session would take \d+ KiB, more than the memory/,
    );
    expect([own.current === current, budget.taken]).toEqual([true, 0]);
  });

  test('from the scene file does not count as points of the session, and gets its groups back', async () => {
    const points = clump(3000, 3, 0.01);
    const file = { name: 'scan', parts: sphereClusters(points.flat(), 0.005), pose: scene.obstacles[0].pose };
    const { context, scene: own, budget, add } = session(1e9, { ...scene, obstacles: [...scene.obstacles, file] });
    await attachObject(context, 'scan', { link: 'tool0', pose: { xyz: [0, 0, 5] } });
    const { parts } = own.current.attached[0];
    expect([own.addedPoints(), budget.taken]).toEqual([0, bytesOfParts(parts)]);
    expect(new Set(parts.flatMap(({ shape }) => (shape.points as number[][]).map(String)))).toEqual(
      new Set(points.map(String)),
    );
    await detachObject(context, 'scan', { pose: {} });
    expect([own.current.obstacles.at(-1)!.parts === file.parts, budget.taken]).toEqual([true, 0]);
    await add('other', points.slice(0, 50));
    expect(own.addedPoints()).toBe(50);
  });
});

test('hulls of dense clumps on a link contain all of their spheres', () => {
  const wrong: string[] = [];
  for (const [center, radius, far] of [
    [0, 0.02, 1],
    [0, 1e-4, 1],
    [1e4, 1e-6, 1e3],
    [2, 0, 1],
  ]) {
    const spread = Array.from({ length: 70 }, (_, i) => [center + far * (i + 1), center, center]);
    for (const { shape } of attachedClusters([...clump(4000, center, radius), ...spread].flat(), 0.005)) {
      const whole = createShape(shape);
      const points = shape.points as number[][];
      const out = new Float64Array(3);
      for (let i = 0; i < 40; i++) {
        const d = Float64Array.from(pointNear(0, 1));
        whole.support(out, whole, d, -1);
        const along = (p: ArrayLike<number>) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
        const excess = Math.max(...points.map(along)) - along(out);
        if (!(excess <= 4e-16 * 3 * (Math.abs(center) + far * 70))) wrong.push(`${radius}: ${excess}`);
      }
      if (whole.margin !== 0.005) wrong.push(`margin ${whole.margin}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the points of a cloud have a limit of their own, not that of states', async () => {
  const one = sessionsWith({ states: 10 }).open();
  const points = scattered(40);
  const body = { type: 'cloud', name: 'scan', radius: 0.01, points };
  expect((await call(one, 'scene.add', { body })).error).toBeUndefined();
  const header = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'scene.add',
    params: { body: { type: 'cloud', name: 'scan', radius: 0.01 }, replace: true },
    arrays: { points: [250_000, 3] },
  }).padEnd(160);
  const bytes = Buffer.alloc(16 + header.length + 24 * 250_000);
  for (const [i, value] of [0x424c4593, 1, header.length, 24 * 250_000].entries()) bytes.writeUInt32LE(value, 4 * i);
  bytes.write(header, 16);
  const answer = String(await one.answerFrame(bytes));
  expect(answer).toMatch(/arrays.points: it has 250000 points, the limit is 65536/);
  expect(answer).toMatch(/Downsample the cloud/);
});

import { expect, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { MemoryBudget } from '../../../src/host/service/memoryBudget.ts';
import type { Outcome } from '../../../src/host/service/threads/protocol.ts';
import type { RunningRequest, ThreadPool } from '../../../src/host/service/threads/threadPool.ts';
import { Watches } from '../../../src/host/service/watches.ts';
import { scene } from './shelf.ts';

/** A request that the test ends. */
class HeldRequest implements RunningRequest {
  outcome: Outcome | undefined;
  readonly settled: Promise<void>;
  private resolve = () => {};

  constructor() {
    this.settled = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  end(result: object): void {
    this.settle({ text: JSON.stringify(result) });
  }

  cancel(): void {
    this.settle({ code: 'cancelled', message: 'the request was cancelled', note: '' });
  }

  private settle(outcome: Outcome): void {
    this.outcome ??= outcome;
    this.resolve();
  }
}

function heldPool() {
  const requests: HeldRequest[] = [];
  const run = () => {
    requests.push(new HeldRequest());
    return requests.at(-1)!;
  };
  return { requests, pool: { run } as unknown as ThreadPool };
}

/** Lets what waits for resolved promises continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Watches of a session without threads. */
function heldWatches(current: () => Scene) {
  const [proofs, plans] = [heldPool(), heldPool()];
  const told: { readonly params: Record<string, unknown> }[] = [];
  const host = {
    options: { scene, limits: { time: 10, answer: 1e6 } },
    watcher: proofs.pool,
    threads: plans.pool,
    watchIds: { last: 0 },
    budgetOf: () => new MemoryBudget(1e6),
  };
  const notify = (text: string) => told.push(JSON.parse(text));
  const watches = new Watches({ host, lane: 'local', scene: current, notify, running: undefined });
  return { watches, proofs, plans, told };
}

/** A watch with `replan` that is certified until 2 s: its new motion is being planned. */
async function replanning() {
  let current: Scene = scene;
  const { watches, proofs, plans, told } = heldWatches(() => current);
  const began = watches.run('watch', { trajectory: { points: [] }, replan: true }, Number.POSITIVE_INFINITY);
  proofs.requests[0].end({ certified_until: 2 });
  const { watch } = JSON.parse(await began);
  const change = () => {
    current = { ...scene };
    return watches.update();
  };
  return { watches, watch, proofs: proofs.requests, plans: plans.requests, told, change };
}

test('a motion planned for the scene before a change is not sent', async () => {
  const { watch, proofs, plans, told, change } = await replanning();
  const update = change();
  plans[0].end({ trajectory: {}, from: 1 }); // while the watch is proved in the new scene
  await settled();
  expect(told).toEqual([]);
  proofs[1].end({ certified_until: 1.5 });
  await update;
  plans[1].end({ trajectory: {}, from: 1.2 });
  await settled();
  expect(told.map(({ params }) => params)).toEqual([
    { watch, certified_until: 1.5 },
    { watch, certified_until: 1.5, trajectory: {}, from: 1.2 },
  ]);
});

test.each([
  [1.5, undefined], // planned again
  [2, { certified_until: 2, reason: expect.stringContaining('passed') }],
])('a motion that begins in the past is not sent: execution has come to %f s', async (time, expected) => {
  const { watches, watch, proofs, plans, told } = await replanning();
  const advance = watches.run('watch.advance', { watch, time }, Number.POSITIVE_INFINITY);
  proofs[1].end({ certified_until: 2 });
  await advance;
  plans[0].end({ trajectory: {}, from: 1 });
  await settled();
  expect(told.map(({ params }) => params)).toEqual(expected ? [{ watch, ...expected }] : []);
  expect(plans.length).toBe(expected ? 1 : 2);
});

test('a session that is closed while its watches are proved sends nothing, and plans nothing', async () => {
  const { watches, proofs, plans, told, change } = await replanning();
  const update = change();
  watches.close();
  proofs[1].end({ certified_until: 1.5 });
  await update;
  expect([told.length, plans.length]).toEqual([0, 1]);
});

test('watch warns of a scene without start, unless any start is allowed or the motion is being executed', async () => {
  const { start: _, ...unknown } = scene;
  const warningsOf = async (current: Scene, given: object) => {
    const { watches, proofs } = heldWatches(() => current);
    const began = watches.run('watch', { trajectory: { points: [] }, ...given }, Number.POSITIVE_INFINITY);
    proofs.requests[0].end({ certified_until: null });
    return JSON.parse(await began).warnings;
  };
  expect(await warningsOf(unknown, {})).toEqual([expect.stringContaining('has no start')]);
  for (const [current, given] of [
    [scene, {}],
    [unknown, { any_start: true }],
    [unknown, { time: 1 }],
  ] as const)
    expect(await warningsOf(current, given)).toBeUndefined();
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/core/math/random.ts';
import type { ServiceClient } from '../../src/host/client/serviceClient.ts';
import { ServiceError } from '../../src/host/client/transport.ts';
import { connectService } from '../../src/host/service/connectService.ts';
import { abandon } from './abandon.ts';
import { type Oracle, POINT_RADIUS, RADIUS } from './oracle.ts';

/** Counts of operations, and what was wrong. */
export class Findings {
  readonly counts = new Map<string, number>();
  readonly wrong: string[] = [];

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  expect(isRight: boolean, what: () => string): void {
    this.count('answers');
    if (!isRight) this.wrong.push(what());
  }
}

/** Codes of errors that load may cause; they are no answers. */
const LATE = new Set([-32001, -32002]);

/** Where the service listens. */
export interface Addresses {
  readonly socket: string;
  readonly url: string;
}

/** Session with the scene that it should have. */
interface Client {
  readonly client: ServiceClient;
  readonly oracle: Oracle;
  readonly random: Random;
  readonly findings: Findings;
  /** Index in `oracle.scenes`. */
  scene: number;
}

/** Opens sessions, one after the other, until the time `until`; each runs random operations and disconnects. */
export async function runClient(
  addresses: Addresses,
  oracle: Oracle,
  random: Random,
  findings: Findings,
  until: number,
): Promise<void> {
  while (performance.now() < until) {
    if (random.below(4) === 0) {
      await abandon(addresses, random);
      findings.count('abandoned connections');
      continue;
    }
    const kind = ['unix', 'ws', 'http'][random.below(3)];
    const address = kind === 'unix' ? `unix:${addresses.socket}` : addresses.url.replace('http', kind);
    let client: ServiceClient | undefined;
    try {
      client = await connectService(address);
      findings.count('sessions');
      const among = kind === 'http' ? overHttp : operations;
      const state: Client = { client, oracle, random, findings, scene: 0 };
      for (let left = random.below(15); left > 0 && performance.now() < until; left--)
        await among[random.below(among.length)](state);
    } catch (error) {
      if (error instanceof ServiceError && LATE.has(error.code)) findings.count('late or refused');
      else if (kind !== 'unix' && isLost(error)) findings.count('lost connections and expired sessions over HTTP');
      else findings.wrong.push(`${kind}: ${error}`);
    }
    const isLeft = kind === 'http' && random.below(4) === 0; // a session that the service has to end
    if (!isLeft) await client?.close().catch(() => {});
    await sleep(random.between(0, 50));
  }
}

/**
 * True if the service closed a connection that had been idle when the request was sent: with a busy client, it may do
 * so just before a request, or the headers of a WebSocket, arrive. Sessions end that a busy client does not use
 * in time. A service that has ended is found by all other clients.
 */
const isLost = (error: unknown) =>
  (error instanceof ServiceError && error.code === 404) ||
  /no service accepts the connection: (socket hang up|read ECONNRESET)$/.test(String(error)) ||
  (error as { code?: string }).code === 'ECONNRESET';

/** Operations over HTTP, which has no notifications. */
const overHttp: readonly ((client: Client) => Promise<void>)[] = [
  states,
  manyStates,
  motions,
  batch,
  plan,
  cancel,
  check,
  change,
];
const operations = [...overHttp, watch];

async function states({ client, oracle, random, findings, scene }: Client): Promise<void> {
  const from = random.below(oracle.states.length);
  const found = await client.areValid(oracle.states.slice(from, from + 20));
  const { valid } = oracle.scenes[scene];
  findings.expect(
    found.every((is, i) => is === valid[from + i]),
    () => `validity in scene ${scene} of states from ${from}: ${found}`,
  );
}

/** A frame of thousands of states, which is cancelled or not. */
async function manyStates({ client, oracle, random, findings, scene }: Client): Promise<void> {
  const { valid } = oracle.scenes[scene];
  const times = 1 + random.below(60);
  const repeated = Array.from({ length: times }, () => oracle.states).flat();
  const stop = new AbortController();
  if (random.below(3) === 0) setTimeout(() => stop.abort(), random.between(0, 30));
  try {
    const found = await client.areValid(repeated, { signal: stop.signal });
    findings.expect(
      found.length === repeated.length && found.every((is, i) => is === valid[i % valid.length]),
      () => `validity in scene ${scene} of ${repeated.length} states`,
    );
  } catch (error) {
    requireCancelled(error, stop.signal, findings, 'states');
  }
}

/** A batch of requests in one message. */
async function batch({ client, oracle, random, findings, scene }: Client): Promise<void> {
  const { valid } = oracle.scenes[scene];
  const from = random.below(oracle.states.length - 50);
  const calls = Array.from({ length: 50 }, (_, i) => ({ method: 'validate', params: { q: oracle.states[from + i] } }));
  const found = (await client.callAll(calls as never)) as { readonly valid: boolean }[];
  findings.expect(
    found.every((one, i) => one.valid === valid[from + i]),
    () => `batch in scene ${scene} from ${from}`,
  );
}

function requireCancelled(error: unknown, { aborted }: AbortSignal, findings: Findings, what: string): void {
  const code = error instanceof ServiceError ? error.code : 0;
  if (LATE.has(code) || isLost(error)) throw error;
  findings.expect(aborted && code === -32800, () => `cancelled ${what}: ${error}`);
}

async function motions({ client, oracle, random, findings, scene }: Client): Promise<void> {
  const from = random.below(oracle.motions.length);
  const found = await client.areValidMotions(oracle.motions.slice(from, from + 5) as never);
  const { motionsValid } = oracle.scenes[scene];
  findings.expect(
    found.every((is, i) => is === motionsValid[from + i]),
    () => `motions in scene ${scene} from ${from}: ${found}`,
  );
}

async function plan({ client, oracle, random, findings, scene }: Client): Promise<void> {
  const k = random.below(oracle.seeds.length);
  const { status, trajectory } = await client.plan({ seed: oracle.seeds[k] });
  if (trajectory?.['cut_short'] || !trajectory) return findings.count('plans that the time limit cut short');
  findings.expect(
    trajectory.hash === oracle.scenes[scene].hashes[k],
    () => `plan ${k} in scene ${scene}: ${status}, hash ${trajectory.hash}`,
  );
}

/** A request that is cancelled while it runs, waits, or after its response. */
async function cancel({ client, random, findings }: Client): Promise<void> {
  const stop = new AbortController();
  const isEndless = random.below(2) === 0;
  const params = isEndless ? { planner: 'rrt-star', iterations: 1e9, time_limit: 29 } : { seed: 1 };
  const planned = client.plan(params, { signal: stop.signal });
  setTimeout(() => stop.abort(), random.between(0, 100));
  try {
    const { status } = await planned;
    findings.expect(
      !isEndless || status === 'solved' || status === 'unresolved',
      () => `an endless plan ended: ${status}`,
    );
  } catch (error) {
    requireCancelled(error, stop.signal, findings, 'plan');
  }
}

async function check({ client, oracle, random, findings, scene }: Client): Promise<void> {
  const i = random.below(oracle.trajectories.length);
  const { valid } = await client.check(oracle.trajectories[i] as never);
  findings.expect(valid === oracle.scenes[scene].passes[i], () => `check of ${i} in scene ${scene}: ${valid}`);
}

async function change(state: Client): Promise<void> {
  const { client, oracle, random } = state;
  const next = random.below(oracle.scenes.length);
  const { xyz, points } = oracle.scenes[next];
  const { points: before } = oracle.scenes[state.scene];
  if (xyz === undefined) await client.call('scene.reset', {});
  else if (points) await client.addCloud({ name: 'ball', radius: POINT_RADIUS, pose: { xyz }, replace: true }, points);
  else if (state.scene === 0 || before) await client.call('scene.add', { body: sphereAt(xyz), replace: true });
  else await client.call('scene.move', { name: 'ball', pose: { xyz: [...xyz] } });
  state.scene = next;
}

/** Watches a trajectory during one change of the scene; the report must agree with the check of the trajectory. */
async function watch(state: Client): Promise<void> {
  const { client, oracle, random, findings } = state;
  const i = random.below(oracle.trajectories.length);
  const reports: (number | null)[] = [];
  const trajectory = oracle.trajectories[i] as never;
  const { watch: id, certified_until } = await client.watch({ trajectory }, (report) => {
    reports.push(report.certified_until);
  });
  const expected = () => oracle.scenes[state.scene].passes[i];
  findings.expect(certified_until !== null || expected(), () => `watch of ${i} in scene ${state.scene}: certified`);
  await change(state);
  const last = reports.at(-1);
  findings.expect(last !== null || expected(), () => `report about ${i} in scene ${state.scene}: certified`);
  await client.endWatch(id);
}

function sphereAt(xyz: readonly number[]) {
  const sphere = { type: 'sphere', name: 'ball', radius: RADIUS, pose: { xyz: [...xyz] } };
  return sphere as { type: string; name: string };
}

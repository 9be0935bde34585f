import { getHeapStatistics } from 'node:v8';
import { encodeFrame } from '../../src/host/client/clientFrame.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { serviceLimits } from '../../src/host/service/serviceLimits.ts';
import type { Session } from '../../src/host/service/session/session.ts';
import { Sessions } from '../../src/host/service/session/sessions.ts';
import { Gate } from '../../src/tasks/gate/gate.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { quantile, type Table } from '../measure.ts';
import { type Proposal, Shuttle } from './shuttle.ts';

const [WARM_UP, COUNT] = [300, 1000];

/** Bytes that a chunk allocates: in the gate, and as a message to a gate of a service, JSON and binary frame. */
export async function allocation(): Promise<Table> {
  const problem = await loadScene('scenes/shelf.yaml');
  const shuttle = new Shuttle(problem, 1);
  const proposals = Array.from({ length: WARM_UP + COUNT }, () => shuttle.step().proposal);
  const gate = new Gate(problem);
  const robot = createSceneRobot(problem);
  const { scene } = problem;
  const options = { robot, scene, version: '0', checker: 'growth-distance', limits: serviceLimits } as const;
  const sessions = new Sessions(options);
  const [texts, frames] = [await opened(sessions), await opened(sessions)];
  const messages = new Map(proposals.map((one) => [one, messagesOf(one)]));
  const calls: Record<string, (one: Proposal) => unknown> = {
    gate: ({ now, points }) => gate.propose(now, points),
    'gate of a service, JSON': (one) => texts.answer(messages.get(one)!.text),
    'gate of a service, binary frame': (one) => frames.answerFrame(messages.get(one)!.frame),
  };
  const rows = [];
  for (const [name, call] of Object.entries(calls)) {
    const grown: number[] = [];
    for (const [i, proposal] of proposals.entries()) {
      const before = used();
      await call(proposal);
      const growth = used() - before;
      if (i >= WARM_UP && growth > 0) grown.push(growth / 1000); // no collection came between
    }
    rows.push({ chunk: name, n: grown.length, 'median KB': quantile(grown, 0.5), 'p90 KB': quantile(grown, 0.9) });
  }
  await sessions.close();
  return { title: 'memory that a chunk of 50 points allocates once warm, shelf', rows };
}

function used(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

async function opened(sessions: Sessions): Promise<Session> {
  const session = sessions.open('local');
  await session.answer(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'gate.open' }));
  return session;
}

/** A proposal as messages to the first gate of a session. */
function messagesOf({ now, points }: Proposal) {
  const header = { jsonrpc: '2.0', id: 1, method: 'gate.propose' };
  const rows = points.map(({ time, positions, velocities = [] }) => [time, ...positions, ...velocities]);
  const arrays = { points: [rows.length, rows[0].length] };
  const frame = encodeFrame({ ...header, params: { gate: 1, now }, arrays }, Float64Array.from(rows.flat()));
  return {
    text: JSON.stringify({ ...header, params: { gate: 1, now, points } }),
    frame: Buffer.from(frame),
  };
}

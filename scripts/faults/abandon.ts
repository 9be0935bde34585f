import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/core/math/random.ts';
import type { Addresses } from './clients.ts';

/** Connects, sends a request, or a part of one, and destroys the connection while it is processed. */
export async function abandon({ socket: path, url }: Addresses, random: Random): Promise<void> {
  const isLocal = random.below(2) === 0;
  const { hostname, port } = new URL(url);
  const socket = isLocal ? net.connect(path) : net.connect(Number(port), hostname);
  socket.on('error', () => {}).resume();
  const messages = isLocal ? onSocket : overHttp;
  const bytes = messages[random.below(messages.length)](random);
  const isWhole = random.below(3) === 0;
  socket.write(isWhole ? bytes : bytes.subarray(0, random.below(bytes.length)));
  await sleep(random.between(0, 60));
  socket.destroy();
}

const request = (method: string, params: object, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
/** A plan that does not end by itself. */
const plan = request('plan', { planner: 'rrt-star', iterations: 1e9, time_limit: 29 });
const cancel = '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}';

/** A frame about states, or with a point cloud. */
function frame(random: Random): Buffer {
  const isCloud = random.below(2) === 0;
  const count = 1 + random.below(3000);
  const [method, params, arrays] = isCloud
    ? ['scene.add', { body: { type: 'cloud', name: 'scan', radius: 0.01 } }, { points: [count, 3] }]
    : ['validate', {}, { states: [count, 6] }];
  const header = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, arrays });
  const text = header.padEnd(8 * Math.ceil(header.length / 8));
  const length = 8 * count * (isCloud ? 3 : 6);
  const bytes = Buffer.alloc(16 + text.length + length);
  Buffer.from('93454c42', 'hex').copy(bytes);
  for (const [i, value] of [1, text.length, length].entries()) bytes.writeUInt32LE(value, 4 + 4 * i);
  bytes.write(text, 16);
  for (let at = 16 + text.length; at < bytes.length; at += 8) bytes.writeDoubleLE(random.between(-1, 1), at);
  return bytes;
}

/** A batch that contains a plan, which is cancelled or not. */
function batch(random: Random): Buffer {
  const states = Array.from({ length: 200 }, (_, i) => request('validate', { q: [0, -1, 1, 0, 1, 0] }, 2 + i));
  states.splice(random.below(states.length), 0, plan);
  return Buffer.from(`[${states.join(',')}]\n${random.below(2) ? `${cancel}\n` : ''}`);
}

const onSocket: readonly ((random: Random) => Buffer)[] = [
  () => Buffer.from(`${plan}\n`),
  frame,
  batch,
  (random) => Buffer.concat([frame(random), Buffer.from(`${plan}\n`), frame(random)]),
];

const head = (type: string, length: number, path = '/rpc') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

const overHttp: readonly ((random: Random) => Buffer)[] = [
  () => Buffer.from(head('application/json', plan.length) + plan),
  (random) => {
    const body = frame(random);
    return Buffer.concat([Buffer.from(head('application/octet-stream', body.length)), body]);
  },
  (random) =>
    Buffer.concat([Buffer.from(upgrade), webSocketFrame(frame(random)), webSocketFrame(Buffer.from(plan), 1)]),
];

const upgrade =
  'GET /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** A WebSocket frame of a client, whose mask is 0. @param opcode 1: text, 2: binary */
function webSocketFrame(payload: Buffer, opcode = 2): Buffer {
  const header = Buffer.alloc(14);
  header.set([0x80 | opcode, 0x80 | 127]);
  header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, payload]);
}

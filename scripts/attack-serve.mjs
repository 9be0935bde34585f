// Sends `elbowroom serve` the largest messages that its limits allow, kind by kind, while another client polls /healthz
// and a third validates a state over the Unix socket. Prints the longest block of the event loop, in CPU time of the
// service (other work on the machine does not count), and the greatest latencies on the clock.
//   node scripts/attack-serve.mjs [KIND …]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIME_LIMIT = 4; // s; the service's --time-limit here
const MIB = 1024 * 1024;
const free = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];
const folder = mkdtempSync(join(tmpdir(), 'elbowroom-attack-'));
const path = join(folder, 'attack.sock');

const rpc = (method, params, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const repeated = (text, bytes) => text.repeat(Math.floor(bytes / text.length));

/** Points of a ball along a golden spiral: all of them are vertices of the hull. */
function ball(count, radius, flat = 1) {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const rho = radius * Math.sqrt(1 - z * z);
    return [rho * Math.cos(2.399963 * i), rho * Math.sin(2.399963 * i), flat * radius * z];
  });
}
const at = (x, y, z) => ({ xyz: [x, y, z] });
const add = (body, i) => rpc('scene.add', { body: { name: `b${i}`, ...body } }, i);
const batch = (texts) => `[${texts.join(',')}]`;
const count = (n, make) => Array.from({ length: n }, (_, i) => make(i));

/** Bodies that the robot is in the middle of, or that it just does not touch. */
const spheres = batch(count(1900, (i) => add({ type: 'sphere', radius: 0.3 + i * 1e-5, pose: at(0.2, 0, 0.4) }, i)));
const near = batch(
  count(1900, (i) =>
    add({ type: 'box', size: [0.01, 0.01, 3], pose: { xyz: [0.9 - i * 1e-4, 0.3, 0.3], rpy: [0.6, 0.6, 0] } }, i),
  ),
);
/** Slender bodies across the diagonal: their boxes enclose the robot, and each needs many iterations. */
const slender = (body) =>
  batch(count(1900, (i) => add({ ...body, pose: { xyz: [0.9 + i * 1e-5, 0.9, 0], rpy: [0.7, 0.7, 0.3] } }, i)));
const convexes = batch(
  count(16, (i) => add({ type: 'convex', points: ball(2048, 0.4), pose: at(0.3, 0.1 * i, 0.4) }, i)),
);
const carried = batch(count(200, (i) => add({ type: 'sphere', radius: 0.01, link: 'tool0', pose: at(0, 0, i) }, i)));
const far = free.map((x, i) => (i === 5 ? 1e6 : x));
const turned = free.map((x) => x + 0.5);
const queries = [
  rpc('validate', { states: Array(3000).fill(free) }),
  rpc('validate', { states: Array(3000).fill(free), details: true }),
  rpc('clearance', { states: Array(300).fill(free), gradient: true }),
  rpc('validate_motion', { motions: Array(300).fill([free, turned]), details: true }),
  rpc('validate_motion', { from: free, to: far, details: true }),
];
const alternating = batch(
  count(2000, (i) =>
    i % 2 ? rpc('validate', { q: free }) : rpc('scene.move', { name: 'b0', pose: at(0.2, 0, 0.4 + i * 1e-4) }),
  ),
);

const get = (target) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (body) =>
  `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
/** A masked frame with a payload of zeros, or of text. */
function frame(opcode, payload) {
  const body = Buffer.from(payload);
  const head = body.length < 126 ? Buffer.of(0x80 | opcode, 0x80 | body.length, 0, 0, 0, 0) : Buffer.alloc(14);
  if (body.length >= 126) {
    head.set([0x80 | opcode, 0xff]);
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  return Buffer.concat([head, body]);
}
const frames = (one, bytes) => Buffer.concat(Array(Math.floor(bytes / one.length)).fill(one));
const upgrade =
  'GET /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** A binary frame that adds a point cloud of `points` within a box of some sides. */
function cloud(points, sides, body = {}) {
  const params = { body: { type: 'cloud', name: 'scan', radius: 0.01, ...body }, replace: true };
  const header = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'scene.add',
    params,
    arrays: { points: [points, 3] },
  });
  const text = header.padEnd(8 * Math.ceil(header.length / 8));
  const bytes = Buffer.alloc(16 + text.length + 24 * points);
  for (const [i, value] of [0x424c4593, 1, text.length, 24 * points].entries()) bytes.writeUInt32LE(value, 4 * i);
  bytes.write(text, 16);
  for (let i = 0; i < 3 * points; i++)
    bytes.writeDoubleLE(
      sides[i % 3] * (((i * 0.6180339887) % 1) - 0.5) + (i % 3 === 0 ? 0.6 : 0.3),
      16 + text.length + 8 * i,
    );
  return bytes;
}

/** A binary frame that adds a cloud on a link: a dense ball, whose points are all vertices of its hull, and a row. */
function clump(points) {
  const bytes = cloud(points, [0, 0, 0], { radius: 0.005, link: 'tool0', pose: at(0, 0, 3) });
  const from = bytes.length - 24 * points;
  for (const [i, point] of ball(points, 0.02).entries())
    for (const [k, x] of (i < 64 ? [1 + 0.3 * i, 0, 0] : point).entries())
      bytes.writeDoubleLE(x, from + 8 * (3 * i + k));
  return bytes;
}

const bytes = (...sent) => ({ to: 'socket', sent });
const lines = (...texts) => ({ to: 'socket', sent: [texts.map((text) => `${text}\n`).join('')] });
const http = (...sent) => ({ to: 'http', sent });
const framed = (...sent) => ({ to: 'http', sent: [upgrade, ...sent] });
const of = (clients, attack) => ({ ...attack, clients });

const kinds = {
  'a motion of 10^6 rad': () => lines(rpc('validate_motion', { from: free, to: far, details: true })),
  '50 motions of 10^6 rad': () =>
    lines(rpc('validate_motion', { motions: Array(50).fill([free, far]), details: true })),
  'motions, 7 MiB': () => lines(rpc('validate_motion', { motions: Array(60_000).fill([free, turned]) })),
  'states, 8 MiB': () => lines(rpc('validate', { states: Array(190_000).fill(free) })),
  'states with details, 8 MiB': () => lines(rpc('validate', { states: Array(190_000).fill(free), details: true })),
  'clearance and gradient': () => lines(rpc('clearance', { states: Array(50_000).fill(free), gradient: true })),
  'fk, answer of 32 MiB': () => lines(rpc('fk', { states: Array(20_000).fill(free) })),
  'fk, answer of 32 MiB, HTTP': () => http(post(rpc('fk', { states: Array(20_000).fill(free) }))),
  'JSON: numbers': () => lines(`[${repeated('0,', 8 * MIB - 10)}0]`),
  'JSON: lists': () => lines(`[${repeated('[],', 8 * MIB - 10)}0]`),
  'JSON: objects': () => lines(`[${repeated('{},', 8 * MIB - 10)}0]`),
  'JSON: keys': () => lines(`{${count(600_000, (i) => `"${i.toString(36)}":1`).join(',')}}`),
  'JSON: one string': () => lines(`"${repeated('\\"', 8 * MIB - 10)}"`),
  'JSON: nesting': () => lines('['.repeat(4 * MIB - 10) + ']'.repeat(4 * MIB - 10)),
  'JSON: bad states': () => lines(rpc('validate', { states: Array(190_000).fill([null]) })),
  'JSON: one long state': () =>
    lines(`{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":[${repeated('0,', 8 * MIB - 99)}0]}}`),
  'JSON: binary': () => ({ to: 'socket', sent: [Buffer.alloc(8 * MIB - 1, 0xe2), '\n'] }),
  'spaces, 8 MiB': () => lines(' '.repeat(8 * MIB - 1)),
  'a long line without end': () => ({ to: 'socket', sent: Array(8).fill(Buffer.alloc(4 * MIB, 0x31)) }),
  'empty lines': () => lines('\n'.repeat(4 * MIB)),
  'short lines': () => lines(repeated('1\n', 4 * MIB)),
  'requests, a line each': () => lines(...Array(20_000).fill(rpc('validate', { q: free }))),
  'motions, a line each': () =>
    lines(...Array(2000).fill(rpc('validate_motion', { from: free, to: far, details: true }))),
  '10,000 requests: describe': () => lines(batch(Array(10_000).fill(rpc('describe', {})))),
  'a convex of 2,048 points': () => lines(...count(15, (i) => add({ type: 'convex', points: ball(2048, 0.1) }, i))),
  'a flat convex of 2,048 points': () =>
    lines(...count(15, (i) => add({ type: 'convex', points: ball(2048, 0.1, 0) }, i))),
  'a needle of 2,048 points': () =>
    lines(
      ...count(15, (i) => add({ type: 'convex', points: ball(2048, 1e-7).map(([x, y, z]) => [x, y, 1e7 * z]) }, i)),
    ),
  'a cloud of 2,048 points': () =>
    lines(
      ...count(15, (i) =>
        add({ type: 'convex', points: ball(2048, 1).map(([x, y, z], k) => [x * ((k * 7919) % 97), y, z]) }, i),
      ),
    ),
  'a cloud of 65,536 points': () => bytes(cloud(65_536, [1, 1, 1]), ...queries.map((text) => `${text}\n`)),
  'a dense cloud of 65,536 points': () => bytes(cloud(65_536, [0.02, 0.02, 0.02])),
  'a flat cloud of 65,536 points': () => bytes(cloud(65_536, [1, 1, 0]), ...queries.map((text) => `${text}\n`)),
  'clouds that replace each other': () => bytes(...count(10, () => cloud(20_000, [1, 1, 1]))),
  'a cloud on a link': () =>
    bytes(cloud(65_536, [0.3, 0.3, 0.3], { link: 'tool0' }), ...queries.map((text) => `${text}\n`)),
  'a cloud that is attached and detached': () =>
    bytes(
      cloud(65_536, [0.02, 0.02, 0.02], { pose: at(0, 0, 3) }),
      ...count(4, (i) =>
        i % 2
          ? `${rpc('scene.detach', { name: 'scan', pose: at(0, 0, 3) })}\n`
          : `${rpc('scene.attach', { name: 'scan', link: 'tool0', pose: at(0, 0, 3) })}\n`,
      ),
    ),
  'a dense clump on a link': () => bytes(clump(65_536), ...queries.map((text) => `${text}\n`)),
  'a cloud of 12,000 points as JSON': () =>
    lines(add({ type: 'cloud', radius: 0.01, points: ball(12_000, 0.3).map((p) => p.map((x) => +x.toFixed(4))) }, 1)),
  'a convex of 100,000 points': () =>
    lines(add({ type: 'convex', points: ball(100_000, 0.1).map((p) => p.map((x) => +x.toFixed(5))) }, 1)),
  '1,900 bodies added': () => lines(spheres),
  '200 bodies carried': () => lines(carried, ...queries),
  'among 1,900 bodies in collision': () => lines(spheres, ...queries),
  'among 1,900 bodies nearby': () => lines(near, ...queries),
  'among 1,900 ellipsoids nearby': () => lines(slender({ type: 'ellipsoid', radii: [0.01, 0.02, 3] }), ...queries),
  'among 1,900 cones nearby': () => lines(slender({ type: 'cone', radius: 0.02, length: 6 }), ...queries),
  'among 1,900 hulls nearby': () =>
    lines(slender({ type: 'convex', points: ball(34, 0.02).map(([x, y, z]) => [x, y, 150 * z]) }), ...queries),
  'among 1,900 ellipsoids, 13 carried': () =>
    lines(
      batch(count(13, (i) => add({ type: 'sphere', radius: 0.01, link: 'tool0', pose: at(0, 0, 0.1 * i) }, `c${i}`))),
      slender({ type: 'ellipsoid', radii: [0.01, 0.02, 3] }),
      ...queries,
    ),
  'among 16 convexes of 2,048 points': () => lines(convexes, ...queries),
  '1,900 bodies, 1,000 changes': () => lines(spheres, alternating),
  'pipelined GET /openapi.json': () => http(repeated(get('/openapi.json'), 4 * MIB)),
  'pipelined GET /metrics': () => http(repeated(get('/metrics'), 4 * MIB)),
  'pipelined GET /healthz': () => http(repeated(get('/healthz'), 4 * MIB)),
  'pipelined GET, unread': () => ({ ...http(repeated(get('/openapi.json'), 4 * MIB)), isUnread: true }),
  'pipelined POST /rpc': () => http(repeated(post(rpc('validate', { q: free })), 4 * MIB)),
  'pipelined POST /sessions': () => http(repeated('POST /sessions HTTP/1.1\r\nHost: localhost\r\n\r\n', MIB)),
  '300 connections pipelining': () => of(300, http(repeated(get('/metrics'), MIB / 8))),
  '300 clients with motions': () =>
    of(300, lines(...Array(5).fill(rpc('validate_motion', { from: free, to: far, details: true })))),
  'WebSocket: empty frames': () => framed(frames(frame(1, ''), 2 * MIB)),
  'WebSocket: requests': () => framed(frames(frame(1, rpc('validate', { q: free })), 2 * MIB)),
  'WebSocket: pings': () => framed(frames(frame(9, ''), 2 * MIB)),
  'WebSocket: pings, unread': () => ({ ...framed(frames(frame(9, 'x'.repeat(125)), 16 * MIB)), isUnread: true }),
  'WebSocket: states, 8 MiB': () => framed(frame(1, rpc('validate', { states: Array(190_000).fill(free) }))),
  'WebSocket: fragments': () =>
    framed(frames(Buffer.concat([frame(1, 'x').fill(0x01, 0, 1), frames(frame(0, 'x').fill(0x00, 0, 1), MIB)]), MIB)),
};

/**
 * Loaded into the service: writes, on SIGUSR2, the most CPU time between two ticks of a timer since the last time, ms.
 */
const monitor = `
let [longest, before] = [0, process.cpuUsage()];
setInterval(() => {
  const now = process.cpuUsage();
  longest = Math.max(longest, now.user - before.user + now.system - before.system);
  before = now;
}, 1).unref();
process.on('SIGUSR2', () => { process.stdout.write(longest / 1000 + '\\n'); longest = 0; });`;

const service = spawn(
  process.execPath,
  [
    '--import',
    `data:text/javascript,${encodeURIComponent(monitor)}`,
    'bin/elbowroom.js',
    'serve',
    'shelf',
    '--socket',
    path,
    '--port',
    '0',
    '--time-limit',
    `${TIME_LIMIT}`,
    '--idle',
    '5',
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let said = '';
service.on('exit', (code, signal) => code && console.error(`the service ended: ${code ?? signal} ${said}`));
service.stderr.on('data', (text) => {
  said += text;
});
while (!/http:\S+/.test(said)) await sleep(20);
const { port } = new URL(/http:\S+/.exec(said)[0]);

const connect = (to) => {
  const socket = to === 'socket' ? net.connect(path) : net.connect(Number(port), '127.0.0.1');
  return socket.on('error', () => {});
};

/** The longest of round trips, one after the other until `isOver`; ms. */
async function latency(trip, isOver) {
  let longest = 0;
  while (!isOver()) {
    const began = performance.now();
    await trip();
    longest = Math.max(longest, performance.now() - began);
    await sleep(3);
  }
  return longest;
}

async function health() {
  const socket = connect('http');
  socket.write(get('/healthz'));
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch((error) => [
    `/healthz: ${error}`,
  ]);
  if (!/^HTTP\/1.1 200/.test(String(data))) throw new Error(`/healthz answered ${data}`);
  socket.destroy();
}

async function metrics() {
  const socket = connect('http');
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  try {
    for await (const part of socket) text += part;
  } catch (error) {
    throw new Error(`/metrics after ${text.length} characters: ${error}`);
  }
  return text;
}

const plain = connect('socket');
async function validity() {
  plain.write(`${rpc('validate', { q: free })}\n`);
  const [data] = await once(plain, 'data');
  if (!/"valid":true/.test(String(data))) throw new Error(`validate answered ${data}`);
}

/** Sends one attack, and waits until the service has nothing more to do with it, or for a few time limits. */
async function attacked({ to, sent, isUnread = false, clients = 1 }) {
  let received = 0;
  const sockets = Array.from({ length: clients }, () => connect(to));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    if (!isUnread) socket.on('data', ({ length }) => (received += length));
    for (const piece of sent) socket.write(piece);
  }
  const until = performance.now() + 3000 * TIME_LIMIT;
  for (let before = -1, same = 0; performance.now() < until && same < 15; ) {
    await sleep(100);
    const text = await metrics();
    const busy = Number(/^elbowroom_under_way (\d+)/m.exec(text)[1]) > 0;
    same = received === before && !busy ? same + 1 : 0;
    before = received;
  }
  for (const socket of sockets) socket.destroy();
  await sleep(100);
  return received;
}

const residentBytes = async () => Number(/^elbowroom_resident_bytes (\S+)/m.exec(await metrics())[1]);

async function longestBlock() {
  service.kill('SIGUSR2');
  return Number((await once(service.stdout, 'data'))[0]);
}

for (let i = 0; i < 50; i++) await health().then(validity); // compiles
console.log('| message | block, CPU ms | /healthz, ms | a state, ms | received | resident MB |');
console.log('| --- | --: | --: | --: | --: | --: |');
const wanted = process.argv.slice(2);
for (const [kind, make] of Object.entries(kinds)) {
  if (wanted.length > 0 && !wanted.some((word) => kind.includes(word))) continue;
  let isOver = false;
  const attack = make();
  await longestBlock();
  const polls = [latency(health, () => isOver), latency(validity, () => isOver)];
  await sleep(50);
  const received = await attacked(attack);
  isOver = true;
  const [first, second] = await Promise.all(polls);
  const block = await longestBlock();
  const megabytes = Math.round((await residentBytes()) / 1e6);
  console.log(
    `| ${kind} | ${block.toFixed(0)} | ${first.toFixed(0)} | ${second.toFixed(0)} | ${received} | ${megabytes} |`,
  );
}
plain.destroy();
service.kill('SIGTERM');
await once(service, 'exit');
rmSync(folder, { recursive: true, force: true });

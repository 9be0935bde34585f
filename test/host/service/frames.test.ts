import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Random } from '../../../src/core/math/random.ts';
import { frameMessages } from '../../../src/formats/schemas/frameMessages.ts';
import { serviceSchema } from '../../../src/formats/schemas/serviceSchema.ts';
import { listenOnHttp } from '../../../src/host/service/http.ts';
import type { Session } from '../../../src/host/service/session/session.ts';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { temporaryFolder } from '../cli/run.ts';
import { call, checker, drawn, free, hit, open, serviceWith, sessionsWith } from './shelf.ts';

// The frames of these tests are written and read with `DataView`s, from the description in docs/serve.md.

interface Parts {
  readonly magic?: string;
  readonly version?: number;
  readonly header: string;
  readonly numbers?: readonly number[];
  /** Lengths that the prefix states, if they are not the true ones. */
  readonly headerLength?: number;
  readonly payloadLength?: number;
}

function frame({ magic = '93454c42', version = 1, header, numbers = [], headerLength, payloadLength }: Parts): Buffer {
  let text = Buffer.from(header);
  while (text.length % 8 !== 0 && headerLength === undefined) text = Buffer.concat([text, Buffer.from(' ')]);
  const view = new DataView(new ArrayBuffer(16 + text.length + 8 * numbers.length));
  Buffer.from(magic, 'hex').copy(Buffer.from(view.buffer));
  view.setUint32(4, version, true);
  view.setUint32(8, headerLength ?? text.length, true);
  view.setUint32(12, payloadLength ?? 8 * numbers.length, true);
  text.copy(Buffer.from(view.buffer), 16);
  for (const [i, value] of numbers.entries()) view.setFloat64(16 + text.length + 8 * i, value, true);
  return Buffer.from(view.buffer);
}

interface Answer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, never>>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly arrays: Readonly<Record<string, number[]>>;
}

function read(bytes: Buffer): Answer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  expect(bytes.subarray(0, 4).toString('hex')).toBe('93454c42');
  const [version, length, payload] = [4, 8, 12].map((at) => view.getUint32(at, true));
  expect([version, length % 8, bytes.length]).toEqual([1, 0, 16 + length + payload]);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + length));
  const arrays: Record<string, number[]> = {};
  let at = 16 + length;
  for (const [name, shape] of Object.entries((header.arrays ?? {}) as Record<string, number[]>)) {
    const count = shape.reduce((product, size) => product * size, 1);
    arrays[name] = Array.from({ length: count }, (_, i) => view.getFloat64(at + 8 * i, true));
    at += 8 * count;
  }
  expect(at).toBe(bytes.length);
  return { ...header, arrays };
}

const headerOf = (method: string, arrays: object, params: object = {}, id: unknown = 7) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params, arrays });

const stateFrame = (method: string, states: readonly (readonly number[])[], params = {}, id = 7) =>
  frame({ header: headerOf(method, { states: [states.length, 6] }, params, id), numbers: states.flat() });

const send = async (session: Session, bytes: Buffer) => read(await session.answerFrame(bytes));

const random = new Random(18);
const states = [free, hit, ...Array.from({ length: 60 }, () => drawn(random))];

describe('frames return what JSON messages return', () => {
  const session = open();

  test('validate, with the session’s own scene', async () => {
    const own = open();
    await call(own, 'scene.add', { body: { name: 'b', type: 'sphere', radius: 0.2, pose: { xyz: [0.5, 0, 0.8] } } });
    for (const one of [session, own]) {
      const expected = (await call(one, 'validate', { states })).result!.valid as unknown as boolean[];
      const { id, result, arrays } = await send(one, stateFrame('validate', states));
      expect([id, result]).toEqual([7, {}]);
      expect(arrays).toEqual({ valid: expected.map(Number) });
      expect(new Set(expected).size).toBe(2);
    }
  });

  test('validate_motion', async () => {
    const motions = states.slice(2, 22).map((q, i) => [q, q.map((x, k) => x + 0.05 * ((i + k) % 3))]);
    const expected = (await call(session, 'validate_motion', { motions })).result!.valid as unknown as boolean[];
    const header = headerOf('validate_motion', { motions: [motions.length, 2, 6] });
    const { arrays } = await send(session, frame({ header, numbers: motions.flat(2) }));
    expect(arrays).toEqual({ valid: expected.map(Number) });
    expect(new Set(expected).size).toBe(2);
  });

  test.each([false, true])('clearance, gradient %s', async (gradient) => {
    const some = states.slice(0, 12);
    const { answers } = (await call(session, 'clearance', { states: some, gradient })).result! as never as {
      answers: { distance: number; pair: string[]; gradient: number[]; differentiable: boolean }[];
    };
    const { result, arrays } = await send(session, stateFrame('clearance', some, { gradient }));
    const { pairs } = result! as never as { pairs: string[][] };
    expect(arrays['distance']).toEqual(answers.map(({ distance }) => distance));
    expect(arrays['pair'].map((i) => pairs[i])).toEqual(answers.map(({ pair }) => pair));
    expect(Object.keys(arrays).length).toBe(gradient ? 4 : 2);
    if (!gradient) return;
    expect(arrays['gradient']).toEqual(answers.flatMap((one) => one.gradient));
    expect(arrays['differentiable']).toEqual(answers.map((one) => Number(one.differentiable)));
  });

  test('fk of all links and of some', async () => {
    for (const links of [undefined, ['tool0', 'forearm_link']]) {
      const params = links ? { links } : {};
      const expected = (await call(session, 'fk', { states, ...params })).result! as never as {
        answers: { links: Record<string, { xyz: number[]; quat_wxyz: number[] }> }[];
      };
      const { result, arrays } = await send(session, stateFrame('fk', states, params));
      const names = (result as never as { links: string[] }).links;
      expect([...names].sort()).toEqual(Object.keys(expected.answers[0].links).sort());
      expect(arrays['poses']).toEqual(
        expected.answers.flatMap((one) =>
          names.flatMap((name) => [...one.links[name].xyz, ...one.links[name].quat_wxyz]),
        ),
      );
    }
  });

  test('an empty request has an empty response, and a notification has none', async () => {
    expect((await send(session, stateFrame('validate', []))).arrays).toEqual({ valid: [] });
    const header = JSON.stringify({ jsonrpc: '2.0', method: 'validate', arrays: { states: [1, 6] } });
    expect(await session.answerFrame(frame({ header, numbers: free }))).toHaveLength(0);
  });

  test('the schema describes the header of each method', () => {
    const defs = serviceSchema()['$defs'] as Record<string, { properties: Record<string, never> }>;
    for (const method of Object.keys(frameMessages)) expect(defs[`frame.${method}.request`], method).toBeDefined();
  });
});

describe('malformed frames are refused with the fault', () => {
  const session = open();
  const header = headerOf('validate', { states: [1, 6] });
  const good = { header, numbers: free };
  const withShape = (shape: unknown, numbers: readonly number[] = free) =>
    frame({ header: headerOf('validate', { states: shape }), numbers });
  const with3 = (value: number) => frame({ header, numbers: free.map((x, i) => (i === 3 ? value : x)) });
  test.each<[string, Buffer, RegExp]>([
    ['empty', Buffer.alloc(0), /has 0 bytes, a prefix has 16/],
    ['truncated prefix', frame(good).subarray(0, 15), /has 15 bytes/],
    ['truncated payload', frame(good).subarray(0, -8), /but its prefix states/],
    ['one byte less', frame(good).subarray(0, -1), /but its prefix states/],
    ['one byte more', Buffer.concat([frame(good), Buffer.of(0)]), /but its prefix states/],
    ['another magic', frame({ ...good, magic: '93454c43' }), /does not begin with 93454c42/],
    ['another version', frame({ ...good, version: 2 }), /version 2/],
    ['huge header', frame({ ...good, headerLength: 0xfffffff8 }), /a header of 4294967288 bytes; the limit is 65536/],
    ['misaligned header', frame({ ...good, headerLength: header.length - 3 }), /not a multiple of 8/],
    ['misaligned payload', frame({ ...good, payloadLength: 47 }), /payload, 47, is not a multiple of 8/],
    ['header is not JSON', frame({ header: '{"jsonrpc"' }), /this is not JSON/],
    ['header is a list', frame({ header: `[${header}]` }), /a request is \{/],
    ['NaN', with3(Number.NaN), /^frame: states\[0\]\[3\] is NaN: numbers must be finite$/],
    ['infinite', with3(Number.NEGATIVE_INFINITY), /^frame: states\[0\]\[3\] is -Infinity/],
    ['far out of any limit', with3(1e300), /^frame: states\[0\]\[3\] is 1e\+300: the limit is/],
    ['too few numbers', withShape([2, 6]), /of shape \[2, 6\] has 96 bytes, the payload 48/],
    ['too many numbers', withShape([0, 6]), /has 0 bytes, the payload 48/],
    ['another dof', withShape([1, 7], [...free, 0]), /arrays\.states is \[1,7\], not \[n, 6\]/],
    ['a negative count', withShape([-1, 6]), /not \[n, 6\]/],
    ['a fraction', withShape([1.5, 6]), /not \[n, 6\]/],
    ['a count whose product overflows', withShape([2 ** 53 - 1, 6]), /the limit is 200000/],
    ['a shape that is no list', withShape('1,6'), /not \[n, 6\]/],
    [
      'no arrays',
      frame({ header: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'validate' }) }),
      /no array "states"/,
    ],
    ['prototype', frame({ header: headerOf('validate', []) }), /no array "states"/],
    [
      'two arrays',
      frame({ header: headerOf('validate', { states: [1, 6], q: [6] }), numbers: free }),
      /unknown array "q"/,
    ],
    ['an unknown key', frame({ header: header.replace('"id"', '"x":1,"id"'), numbers: free }), /unknown key "x"/],
    ['an id that is a list', frame({ header: header.replace(/"id":\d+/, '"id":[7]'), numbers: free }), /^id must be/],
    ['unknown parameter', stateFrame('validate', [free], { detail: true }), /params/],
    ['details', stateFrame('validate', [free], { details: true }), /params/],
    ['unknown link', stateFrame('fk', [free], { links: ['tool'] }), /there is no link "tool"/],
    ['another method', stateFrame('plan', [free]), /plan is a method for JSON messages/],
    ['unknown method', stateFrame('toString', [free]), /there is no method "toString"/],
  ])('%s', async (_, bytes, expected) => {
    const { error, arrays } = await send(session, bytes);
    expect(error?.message).toMatch(expected);
    expect(error?.code).toBeLessThan(-32000);
    expect(arrays).toEqual({});
    expect((await send(session, frame(good))).arrays).toEqual({ valid: [1] });
  });

  test('mutated frames never throw, and a state that passes is the state of the frame', async () => {
    const original = stateFrame('validate', states.slice(0, 4));
    const seen = { refused: 0, answered: 0 };
    for (let k = 0; k < 3000; k++) {
      const bytes = Buffer.from(original);
      for (let i = random.below(3); i >= 0; i--) bytes[random.below(k % 2 ? 128 : bytes.length)] = random.below(256);
      const cut = random.below(4) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes;
      const response = await session.answerFrame(cut);
      if (response.length === 0) continue; // the id was changed: a notification
      const { error, arrays } = read(response);
      if (error) {
        seen.refused++;
        expect(error.code, error.message).not.toBe(-32603); // not a bug
        continue;
      }
      seen.answered++;
      if (arrays['valid'] === undefined) continue;
      const payload = new DataView(cut.buffer, cut.byteOffset + cut.length - 4 * 48);
      const given = [0, 1, 2, 3].map((i) => free.map((_, j) => payload.getFloat64(48 * i + 8 * j, true)));
      expect(arrays['valid']).toEqual(given.map((q) => Number(checker.isValid(q))));
    }
    expect(Math.min(seen.refused, seen.answered)).toBeGreaterThan(200);
  });
});

test('a long response and too many items are refused before they are computed', async () => {
  const own = open(sessionsWith({ states: 10, answer: 2000 }));
  const many = (method: string, count: number, params = {}) =>
    send(own, stateFrame(method, Array(count).fill(free), params));
  expect((await many('validate', 11)).error!.message).toMatch(/has 11 items, the limit is 10/);
  expect((await many('fk', 10)).error!.message).toMatch(/Request \d at a time|longer than 2000/);
  expect((await many('fk', 10, { links: ['tool0'] })).error).toBeUndefined();
});

describe('frames over transports', () => {
  const own = serviceWith({ body: 20_000 });
  const bytes = stateFrame('validate', states);
  const expected = states.map((q) => Number(checker.isValid(q)));
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(closing.map((close) => close())));

  /** Sends pieces on a Unix socket; returns all received bytes once `count` have arrived or it is closed. */
  async function overSocket(pieces: readonly Buffer[], count: number): Promise<Buffer> {
    const path = join(temporaryFolder(), 'frames.sock');
    const listening = await listenOnSocket(own, path);
    closing.push(listening.stop);
    const socket = net.connect(path);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length >= count) socket.end();
    });
    for (const piece of pieces) {
      socket.write(piece);
      if (pieces.length < 3000) await new Promise(setImmediate);
    }
    await once(socket, 'close');
    return received;
  }

  /** Splits a stream into frames and lines. */
  function messages(stream: Buffer): (Answer | string)[] {
    const found: (Answer | string)[] = [];
    for (let at = 0; at < stream.length; ) {
      const isFrame = stream[at] === 0x93;
      const end = isFrame
        ? at + 16 + stream.readUInt32LE(at + 8) + stream.readUInt32LE(at + 12)
        : stream.indexOf(10, at);
      found.push(isFrame ? read(stream.subarray(at, end)) : stream.toString('utf8', at, end));
      at = isFrame ? end : end + 1;
    }
    return found;
  }

  const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'validate', params: { q: free } })}\n`);
  const lineAnswer = '{"jsonrpc":"2.0","id":"l","result":{"valid":true}}';

  test.each([1, 5, 64, 1 << 20])('lines and frames mix on a Unix socket, in pieces of %i bytes', async (size) => {
    const few = stateFrame('validate', states.slice(0, 9)); // its numbers contain line breaks: 0x0a
    few[few.length - 20] = 0x0a;
    const all = Buffer.concat([few, line, line, few, few, line]);
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
      all.subarray(i * size, (i + 1) * size),
    );
    const one = (await open().answerFrame(few)).length;
    const found = messages(await overSocket(pieces, 3 * one + 3 * (lineAnswer.length + 1)));
    expect(found.map((each) => (typeof each === 'string' ? each : each.arrays['valid']?.length))).toEqual([
      9,
      lineAnswer,
      lineAnswer,
      9,
      9,
      lineAnswer,
    ]);
  });

  test('a frame that is too long is skipped, whatever it contains, and the next message gets a response', async () => {
    const long = stateFrame('validate', Array(2000).fill(free));
    long.fill(line, 1000, 1000 + line.length); // a request within the numbers is not one
    const found = messages(await overSocket([long, line, bytes], 700));
    expect(found[0]).toMatch(/"code":-32001.*more than 20000 bytes/);
    expect(found[1]).toBe(lineAnswer);
    expect((found[2] as Answer).arrays['valid']).toEqual(expected);
    expect(own.takenMemory).toBe(0);
  });

  test('a frame that is too long is refused as soon as its prefix is here, in pieces or not', async () => {
    const long = stateFrame('validate', Array(2000).fill(free));
    for (const cut of [5, 16, 100]) {
      const found = messages(await overSocket([long.subarray(0, cut), long.subarray(cut, 200)], 60));
      expect(found).toEqual([expect.stringMatching(/"code":-32001.*Send fewer items/)]);
      expect(own.takenMemory).toBe(0);
    }
  });

  test('a frame that stops before its end is refused when the input ends', async () => {
    const path = join(temporaryFolder(), 'cut.sock');
    const listening = await listenOnSocket(own, path);
    closing.push(listening.stop);
    const socket = net.connect({ path, allowHalfOpen: true });
    socket.end(bytes.subarray(0, -40));
    const chunks = await socket.toArray();
    socket.destroy();
    expect((messages(Buffer.concat(chunks))[0] as Answer).error!.message).toMatch(/but its prefix states/);
  });

  test('WebSockets and HTTP', async () => {
    const http = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    closing.push(http.stop);
    const socket = new WebSocket(`${http.address.replace('http', 'ws')}/rpc`, { perMessageDeflate: false });
    await once(socket, 'open');
    for (const [sent, isBinary] of [
      [bytes, true],
      [line.toString(), false],
      [Buffer.from('no frame'), true],
    ] as const) {
      const answered = once(socket, 'message');
      socket.send(sent);
      const [data, binary] = await answered;
      expect(binary).toBe(isBinary);
      if (sent === bytes) expect(read(data).arrays['valid']).toEqual(expected);
      else if (!isBinary) expect(String(data)).toBe(lineAnswer);
      else expect(read(data).error!.message).toMatch(/^frame: it has 8 bytes/);
    }
    socket.terminate();
    const post = (body: Buffer, type = 'application/octet-stream') =>
      fetch(`${http.address}/rpc`, { method: 'POST', headers: { 'content-type': type }, body: new Uint8Array(body) });
    const reply = await post(bytes);
    expect(reply.headers.get('content-type')).toBe('application/octet-stream');
    expect(read(Buffer.from(await reply.arrayBuffer())).arrays['valid']).toEqual(expected);
    expect((await post(bytes, 'text/plain')).status).toBe(415);
    expect((await post(Buffer.alloc(30_000))).status).toBe(413);
  });

  test('a cancellation after a frame is noticed while an earlier request runs', async () => {
    const endless = { planner: 'rrt-star', iterations: 1e9, time_limit: 25 };
    const planned = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'plan', params: endless })}\n`);
    const cancel = Buffer.from('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}\n');
    const one = (await open().answerFrame(bytes)).length;
    const all = await overSocket([Buffer.concat([planned, bytes, cancel])], one + 80);
    const found = messages(all).filter((each) => typeof each !== 'string' || !each.includes('$/progress'));
    expect(found[0]).toMatch(/"id":1,"error":\{"code":-32800/);
    expect((found[1] as Answer).arrays['valid']).toEqual(expected);
    await own.close();
  });
});

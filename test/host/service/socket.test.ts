import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { dial, listening, openSessions, request, settled, valid } from './listening.ts';
import { free, hit, serviceWith } from './shelf.ts';

const { service, folder, path } = await listening();

describe('lines on a socket', () => {
  test('arrive in any pieces, several at once or byte by byte, and get responses in order', async () => {
    const { socket, arrived } = await dial(path);
    const texts = [request({ q: free }, 1), request({ q: hit }, 2), '', '  ', 'nonsense ü', request({ q: free }, 3)];
    socket.write(`${texts.join('\n')}\r\n`);
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":"naïve €","method":"validate","params":{"q":[${hit}]}}\n`);
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    socket.end(request({ q: free }, 5)); // without an end of the line, and with no more to say
    const lines = await arrived(6);
    expect(lines[0]).toBe(valid(true, 1));
    expect(lines[1]).toBe(valid(false, 2));
    expect(lines[2]).toMatch(/"id":null,"error":\{"code":-32700/);
    expect(lines[3]).toBe(valid(true, 3));
    expect(JSON.parse(lines[4])).toEqual({ jsonrpc: '2.0', id: 'naïve €', result: { valid: false } });
    expect(lines[5]).toBe(valid(true, 5));
    await settled(() => socket.closed);
  });

  test('a client that dies in the middle of a message, or before its response, leaves nothing behind', async () => {
    const { socket } = await dial(path);
    socket.write(`{"jsonrpc":"2.0","id":1,"method":"validate","params":{"states":[${'['.repeat(100_000)}`);
    await settled(() => service.takenMemory >= 100_000);
    socket.destroy();
    await settled(() => service.takenMemory === 0);
    const other = await dial(path);
    const motions = Array(500).fill([free, hit]);
    other.socket.write(`${request({ motions, details: true }, 1, 'validate_motion')}\n`);
    await settled(() => service.takenMemory > 0);
    other.socket.destroy();
    await settled(() => service.takenMemory === 0 && openSessions(service) === 0);
  });

  test('a message that is too long is refused once and skipped; the next one gets a response, and other clients meanwhile', async () => {
    const own = serviceWith({ body: 10_000 });
    const listening = await listenOnSocket(own, join(folder, 'small.sock'));
    const [big, other] = [await dial(join(folder, 'small.sock')), await dial(join(folder, 'small.sock'))];
    let most = 0;
    for (let i = 0; i < 200; i++) {
      if (!big.socket.write('1'.repeat(65_536))) await once(big.socket, 'drain');
      most = Math.max(most, own.takenMemory);
      if (i % 20 === 0) {
        other.socket.write(`${request({ q: free }, i)}\n`);
        expect((await other.arrived(i / 20 + 1)).at(-1)).toBe(valid(true, i));
      }
    }
    big.socket.write(`\n${request({ q: free }, 9)}\n${' '.repeat(20_000)}\n${request({ q: hit }, 10)}\n`);
    const lines = await big.arrived(4);
    expect(most).toBeLessThanOrEqual(10_000);
    expect(lines.map((line) => JSON.parse(line).error?.code ?? line)).toEqual([
      -32001,
      valid(true, 9),
      -32001,
      valid(false, 10),
    ]);
    for (const { socket } of [big, other]) socket.destroy();
    await listening.stop();
  });

  test('a client that does not read is not read from: what waits for it stays bounded, and others are served', async () => {
    const own = serviceWith({ memory: 8_000_000 });
    const listening = await listenOnSocket(own, join(folder, 'slow.sock'));
    const slow = net.connect(join(folder, 'slow.sock')).on('error', () => {});
    await once(slow, 'connect');
    slow.pause();
    const question = `${request({ states: Array(300).fill(free) }, 1, 'fk')}\n`; // 17 kB in, 450 kB out
    let sent = 0;
    const feed = () => {
      while (sent < 2000 && slow.write(question)) sent++;
    };
    slow.on('drain', feed);
    feed();
    const other = await dial(join(folder, 'slow.sock'));
    for (let i = 1; i <= 50; i++) {
      other.socket.write(`${request({ q: free }, i)}\n`);
      expect((await other.arrived(i)).at(-1)).toBe(valid(true, i));
      expect(own.takenMemory).toBeLessThanOrEqual(2_000_000);
      await sleep(5);
    }
    expect(sent).toBeLessThan(200); // the rest waits with the client
    slow.destroy();
    other.socket.destroy();
    await settled(() => own.takenMemory === 0);
    await listening.stop();
  });

  test('slow readers are disconnected if there is no memory for their responses, and so are idle ones', async () => {
    const own = serviceWith({ memory: 200_000, idle: 0.2 });
    const to = join(folder, 'idle.sock');
    const listening = await listenOnSocket(own, to);
    const slow = net.connect(to).on('error', () => {});
    slow.pause();
    slow.write(`${request({ states: Array(2000).fill(free) }, 1, 'fk')}\n`);
    await settled(() => /refused_total\{reason="slow"\} 1/.test(own.metrics.text()));
    const half = await dial(to);
    half.socket.write('{"jsonrpc":');
    const quiet = await dial(to);
    await once(half.socket, 'close'); // in the middle of a message
    await sleep(300);
    quiet.socket.write(`${request({ q: free })}\n`); // between two messages one may stay as long as one likes
    expect(await quiet.arrived(1)).toEqual([valid(true)]);
    quiet.socket.destroy();
    slow.destroy();
    await listening.stop();
  });

  test('stopping finishes what is under way and nothing after it, and removes the socket', async () => {
    const own = serviceWith();
    const to = join(folder, 'stop.sock');
    const listening = await listenOnSocket(own, to);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    const [busy, idle] = [await dial(to), await dial(to)];
    const motions = Array(2000).fill([free, free.map((x) => x + 0.3)]);
    busy.socket.write(`${request({ motions }, 1, 'validate_motion')}\n${request({ q: free }, 2)}\n`);
    await settled(() => own.sessions.length === 1);
    const ends = Promise.all([busy, idle].map(({ socket }) => once(socket, 'close')));
    await listening.stop();
    await ends;
    expect(busy.lines.map((line) => JSON.parse(line).result.valid.length)).toEqual([2000]);
    expect(existsSync(to)).toBe(false);
  });

  test('a socket that is served, or a file that is none, is left alone; one left behind is taken over', async () => {
    await expect(listenOnSocket(service, path)).rejects.toThrow(/another service listens/);
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    await expect(listenOnSocket(service, file)).rejects.toThrow(/there is a file of that name/);
    await expect(listenOnSocket(service, join(folder, 'no/such/folder'))).rejects.toThrow(
      /there is no folder .*no.such/,
    );
  });
});

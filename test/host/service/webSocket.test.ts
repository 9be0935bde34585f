import { once } from 'node:events';
import type net from 'node:net';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { listening, openSessions, request, settled, valid } from './listening.ts';
import { free } from './shelf.ts';

const { service, url } = await listening();

describe('WebSockets', () => {
  test('a frame that is too large closes its own connection only', async () => {
    const [big, other] = await Promise.all([dialWs(), dialWs()]);
    big.send(' '.repeat(service.limits.body + 1));
    const [code] = await once(big, 'close');
    expect(code).toBe(1009);
    const answer = once(other, 'message');
    other.send(request({ q: free }));
    expect(String((await answer)[0])).toBe(valid(true));
    other.terminate();
    await settled(() => service.takenMemory === 0 && openSessions(service) === 0);
  });

  test('one that dies in the middle of a frame leaves nothing behind', async () => {
    const socket = await dialWs();
    const raw = (socket as unknown as { _socket: net.Socket })._socket;
    raw.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4])); // the head of a text frame of 1 MiB
    raw.write(Buffer.alloc(300_000));
    await settled(() => service.takenMemory >= 300_000);
    raw.resetAndDestroy();
    await settled(() => service.takenMemory === 0 && openSessions(service) === 0);
  });

  async function dialWs(): Promise<WebSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`);
    await once(socket, 'open');
    return socket.on('error', () => {});
  }
});

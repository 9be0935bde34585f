import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { listenOnHttp } from '../../../src/host/service/http.ts';
import type { Service } from '../../../src/host/service/service.ts';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { temporaryFolder } from '../cli/run.ts';
import { serviceWith } from './shelf.ts';

/** One service on a socket and over HTTP, until the tests of the file are done. */
export async function listening() {
  const service = serviceWith();
  const folder = temporaryFolder();
  const path = join(folder, 'service.sock');
  const onSocket = await listenOnSocket(service, path);
  const onHttp = await listenOnHttp(service, { host: '127.0.0.1', port: 0 });
  afterAll(async () => {
    await onSocket.stop();
    await onHttp.stop();
  });
  return { service, folder, path, socketAddress: onSocket.address, url: onHttp.address };
}

export const request = (params: object, id = 1, method = 'validate') =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
export const valid = (is: boolean, id = 1) => `{"jsonrpc":"2.0","id":${id},"result":{"valid":${is}}}`;

/** A socket, and the lines that come out of it. */
export async function dial(to: string) {
  const socket = net.connect(to);
  await once(socket, 'connect');
  const lines: string[] = [];
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  socket.on('error', () => {});
  const arrived = async (count: number) => {
    while (lines.length < count) {
      if (socket.destroyed) throw new Error(`closed after ${lines.length} of ${count} answers`);
      await sleep(2);
    }
    return lines;
  };
  return { socket, lines, arrived };
}

export const settled = async (isSo: () => boolean) => {
  for (let i = 0; i < 6000 && !isSo(); i++) await sleep(5);
  expect(isSo()).toBe(true);
};
export const openSessions = (of: Service) => Number(/^elbowroom_sessions (\d+)$/m.exec(of.metrics.text())![1]);

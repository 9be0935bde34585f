import { once } from 'node:events';
import net from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { PendingResponses, type Transport } from '../../client/transport.ts';
import { MessageReader } from './messageReader.ts';

/** A pair of streams to a service, and how to close them. */
export interface StreamPair {
  readonly input: Readable;
  readonly output: Writable;
  readonly close: () => Promise<void>;
}

/** Connects to the Unix socket of a service. Rejects if no service listens. */
export async function connectSocket(path: string): Promise<Transport> {
  const socket = net.connect(path);
  await once(socket, 'connect');
  const pending = new PendingResponses();
  socket.on('close', () => pending.fail(new Error(`${path}: the service has closed the connection`)));
  const close = async () => {
    socket.end();
    if (!socket.destroyed) await once(socket, 'close');
  };
  return streamTransport({ input: socket, output: socket, close }, pending);
}

/** Returns the transport over streams: a message is a line or a binary frame. `pending` has to be failed at the end. */
export function streamTransport({ input, output, close }: StreamPair, pending: PendingResponses): Transport {
  const reader = new MessageReader((message) => pending.receive(message));
  const fail = (error: Error) => pending.fail(error);
  input.on('error', fail).on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk);
    } catch (error) {
      fail(error as Error);
      input.destroy();
    }
  });
  if ((output as unknown) !== input) output.on('error', fail);
  const send = (message: string | Uint8Array) => {
    output.write(typeof message === 'string' ? `${message}\n` : message);
  };
  return {
    set listener(listener: (text: string) => void) {
      pending.listener = listener;
    },
    tell: send,
    exchange(message) {
      const answer = pending.next();
      send(message);
      return answer;
    },
    close,
  };
}

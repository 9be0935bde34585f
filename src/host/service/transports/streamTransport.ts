import { once } from 'node:events';
import net from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { FRAME_PREFIX } from '../../client/clientFrame.ts';
import { type Message, PendingResponses, type Transport } from '../../client/transport.ts';
import { FIRST_BYTE, frameLength } from '../frames/binaryFrame.ts';

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

const NEWLINE = 10;

/** Divides the bytes of a service into messages: lines as text, binary frames as bytes. */
export class MessageReader {
  /** Bytes of an incomplete message. */
  private parts: Buffer[] = [];
  private size = 0;
  /** Bytes that complete it; undefined: up to a newline. */
  private needed: number | undefined;

  constructor(private readonly receive: (message: Message) => void) {}

  /** Adds bytes and passes on each message that is complete. Throws if a frame has no valid prefix. */
  push(chunk: Buffer): void {
    this.parts.push(chunk);
    this.size += chunk.length;
    if (this.parts.length > 1 && (this.needed === undefined ? !chunk.includes(NEWLINE) : this.size < this.needed))
      return;
    const bytes = this.parts.length === 1 ? chunk : Buffer.concat(this.parts);
    this.parts = [];
    let at = 0;
    while (at < bytes.length) {
      const isFrame = bytes[at] === FIRST_BYTE;
      const end = isFrame ? frameEnd(bytes, at) : bytes.indexOf(NEWLINE, at) + 1 || undefined;
      if (end === undefined || end > bytes.length) {
        this.needed = end === undefined ? undefined : end - at;
        this.parts = [bytes.subarray(at)];
        break;
      }
      this.receive(isFrame ? bytes.subarray(at, end) : bytes.toString('utf8', at, end - 1));
      at = end;
    }
    this.size = bytes.length - at;
  }
}

/** Returns the index after a frame, or after its prefix while that is incomplete. */
function frameEnd(bytes: Buffer, at: number): number {
  if (bytes.length - at < FRAME_PREFIX) return at + FRAME_PREFIX;
  const length = frameLength(bytes.subarray(at, at + FRAME_PREFIX));
  if (length === undefined) throw new Error('the service sent bytes that are neither a line nor a frame');
  return at + length;
}

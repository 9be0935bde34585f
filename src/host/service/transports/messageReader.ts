import { FRAME_PREFIX } from '../../client/clientFrame.ts';
import type { Message } from '../../client/transport.ts';
import { FIRST_BYTE, frameLength } from '../frames/binaryFrame.ts';

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

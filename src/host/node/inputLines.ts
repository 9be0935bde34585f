import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { InputError } from '../../errors.ts';
import { refusePointer, refuseUtf16 } from '../../formats/text/fileText.ts';
import { openStream } from './inputStreams.ts';
import { unreadable } from './readFiles.ts';

/** Longest line, characters: longer ones indicate a file of another kind. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const NEWLINE = 10;

/** Yields chunks of `lineChunks` as text without the last newline. */
export async function* textsOf(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  for await (const lines of chunks)
    yield typeof lines === 'string' ? lines : lines.toString('latin1', 0, lines.length - 1);
}

/**
 * Yields the lines of a stream, all complete lines of a chunk at once, so that results do not wait for the next chunk
 * and a million lines do not need a million promises: lines of ASCII as their bytes with the last newline, other lines
 * as text without it. Removes a byte order mark. Holds one chunk at a time.
 * @throws InputError for invalid UTF-8, after the complete lines before it
 */
export async function* lineChunks(stream: Readable, name: string): AsyncGenerator<string | Buffer> {
  /** Chunks without a newline at the end of what was read. */
  let rest: Buffer[] = [];
  let restLength = 0;
  const decoder = new LineDecoder(name);
  try {
    for await (const given of stream) {
      const chunk = given as Buffer;
      if (decoder.isFirst && restLength === 0) refuseOtherContent(chunk, name);
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        const complete = chunk.subarray(0, end);
        yield* decoder.decode(rest.length === 0 ? complete : Buffer.concat([...rest, complete]));
        rest = [];
        restLength = 0;
      }
      if (end < chunk.length) rest.push(chunk.subarray(end));
      restLength += chunk.length - end;
      if (restLength > MAX_LINE_LENGTH)
        throw new InputError(`${name}: a line is longer than ${MAX_LINE_LENGTH} characters`, 'Write one state a line.');
    }
  } catch (error) {
    throw unreadable(error, name);
  }
  if (restLength > 0) yield* decoder.decode(Buffer.concat([...rest, Buffer.of(NEWLINE)]));
}

/** Yields the bytes of a stream in complete rows of a length; the last row may be incomplete. */
export async function* rowChunks(stream: Readable, name: string, width: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream) {
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.length - (bytes.length % width);
      if (end > 0) yield bytes.subarray(0, end);
      rest = bytes.subarray(end);
    }
  } catch (error) {
    throw unreadable(error, name);
  }
  if (rest.length > 0) yield rest;
}

/** Decodes complete lines, and counts them. */
class LineDecoder {
  /** True before the first call of `decode`. */
  isFirst = true;
  private lines = 0;

  constructor(private readonly name: string) {}

  /**
   * Yields bytes of ASCII that end with a newline as they are, others as text without it.
   * @throws InputError for invalid UTF-8, after the complete lines before it
   */
  *decode(bytes: Buffer): Generator<string | Buffer> {
    const { isFirst } = this;
    this.isFirst = false;
    const text = isAscii(bytes) ? bytes : decodedText(bytes, isFirst);
    if (text === undefined) {
      const read = new TextDecoder().decode(bytes);
      const valid = read.slice(0, read.indexOf('\uFFFD'));
      const end = valid.lastIndexOf('\n');
      if (end >= 0) yield valid.slice(0, end);
      const line = this.lines + newlinesIn(valid) + 1;
      throw new InputError(`${this.name}:${line}: invalid UTF-8`, 'Save the file as UTF-8.');
    }
    this.lines += typeof text === 'string' ? newlinesIn(text) + 1 : bytesOf(text, NEWLINE);
    yield text;
  }
}

/** Decodes lines without their last newline; undefined if they are not valid UTF-8. A mark at the start is removed. */
function decodedText(bytes: Buffer, isStart: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isStart }).decode(bytes.subarray(0, -1));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function refuseOtherContent(bytes: Uint8Array, name: string): void {
  refusePointer(bytes, name);
  refuseUtf16(bytes, name);
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function bytesOf(bytes: Buffer, value: number): number {
  let count = 0;
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1)) count++;
  return count;
}

/** Opens a file, or stdin for `-` or undefined. */
export function openInput(file: string | undefined): { readonly stream: Readable; readonly name: string } {
  if (file === undefined || file === '-') return { stream: process.stdin, name: 'stdin' };
  return { stream: openStream(file), name: file };
}

import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { InputError } from '../errors.ts';
import { refusePointer, refuseUtf16 } from '../formats/text/fileText.ts';
import { openStream } from './inputStreams.ts';
import { unreadable } from './readFiles.ts';

/** Longest line, characters: longer ones indicate a file of another kind. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/**
 * Yields the lines of a stream, all complete lines of a chunk as one text without its last newline: results do not wait
 * for the next chunk, and a million lines do not need a million promises. Removes a byte order mark. Holds one chunk at
 * a time.
 * @throws InputError for invalid UTF-8, after the complete lines before it
 */
export async function* lineTexts(stream: Readable, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let isFirst = true;
  let lines = 0;
  try {
    for await (const chunk of stream) {
      if (isFirst) refuseOtherContent(chunk as Buffer, name);
      isFirst = false;
      const decoded = decoded8(decoder, chunk as Buffer);
      if (decoded === undefined) {
        // Complete lines before the invalid byte are still processed.
        const text = rest + new TextDecoder().decode(chunk as Buffer);
        const valid = text.slice(0, text.indexOf('\uFFFD'));
        const end = valid.lastIndexOf('\n');
        if (end >= 0) yield valid.slice(0, end);
        throw invalidUtf8(name, lines + newlinesIn(valid) + 1);
      }
      rest += decoded;
      const end = rest.lastIndexOf('\n');
      if (end < 0) {
        if (rest.length > MAX_LINE_LENGTH) {
          throw new InputError(
            `${name}: a line is longer than ${MAX_LINE_LENGTH} characters`,
            'Write one state a line.',
          );
        }
        continue;
      }
      const text = rest.slice(0, end);
      rest = rest.slice(end + 1);
      lines += newlinesIn(text) + 1;
      yield text;
    }
  } catch (error) {
    throw unreadable(error, name);
  }
  if (decoded8(decoder) === undefined) throw invalidUtf8(name, lines + 1);
  if (rest !== '') yield rest;
}

/** Decodes the next bytes, or the end of the stream if none are given; undefined if they are not valid UTF-8. */
function decoded8(decoder: TextDecoder, bytes?: Uint8Array): string | undefined {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function refuseOtherContent(bytes: Uint8Array, name: string): void {
  refusePointer(bytes, name);
  refuseUtf16(bytes, name);
}

function invalidUtf8(name: string, line: number): InputError {
  return new InputError(`${name}:${line}: invalid UTF-8`, 'Save the file as UTF-8.');
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Opens a file, or stdin for `-` or undefined. */
export function openInput(file: string | undefined): { readonly stream: Readable; readonly name: string } {
  if (file === undefined || file === '-') return { stream: process.stdin, name: 'stdin' };
  return { stream: openStream(file), name: file };
}

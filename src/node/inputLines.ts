import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { InputError } from '../errors.ts';
import { refusePointer, refuseUtf16 } from '../formats/text/fileText.ts';
import { openStream } from './inputStreams.ts';
import { unreadable } from './readFiles.ts';

/** A line longer than this is no line but a file of another kind. Characters. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * The lines of a stream, as many at once as have arrived, in one text without the last one's newline: an answer need not wait for the next
 * chunk, nor do a million lines cost a million promises. A byte order mark at the start is cut off; what is not UTF-8 is refused. Holds one chunk at a time.
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
        // Complete lines before the invalid byte are still answered.
        const text = rest + new TextDecoder().decode(chunk as Buffer);
        const valid = text.slice(0, text.indexOf('\uFFFD'));
        const end = valid.lastIndexOf('\n');
        if (end >= 0) yield valid.slice(0, end);
        throw invalidUtf8(name, lines + newlinesIn(valid) + 1);
      }
      rest += decoded;
      const end = rest.lastIndexOf('\n');
      if (end < 0) {
        if (rest.length > LONGEST_LINE) {
          throw new InputError(`${name}: a line is longer than ${LONGEST_LINE} characters`, 'Write one state a line.');
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

/** The text of the next bytes, of the end without any; undefined if they are not valid UTF-8. */
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

/** `-` or nothing: standard input. */
export function openInput(file: string | undefined): { readonly stream: Readable; readonly name: string } {
  if (file === undefined || file === '-') return { stream: process.stdin, name: 'stdin' };
  return { stream: openStream(file), name: file };
}

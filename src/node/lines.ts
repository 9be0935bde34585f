import type { Readable } from 'node:stream';
import { InputError } from '../errors.ts';
import { openStream } from './inputStreams.ts';
import { unreadable } from './readFiles.ts';

/** A line longer than this is no line but a file of another kind. Characters. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * The lines of a stream, as many at once as have arrived, in one text without the last one's newline: an answer need not wait for the next
 * chunk, nor do a million lines cost a million promises. A byte order mark at the start is cut off. Holds one chunk at a time.
 */
export async function* lineTexts(stream: Readable, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  try {
    for await (const chunk of stream) {
      rest += decoder.decode(chunk as Buffer, { stream: true });
      const end = rest.lastIndexOf('\n');
      if (end < 0) {
        if (rest.length > LONGEST_LINE) {
          throw new InputError(`${name}: a line is longer than ${LONGEST_LINE} characters`, 'Write one state a line.');
        }
        continue;
      }
      const text = rest.slice(0, end);
      rest = rest.slice(end + 1);
      yield text;
    }
  } catch (error) {
    throw unreadable(error, name);
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** `-` or nothing: standard input. */
export function openInput(file: string | undefined): { readonly stream: Readable; readonly name: string } {
  if (file === undefined || file === '-') return { stream: process.stdin, name: 'stdin' };
  return { stream: openStream(file), name: file };
}

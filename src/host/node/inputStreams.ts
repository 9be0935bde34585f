import { closeSync, constants, createReadStream, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { InputError } from '../../errors.ts';
import { isKernelFile, kindOf } from './outputTarget.ts';

/** Default silence after which a pipe times out, s. */
const MAX_SILENCE = 30;

/**
 * Reads all bytes of stdin or of a pipe that the user names (`/dev/stdin`, `<(command)`, a named pipe); undefined if
 * the path is neither.
 * @param longestSilence seconds without a byte after which the read fails
 * @throws InputError for more than `largest` bytes, and after a longer silence unless the input is a terminal
 */
export async function readInputStream(
  file: string,
  largest: number,
  longestSilence = MAX_SILENCE,
): Promise<Uint8Array | undefined> {
  const stream = openPipe(file);
  if (stream === undefined) return undefined;
  if (stream === process.stdin) requireUnread(stream, file);
  const chunks: Buffer[] = [];
  let length = 0;
  const silence = setTimeout(() => stream.destroy(silent(file, longestSilence)), 1000 * longestSilence);
  if (stream === process.stdin && process.stdin.isTTY) clearTimeout(silence);
  try {
    for await (const chunk of stream) {
      silence.refresh();
      length += (chunk as Buffer).length;
      if (length > largest) throw new InputError(`${file}: it has more than ${largest} bytes, which is the limit`);
      chunks.push(chunk as Buffer);
    }
  } finally {
    clearTimeout(silence);
    stream.destroy();
  }
  return Buffer.concat(chunks);
}

/** Throws `InputError` if a pipe on stdin is read for a second time: each reader would receive a part of it. */
function requireUnread(stdin: Readable, file: string): void {
  if (stdin.destroyed || stdin.listenerCount('readable') > 0)
    throw new InputError(`${file}: stdin is already the input of another argument`, 'Give a file instead.');
}

/**
 * Opens a file, a pipe or stdin as a stream, without a time limit: states may arrive one by one. `/dev/null` is empty.
 * @throws InputError for other devices, sockets, folders and files of the kernel
 */
export function openStream(file: string): Readable {
  const pipe = openPipe(file);
  if (pipe !== undefined) return pipe;
  const status = statusOf(file);
  const isEmpty = status?.isCharacterDevice() && resolve(file) === '/dev/null';
  if (status && !status.isFile() && !isEmpty) throw new InputError(`${file}: this is ${kindOf(status)}`);
  if (status?.isFile() && isKernelFile(file)) {
    throw new InputError(`${file}: files of the kernel (procfs, sysfs) are not read`);
  }
  return createReadStream(file);
}

/**
 * Opens stdin or a pipe; undefined for any other path. Opening does not block until there is a writer; reading does.
 */
function openPipe(file: string): Readable | undefined {
  const path = resolve(file);
  const isStdin = path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0';
  if (isStdin && fstatSync(0).isFile() === false) return process.stdin;
  if (!statusOf(file)?.isFIFO()) return undefined;
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(descriptor).isFIFO())
    return new (socketsOfNode().Socket)({ fd: descriptor, readable: true, writable: false });
  closeSync(descriptor);
  return undefined;
}

/** Loads the module of sockets, which few commands need. */
const socketsOfNode = () => process.getBuiltinModule('node:net');

function statusOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

const silent = (file: string, seconds: number) =>
  new InputError(`${file}: nothing was written to this pipe for ${seconds} s`, 'Start its writer first.');

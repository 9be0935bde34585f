import { InputError } from '../../errors.ts';

const UTF8_NOTE = 'Save the file as UTF-8.';

/** Throws `InputError` if the file is a Git LFS pointer: a few lines of text in place of the content. */
export function refusePointer(bytes: Uint8Array, file: string): void {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  if (!/^version https:\/\/[\w.-]+\/spec\/v\d/.test(head)) return;
  const note = 'Run `git lfs pull` in its repository, or download the file itself.';
  throw new InputError(`${file}: this is a Git LFS pointer, not the content of the file`, note);
}

/** Throws `InputError` if the bytes are text in UTF-16 or UTF-32, with or without a byte order mark. */
export function refuseUtf16(bytes: Uint8Array, file: string): void {
  const [a, b, c, d] = bytes;
  const hasMark = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const isWide =
    bytes.length >= 4 &&
    ((isText(a) && b === 0 && isText(c) && d === 0) || (a === 0 && isText(b) && c === 0 && isText(d)));
  const isWider = a === 0 && b === 0 && c === 0xfe && d === 0xff;
  if (hasMark || isWide || isWider)
    throw new InputError(`${file}: this is UTF-16 or UTF-32 text, only UTF-8 is supported`, UTF8_NOTE);
}

function isText(byte: number): boolean {
  return byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127);
}

/**
 * Decodes a UTF-8 file; a byte order mark is kept. Throws `InputError` for UTF-16 and UTF-32, and for invalid UTF-8
 * with the line of the first invalid byte.
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  refuseUtf16(bytes, file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidUtf8(bytes, file);
  }
}

/**
 * Decodes the text of a mesh or point cloud. Names and comments, which are not parsed, may be in any 8-bit encoding:
 * invalid UTF-8 becomes U+FFFD, which no number or keyword contains. Throws `InputError` for UTF-16 and UTF-32.
 */
export function decodeNumbers(bytes: Uint8Array, file: string): string {
  refuseUtf16(bytes, file);
  return new TextDecoder().decode(bytes);
}

function invalidUtf8(bytes: Uint8Array, file: string): InputError {
  const at = firstInvalid(bytes);
  let line = 1;
  for (let i = 0; i < at; i++) if (bytes[i] === 10) line++;
  const hex = `0x${(bytes[at] ?? 0).toString(16)}`;
  return new InputError(`${file}:${line}: invalid UTF-8: byte ${hex} at offset ${at}`, UTF8_NOTE);
}

/** Returns the offset of the first byte that does not begin a well-formed sequence (Unicode 16, table 3-7). */
function firstInvalid(bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i];
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    const min = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const max = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (length === 0) return i;
    for (let k = 1; k < length; k++) {
      const byte = bytes[i + k] ?? 0;
      if (byte < (k === 1 ? min : 0x80) || byte > (k === 1 ? max : 0xbf)) return i;
    }
    i += length;
  }
  return bytes.length;
}

/** Yields the lines that are not blank, with their numbers from 1, without blanks around them. Stores no list. */
export function* linesOf(text: string): Generator<readonly [number: number, line: string]> {
  let number = 1;
  for (let from = 0; from < text.length; number++) {
    let end = from;
    while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
    const line = end === from ? '' : text.slice(from, end).trim();
    if (line !== '') yield [number, line];
    from = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

const isLineEnd = (code: number) => code === 10 || code === 13;

/** Returns the extension of a file name in lower case, without the dot; empty if it has none. */
export const endingOf = (file: string): string => /\.([^./\\]*)$/.exec(file)?.[1].toLowerCase() ?? '';

/** Returns the name of a file without its folders. */
export const baseName = (file: string): string => file.replace(/^.*[\\/]/s, '');

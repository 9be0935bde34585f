/** From and to, the end not among it. */
export type Range = readonly [number, number];

const NEWLINE = 10;
const OPEN = [...'[{('].map((text) => text.charCodeAt(0));
const CLOSE = [...']})'].map((text) => text.charCodeAt(0));
const [ANGLE, SLASH, END] = [...'</>'].map((text) => text.charCodeAt(0));

/** Letters, digits, what numbers and names are made of, and every byte that is no ASCII. */
const isOfWord = (byte: number) =>
  byte >= 128 ||
  (byte >= 48 && byte <= 57) ||
  (byte >= 65 && byte <= 90) ||
  (byte >= 97 && byte <= 122) ||
  byte === 95 ||
  byte === 45 ||
  byte === 46;

/** The next word; empty at the end of the file. */
export function tokenAt(bytes: Uint8Array, at: number): Range {
  let from = at;
  while (from > 0 && from < bytes.length && isOfWord(bytes[from]) && isOfWord(bytes[from - 1])) from--;
  while (from < bytes.length && !isOfWord(bytes[from])) from++;
  let to = from;
  while (to < bytes.length && isOfWord(bytes[to])) to++;
  return [from, to];
}

/**
 * The next block: an XML element, a pair of brackets with what is between them, or a line with those that are indented
 * further.
 */
export function blockAt(bytes: Uint8Array, at: number): Range {
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === ANGLE && bytes[i + 1] !== SLASH) return [i, elementEnd(bytes, i)];
    if (OPEN.includes(byte)) return [i, bracketEnd(bytes, i)];
    if (byte === NEWLINE) return [i + 1, linesEnd(bytes, i + 1)];
  }
  return [Math.min(at, bytes.length), bytes.length];
}

/** Behind the tag that closes the element which begins here; tags are counted, whatever their names. */
function elementEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i++) {
    if (bytes[i] !== ANGLE) continue;
    const isClosing = bytes[i + 1] === SLASH;
    const end = bytes.indexOf(END, i);
    if (end < 0) return bytes.length;
    if (isClosing) depth--;
    else if (bytes[end - 1] !== SLASH) depth++;
    if (depth <= 0) return end + 1;
    i = end;
  }
  return bytes.length;
}

function bracketEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i++) {
    if (OPEN.includes(bytes[i])) depth++;
    else if (CLOSE.includes(bytes[i]) && --depth === 0) return i + 1;
  }
  return bytes.length;
}

function linesEnd(bytes: Uint8Array, start: number): number {
  const indent = indentAt(bytes, start);
  for (let line = start; ; ) {
    const end = bytes.indexOf(NEWLINE, line);
    if (end < 0) return bytes.length;
    line = end + 1;
    if (indentAt(bytes, line) <= indent) return line;
  }
}

function indentAt(bytes: Uint8Array, line: number): number {
  let at = line;
  while (bytes[at] === 32) at++;
  return at - line;
}

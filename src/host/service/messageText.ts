import { RpcError } from './jsonRpc.ts';

/** Texts up to this length (characters) are within all limits of values. */
export const SHORT = 16_384;

/** Limits of JSON values, far above those of any valid message. */
const MAX_DEPTH = 64;
const MAX_CONTAINERS = 500_000;
const MAX_NAMES = 1_000_000;
const MAX_STRING_LENGTH = 2_000_000;

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Parses a message. Throws `RpcError` for invalid JSON, and for values beyond the limits of nesting, lists, objects,
 * names and string length.
 */
export function parseMessage(text: string): unknown {
  if (text.length > SHORT) requireWithinLimits(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError('parse', `this is not JSON: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
  }
}

/** Throws `RpcError` if parsing a text would take much memory or time. The text may be invalid JSON. */
function requireWithinLimits(text: string): void {
  let depth = 0;
  let containers = 0;
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end - at > MAX_STRING_LENGTH)
        throw new RpcError('tooLarge', `a text of more than ${MAX_STRING_LENGTH} characters is not accepted`);
      at = end;
    } else if (code === OPEN || code === OPEN_BRACE) {
      if (++depth > MAX_DEPTH)
        throw new RpcError('tooLarge', `values nested more than ${MAX_DEPTH} deep are not accepted`);
      if (++containers > MAX_CONTAINERS)
        throw new RpcError('tooLarge', `more than ${MAX_CONTAINERS} lists and objects are not accepted`);
    } else if (code === CLOSE || code === CLOSE_BRACE) depth--;
    else if (code === COLON && ++names > MAX_NAMES)
      throw new RpcError('tooLarge', `more than ${MAX_NAMES} names are not accepted`);
  }
}

/** Returns the index of the quote that ends the string which begins at `from`; the length of the text if none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

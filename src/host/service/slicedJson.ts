import type { Slices } from '../../core/math/slices.ts';
import { RpcError } from './jsonRpc.ts';

/** Texts up to this length (characters) are parsed without pauses, longer ones with a pause after about so many. */
export const CHUNK = 16_384;

/** Limits of JSON values, far above those of any valid message. */
const MAX_DEPTH = 64;
const MAX_CONTAINERS = 500_000;
const MAX_KEYS = 10_000;
const MAX_STRING_LENGTH = 2_000_000;

/**
 * Parses a JSON text in slices; returns the same value as `JSON.parse`. Throws `RpcError` for invalid JSON, and for
 * values beyond the limits of nesting, keys, containers and string length.
 */
export function parseInSlices(text: string, chunk = CHUNK): Slices<unknown> {
  return new Reader(text, chunk).read();
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Numbers of more than a few hundred digits are rejected as invalid. */
const SCALAR = /-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,400})?|true|false|null/y;
/** Characters that do not occur in a list of numbers, `true`, `false` and `null`. */
const NOT_FLAT = /["{[]/;

class Reader {
  private at = 0;
  private pauseAt: number;
  private containers = 0;

  constructor(
    private readonly text: string,
    private readonly chunk: number,
  ) {
    this.pauseAt = chunk;
  }

  *read(): Slices<unknown> {
    if (this.text.length <= this.chunk) return this.native(0, this.text.length);
    yield* this.skipSpace();
    const value = yield* this.value(0);
    yield* this.skipSpace();
    if (this.at < this.text.length) throw this.error();
    return value;
  }

  private *value(depth: number): Slices<unknown> {
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) return yield* this.string();
    if (code !== OPEN && code !== OPEN_BRACE) return this.scalar();
    if (depth >= MAX_DEPTH)
      throw new RpcError('tooLarge', `values nested more than ${MAX_DEPTH} deep are not accepted`);
    if (++this.containers > MAX_CONTAINERS)
      throw new RpcError('tooLarge', `more than ${MAX_CONTAINERS} lists and objects are not accepted`);
    if (code === OPEN_BRACE) return yield* this.object(depth);
    return this.flatList() ?? (yield* this.list(depth));
  }

  /** Parses a short list that contains no lists, objects or strings; undefined for any other list. */
  private flatList(): unknown[] | undefined {
    const { text, at, chunk } = this;
    const piece = text.slice(at + 1, at + chunk);
    const end = piece.indexOf(']');
    if (end < 0 || NOT_FLAT.test(piece.slice(0, end))) return undefined;
    this.at = at + end + 2;
    return this.native(at, this.at) as unknown[];
  }

  private *list(depth: number): Slices<unknown[]> {
    const list: unknown[] = [];
    this.at++;
    if (this.isSpaceOrPause) yield* this.skipSpace();
    if (this.takes(CLOSE)) return list;
    for (;;) {
      list.push(this.isScalar ? this.scalar() : yield* this.value(depth + 1));
      if (this.isSpaceOrPause) yield* this.skipSpace();
      if (this.takes(CLOSE)) return list;
      if (!this.takes(COMMA)) throw this.error();
      if (this.isSpaceOrPause) yield* this.skipSpace();
    }
  }

  private *object(depth: number): Slices<object> {
    const object: Record<string, unknown> = {};
    let keys = 0;
    this.at++;
    yield* this.skipSpace();
    if (this.takes(CLOSE_BRACE)) return object;
    for (;;) {
      if (++keys > MAX_KEYS) throw new RpcError('tooLarge', `an object of more than ${MAX_KEYS} keys is not accepted`);
      if (this.text.charCodeAt(this.at) !== QUOTE) throw this.error();
      const key = yield* this.string();
      yield* this.skipSpace();
      if (!this.takes(COLON)) throw this.error();
      yield* this.skipSpace();
      const value = yield* this.value(depth + 1);
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
      else object[key] = value;
      yield* this.skipSpace();
      if (this.takes(CLOSE_BRACE)) return object;
      if (!this.takes(COMMA)) throw this.error();
      yield* this.skipSpace();
    }
  }

  private *string(): Slices<string> {
    const { text, at } = this;
    for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
      if (end < 0) throw this.error();
      if (end - at > MAX_STRING_LENGTH)
        throw new RpcError('tooLarge', `a text of more than ${MAX_STRING_LENGTH} characters is not accepted`);
      if (this.isEscaped(end)) continue;
      this.at = end + 1;
      if (this.at >= this.pauseAt) yield* this.pause();
      return this.native(at, end + 1) as string;
    }
  }

  /** True if the next value is neither list, object nor string, or if there is none. */
  private get isScalar(): boolean {
    const code = this.text.charCodeAt(this.at);
    return code !== QUOTE && code !== OPEN && code !== OPEN_BRACE;
  }

  private get isSpaceOrPause(): boolean {
    return this.at >= this.pauseAt || this.text.charCodeAt(this.at) <= 0x20;
  }

  private isEscaped(quote: number): boolean {
    let first = quote;
    while (this.text.charCodeAt(first - 1) === BACKSLASH) first--;
    return (quote - first) % 2 === 1;
  }

  private scalar(): unknown {
    SCALAR.lastIndex = this.at;
    if (!SCALAR.test(this.text)) throw this.error();
    const from = this.at;
    this.at = SCALAR.lastIndex;
    return this.native(from, this.at);
  }

  private takes(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  private *skipSpace(): Slices<void> {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
      if (++this.at >= this.pauseAt) yield* this.pause();
    }
    if (this.at >= this.pauseAt) yield* this.pause();
  }

  private *pause(): Slices<void> {
    this.pauseAt = this.at + this.chunk;
    yield;
  }

  private native(from: number, to: number): unknown {
    try {
      return JSON.parse(this.text.slice(from, to));
    } catch {
      throw this.error();
    }
  }

  private error(): RpcError {
    const { text } = this;
    return new RpcError('parse', `this is not JSON: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
  }
}

/**
 * Bytes of a part of a WebAssembly function, in execution order. Nested: parts are joined without copying, and
 * flattened once by `ModuleBuilder.build`.
 */
export type Code = readonly (number | Code)[];

/** Value types of locals, parameters and results. */
export const I32 = 0x7f;
export const V128 = 0x7b;

/** Block without a result. */
const VOID = 0x40;
const SIMD = 0xfd;

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    const rest = Math.floor(value / 128);
    bytes.push((value % 128) + (rest > 0 ? 128 : 0));
    value = rest;
  } while (value > 0);
  return bytes;
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    const isLast = (value === 0 && (byte & 64) === 0) || (value === -1 && (byte & 64) !== 0);
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

/** Memory operand: alignment as a power of two, and constant offset. */
const at = (align: number, offset: number): Code => [align, unsigned(offset)];
const bytesOf = (array: Float32Array | Float64Array | Int32Array): Code => [...new Uint8Array(array.buffer)];

const binary =
  (opcode: number | Code) =>
  (a: Code, b: Code): Code => [a, b, opcode];
const unary =
  (opcode: number | Code) =>
  (a: Code): Code => [a, opcode];
const simd = (opcode: number): Code => [SIMD, unsigned(opcode)];
const vector2 = (opcode: number) => binary(simd(opcode));
const vector1 = (opcode: number) => unary(simd(opcode));

/** Integers: addresses, counts, lane masks. */
export const i32 = {
  const: (value: number): Code => [0x41, signed(value)],
  load: (address: Code, offset = 0): Code => [address, 0x28, at(2, offset)],
  store: (address: Code, offset: number, value: Code): Code => [address, value, 0x36, at(2, offset)],
  isZero: unary(0x45),
  equal: binary(0x46),
  less: binary(0x48),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
};

/** Four single-precision lanes. Comparisons return lane masks (all bits set: true). */
export const f32x4 = {
  const: (value: number): Code => [simd(0x0c), bytesOf(new Float32Array(4).fill(value))],
  /** Loads one number into all lanes. */
  loadSplat: (address: Code, offset: number): Code => [address, simd(0x09), at(2, offset)],
  lessThan: vector2(0x43),
  greaterThan: vector2(0x44),
  abs: vector1(0xe0),
  sqrt: vector1(0xe3),
  add: vector2(0xe4),
  sub: vector2(0xe5),
  mul: vector2(0xe6),
  /** NaN if an operand is NaN. */
  max: vector2(0xe9),
  /** Rounds two double-precision lanes to single precision; the upper lanes are 0. */
  demote: vector1(0x5e),
};

/** Two double-precision lanes. */
export const f64x2 = {
  const: (value: number): Code => [simd(0x0c), bytesOf(new Float64Array(2).fill(value))],
  loadSplat: (address: Code, offset: number): Code => [address, simd(0x0a), at(3, offset)],
  nearest: vector1(0x94),
  add: vector2(0xf0),
  sub: vector2(0xf1),
  mul: vector2(0xf2),
};

/** Four 32-bit integer lanes. */
export const i32x4 = {
  const: (value: number): Code => [simd(0x0c), bytesOf(new Int32Array(4).fill(value))],
  /** Converts two double-precision lanes; the upper lanes are 0. */
  truncate: vector1(0xfc),
  notEqual: vector2(0x38),
  add: vector2(0xae),
  shiftLeft: (a: Code, bits: number): Code => [a, i32.const(bits), simd(0xab)],
  /** 1 if every lane is different from zero. */
  allTrue: vector1(0xa3),
  /** Sign bits of the lanes, lane 0 in bit 0. */
  bitmask: vector1(0xa4),
};

/** All 128 bits. */
export const v128 = {
  load: (address: Code, offset: number): Code => [address, simd(0x00), at(4, offset)],
  store: (address: Code, offset: number, value: Code): Code => [address, value, simd(0x0b), at(4, offset)],
  and: vector2(0x4e),
  or: vector2(0x50),
  xor: vector2(0x51),
  /** The bits of `a` where `mask` is set, those of `b` elsewhere. */
  select: (a: Code, b: Code, mask: Code): Code => [a, b, mask, simd(0x52)],
  /** The lower 64 bits of `a`, then those of `b`. */
  lowHalves: (a: Code, b: Code): Code => [a, b, simd(0x0d), [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]],
};

/** Statements. */
export const control = {
  if: (condition: Code, then: Code, otherwise?: Code): Code => [
    [condition, 0x04, VOID, then],
    otherwise ? [0x05, otherwise] : [],
    0x0b,
  ],
  /** Repeats the statements while `condition` is not 0. */
  while: (condition: Code, statements: Code): Code => [
    [0x02, VOID, 0x03, VOID, condition, 0x45, 0x0d, 1],
    [statements, 0x0c, 0, 0x0b, 0x0b],
  ],
  return: (value: Code): Code => [value, 0x0f],
};

/** Local variable or parameter of a function. */
export class Local {
  /** Reads the variable. */
  readonly get: Code;

  constructor(private readonly index: number) {
    this.get = [0x20, unsigned(index)];
  }

  /** Assigns a value. */
  set(value: Code): Code {
    return [value, 0x21, unsigned(this.index)];
  }
}

/** Function under construction. Parameters are integers; the result, if there is one, is an integer. */
export class FunctionBuilder {
  readonly parameters: readonly Local[];
  private readonly locals: number[] = [];
  private readonly body: Code[] = [];

  constructor(
    /** Position in the module. */
    readonly index: number,
    readonly parameterCount: number,
    readonly hasResult: boolean,
  ) {
    this.parameters = Array.from({ length: parameterCount }, (_, i) => new Local(i));
  }

  /** Declares a variable. */
  local(type: number): Local {
    this.locals.push(type);
    return new Local(this.parameterCount + this.locals.length - 1);
  }

  /** Declares several variables of four lanes. */
  vectors(count: number): Local[] {
    return Array.from({ length: count }, () => this.local(V128));
  }

  /** Appends statements. */
  emit(...statements: Code[]): void {
    this.body.push(...statements);
  }

  /** Calls this function. */
  call(...given: Code[]): Code {
    return [given, 0x10, unsigned(this.index)];
  }

  /** Type as in the type section. */
  get type(): Code {
    const parameters = new Array<number>(this.parameterCount).fill(I32);
    return [0x60, [parameters.length, parameters], this.hasResult ? [1, I32] : [0]];
  }

  /** Entry of the code section. */
  get code(): Code {
    return sized([list(this.locals.map((type) => [1, type])), this.body, 0x0b]);
  }
}

/** Module of functions that share one memory, which is exported as `memory`. */
export class ModuleBuilder {
  private readonly functions: FunctionBuilder[] = [];
  private readonly exported: [string, FunctionBuilder][] = [];

  /** Adds a function; with a name, it is exported. */
  function(parameterCount: number, hasResult: boolean, name?: string): FunctionBuilder {
    const added = new FunctionBuilder(this.functions.length, parameterCount, hasResult);
    this.functions.push(added);
    if (name !== undefined) this.exported.push([name, added]);
    return added;
  }

  /** Returns the module in the binary format of WebAssembly. */
  build(): Uint8Array<ArrayBuffer> {
    const { functions, exported } = this;
    const exports = exported.map(([name, { index }]) => [text(name), 0x00, unsigned(index)]);
    return Uint8Array.from(
      bytes([
        [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        section(1, list(functions.map(({ type }) => type))),
        section(3, list(functions.map((_, i) => unsigned(i)))),
        section(5, list([[0x00, 1]])),
        section(7, list([[text('memory'), 0x02, 0], ...exports])),
        section(10, list(functions.map(({ code }) => code))),
      ]),
    );
  }
}

/** Flattens nested code. */
function bytes(code: Code, out: number[] = []): number[] {
  for (const item of code) {
    if (typeof item === 'number') out.push(item);
    else bytes(item, out);
  }
  return out;
}

const list = (items: readonly Code[]): Code => [unsigned(items.length), items];
const section = (id: number, content: Code): Code => [id, sized(content)];
const text = (name: string): Code => sized([...name].map((letter) => letter.charCodeAt(0)));

/** Content with its length in bytes before it. */
function sized(content: Code): Code {
  const flat = bytes(content);
  return [unsigned(flat.length), flat];
}

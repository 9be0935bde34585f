import { describe, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { ContentSnapshot } from '../../src/scene/contentSnapshot.ts';

const random = new Random(5, 0);
const pick = (count: number) => Math.floor(random.next() * count);

/** Random data as JSON describes it, with lists of numbers and of points among others. */
function randomData(depth: number): unknown {
  const kind = depth === 0 ? pick(4) : pick(8);
  if (kind === 0) return random.next() - 0.5;
  if (kind === 1) return ['a', 'b', ''][pick(3)];
  if (kind === 2) return [true, false, null, undefined][pick(4)];
  if (kind === 3) return [0, -0, 1, Number.POSITIVE_INFINITY][pick(4)];
  if (kind === 4) return Array.from({ length: pick(4) }, () => random.next());
  if (kind === 5) return Array.from({ length: pick(4) }, () => [random.next(), pick(3), random.next()]);
  if (kind === 6) return Array.from({ length: pick(4) }, () => randomData(depth - 1));
  return Object.fromEntries(Array.from({ length: pick(4) }, (_, i) => [`k${i}`, randomData(depth - 1)]));
}

type Holder = Record<string, unknown>;

/** All places below a value: an object or list, and a key of it. */
function placesIn(value: unknown): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Holder, string], ...placesIn(holder[key])]);
}

/** A value that is not the same; for a list or object, of the same kind. */
function changed(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? -value : value * (1 + Number.EPSILON);
  if (Array.isArray(value)) return pick(2) === 0 ? [...value, 1] : { ...value };
  if (typeof value === 'object' && value !== null) return { ...value, another: undefined };
  return value === 'a' ? 'A' : 'a';
}

/** The content as text, in the order of fields, with the bits of each number. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${Array.from(value as Float64Array, textOf)})`;
  if (Array.isArray(value)) return `[${Array.from(value, textOf)}]`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${JSON.stringify(value)}`;
  const prototype = Object.getPrototypeOf(value);
  const kind = prototype === null || prototype === Object.prototype ? '' : 'instance';
  return `${kind}{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)}}`;
}

/** Changes the content at a place, or replaces it by an equal one. */
const edits: ((holder: Holder, key: string) => void)[] = [
  (holder, key) => {
    holder[key] = [0, -0, Number.NaN, 1, '', null, undefined, [], {}, [[]], [[1, 2, 3]]][pick(11)];
  },
  (holder, key) => {
    holder[key] = structuredClone(holder[key]);
  },
  (holder, key) => {
    holder[key] = [Float64Array, Float32Array, Int32Array][pick(3)].from([pick(2), -0]);
  },
  (holder, key) => {
    const last = holder[key];
    delete holder[key]; // an item of a list then is a hole, which reads as undefined
    if (pick(2) === 0) holder[key] = last; // the same fields in another order
  },
  (holder, key) => {
    const keys = Object.keys(holder);
    const other = keys[pick(keys.length)];
    [holder[key], holder[other]] = [holder[other], holder[key]];
  },
  (holder) => {
    if (Array.isArray(holder)) holder.length = pick(holder.length + 2);
    else holder[`k${pick(5)}`] = pick(2);
  },
  (holder, key) => {
    const value = holder[key];
    if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return;
    Object.setPrototypeOf(value, [null, Object.prototype, { k0: 1 }, Map.prototype][pick(4)]);
  },
];

describe('ContentSnapshot', () => {
  test('matches exactly the data that have the same text, after any sequence of changes in place', () => {
    const counts = { same: 0, different: 0 };
    for (let round = 0; round < 800; round++) {
      const data: Holder = { root: randomData(4) };
      const snapshot = ContentSnapshot.of(data)!;
      const before = textOf(data);
      for (let change = 0; change < 4; change++) {
        const places = placesIn(data).filter(([holder]) => !ArrayBuffer.isView(holder));
        if (places.length === 0) break;
        const [holder, key] = places[pick(places.length)];
        edits[pick(edits.length)](holder, key);
        const isSame = textOf(data) === before;
        counts[isSame ? 'same' : 'different']++;
        if (snapshot.matches(data) !== isSame) throw new Error(`${isSame}: ${before}; ${textOf(data)}`);
        if (ContentSnapshot.of(data)?.matches(data) === false) throw new Error(textOf(data));
      }
    }
    expect(counts.same).toBeGreaterThan(200);
    expect(counts.different).toBeGreaterThan(1500);
  });

  test('matches the data and its copy, and no data with one change at any place', () => {
    let changes = 0;
    for (let round = 0; round < 300; round++) {
      const data = { root: randomData(4) };
      const snapshot = ContentSnapshot.of(data)!;
      expect(snapshot.matches(data)).toBe(true);
      expect(snapshot.matches(structuredClone(data))).toBe(true);
      for (const [holder, key] of placesIn(data)) {
        const before = holder[key];
        holder[key] = changed(before);
        if (Object.is(holder[key], before)) continue;
        changes++;
        expect(snapshot.matches(data), `${key}: ${JSON.stringify(before)} in ${JSON.stringify(data)}`).toBe(false);
        holder[key] = before;
      }
      expect(snapshot.matches(data)).toBe(true);
    }
    expect(changes).toBeGreaterThan(500);
  });

  test('compares the holes of a list as undefined', () => {
    const hole = (...list: unknown[]) => Object.assign(new Array(1), { 1: list[0], length: 2 });
    const text = ContentSnapshot.of({ a: hole('x'), b: 'y' })!;
    expect(text.matches({ a: hole('x'), b: 'y' })).toBe(true);
    expect(text.matches({ a: ['x', 'y'], b: undefined })).toBe(false);
    for (const item of [1, [1]]) {
      const snapshot = ContentSnapshot.of({ a: hole(item), b: 1 });
      expect(snapshot!.matches({ a: hole(item), b: 1 })).toBe(true);
      expect(snapshot!.matches({ a: [item, item], b: 1 })).toBe(false);
    }
  });

  test('notices removed, added, renamed and reordered fields', () => {
    const data: Holder = { a: 1, b: [[1, 2, 3]] };
    const snapshot = ContentSnapshot.of(data)!;
    for (const other of [
      { a: 1 },
      { ...data, c: undefined },
      { a: 1, c: data.b },
      { b: data.b, a: 1 },
      [1, data.b],
      null,
    ])
      expect(snapshot.matches(other)).toBe(false);
    expect(snapshot.matches({ ...data })).toBe(true);
  });

  test('compares typed arrays by type and numbers', () => {
    const data = { row: Float64Array.of(1, 2) };
    const snapshot = ContentSnapshot.of(data)!;
    expect(snapshot.matches({ row: Float64Array.of(1, 2) })).toBe(true);
    expect(snapshot.matches({ row: Float32Array.of(1, 2) })).toBe(false);
    expect(snapshot.matches({ row: [1, 2] })).toBe(false);
    data.row[1] = 3;
    expect(snapshot.matches(data)).toBe(false);
  });

  test('is not taken of functions, instances, hidden fields, and data that contains itself', () => {
    const loop: Holder = {};
    loop.other = loop.loop = loop;
    const hidden = Object.defineProperty({}, 'a', { value: 1, enumerable: false });
    for (const opaque of [() => 1, { f: () => 1 }, [new Map()], { a: Symbol('s') }, hidden, loop])
      expect(ContentSnapshot.of(opaque)).toBeUndefined();
  });
});

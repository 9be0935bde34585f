import { expect as vitestExpect } from 'vitest';

export * from 'vitest';
export { vitestExpect };

/**
 * The `expect` of vitest, without its cost of 10 µs for each assertion that holds: comparisons of plain values are
 * decided here if they hold. All others, in particular those that fail, are left to vitest, which decides them again
 * and words the failure. vitest.config.ts imports this module in place of vitest.
 */
export const expect: typeof vitestExpect = new Proxy(vitestExpect, {
  apply: (_, __, [value, message]: [unknown, string?]) => new Assertion(value, message),
});

class Assertion {
  private readonly value: unknown;
  private readonly message: string | undefined;

  constructor(value: unknown, message: string | undefined) {
    this.value = value;
    this.message = message;
  }

  toBe(expected: unknown): void {
    if (!Object.is(this.value, expected)) this.decided().toBe(expected);
  }
  toEqual(expected: unknown): void {
    if (!isSurelyEqual(this.value, expected)) this.decided().toEqual(expected);
  }
  toBeLessThan(bound: number): void {
    const { value } = this;
    if (!(isNumber(value) && isNumber(bound) && value < bound)) this.decided().toBeLessThan(bound);
  }
  toBeLessThanOrEqual(bound: number): void {
    const { value } = this;
    if (!(isNumber(value) && isNumber(bound) && value <= bound)) this.decided().toBeLessThanOrEqual(bound);
  }
  toBeGreaterThan(bound: number): void {
    const { value } = this;
    if (!(isNumber(value) && isNumber(bound) && value > bound)) this.decided().toBeGreaterThan(bound);
  }
  toBeGreaterThanOrEqual(bound: number): void {
    const { value } = this;
    if (!(isNumber(value) && isNumber(bound) && value >= bound)) this.decided().toBeGreaterThanOrEqual(bound);
  }
  toBeCloseTo(expected: number, digits = 2): void {
    const { value } = this;
    const isClose = isNumber(value) && isNumber(expected) && Math.abs(value - expected) < 10 ** -digits / 2;
    if (!isClose) this.decided().toBeCloseTo(expected, digits);
  }
  toBeUndefined(): void {
    if (this.value !== undefined) this.decided().toBeUndefined();
  }
  toBeDefined(): void {
    if (this.value === undefined) this.decided().toBeDefined();
  }

  /** The assertion of vitest. */
  decided() {
    return vitestExpect(this.value, this.message);
  }
}

// `not`, `resolves`, `toThrow` and whatever else vitest has.
const reference = vitestExpect(undefined) as unknown as Record<string, unknown>;
for (let level = Object.getPrototypeOf(reference); level !== Object.prototype; level = Object.getPrototypeOf(level))
  for (const name of Object.getOwnPropertyNames(level)) if (!(name in Assertion.prototype)) leaveToVitest(name);

function leaveToVitest(name: string): void {
  Object.defineProperty(Assertion.prototype, name, {
    get(this: Assertion) {
      const assertion = this.decided() as unknown as Record<string, (...given: unknown[]) => unknown>;
      return name.startsWith('to') && name !== 'to'
        ? (...given: unknown[]) => assertion[name](...given)
        : assertion[name];
    },
  });
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** True for identical values, and for arrays of identical elements and nothing else. */
function isSurelyEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return Object.keys(a).length === a.length && Object.keys(b).length === b.length;
}

import { PI } from '../../core/math/trigonometry.ts';

/**
 * Dimension of a number: none (interpreted in SI units by the field that it is for), length or angle, each per second
 * to some power.
 */
export interface Dimension {
  readonly base: 'none' | 'length' | 'angle';
  /** 0: the quantity itself, 1: its velocity, 2: its acceleration, 3: its jerk. */
  readonly perSecond: 0 | 1 | 2 | 3;
}

/** A number in SI units and radians. */
export interface Quantity {
  readonly value: number;
  readonly dimension: Dimension;
}

/** Evaluates an expression; returns an error message if it is invalid. Implemented in `expressions.ts`. */
export type Evaluate = (text: string) => Quantity | string;

/** Characters. Longer texts are rejected. */
export const MAX_EXPRESSION_LENGTH = 200;

/** Units of scene files: dimension and factor to SI units. */
export const units: Readonly<Record<string, readonly ['length' | 'angle', number]>> = {
  m: ['length', 1],
  dm: ['length', 0.1],
  cm: ['length', 0.01],
  mm: ['length', 0.001],
  um: ['length', 1e-6],
  µm: ['length', 1e-6],
  km: ['length', 1000],
  in: ['length', 0.0254],
  inch: ['length', 0.0254],
  ft: ['length', 0.3048],
  rad: ['angle', 1],
  mrad: ['angle', 0.001],
  deg: ['angle', PI / 180],
  '°': ['angle', PI / 180],
};

const number = String.raw`\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?`;
const plain = new RegExp(
  String.raw`^([-+]?)\s*(?:(${number})\s*(\*?\s*pi)?|(pi))(?:\s*/\s*(${number}))?` +
    String.raw`(?:\s*([a-zµ°]+)(?:\s*/\s*s(?:\^([123])|([²³]))?)?)?$`,
  'i',
);
const perSecond = /\/\s*s(?:\^[123]|[²³])?\s*$/i;

/**
 * Parses a number with an optional unit: `-1.5`, `-90 deg`, `20 mm`, `pi/2`, `3*pi/4`, `180 deg/s`, `10 rad/s^2`.
 * Expressions are passed to `evaluate`. Returns an error message if the text is invalid, and 'expression' if it is an
 * expression and `evaluate` is absent.
 */
export function readQuantity(text: string, evaluate?: Evaluate): Quantity | string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_EXPRESSION_LENGTH) return `longer than ${MAX_EXPRESSION_LENGTH} characters`;
  const match = plain.exec(trimmed);
  if (match !== null) {
    const quantity = readPlain(match, trimmed);
    if (quantity !== undefined) return quantity;
  }
  if (!mayBeExpression(trimmed)) return 'not a number';
  return evaluate === undefined ? 'expression' : evaluate(trimmed);
}

/** Returns the name of a dimension for messages: `a length`, `an angle per second squared`. */
export function nameOf({ base, perSecond: power }: Dimension): string {
  const name = base === 'none' ? 'a number' : base === 'length' ? 'a length' : 'an angle';
  return power === 0 ? name : `${name} per second${power === 1 ? '' : power === 2 ? ' squared' : ' cubed'}`;
}

function readPlain(match: RegExpExecArray, text: string): Quantity | undefined {
  const [, sign, digits, timesPi, pi, divisor, unit, power, superscript] = match;
  const factor = (digits === undefined ? 1 : Number(digits)) * (timesPi !== undefined || pi !== undefined ? PI : 1);
  const magnitude = divisor === undefined ? factor : factor / Number(divisor);
  const value = sign === '-' ? -magnitude : magnitude;
  if (!Number.isFinite(value)) return undefined;
  if (unit === undefined) return { value, dimension: { base: 'none', perSecond: 0 } };
  if (!Object.hasOwn(units, unit)) return undefined;
  const [base, scale] = units[unit];
  const rate = perSecond.test(text) ? Number(power ?? (superscript === '²' ? 2 : superscript === '³' ? 3 : 1)) : 0;
  if (!Number.isFinite(value * scale)) return undefined;
  return { value: value * scale, dimension: { base, perSecond: rate as Dimension['perSecond'] } };
}

/**
 * Returns true if a text may be arithmetic or a function call. The expression library is not loaded for names and
 * sentences.
 */
function mayBeExpression(text: string): boolean {
  return /[\d)]|\bpi\b/.test(text) && /[-+*/^()\s]/.test(text) && /^[\w\s.+\-*/^()°µ²³]+$/.test(text);
}

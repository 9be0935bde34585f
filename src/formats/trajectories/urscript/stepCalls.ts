import type { TrajectoryEvent } from '../../../core/trajectory/trajectory.ts';
import { InputError } from '../../../errors.ts';
import { shown } from '../trajectoryFormat.ts';

/** Function that a script of a program calls at the beginning of each motion and wait, with the index of the step. */
export const ON_STEP = 'on_step';
/** Functions that a script of a program calls at events. */
export const [ON_ATTACH, ON_DETACH, ON_SET] = ['on_attach', 'on_detach', 'on_set_'] as const;

/** Function that a script of a program calls when a signal of a tool path changes, with its value. */
export const ON_SIGNAL = 'on_signal';

/** Outputs that a controller sets itself: `set: {digital_out: [0, true]}`. */
const DIGITAL_OUTPUTS: ReadonlySet<string> = new Set([
  'digital_out',
  'standard_digital_out',
  'configurable_digital_out',
  'tool_digital_out',
]);

/** Largest magnitude of numbers that are passed to functions: that of a controller's integers. */
const MAX_NUMBER = 2 ** 31 - 1;
/** Relative rounding error of a number with twelve decimals that is accepted. */
const MAX_ROUNDING = 1e-9;

/** True for functions that the user of a script defines; the script of a program calls them. */
export const isEventFunction = (name: string): boolean =>
  [ON_STEP, ON_ATTACH, ON_DETACH, ON_SIGNAL].includes(name) || name.startsWith(ON_SET);

/** Returns the call that begins a motion or wait. */
export const stepCall = (step: number): string => `${ON_STEP}(${step})`;

/** Returns the call of a signal. */
export const signalCall = (on: boolean): string => `${ON_SIGNAL}(${on ? 'True' : 'False'})`;

/**
 * Returns the calls of an event, in order; none for changes of allowed pairs, which controllers do not need. Throws
 * `InputError` if a value cannot be passed to a function of a script.
 */
export function eventCalls(event: TrajectoryEvent): string[] {
  const { step, attach, link, detach, set } = event;
  const place = `step ${step}`;
  if (attach !== undefined)
    return [
      callText(
        ON_ATTACH,
        [attach, link].map((name) => valueText(name, place)),
      ),
    ];
  if (detach !== undefined) return [callText(ON_DETACH, [valueText(detach, place)])];
  if (set === undefined) return [];
  if (typeof set !== 'object' || set === null || Array.isArray(set))
    throw refusal(place, `${shown(set)} is no mapping of names to values`);
  return Object.entries(set).map(([key, value]) => outputCall(key, value, place));
}

/** Returns the text of a call, the same for a call that is written and one that is executed. */
export const callText = (name: string, values: readonly string[]): string => `${name}(${values.join(', ')})`;

function outputCall(key: string, value: unknown, place: string): string {
  if (!/^[A-Za-z]\w*$/.test(key)) throw refusal(place, `${shown(key)} is no name of a function`);
  if (!DIGITAL_OUTPUTS.has(key)) return callText(`${ON_SET}${key}`, [valueText(value, `${place}: ${key}`)]);
  const [port, level] = Array.isArray(value) && value.length === 2 ? value : [];
  if (!Number.isSafeInteger(port) || port < 0 || typeof level !== 'boolean')
    throw new InputError(
      `${place}: ${key}: ${shown(value)} is no digital output`,
      'Give the number of the output and its level: [0, true].',
    );
  return callText(`set_${key}`, [valueText(port, place), valueText(level, place)]);
}

/** Returns the text of a number, text, truth value or list of these. */
function valueText(value: unknown, place: string): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return numberText(value, place);
  if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value) && !/["\\]/.test(value)) return `"${value}"`;
  const isFlat = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');
  if (isFlat) return `[${value.map((item) => numberText(item, place)).join(', ')}]`;
  throw refusal(place, `${shown(value)} is no number, text of ASCII characters, truth value or list of numbers`);
}

function numberText(value: number, place: string): string {
  const text = decimal(value);
  const isKept = Math.abs(value) <= MAX_NUMBER && Math.abs(Number(text) - value) <= MAX_ROUNDING * Math.abs(value);
  if (isKept) return text;
  throw refusal(place, `${value} has no form with twelve decimals`);
}

/** Formats a number with at most twelve decimals and without exponent, which URScript does not have. */
export function decimal(value: number): string {
  const text = value.toFixed(12).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

const refusal = (place: string, what: string) =>
  new InputError(`${place}: urscript cannot carry it: ${what}`, 'Use --format json, csv, ros-yaml or mcap.');

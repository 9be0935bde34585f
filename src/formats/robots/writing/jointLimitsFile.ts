import type * as z from 'zod';
import { PI } from '../../../core/math/trigonometry.ts';
import { nearestName } from '../../../errors.ts';
import { type Diagnostic, type Path, parseSource, type SourceText } from '../../text/sourceText.ts';
import { structureDiagnostics } from '../../text/structure.ts';

/** Limits of one joint that a file in the style of MoveIt states; rad or m, per s, s², s³. */
export interface StatedLimits {
  readonly lower?: number;
  readonly upper?: number;
  readonly velocity?: number;
  readonly acceleration?: number;
  readonly jerk?: number;
}

/** Content of a `joint_limits.yaml`. */
export interface JointLimitsFile {
  readonly limits: ReadonlyMap<string, StatedLimits>;
  readonly warnings: readonly string[];
}

/** Keys around `joint_limits` in parameter files of ROS. */
const WRAPPERS = ['/**', 'ros__parameters', 'robot_description_planning'];
/** Keys beside `joint_limits` that are defaults of requests. */
const DEFAULTS = ['default_velocity_scaling_factor', 'default_acceleration_scaling_factor'];

/**
 * Reads the joint limits of a MoveIt configuration (`joint_limits.yaml`). A quantity counts unless its `has_…_limits`
 * is false. Throws errors with file and line.
 */
export async function readJointLimits(text: string, file: string): Promise<JointLimitsFile> {
  const source = await parseSource(withoutAngleTags(text), file, '1.1');
  const { table, path, ignored } = await findTable(source);
  const { jointLimitsSchema } = await import('./jointLimitsSchema.ts');
  const found = structureDiagnostics(jointLimitsSchema, table);
  const diagnostics = found.map((one): Diagnostic => ({ ...one, path: [...path, ...one.path] }));
  if (diagnostics.length > 0) throw await source.errors(diagnostics);
  const entries = Object.entries(table as z.output<typeof jointLimitsSchema>);
  const zeros = entries.flatMap(([name, joint]) => zeroRates(joint).map((key) => [...path, name, key]));
  if (zeros.length > 0)
    throw await source.errors(zeros.map((at) => ({ path: at, what: 'it is 0, must not be 0', note: NONZERO })));
  const limits = new Map(entries.map(([name, joint]) => [name, limitsOf(joint)]));
  const reversed = [...limits].filter(
    ([, { lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY }]) => upper < lower,
  );
  if (reversed.length > 0)
    throw await source.errors(
      reversed.map(([name, { lower, upper }]) => ({
        path: [...path, name],
        what: `min_position ${lower} is above max_position ${upper}`,
        note: 'Exchange them; or write has_position_limits: false for a joint without limit.',
      })),
    );
  const warnings = [
    ...ignored.map((key) => `${file}: ${key} is not a limit: it is ignored`),
    ...entries.flatMap(([name, joint]) => missingValues(joint).map((what) => `${file}: joint "${name}": ${what}`)),
  ];
  return { limits, warnings };
}

/**
 * Replaces numbers with the tags `!degrees` and `!radians` of xacro by radians: the files of descriptions, as those of
 * Universal Robots, have them. Lines stay the same.
 */
const withoutAngleTags = (text: string): string =>
  text.replace(
    /(:[ \t]+)!(degrees|radians)[ \t]+([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?=[ \t]*(?:[,}#\r\n]|$))/gi,
    (_, before: string, unit: string, digits: string) =>
      before + String(unit.toLowerCase() === 'degrees' ? (Number(digits) * PI) / 180 : Number(digits)),
  );

async function findTable(source: SourceText): Promise<{ table: object; path: Path; ignored: readonly string[] }> {
  const path: string[] = [];
  let at = source.data;
  for (;;) {
    if (typeof at !== 'object' || at === null || Array.isArray(at))
      throw await source.errors([{ path, what: 'there is no joint_limits', note: FORM }]);
    const keys = Object.keys(at);
    const next = ['joint_limits', ...WRAPPERS].find((key) => keys.includes(key));
    const others = keys.filter((key) => key !== next && !(next === 'joint_limits' && DEFAULTS.includes(key)));
    if (next === undefined || others.length > 0) throw await source.errors([wrongKey(path, next, others)]);
    path.push(next);
    at = (at as Record<string, unknown>)[next];
    if (next !== 'joint_limits') continue;
    if (typeof at !== 'object' || at === null || Array.isArray(at))
      throw await source.errors([{ path, what: 'it is no mapping of joints to their limits', note: FORM }]);
    return { table: at, path, ignored: keys.filter((key) => key !== next) };
  }
}

function wrongKey(path: Path, next: string | undefined, others: readonly string[]): Diagnostic {
  const near = others.length === 0 ? undefined : nearestName(others[0], ['joint_limits', ...DEFAULTS]);
  if (next === undefined && near === undefined) return { path, what: 'there is no joint_limits', note: FORM };
  return {
    path: [...path, others[0]],
    what: 'unknown key',
    note: near === undefined ? FORM : `Did you mean "${near}"?`,
  };
}

const NONZERO = 'Write a value above 0, or false for its has_…_limits.';
const FORM =
  'The form is that of MoveIt: joint_limits: {JOINT: {has_velocity_limits: true, max_velocity: …, ' +
  'has_acceleration_limits: true, max_acceleration: …}}.';

/** A joint as the schema reads it. */
interface JointEntry {
  readonly [key: string]: number | boolean | undefined;
}

/** Rates of joints with the flag that says whether they count. */
const RATES = [
  ['has_velocity_limits', 'max_velocity'],
  ['has_acceleration_limits', 'max_acceleration'],
  ['has_deceleration_limits', 'max_deceleration'],
  ['has_jerk_limits', 'max_jerk'],
] as const;

/** Returns the keys of rates that count and are 0. */
const zeroRates = (joint: JointEntry): string[] =>
  RATES.flatMap(([flag, key]) => (joint[flag] !== false && joint[key] === 0 ? [key] : []));

/** Returns a warning for each flag that is true without its value. */
const missingValues = (joint: JointEntry): string[] =>
  [
    ...RATES.map(([flag, key]) => [flag, key, 'limit'] as const),
    ['has_position_limits', 'min_position', 'lower limit'] as const,
    ['has_position_limits', 'max_position', 'upper limit'] as const,
  ].flatMap(([flag, key, what]) =>
    joint[flag] === true && joint[key] === undefined
      ? [`${flag} is true, but ${key} is missing: no ${what} is read`]
      : [],
  );

function limitsOf(joint: JointEntry): StatedLimits {
  const value = (flag: string, key: string): number | undefined =>
    joint[flag] === false ? undefined : (joint[key] as number | undefined);
  const rates = {
    velocity: value('has_velocity_limits', 'max_velocity'),
    acceleration: least(
      value('has_acceleration_limits', 'max_acceleration'),
      value('has_deceleration_limits', 'max_deceleration'),
    ),
    jerk: value('has_jerk_limits', 'max_jerk'),
    lower: value('has_position_limits', 'min_position'),
    upper: value('has_position_limits', 'max_position'),
  };
  return Object.fromEntries(Object.entries(rates).filter(([, limit]) => limit !== undefined));
}

function least(acceleration: number | undefined, deceleration: number | undefined): number | undefined {
  if (deceleration === undefined) return acceleration;
  return Math.min(Math.abs(deceleration), acceleration ?? Number.POSITIVE_INFINITY);
}

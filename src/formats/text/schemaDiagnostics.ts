import type { z } from 'zod';
import { jsonText, ownValue, suggestion } from '../../errors.ts';
import { jointNote, meantKey, otherWord } from './otherWords.ts';
import type { Diagnostic, Path } from './sourceText.ts';

type Issue = z.core.$ZodIssue;

/** Limit of the issues, and of the unknown keys of one of them, that are reported. */
export const MAX_ISSUES = 100;

/** Converts the issues of a zod validation to diagnostics, which name the value and how to fix it. */
export function diagnosticsOf(issues: readonly Issue[], data: unknown, path: Path = []): Diagnostic[] {
  const isOfWrongType = ({ path: at }: Issue) =>
    issues.some((one) => one.code === 'invalid_type' && one.path.join('\n') === at.join('\n'));
  return causesFirst(issues, data).flatMap((issue) => {
    // a value of another type has no size
    if ((issue.code === 'too_small' || issue.code === 'too_big') && isOfWrongType(issue)) return [];
    const here = [...path, ...(issue.path as Path)];
    const value = valueAt(data, issue.path as Path);
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.slice(0, MAX_ISSUES).map((key) => unknownKey(here, key, issue.message.split(',')));
      case 'invalid_union':
        return ofUnion(issue, value, here);
      case 'invalid_type':
        return ofType(here, value, issue.expected);
      case 'invalid_key':
        return {
          path: here,
          what: 'a pose is given where joint values are required',
          note: 'Give one value per planned joint, {JOINT: value}, or the name of a state.',
        };
      case 'invalid_value':
        return oneOf(here, value, issue.values.map(String));
      case 'too_small':
      case 'too_big':
        return { path: here, what: ofSize(issue, value) };
      default:
        return { path: here, what: `${show(value)}: ${issue.message}` };
    }
  });
}

/**
 * Puts the unknown keys of a mapping before its other issues, and leaves out the required keys that are missing because
 * an unknown one is written for them.
 */
function causesFirst(issues: readonly Issue[], data: unknown): Issue[] {
  const unknown = new Map(
    issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? [[issue.path.join('\n'), issue] as const] : [])),
  );
  if (unknown.size === 0) return [...issues];
  const ordered = new Set<Issue>();
  for (const issue of issues) {
    const cause = unknown.get(issue.path.slice(0, -1).join('\n'));
    if (cause !== undefined) ordered.add(cause);
    const isMissing = cause !== undefined && valueAt(data, issue.path as Path) === undefined;
    const key = String(issue.path.at(-1));
    if (!isMissing || !cause.keys.some((one) => meantKey(one, [key]) !== undefined)) ordered.add(issue);
  }
  return [...ordered];
}

/** Returns the clause of a message that quotes a value, shortened to 60 characters. */
export function show(value: unknown): string {
  if (value === undefined) return 'it is missing';
  const text = typeof value === 'number' ? String(value) : jsonText(value);
  return `it is ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`;
}

/**
 * Describes the type of a file's value that is not a mapping. The value is not quoted: a wrong file may contain
 * secrets.
 */
export function kindOfData(data: unknown): string {
  if (data === null || data === undefined) return 'the file is empty';
  return Array.isArray(data) ? 'it is a list' : 'it is a text, not a mapping of keys to values';
}

/**
 * Checks whether all keys of a mapping are unknown: the file is then of another format, and its keys are not quoted.
 */
export function isOfAnotherFormat(diagnostics: readonly Diagnostic[], data: unknown): boolean {
  const keys = Object.keys(data as object).slice(0, MAX_ISSUES);
  const unknown = diagnostics.filter(({ path, what }) => path.length === 1 && what === UNKNOWN_KEY);
  return keys.length > 0 && keys.every((key) => unknown.some(({ path }) => path[0] === key));
}

const UNKNOWN_KEY = 'unknown key';

/** Notes on the syntax of mappings that are often written as lists, and of lists that are often written as texts. */
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  object: { pose: 'Write {xyz: [x, y, z], rpy: [roll, pitch, yaw]}; omitted parts are zero.' },
  array: {
    xyz: 'Write [x, y, z] in metres.',
    rpy: 'Write [roll, pitch, yaw].',
    quat_wxyz: 'Write [w, x, y, z].',
  },
};

function ofType(path: Path, value: unknown, expected: string): Diagnostic {
  const form = ownValue(ownValue(forms, expected) ?? {}, String(path.at(-1)));
  return {
    path,
    what: `${show(value)}, must be ${typeWords[expected] ?? expected}`,
    ...(form === undefined ? {} : { note: form }),
  };
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of names to values',
  string: 'a text',
  number: 'a finite number',
  int: 'a whole number',
  boolean: 'true or false',
};

function unknownKey(path: Path, key: string, choices: readonly string[]): Diagnostic {
  const [near, text = near] = meantKey(key, choices) ?? [];
  const list = `Known here: ${choices.filter((choice) => choice !== '$schema').join(', ')}.`;
  return {
    path: [...path, key],
    what: UNKNOWN_KEY,
    note: text === undefined ? list : `Did you mean "${text}"? ${list}`,
  };
}

/** Reports a value that matches no member of a union: the diagnostics of the member with the fewest problems. */
function ofUnion(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown, path: Path): Diagnostic[] {
  const { note, options, message } = issue as { note?: string; options?: readonly unknown[]; message: string };
  if (note !== undefined && options !== undefined) return [oneOf(path, value, options.map(String))];
  const inside = issue.errors.filter(
    (errors) => !errors.some((error) => error.path.length === 0 && isOfAnotherKind(error, value)),
  );
  if (inside.length === 0) {
    if (message.startsWith('must be')) return [{ path, what: `${show(value)}, ${message}`, ...jointNote(path, value) }];
    const words = issue.errors.flatMap((errors) =>
      errors.map((error) => typeWords[(error as { expected?: string }).expected ?? ''] ?? error.message),
    );
    return [{ path, what: `${show(value)}, must be ${[...new Set(words)].join(' or ')}`, ...jointNote(path, value) }];
  }
  if (isEmpty(value) && inside.length > 1 && inside.every((errors) => missingKeys(errors, value).length === 1)) {
    const keys = inside.flatMap((errors) => missingKeys(errors, value));
    return [{ path, what: 'it is {}, must have one of the keys', note: `Use one of: ${keys.join(', ')}.` }];
  }
  const count = (errors: readonly Issue[]) => problemCount(errors) - (misspellsKey(errors, value) ? 0.5 : 0);
  const possible = inside.filter((errors) => !errors.some(isMappingForScalar(value)));
  const known = possible.filter((errors) => fitsKeys(errors, value));
  const worded = inside.filter((errors) => hasOtherWord(errors, value, known.length === 0));
  const fitting = worded.length > 0 ? worded : known;
  const likely = [fitting, possible, inside]
    .find(({ length }) => length > 0)!
    .reduce((best, errors) => (count(errors) < count(best) ? errors : best));
  return diagnosticsOf(likely, value, path);
}

/**
 * Checks whether the value is of another type than the member: an object or list in place of a literal is not a
 * misspelled literal.
 */
const isOfAnotherKind = ({ code }: Issue, value: unknown) =>
  code === 'invalid_type' || (code === 'invalid_value' && typeof value === 'object');

/**
 * Counts the problems of a union member; each unknown key counts as one. The member with the fewest was probably meant.
 */
function problemCount(errors: readonly Issue[]): number {
  return errors.reduce((sum, error) => sum + countOf(error), 0);
}

function countOf(error: Issue): number {
  if (error.code === 'unrecognized_keys') return error.keys.length;
  return hasForeignKey(error) ? FOREIGN_KEY : 1;
}

/** Weight of a key that a member of a union excludes: more than the diagnostics that one pose can have. */
const FOREIGN_KEY = 4;

/** Returns true if a value has a key that the member excludes; of a union, one of its members. */
const hasForeignKey = (error: Issue): boolean =>
  (error.code === 'invalid_key' && error.path.length === 1) ||
  (error.code === 'invalid_union' && error.path.length === 0 && error.errors.flat().some(hasForeignKey));

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** Returns the keys that a member requires and the value lacks. */
const missingKeys = (errors: readonly Issue[], value: unknown): string[] =>
  errors.flatMap(({ path }) =>
    path.length === 1 && valueAt(value, path as Path) === undefined ? [String(path[0])] : [],
  );

/** Returns true if a mapping has the keys of a member: the member was then meant, even if its values are invalid. */
const fitsKeys = (errors: readonly Issue[], value: unknown) =>
  !errors.some((error) => (error.code === 'unrecognized_keys' && error.path.length === 0) || hasForeignKey(error)) &&
  missingKeys(errors, value).length === 0;

/** Returns true for an error of a mapping where the member, or one of its keys, has a number or a text. */
const isMappingForScalar =
  (value: unknown) =>
  (error: Issue): boolean => {
    const inner = valueAt(value, error.path as Path);
    if (error.path.length > 1 || typeof inner !== 'object' || Array.isArray(inner)) return false;
    if (error.code !== 'invalid_union') return error.code === 'invalid_type' && error.expected in SCALARS;
    return error.errors.every((errors) =>
      errors.some((one) => (one.path.length === 0 && isOfAnotherKind(one, inner)) || isMappingForScalar(inner)(one)),
    );
  };

const SCALARS = { number: true, int: true, string: true, boolean: true };

/** Checks whether an unknown key is most likely a misspelled key that the member requires. */
function misspellsKey(errors: readonly Issue[], value: unknown): boolean {
  const missing = missingKeys(errors, value);
  const unknown = errors.flatMap((error) => (error.code === 'unrecognized_keys' ? error.keys : []));
  return unknown.some((key) => meantKey(key, missing) !== undefined);
}

/**
 * Checks whether an unknown key, which may be the name of a joint, is most likely meant for a key of the member.
 * @param isNearEnough true if that of a mapping may be a misspelled key
 */
const hasOtherWord = (errors: readonly Issue[], value: unknown, isNearEnough: boolean): boolean =>
  errors.some((error) => {
    if (error.code !== 'unrecognized_keys' || error.path.length > 0) return false;
    const known = error.message.split(',');
    return error.keys.some((key) =>
      isNearEnough && typeof valueAt(value, [key]) === 'object' ? meantKey(key, known) : otherWord(key, known),
    );
  });

function oneOf(path: Path, value: unknown, choices: readonly string[]): Diagnostic {
  const note = typeof value === 'string' ? suggestion(value, choices) : `Use one of: ${choices.join(', ')}.`;
  return {
    path,
    what: choices.length === 1 ? `${show(value)}, must be ${JSON.stringify(choices[0])}` : show(value),
    note,
  };
}

function ofSize(issue: Issue, value: unknown): string {
  const { minimum, maximum } = issue as { minimum?: number; maximum?: number };
  const exact = (issue as { exact?: boolean }).exact === true;
  const bound = exact ? `${minimum ?? maximum}` : minimum === undefined ? `at most ${maximum}` : `at least ${minimum}`;
  if (typeof value === 'number') return `${show(value)}, must be ${rangeOf(issue)}`;
  if (Array.isArray(value)) return `it has ${value.length} values (${show(value).slice(6)}), must have ${bound}`;
  return `${show(value)}, must have ${bound} characters`;
}

/** Returns the allowed range in words: `above 0`, `at least 1`, `at most 10`. */
function rangeOf(issue: Issue): string {
  const { minimum, maximum, inclusive } = issue as { minimum?: number; maximum?: number; inclusive?: boolean };
  if (minimum !== undefined) return `${inclusive === false ? 'above' : 'at least'} ${minimum}`;
  return `${inclusive === false ? 'below' : 'at most'} ${maximum}`;
}

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

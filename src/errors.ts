/**
 * Invalid input, described in two parts: what is wrong (with place and value), and a note that states the remedy.
 * The command line prints both and exits with 2. Every other exception is a bug in elbowroom.
 */
export class InputError extends Error {
  /** Name of the class, also where the class itself is not available. */
  override readonly name = 'InputError';

  /** @param message what is wrong: `FILE:LINE: PLACE: what`, as much of it as is known here */
  constructor(
    message: string,
    /** How to fix the problem: valid values, the nearest name, the command to run. */
    readonly note = '',
  ) {
    super(message);
  }
}

/** Several problems of one file, each worth a line of its own. */
export class InputErrors extends InputError {
  constructor(
    /** The problems in the order of the file. */
    readonly problems: readonly InputError[],
  ) {
    super(problems.map((problem) => problem.message).join('\n'), problems[0]?.note ?? '');
  }
}

/**
 * The value that a record has under a name of somebody else's choice; undefined if it has none. A plain index would
 * also find what every object inherits: `constructor`, `toString`, `__proto__`.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The entry of a table that a user named, or an InputError that lists the choices and the nearest one. */
export function requireOneOf<T>(table: Readonly<Record<string, T>>, what: string, name: string): T {
  if (Object.hasOwn(table, name)) return table[name] as T;
  throw new InputError(`unknown ${what} "${name}"`, suggestion(name, Object.keys(table)));
}

/**
 * Returns `name` if it is a key of the table. Throws `InputError` that lists the keys and the nearest one otherwise.
 */
export function requireName<K extends string>(table: Readonly<Record<K, unknown>>, what: string, name: string): K {
  requireOneOf(table, what, name);
  return name as K;
}

/** `Did you mean "X"?` when a name is near, and the list of what there is. */
export function suggestion(name: string, choices: readonly string[]): string {
  const near = nearestName(name, choices);
  const list =
    choices.length === 0 ? '' : `Use one of: ${choices.slice(0, 20).join(', ')}${choices.length > 20 ? ', …' : ''}.`;
  return near === undefined ? list : `Did you mean "${near}"? ${list}`.trimEnd();
}

/** Characters. Longer names, which nobody types, are not compared: the work grows with the square of the length. */
const MAX_NAME = 200;
/** Number of choices that are compared with a misspelled name. */
const MAX_CHOICES = 10_000;

/**
 * Returns the choice most similar to a misspelled name, or else the only one that begins or ends with the name or with
 * which the name begins or ends (`shoulder_pan` for `shoulder_pan_joint`); undefined if there is none.
 */
export function nearestName(name: string, choices: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const choice of choices.slice(0, MAX_CHOICES)) {
    const edits = editDistance(name.toLowerCase(), choice.toLowerCase());
    if (edits < least) {
      least = edits;
      best = choice;
    }
  }
  if (best !== undefined) return best;
  const related = choices.slice(0, MAX_CHOICES).filter((choice) => isPart(name, choice) || isPart(choice, name));
  return related.length === 1 ? related[0] : undefined;
}

/** Returns true if a name of at least 3 characters is the beginning or the end of a longer one. */
function isPart(part: string, whole: string): boolean {
  const [short, long] = [part.toLowerCase(), whole.toLowerCase()];
  return short.length >= 3 && (long.startsWith(short) || long.endsWith(short));
}

/** Insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string alignment). */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return 99; // far apart whatever the letters: spare the table
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}

/**
 * Limit of the values of a JSON text: 2 for a list or object, 1 for each quotation mark and comma. At the limit, 3
 * million empty lists, objects or keys need at most 500 MB; a larger text may have one for every ten characters.
 */
const MAX_JSON_VALUES = 10_000_000;

/**
 * Parses JSON from outside. Throws `InputError` if the text is not JSON, or has so many values that parsing it would
 * exhaust memory.
 * @param place prefix of the messages
 * @param what the message if it is not JSON; default: `notJson`
 */
export function parseJson(text: string, place: string, what?: string, note = ''): unknown {
  const prefix = place === '' ? '' : `${place}: `;
  if (countJsonValues(text) > Math.max(MAX_JSON_VALUES, text.length / 10))
    throw new InputError(`${prefix}more than ${MAX_JSON_VALUES} lists, objects, texts and numbers`);
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${prefix}${what ?? notJson(text.trim())}`, note);
  }
}

/** Returns an upper bound on the number of values, weighted by their memory; 0 for texts that cannot have too many. */
function countJsonValues(text: string): number {
  if (2 * text.length <= MAX_JSON_VALUES) return 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === 0x22 || character === 0x2c) count++;
    else if (character === 0x5b || character === 0x7b) count += 2;
  }
  return count;
}

/**
 * A parsed value as JSON again. JSON is parsed to any depth, but written only as deep as the stack is: what lies deeper
 * is left out.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Array.isArray(value) ? '["…"]' : '{"…":"…"}';
  }
}

/**
 * The error for a line that is not JSON. It quotes the line only if it begins as JSON does: other files may hold
 * secrets.
 */
export function notJson(line: string): string {
  return /^[[{]/.test(line) ? `not JSON: ${line.length > 60 ? `${line.slice(0, 60)}…` : line}` : 'not JSON';
}

import { InputError } from '../../errors.ts';

/** Limit of nested brackets. Far deeper nesting overflows the stack of the parser and can crash the process. */
const MAX_DEPTH = 200;

/**
 * Limit of the lines, brackets, separators, anchors and escapes of a YAML text, where closing brackets, commas, colons,
 * items of blocks and anchors count twice. At the limit the YAML library needs up to 10 s and 600 MB; JSON is read
 * without it.
 */
const MAX_YAML_MARKS = 1_000_000;

/** Limit of these marks times the number of merges. */
const MAX_MERGED_MARKS = 10_000_000;

/** Throws `InputError` if the YAML library would need too much time and memory for the text. */
export function refuseLargeYaml(source: string, file: string): void {
  if (isLargeYaml(source))
    throw new InputError(
      `${file}: more than ${MAX_YAML_MARKS} lines, brackets and separators`,
      'Write it as JSON, which may be larger, or as several files.',
    );
}

/**
 * Returns true for texts that are too large for the YAML library. Each merge of a mapping (<<) may copy all keys of the
 * file, so the number of merges times the size is limited, too.
 */
export function isLargeYaml(source: string): boolean {
  const merges = source.split('<<').length - 1;
  if (merges === 0 && 2 * source.length <= MAX_YAML_MARKS) return false;
  const most = Math.min(MAX_YAML_MARKS, MAX_MERGED_MARKS / merges);
  let marks = 0;
  for (const [mark] of source.matchAll(/[\n[{}\],:?&*\\]|- /g)) {
    marks += '\n[{?\\'.includes(mark) ? 1 : 2;
    if (marks > most) return true;
  }
  return false;
}

/** Throws if a value has more than 20 tags or anchors: the library takes minutes for 100,000 tags of one value. */
export function refuseManyTags(source: string, file: string): void {
  const at = source.search(/(?:^|\s)(?:[!&]\S*\s+){20}/);
  if (at < 0) return;
  const line = source.slice(0, at + 1).split('\n').length;
  throw new InputError(`${file}:${line}: a value has more than 20 tags or anchors`, 'It may have one of each.');
}

/**
 * Throws if brackets are nested too deep. Brackets within strings count as well; strings do not contain that many
 * unclosed ones.
 */
export function refuseDeepBrackets(source: string, file: string): void {
  let depth = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) throw new InputError(`${file}:1: brackets are nested more than ${MAX_DEPTH} deep`);
  }
}

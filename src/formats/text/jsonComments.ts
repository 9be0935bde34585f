import { InputError, parseJson } from '../../errors.ts';

/**
 * Throws `InputError` with the line of the first comment of a text that is JSON but for comments and commas before
 * closing brackets: YAML reads them as parts of keys.
 */
export function refuseJsonComments(text: string, file: string): void {
  if (!/^\s*(\/[/*]|[{[])/.test(text)) return;
  const stripped = withoutComments(text);
  if (stripped === undefined || !isJson(stripped.text)) return;
  const line = text.slice(0, stripped.first).split('\n').length;
  const note = 'Remove the comments; or write # before them: the file is then read as YAML.';
  throw new InputError(`${file}:${line}: a comment, which JSON does not have`, note);
}

/** Returns the text without comments, and the index of the first one; undefined if there is none. */
function withoutComments(text: string): { text: string; first: number } | undefined {
  const kept: string[] = [];
  let first = -1;
  let from = 0;
  const token = /"(?:[^"\\]|\\.)*"|\/[/*]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0].startsWith('"')) continue;
    if (first < 0) first = match.index;
    kept.push(text.slice(from, match.index), ' ');
    const isLine = match[0] === '//';
    const end = text.indexOf(isLine ? '\n' : '*/', match.index + 2);
    from = end < 0 ? text.length : isLine ? end : end + 2;
    token.lastIndex = from;
  }
  return first < 0 ? undefined : { text: kept.join('') + text.slice(from), first };
}

function isJson(text: string): boolean {
  try {
    parseJson(text.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1'), '');
    return true;
  } catch {
    return false;
  }
}

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

/**
 * Returns the index after a string of JSON, or after the text if the string is not closed. Regular expressions overflow
 * their stack in strings of some million characters.
 * @param start index of the opening quote
 */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text[first - 1] === '\\') first--;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Returns the text without comments, and the index of the first one; undefined if there is none. */
function withoutComments(text: string): { text: string; first: number } | undefined {
  let first = -1;
  const stripped = withoutTokens(text, /"|\/[/*]/g, (token, at) => {
    if (first < 0) first = at;
    const end = text.indexOf(token === '//' ? '\n' : '*/', at + 2);
    return end < 0 ? text.length : token === '//' ? end : end + 2;
  });
  return first < 0 ? undefined : { text: stripped, first };
}

/**
 * Returns the text with a blank instead of each token outside of strings.
 * @param token matches quotes and the beginnings of tokens
 * @param endOf returns the index after a token
 */
function withoutTokens(text: string, token: RegExp, endOf: (token: string, at: number) => number): string {
  const kept: string[] = [];
  let from = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '"') token.lastIndex = endOfString(text, match.index);
    else {
      kept.push(text.slice(from, match.index), ' ');
      from = endOf(found, match.index);
      token.lastIndex = from;
    }
  }
  return kept.join('') + text.slice(from);
}

function isJson(text: string): boolean {
  try {
    parseJson(
      withoutTokens(text, /"|,(?=\s*[}\]])/g, (_, at) => at + 1),
      '',
    );
    return true;
  } catch {
    return false;
  }
}

/**
 * Matches characters that a terminal interprets instead of printing: C0 and C1 control characters and DEL, line and
 * paragraph separators, and marks that reorder text (bidirectional embeddings, overrides and isolates).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns the text as one line that is safe on a terminal: control characters are escaped, for example ESC as
 * `\\u001b`.
 */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a number with its noun: `1 step`, `2 steps`. */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

import { printable } from './printable.ts';

/** A message about the input or the run, as it is written to stderr. */
export interface Diagnostic {
  /** A `bug` is an error of elbowroom itself, not of the input. */
  readonly severity: 'error' | 'warning' | 'info' | 'bug';
  /** What is wrong: `FILE:LINE: PLACE: what`, as much of it as is known. */
  readonly text: string;
  /** How to fix the problem; empty if nothing is known. */
  readonly hint: string;
}

const PREFIXES = { error: 'elbowroom: error: ', bug: 'elbowroom: bug: ', warning: 'warning: ', info: '' };

/** Writers of a diagnostic by the name of the format; each returns one or more lines without the last line break. */
export const diagnosticFormats = {
  text: ({ severity, text, hint }: Diagnostic): string => {
    const lines = [PREFIXES[severity] + text];
    if (hint !== '') lines.push(`  note: ${hint}`);
    return lines.map(printable).join('\n');
  },
  json: ({ severity, text, hint }: Diagnostic): string =>
    printable(JSON.stringify({ severity, ...splitPlace(text), ...(hint === '' ? {} : { hint }) })),
} as const satisfies Readonly<Record<string, (diagnostic: Diagnostic) => string>>;

export type DiagnosticFormat = keyof typeof diagnosticFormats;

/** A message split into its parts; parts that the message does not state are absent. */
export interface PlacedMessage {
  readonly file?: string;
  /** Line of the file, from 1. */
  readonly line?: number;
  /** Key path (`obstacles[0].size`), XML element or option. */
  readonly place?: string;
  readonly message: string;
}

/**
 * Splits `FILE:LINE: PLACE: what` into its parts. A text with neither a file and line nor an option in front is the
 * message as a whole.
 */
export function splitPlace(text: string): PlacedMessage {
  const placed = /^((?:(?!: |:\/\/).)+?):(\d+)(?::\d+)?: (.*)$/s.exec(text);
  if (placed === null) {
    const option = /^(--[a-z][a-z-]*)(?:: | (?=is |needs ))(.*)$/s.exec(text);
    return option === null ? { message: text } : { place: option[1], message: option[2] };
  }
  const [, file, line, rest] = placed;
  const inFile = KEY_PATH.exec(rest);
  const message = inFile === null ? rest : rest.slice(inFile[0].length);
  return { file, line: Number(line), ...(inFile === null ? {} : { place: inFile[1] }), message };
}

/** A key path (`steps[2].goal.link`) or an XML element with its name (`joint "elbow"`), and the colon after it. */
const KEY_PATH = /^([A-Za-z_$][\w$<>-]*(?:\[[^\]]*\]|\.[\w$-]+|\/[\w$<>-]+| "[^"]*")*): /;

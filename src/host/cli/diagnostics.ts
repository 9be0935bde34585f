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

/** Returns the lines of a diagnostic, without the last line break; control characters are escaped. */
export function diagnosticText({ severity, text, hint }: Diagnostic): string {
  const lines = [PREFIXES[severity] + text];
  if (hint !== '') lines.push(`  note: ${hint}`);
  return lines.map(printable).join('\n');
}

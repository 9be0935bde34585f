import { InputError } from '../../errors.ts';
import { shown } from './trajectoryFormat.ts';

/**
 * Rejects numbers with leading zeros in YAML: 010 is 8 in YAML 1.1, which ROS parses, and 10 in YAML 1.2. JSON has no
 * such numbers.
 */
export function refuseLeadingZeros(text: string, file: string): void {
  if (/^\s*\{/.test(text)) return;
  for (const [i, line] of text.split('\n').entries()) {
    const [, number] = /^(?:[^#"']*[\s,[:])?([-+]?0[0-9_]+)(?=[\s,\]}]|$)/.exec(line) ?? [];
    if (number === undefined) continue;
    throw new InputError(
      `${file}:${i + 1}: ${shown(number)} begins with 0: 8 or 10 is its base, depending on the reader`,
      'Leave the leading zeros out.',
    );
  }
}

import type { PlannerDefinition } from '../../../core/planning/planner.ts';
import { InputError } from '../../../errors.ts';

/** Parses numbers by name: `--planner-option stepSize=0.5`. */
export function namedNumbers(option: string, given: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const number = value.trim() === '' ? Number.NaN : Number(value);
      if (Number.isFinite(number)) return [name, number];
      throw new InputError(`${option} ${name} is "${value}"`, 'Give a number.');
    }),
  );
}

/** Returns one line of help for each planner and each of its options. */
export function plannerHelp(planners: Readonly<Record<string, PlannerDefinition>>): string {
  return Object.entries(planners)
    .flatMap(([name, { summary, options }]) => [
      `  ${name}: ${summary}`,
      ...Object.entries(options).map(
        ([key, { value, unit, meaning }]) => `      ${key}=${value} (${unit}): ${meaning}`,
      ),
    ])
    .join('\n');
}

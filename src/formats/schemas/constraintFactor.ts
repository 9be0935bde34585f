import * as z from 'zod';
import type { ConstraintChanges, ConstraintLimits } from '../../core/scene/constraintChanges.ts';
import { readAngleLimit, readRangeLimit } from '../scenes/readConstraints.ts';
import { angle, keys, quantity } from '../scenes/schemaParts.ts';
import { ValueReader } from '../scenes/valueReader.ts';
import type { Diagnostic, Path } from '../text/sourceText.ts';

const limits = keys({
  within: z
    .union([angle, z.array(angle).length(3)])
    .optional()
    .describe('of a tilt; three angles: of an orientation'),
  most: quantity('m/s, or "250 mm/s"').optional().describe('of a speed'),
  range: z.array(quantity('radians or metres')).length(2).optional().describe('of a joint'),
});

/** Schema of one setting of the path constraints of all scenes. */
export const constraintLevelSchema = z
  .union([
    z.enum(['stated', 'none'], { error: 'stated, none' }),
    z.record(z.string(), z.union([z.literal('none'), limits])),
  ])
  .describe('stated: as in the scene; none: without any; or by name: a new limit, or none');

/** One setting of the path constraints as written. */
export type RawConstraintLevel = z.infer<typeof constraintLevelSchema>;

type RawLimits = z.infer<typeof limits>;
type RawNumber = z.infer<typeof angle>;

/** One setting of the path constraints. */
export interface ConstraintLevel {
  /** Name in tables and charts: `upright within 5 deg`. */
  readonly label: string;
  /** Undefined: as the scenes state them. */
  readonly changes?: ConstraintChanges;
  /** Its place in the file. */
  readonly path: Path;
}

/** Reads the settings of path constraints: their numbers in SI units, and problems of their values. */
export async function readConstraintLevels(
  given: RawConstraintLevel | readonly RawConstraintLevel[] | undefined,
): Promise<{ readonly levels: readonly ConstraintLevel[]; readonly problems: readonly Diagnostic[] }> {
  if (given === undefined) return { levels: [{ label: 'stated', path: [] }], problems: [] };
  const first = new ValueReader();
  const levels = levelsOf(first, given);
  if (!first.needsExpressions) return { levels, problems: first.diagnostics };
  const { evaluate } = await import('../text/expressions.ts');
  const second = new ValueReader(evaluate);
  return { levels: levelsOf(second, given), problems: second.diagnostics };
}

function levelsOf(
  reader: ValueReader,
  given: RawConstraintLevel | readonly RawConstraintLevel[],
): readonly ConstraintLevel[] {
  if (!Array.isArray(given)) return [levelOf(reader, given as RawConstraintLevel, ['constraints'])];
  return (given as readonly RawConstraintLevel[]).map((one, i) => levelOf(reader, one, ['constraints', i]));
}

function levelOf(reader: ValueReader, given: RawConstraintLevel, path: Path): ConstraintLevel {
  if (given === 'stated') return { label: 'stated', path };
  if (given === 'none') return { label: 'no constraints', changes: 'none', path };
  const entries = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0)
    reader.report(path, 'it is empty', 'Name a constraint, or write stated for those of the scene.');
  return {
    label: entries.map(([name, limit]) => labelOf(name, limit)).join(' and '),
    changes: Object.fromEntries(
      entries.map(([name, limit]) => [name, limit === 'none' ? null : limitsOf(reader, limit, [...path, name])]),
    ),
    path,
  };
}

function labelOf(name: string, limit: 'none' | RawLimits): string {
  if (limit === 'none') return `no ${name}`;
  const words = Object.entries(limit).map(
    ([key, value]) => `${key} ${Array.isArray(value) ? `[${value.join(', ')}]` : value}`,
  );
  return [name, ...words].join(' ');
}

function limitsOf(reader: ValueReader, { within, most, range }: RawLimits, path: Path): ConstraintLimits {
  if ([within, most, range].filter((one) => one !== undefined).length !== 1)
    reader.report(path, 'one limit must be stated', 'Give within, most or range; or write none.');
  const angleAt = (value: RawNumber, place: Path) => readAngleLimit(reader, value, place);
  const at = [...path, 'within'];
  return {
    ...(within === undefined
      ? {}
      : {
          within: Array.isArray(within)
            ? (within.map((value, i) => angleAt(value, [...at, i])) as unknown as readonly [number, number, number])
            : angleAt(within as RawNumber, at),
        }),
    ...(most === undefined ? {} : { most: reader.positive(most, 'length', [...path, 'most'], 1) }),
    ...(range === undefined ? {} : { range: readRangeLimit(reader, range, path) }),
  };
}

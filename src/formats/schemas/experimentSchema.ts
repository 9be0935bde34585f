import * as z from 'zod';
import { keys } from '../scenes/sceneSchema.ts';

/**
 * Names that an experiment file can use. The tables belong to modules that may not be imported here; callers pass them.
 */
export interface ExperimentTables {
  /** Planners with their options. */
  readonly planners: Readonly<
    Record<
      string,
      {
        readonly summary: string;
        readonly options: Readonly<
          Record<string, { readonly value: number; readonly unit: string; readonly meaning: string }>
        >;
      }
    >
  >;
  /** Narrow-phase checkers. */
  readonly checkers: Readonly<Record<string, unknown>>;
  /** Methods of edge validation. */
  readonly edges: Readonly<Record<string, unknown>>;
  /** Rules of corner blending. */
  readonly corners: Readonly<Record<string, unknown>>;
  /** Metrics of the report. */
  readonly metrics: Readonly<Record<string, unknown>>;
}

const FORMAT = 'elbowroom-experiment/1';

/** Upper bound on counts in the file; larger values are probably typing errors. */
const MAX_COUNT = 1_000_000;
const LARGEST = Number.MAX_SAFE_INTEGER;

const whole = (min: number, max = MAX_COUNT) => z.int().min(min).max(max);
const above = z.number().positive();

/** Schema of one value, or of a list of values that are used in turn. */
const each = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1)]);

/** Returns the schema of experiment files for the names in the tables. */
export function experimentSchema(tables: ExperimentTables) {
  const name = (table: Readonly<Record<string, unknown>>) => z.enum(Object.keys(table) as [string, ...string[]]);
  return keys({
    $schema: z.string().optional(),
    format: z.literal(FORMAT),
    name: z.string().min(1).optional(),
    description: z.string().optional(),
    scenes: each(z.string().min(1))
      .optional()
      .describe('files, SUITE#PROBLEM, or patterns such as "cells/**/*.yaml"; paths are relative to this file'),
    script: z
      .string()
      .min(1)
      .optional()
      .describe('module whose default export generates scenes; relative to this file'),
    planners: each(planner(tables, name))
      .optional()
      .describe('names, or names with options; a list of values gives one setting per value'),
    checkers: each(name(tables.checkers)).optional(),
    edges: each(name(tables.edges)).optional(),
    corners: each(name(tables.corners)).optional(),
    step: each(above).optional().describe('maximum distance between samples of an edge, rad'),
    shortcut: each(z.boolean()).optional(),
    timing: each(z.boolean()).optional(),
    seeds: z
      .union([whole(1), z.array(whole(0, LARGEST)).min(1), keys({ from: whole(0, LARGEST), count: whole(1) })], {
        error: 'must be a whole number, a list of them, or {from, count}',
      })
      .optional()
      .describe('number of seeds, starting from 1; or a list of seeds; or {from, count}'),
    repetitions: whole(1).optional().describe('repetitions of each run: times differ, results do not'),
    limits: keys({
      time: above.optional().describe('s; the result of a run that reaches this limit may depend on the machine'),
      iterations: whole(1, LARGEST).optional(),
    }).optional(),
    metrics: each(name(tables.metrics)).optional().describe('metrics that the report compares'),
  });
}

/** Returns the schema of a planner: its name, or an object with its options. */
function planner(tables: ExperimentTables, name: (table: Readonly<Record<string, unknown>>) => z.ZodType<string>) {
  const members = Object.entries(tables.planners).map(([key, { summary, options }]) => {
    const known = Object.entries(options).map(([option, { value, unit, meaning }]) => {
      const values = each(z.number()).optional().describe(`${unit}; ${meaning}; default: ${value}`);
      return [option, values] as const;
    });
    return keys({
      planner: z.literal(key),
      label: z.string().min(1).optional().describe('name in tables and charts'),
      iterations: whole(1, LARGEST).optional(),
      options: keys(Object.fromEntries(known)).optional(),
    }).describe(summary);
  });
  const [first, ...rest] = members;
  return z.union([name(tables.planners), z.discriminatedUnion('planner', [first, ...rest])]);
}

/** Validated data; names of tables are texts. */
export type RawExperiment = z.infer<ReturnType<typeof experimentSchema>>;

/** A planner with its options. */
export type RawPlanner = Exclude<RawExperiment['planners'], string | readonly unknown[] | undefined>;

/** One value, or a list of values that are used in turn. */
export type OneOrMore<T> = T | readonly T[];

import { InputError } from '../../../errors.ts';
import { PairReader } from '../../../formats/streams/pairs.ts';
import type { ShapePair } from '../../../formats/streams/shapePair.ts';
import { PoseRows } from '../../../tasks/queries/poseRows.ts';
import { type QueryOptions, stoppingGaps, type TracedStep } from '../../../tasks/queries/queryOptions.ts';
import { createPairQuery, createPairSolver, writtenResult } from '../../../tasks/queries/queryPairs.ts';
import { type Quantity, type QuerySolver, quantities } from '../../../tasks/queries/querySolver.ts';
import { querySolvers, solversWith } from '../../../tasks/queries/querySolvers.ts';
import { errorText, type LineReader, type ReadLine } from '../../../tasks/validation/lineResults.ts';
import { readText } from '../../node/readFiles.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { flag, type Option, optionalChoice, optionalInteger, text } from '../options.ts';
import { processChunks, processLines } from '../processLines.ts';

const solverHelp = Object.entries(querySolvers)
  .map(
    ([name, { dimension, computes: knows, summary }]) =>
      `  ${name} (${dimension}D: ${knows.join(', ')})\n      ${summary}`,
  )
  .join('\n');

const namesWith = (condition: (solver: QuerySolver) => unknown) => solversWith(condition).join(', ');
const guesses = Object.fromEntries(
  Object.values<QuerySolver>(querySolvers).flatMap(({ guesses = [] }) => guesses.map((name) => [name, true])),
);

export const query = defineCommand({
  summary: 'narrow phase: status, distance, growth distance or penetration depth of pairs of convex shapes',
  operands: [{ name: 'PAIRS', meaning: 'JSON lines, one pair each; - or none: stdin', optional: true }],
  options: {
    solver: optionalChoice(querySolvers, 'the first that computes --what', 'narrow-phase algorithm'),
    what: optionalChoice(
      Object.fromEntries(quantities.map((quantity) => [quantity, true])),
      'all that the solver computes except contacts and gradients',
      'quantity to be computed',
    ),
    gap: gapOption('PART', 1, 'relative gap between lower and upper bound', '1.5e-8 or less, depending on the solver'),
    absoluteGap: gapOption('GAP', Number.MAX_VALUE, 'difference of the bounds, m or growth distance,', 'none'),
    iterations: optionalInteger('that of the solver', 'limit of iterations; warnings state the bounds', { min: 1 }),
    guess: optionalChoice(guesses, 'that of the solver', 'initial guess of --solver'),
    warm: flag('warm start: reuse the result of the previous pair with the same "track"; results do not change'),
    poses: text('ROWS', 'poses of the one pair in PAIRS: rows of 14 little-endian doubles, - for stdin'),
    trace: flag('before each result, one line per iteration of --solver: bounds, direction, support point, simplex'),
  },
  details: `A pair: {"id", "a": {"shape": {"type": "box", "size": [1, 1, 1]}, "pose": {"xyz", "quat_wxyz"},
"center": [x, y, z]}, "b": {...}} with shapes as in obstacles of a scene, or with {"type": "polygon", "points":
[[x, y], ...]} {"type": "disc", "radius"}, {"type": "ellipse", "radii": [x, y]}, {"type": "rectangle", "width",
"height"} or {"type": "stadium", "radius", "length"} (without the caps) and poses {"xy", "angle"}; m, rad. Defaults:
identity pose; center (of growth): the origin of the shape.
--what gradient also writes "oneSided" derivatives at kinks, the "jacobian" of normal and witness points, and, if a or b
has a "velocity" (of the center, then angular), the "directional" derivative of the growth distance along it. With
--solver pill-qp these are derivatives of --what proximity: squared distance of the cores less squared sum of the radii.
Writes one line per pair, in order, as soon as it is computed, vectors in the world frame:
{"id", "status": "separated|touching|colliding|undecided", "distance": {"lower", "upper"}, "growth": {...}, "depth",
"normal", "witnessA", "witnessB", "iterations"}, with the fields that were computed. A depth
is an upper bound; "warnings" states bounds that did not converge. For a line that cannot be read: {"id", "line",
"error"}; the other lines are processed, and the exit code is 2.

--what contacts writes "contacts": [{"point", "gap"}], the vertices of the common part of the faces, edges or points
that face each other along "normal" (of the distance, or of the depth): points halfway between both surfaces, gaps
along the normal, negative where they overlap; at most 8, the deepest first if there were more.

With --trace, lines {"id", "iteration", "lower", "upper", "direction", "point", "simplex"} come before the result: the
unit search direction from A to B, the support point of A ⊖ B farthest along it, and the points of A ⊖ B known before;
lower and upper bound the signed distance of the cores less the margins, the growth distance, or of epa, whose steps are
expansions of the polytope, the depth; null: no bound yet.
Solvers with a trace: ${namesWith(({ isTraced }) => isTraced)}.

--absolute-gap: ${namesWith(({ hasAbsoluteGap }) => hasAbsoluteGap)}.
--iterations: ${namesWith(({ hasLimit }) => hasLimit)}. Bounds that have not met
are results, too. A status that they leave open may take further iterations.
--guess, first directions none, box-centers, and with --warm previous, previous-moved (the witness points, with the
shapes): ${namesWith(({ guesses }) => guesses?.includes('none'))}.
With --warm primal (points of the last portal), dual (its last plane): growth-distance-plain.

--poses: one pair at many poses, without JSON. A row is the poses of A and B, x, y, z, then a unit quaternion w, x, y, z;
a result 13 doubles: status 0 separated, 1 touching, 2 colliding, 3 undecided, 4 unreadable; lower and upper bound of the
quantity; normal; witness points of A and B; iterations; NaN if not computed. With --warm the rows are one track.

Solvers:
${solverHelp}`,
  examples: [['elbowroom query pairs.jsonl --what distance --gap 1e-12', 'distances to full precision']],

  async run(io, [pairs], { solver, what, gap, absoluteGap, iterations, guess, warm, poses, trace }) {
    const steps: TracedStep[] = [];
    const observe = trace ? (step: TracedStep) => void steps.push(step) : undefined;
    const settings: QueryOptions = {
      solver,
      what: what as Quantity | undefined,
      gap,
      warm,
      absoluteGap,
      maxIterations: iterations,
      guess,
      ...(observe && { observe }),
    };
    if (poses !== undefined) return queryRows(io, pairs, poses, settings);
    const queryPair = createPairQuery(settings);
    const { unreadable } = await processLines(
      io,
      { input: pairs, output: undefined, what: 'pairs' },
      createReader,
      ({ id, pair }) => {
        steps.length = 0;
        const result = writtenResult(queryPair, pair);
        return [...steps, result].map((fields) => JSON.stringify(fields).slice(1, -1)).join(`}\n{"id":${id},`);
      },
    );
    return unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
  },
});

/** Queries the pair of a file at rows of poses. */
async function queryRows(io: Io, file: string | undefined, input: string, settings: QueryOptions): Promise<ExitCode> {
  if (settings.observe) throw new InputError('--poses with --trace', 'Trace pairs of JSON lines.');
  const { what } = settings;
  const solve = createPairSolver(settings);
  if (what === 'contacts' || what === 'gradient' || what === 'proximity')
    throw new InputError(`--poses with --what ${what}: rows have no place for it`, 'Query pairs of JSON lines.');
  if (file === undefined || file === '-') throw new InputError('--poses without a file of the pair');
  const lines = (await readText(file)).split('\n').filter((line) => line.trim() !== '');
  const pair = lines.length === 1 ? new PairReader().read(lines[0])!.pair : undefined;
  if (pair === undefined)
    throw new InputError(`${file} has ${lines.length} pairs, not 1`, 'Give the shapes of one pair.');
  if (pair instanceof InputError) throw pair;
  const rows = new PoseRows(pair, solve, stoppingGaps(settings));
  const streams = { input, output: undefined, what: 'poses', width: rows.width };
  await processChunks(io, streams, async (chunks, _, out) => {
    for await (const chunk of chunks) await out.write(rows.process(chunk as Buffer));
    return rows;
  });
  return rows.unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
}

/** Creates the reader of pairs for `processLines`. */
function createReader(): LineReader<ReadLine & { readonly pair: ShapePair }> {
  const reader = new PairReader();
  return {
    read(text) {
      const given = reader.read(text);
      if (given === undefined) return undefined;
      const { id, line, pair } = given;
      return pair instanceof InputError
        ? { id, line, error: errorText(pair), pair: undefined as never }
        : { id, line, error: undefined, pair };
    },
  };
}

/** Returns an option for a gap between the bounds of a result, from 0 to `max`. */
function gapOption(value: string, max: number, what: string, shown: string): Option<number | undefined> {
  return {
    meaning: `${what} at which a solver may stop${max === 1 ? ', from 0 to 1' : ''}`,
    value,
    shown,
    read: ([given], name) => {
      if (given === undefined) return undefined;
      const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given) ? Number(given) : Number.NaN;
      if (value >= 0 && value <= max) return value;
      throw new InputError(
        `${name} is "${given}"`,
        `Give a number ${max === 1 ? 'from 0 to 1' : 'of 0 or more'}, such as 1e-12.`,
      );
    },
  };
}

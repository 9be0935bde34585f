import { InputError } from '../../errors.ts';
import { type Pair, PairReader } from '../../formats/streams/pairs.ts';
import { createPairQuery } from '../../tasks/queries/queryPairs.ts';
import { type Quantity, quantities, querySolvers } from '../../tasks/queries/querySolvers.ts';
import { errorText, type LineReader, type ReadLine } from '../../tasks/validation/lineResults.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { flag, type Option, optionalChoice } from '../options.ts';
import { answerLines } from '../processLines.ts';

const solverHelp = Object.entries(querySolvers)
  .map(([name, { dimension, knows, summary }]) => `  ${name} (${dimension}D: ${knows.join(', ')})\n      ${summary}`)
  .join('\n');

export const query = defineCommand({
  summary: 'the narrow phase by itself: verdict, distance, growth or depth of pairs of convex shapes',
  operands: [{ name: 'PAIRS', meaning: 'JSON lines, a pair each; - or nothing: stdin', optional: true }],
  options: {
    solver: optionalChoice(querySolvers, 'the first that knows what is asked', 'who answers'),
    what: optionalChoice(
      Object.fromEntries(quantities.map((quantity) => [quantity, true])),
      'all that the solver knows but gradients',
      'what is asked',
    ),
    gap: relativeGap(),
    warm: flag('keep what was learned of a pair for the next one with the same "track"; the answers stay the same'),
  },
  details: `A pair: {"id", "a": {"shape": {"type": "box", "size": [1, 1, 1]}, "pose": {"xyz", "quat_wxyz"}, "center": [x, y, z]}, "b": {...}}
of shapes as obstacles of a scene are written, or of {"type": "polygon", "points": [[x, y], ...]} and {"type": "disc", "radius"}
with poses {"xy", "angle"}; m, rad. Not given: no displacement; center (what growth is about): the origin of the shape.
A line per pair, in order, as soon as it is known, vectors in the world frame:
{"id", "status": "separated|touching|colliding|undecided", "distance": {"lower", "upper"}, "growth": {...}, "depth", "normal",
"witnessA", "witnessB", "iterations"} without what was not computed. A line that cannot be read: {"id", "line", "error"} in its place;
the rest is answered, exit code 2 at the end.

Solvers:
${solverHelp}`,
  examples: [['elbowroom query pairs.jsonl --what distance --gap 1e-12', 'distances to the last digit']],

  async run(io, [pairs], { solver, what, gap, warm }) {
    const ask = createPairQuery({ solver, what: what as Quantity | undefined, gap, warm });
    const { unreadable } = await answerLines(
      io,
      { input: pairs, output: undefined, what: 'pairs' },
      createReader,
      ({ pair }) => {
        const { warnings } = pair;
        return JSON.stringify({ ...ask(pair), ...(warnings === undefined ? {} : { warnings }) }).slice(1, -1);
      },
    );
    return unreadable > 0 ? ExitCode.BadInput : ExitCode.Ok;
  },
});

/** Pairs as `answerLines` reads lines. */
function createReader(): LineReader<ReadLine & { readonly pair: Pair }> {
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

/** The gap between the bounds of an answer, as a part of the upper one. */
function relativeGap(): Option<number | undefined> {
  return {
    meaning: 'relative gap between the bounds of an answer at which a solver may stop, from 0 to 1',
    value: 'PART',
    shown: '1.5e-8 or less, as the solver has it',
    read: ([given], name) => {
      if (given === undefined) return undefined;
      const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given) ? Number(given) : Number.NaN;
      if (value >= 0 && value <= 1) return value;
      throw new InputError(`${name} is "${given}"`, 'Give a number from 0 to 1, such as 1e-12.');
    },
  };
}

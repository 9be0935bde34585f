import { configurationOf } from '../../../core/scene/configurationOf.ts';
import type { JointGoal } from '../../../core/scene/goals.ts';
import { InputError, parseJson } from '../../../errors.ts';
import { buildLibrary } from '../../../tasks/planning/motionLibrary/buildLibrary.ts';
import { libraryText, readLibrary } from '../../../tasks/planning/motionLibrary/libraryFile.ts';
import { createSceneRobot, type Problem } from '../../../tasks/sceneRobot.ts';
import { loadScene, readInputText, readText } from '../../node/files.ts';
import { checkOutput, refuseSceneAsOutput } from '../../node/outputTarget.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { integer, quantity, text } from '../options.ts';
import { MAX_LIBRARY_SIZE } from './libraryOption.ts';

/** Bytes per number of a library, about. */
const NUMBER_SIZE = 6;

const options = {
  output: text('FILE', 'for build: output file, written completely or not at all', 'o'),
  queries: text('FILE', 'for build: one query per line, see below; nodes are dense where the queries are'),
  nodes: integer(400, 'for build: number of nodes', { min: 2, max: 20_000 }),
  seed: integer(1, 'for build: seed of all random numbers', { min: 0 }),
  timeLimit: quantity(60, 's', 'for build: time limit; the library then has fewer nodes', { min: 0, exclusive: true }),
  memory: quantity(50, 'MB', 'for build: largest size of the file, about', { min: 0, exclusive: true }),
};

export const library = defineCommand({
  summary: 'library of motions: certified edges for many queries of one robot among changing obstacles',
  operands: [
    { name: 'ACTION', meaning: 'build: from a SCENE; info: of a library' },
    { name: 'FILE', meaning: 'scene, or library' },
  ],
  options,
  details: `build SCENE -o FILE: a roadmap whose edges are certified in the scene, with planes around each link over each piece
of every edge. plan --library FILE searches it, also if obstacles have moved, or others have been added or removed. The
file is bound to robot, hulls, attached objects, padding and the allowed pairs of the robot by a hash, and refused for
others. Equal seeds give equal bytes, unless the time limit ends the build.

--queries FILE: one JSON value per line: a configuration as in a scene file ([0, -1.5, ...], or a name), or {"start",
"goal"} of two of them. Start and goals of the scene are queries, too.

info FILE: one line of JSON, {"robot", "scene", "joint_names", "nodes", "edges", "obstacles", "robot_hash"}.
Exit code 0: built, 2: bad input.`,
  examples: [
    ['elbowroom library build scenes/shelf.yaml -o shelf.elb', 'the library of a cell'],
    ['elbowroom plan scenes/shelf.yaml --library shelf.elb -o shelf.json', 'a plan with it'],
  ],

  async run(io, [action, file], given) {
    if (action === 'build') return build(io, file!, given);
    if (action !== 'info') throw new InputError(`library: unknown action "${action}"`, 'Use one of: build, info.');
    const { robot, scene, joint_names, points, edges, obstacles, robot_hash } = readLibrary(
      await readText(file!, MAX_LIBRARY_SIZE),
      file!,
    );
    const counts = { nodes: points.length, edges: edges.length, obstacles: Object.keys(obstacles) };
    await io.write(`${JSON.stringify({ robot, scene, joint_names, ...counts, robot_hash })}\n`);
    return ExitCode.Ok;
  },
});

async function build(io: Io, path: string, given: Values<typeof options>): Promise<ExitCode> {
  const { output, queries, nodes, seed, timeLimit, memory } = given;
  if (output === undefined) throw new InputError('library build: no output is given', 'Give -o FILE.');
  checkOutput(output);
  refuseSceneAsOutput(path, [output]);
  const until = io.clock() + 1000 * timeLimit;
  const { scene, robot, warnings } = await loadScene(path);
  io.warn(warnings);
  const problem = { scene, robot, model: createSceneRobot({ scene, robot }) };
  const states = queries === undefined ? [] : statesIn(await readInputText(queries), queries, problem);
  const mostNumbers = (memory * 1e6) / NUMBER_SIZE;
  const isOver = () => io.clock() > until;
  const built = io.compute('building the library', () =>
    buildLibrary(problem, { nodes, mostNumbers, seed, states, isOver }),
  );
  io.save(output, libraryText(built));
  io.say(`${scene.name}: ${built.points.length} nodes, ${built.edges.length} certified edges`);
  return ExitCode.Ok;
}

/** Returns the states of queries, one query per line. */
function statesIn(content: string, file: string, { model }: Required<Problem>): Float64Array[] {
  return content.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const place = `${file}:${i + 1}`;
    const query = parseJson(line, place, 'not JSON', 'Each line is a configuration, or {"start", "goal"}.') as
      | JointGoal
      | { readonly start: JointGoal; readonly goal: JointGoal };
    const isPair = typeof query === 'object' && query !== null && 'start' in query && 'goal' in query;
    const given = isPair ? [query.start as JointGoal, query.goal as JointGoal] : [query as JointGoal];
    return given.map((one) => {
      const isValues = Array.isArray(one) && one.every((value) => Number.isFinite(value));
      if (!isValues && typeof one !== 'string')
        throw new InputError(`${place}: no configuration`, 'Give a list of joint values, or the name of a state.');
      return Float64Array.from(configurationOf(model, one, place));
    });
  });
}

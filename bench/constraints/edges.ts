import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { ConstraintSet } from '../../src/core/constraints/constraintSet.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { constrainEdges } from '../../src/tasks/planning/constrained/constrainedPlanning.ts';
import { edgeValidations } from '../../src/tasks/planning/edgeValidation.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { planningSpace } from '../../src/tasks/planning/planningSpace.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { quantile, type Table } from '../measure.ts';
import { type TiltProblem, tilts } from './scenes.ts';

/** Rounds of each path, with and without the constraint in turn; the least time counts. */
const ROUNDS = 15;

/** Certified edges of planned paths, with the tilt constraint and without it. */
export function edgesTable(problems: readonly TiltProblem[]): Table {
  const robots = [...new Set(problems.map(({ robot }) => robot))];
  const rows = Object.entries(tilts).flatMap(([tilt, within]) =>
    robots.map((robot) => {
      const paths = problems.filter((one) => one.robot === robot).flatMap((one) => pathTimes(one, within));
      const sum = (key: 'edges' | 'constrained' | 'plain') => paths.reduce((total, path) => total + path[key], 0);
      return {
        robot,
        'tilt within': tilt,
        edges: sum('edges'),
        'µs without': sum('plain') / sum('edges'),
        'µs with': sum('constrained') / sum('edges'),
        ratio: sum('constrained') / sum('plain'),
        'median of paths': quantile(
          paths.map(({ constrained, plain }) => constrained / plain),
          0.5,
        ),
      };
    }),
  );
  return {
    title: 'certified edges of planned paths, with a tilt constraint and without',
    rows,
    notes: [`minimum of ${ROUNDS} interleaved rounds of each path; every edge is proved anew; target: a ratio of 1.3`],
  };
}

function pathTimes({ problem }: TiltProblem, within: number) {
  const given = problem(within);
  const { trajectory } = planMotion(given, { seed: 1, timing: false });
  if (!trajectory) return [];
  const path: Configuration[] = trajectory.points.map(({ positions }) => Float64Array.from(positions));
  const robot = createSceneRobot(given);
  const manager = new CollisionManager(new CollisionModel(robot, given.scene));
  const motionsOf = (kind: 'plain' | 'constrained') => {
    const space = planningSpace(robot, {});
    const set = ConstraintSet.ofScene(robot, given.scene)!;
    const constrained = constrainEdges(space, set);
    const inner = edgeValidations.certified.create(manager, space, Number.NaN);
    return kind === 'plain' ? inner : constrained(inner);
  };
  const edges = path.flatMap((q, i): [Configuration, Configuration][] => (i === 0 ? [] : [[path[i - 1], q]]));
  const isProved = ([from, to]: readonly Configuration[]) => motionsOf('constrained').isMotionValid(from, to, true);
  const proved = edges.filter(isProved); // without those that path improvement has changed into curves
  const times = { constrained: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of ['plain', 'constrained'] as const) {
      const motions = motionsOf(kind);
      const before = process.hrtime.bigint();
      for (const [from, to] of proved) motions.isMotionValid(from, to, true);
      times[kind] = Math.min(times[kind], Number(process.hrtime.bigint() - before) / 1000);
    }
  return [{ edges: proved.length, ...times }];
}

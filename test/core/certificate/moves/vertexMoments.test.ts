import { expect, test } from 'vitest';
import { provedConstraint } from '../../../../src/core/certificate/constraints/index.ts';
import { cellMoment, vertexMoments } from '../../../../src/core/certificate/moves/cellMoment.ts';
import { posedCell } from '../../../../src/core/certificate/moves/cellPlane.ts';
import { CellMotion, VERTICES } from '../../../../src/core/collision/motions/stateCellProver.ts';
import { ConstraintSet } from '../../../../src/core/constraints/constraintSet.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { sceneOf } from '../../../helpers/robots.ts';
import { toolPose } from '../../../tasks/checking/moves/movesOracle.ts';

const TCP = [0.02, -0.01, 0.14] as const;
const REACHED = new Float64Array(6).fill(7);

/** A constraint whose room shrinks by `less`, and its excess at a state by an oracle without project code. */
interface Limit {
  readonly made: (less: number) => PathConstraint;
  readonly excess: (q: readonly number[]) => number;
}

/** The tool in the world: the base of the controller is turned by half a turn. */
function tool(q: readonly number[]): [number, number, number] {
  const [x, y, z] = toolPose(q, [...TCP]).p;
  return [-x, -y, z];
}

/** A half-space, ball, box or range of a joint about a state. */
function limitAt(random: Random, q: readonly number[], round: number): Limit {
  const quat_wxyz = [1, 0, 0, 0] as const;
  const xyz = tool(q).map((value) => value + random.between(-0.05, 0.05)) as [number, number, number];
  const region = (shape: object, at = xyz) =>
    ({ type: 'region', shape, pose: { xyz: at, quat_wxyz } }) as PathConstraint;
  const offset = (state: readonly number[]) => tool(state).map((value, i) => value - xyz[i]);
  if (round % 4 === 0) {
    const raw = [0, 1, 2].map(() => random.between(-1, 1));
    const normal = raw.map((value) => value / Math.hypot(...raw));
    const moved = (less: number) => xyz.map((value, i) => value - less * normal[i]) as [number, number, number];
    return {
      made: (less) => region({ type: 'halfspace', normal }, moved(less)),
      excess: (state) => offset(state).reduce((sum, value, i) => sum + value * normal[i], 0),
    };
  }
  if (round % 4 === 1)
    return {
      made: (less) => region({ type: 'sphere', radius: 0.3 - less }),
      excess: (state) => Math.hypot(...offset(state)) - 0.3,
    };
  if (round % 4 === 2) {
    const size = [0.2, 0.3, 0.4];
    return {
      made: (less) => region({ type: 'box', size: size.map((value) => value - 2 * less) }),
      excess: (state) => Math.max(...offset(state).map((value, i) => Math.abs(value) - size[i] / 2)),
    };
  }
  const j = random.below(6);
  return {
    made: (less) => {
      const joint = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'][j];
      return { type: 'joint', joint: `${joint}_joint`, range: [-9, q[j] - less] };
    },
    excess: (state) => state[j] - q[j],
  };
}

test('bounds at the vertices of a cell hold at all of its states, and are less than those along its longest generator', async () => {
  const robot = createRobotModel(await loadRobot('ur5e'));
  const tcp = { link: 'tool0', pose: { xyz: TCP, quat_wxyz: [1, 0, 0, 0] } } as const;
  const random = new Random(11);
  const motion = new CellMotion(robot.dof);
  let [proved, tighter, kept] = [0, 0, 0];
  for (let round = 0; round < 400; round++) {
    const q = Array.from({ length: 6 }, () => random.between(-3, 3));
    const limit = limitAt(random, q, round);
    const size = 10 ** random.between(-5, -1);
    const vector = () => Float64Array.from(q, () => size * random.between(-1, 1));
    const generators = Array.from({ length: 1 + random.below(4) }, vector);
    const error = vector().map((value) => Math.abs(value) * random.between(0, 0.3));
    const cell = { q: Float64Array.from(q), generators, error };
    const states = Array.from({ length: 40 }, (_, k) => {
      const shares = generators.map(() => (k < 20 ? 2 * random.below(2) - 1 : random.between(-1, 1)));
      return q.map(
        (x, j) => generators.reduce((sum, one, i) => sum + shares[i] * one[j], x) + random.between(-1, 1) * error[j],
      );
    });
    const most = Math.max(...states.map(limit.excess));

    // The checker of certificates: the excess that it bounds.
    const { excess } = provedConstraint(limit.made(0), robot, { ...sceneOf([]), tcp });
    const posed = posedCell(robot, cell);
    const bound = Math.max(...vertexMoments(posed, REACHED).map((moment) => excess(moment).upperBound));
    expect(bound, `round ${round}`).toBeGreaterThanOrEqual(most - 1e-12);
    if (bound < excess(cellMoment(posed, REACHED)).upperBound - 0.1 * size) tighter++;

    // The prover: what it proves with the room that the sampled states leave, or a little less.
    const given = limit.made(-most + (round % 3 === 0 ? 1e-6 : -size * random.between(0, 1)));
    const set = new ConstraintSet(robot, [given], tcp);
    const isProved = VERTICES[generators.length - 1].every((signs) => {
      motion.set(cell, signs);
      return set.isExact(motion) && set.verdictOver(motion, motion.start, motion.end) === 'proved';
    });
    if (!isProved) continue;
    proved++;
    if (round % 3 === 0) kept++;
  }
  expect(kept).toBe(0);
  expect(proved).toBeGreaterThan(50);
  expect(tighter).toBeGreaterThan(50);
});

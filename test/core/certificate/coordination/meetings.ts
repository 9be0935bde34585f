import { certifiedParts } from '../../../../src/core/certificate/convexParts.ts';
import { CellPlaneProver } from '../../../../src/core/certificate/coordination/cellPlaneProver.ts';
import { motionPieces } from '../../../../src/core/certificate/motionPieces.ts';
import { compositeRobot } from '../../../../src/core/kinematics/composition/compositeRobot.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { Pose } from '../../../../src/core/kinematics/robotModel.ts';
import type { Random } from '../../../../src/core/math/random.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { randomPose, randomRobot } from '../../../helpers/robots.ts';
import type { OracleRobot } from '../../../tasks/coordination/meetingOracle.ts';

/** A random trajectory with lines, whose velocities jump, or cubics; some begin after time 0. */
export function randomTrajectory(random: Random, joints: readonly string[]): Trajectory {
  const straight = random.next() < 0.4;
  const start = random.next() < 0.3 ? random.between(0, 0.5) : 0;
  let time = start;
  const points = Array.from({ length: 2 + random.below(6) }, () => {
    const values = (reach: number) => joints.map(() => random.between(-reach, reach));
    const point = { time_from_start: time, positions: values(1.2), ...(straight ? {} : { velocities: values(1) }) };
    time += random.between(0.1, 0.8);
    return point;
  });
  return { jointNames: joints, points };
}

/** Two random robots near each other; of the second one, links have the prefix "other/". */
export function randomMeeting(random: Random, joints: number): [OracleRobot, OracleRobot] {
  for (;;) {
    const robots = [0, 1].map((i): OracleRobot => {
      const description = randomRobot(random, 1 + random.below(joints));
      const names = createRobotModel(description).variables.map(({ name }) => name);
      const pose = {
        ...randomPose(random, 0.3),
        ...(i === 0 ? {} : { xyz: [random.between(0.3, 0.9), 0, 0] as const }),
      };
      return { description, pose, trajectory: randomTrajectory(random, names) };
    });
    if (robots.every(({ trajectory }) => trajectory.jointNames.length > 0)) return [robots[0], robots[1]];
  }
}

/** The robots of a meeting as members of a coordination. */
export const membersOf = (robots: readonly OracleRobot[]) =>
  robots.map(({ description, pose, trajectory }, i) => ({
    name: ['one', 'other', 'third'][i],
    prefix: ['', 'other/', 'third/'][i],
    model: createRobotModel(description, { pose: pose as Pose }),
    trajectory,
  }));

/** The checker of cells for a meeting, and its parts. */
export function cellProverOf(robots: readonly OracleRobot[]) {
  const [a, b] = membersOf(robots);
  const robot = compositeRobot('both', [a, b]);
  const prover = new CellPlaneProver(
    robot,
    [
      { model: a.model, pieces: motionPieces(a.trajectory), firstLink: 1, firstVariable: 0 },
      {
        model: b.model,
        pieces: motionPieces(b.trajectory),
        firstLink: 1 + a.model.links.length,
        firstVariable: a.model.dof,
      },
    ],
    0,
  );
  return { prover, parts: certifiedParts(robot, { obstacles: [], attached: [], allow: [], padding: 0 }) };
}

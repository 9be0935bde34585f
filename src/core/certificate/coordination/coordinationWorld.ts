import { compositeRobot, type RobotMember } from '../../kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { type CertifiedPart, type CertifiedScene, certifiedParts, checkedPairs } from '../convexParts.ts';
import { type MotionPiece, motionPieces, restingPiece } from '../motionPieces.ts';
import type { RequiredPair } from '../verifyPairs.ts';
import { combinedPiece } from '../worldPieces.ts';
import type { CellMember } from './cellPlaneProver.ts';

/** All robots as one tree, and the pairs of parts that must be apart. */
export interface CoordinationWorld {
  readonly robot: RobotModel;
  readonly members: readonly CellMember[];
  readonly parts: readonly CertifiedPart[];
  /** The checked pairs of parts of two robots; of one robot (i = j) those with itself and the obstacles. */
  requiredOf(i: number, j: number): readonly RequiredPair[];
}

/** Joins the robots of a coordination to one tree, in their order. */
export function createCoordinationWorld(
  members: readonly RobotMember[],
  motions: readonly Trajectory[],
  scene: CertifiedScene,
): CoordinationWorld {
  const robot = compositeRobot('all robots', members);
  const parts = certifiedParts(robot, scene);
  let [firstLink, firstVariable] = [1, 0]; // link 0 is the root of all
  const placed = members.map(({ model }, i): CellMember => {
    const member = { model, pieces: motionPieces(motions[i]), firstLink, firstVariable };
    firstLink += model.links.length;
    firstVariable += model.dof;
    return member;
  });
  const memberOf = ({ link }: CertifiedPart) => placed.findLastIndex((member) => member.firstLink <= link);
  const byMembers = new Map<string, RequiredPair[]>();
  for (const [a, b] of checkedPairs(robot, scene, parts)) {
    const [i, j] = [memberOf(a), b.link < 0 ? memberOf(a) : memberOf(b)].sort((one, other) => one - other);
    const key = `${i} ${j}`;
    byMembers.set(key, [...(byMembers.get(key) ?? []), [a, b]]);
  }
  return { robot, members: placed, parts, requiredOf: (i, j) => byMembers.get(`${i} ${j}`) ?? [] };
}

/** Returns the pieces of the motion of one robot while the others rest at the start. */
export const aloneIn = (members: readonly CellMember[], moving: number): MotionPiece[] =>
  members[moving].pieces.map(({ start, end }, k) =>
    combinedPiece(
      start,
      end,
      members.map(({ pieces, model }, i) =>
        i === moving
          ? pieces[k]
          : restingPiece(
              start,
              end,
              Array.from({ length: model.dof }, (_, j) => pieces[0].coefficients[6 * j]),
            ),
      ),
    ),
  );

import type { CellPartition } from '../../../core/certificate/cells/cellPartition.ts';
import type { CellSpace } from '../../../core/certificate/cells/cellSpace.ts';
import { JointCellProver, type RequiredPose } from '../../../core/certificate/cells/jointCells.ts';
import type { CertifiedPart } from '../../../core/certificate/convexParts.ts';
import { linkPoses } from '../../../core/certificate/linkPoses.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { compose, create, invert, type Transform } from '../../../core/math/transform.ts';
import { type CandidatePair, WitnessSearch } from './witnessSearch.ts';

/** rad or m: half width of the smallest cells that are bisected. */
const SMALLEST = 1e-3;
/** Maximum number of nodes of a tree. */
const MAX_CELLS = 6000;

/**
 * Covers all values of the joints next to the link of a goal pose by cells in which the robot collides with an
 * obstacle, at every pose within the tolerance. Returns undefined if that fails.
 * @param pairs parts that only these joints move relative to the link, and obstacles
 */
export function searchGoalCells(
  robot: RobotModel,
  space: CellSpace,
  pairs: readonly CandidatePair[],
  required: RequiredPose,
  interrupt: Interrupt,
): CellPartition | undefined {
  const tree = space.createTree();
  const prover = new JointCellProver(robot, space.reached());
  const search = new WitnessSearch(pairs);
  const open = [0];
  while (open.length > 0) {
    const cell = open.pop()!;
    const { middle, half } = space.cellOf(tree, cell);
    prover.setCell(middle, half);
    const poseOf = posesAtGoal(robot, middle, required);
    const { witness, collides } = search.search(poseOf, ({ a, b }, p) => {
      prover.setPair(a, b);
      return prover.overlapAtGoal(p, required) > 0 ? p : undefined;
    });
    tree.witness[cell] = witness;
    if (witness !== undefined) continue;
    const axis = tree.widestAxis(cell);
    if (!collides || axis < 0 || tree.halfWidth(cell, axis) < SMALLEST || tree.size > MAX_CELLS || interrupt())
      return undefined;
    const first = tree.bisect(cell, axis);
    open.push(first, first + 1);
  }
  return tree;
}

/** Returns the poses of links in the world when the frame of the goal is at its pose. */
function posesAtGoal(
  robot: RobotModel,
  q: Float64Array,
  { frame, T_world_goal }: RequiredPose,
): (part: CertifiedPart) => Transform {
  const T_model_link = linkPoses(robot, q);
  const T_world_model = create();
  compose(T_world_model, T_model_link[frame.link], frame.T_link_frame);
  invert(T_world_model, T_world_model);
  compose(T_world_model, T_world_goal, T_world_model);
  return ({ link }) => {
    const T = create();
    if (link >= 0) compose(T, T_world_model, T_model_link[link]);
    return T;
  };
}

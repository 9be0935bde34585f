import type { CellPartition, Witness } from '../../../core/certificate/cells/cellPartition.ts';
import type { CellSpace, Wall } from '../../../core/certificate/cells/cellSpace.ts';
import { JointCellProver, type RequiredPose } from '../../../core/certificate/cells/jointCells.ts';
import { PoseReach } from '../../../core/certificate/cells/poseReach.ts';
import type { CertifiedPart } from '../../../core/certificate/convexParts.ts';
import { linkPoses } from '../../../core/certificate/linkPoses.ts';
import { movingJoints } from '../../../core/kinematics/reach.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import {
  composed,
  create,
  inverted,
  originOf,
  type Transform,
  transformedPoint,
} from '../../../core/math/transform.ts';
import { difference, norm } from '../../../core/math/vec3.ts';
import { type CandidatePair, provedOverlap, WitnessSearch } from './witnessSearch.ts';

/** m: cells in which no joint moves anything farther than this are not bisected. */
const SMALLEST = 5e-4;
/** A sphere inside a part is seldom larger than this multiple of the one about its center. */
const DEEPEST = 1;

interface OpenCell {
  readonly cell: number;
  /** Pairs that may meet in the cell. */
  readonly pairs: readonly CandidatePair[];
}

/**
 * Covers the box of the joints that move the frame of a goal by cells in which the robot is in collision, or the frame
 * is not at its pose, or that are behind walls. Returns undefined if that fails.
 */
export class GoalSearch {
  /** True if a cell is behind a wall. */
  usesWalls = false;
  private readonly tree: CellPartition;
  private readonly prover: JointCellProver;
  private readonly reach: PoseReach;
  private readonly search = new WitnessSearch();
  /** Metres per rad or m of each joint of the space: approximately how far it moves the links that it carries. */
  private readonly lengths: readonly number[];

  /** @param pairs parts that only joints of the space move relative to each other, or to the frame */
  constructor(
    private readonly robot: RobotModel,
    private readonly space: CellSpace,
    private readonly pairs: readonly CandidatePair[],
    private readonly required: RequiredPose,
    private readonly walls: readonly Wall[],
  ) {
    this.tree = space.createTree();
    this.prover = new JointCellProver(robot, space.reached());
    this.reach = new PoseReach(robot, required);
    this.lengths = lengthsOf(robot, space, required);
  }

  run(mostNodes: number, interrupt: Interrupt): CellPartition | undefined {
    const { tree, lengths, pairs } = this;
    const open: OpenCell[] = [{ cell: 0, pairs }];
    while (open.length > 0) {
      const { cell, pairs: parents } = open.pop()!;
      const near = this.close(cell, parents);
      if (near === undefined) continue;
      const motions = lengths.map((length, k) => Math.min(tree.halfWidth(cell, k), 2) * length);
      const most = Math.max(0, ...motions);
      if (most < SMALLEST || tree.size > mostNodes || interrupt()) return undefined;
      const first = tree.bisect(cell, motions.indexOf(most));
      open.push({ cell: first, pairs: near }, { cell: first + 1, pairs: near });
    }
    return tree;
  }

  /** Proves a claim about a cell; returns the pairs that may meet in it if there is none. */
  private close(cell: number, parents: readonly CandidatePair[]): readonly CandidatePair[] | undefined {
    const { space, tree, prover, reach, robot, required, lengths } = this;
    if (this.walls.some((wall) => space.isBehind(wall, tree, cell))) {
      this.usesWalls = true;
      return undefined;
    }
    const joints = space.cellOf(tree, cell);
    if (reach.excludes(joints)) {
      tree.unreached.add(cell);
      return undefined;
    }
    prover.setCell(joints);
    const T_world_link = linkPoses(robot, joints.middle);
    const poseOf = ({ link }: { readonly link: number }) => (link < 0 ? create() : T_world_link[link]);
    const slack = lengths.reduce((sum, length, k) => sum + Math.min(tree.halfWidth(cell, k), 2) * length, 0);
    const near = parents.filter(({ a, b }) => mayMeet(a, poseOf(a), b, poseOf(b), slack));
    tree.witness[cell] =
      this.witnessAt(poseOf, near, true) ?? this.witnessAt(poseAtGoal(poseOf, required), near, false);
    return tree.witness[cell] === undefined ? near : undefined;
  }

  private witnessAt(
    poseOf: (part: CertifiedPart) => Transform,
    pairs: readonly CandidatePair[],
    isCell: boolean,
  ): Witness | undefined {
    const { prover, required, search } = this;
    const deep = pairs.filter(({ a, b }) => {
      if (!isCell && b.link >= 0) return false;
      prover.setPair(a, b);
      const center = transformedPoint(poseOf(a), a.center);
      const moved = isCell ? prover.moved(center) : prover.movedAtGoal(center, required);
      return moved < DEEPEST * (a.shape.innerRadius + b.shape.innerRadius);
    });
    return search.search(deep, poseOf, (pair, p) => {
      if (isCell) return provedOverlap(prover, pair, p, poseOf(pair.b));
      prover.setPair(pair.a, pair.b);
      return prover.overlapAtGoal(p, required) > 0 ? p : undefined;
    }).witness;
  }
}

/** Returns the poses of links in the world when the frame of the goal is at its pose. */
function poseAtGoal(
  poseOf: (part: { readonly link: number }) => Transform,
  { frame, T_world_goal }: RequiredPose,
): (part: CertifiedPart) => Transform {
  const T_world_model = composed(T_world_goal, inverted(composed(poseOf(frame), frame.T_link_frame)));
  return (part) => (part.link < 0 ? create() : composed(T_world_model, poseOf(part)));
}

/** Returns true if the bounding spheres of two parts are nearer to each other than `slack`. */
function mayMeet(a: CertifiedPart, T_a: Transform, b: CertifiedPart, T_b: Transform, slack: number): boolean {
  const away = norm(difference(transformedPoint(T_a, a.center), transformedPoint(T_b, b.center)));
  return !(away > a.radius + b.radius + slack);
}

/** Distances of the joint behind each joint of the space from there to the frame, along the chain. */
function lengthsOf(robot: RobotModel, { variables }: CellSpace, { frame }: RequiredPose): number[] {
  const chain = movingJoints(robot, frame.link);
  const T_world_link = linkPoses(robot, new Float64Array(robot.dof));
  const at = chain.map(({ child }) => originOf(T_world_link[child]));
  at.push(originOf(composed(T_world_link[frame.link], frame.T_link_frame)));
  const lengths = new Map<number, number>();
  let sum = 0;
  for (let k = chain.length - 1; k >= 0; k--) {
    sum += norm(difference(at[k], at[k + 1]));
    const { type, variable, multiplier } = chain[k];
    const length = Math.abs(multiplier) * (type === 'prismatic' ? 1 : sum);
    lengths.set(variable, Math.max(lengths.get(variable) ?? 0, length));
  }
  // The link that the last joint turns has a size, too.
  return variables.map((i) => (lengths.get(i) ?? 0) + LEAST);
}

/** m: added to the lengths that joints move. */
const LEAST = 0.05;

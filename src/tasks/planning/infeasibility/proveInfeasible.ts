import type { CellPartition } from '../../../core/certificate/cells/cellPartition.ts';
import { CellSpace } from '../../../core/certificate/cells/cellSpace.ts';
import {
  type Cells,
  type CollidingGoal,
  INFEASIBILITY_FORMAT,
  type InfeasibilityCertificate,
} from '../../../core/certificate/cells/infeasibility.ts';
import { JointCellProver, type RequiredPose } from '../../../core/certificate/cells/jointCells.ts';
import { verifyInfeasibility } from '../../../core/certificate/cells/verifyInfeasibility.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../../../core/certificate/convexParts.ts';
import { linkPoses } from '../../../core/certificate/linkPoses.ts';
import { passagesBetween } from '../../../core/certificate/pairPlane.ts';
import { movingJoints } from '../../../core/kinematics/reach.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { linkFrameOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { compose, create, invert, type Transform } from '../../../core/math/transform.ts';
import { configurationOf, goalConfiguration, goalPoseOf } from '../../../core/scene/configurationOf.ts';
import type { PoseGoal, Scene } from '../../../core/scene/scene.ts';
import { type FoundWall, searchWall } from './wallSearch.ts';
import { type CandidatePair, WitnessSearch } from './witnessSearch.ts';

/** Maximum number of joints of a wall, and of those next to a goal pose. */
const MAX_JOINTS = 3;
const MAX_GOAL_JOINTS = 2;
/** Number of objects that a reason names. */
const NAMED = 3;

/**
 * Attempts to prove that no valid motion leads from the start of a scene to any of its goals: a goal pose is in
 * collision whatever the other joints do, or a wall of cells in collision, in the space of few joints next to the base,
 * separates a goal from the start. Returns undefined if that is not proved. Every proof is verified
 * (`verifyInfeasibility`). The scene has a valid start, no steps, and nothing in it moves.
 */
export function proveInfeasible(
  robot: RobotModel,
  scene: Scene,
  interrupt: Interrupt,
): InfeasibilityCertificate | undefined {
  const search = new InfeasibilitySearch(robot, scene, interrupt);
  const certificate = search.run();
  return certificate !== undefined && verifyInfeasibility(certificate, robot, scene, interrupt).proved
    ? certificate
    : undefined;
}

type Pair = readonly [CertifiedPart, CertifiedPart];

class InfeasibilitySearch {
  private readonly pairs: readonly Pair[];
  private readonly start: Float64Array;
  private readonly goals: CollidingGoal[] = [];
  private readonly walls: Cells[] = [];
  private readonly reasons: string[] = [];

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly interrupt: Interrupt,
  ) {
    const pairs = checkedPairs(robot, scene, certifiedParts(robot, scene));
    this.pairs = pairs.filter(([a, b]) => a.isSolid && b.isSolid);
    this.start = Float64Array.from(configurationOf(robot, scene.start!, 'start'));
  }

  run(): InfeasibilityCertificate | undefined {
    const { scene, robot, start } = this;
    const states = new Map<number, Float64Array>();
    for (const [i, goal] of scene.goals.entries()) {
      const place = scene.goals.length === 1 ? 'the goal' : `goals[${i}]`;
      if (goal.kind === 'joints')
        states.set(i, Float64Array.from(goalConfiguration(robot, goal.joints, start, `goals[${i}]`)));
      else if (!this.coverPose(i, goal.pose, place)) return undefined;
    }
    for (const variables of this.nextToBase()) {
      if (states.size === 0) break;
      this.separate(variables, states);
    }
    if (states.size > 0) return undefined;
    return { format: INFEASIBILITY_FORMAT, reason: this.reasons.join('; '), goals: this.goals, walls: this.walls };
  }

  /** Proves that every state of a goal pose is in collision. */
  private coverPose(goal: number, pose: PoseGoal, place: string): boolean {
    const { robot, scene, interrupt } = this;
    const frame = linkFrameOf(robot, pose.link, scene.tcp);
    const required: RequiredPose = { frame, T_world_goal: goalPoseOf(pose, scene), tolerance: pose.tolerance };
    const chain = movingJoints(robot, frame.link).map((joint) => joint.variable);
    const last = [...new Set(chain.reverse())];
    for (let count = 0; count <= Math.min(MAX_GOAL_JOINTS, last.length); count++) {
      const space = CellSpace.of(robot, last.slice(0, count));
      if (space === undefined) return false;
      const pairs = this.candidates((a, b) => b.link < 0 && this.moves(a.link, frame.link, space.variables));
      const tree = searchGoalCells(robot, space, pairs, required, interrupt);
      if (tree === undefined) continue;
      this.goals.push({ goal, ...this.cells(space, tree, pairs) });
      const colliding = this.namesIn(tree, pairs, tree.witness.keys());
      this.reasons.push(`${place} is in collision: ${listed(colliding)} in every state of the pose`);
      return true;
    }
    return false;
  }

  /** Searches a wall in the space of some joints, and removes the goals that it separates from the start. */
  private separate(variables: readonly number[], states: Map<number, Float64Array>): void {
    const { robot, start, interrupt } = this;
    const space = CellSpace.of(robot, variables);
    if (space === undefined) return;
    const pairs = this.candidates((a, b) => this.moves(a.link, b.link, variables));
    const wall = searchWall(robot, space, pairs, start, states, interrupt);
    if (wall === undefined) return;
    this.walls.push(this.cells(space, wall.tree, pairs));
    this.reasons.push(this.wallReason(wall, pairs, space));
    for (const goal of wall.goals.keys()) states.delete(goal);
  }

  /** Returns the sets of at most MAX_JOINTS joints between the base and a link, the smallest ones first. */
  private nextToBase(): number[][] {
    const { robot } = this;
    const sets = new Map<string, number[]>();
    for (const link of robot.links.keys()) {
      const variables = [...new Set(movingJoints(robot, link).map((joint) => joint.variable))];
      if (variables.length > 0 && variables.length <= MAX_JOINTS) sets.set(variables.join(), variables);
    }
    return [...sets.values()].sort((one, other) => one.length - other.length);
  }

  /** Returns true if only these joints move one link relative to another; −1 is the world. */
  private moves(a: number, b: number, variables: readonly number[]): boolean {
    return passagesBetween(this.robot, a, b).every(({ joint }) => variables.includes(joint.variable));
  }

  private candidates(isCandidate: (a: CertifiedPart, b: CertifiedPart) => boolean): CandidatePair[] {
    return this.pairs.filter(([a, b]) => isCandidate(a, b)).map(([a, b], index) => ({ a, b, index }));
  }

  private cells({ variables }: CellSpace, tree: CellPartition, pairs: readonly CandidatePair[]): Cells {
    return {
      joints: variables.map((i) => this.robot.variables[i].name),
      pairs: pairs.map(({ a, b }) => ({ a: a.object, partA: a.part, b: b.object, partB: b.part })),
      tree: tree.toEntries(),
    };
  }

  /** Returns the names of the pairs that collide in cells, the most frequent ones first. */
  private namesIn({ witness }: CellPartition, pairs: readonly CandidatePair[], cells: Iterable<number>): string[] {
    const counts = new Map<string, number>();
    for (const cell of cells) {
      const one = witness[cell];
      if (one === undefined) continue;
      const { a, b } = pairs[one[0]];
      const name = `${a.object} and ${b.object}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  }

  private wallReason(
    { tree, from, goals }: FoundWall,
    pairs: readonly CandidatePair[],
    { variables }: CellSpace,
  ): string {
    const cells = [...goals.values()].flat();
    if (cells.length === 0) return 'the goal is out of the limits of its joints';
    const [ofStart, ofGoals] = [tree.flood(from), tree.flood(cells)];
    const isStart = volume(tree, ofStart) <= volume(tree, ofGoals);
    const wall = tree.wallAround(isStart ? ofStart : ofGoals);
    const joints = variables.map((i) => this.robot.variables[i].name).join(', ');
    const obstacles = new Set(pairs.filter(({ b }) => b.link < 0).map(({ b }) => b.object));
    const without = [...obstacles].filter((name) => {
      const before = tree.flood(from, { isOpen: ([pair]) => pairs[pair].b.object === name });
      return cells.some((cell) => before[cell] !== -2);
    });
    const way = without.length === 0 ? '' : `; without ${without.slice(0, NAMED).join(' or ')} the wall is open`;
    return (
      `the ${isStart ? 'start' : 'goal'} is enclosed: ${listed(this.namesIn(tree, pairs, wall))} collide in every ` +
      `state of the wall around it (${wall.length} ${wall.length === 1 ? 'cell' : 'cells'} of ${joints})${way}`
    );
  }
}

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and others` : names.join(', ');

/** Volume of the cells that are reached. */
function volume(tree: CellPartition, before: Int32Array): number {
  let sum = 0;
  for (const [cell, previous] of before.entries()) {
    if (previous === -2) continue;
    let size = 1;
    for (let k = 0; k < tree.dimension; k++) size *= 2 * tree.halfWidth(cell, k);
    sum += size;
  }
  return sum;
}

/** rad or m: half width of the smallest cells that are bisected. */
const SMALLEST = 1e-3;
/** Maximum number of nodes of a tree. */
const MAX_CELLS = 6000;

/**
 * Covers all values of the joints next to the link of a goal pose by cells in which the robot collides with an
 * obstacle, at every pose within the tolerance. Returns undefined if that fails.
 * @param pairs parts that only these joints move relative to the link, and obstacles
 */
function searchGoalCells(
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

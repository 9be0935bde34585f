import type { CellPartition } from '../../../core/certificate/cells/cellPartition.ts';
import { CellSpace, type Wall } from '../../../core/certificate/cells/cellSpace.ts';
import {
  type Cells,
  type CollidingGoal,
  INFEASIBILITY_FORMAT,
  type InfeasibilityCertificate,
} from '../../../core/certificate/cells/infeasibility.ts';
import { requiredPose } from '../../../core/certificate/cells/jointCells.ts';
import { verifyInfeasibility } from '../../../core/certificate/cells/verifyInfeasibility.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../../../core/certificate/convexParts.ts';
import { passagesBetween } from '../../../core/certificate/pairPlane.ts';
import { movingJoints } from '../../../core/kinematics/reach.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { PairCache } from '../../../core/narrowphase/solver.ts';
import { configurationOf, goalConfiguration } from '../../../core/scene/configurationOf.ts';
import type { PoseGoal, Scene } from '../../../core/scene/scene.ts';
import { GoalSearch } from './goalSearch.ts';
import { type FoundWall, searchWall } from './wallSearch.ts';
import type { CandidatePair } from './witnessSearch.ts';

/** Maximum number of joints of a wall. */
const MAX_JOINTS = 3;
/** Maximum number of nodes of the tree of a goal pose: of all joints, and of those next to its link. */
const MAX_GOAL_NODES = 60_000;
const MAX_LAST_NODES = 1000;
/** Number of objects that a reason names. */
const NAMED = 3;

/**
 * Attempts to prove that no valid motion leads from the start of a scene to any of its goals: a wall of cells in
 * collision, in the space of few joints next to the base, separates a goal from the start, or each state of a goal pose
 * is in collision, out of reach or behind walls. Returns undefined if that is not proved. Every proof is verified
 * (`verifyInfeasibility`). The scene has a valid start, no steps, and nothing in it moves.
 * @param known valid states of goals: nothing is proved unless walls separate them from the start
 */
export function proveInfeasible(
  robot: RobotModel,
  scene: Scene,
  interrupt: Interrupt,
  known: readonly Configuration[] = [],
): InfeasibilityCertificate | undefined {
  const search = new InfeasibilitySearch(robot, scene, interrupt, known);
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
  private readonly found: Wall[] = [];
  private readonly reasons: string[] = [];

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly interrupt: Interrupt,
    private readonly known: readonly Configuration[],
  ) {
    const pairs = checkedPairs(robot, scene, certifiedParts(robot, scene));
    this.pairs = pairs.filter(([a, b]) => a.isSolid && b.isSolid);
    this.start = Float64Array.from(configurationOf(robot, scene.start!, 'start'));
  }

  run(): InfeasibilityCertificate | undefined {
    const { scene, robot, start } = this;
    // The known states, and the goals that are states.
    const states = new Map(this.known.map((q, k) => [-1 - k, Float64Array.from(q)]));
    for (const [i, goal] of scene.goals.entries())
      if (goal.kind === 'joints')
        states.set(i, Float64Array.from(goalConfiguration(robot, goal.joints, start, `goals[${i}]`)));
    for (const variables of this.nextToBase()) {
      if (states.size === 0) break;
      this.separate(variables, states);
    }
    if (states.size > 0) return undefined;
    for (const [i, goal] of scene.goals.entries()) {
      const place = scene.goals.length === 1 ? 'the goal' : `goals[${i}]`;
      if (goal.kind === 'pose' && !this.coverPose(i, goal.pose, place)) return undefined;
    }
    return { format: INFEASIBILITY_FORMAT, reason: this.reasons.join('; '), goals: this.goals, walls: this.walls };
  }

  /** Proves that every state of a goal pose is in collision, out of reach or behind the walls found. */
  private coverPose(goal: number, pose: PoseGoal, place: string): boolean {
    const { robot, scene, interrupt } = this;
    const required = requiredPose(robot, scene, pose);
    const { frame } = required;
    const chain = [...new Set(movingJoints(robot, frame.link).map((joint) => joint.variable))];
    // If the joints next to the link suffice, few cells are needed. Walls are next to the base.
    const counts = this.found.length > 0 ? [] : [0, 1, 2].filter((count) => count < chain.length);
    for (const variables of [...counts.map((count) => chain.slice(chain.length - count)), chain]) {
      const space = CellSpace.of(robot, variables, true);
      if (space === undefined) continue;
      const pairs = this.candidates(
        (a, b) => this.moves(a.link, b.link, variables) || (b.link < 0 && this.moves(a.link, frame.link, variables)),
      );
      const mostNodes = variables === chain ? MAX_GOAL_NODES : MAX_LAST_NODES;
      const search = new GoalSearch(robot, space, pairs, required, this.found);
      const tree = search.run(mostNodes, interrupt);
      if (tree === undefined) continue;
      this.goals.push({ goal, ...this.cells(space, tree, pairs) });
      const colliding = this.namesIn(tree, pairs, tree.witness.keys());
      const others = search.usesWalls ? ' that is not behind the wall' : '';
      if (colliding.length > 0)
        this.reasons.push(`${place} is in collision: ${listed(colliding)} in every state of the pose${others}`);
      else if (others === '') this.reasons.push(`${place} is out of reach: no state within the limits has its pose`);
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
    this.found.push({ space, tree: wall.tree, before: wall.tree.flood(wall.from) });
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
    return this.pairs
      .filter(([a, b]) => isCandidate(a, b))
      .map(([a, b], index) => ({ a, b, index, cache: new PairCache() }));
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

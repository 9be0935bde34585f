import { requireCollisionGeometry } from '../../kinematics/collisionGeometry.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { goalConfiguration, startStateOf } from '../../scene/configurationOf.ts';
import { kindOf } from '../../scene/movingScene.ts';
import type { Scene } from '../../scene/scene.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../convexParts.ts';
import { MAX_PROBLEMS, namedParts, partKey } from '../verifyPairs.ts';
import type { CellPartition } from './cellPartition.ts';
import { CellSpace, STATE_SLACK, type Wall } from './cellSpace.ts';
import type { Cells, CollidingGoal, InfeasibilityCertificate } from './infeasibility.ts';
import { JointCellProver, type RequiredPose, requiredPose } from './jointCells.ts';
import { PoseReach } from './poseReach.ts';

/** Result of verifying that no motion exists. */
export interface InfeasibilityResult {
  /** True if it is proved that no motion leads from the start to a goal. */
  readonly proved: boolean;
  /** Number of cells that are proved in collision. */
  readonly cells: number;
  /** Reasons why it is not proved, one line each; at most MAX_PROBLEMS. */
  readonly problems: readonly string[];
}

/**
 * Verifies that no valid motion of a scene leads from its start to any of its goals. Each goal is proved in collision,
 * out of reach, or separated from the start by a wall: kinematics, overlaps and coverage are computed independently of
 * the planner (docs/fixed-time.md).
 * @param interrupt ends the verification, which then has not proved it
 */
export function verifyInfeasibility(
  certificate: InfeasibilityCertificate,
  robot: RobotModel,
  scene: Scene,
  interrupt: Interrupt = never,
): InfeasibilityResult {
  requireCollisionGeometry(robot);
  const problems: string[] = [];
  if (kindOf(scene) !== 'still') problems.push('the scene is a program, or something in it moves');
  if (scene.start === undefined) problems.push('the scene has no start');
  if (scene.goals.length === 0) problems.push('the scene has no goal');
  if (problems.length > 0) return { proved: false, cells: 0, problems };
  const verification = new Verification(robot, scene, interrupt);
  const open = new Set(scene.goals.keys());
  for (const [i, wall] of certificate.walls.entries())
    for (const goal of verification.goalsBehind(wall, `walls[${i}]`)) open.delete(goal);
  for (const [i, colliding] of certificate.goals.entries())
    if (verification.provesGoal(colliding, `goals[${i}]`)) open.delete(colliding.goal);
  problems.push(...verification.problems);
  for (const goal of open) problems.push(`goals[${goal}] of the scene is neither in collision nor enclosed`);
  return {
    proved: problems.length === 0,
    cells: verification.cells,
    problems: problems.slice(0, MAX_PROBLEMS),
  };
}

/** Claims about the cells of a tree. */
interface Claims extends Pick<Cells, 'pairs'> {
  readonly tree: CellPartition;
  readonly prover: JointCellProver;
  readonly place: string;
  /** Every cell must have a claim. */
  readonly all: boolean;
  readonly setCell: (node: number) => void;
  /** Only for cells of a goal pose. */
  readonly required?: RequiredPose;
  readonly isUnreached?: (node: number) => boolean;
  readonly isBehindWall?: (node: number) => boolean;
}

/** The pairs of a scene, and what is proved of them. */
class Verification {
  cells = 0;
  readonly problems: string[] = [];
  private readonly parts: ReadonlyMap<string, CertifiedPart>;
  private readonly checked: ReadonlySet<string>;
  private readonly start: Float64Array;
  /** The walls that are proved. */
  private readonly walls: Wall[] = [];

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly interrupt: Interrupt,
  ) {
    const parts = certifiedParts(robot, scene);
    this.parts = namedParts(parts);
    this.checked = new Set(checkedPairs(robot, scene, parts).map(([a, b]) => pairKey(a, b)));
    this.start = Float64Array.from(startStateOf(robot, scene)!.q);
  }

  /** Returns true if a goal is proved in collision, out of reach or behind walls in each of its states. */
  provesGoal(colliding: CollidingGoal, place: string): boolean {
    const { robot, scene } = this;
    const goal = scene.goals[colliding.goal];
    if (goal === undefined) return this.refuse(`${place}: the scene has no goal ${colliding.goal}`);
    const space = this.spaceOf(colliding, place, true);
    if (space === undefined) return false;
    const tree = this.treeOf(colliding, space, place);
    if (tree === undefined) return false;
    if (goal.kind === 'joints') {
      if (space.variables.length > 0)
        return this.refuse(`${place}: goals[${colliding.goal}] is a state, without cells`);
      const q = goalConfiguration(robot, goal.joints, this.start, `goals[${colliding.goal}]`);
      const prover = new JointCellProver(robot, q.map(Math.abs));
      prover.setCell({ middle: q, half: new Float64Array(robot.dof).fill(STATE_SLACK) });
      return this.provesCells({ ...colliding, tree, prover, place, all: true, setCell: () => {} });
    }
    const required = requiredPose(robot, scene, goal.pose);
    const reach = new PoseReach(robot, required);
    const isUnreached = (node: number) => reach.excludes(space.cellOf(tree, node));
    const isBehindWall = (node: number) => this.walls.some((wall) => space.isBehind(wall, tree, node));
    const ofPose = { all: true, required, isUnreached, isBehindWall };
    return this.provesCells({ ...colliding, ...inSpace(robot, space, tree), place, ...ofPose });
  }

  /** Returns the goals that no motion from the start reaches, since it would meet a cell in collision. */
  goalsBehind(wall: Cells, place: string): number[] {
    const { robot, scene, start } = this;
    const space = this.spaceOf(wall, place);
    const tree = space && this.treeOf(wall, space, place);
    if (space === undefined || tree === undefined) return [];
    if (!this.provesCells({ ...wall, ...inSpace(robot, space, tree), place, all: false })) return [];
    const from = space.cellsAt(tree, start, false);
    if (from.length === 0) {
      this.refuse(`${place}: the start is not within its cells`);
      return [];
    }
    const before = tree.flood(from);
    this.walls.push({ space, tree, before });
    return [...scene.goals.entries()].flatMap(([i, goal]) => {
      if (goal.kind === 'pose') return [];
      const q = goalConfiguration(robot, goal.joints, start, `goals[${i}]`);
      return space.cellsAt(tree, q, true).every((cell) => before[cell] === -2) ? [i] : [];
    });
  }

  /** Proves each claim of a tree. */
  private provesCells(claims: Claims): boolean {
    const { pairs, tree, prover, place, all, setCell, required, isUnreached, isBehindWall } = claims;
    for (let node = 0; node < tree.size; node++) {
      if (!tree.isCell(node)) continue;
      if (this.interrupt()) return this.refuse('the time limit ended the verification');
      if (tree.unreached.has(node)) {
        if (isUnreached?.(node) !== true) return this.refuse(`${place}: a cell is not proved to be out of reach`);
        continue;
      }
      const witness = tree.witness[node];
      if (witness === undefined) {
        if (all && isBehindWall?.(node) !== true) return this.refuse(`${place}: a cell without witness`);
        continue;
      }
      const named = pairs[witness[0]];
      const a = named && this.parts.get(partKey(named.a, named.partA));
      const b = named && this.parts.get(partKey(named.b, named.partB));
      if (a === undefined || b === undefined || !this.checked.has(pairKey(a, b)))
        return this.refuse(`${place}: a witness of a pair that the scene does not check`);
      if (!(a.isSolid && b.isSolid)) return this.refuse(`${place}: a witness in a cloud of spheres`);
      setCell(node);
      prover.setPair(a, b);
      const p = Float64Array.from(witness.slice(1));
      const isProved =
        prover.overlap(p) > 0 || (required !== undefined && b.link < 0 && prover.overlapAtGoal(p, required) > 0);
      if (!isProved) return this.refuse(`${place}: ${a.object} and ${b.object} are not proved to overlap in a cell`);
      this.cells++;
    }
    return true;
  }

  private spaceOf({ joints }: Cells, place: string, isFolded = false): CellSpace | undefined {
    const variables = joints.map((name) => this.robot.variables.findIndex((joint) => joint.name === name));
    const space =
      variables.includes(-1) || new Set(variables).size < variables.length
        ? undefined
        : CellSpace.of(this.robot, variables, isFolded);
    if (space === undefined) this.refuse(`${place}: joints ${joints.join(', ')} have no cells`);
    return space;
  }

  private treeOf({ tree: entries }: Cells, space: CellSpace, place: string): CellPartition | undefined {
    const tree = space.createTree();
    if (tree.addEntries(entries)) return tree;
    this.refuse(`${place}: its entries are not those of a tree`);
    return undefined;
  }

  private refuse(problem: string): false {
    this.problems.push(problem);
    return false;
  }
}

/** A tree, the prover of its pairs, and how to set a cell of it. */
function inSpace(robot: RobotModel, space: CellSpace, tree: CellPartition) {
  const prover = new JointCellProver(robot, space.reached());
  return { tree, prover, setCell: (node: number) => prover.setCell(space.cellOf(tree, node)) };
}

/** Key of a pair, of which the robot's part comes first. */
const pairKey = (a: CertifiedPart, b: CertifiedPart) => JSON.stringify([a.object, a.part, b.object, b.part]);

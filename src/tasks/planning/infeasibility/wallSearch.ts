import type { CellPartition } from '../../../core/certificate/cells/cellPartition.ts';
import type { CellSpace } from '../../../core/certificate/cells/cellSpace.ts';
import { JointCellProver } from '../../../core/certificate/cells/jointCells.ts';
import type { CertifiedPart } from '../../../core/certificate/convexParts.ts';
import { linkPoses } from '../../../core/certificate/linkPoses.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { create } from '../../../core/math/transform.ts';
import { PairDirections } from './pairDirections.ts';
import { type CandidatePair, provedOverlap, WitnessSearch } from './witnessSearch.ts';

/** rad or m: half width of the smallest cells that are bisected. */
const SMALLEST = 5e-4;
/** Of a path, the cells at least this fraction as wide as the widest one are bisected. */
const LEAST_WIDTH = 0.25;
/** Maximum number of nodes of a tree. */
const MAX_NODES = 20_000;

/** Cells of a space, and the goals that they separate from the start. */
export interface FoundWall {
  readonly tree: CellPartition;
  readonly from: readonly number[];
  /** Indices of the goals, and the cells that contain each one. */
  readonly goals: ReadonlyMap<number, readonly number[]>;
}

/**
 * Searches cells in collision that separate goals from the start: as long as cells that are not in collision connect
 * them, the widest cells on such a path that are not free are bisected.
 * @param goals states of the goals by index
 */
export function searchWall(
  robot: RobotModel,
  space: CellSpace,
  pairs: readonly CandidatePair[],
  start: ArrayLike<number>,
  goals: ReadonlyMap<number, ArrayLike<number>>,
  interrupt: Interrupt,
): FoundWall | undefined {
  const tree = space.createTree();
  const cells = new WallCells(robot, space, tree, pairs);
  const open = new Map(goals);
  while (!interrupt()) {
    const from = space.cellsAt(tree, start, false);
    if (from.length === 0) return undefined;
    const ends = new Map([...open].map(([goal, q]) => [goal, space.cellsAt(tree, q, true)]));
    const until = new Set([...ends.values()].flat());
    const before = tree.flood(from, { isFree: (cell) => cells.isFree(cell), until });
    const end = [...until].find((cell) => before[cell] !== -2);
    if (end === undefined) return open.size === 0 ? undefined : { tree, from, goals: ends };
    const path: number[] = [];
    for (let cell = end; cell >= 0; cell = before[cell]) path.push(cell);
    if (cells.bisectWidest(path)) continue;
    for (const [goal, own] of ends) if (own.includes(end)) open.delete(goal);
  }
  return undefined;
}

/** The cells of a tree, and which of them are free of collisions of the pairs. */
class WallCells {
  private readonly prover: JointCellProver;
  private readonly search = new WitnessSearch();
  private readonly directions = new PairDirections();
  private readonly free = new Set<number>();

  constructor(
    private readonly robot: RobotModel,
    private readonly space: CellSpace,
    private readonly tree: CellPartition,
    private readonly pairs: readonly CandidatePair[],
  ) {
    this.prover = new JointCellProver(robot, space.reached());
    this.add(0);
  }

  isFree(cell: number): boolean {
    return this.free.has(cell);
  }

  /** Bisects the widest cells of a path that are not free. Returns false if there are none, or too many cells. */
  bisectWidest(path: readonly number[]): boolean {
    const { tree } = this;
    const unknown = path.filter((cell) => !this.free.has(cell));
    const widths = unknown.map((cell) => tree.halfWidth(cell, tree.widestAxis(cell)));
    const most = Math.max(0, ...widths);
    if (most < SMALLEST || tree.size > MAX_NODES) return false;
    for (const [i, cell] of unknown.entries()) {
      if (widths[i] < LEAST_WIDTH * most) continue;
      const first = tree.bisect(cell, tree.widestAxis(cell));
      this.add(first);
      this.add(first + 1);
    }
    return true;
  }

  private add(cell: number): void {
    const { robot, space, tree, prover, search, pairs, directions } = this;
    const joints = space.cellOf(tree, cell);
    prover.setCell(joints);
    const T_world_link = linkPoses(robot, joints.middle);
    const poseOf = ({ link }: CertifiedPart) => (link < 0 ? create() : T_world_link[link]);
    const { witness, collides } = search.search(pairs, poseOf, (pair, p) =>
      provedOverlap(prover, pair, p, poseOf(pair.b)),
    );
    tree.witness[cell] = witness;
    if (collides) return;
    const isApart = ({ a, b }: CandidatePair) => {
      const n = directions.between(a, poseOf(a), b, poseOf(b));
      if (n === undefined) return false;
      prover.setPair(a, b);
      return prover.gap(n) > 0;
    };
    if (pairs.every(isApart)) this.free.add(cell);
  }
}

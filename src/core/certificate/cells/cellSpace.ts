import { turnableVariables } from '../../kinematics/fullTurns.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { TWO_PI, wrapAngle } from '../../math/trigonometry.ts';
import { CellPartition } from './cellPartition.ts';
import type { JointCell } from './jointCells.ts';

/** rad or m: the box of the joint limits is enlarged by this, far above the tolerance of limits. */
const LIMIT_MARGIN = 1e-6;
/** rad: joints without limits have a box of a full turn, enlarged by this. */
const TURN_MARGIN = 1e-9;
/** rad or m: a motion may begin and end this far from the states that a scene gives, above what files round. */
export const STATE_SLACK = 1e-6;
/** Added to the half widths of cells, rad or m: rounding of their middles. */
const WIDTH_ROUNDING = 1e-12;

/** Cells of a space, and those that motions from the start of a scene reach without a cell in collision. */
export interface Wall {
  readonly space: CellSpace;
  readonly tree: CellPartition;
  /** Result of `CellPartition.flood` from the start. */
  readonly before: Int32Array;
}

/** The box of some planned joints: their limits, or a full turn. */
export class CellSpace {
  readonly wraps: readonly boolean[];
  private readonly turns: readonly boolean[];
  private readonly lower: readonly number[];
  private readonly upper: readonly number[];

  private constructor(
    private readonly robot: RobotModel,
    /** Indices of the planned joints. */
    readonly variables: readonly number[],
    isFolded: boolean,
  ) {
    const turnable = turnableVariables(robot);
    const limits = variables.map((i) => robot.variables[i].limits);
    this.turns = variables.map((i) => turnable[i]);
    this.wraps = limits.map(
      ({ lower, upper }, k) =>
        !Number.isFinite(lower) || !Number.isFinite(upper) || (isFolded && this.turns[k] && upper - lower > TWO_PI),
    );
    this.lower = limits.map(({ lower }, k) => (this.wraps[k] ? -Math.PI - TURN_MARGIN : lower - LIMIT_MARGIN));
    this.upper = limits.map(({ upper }, k) => (this.wraps[k] ? Math.PI + TURN_MARGIN : upper + LIMIT_MARGIN));
  }

  /**
   * Returns the space of some planned joints; undefined if one has no limits and its full turn is another state.
   * @param isFolded joints that turn by more than one turn have a box of one turn; for poses, not for motions
   */
  static of(robot: RobotModel, variables: readonly number[], isFolded = false): CellSpace | undefined {
    const space = new CellSpace(robot, variables, isFolded);
    return space.wraps.every((wraps, k) => !wraps || space.turns[k]) ? space : undefined;
  }

  /** Returns a tree of one cell. */
  createTree(): CellPartition {
    return new CellPartition(this.lower, this.upper, this.wraps);
  }

  /** Returns the greatest |q| of each planned joint in the box; 0 for the other joints. */
  reached(): Float64Array {
    const reached = new Float64Array(this.robot.dof);
    for (const [k, i] of this.variables.entries())
      reached[i] = Math.max(Math.abs(this.lower[k]), Math.abs(this.upper[k]));
    return reached;
  }

  /** Returns the middle of a cell, 0 for other joints, and its half widths, infinite for other joints. */
  cellOf(tree: CellPartition, node: number): JointCell {
    const middle = new Float64Array(this.robot.dof);
    const half = new Float64Array(this.robot.dof).fill(Number.POSITIVE_INFINITY);
    for (const [k, i] of this.variables.entries()) {
      middle[i] = tree.middle(node, k);
      half[i] = tree.halfWidth(node, k) + WIDTH_ROUNDING;
    }
    return { middle, half };
  }

  /**
   * Returns all cells that contain a state, up to STATE_SLACK; with `equivalent` also those of all states that differ
   * by full turns of joints with limits.
   */
  cellsAt(tree: CellPartition, q: ArrayLike<number>, equivalent: boolean): number[] {
    let states: number[][] = [[]];
    for (const [k, i] of this.variables.entries()) {
      const values = this.wraps[k] ? [wrapAngle(q[i])] : equivalent && this.turns[k] ? this.turned(k, q[i]) : [q[i]];
      states = states.flatMap((state) => values.map((value) => [...state, value]));
    }
    const around = (state: readonly number[], by: number) => state.map((value) => value + by);
    return [
      ...new Set(states.flatMap((state) => tree.cellsMeeting(around(state, -STATE_SLACK), around(state, STATE_SLACK)))),
    ];
  }

  /**
   * Returns true if no motion from the start reaches a state of a cell, nor one that differs from it by full turns of
   * joints with a box of one turn. Joints that are in the space of the wall alone may have any value.
   */
  isBehind({ space, tree: wall, before }: Wall, tree: CellPartition, node: number): boolean {
    let boxes: { readonly lower: number[]; readonly upper: number[] }[] = [{ lower: [], upper: [] }];
    for (const [k, i] of space.variables.entries()) {
      const own = this.variables.indexOf(i);
      const [least, most] = [space.lower[k], space.upper[k]];
      const low = own < 0 ? least : tree.lower[tree.dimension * node + own] - STATE_SLACK;
      const high = own < 0 ? most : tree.upper[tree.dimension * node + own] + STATE_SLACK;
      const isFolded = own >= 0 && this.wraps[own] && !space.wraps[k];
      const first = isFolded ? Math.floor((least - high) / TWO_PI) : 0;
      const last = isFolded ? Math.floor((most - low) / TWO_PI) + 1 : 0;
      const turns = Array.from({ length: last - first + 1 }, (_, n) => TWO_PI * (first + n));
      boxes = boxes.flatMap(({ lower, upper }) =>
        turns.map((turn) => ({ lower: [...lower, low + turn], upper: [...upper, high + turn] })),
      );
    }
    return boxes.every(({ lower, upper }) => wall.cellsMeeting(lower, upper).every((cell) => before[cell] === -2));
  }

  /** Returns the values in the box that differ from a value by full turns. */
  private turned(k: number, value: number): number[] {
    const [low, high] = [this.lower[k], this.upper[k]];
    const first = Math.floor((low - value) / TWO_PI);
    const last = Math.floor((high - value) / TWO_PI) + 1;
    return Array.from({ length: last - first + 1 }, (_, n) => value + (first + n) * TWO_PI).filter(
      (one) => one >= low - STATE_SLACK && one <= high + STATE_SLACK,
    );
  }
}

import { type Cell, halvesOf, type MoveSet, walk } from '../../../core/cartesian/moves/moveSet.ts';
import type { ProgramPart } from '../../../core/cartesian/moves/programSets.ts';
import { CellMotion, CellProver, VERTICES } from '../../../core/collision/motions/stateCellProver.ts';
import type { CollisionManager } from '../../../core/collision/states/collisionManager.ts';
import { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import { alongLongest, boxOf, type StateCell } from '../../../core/kinematics/branches/ikBranch.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { type Interrupt, never } from '../../../core/math/interrupt.ts';
import { constraintLabel, isRateConstraint, type PathConstraint } from '../../../core/scene/constraints.ts';

/** Verdict on the states of a part of a program. */
export interface PartVerdict {
  readonly verdict: 'valid' | 'invalid' | 'undecided';
  /** The pair in collision, or not proved. */
  readonly pair?: readonly [string, string];
  /** The constraint that is violated, or not proved. */
  readonly constraint?: string;
  /** What else is wrong. */
  readonly reason?: string | undefined;
}

/** Receives each cell in which a direction separates a pair; undefined: the pair is proved, but by no direction. */
export type CellRecorder = (cell: Cell, pair: number, normal: ArrayLike<number> | undefined) => void;

/** Halvings after which a cell of one to four parameters is undecided. */
const MAX_LEVELS = [18, 20, 26, 32];
/** Cells of one part after which it is undecided. */
const MAX_CELLS = 60_000;
/** Cells of a blend whose number of halvings is a multiple of this are also checked at vertices. */
const PROBED = 4;
/** Halvings of the orientations at one place, after which it is not known whether all of them collide. */
const MAX_TURN_LEVEL = 8;
/** Direction of a cell with one generator. */
const ALONG = [1];
/** rad: a state this far out of limits is within, which covers the rounding of targets. */
const LIMIT_TOLERANCE = 1e-9;

interface OpenCell {
  readonly cell: Cell;
  readonly q: Configuration;
  readonly pairs: readonly number[];
  readonly constraints: readonly StateConstraint[];
  readonly level: number;
}

/** A constraint on states. */
interface StateConstraint {
  readonly label: string;
  readonly set: ConstraintSet;
  /** True if its bound over a motion is convex in the direction of the motion: for regions and joint ranges. */
  readonly isConvex: boolean;
}

/** Proves the parts of programs of one robot in one scene. */
export class PartProver {
  private readonly prover: CellProver;
  private readonly all: readonly number[];
  private readonly reached: readonly number[];
  private readonly constraints: readonly StateConstraint[];
  private readonly motion: CellMotion;

  /** @param constraints those of a step, beside those of the scene */
  constructor(
    private readonly manager: CollisionManager,
    private readonly interrupt: Interrupt = never,
    constraints: readonly PathConstraint[] = [],
  ) {
    const { model } = manager;
    const { scene, robot } = model;
    this.constraints = [...(scene.constraints ?? []), ...constraints]
      .filter((given) => !isRateConstraint(given))
      .map((given) => ({
        label: constraintLabel(given),
        set: new ConstraintSet(robot, [given], scene.tcp),
        isConvex: given.type === 'region' || given.type === 'joint',
      }));
    this.motion = new CellMotion(robot.dof);
    this.prover = new CellProver(manager);
    this.all = model.certifiedPairs();
    this.reached = reachedJointValues(model.robot.variables);
    this.prover.setMaxJointValues(this.reached);
  }

  /** Proves all states of a part collision-free and within limits, or finds a state that is not. */
  prove({ set, q, isBlend, reason }: ProgramPart, record?: CellRecorder): PartVerdict {
    if (set === undefined) return { verdict: 'undecided', reason };
    const first = walk(set, q, set.origin, set.root.at);
    if (first === undefined) return { verdict: 'undecided', reason: UNBOUNDED };
    const queue: OpenCell[] = [{ cell: set.root, q: first, pairs: this.all, constraints: this.constraints, level: 0 }];
    for (let head = 0; head < queue.length; head++) {
      if (head >= MAX_CELLS || this.interrupt()) return { verdict: 'undecided', reason: 'the proof was ended' };
      const next = this.checkCell(set, queue[head], isBlend, record);
      if ('verdict' in next) return next;
      for (const one of next.open) queue.push(one);
    }
    return { verdict: 'valid' };
  }

  private checkCell(
    set: MoveSet,
    { cell, q, pairs, constraints, level }: OpenCell,
    isBlend: boolean,
    record: CellRecorder | undefined,
  ): PartVerdict | { readonly open: readonly OpenCell[] } {
    const states = set.enclose(cell, q);
    const isPath = cell.at.length === 1;
    // Halving helps only if the states of its middle, at all orientations that are not parameters, are bounded.
    if (!states && !set.enclose({ ...cell, half: cell.half.map(() => 0) }, q))
      return { verdict: 'undecided', reason: UNBOUNDED };
    const joint = this.jointBeyond(q);
    if (joint !== undefined && (isBlend || !isPath))
      return { verdict: 'undecided', reason: `${joint} may exceed its limits` };
    if (joint !== undefined) return { verdict: 'invalid', reason: `${joint} exceeds its limits` };
    const found = states ? this.prover.check(states, pairs) : [];
    const contact = found.find(({ collides }) => collides);
    if (contact !== undefined) {
      const isInvalid = !isBlend && (isPath || this.isBlocked(set, cell, q));
      return { verdict: isInvalid ? 'invalid' : 'undecided', pair: this.manager.model.namesOf(contact.pair) };
    }
    const broken = constraints.find(({ set: one }) => !one.isSatisfied(q));
    if (broken !== undefined)
      return { verdict: isPath && !isBlend ? 'invalid' : 'undecided', constraint: broken.label };
    const isWithin = states !== undefined && this.staysWithin(states);
    const open = states ? found.filter((one) => !one.isProved).map(({ pair }) => pair) : pairs;
    for (const { pair, isProved, normal } of found) if (isProved) record?.(cell, pair, normal);
    const unkept = constraints.filter((one) => !states || !this.keeps(one, states));
    if (isWithin && open.length === 0 && unkept.length === 0) return { open: [] };
    if (level >= MAX_LEVELS[cell.at.length - 1]) return this.undecided(states, open, unkept);
    if (states && isBlend && level % PROBED === 0) {
      const vertex = found.find((one) => one.vertex)?.vertex;
      const probes = [...this.towardsLimits(states), ...(vertex ? [vertex, vertex.map((sign) => -sign)] : [])];
      const bad = probes.map((signs) => this.problemAt(set, cell, q, signs, constraints)).find((one) => one);
      if (bad) return bad;
    }
    const parts: OpenCell[] = [];
    for (const part of halvesOf(set, cell, states)) {
      const at = walk(set, q, cell.at, part.at);
      if (at === undefined) return { verdict: 'undecided', reason: UNBOUNDED };
      parts.push({ cell: part, q: at, pairs: open, constraints: unkept, level: level + 1 });
    }
    return { open: parts };
  }

  /**
   * Returns the verdict if the state at a vertex of a cell is invalid, so that no proof is searched in vain; undefined
   * if it is valid or cannot be followed.
   */
  private problemAt(
    set: MoveSet,
    { at, half }: Cell,
    q: Configuration,
    signs: readonly number[],
    constraints: readonly StateConstraint[],
  ): PartVerdict | undefined {
    const place = at.map((value, k) => value + signs[k] * half[k]);
    const state = walk(set, q, at, place);
    if (state === undefined) return undefined;
    const joint = this.jointBeyond(state);
    if (joint !== undefined) return { verdict: 'undecided', reason: `${joint} may exceed its limits` };
    const broken = constraints.find(({ set: one }) => !one.isSatisfied(state));
    if (broken !== undefined) return { verdict: 'undecided', constraint: broken.label };
    const pair = this.manager.firstCollidingPair(state);
    return pair < 0 ? undefined : { verdict: 'undecided', pair: this.manager.model.namesOf(pair) };
  }

  /** Returns the signs of the generators of a cell at the vertex nearest to each joint limit that it may exceed. */
  private towardsLimits({ q, generators, error }: StateCell): number[][] {
    const box = boxOf({ generators, error });
    return this.manager.model.robot.variables.flatMap(({ limits: { lower, upper } }, j) => {
      const side = q[j] + box[j] > upper ? 1 : q[j] - box[j] < lower ? -1 : 0;
      return side === 0 ? [] : [generators.map((one) => (side * one[j] < 0 ? -1 : 1))];
    });
  }

  /**
   * Returns true if all states of a cell satisfy a constraint: those of a motion q + t c d + t² e at t = 1, |c| <= 1. A
   * proof with c = 1 holds for all c, since its bounds increase with the rates in the middle of the interval. Where
   * they are convex in d, those at the vertices hold for all states.
   */
  private keeps({ set, isConvex }: StateConstraint, states: StateCell): boolean {
    const { motion } = this;
    const keepsAlong = (cell: StateCell, signs: readonly number[]) => {
      motion.set(cell, signs);
      return set.isExact(motion) && set.verdictOver(motion, motion.start, motion.end) === 'proved';
    };
    if (!isConvex) return keepsAlong(alongLongest(states), ALONG);
    return VERTICES[states.generators.length - 1].every((signs) => keepsAlong(states, signs));
  }

  private undecided(
    states: StateCell | undefined,
    open: readonly number[],
    [unkept]: readonly StateConstraint[],
  ): PartVerdict {
    if (states === undefined) return { verdict: 'undecided', reason: UNBOUNDED };
    if (open.length > 0) return { verdict: 'undecided', pair: this.manager.model.namesOf(open[0]) };
    if (unkept !== undefined) return { verdict: 'undecided', constraint: unkept.label };
    return { verdict: 'undecided', reason: 'a joint may exceed its limits' };
  }

  /** Returns true if the states of a leg at the place of a cell are proved to collide at all orientations. */
  private isBlocked(set: MoveSet, { at: [x, y] }: Cell, q: Configuration): boolean {
    const collides = (cell: Cell, from: readonly number[], state: Configuration, level: number): boolean => {
      const at = walk(set, state, from, cell.at);
      const states = at && set.enclose(cell, at);
      if (states && this.prover.collidesThroughout(states, this.all)) return true;
      if (!at || level >= MAX_TURN_LEVEL || this.manager.firstCollidingPair(at) < 0) return false;
      return halvesOf(set, cell, states).every((half) => collides(half, cell.at, at, level + 1));
    };
    return collides({ at: [x, 0.5], half: [0, 0.5] }, [x, y], q, 0);
  }

  private jointBeyond(q: Configuration): string | undefined {
    const { variables } = this.manager.model.robot;
    return variables.find(
      ({ limits: { lower, upper } }, j) => q[j] < lower - LIMIT_TOLERANCE || q[j] > upper + LIMIT_TOLERANCE,
    )?.name;
  }

  private staysWithin(cell: StateCell): boolean {
    const { q } = cell;
    const box = boxOf(cell);
    return this.manager.model.robot.variables.every(({ limits: { lower, upper } }, j) => {
      const half = box[j];
      const isKept =
        half <= LIMIT_TOLERANCE || (q[j] - half >= lower - LIMIT_TOLERANCE && q[j] + half <= upper + LIMIT_TOLERANCE);
      return isKept && Math.abs(q[j]) + half <= this.reached[j];
    });
  }
}

const UNBOUNDED = 'the states of the arm are not bounded: it is near a singularity or the end of its reach';

/** rad, m: greatest joint value of joints without limits. */
const UNLIMITED = 1000;

/** Returns the greatest |q| of each joint that programs of moves may reach, to which rounding errors are relative. */
export const reachedJointValues = (
  variables: readonly { readonly limits: { readonly lower: number; readonly upper: number } }[],
): number[] =>
  variables.map(({ limits: { lower, upper } }) => {
    const most = Math.max(Math.abs(lower), Math.abs(upper));
    return most < UNLIMITED ? most + 1e-6 : UNLIMITED;
  });

import { type Cell, type MoveSet, ORIGIN, partsOf, walk } from '../../../core/cartesian/moves/moveSet.ts';
import type { ProgramPart } from '../../../core/cartesian/moves/programSets.ts';
import { CellProver } from '../../../core/collision/motions/stateCellProver.ts';
import type { CollisionManager } from '../../../core/collision/states/collisionManager.ts';
import type { StateCell } from '../../../core/kinematics/branches/ikBranch.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { type Interrupt, never } from '../../../core/math/interrupt.ts';

/** Verdict on the states of a part of a program. */
export interface PartVerdict {
  readonly verdict: 'valid' | 'invalid' | 'undecided';
  /** The pair in collision, or not proved. */
  readonly pair?: readonly [string, string];
  /** What else is wrong. */
  readonly reason?: string | undefined;
}

/** Receives each cell in which a direction separates a pair; undefined: the pair is proved, but by no direction. */
export type CellRecorder = (cell: Cell, pair: number, normal: ArrayLike<number> | undefined) => void;

/** Halvings of a path, and of both parameters of a rectangle, after which a cell is undecided. */
const [MAX_PATH_LEVEL, MAX_LEVEL] = [18, 10];
/** Cells of one part after which it is undecided. */
const MAX_CELLS = 60_000;
/** Fractions of the orientation that are tried where one collides. */
const SAMPLES = 16;
/** rad: a state this far out of limits is within, which covers the rounding of targets. */
const LIMIT_TOLERANCE = 1e-9;

interface OpenCell {
  readonly cell: Cell;
  readonly q: Configuration;
  readonly pairs: readonly number[];
  readonly level: number;
}

/** Proves the parts of programs of one robot in one scene. */
export class PartProver {
  private readonly prover: CellProver;
  private readonly all: readonly number[];
  private readonly reached: readonly number[];

  constructor(
    private readonly manager: CollisionManager,
    private readonly interrupt: Interrupt = never,
  ) {
    const { model } = manager;
    this.prover = new CellProver(manager);
    this.all = model.certifiedPairs();
    this.reached = reachedJointValues(model.robot.variables);
    this.prover.setMaxJointValues(this.reached);
  }

  /** Proves all states of a part collision-free and within limits, or finds a state that is not. */
  prove({ set, q, isBlend, reason }: ProgramPart, record?: CellRecorder): PartVerdict {
    if (set === undefined) return { verdict: 'undecided', reason };
    const first = walk(set, q, ORIGIN, set.root);
    if (first === undefined) return { verdict: 'undecided', reason: UNBOUNDED };
    const queue: OpenCell[] = [{ cell: set.root, q: first, pairs: this.all, level: 0 }];
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
    { cell, q, pairs, level }: OpenCell,
    isBlend: boolean,
    record: CellRecorder | undefined,
  ): PartVerdict | { readonly open: readonly OpenCell[] } {
    const states = set.enclose(cell, q);
    const joint = this.jointBeyond(q);
    if (joint !== undefined && (isBlend || cell.hy > 0))
      return { verdict: 'undecided', reason: `${joint} may exceed its limits` };
    if (joint !== undefined) return { verdict: 'invalid', reason: `${joint} exceeds its limits` };
    const found = states ? this.prover.check(states, pairs) : [];
    const contact = found.find(({ collides }) => collides);
    if (contact !== undefined) {
      const isSure = !isBlend && (cell.hy === 0 || this.collidesThroughout(set, cell, q));
      return { verdict: isSure ? 'invalid' : 'undecided', pair: this.manager.model.namesOf(contact.pair) };
    }
    const isWithin = states !== undefined && this.staysWithin(states);
    const open = states ? found.filter((one) => !one.isProved).map(({ pair }) => pair) : pairs;
    for (const { pair, isProved, normal } of found) if (isProved) record?.(cell, pair, normal);
    if (isWithin && open.length === 0) return { open: [] };
    if (level >= (cell.hy > 0 ? MAX_LEVEL : MAX_PATH_LEVEL)) return this.undecided(states, open);
    const parts: OpenCell[] = [];
    for (const part of partsOf(cell)) {
      const at = walk(set, q, cell, part);
      if (at === undefined) return { verdict: 'undecided', reason: UNBOUNDED };
      parts.push({ cell: part, q: at, pairs: open, level: level + 1 });
    }
    return { open: parts };
  }

  private undecided(states: StateCell | undefined, open: readonly number[]): PartVerdict {
    if (states === undefined) return { verdict: 'undecided', reason: UNBOUNDED };
    if (open.length > 0) return { verdict: 'undecided', pair: this.manager.model.namesOf(open[0]) };
    return { verdict: 'undecided', reason: 'a joint may exceed its limits' };
  }

  /** True if states of a leg at one place collide at all orientations that are tried. */
  private collidesThroughout(set: MoveSet, cell: Cell, q: Configuration): boolean {
    for (let k = 0; k <= SAMPLES; k++) {
      const at = walk(set, q, cell, { ...cell, y: set.root.y + set.root.hy * ((2 * k) / SAMPLES - 1) });
      if (at === undefined || this.manager.firstCollidingPair(at) < 0) return false;
    }
    return true;
  }

  private jointBeyond(q: Configuration): string | undefined {
    const { variables } = this.manager.model.robot;
    return variables.find(
      ({ limits: { lower, upper } }, j) => q[j] < lower - LIMIT_TOLERANCE || q[j] > upper + LIMIT_TOLERANCE,
    )?.name;
  }

  private staysWithin({ q, generators, error }: StateCell): boolean {
    return this.manager.model.robot.variables.every(({ limits: { lower, upper } }, j) => {
      const half = generators.reduce((sum, generator) => sum + Math.abs(generator[j]), error[j]);
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

import { CubicCurve, type Knot } from './cubicCurve.ts';
import type { GateAnswer, GateVerdict, Refusal } from './gateAnswer.ts';
import type { GateWorld, PairKeys } from './gateWorld.ts';
import type { MotionFaults } from './motionFaults.ts';

/** No pairs. */
export const NONE: ReadonlySet<string> = new Set<string>();

/**
 * The committed motion of a gate. Only motions that `judge` certified replace it, see the theorem of docs/gate.md; or,
 * by `replace`, the fastest stop if no stop is certified.
 */
export class Commitment {
  /** Time of the last message, seconds. */
  now = 0;
  /** Executed points before those of `current`, if they are kept. */
  readonly history: Knot[] = [];
  /** Generation of the world in which a motion was certified from `now` on. */
  private readonly certified = new WeakMap<CubicCurve, number>();

  constructor(
    private readonly world: GateWorld,
    private readonly faults: MotionFaults,
    public current: CubicCurve,
    private readonly keepsExecuted: boolean,
  ) {}

  /**
   * Returns why a motion may not be committed; undefined if it is certified from now on.
   * @param except pairs that are not checked, as keys
   * @param findsContact also finds a contact of a motion that exceeds a limit
   */
  judge(motion: CubicCurve, except: PairKeys = NONE, findsContact = false): Refusal | undefined {
    const faults = this.faults.of(motion, this.now);
    if (faults.length > 0 && !(this.world.checksLeft > 0)) return { faults, isOver: true };
    if (faults.length > 0 && !(findsContact && faults.every(({ kind }) => kind !== 'time'))) return { faults };
    const verdict = this.world.prove(motion, this.now, this.world.pairsBut(except));
    if (verdict === 'over') return { faults, isOver: true };
    if (verdict !== 'certified') return { faults, contact: verdict };
    if (faults.length > 0) return { faults };
    this.certified.set(motion, this.world.generation);
    return undefined;
  }

  /**
   * Returns true if a motion is certified from now on, with all pairs, and may be committed: `judge` without reasons.
   * @param first what is checked first: where a motion is expected to fail
   */
  certifies(motion: CubicCurve, first: 'limits' | 'collisions'): boolean {
    const isWithinLimits = () => this.faults.of(motion, this.now).length === 0;
    if (first === 'limits' && !isWithinLimits()) return false;
    if (!this.world.isFree(motion, this.now) || (first === 'collisions' && !isWithinLimits())) return false;
    this.certified.set(motion, this.world.generation);
    return true;
  }

  /**
   * Makes a motion the committed one. The only place that does so for motions that are certified: it throws unless
   * `judge` certified this motion in the world as it is, from now on, and it ends at rest.
   */
  commit(motion: CubicCurve): void {
    const isProved = this.certified.get(motion) === this.world.generation;
    if (!isProved || motion.knots.at(-1)!.velocities.some((v) => v !== 0))
      throw new Error('a motion that is not certified, or does not end at rest, must not be committed');
    this.replace(motion);
  }

  /**
   * Replaces the committed motion. The piece before now remains part of it: at its end, accelerations must not jump
   * either, if jerks are limited.
   */
  replace(motion: CubicCurve): void {
    const first = Math.max(0, motion.indexAt(this.now) - 1);
    if (this.keepsExecuted) this.history.push(...motion.knots.slice(0, first));
    this.current = first === 0 ? motion : new CubicCurve(motion.trajectory.jointNames, motion.knots.slice(first));
  }

  /** Returns an answer; `from`: the first instant of the committed motion that differs from the one before. */
  answer(verdict: GateVerdict, from?: number): GateAnswer {
    const { knots, end } = this.current;
    if (from === undefined) return { verdict, until: end };
    return { verdict, until: end, committed: { from, points: knots.filter((knot) => knot.time_from_start >= from) } };
  }
}

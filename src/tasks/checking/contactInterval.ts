import { MotionBounds } from '../../core/collision/bounds/motionBounds.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import type { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { CONTACT_WIDTH, firstUncertified, proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { Separation } from '../../core/narrowphase/solver.ts';

/** The first contact of two links or objects in a motion; times are seconds, or waypoints of a path. */
export interface ContactInterval {
  /** Names of the two links or objects. */
  readonly pair: readonly [string, string];
  /** Beginning of the contact: the whole motion is proved collision-free until 1e-6 before. */
  readonly from: number;
  /** End of the contact, or of the motion. */
  readonly until: number;
  /** Greatest penetration depth found in the contact, metres; 0 if the two only come nearer than the padding. */
  readonly depth: number;
}

/** Motions in the order of time, and the collision manager of the scene that they take place in. */
export interface ContactStage {
  /** Manager of the scene. */
  readonly manager: CollisionManager;
  /** Motions without a gap. */
  readonly motions: readonly Motion[];
}

/** The stage of a contact, and functions that create those after it, in which the contact may continue. */
export type ContactStages = readonly [ContactStage, ...(() => ContactStage | undefined)[]];

/** Seconds or waypoints: while the penetration is shallow, shorter interruptions of a contact may be missed. */
const RESOLUTION = 1e-4;
/** Number of instants of a shallow contact at most. */
const MAX_INSTANTS = 20_000;
/** Numbers of instants, and of golden-section steps, that search for the greatest depth. */
const DEPTH_INSTANTS = 64;
const DEPTH_STEPS = 30;
const GOLDEN = 0.381966011250105;

/**
 * Returns the first contact of a motion that a prover has just found in collision: its beginning by bisection, its end
 * by following the pair, at most as far in one step as its depth lasts.
 * @param prover of the first stage; `k`: index of the motion of that stage that it refused, all before are certified
 */
export function firstContact(
  prover: MotionProver,
  k: number,
  [{ manager, motions }, ...others]: ContactStages,
  interrupt: Interrupt,
): ContactInterval {
  const first = firstColliding(prover, manager, motions[k], interrupt);
  const stage = { manager, motions: motions.slice(k) };
  return followedContact(manager.model.namesOf(first.pair), first.time, [stage, ...others]);
}

/**
 * Returns the first instant of a motion, which the prover has just found in collision, at which a pair collides. Pairs
 * that only touch within rounding before, and are apart again after `RESOLUTION`, are left out.
 */
function firstColliding(prover: MotionProver, manager: CollisionManager, motion: Motion, interrupt: Interrupt) {
  const { pair: known } = prover;
  let left = Array.from({ length: manager.model.pairCount }, (_, pair) => pair);
  let first = firstUncertified(prover, motion, 'collision', interrupt);
  for (;;) {
    const { verdict, pair, time } = first;
    const after = Math.min(motion.end, time + RESOLUTION);
    const isContact = () =>
      new PairTrace(manager, [motion], manager.model.namesOf(pair)).separation(after) <= manager.padding;
    if (verdict === 'collision' || isContact()) return first;
    left = left.filter((one) => one !== pair);
    const found = proveUnlessInterrupted(prover, motion, interrupt, undefined, left);
    if (found !== 'certified' && found !== undefined) first = firstUncertified(prover, motion, found, interrupt, left);
    else {
      prover.prove(motion, undefined, [known]);
      return firstUncertified(prover, motion, 'collision', interrupt, [known]);
    }
  }
}

/** Returns the contact of two links or objects from its beginning, which lies in the first stage. */
export function followedContact(
  pair: ContactInterval['pair'],
  from: number,
  [first, ...others]: ContactStages,
): ContactInterval {
  const traced: PairTrace[] = [];
  let until = from;
  for (let stage: ContactStage | undefined = first, next = 0; stage !== undefined; next++) {
    const trace: PairTrace = new PairTrace(stage.manager, stage.motions, pair);
    traced.push(trace);
    const end = trace.contactFrom(until);
    until = end.until;
    stage = end.hasEnded ? undefined : others[next]?.();
  }
  const separationAt = (t: number) => (traced.find(({ end }) => t <= end) ?? traced[traced.length - 1]).separation(t);
  return { pair, from, until, depth: Math.max(0, -leastOf(separationAt, from, until)) };
}

/** Follows the separation of two links or objects, over all their convex parts, along motions. */
class PairTrace {
  readonly end: number;
  private readonly pairs: readonly number[];
  private readonly q: Float64Array;
  private readonly out = new Separation();
  private readonly bounds: MotionBounds;

  constructor(
    private readonly manager: CollisionManager,
    private readonly motions: readonly Motion[],
    [a, b]: readonly [string, string],
  ) {
    const { model, posed } = manager;
    this.pairs = Array.from({ length: model.pairCount }, (_, pair) => pair).filter((pair) => {
      const [one, other] = model.namesOf(pair);
      return (one === a && other === b) || (one === b && other === a);
    });
    this.end = motions[motions.length - 1].end;
    this.q = new Float64Array(model.robot.dof);
    this.bounds = new MotionBounds(posed);
  }

  /** Returns the separation at a time, metres; negative in collision. Infinity if the two may touch. */
  separation(t: number, motion = this.motionAt(t)): number {
    const { manager, pairs, q, out } = this;
    motion.positionAt(q, Math.min(motion.end, Math.max(motion.start, t)));
    return manager.posed.use.during(() => {
      manager.posed.pose(q);
      return pairs.reduce(
        (least, pair) => Math.min(least, manager.pairSeparation(out, pair)),
        Number.POSITIVE_INFINITY,
      );
    });
  }

  /** Follows a contact from a time on to its end, or to that of the motions. */
  contactFrom(from: number): { readonly until: number; readonly hasEnded: boolean } {
    const { manager, motions, end } = this;
    const least = Math.max(RESOLUTION, (end - from) / MAX_INSTANTS);
    let until = from;
    for (const motion of motions) {
      if (motion.end < from) continue;
      const speed = this.speed(motion);
      for (let t = Math.max(from, motion.start); ; ) {
        const separation = this.separation(t, motion);
        if (separation > manager.padding && t > from)
          return { until: this.lastContact(motion, until, t), hasEnded: true };
        until = t;
        if (t >= motion.end) break;
        const lasting = speed > 0 ? (manager.padding - separation) / speed : Number.POSITIVE_INFINITY;
        const next = t + Math.max(least, lasting);
        t = next > t ? Math.min(motion.end, next) : motion.end;
      }
    }
    return { until, hasEnded: false };
  }

  private motionAt(t: number): Motion {
    return this.motions.find(({ end }) => t <= end) ?? this.motions[this.motions.length - 1];
  }

  /** Returns a bound on the approach speed of the two on a motion. */
  private speed(motion: Motion): number {
    return this.manager.posed.use.during(() => {
      this.bounds.evaluateInterval(motion, motion);
      return this.pairs.reduce((most, pair) => Math.max(most, this.bounds.speed(pair)), 0);
    });
  }

  /** Bisects for the end of a contact between an instant in contact and one after it. */
  private lastContact(motion: Motion, inContact: number, apart: number): number {
    let [low, high] = [inContact, apart];
    while (high - low > CONTACT_WIDTH) {
      const middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      if (this.separation(middle, motion) > this.manager.padding) high = middle;
      else low = middle;
    }
    return low;
  }
}

/** Returns the least value of a function that is found in an interval: of equally spaced instants, then nearby. */
function leastOf(valueAt: (t: number) => number, from: number, to: number): number {
  const at = (i: number) => from + (Math.min(DEPTH_INSTANTS, Math.max(0, i)) / DEPTH_INSTANTS) * (to - from);
  let best = 0;
  let least = valueAt(from);
  for (let i = 1; i <= DEPTH_INSTANTS && to > from; i++) {
    const value = valueAt(at(i));
    if (value < least) [least, best] = [value, i];
  }
  let [low, high] = [at(best - 1), at(best + 1)];
  for (let n = 0; n < DEPTH_STEPS && high - low > CONTACT_WIDTH; n++) {
    const [a, b] = [low + GOLDEN * (high - low), high - GOLDEN * (high - low)];
    const [atA, atB] = [valueAt(a), valueAt(b)];
    least = Math.min(least, atA, atB);
    if (atA < atB) high = b;
    else low = a;
  }
  return least;
}

import type { Commitment } from './commitment.ts';
import type { CubicCurve } from './cubicCurve.ts';
import { contactText, type GateAnswer, OVER, type Refusal, reasonOf } from './gateAnswer.ts';
import type { GateOptions } from './gateOptions.ts';
import { type GateContact, type GateWorld, pairKey } from './gateWorld.ts';
import { leavingTime } from './joins.ts';
import type { MotionFaults } from './motionFaults.ts';
import { stopsFrom } from './paths.ts';

/** Judges the committed motion in a world that changed, and cuts it to a stop if it is not certified there. */
export class CommittedStops {
  /** Pairs whose contact could not be avoided, until one of their objects changes. */
  private readonly conceded = new Map<string, readonly [string, string]>();
  /** Objects that changed since the committed motion was certified. */
  private readonly unjudged = new Set<string>();
  /** True if the robot carries other loads than when it was certified. */
  private hasNewLoads = false;

  constructor(
    private readonly world: GateWorld,
    private readonly commitment: Commitment,
    private readonly faults: MotionFaults,
    private readonly options: GateOptions,
  ) {}

  /** False if objects or loads changed since the committed motion was certified. */
  get isJudged(): boolean {
    return this.unjudged.size === 0 && !this.hasNewLoads;
  }

  /** Marks objects, and the loads of the robot, as changed. */
  see(names: ReadonlySet<string>, hasNewLoads = false): void {
    this.hasNewLoads ||= hasNewLoads;
    for (const [key, pair] of this.conceded) if (pair.some((name) => names.has(name))) this.conceded.delete(key);
    for (const name of names) this.unjudged.add(name);
  }

  /** Makes a motion the committed one that was certified with all pairs. */
  commit(motion: CubicCurve): void {
    this.commitment.commit(motion);
    this.setJudged();
    this.conceded.clear();
  }

  /** Judges the pairs of the objects that changed, and the loads, on the rest of the committed motion. */
  rejudge(): GateAnswer {
    const { world, unjudged } = this;
    const { current, now } = this.commitment;
    const faults = this.hasNewLoads ? this.faults.of(current, now) : [];
    if (faults.length > 0) return this.stop(undefined, reasonOf({ faults, isOver: !(world.checksLeft > 0) }));
    const verdict =
      unjudged.size === 0 ? 'certified' : world.prove(current, now, world.pairsOf(unjudged, this.conceded));
    if (verdict === 'certified') {
      this.setJudged();
      return this.commitment.answer('held');
    }
    const contact = verdict === 'over' ? undefined : verdict;
    return this.stop(contact, contact ? contactText(contact) : OVER);
  }

  /** Commits the shortest certified stop; if there is none, executes the fastest one. */
  private stop(first: GateContact | undefined, reason: string): GateAnswer {
    const { current } = this.commitment;
    let fastest = current;
    let contact = first;
    const onRefusal = (stop: CubicCurve, refusal: Refusal) => {
      if (refusal.faults.length > 0 || fastest !== current) return;
      fastest = stop;
      contact = refusal.contact ?? first;
    };
    const stopped = this.stopCertified(reason, onRefusal);
    if (stopped) return { ...stopped, ...(first && { pair: first.pair }) };
    const { found, isOver } = this.concede(fastest);
    const others = found.filter(
      ({ pair }) => ![first, contact].some((one) => one && pairKey(one.pair) === pairKey(pair)),
    );
    const why = [...new Set([reason, ...others.map(contactText), ...(isOver ? [OVER] : [])])].join('; ');
    contact ??= found[0];
    const from = fastest === current ? undefined : this.leavingTime(current);
    return { ...this.commitment.answer('unavoidable', from), ...(contact && { contact }), reason: why };
  }

  /** Commits the shortest certified stop that ends before the committed motion; undefined if there is none. */
  stopCertified(reason: string, onRefusal?: (stop: CubicCurve, refusal: Refusal) => void): GateAnswer | undefined {
    const { current } = this.commitment;
    const t = this.leavingTime(current);
    const all = t < current.end ? this.faults.stopLimits.flatMap((limits) => stopsFrom(current, t, limits)) : [];
    const stops = all.filter(({ end }) => end < current.end);
    for (const stop of stops.toSorted((a, b) => a.end - b.end)) {
      this.world.checksLeft = this.options.budget;
      const refusal = this.commitment.judge(stop, this.conceded);
      if (refusal === undefined) {
        this.commitment.commit(stop);
        this.setJudged();
        return { ...this.commitment.answer('stopping', t), reason };
      }
      onRefusal?.(stop, refusal);
    }
    return undefined;
  }

  /**
   * Makes a motion the committed one that has contacts which no stop avoids, and returns them. It is certified but for
   * these pairs, unless the budget ended the proof: the next message then judges what changed again.
   */
  private concede(motion: CubicCurve): { readonly found: readonly GateContact[]; readonly isOver: boolean } {
    const { world, conceded, commitment } = this;
    if (motion !== commitment.current) {
      commitment.replace(motion);
      for (const name of world.names) this.unjudged.add(name);
    }
    world.checksLeft = this.options.budget;
    const pairs = new Map(conceded);
    const found: GateContact[] = [];
    for (;;) {
      const verdict = world.prove(commitment.current, commitment.now, world.pairsBut(pairs));
      if (verdict === 'over') return { found, isOver: true };
      if (verdict === 'certified') break;
      pairs.set(pairKey(verdict.pair), verdict.pair);
      found.push(verdict);
    }
    for (const [key, pair] of pairs) conceded.set(key, pair);
    this.unjudged.clear();
    return { found, isOver: false };
  }

  private setJudged(): void {
    this.unjudged.clear();
    this.hasNewLoads = false;
  }

  /** Returns the earliest instant at which a stop may begin. */
  private leavingTime(current: CubicCurve): number {
    const { now } = this.commitment;
    return leavingTime(current, now, now + this.options.lead);
  }
}

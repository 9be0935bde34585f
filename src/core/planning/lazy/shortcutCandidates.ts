import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import { metricOf, withinHalfTurn } from '../metric.ts';
import type { JointSpace } from '../planner.ts';
import type { LazyPath } from './lazyPath.ts';

/** Share of partial shortcuts, which straighten a subset of the joints. */
const PARTIAL = 0.5;

/** Constant cost of an edge check, as a length in the metric of the space. */
const CHECK_COST = 0.3;

/** Replacement of a subpath between two points of a path. */
export class ShortcutCandidate {
  /** Indices of the segments on which the subpath begins and ends. */
  from = 0;
  to = 0;
  /** Length saved. */
  gain = 0;
  /** Gain per length that has to be checked. */
  worth = 0;
  /** The states of the replacement are `rows[0]` … `rows[count − 1]`. */
  count = 0;
  readonly rows: Configuration[] = [];

  constructor(private readonly dof: number) {}

  /** Returns the next row of the replacement. */
  addRow(): Configuration {
    if (this.count === this.rows.length) this.rows.push(new Float64Array(this.dof));
    return this.rows[this.count++];
  }

  /** Moves the states out of this record. */
  takeStates(): Configuration[] {
    return this.rows.splice(0, this.count);
  }
}

/**
 * Random shortcuts of a path between two points on different segments. A shortcut is full, or partial: a subset of the
 * joints is interpolated linearly over the length of the subpath [GeraertsOvermars07 §4]. Candidates are drawn by the
 * hundred, and few are checked: they are written into two records, which are reused.
 */
export class ShortcutCandidates {
  private best: ShortcutCandidate;
  private other: ShortcutCandidate;
  private readonly isSelected: Uint8Array;
  private readonly halfTurns: Float64Array;
  /** Last state of the current subpath, without wraps since the first one. */
  private readonly last: Float64Array;

  constructor(
    private readonly path: LazyPath,
    private readonly space: JointSpace,
  ) {
    const { dof } = space;
    this.best = new ShortcutCandidate(dof);
    this.other = new ShortcutCandidate(dof);
    this.isSelected = new Uint8Array(dof);
    this.last = new Float64Array(dof);
    this.halfTurns = metricOf(space).halfTurns;
  }

  /**
   * Returns the one of `choices` candidates with the greatest worth; undefined if none saves `leastGain`, a length. It
   * is overwritten by the next call.
   */
  bestOf(choices: number, leastGain: number, random: Random): ShortcutCandidate | undefined {
    let hasBest = false;
    for (let i = 0; i < choices; i++) {
      const { other } = this;
      if (!this.draw(other, random)) continue;
      if (!(other.gain >= leastGain) || (hasBest && this.best.worth >= other.worth)) continue;
      this.other = this.best;
      this.best = other;
      hasBest = true;
    }
    return hasBest ? this.best : undefined;
  }

  /** Draws a random shortcut; returns false if both points are on one segment. */
  private draw(out: ShortcutCandidate, random: Random): boolean {
    const { space } = this;
    const { states, steps, length } = this.path;
    const one = random.next() * length;
    const two = random.next() * length;
    const isPartial = this.selectJoints(random);
    out.count = 0;
    const qFrom = out.addRow();
    out.from = this.pointAt(qFrom, Math.min(one, two));
    const qTo = out.addRow();
    out.to = this.pointAt(qTo, Math.max(one, two));
    if (out.from === out.to) return false;
    let before = space.distance(qFrom, states[out.from + 1]);
    for (let i = out.from + 1; i < out.to; i++) before += steps[i];
    before += space.distance(states[out.to], qTo);
    if (isPartial) this.straighten(out, before);
    let left = 0;
    for (let i = 1; i < out.count; i++) left += space.distance(out.rows[i - 1], out.rows[i]);
    out.gain = before - left;
    out.worth = out.gain / (left + CHECK_COST);
    return true;
  }

  /** Selects the joints to straighten: one, or each with probability 1/2; returns false for all. */
  private selectJoints(random: Random): boolean {
    if (random.next() >= PARTIAL) return false;
    const { isSelected } = this;
    const single = random.next() < 0.5 ? random.below(isSelected.length) : -1;
    for (let joint = 0; joint < isSelected.length; joint++)
      isSelected[joint] = (single < 0 ? random.next() < 0.5 : joint === single) ? 1 : 0;
    return true;
  }

  /** Writes the point of the path at arc length `along`; returns the index of its segment. */
  private pointAt(out: Configuration, along: number): number {
    const { states, steps } = this.path;
    let rest = along;
    let segment = 0;
    for (; !(rest <= steps[segment]) && segment < steps.length - 1; segment++) rest -= steps[segment];
    const step = steps[segment];
    this.space.interpolate(out, states[segment], states[segment + 1], step > 0 ? Math.min(1, rest / step) : 0);
    return segment;
  }

  /** Inserts the states inside the subpath, of the given length, with the selected joints interpolated linearly. */
  private straighten(out: ShortcutCandidate, length: number): void {
    const { space, isSelected, halfTurns, last } = this;
    const { states } = this.path;
    const { rows, from, to } = out;
    const qFrom = rows[0];
    const qTo = rows[1];
    this.unwrapEnd(from, to, qFrom, qTo);
    for (let i = from + 1; i <= to; i++) out.addRow();
    rows[1] = rows[out.count - 1];
    rows[out.count - 1] = qTo;
    let along = 0;
    let previous = qFrom;
    for (let i = from + 1; i <= to; i++) {
      const q = states[i];
      const row = rows[i - from];
      along += space.distance(previous, q);
      for (let joint = 0; joint < q.length; joint++)
        row[joint] = isSelected[joint]
          ? withinHalfTurn(qFrom[joint] + (along / length) * (last[joint] - qFrom[joint]), halfTurns[joint])
          : q[joint];
      previous = q;
    }
  }

  /** Computes the last state of a subpath without wraps since the first one, as `unwrappedPath` does. */
  private unwrapEnd(from: number, to: number, qFrom: Configuration, qTo: Configuration): void {
    const { last, halfTurns } = this;
    const { states } = this.path;
    for (let joint = 0; joint < last.length; joint++) {
      const halfTurn = halfTurns[joint];
      let turns = 0;
      let previous = qFrom[joint];
      for (let i = from + 1; halfTurn < Number.POSITIVE_INFINITY && i <= to + 1; i++) {
        const value = i <= to ? states[i][joint] : qTo[joint];
        if (value - previous > halfTurn) turns--;
        else if (value - previous < -halfTurn) turns++;
        previous = value;
      }
      last[joint] = turns === 0 ? qTo[joint] : qTo[joint] + 2 * halfTurn * turns;
    }
  }
}

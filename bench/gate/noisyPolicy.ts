import type { Random } from '../../src/core/math/random.ts';
import type { MotionLimits, Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import type { ProposedPoint } from '../../src/formats/streams/gateMessages.ts';
import type { JointsAt } from '../../src/tasks/gate/cubicCurve.ts';

/** Seconds between points of a chunk, and their number. */
const STEP = 0.02;
export const CHUNK_POINTS = 50;
/** 1/s²: how strongly a chunk is drawn to the path. Critically damped. */
const PULL = 40;
/** Share of the limits that chunks use. */
const USED = 0.85;
/** Seconds of the path in which the place that is nearest to the arm is searched, ahead of the last one. */
const AHEAD = 1;
/** Seconds over which the noise of a chunk grows. */
const GROWTH = 0.4;

/**
 * A scripted policy that imitates a learned one: it follows a path from where the arm is, in chunks with an error that
 * is drawn for each chunk.
 */
export class NoisyPolicy {
  /** Place on the path, seconds. */
  private place: number;
  private curve: TrajectoryCurve;
  private noise: number[];

  /**
   * @param noise greatest error of a joint, rad
   * @param memory share of the error of one chunk that the next one has
   */
  constructor(
    path: Trajectory,
    private readonly limits: MotionLimits,
    private readonly random: Random,
    private readonly size: number,
    private readonly memory = 0,
  ) {
    this.curve = new TrajectoryCurve(path);
    this.place = this.curve.start;
    this.noise = Array.from({ length: this.curve.dof }, () => 0);
  }

  /** Follows another path from its start. */
  follow(path: Trajectory): void {
    this.curve = new TrajectoryCurve(path);
    this.place = this.curve.start;
  }

  /** True if a state is within `tolerance` of the end of the path. */
  isDone({ q }: Pick<JointsAt, 'q'>, tolerance: number): boolean {
    const goal = this.positionAt(this.curve.end);
    return this.curve.end - this.place < AHEAD && q.every((x, j) => Math.abs(x - goal[j]) <= tolerance);
  }

  /** Returns the next chunk, which begins in the given state. */
  chunk(time: number, { q: from, v: speed }: Pick<JointsAt, 'q' | 'v'>): ProposedPoint[] {
    const { limits, size, memory, random } = this;
    this.noise = this.noise.map((x) => memory * x + (1 - memory) * random.between(-size, size));
    this.place = this.nearest(from);
    const [q, v] = [Array.from(from), Array.from(speed)];
    const points: ProposedPoint[] = [{ time, positions: [...q], velocities: [...v] }];
    for (let i = 1; i < CHUNK_POINTS; i++) {
      const goal = this.positionAt(Math.min(this.curve.end, this.place + i * STEP));
      const grown = Math.min(1, (i * STEP) / GROWTH);
      for (const [j, x] of q.entries()) {
        const most = USED * limits.acceleration[j];
        const pull = PULL * (goal[j] + grown * this.noise[j] - x) - 2 * Math.sqrt(PULL) * v[j];
        const limit = USED * limits.velocity[j];
        const next = Math.max(-limit, Math.min(limit, v[j] + STEP * Math.max(-most, Math.min(most, pull))));
        q[j] += (STEP * (v[j] + next)) / 2;
        v[j] = next;
      }
      points.push({ time: time + i * STEP, positions: [...q], velocities: [...v] });
    }
    // Of accelerations that must not jump, the gate chooses the velocities.
    return Array.from(limits.jerk).every((jerk) => jerk === Number.POSITIVE_INFINITY)
      ? points
      : points.map(({ time: t, positions }) => ({ time: t, positions }));
  }

  private positionAt(t: number): Float64Array {
    const q = new Float64Array(this.curve.dof);
    this.curve.position(q, t);
    return q;
  }

  private nearest(q: Float64Array): number {
    let [best, least] = [this.place, Number.POSITIVE_INFINITY];
    for (let t = this.place; t <= Math.min(this.curve.end, this.place + AHEAD); t += STEP) {
      const distance = this.positionAt(t).reduce((sum, x, j) => sum + (x - q[j]) ** 2, 0);
      if (distance <= least) [best, least] = [t, distance];
    }
    return best;
  }
}

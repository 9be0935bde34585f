import { type EventStep, type MotionStep, movesJoints, type WaitStep } from '../../core/scene/program.ts';
import { eventOf } from '../../core/scene/programEvents.ts';
import { wholeNanoseconds } from '../../core/trajectory/roundedTimes.ts';
import type {
  Trajectory,
  TrajectoryEvent,
  TrajectoryPoint,
  TrajectorySegment,
} from '../../core/trajectory/trajectory.ts';
import type { RunMotion, TimedRun } from './programRun.ts';

/** Joins the motions, waits and events of a program to one trajectory that begins at time 0. */
export class ProgramTrajectory {
  private readonly points: TrajectoryPoint[];
  private readonly segments: TrajectorySegment[] = [];
  private readonly events: TrajectoryEvent[] = [];
  /** End of the last segment, and of the last point, seconds. */
  private time = 0;
  private clock = 0;

  constructor(
    private readonly jointNames: readonly string[],
    start: ArrayLike<number>,
  ) {
    const positions = Array.from(start);
    this.points = [{ time_from_start: 0, positions, velocities: positions.map(() => 0) }];
  }

  /** Positions at the end of the trajectory so far. */
  get positions(): readonly number[] {
    return this.points[this.points.length - 1].positions;
  }

  /**
   * Appends a motion from rest to rest.
   * @param points without the first, with times from the start of the motion; positions may differ from those of the
   *   trajectory by full turns, by which they are then shifted
   * @param from positions at the start of the motion
   */
  motion(step: MotionStep, from: ArrayLike<number>, points: readonly TrajectoryPoint[]): void {
    const start = this.clock;
    const shift = this.positions.map((value, j) => value - from[j]);
    for (const { positions, velocities, time_from_start: time } of points) {
      this.points.push({
        time_from_start: wholeNanoseconds(start + time!),
        positions: positions.map((value, j) => value + shift[j]),
        velocities: velocities!,
      });
    }
    this.close(step, this.points[this.points.length - 1].time_from_start!);
  }

  /** Appends several motions that are timed together; each step ends with its last motion. */
  run({ trajectory, ends }: TimedRun, motions: readonly RunMotion[]): void {
    const start = this.clock;
    for (const { positions, velocities, time_from_start: time } of trajectory.points.slice(1))
      this.points.push({ time_from_start: wholeNanoseconds(start + time!), positions, velocities: velocities! });
    for (const [k, { step }] of motions.entries())
      if (motions[k + 1]?.step !== step) this.close(step, wholeNanoseconds(start + ends[k]));
  }

  /**
   * Appends a rest until a time. It belongs to the segment of the motion before or after it.
   * @param endsSegment true: it belongs to the segment before
   */
  waitUntil(given: number, endsSegment: boolean): void {
    const time = wholeNanoseconds(given);
    if (!(time > this.clock)) return;
    this.points.push({ ...this.points[this.points.length - 1], time_from_start: time });
    this.clock = time;
    if (!endsSegment) return;
    const last = this.segments.length - 1;
    this.segments[last] = { ...this.segments[last], to: time };
    this.time = time;
  }

  /** Appends a rest; the event of a step that moves joints is at its start. */
  wait(step: WaitStep): void {
    if (movesJoints(step)) this.events.push(eventOf(step, this.time, ''));
    const end = wholeNanoseconds(this.time + step.duration);
    if (end > this.time) this.points.push({ ...this.points[this.points.length - 1], time_from_start: end });
    this.close(step, end);
  }

  /** Appends an event. */
  event(step: EventStep, linkOfTcp: string): void {
    this.events.push(eventOf(step, this.time, linkOfTcp));
  }

  trajectory(): Trajectory {
    const { jointNames, points, segments, events } = this;
    return { jointNames, points, interpolation: 'cubic', segments, events };
  }

  private close({ index, name, kind }: MotionStep | WaitStep, to: number): void {
    this.segments.push({ step: index, ...(name === undefined ? {} : { name }), kind, from: this.time, to });
    this.time = to;
    this.clock = to;
  }
}

import type { Configuration } from '../../../core/math/configuration.ts';
import { attachableFrom } from '../../../core/scene/changedScene.ts';
import type { EventStep, MotionStep, WaitStep } from '../../../core/scene/program.ts';
import type { Trajectory, TrajectoryPoint } from '../../../core/trajectory/trajectory.ts';
import type { World } from '../../world.ts';
import type { RunMotion, TimedRun } from '../programRun.ts';
import type { ProgramTrajectory } from '../programTrajectory.ts';

/** A part of a program whose start time is not determined yet. */
interface PieceBase {
  /** World of the piece. */
  readonly world: World;
  /** Configuration at its start. */
  readonly q: Configuration;
}

/** A motion from rest to rest: one step, or several that are blended. */
export interface MotionPiece extends PieceBase {
  readonly kind: 'motion';
  /** Its first and its last step. */
  readonly step: MotionStep;
  readonly lastStep: MotionStep;
  /** The motion, from time 0 on. */
  readonly trajectory: Trajectory;
  /** Appends the motion to a program. */
  readonly append: (program: ProgramTrajectory) => void;
}

/** A wait that a step states. */
export interface RestPiece extends PieceBase {
  readonly kind: 'rest';
  readonly step: WaitStep;
}

/** A step that takes no time. */
export interface EventPiece extends PieceBase {
  readonly kind: 'event';
  readonly step: EventStep;
  /** World after the event. */
  readonly after: World;
  /** Earliest time of the event, seconds: an object is attached only once it is at rest. */
  readonly from: number;
}

/** A part of a program. */
export type Piece = MotionPiece | RestPiece | EventPiece;

/** Collects the motions, waits and events of a program in the order of its steps, without times. */
export class ProgramPieces {
  readonly pieces: Piece[] = [];
  /** World after the pieces so far. */
  world: World;
  private at: readonly number[];

  constructor(
    private readonly jointNames: readonly string[],
    start: ArrayLike<number>,
    readonly initial: World,
  ) {
    this.at = Array.from(start);
    this.world = initial;
  }

  /** Positions at the end of the pieces so far. */
  get positions(): readonly number[] {
    return this.at;
  }

  /** Adds a motion from rest to rest; see `ProgramTrajectory.motion`. */
  motion(step: MotionStep, from: ArrayLike<number>, points: readonly TrajectoryPoint[]): void {
    const { jointNames, at } = this;
    const shift = at.map((value, j) => value - from[j]);
    const first: TrajectoryPoint = { time_from_start: 0, positions: at, velocities: at.map(() => 0) };
    const shifted = points.map((point) => ({ ...point, positions: point.positions.map((x, j) => x + shift[j]) }));
    const trajectory: Trajectory = { jointNames, points: [first, ...shifted], interpolation: 'cubic' };
    this.add(trajectory, step, step, (program) => program.motion(step, from, points));
  }

  /** Adds motions that are timed together. */
  run(timed: TimedRun, motions: readonly RunMotion[]): void {
    const last = motions[motions.length - 1].step;
    this.add(timed.trajectory, motions[0].step, last, (program) => program.run(timed, motions));
  }

  /** Adds a wait. */
  wait(step: WaitStep): void {
    this.pieces.push({ kind: 'rest', step, world: this.world, q: this.configuration });
  }

  /** Adds an event. */
  event(step: EventStep, linkOfTcp: string): void {
    const { world, configuration: q } = this;
    const after = world.after(step, linkOfTcp, q);
    this.pieces.push({ kind: 'event', step, world, q, after, from: attachableFrom(world.scene, step) });
    this.world = after;
  }

  private add(trajectory: Trajectory, step: MotionStep, lastStep: MotionStep, append: MotionPiece['append']): void {
    const { world, configuration: q } = this;
    this.pieces.push({ kind: 'motion', step, lastStep, world, q, trajectory, append });
    this.at = trajectory.points[trajectory.points.length - 1].positions;
  }

  private get configuration(): Configuration {
    return Float64Array.from(this.at);
  }
}

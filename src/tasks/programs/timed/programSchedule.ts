import { wholeNanoseconds } from '../../../core/trajectory/roundedTimes.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { StopLimits } from '../../forces/stopLimits.ts';
import { TimedProofs } from '../../spaceTime/timedEdges.ts';
import type { World } from '../../world.ts';
import type { MotionPiece, Piece } from './programPieces.ts';
import { pieceDuration, type ScheduleLeg, type StopsAndLegs } from './scheduleLegs.ts';
import { type TimeWindow, waitWindows } from './waitWindows.ts';

/** A leg with its times. */
export interface ScheduledLeg {
  /** Seconds. */
  readonly departure: number;
  readonly arrival: number;
  /** A motion that replaces that of the piece, from time 0 on. */
  readonly motion?: Trajectory;
}

/**
 * The leg at which all examined schedules fail, and the objects that blocked it, each with the time until which it did.
 */
export interface BlockedLeg {
  /** Index of the leg; the number of legs: the end of the program. */
  readonly leg: number;
  readonly blocked: readonly (readonly [string, number])[];
}

/**
 * Searches for a motion between the ends of a piece that departs at a time at the earliest and arrives in a window;
 * undefined if none is found.
 */
export type MoveSearch = (
  piece: MotionPiece,
  departure: number,
  arrival: TimeWindow,
) => { readonly trajectory: Trajectory; readonly duration: number } | undefined;

/** Seconds: for shorter waits no other motion is searched. */
const SHORT_WAIT = 0.1;

/**
 * Finds the times of a program among moving objects. At each stop the robot may wait in the time windows in which
 * waiting is proved valid; from each window, a leg departs at the earliest time at which it is proved valid and ends in
 * a window of the next stop. An earlier arrival in a window is never worse than a later one, since the robot may wait
 * there, so each window is examined once [PhillipsLikhachev11]. The last window must have no end.
 */
export class ProgramSchedule {
  private readonly windows: (readonly TimeWindow[] | undefined)[] = [];
  private readonly proofs = new Map<World, TimedProofs>();
  /** For each window, the earliest arrival from which the end of the program was not reached. */
  private readonly failed = new Map<TimeWindow, number>();
  private readonly scheduled: ScheduledLeg[] = [];
  private farthest: BlockedLeg = { leg: 0, blocked: [] };

  /**
   * @param end time from which on everything else rests
   * @param search replaces free motions that would have to wait
   */
  constructor(
    private readonly program: StopsAndLegs,
    private readonly end: number,
    private readonly search: MoveSearch,
    private readonly interrupt: () => boolean,
  ) {}

  /** Returns the times of all legs. */
  solve(): readonly ScheduledLeg[] | BlockedLeg {
    const first = this.windowsAt(0).find(({ from }) => from === 0);
    if (first && this.reaches(0, first, 0)) return this.scheduled;
    return first ? this.farthest : { leg: 0, blocked: [] };
  }

  /** Completes the schedule from an arrival in a window of a stop; returns false if that fails. */
  private reaches(k: number, window: TimeWindow, arrival: number): boolean {
    const { legs } = this.program;
    if (k === legs.length) return true;
    if (arrival >= (this.failed.get(window) ?? Number.POSITIVE_INFINITY)) return false;
    for (const next of this.windowsAt(k + 1)) {
      if (this.interrupt()) return false;
      const found = this.cross(k, window, arrival, next);
      if (found === undefined) continue;
      this.scheduled[k] = found;
      if (this.reaches(k + 1, next, found.arrival)) return true;
    }
    this.failed.set(window, arrival);
    return false;
  }

  /** Returns the earliest passage of a leg from one window to another; undefined if none is found. */
  private cross(k: number, window: TimeWindow, arrival: number, next: TimeWindow): ScheduledLeg | undefined {
    const leg = this.program.legs[k];
    const { duration, notBefore, pieces } = leg;
    const proofs = this.proofsOf(pieces[0].world);
    proofs.blocked.clear();
    const earliest = Math.max(arrival, notBefore, next.from - duration);
    const latest = Math.min(window.to, next.to - duration, Math.max(earliest, this.end));
    const departure =
      latest >= earliest ? earliestTime(earliest, latest, (time) => this.isValid(leg, time)) : undefined;
    const fixed = departure === undefined ? undefined : { departure, arrival: departure + duration };
    const [piece] = pieces;
    const isMove = piece.kind === 'motion' && piece.step === piece.lastStep && piece.step.kind === 'move';
    if (!isMove || (fixed && fixed.departure - arrival <= SHORT_WAIT)) return fixed ?? this.note(k, proofs);
    const other = this.search(piece, arrival, fixed ? { ...next, to: Math.min(next.to, fixed.arrival) } : next);
    if (other) return { departure: arrival, arrival: arrival + other.duration, motion: other.trajectory };
    return fixed ?? this.note(k, proofs);
  }

  /** Returns true if a leg is proved valid when it departs at a time. */
  private isValid({ pieces }: ScheduleLeg, departure: number): boolean {
    let time = departure;
    return pieces.every((piece) => {
      const start = time;
      time += pieceDuration(piece);
      return this.isPieceValid(piece, start, time);
    });
  }

  private isPieceValid(piece: Piece, start: number, end: number): boolean {
    if (piece.kind === 'event') return this.proofsOf(piece.after).isHoldValid(piece.q, start, start);
    const proofs = this.proofsOf(piece.world);
    if (piece.kind === 'rest') return proofs.isHoldValid(piece.q, start, end);
    return proofs.isTrajectoryFree(startingAt(piece.trajectory, start));
  }

  /** Returns the windows in which the robot may wait at a stop; at the last one, those without end. */
  private windowsAt(k: number): readonly TimeWindow[] {
    const known = this.windows[k];
    if (known) return known;
    const { stops, legs } = this.program;
    const { q, world, mayWait } = stops[k];
    const earliest = legs.slice(0, k).reduce((time, leg) => Math.max(time, leg.notBefore) + leg.duration, 0);
    const proofs = this.proofsOf(world);
    proofs.blocked.clear();
    // a replaced free motion may be faster, but earlier windows are not examined
    const all = waitWindows(proofs, q, Math.min(earliest, this.end), this.end);
    const found = k === legs.length ? all.filter(({ to }) => to === Number.POSITIVE_INFINITY) : all;
    const windows = k === 0 && !mayWait && found[0]?.from === 0 ? [{ from: 0, to: 0 }] : found;
    if (windows.length === 0) this.note(k, proofs);
    this.windows[k] = windows;
    return windows;
  }

  /** Records what blocked a leg or the stop before it, unless a later leg is recorded. */
  private note(leg: number, { blocked }: TimedProofs): undefined {
    if (leg < this.farthest.leg) return;
    const sorted = [...blocked].sort(([, a], [, b]) => b.count - a.count);
    this.farthest = { leg, blocked: sorted.map(([name, { until }]) => [name, until] as const) };
  }

  private proofsOf(world: World): TimedProofs {
    const known = this.proofs.get(world);
    if (known) return known;
    const stops = StopLimits.of(world.robot, world.tree.scene, this.interrupt, world);
    const made = new TimedProofs(world.manager.posed, world.tree, stops, this.interrupt);
    this.proofs.set(world, made);
    return made;
  }
}

/** Returns a trajectory that begins later by some seconds; times are rounded to whole nanoseconds. */
function startingAt(trajectory: Trajectory, time: number): Trajectory {
  return {
    ...trajectory,
    points: trajectory.points.map((point) => ({
      ...point,
      time_from_start: wholeNanoseconds(time + point.time_from_start!),
    })),
  };
}

/** Number of intervals into which a range of times is divided, and their minimum length, seconds. */
const INTERVALS = 48;
const MIN_INTERVAL = 0.02;
/** Halvings of the interval before the first time that is valid. */
const REFINEMENTS = 6;
/** Seconds: shorter intervals are not divided. */
const RESOLUTION = 1e-3;

/**
 * Returns the earliest valid time found in a range, a whole number of nanoseconds; undefined if none is found. Valid
 * times between two invalid samples are missed.
 */
function earliestTime(first: number, last: number, isValid: (time: number) => boolean): number | undefined {
  const begin = roundedUp(first);
  if (isValid(begin)) return begin;
  const count = Math.max(1, Math.min(INTERVALS, Math.ceil((last - begin) / MIN_INTERVAL)));
  let invalid = begin;
  for (let k = 1; k <= count; k++) {
    const time = wholeNanoseconds(k === count ? last : begin + (k / count) * (last - begin));
    if (!(time > invalid)) return undefined;
    if (!isValid(time)) {
      invalid = time;
      continue;
    }
    let valid = time;
    for (let i = 0; i < REFINEMENTS && valid - invalid > RESOLUTION; i++) {
      const middle = wholeNanoseconds(0.5 * (invalid + valid));
      if (isValid(middle)) valid = middle;
      else invalid = middle;
    }
    return valid;
  }
  return undefined;
}

/** Rounds a time up to a whole number of nanoseconds. */
function roundedUp(time: number): number {
  const rounded = wholeNanoseconds(time);
  return rounded >= time ? rounded : wholeNanoseconds(time + 1e-9);
}

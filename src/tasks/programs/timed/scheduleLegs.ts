import type { Configuration } from '../../../core/math/configuration.ts';
import { durationOf } from '../../../core/trajectory/trajectory.ts';
import type { World } from '../../world.ts';
import type { Piece } from './programPieces.ts';

/** A point of a program at which the robot is at rest. It may wait there, unless a step states the duration. */
export interface Stop {
  readonly q: Configuration;
  readonly world: World;
  readonly mayWait: boolean;
  /** True if a wait belongs to the segment of the motion before it, false if to that after it. */
  readonly endsSegment: boolean;
}

/** The pieces between two stops: one motion, or events and waits that follow each other at once. */
export interface ScheduleLeg {
  readonly pieces: readonly Piece[];
  /** Seconds. */
  readonly duration: number;
  /** Earliest start, seconds: objects are attached only once they are at rest. */
  readonly notBefore: number;
}

/** The stops of a program, and the legs between consecutive stops. */
export interface StopsAndLegs {
  readonly stops: readonly Stop[];
  readonly legs: readonly ScheduleLeg[];
}

/**
 * Divides a program at the stops where the robot may wait longer than its steps state: before and after each motion.
 * The first stop is the start at time 0, the last one the end.
 * @param world after all pieces
 */
export function stopsAndLegs(
  pieces: readonly Piece[],
  world: World,
  end: readonly number[],
  start: World,
): StopsAndLegs {
  const first = { q: pieces[0]?.q ?? Float64Array.from(end), world: start };
  const stops: Stop[] = [{ ...first, mayWait: pieces[0]?.kind === 'motion', endsSegment: false }];
  const legs: ScheduleLeg[] = [];
  let from = 0;
  for (const [k, piece] of pieces.entries()) {
    const next = pieces.at(k + 1);
    const isMotion = piece.kind === 'motion';
    const mayWait = isMotion || next?.kind === 'motion';
    if (!mayWait && next !== undefined) continue;
    legs.push(legOf(pieces.slice(from, k + 1)));
    const endsSegment = isMotion && (next?.kind !== 'motion' || piece.lastStep.kind === 'move');
    const { q } = next ?? { q: Float64Array.from(end) };
    stops.push({ q, world: next?.world ?? world, mayWait, endsSegment });
    from = k + 1;
  }
  return { stops, legs };
}

/** Returns the duration of a piece, seconds. */
export function pieceDuration(piece: Piece): number {
  if (piece.kind === 'motion') return durationOf(piece.trajectory)!;
  return piece.kind === 'rest' ? piece.step.duration : 0;
}

/** Seconds: times of programs are whole nanoseconds. */
const TICK = 1e-9;

function legOf(pieces: readonly Piece[]): ScheduleLeg {
  let duration = 0;
  let notBefore = 0;
  for (const piece of pieces) {
    // rounded up, so that the rounded time of the event is late enough
    if (piece.kind === 'event' && piece.from > duration)
      notBefore = Math.max(notBefore, piece.from - duration + (duration > 0 ? TICK : 0));
    duration += pieceDuration(piece);
  }
  return { pieces, duration, notBefore };
}

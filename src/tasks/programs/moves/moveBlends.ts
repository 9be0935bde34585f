import type { MoveSet } from '../../../core/cartesian/moves/moveSet.ts';
import type { ProgramPart, ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { norm } from '../../../core/math/vec3.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import type { MotionLimits } from '../../../core/trajectory/trajectory.ts';
import { frameAt } from './stepVerdicts.ts';

/**
 * Number of radii that are tried at a waypoint, each this share of the one before. The first one is `WITHIN` of the
 * free distance to the nearer neighbor: to the previous one less its blend, half of that to a next one with a blend.
 */
const [TRIALS, SHARE] = [12, 0.7];
const WITHIN = 0.98;

/**
 * Returns joint moves from a state, each with the largest of a few blend radii for which the parts beside its end are
 * proved; 0 if there is none.
 */
export function withBlends(
  sets: ProgramSets,
  start: Configuration,
  moves: readonly ProgramMove[],
  isProved: (part: ProgramPart, move: ProgramMove) => boolean,
): readonly ProgramMove[] {
  let blended = moves;
  for (let i = 0; i + 1 < moves.length; i++) {
    const corner = positionAt(sets, moves[i], moves[i].joints!);
    const [before, after] = [i > 0 ? moves[i - 1].joints! : start, moves[i + 1].joints!].map((q) =>
      norm(positionAt(sets, moves[i], q).map((value, k) => value - corner[k])),
    );
    const left = before - (i > 0 ? blended[i - 1].radius : 0);
    let most = WITHIN * Math.min(left, i + 2 < moves.length ? 0.5 * after : after);
    for (let k = 0; k < TRIALS; k++, most *= SHARE) {
      const radius = Math.floor(1e4 * most) / 1e4;
      const tried = blended.map((move, j) => (j === i ? { ...move, radius } : move));
      const parts = radius > 0 ? sets.parts(start, tried).filter(({ move }) => move === i || move === i + 1) : [];
      if (parts.length === 0 || !parts.every((part) => isProved(part, tried[part.move]))) continue;
      blended = tried;
      break;
    }
  }
  return blended;
}

function positionAt(sets: ProgramSets, { frame }: ProgramMove, q: Configuration): Float64Array {
  const T = frameAt(sets.model, frame, q);
  return Float64Array.of(T[3], T[7], T[11]);
}

/**
 * Returns the time that joint moves with blends take less than with stops, seconds: the profiles of two moves overlap
 * as long as both are in the blend, and no longer than their sum keeps the limits of the joints.
 */
export function savedTime(
  sets: ProgramSets,
  start: Configuration,
  moves: readonly ProgramMove[],
  limits: Pick<MotionLimits, 'velocity' | 'acceleration'>,
): number {
  const lines = sets.parts(start, moves).filter(({ isBlend }) => !isBlend);
  return lines.slice(1).reduce((sum, { set, move }, i) => {
    if (!(moves[i].radius > 0)) return sum;
    const [one, other] = [
      profileOf(moves[i], i > 0 ? moves[i - 1].joints! : start),
      profileOf(moves[move], moves[i].joints!),
    ];
    const most = Math.min(timeFromRest(one, 1 - edgeOf(lines[i].set!, 1)), timeFromRest(other, edgeOf(set!, -1)));
    for (let k = OVERLAPS; k > 0; k--) {
      const overlap = (k / OVERLAPS) * most;
      if (keepsLimits(one, other, overlap, limits)) return sum + overlap;
    }
    return sum;
  }, 0);
}

const edgeOf = ({ root: { at, half } }: MoveSet, side: number) => at[0] + side * half[0];

/** Overlaps that are tried, instants at which each is evaluated, and relative tolerance of limits. */
const [OVERLAPS, INSTANTS, TOLERANCE] = [40, 32, 1e-3];

/** Trapezoidal profile of a joint move: its displacement, and the leading axis' length, peak speed and ramp. */
interface JointProfile {
  readonly displacement: Configuration;
  readonly length: number;
  readonly peak: number;
  readonly acceleration: number;
  readonly duration: number;
}

function profileOf({ joints, speed, acceleration }: ProgramMove, from: Configuration): JointProfile {
  const displacement = from.map((value, j) => joints![j] - value);
  const length = displacement.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const peak = Math.min(speed, Math.sqrt(acceleration * length));
  return { displacement, length, peak, acceleration, duration: length / peak + peak / acceleration };
}

/** Returns speed and acceleration of the leading axis at a time. */
function ratesAt({ peak, acceleration, duration }: JointProfile, time: number): [number, number] {
  const left = duration - time;
  const ramp = peak / acceleration;
  if (time < ramp) return [acceleration * time, acceleration];
  return left < ramp ? [acceleration * left, -acceleration] : [peak, 0];
}

/** Returns true if the sum of the end of one move and the beginning of the next one keeps the limits of the joints. */
function keepsLimits(
  one: JointProfile,
  other: JointProfile,
  overlap: number,
  { velocity, acceleration }: Pick<MotionLimits, 'velocity' | 'acceleration'>,
): boolean {
  for (let k = 0; k <= INSTANTS; k++) {
    const time = (k / INSTANTS) * overlap;
    const [v1, a1] = ratesAt(one, one.duration - overlap + time);
    const [v2, a2] = ratesAt(other, time);
    for (const [j, value] of one.displacement.entries()) {
      const [first, second] = [value / one.length, other.displacement[j] / other.length];
      if (Math.abs(v1 * first + v2 * second) > (1 + TOLERANCE) * velocity[j]) return false;
      if (Math.abs(a1 * first + a2 * second) > (1 + TOLERANCE) * acceleration[j]) return false;
    }
  }
  return true;
}

/** Returns the time of a share of a joint move from rest, seconds: a trapezoidal profile that does not brake. */
function timeFromRest({ length, peak, acceleration }: JointProfile, share: number): number {
  const ramp = (peak * peak) / (2 * acceleration);
  const distance = share * length;
  if (distance <= ramp) return Math.sqrt((2 * distance) / acceleration);
  return peak / acceleration + (distance - ramp) / peak;
}

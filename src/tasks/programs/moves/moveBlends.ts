import type { ProgramPart, ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { norm } from '../../../core/math/vec3.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { frameAt } from './stepVerdicts.ts';

/** Radii that are tried at a way point: half of the way to the nearer neighbor, and as many shares of it. */
const [TRIALS, SHARE] = [12, 0.7];

/** Joint moves with blends, and the time that they take less than with stops, seconds. */
interface Blended {
  readonly moves: readonly ProgramMove[];
  readonly saved: number;
}

/**
 * Returns joint moves from a state, at each way point with the largest of a few radii for which the parts beside it are
 * proved; 0 if there is none. Profiles overlap by the shorter of the times in which both moves are in the blend.
 */
export function withBlends(
  sets: ProgramSets,
  start: Configuration,
  moves: readonly ProgramMove[],
  isProved: (part: ProgramPart, move: ProgramMove) => boolean,
): Blended {
  let blended = moves;
  for (let i = 0; i + 1 < moves.length; i++) {
    const corner = positionAt(sets, moves[i], moves[i].joints!);
    const [before, after] = [i > 0 ? moves[i - 1].joints! : start, moves[i + 1].joints!].map((q) =>
      norm(positionAt(sets, moves[i], q).map((value, k) => value - corner[k])),
    );
    let most = 0.5 * Math.min(before, after);
    for (let k = 0; k < TRIALS; k++, most *= SHARE) {
      const radius = Math.floor(1e4 * most) / 1e4;
      const tried = blended.map((move, j) => (j === i ? { ...move, radius } : move));
      const parts = radius > 0 ? sets.parts(start, tried).filter(({ move }) => move === i || move === i + 1) : [];
      if (parts.length === 0 || !parts.every((part) => isProved(part, tried[part.move]))) continue;
      blended = tried;
      break;
    }
  }
  return { moves: blended, saved: savedTime(sets, start, blended) };
}

function positionAt(sets: ProgramSets, { frame }: ProgramMove, q: Configuration): Float64Array {
  const T = frameAt(sets.model, frame, q);
  return Float64Array.of(T[3], T[7], T[11]);
}

function savedTime(sets: ProgramSets, start: Configuration, moves: readonly ProgramMove[]): number {
  const lines = sets.parts(start, moves).filter(({ isBlend }) => !isBlend);
  return lines.slice(1).reduce((sum, { set, move }, i) => {
    if (!(moves[i].radius > 0)) return sum;
    const { x, hx } = lines[i].set!.root;
    const from = [i > 0 ? moves[i - 1].joints! : start, moves[i].joints!];
    const times = [
      timeFromRest(moves[i], from[0], 1 - x - hx),
      timeFromRest(moves[move], from[1], set!.root.x - set!.root.hx),
    ];
    return sum + Math.min(...times);
  }, 0);
}

/** Returns the time of a share of a joint move from rest, seconds: a trapezoidal profile that does not brake. */
function timeFromRest({ joints, speed, acceleration }: ProgramMove, from: Configuration, share: number): number {
  const length = from.reduce((most, value, j) => Math.max(most, Math.abs(joints![j] - value)), 0);
  const peak = Math.min(speed, Math.sqrt(acceleration * length));
  const ramp = (peak * peak) / (2 * acceleration);
  const distance = share * length;
  if (distance <= ramp) return Math.sqrt((2 * distance) / acceleration);
  return peak / acceleration + (distance - ramp) / peak;
}

import type { Trajectory } from '../trajectory/trajectory.ts';
import type { SceneWorld } from '../world/sceneWorld.ts';
import { type MotionPiece, motionPieces, pieceAt, restingPiece } from './motionPieces.ts';

/**
 * Returns the pieces of the motion of a whole world from time 0 until all is at rest: the joints of the planned robot,
 * then those of everything else that moves. Without anything else, unless `last` is later, the pieces of the motion.
 * @param motion motion of the planned robot; before its first and after its last point it rests
 * @param last time that the pieces reach at least, seconds
 * @param own pieces of the motion of the planned robot
 */
export function worldPieces(
  motion: Trajectory,
  { sources, end }: Pick<SceneWorld, 'sources' | 'end'>,
  last = 0,
  own: MotionPiece[] = motionPieces(motion),
): MotionPiece[] {
  const ownEnd = own[own.length - 1].end;
  if (sources.length === 0 && end === 0 && last <= ownEnd) return own;
  const until = Math.max(ownEnd, end, last);
  const others = sources.map(trackOf);
  return piecesOfTracks([{ trajectory: motion, pieces: own }, ...others], 0, until);
}

/** Returns the pieces of several motions at the same time, from one time to another. */
export function piecesOfTracks(tracks: readonly Track[], from: number, until: number): MotionPiece[] {
  const inside = tracks.flatMap(({ pieces }) => pieces.flatMap((piece) => [piece.start, piece.end]));
  const knots = [...new Set([from, ...inside.filter((t) => t > from && t < until), until])].sort((a, b) => a - b);
  if (knots.length === 1) knots.push(from);
  return knots.slice(1).map((to, k) =>
    combinedPiece(
      knots[k],
      to,
      tracks.map((track) => pieceOver(track, knots[k], to)),
    ),
  );
}

/** Returns a motion with its pieces. */
export const trackOf = (trajectory: Trajectory): Track => ({ trajectory, pieces: motionPieces(trajectory) });

/** A motion and its pieces, in the order of time. */
export interface Track {
  readonly trajectory: Trajectory;
  readonly pieces: readonly MotionPiece[];
}

/** Returns the piece of a motion that contains [from, to]; at rest before the first and after the last. */
function pieceOver({ trajectory: { points }, pieces }: Track, from: number, to: number): MotionPiece {
  const first = pieces[0];
  const last = pieces[pieces.length - 1];
  if (to <= first.start) return restingPiece(from, to, points[0].positions);
  if (from >= last.end) return restingPiece(from, to, points[points.length - 1].positions);
  return pieces[pieceAt(pieces, to)];
}

/** Returns the piece of several motions at the same time: their joints one after the other. */
export function combinedPiece(start: number, end: number, parts: readonly MotionPiece[]): MotionPiece {
  const row = (key: 'terms' | 'rates') => Float64Array.from(parts.flatMap((part) => Array.from(part[key])));
  return {
    start,
    end,
    isQuintic: false,
    coefficients: new Float64Array(0),
    get terms() {
      return row('terms');
    },
    get rates() {
      return row('rates');
    },
    parts,
  };
}

import type { ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { Random } from '../../../core/math/random.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import type { MotionLimits } from '../../../core/trajectory/trajectory.ts';
import { trapezoid } from './lineRates.ts';
import { savedTime, withBlends } from './moveBlends.ts';
import { lineBetween, type PartJudge } from './moveJudge.ts';

/** Joint moves with blends, and their duration, seconds. */
export interface TimedMoves {
  readonly moves: readonly ProgramMove[];
  readonly duration: number;
}

/** Number of random changes of waypoints. */
const ROUNDS = 1200;
/** rad: maximum displacement of a waypoint; small ones are frequent. */
const REACH = 0.5;
/** Share of the rounds in which a waypoint is removed, if there are several. */
const LEFT_OUT = 0.15;

/** Start of the moves, their limits and proofs; `moveTo` returns the move between two states with its rates. */
interface MoveSetting {
  readonly judge: PartJudge;
  readonly sets: ProgramSets;
  readonly start: Configuration;
  readonly limits: MotionLimits;
  readonly moveTo: (from: Configuration, to: Configuration) => { readonly move: ProgramMove; readonly length: number };
}

/**
 * Returns joint moves along a path, each with the largest blend that is proved. Changes waypoints at random and keeps
 * what reduces the duration, until it is at most `enough` seconds or the rounds end.
 * @param path targets of the moves, whose lines are proved
 */
export function fastestMoves(setting: MoveSetting, path: readonly Configuration[], enough: number): TimedMoves {
  const random = new Random(1);
  let points = path;
  let best = timedMoves(setting, points, Number.POSITIVE_INFINITY)!;
  for (let round = 0; round < ROUNDS && points.length > 1 && best.duration > enough; round++) {
    const changed = changedPath(points, random);
    if (!changed.at.every((i) => isProved(setting, changed.points, i))) continue;
    const found = timedMoves(setting, changed.points, best.duration);
    if (found === undefined || !(found.duration < best.duration)) continue;
    best = found;
    points = changed.points;
  }
  return best;
}

/** Returns a path with a waypoint moved or removed, and the indices of its lines that are changed. */
function changedPath(points: readonly Configuration[], random: Random) {
  const i = random.below(points.length - 1);
  if (points.length > 2 && random.between(0, 1) < LEFT_OUT)
    return { points: points.filter((_, k) => k !== i), at: [i] };
  const share = random.between(0, 1);
  const size = REACH * share * share * share;
  const moved = points[i].map((value) => Math.round(1e6 * (value + size * random.between(-1, 1))) / 1e6);
  return { points: points.map((q, k) => (k === i ? moved : q)), at: [i, i + 1] };
}

function isProved({ judge, start }: MoveSetting, points: readonly Configuration[], i: number): boolean {
  const [from, to] = [points[i - 1] ?? start, points[i]];
  return judge.isLikely(lineBetween(from, to)) && judge.judgeLine(from, to).verdict === 'valid';
}

/** Returns the moves along a path with blends; undefined if they cannot take less than `most` seconds. */
function timedMoves(
  { judge, sets, start, moveTo, limits }: MoveSetting,
  points: readonly Configuration[],
  most: number,
): TimedMoves | undefined {
  const made = points.map((q, i) => moveTo(points[i - 1] ?? start, q));
  const times = made.map(({ move, length }) => trapezoid(length, move.speed, move.acceleration));
  const total = times.reduce((sum, time) => sum + time, 0);
  const spared = times.slice(1).reduce((sum, time, i) => sum + Math.min(time, times[i]), 0);
  if (total - spared >= most) return undefined;
  const moves = withBlends(
    sets,
    start,
    made.map(({ move }) => move),
    (part, move) => judge.isLikely(part) && judge.judge(part, move).verdict === 'valid',
  );
  return { moves, duration: total - savedTime(sets, start, moves, limits) };
}

import { ACCELERATION, derivativeAt, JERK, POSITION, VELOCITY } from '../../trajectory/polynomial.ts';
import type { MotionLimits } from '../../trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { IdealPath } from './idealPath.ts';
import type { PathTool } from './toolPath.ts';

/** Consecutive way points on the way to which the tool is slower than its limit of speed. */
export interface SlowWays {
  /** Indices of the first and the last of these way points. */
  readonly from: number;
  readonly to: number;
  /** The least speed relative to the limit, m/s, and the limit there. */
  readonly speed: number;
  readonly limit: number;
  /** The limit that comes closest to being reached: `the velocity of JOINT`, and the share of it. */
  readonly cause: { readonly what: string; readonly share: number };
}

/** Share of its limit below which a speed is slow. */
const SLOW = 0.95;
/** Number of times per piece of a motion at which its speed is computed. */
const SAMPLES = 8;

/** Limits that keep a tool from its speed. */
export interface SlowingLimits {
  readonly limits: MotionLimits;
  /** Speed of the tool in the world as a share of its limit; 0: no limit. */
  readonly worldShare: (q: Float64Array, velocity: Float64Array) => number;
}

interface State {
  readonly q: Float64Array;
  readonly velocity: Float64Array;
}

/**
 * Returns where the tool is slower than the limits of speed of its path, at times in each piece of its motion.
 * @param times at which the tool passes the ends of the legs
 */
export function slowWays(
  tool: PathTool,
  curve: TrajectoryCurve,
  { legs }: IdealPath,
  times: Float64Array,
  slowing: SlowingLimits,
): SlowWays[] {
  const found: SlowWays[] = [];
  if (legs.every(({ speed }) => speed === Number.POSITIVE_INFINITY)) return found;
  const state = { q: new Float64Array(curve.dof), velocity: new Float64Array(curve.dof) };
  const names = tool.own.model.variables.map(({ name }) => name);
  let [leg, way] = [0, 1];
  let before: number | undefined;
  for (let n = 0; n < curve.pieces * SAMPLES; n++) {
    const piece = Math.floor(n / SAMPLES);
    const u = (((n % SAMPLES) + 0.5) / SAMPLES) * (curve.times[piece + 1] - curve.times[piece]);
    while (leg + 1 < legs.length && times[leg + 1] <= curve.times[piece] + u) leg++;
    setState(state, curve, piece, u);
    way = tool.wayAt(Math.max(way, leg > 0 ? legs[leg - 1].point + 1 : 1), legs[leg].point, state.q);
    const { speed: limit } = legs[leg];
    const speed = tool.speed.at(state.q, state.velocity);
    // a rotation about the tool center point has no speed
    const isSlow = limit < Number.POSITIVE_INFINITY && legs[leg].leg.length > 0 && speed < SLOW * limit;
    const from = before ?? way;
    before = isSlow ? way : undefined;
    if (!isSlow) continue;
    const nearest = nearestLimit(curve, piece, u, state, slowing, names);
    const last = found.at(-1);
    const known = last && last.to >= from - 1 ? found.pop() : undefined;
    const worst = known && known.speed / known.limit <= speed / limit ? known : { speed, limit };
    const cause = known && known.cause.share >= nearest.share ? known.cause : nearest;
    found.push({ from: known?.from ?? from, to: way, speed: worst.speed, limit: worst.limit, cause });
  }
  return found;
}

function setState({ q, velocity }: State, curve: TrajectoryCurve, piece: number, u: number): void {
  for (let j = 0; j < curve.dof; j++) {
    const at = curve.polynomialIndex(piece, j);
    q[j] = derivativeAt(curve.polynomials, at, POSITION, u);
    velocity[j] = derivativeAt(curve.polynomials, at, VELOCITY, u);
  }
}

/** Returns the limit of which a motion uses the largest share at a time. */
function nearestLimit(
  curve: TrajectoryCurve,
  piece: number,
  u: number,
  { q, velocity }: State,
  { limits, worldShare }: SlowingLimits,
  names: readonly string[],
): SlowWays['cause'] {
  let most = { what: 'the speed of the tool in the world', share: worldShare(q, velocity) };
  for (const [j, name] of names.entries()) {
    const at = curve.polynomialIndex(piece, j);
    for (const [what, order] of DERIVATIVES) {
      const share = Math.abs(derivativeAt(curve.polynomials, at, order, u)) / limits[what][j];
      if (share > most.share) most = { what: `the ${what} of ${name}`, share };
    }
  }
  return most;
}

const DERIVATIVES = [
  ['velocity', VELOCITY],
  ['acceleration', ACCELERATION],
  ['jerk', JERK],
] as const;

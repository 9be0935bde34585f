import { withFullTurns } from '../kinematics/fullTurns.ts';
import { movingJoints } from '../kinematics/reach.ts';
import type { Configuration } from '../math/configuration.ts';
import type { Transform } from '../math/transform.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Length of a step along a self-motion, rad (L2 norm). */
const STEP = 0.1;
/** Number of steps from one sample to the next. */
const STRIDE = 2;
/** Maximum number of steps in each direction from a configuration. */
const MAX_STEPS = 200;
/** rad: configurations that are nearer to a known one belong to its self-motion. */
const KNOWN = 0.7 * STEP;
/** Norm of a projected unit vector below which the arm is singular: the self-motion may branch there. */
const MIN_DIRECTION = 1e-3;

/**
 * Samples the self-motions of a redundant arm through configurations with one pose of the tool frame, over their whole
 * range: each is followed in both directions, until it closes or becomes singular. Returns the samples within joint
 * limits, without the given configurations; empty if the arm is not redundant.
 * @param most limit of samples; those of each self-motion are distributed over its range
 */
export function sampledSelfMotions(
  tracker: ToolTracker,
  configurations: readonly Configuration[],
  most: number,
): Configuration[] {
  if (!tracker.isRedundant) return [];
  const { model } = tracker;
  const visited: Configuration[] = [];
  const samples: Configuration[] = [];
  for (const q of configurations) {
    if (visited.some((one) => isNear(one, q, 2 * KNOWN))) continue;
    const T = tracker.pose(q).slice();
    visited.push(q.slice());
    for (const sign of [1, -1]) {
      const curve = selfMotion(tracker, q, T, sign);
      visited.push(...curve);
      for (let k = STRIDE - 1; k < curve.length; k += STRIDE)
        samples.push(...withFullTurns(model, curve[k], q, { perJoint: 1, most: 1 }));
      if (isClosed(curve, q)) break;
    }
  }
  const stride = Math.max(1, Math.ceil(samples.length / most));
  return samples.filter((_, k) => k % stride === 0);
}

/** Returns configurations along the self-motion from q in one direction. */
function selfMotion(tracker: ToolTracker, q: Configuration, T_target: Transform, sign: number): Configuration[] {
  const curve: Configuration[] = [];
  const direction = firstDirection(tracker, q);
  for (let j = 0; j < direction.length; j++) direction[j] *= sign;
  let at = q;
  while (curve.length < MAX_STEPS && normalized(direction)) {
    const next = at.map((value, j) => value + STEP * direction[j]);
    if (!tracker.correct(next, T_target) || !isNear(next, at, 2 * STEP)) break;
    curve.push(next);
    at = next;
    if (isClosed(curve, q)) break;
    tracker.projectToSelfMotion(direction, at);
  }
  return curve;
}

/** Returns the largest projection of the unit vector of a joint that moves the tool frame onto the self-motion. */
function firstDirection(tracker: ToolTracker, q: Configuration): Float64Array {
  let best: Float64Array = new Float64Array(q.length);
  for (const { variable } of movingJoints(tracker.model, tracker.frame.link)) {
    const direction = projectedJoint(tracker, q, variable);
    if (squaredNorm(direction) > squaredNorm(best)) best = direction;
  }
  return best;
}

/**
 * Returns unit vectors of joint rates that leave the tool frame where it is: one for an arm with a single degree of
 * redundancy, otherwise the projection of each joint onto the self-motions. Empty if the arm is not redundant, or
 * singular.
 */
export function selfMotionDirections(tracker: ToolTracker, q: Configuration): Float64Array[] {
  if (!tracker.isRedundant) return [];
  const variables = new Set(movingJoints(tracker.model, tracker.frame.link).map(({ variable }) => variable));
  const isSingle = variables.size === 7;
  const directions: Float64Array[] = [];
  for (const variable of variables) {
    const direction = projectedJoint(tracker, q, variable);
    // with a single self-motion v (unit vector), the projection of joint j is v_j v
    const least = isSingle ? SINGLE_SHARE : MIN_DIRECTION;
    if (!(squaredNorm(direction) >= least * least) || !normalized(direction)) continue;
    directions.push(direction);
    if (isSingle) break;
  }
  return directions;
}

/** Below 1/√7: a unit vector of seven components has one that is larger. */
const SINGLE_SHARE = 0.37;

/** Returns the projection of the unit vector of a joint onto the self-motion. */
function projectedJoint(tracker: ToolTracker, q: Configuration, variable: number): Float64Array {
  const direction = new Float64Array(q.length);
  direction[variable] = 1;
  tracker.projectToSelfMotion(direction, q);
  return direction;
}

/** True if a self-motion has returned to its start. */
const isClosed = (curve: readonly Configuration[], q: Configuration) =>
  curve.length > 3 && isNear(curve[curve.length - 1], q, KNOWN);

const squaredNorm = (values: Float64Array) => values.reduce((sum, value) => sum + value * value, 0);

/** Scales a vector to unit length; returns false if it is too short. */
function normalized(values: Float64Array): boolean {
  const norm = Math.sqrt(squaredNorm(values));
  if (!(norm >= MIN_DIRECTION)) return false;
  for (let j = 0; j < values.length; j++) values[j] /= norm;
  return true;
}

function isNear(a: Configuration, b: Configuration, distance: number): boolean {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum <= distance * distance;
}

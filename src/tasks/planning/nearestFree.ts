import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { jointsOutOfLimits, RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import type { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { Random } from '../../core/math/random.ts';

/** A valid configuration and its distance to the query configuration: L2 over the joints, rad and m. */
export interface NearbyState {
  readonly q: Configuration;
  readonly distance: number;
}

/**
 * Radius of the first sphere that is searched, growth factor of the radius, number of spheres, random directions per
 * sphere.
 */
const FIRST_RADIUS = 0.01;
const GROWTH = 1.5;
const SPHERES = 17;
const DIRECTIONS = 64;
/** Refinement: rounds of samples around the best configuration; each round halves the relative radius. */
const ROUNDS = 4;
const SAMPLES = 32;
/** Bisection steps towards the invalid configuration. */
const HALVINGS = 10;
/** The result is rounded to multiples of 1 / `ROUNDING` rad or m, for copying, if it stays valid. */
const ROUNDING = 1e4;

/**
 * Finds a collision-free configuration within limits and path constraints near an invalid one: samples growing spheres,
 * bisects towards the invalid configuration, then samples around the best result. Samples are projected onto the
 * constraints. Deterministic. The distance of the result is an upper bound on the minimum. Undefined if none is found.
 * @param constraints undefined: none
 * @param interrupt ends the search; the result is then the nearest one so far
 */
export function nearestValidState(
  robot: RobotModel,
  manager: CollisionManager,
  q: Configuration,
  constraints: ConstraintSet | undefined,
  interrupt: Interrupt = never,
): NearbyState | undefined {
  const space = new RobotJointSpace(robot);
  const random = new Random(1);
  const distanceTo = (other: Configuration) => space.distance(q, other);
  const clamp = (other: Configuration) => {
    for (let i = 0; i < other.length; i++) other[i] = Math.min(Math.max(other[i], space.lower[i]), space.upper[i]);
    return other;
  };
  const isValid = (other: Configuration) => constraints?.isSatisfied(other) !== false && manager.isCollisionFree(other);
  const projects = (other: Configuration) =>
    constraints === undefined || (constraints.project(other) && jointsOutOfLimits(robot, other).length === 0);
  let best: Configuration | undefined;
  const sample = new Float64Array(q.length);
  const consider = (centre: Configuration, radius: number) => {
    if (interrupt()) return;
    setOnSphere(sample, centre, radius, random);
    clamp(sample);
    const isNearer = projects(sample) && (best === undefined || distanceTo(sample) < distanceTo(best));
    if (isNearer && isValid(sample))
      best = bisectTowards(space, q, sample.slice(), (other) => projects(other) && isValid(other));
  };

  if (constraints) consider(q, 0);
  for (let k = 0, radius = FIRST_RADIUS; k < SPHERES && best === undefined; k++, radius *= GROWTH) {
    for (let i = 0; i < DIRECTIONS; i++) consider(q, radius);
  }
  if (best === undefined) return undefined;
  for (let round = 1, share = 0.5; round <= ROUNDS; round++, share /= 2) {
    for (let i = 0; i < SAMPLES; i++) consider(best, share * distanceTo(best));
  }
  const rounded = best.map((value) => Math.round(value * ROUNDING) / ROUNDING);
  const nearest = isValid(clamp(rounded)) ? clamp(rounded) : best;
  return { q: nearest, distance: distanceTo(nearest) };
}

/**
 * Bisects the segment between an invalid configuration and a valid one; returns the last valid point.
 * @param makeValid moves a point of the segment onto the constraints; returns true if it then is valid
 */
function bisectTowards(
  space: RobotJointSpace,
  qInvalid: Configuration,
  qValid: Configuration,
  makeValid: (q: Configuration) => boolean,
): Configuration {
  const middle = new Float64Array(qValid.length);
  let found = qValid;
  let [invalid, valid] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    space.interpolate(middle, qInvalid, qValid, (invalid + valid) / 2);
    if (makeValid(middle) && space.distance(qInvalid, middle) <= space.distance(qInvalid, found)) {
      valid = (invalid + valid) / 2;
      found = middle.slice();
    } else invalid = (invalid + valid) / 2;
  }
  return found;
}

/** Sets a random point on a sphere; its centre for a zero direction. */
function setOnSphere(out: Configuration, centre: Configuration, radius: number, random: Random): void {
  let square = 0;
  for (let i = 0; i < out.length; i++) {
    out[i] = random.between(-1, 1);
    square += out[i] * out[i];
  }
  const length = Math.sqrt(square);
  for (let i = 0; i < out.length; i++) out[i] = centre[i] + (length > 0 ? (radius * out[i]) / length : 0);
}

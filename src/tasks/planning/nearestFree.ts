import type { CollisionManager } from '../../collision/collisionManager.ts';
import { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { Random } from '../../math/random.ts';

/** A collision-free configuration and its distance to the query configuration: L2 over the joints, rad and m. */
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
/** Bisection steps towards the configuration in collision. */
const HALVINGS = 10;
/** The result is rounded to multiples of 1 / `ROUNDING` rad or m, for copying, if it stays collision-free. */
const ROUNDING = 1e4;

/**
 * Finds a collision-free configuration within limits near one in collision: samples growing spheres, bisects towards
 * the configuration in collision, then samples around the best result. Deterministic. Its distance is an upper bound on
 * the minimum. Undefined if none is found.
 * @param interrupt ends the search; the result is then the nearest one so far
 */
export function nearestFreeState(
  robot: RobotModel,
  manager: CollisionManager,
  q: Configuration,
  interrupt: Interrupt = never,
): NearbyState | undefined {
  const space = new RobotJointSpace(robot);
  const random = new Random(1);
  const distanceTo = (other: Configuration) => space.distance(q, other);
  const clamp = (other: Configuration) =>
    other.map((value, i) => Math.min(Math.max(value, space.lower[i]), space.upper[i]));
  let best: Configuration | undefined;
  const consider = (centre: Configuration, radius: number) => {
    if (interrupt()) return;
    const sample = clamp(onSphere(centre, radius, random));
    if ((best === undefined || distanceTo(sample) < distanceTo(best)) && manager.isCollisionFree(sample)) {
      best = bisectTowards(manager, space, q, sample);
    }
  };

  for (let k = 0, radius = FIRST_RADIUS; k < SPHERES && best === undefined; k++, radius *= GROWTH) {
    for (let i = 0; i < DIRECTIONS; i++) consider(q, radius);
  }
  if (best === undefined) return undefined;
  for (let round = 1, share = 0.5; round <= ROUNDS; round++, share /= 2) {
    for (let i = 0; i < SAMPLES; i++) consider(best, share * distanceTo(best));
  }
  const rounded = best.map((value) => Math.round(value * ROUNDING) / ROUNDING);
  const nearest = manager.isCollisionFree(clamp(rounded)) ? clamp(rounded) : best;
  return { q: nearest, distance: distanceTo(nearest) };
}

/**
 * Bisects the segment between a configuration in collision and a collision-free one; returns the last collision-free
 * point.
 */
function bisectTowards(
  manager: CollisionManager,
  space: RobotJointSpace,
  qColliding: Configuration,
  qFree: Configuration,
): Configuration {
  const middle = new Float64Array(qFree.length);
  let [colliding, free] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    space.interpolate(middle, qColliding, qFree, (colliding + free) / 2);
    if (manager.isCollisionFree(middle)) free = (colliding + free) / 2;
    else colliding = (colliding + free) / 2;
  }
  space.interpolate(middle, qColliding, qFree, free);
  return middle;
}

/** Returns a random point on a sphere; its centre for a zero direction. */
function onSphere(centre: Configuration, radius: number, random: Random): Configuration {
  const direction = Float64Array.from(centre, () => random.between(-1, 1));
  const length = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
  return direction.map((x, i) => centre[i] + (length > 0 ? (radius * x) / length : 0));
}

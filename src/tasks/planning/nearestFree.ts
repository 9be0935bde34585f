import type { CollisionManager } from '../../collision/collisionManager.ts';
import { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';

/** A configuration free of collision, and how far it is from the one asked about: L2 over the joints, rad and m. */
export interface NearbyState {
  readonly q: Configuration;
  readonly distance: number;
}

/** Radius of the first sphere that is searched, and how much larger each next one is. */
const FIRST_RADIUS = 0.01;
const GROWTH = 1.5;
const SPHERES = 17;
const DIRECTIONS = 64;
/** Tries near the best one so far, each round in half the neighbourhood of the one before. */
const ROUNDS = 4;
const TRIES = 32;
/** Halvings of the way back to the state in collision. */
const HALVINGS = 10;
/** The answer is rounded to so many units of one rad or metre, so that it can be copied, if it is still free then. */
const PRINTED = 1e4;

/**
 * A free configuration within limits near one that collides: along random directions in growing spheres, then back as far as it stays free,
 * then around the best one. Deterministic; an upper bound of the true distance. Undefined where nothing free is found.
 */
export function nearestFreeState(
  robot: RobotModel,
  manager: CollisionManager,
  q: Configuration,
): NearbyState | undefined {
  const space = new RobotJointSpace(robot);
  const random = new Random(1);
  const away = (other: Configuration) => space.distance(q, other);
  const clamp = (other: Configuration) =>
    other.map((value, i) => Math.min(Math.max(value, space.lower[i]), space.upper[i]));
  let best: Configuration | undefined;
  const consider = (centre: Configuration, radius: number) => {
    const tried = clamp(onSphere(centre, radius, random));
    if ((best === undefined || away(tried) < away(best)) && manager.isCollisionFree(tried)) {
      best = drawnBack(manager, space, q, tried);
    }
  };

  for (let k = 0, radius = FIRST_RADIUS; k < SPHERES && best === undefined; k++, radius *= GROWTH) {
    for (let i = 0; i < DIRECTIONS; i++) consider(q, radius);
  }
  if (best === undefined) return undefined;
  for (let round = 1, share = 0.5; round <= ROUNDS; round++, share /= 2) {
    for (let i = 0; i < TRIES; i++) consider(best, share * away(best));
  }
  const rounded = best.map((value) => Math.round(value * PRINTED) / PRINTED);
  const nearest = manager.isCollisionFree(clamp(rounded)) ? clamp(rounded) : best;
  return { q: nearest, distance: away(nearest) };
}

/** The last free point found by halving the way from a free state back to one in collision. */
function drawnBack(
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

function onSphere(centre: Configuration, radius: number, random: Random): Configuration {
  const direction = Float64Array.from(centre, () => random.between(-1, 1));
  const length = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
  return direction.map((x, i) => centre[i] + (length > 0 ? (radius * x) / length : 0));
}

// The car of the DiffPills paper, its motion, and the parked one in its way. Metres, seconds, radians; a car's frame is
// on its rear axle.
import { createShape } from 'elbowroom';
import { PillDerivatives, PillProximity, pillOf } from 'elbowroom/collision';
import { affine, plus, through, times } from './gradients.mjs';

export const car = { radius: 0.8, rear: -0.65, front: 2.55, wheelbase: 1.9 };
export const parked = { radius: 1, rear: -1.1, front: 3.9, wheelbase: 2.8, pose: [-1.2, -0.45, 0.1] };
export const limits = { speed: 3, steering: 0.5, acceleration: 1.5, steeringRate: 0.4 };
/** Between the two cars, at the knots. */
export const margin = 0.15;

/** ẋ = v cos θ,  ẏ = v sin θ,  θ̇ = v tan δ / wheelbase  [Tracy22 eqs. 34–35]; v̇ and δ̇ are what the driver does. */
function rates([, , heading], v, steering) {
  const [c, s, t] = [Math.cos(heading[0]), Math.sin(heading[0]), Math.tan(steering[0])];
  const turn = affine(through(steering, t, 1 + t * t), 1 / car.wheelbase);
  return [times(v, through(heading, c, -s)), times(v, through(heading, s, c)), times(v, turn)];
}

/** [v, δ] on the even way from one to the other. */
const between = (from, to, share) => from.map((row, i) => plus(affine(row, 1 - share), to[i], share));

/**
 * The pose [x, y, heading] after `time`, in which [v, δ] go evenly from one to the other: `parts` steps of Runge and
 * Kutta.
 */
export function advance(pose, from, to, time, parts) {
  for (let i = 0; i < parts; i++)
    pose = step(pose, between(from, to, i / parts), between(from, to, (i + 1) / parts), time / parts);
  return pose;
}

function step(pose, from, to, time) {
  const half = between(from, to, 1 / 2);
  const along = (rate, share) => pose.map((row, i) => plus(row, rate[i], share * time));
  const k1 = rates(pose, ...from);
  const k2 = rates(along(k1, 1 / 2), ...half);
  const k3 = rates(along(k2, 1 / 2), ...half);
  const k4 = rates(along(k3, 1), ...to);
  const steps = [k1, k2, k2, k3, k3, k4];
  return pose.map((row, i) => steps.reduce((sum, k) => plus(sum, k[i], time / 6), row));
}

const capsule = ({ radius, rear, front }, wider = 0) => {
  const points = [rear + radius, front - radius].map((x) => [x, 0, 0]);
  return pillOf(createShape({ type: 'convex', points, margin: radius + wider }));
};
const transform = ([[x], [y], [heading]]) => {
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  return Float64Array.of(c, -s, 0, x, s, c, 0, y, 0, 0, 1, 0);
};
const [moving, standing, wider] = [capsule(car), capsule(parked), capsule(parked, margin)];
const T_world_standing = transform(parked.pose.map((value) => [value]));
const proximity = new PillProximity();
const derivatives = new PillDerivatives();

/**
 * φ of the two capsules, the parked one wider by the margin [Tracy22 eq. 18], with its gradient by way of the pose's
 * [Tracy22 eqs. 25–26].
 */
export function proximityAt(pose) {
  proximity.solve(moving, transform(pose), wider, T_world_standing);
  derivatives.solve(proximity);
  const [byX, byY, , , , byHeading] = derivatives.a;
  const change = [byX, byY, byHeading].reduce((sum, slope, i) => plus(sum, pose[i], slope), affine(pose[0], 0));
  return through(change, proximity.value, 1);
}

/** Metres between the two cars. */
export function gapAt(pose) {
  proximity.solve(moving, transform(pose), standing, T_world_standing);
  return proximity.distance;
}

/**
 * A lower bound of the gap while [v, δ] go evenly from one to the other. The core lies along the car's x axis, so that
 * its points are no faster than B = v √(1 + (d tan δ / wheelbase)²), d the farthest: of two moments h apart with gaps g
 * and g′, the gap between them is at least (g + g′ − B h) / 2. Poses are those of Runge and Kutta, good to 1e-7.
 */
export function leastGap(pose, from, to, time, parts = 200) {
  const [v, steering] = from.map((row, k) => Math.max(Math.abs(row[0]), Math.abs(to[k][0])));
  const reach = Math.max(car.front - car.radius, -car.rear - car.radius);
  const fastest = v * Math.hypot(1, (reach * Math.tan(steering)) / car.wheelbase);
  const h = time / parts;
  let least = Number.POSITIVE_INFINITY;
  let gap = gapAt(pose);
  for (let i = 0; i < parts; i++) {
    pose = step(pose, between(from, to, i / parts), between(from, to, (i + 1) / parts), h);
    const next = gapAt(pose);
    least = Math.min(least, (gap + next - fastest * h) / 2);
    gap = next;
  }
  return least;
}

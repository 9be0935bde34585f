// Computes the fastest motion along a polyline of joint states within velocity, acceleration and jerk limits.
import { motionFaults, timeParameterize } from 'elbowroom';

const limits = {
  lower: [-3, -3],
  upper: [3, 3],
  velocity: [2, 2],
  acceleration: [8, 8],
  jerk: [100, 100],
};
const trajectory = timeParameterize(
  [
    [0, 0],
    [1, 0.5],
    [1, -0.5],
  ],
  ['pan', 'tilt'],
  limits,
);
console.log(`${trajectory.points.length} points, ${trajectory.points.at(-1).time_from_start.toFixed(3)} s`);
console.log(`${motionFaults(trajectory, limits).length} limit violations`);

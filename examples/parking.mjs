// Drives a car past one that stands in its way, both capsules [Tracy22 §V]:
// node examples/parking.mjs [-o parking.svg | -o parking.json]
// The car and the derivatives of proximity are in parking/car.mjs, the quadratic programs in
// parking/sequentialPrograms.mjs.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { advance, car, gapAt, leastGap, limits, margin, parked, proximityAt } from './parking/car.mjs';
import { affine, constant, plus, variables } from './parking/gradients.mjs';
import { picture } from './parking/picture.mjs';
import { minimize } from './parking/sequentialPrograms.mjs';

const start = [-9, 0, 0]; // x, y, heading: metres, radians; at rest at both ends, wheels straight
const goal = [8, 0, 0];
const duration = 8; // seconds
const pieces = 40;
const dt = duration / pieces;

// Unknowns: speed and steering angle at the knots between the ends; both go evenly from knot to knot.
// The first guess goes straight on, through the parked car.
const inner = pieces - 1;
const guess = Float64Array.from({ length: 2 * inner }, (_, i) =>
  i < inner ? Math.min(2.5, 1.4 * dt * Math.min(i + 1, inner - i)) : 0,
);
const price = 20; // of a metre or radian off the goal, and of a square metre that the proximity falls short
const drive = minimize(driveOf, guess, price);

/** The drive that the unknowns are, what it must keep, and its effort ½ ∫ a² + (2 m/s δ̇)² dt. */
function driveOf(x) {
  const unknowns = variables(x);
  const zero = constant(0, x.length);
  const knots = unknowns.slice(0, inner).map((speed, k) => [speed, unknowns[inner + k]]);
  knots.unshift([zero, zero]);
  knots.push([zero, zero]);

  const poses = [start.map((value) => constant(value, x.length))];
  const [hard, squared] = [[], []];
  const within = (row, low, high) => hard.push(affine(row, 1, -high), affine(row, -1, low));
  for (let k = 1; k <= pieces; k++) {
    const [from, to] = [knots[k - 1], knots[k]];
    const [acceleration, steeringRate] = to.map((row, i) => affine(plus(row, from[i], -1), 1 / dt));
    within(acceleration, -limits.acceleration, limits.acceleration);
    within(steeringRate, -limits.steeringRate, limits.steeringRate);
    squared.push(affine(acceleration, Math.sqrt(dt)), affine(steeringRate, 2 * Math.sqrt(dt)));
    poses.push(advance(poses[k - 1], from, to, dt, 4));
  }
  for (const [speed, steering] of knots.slice(1, -1)) {
    within(speed, 0, limits.speed);
    within(steering, -limits.steering, limits.steering);
  }
  const misses = poses[pieces].map((row, i) => affine(row, 1, -goal[i]));
  const shortfalls = poses.slice(1).map((pose) => affine(proximityAt(pose), -1)); // φ >= 0
  const soft = [...misses.map((row) => [row, affine(row, -1)]), [zero, ...shortfalls]];
  return { knots, poses, hard, soft, squared };
}

const valuesOf = (rows) => rows.map(([value]) => value);
const knots = drive.poses.map((pose, k) => {
  const [speed, steering] = valuesOf(drive.knots[k]);
  return { time: k * dt, pose: valuesOf(pose), speed, steering, gap: gapAt(pose) };
});
const bare = (rows) => rows.map(([value]) => [value]);
const pieceGaps = drive.poses
  .slice(1)
  .map((_, k) => leastGap(bare(drive.poses[k]), bare(drive.knots[k]), bare(drive.knots[k + 1]), dt));
const clearance = Math.floor(1e4 * Math.min(...pieceGaps)) / 1e4;

console.log(`${drive.rounds} programs lead from the way through the parked car to one around it, in ${duration} s`);
console.log(`gap: at least ${margin} m at the knots, and proved to be above ${clearance} m at every moment`);
const { o: file } = parseArgs({ options: { o: { type: 'string', short: 'o' } } }).values;
const result = { duration, start, goal, clearance, car, parked, limits, margin, knots };
if (file) writeFileSync(file, file.endsWith('.json') ? `${JSON.stringify(result, undefined, 1)}\n` : picture(result));

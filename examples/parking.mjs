// A car drives past a parked one, both capsules, by sequential quadratic programs: node examples/parking.mjs [PICTURE.svg]
// The car of the DiffPills paper [Tracy22 §V]: position, heading, speed and steering angle; driven by acceleration and steering rate.
import { writeFileSync } from 'node:fs';
import { createCapsule, PillDerivatives, PillProximity, QpSolver } from 'elbowroom';

const steps = 60;
const dt = 0.15;
const wheelbase = 2.2;
const limits = { acceleration: 2.5, steeringRate: 0.8, steering: 0.55 };
const start = [0, 0, 0, 0, 0]; // x, y, heading, speed, steering angle: m, rad, m/s
const goal = [16, 0, 0, 0, 0];
const weights = [40, 40, 40, 40, 4];
const shortfallWeight = 200; // of the proximity, per m²
const car = createCapsule(0.8, 1.6);
const parked = { pill: createCapsule(1, 3), pose: poseOf([8, -0.35, 0.12]) };

const n = 2 * steps + 1; // acceleration and steering rate of each step, and by how much the proximity falls short
const room = 7 * steps + 1;
const solver = new QpSolver(n, room);
const proximity = new PillProximity();
const derivatives = new PillDerivatives();

let controls = new Float64Array(2 * steps);
let [trust, merit] = [1, meritOf(controls)];
for (let round = 0; round < 120 && trust > 1e-4; round++) {
  const step = stepFrom(controls, trust);
  const next = step && controls.map((u, i) => u + step[i]);
  if (next && meritOf(next) < merit) {
    controls = next;
    merit = meritOf(next);
    trust = Math.min(2, 3 * trust);
  } else trust /= 3;
}

const states = drive(controls);
const gaps = states.map((state) => gapAt(state));
const end = states.at(-1);
console.log(
  `from (${start.slice(0, 2)}) past the parked car to (${end.slice(0, 2).map((x) => x.toFixed(3))}) in ${(steps * dt).toFixed(1)} s`,
);
console.log(
  `end: ${Math.hypot(...end.map((x, i) => x - goal[i])).toFixed(4)} off the goal; least gap: ${Math.min(...gaps).toFixed(4)} m`,
);
if (process.argv[2]) writeFileSync(process.argv[2], picture(states));

/** The states that controls lead through: Euler's steps of ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / wheelbase, v̇ = a, δ̇ = rate. */
function drive(controls) {
  const states = [start];
  for (let k = 0; k < steps; k++) {
    const [x, y, heading, v, steering] = states[k];
    const [a, rate] = [controls[2 * k], controls[2 * k + 1]];
    const turn = (v * Math.tan(steering)) / wheelbase;
    states.push([
      x + dt * v * Math.cos(heading),
      y + dt * v * Math.sin(heading),
      heading + dt * turn,
      v + dt * a,
      steering + dt * rate,
    ]);
  }
  return states;
}

/** How each state changes with each control: 5 × 2·steps a state, by the chain rule along the way. */
function sensitivities(states) {
  const rows = [Array.from({ length: 5 }, () => new Float64Array(2 * steps))];
  for (let k = 0; k < steps; k++) {
    const [, , heading, v, steering] = states[k];
    const [c, s, t] = [Math.cos(heading), Math.sin(heading), Math.tan(steering)];
    const [dx, dy, dHeading, dv, dSteering] = rows[k];
    const next = [dx.slice(), dy.slice(), dHeading.slice(), dv.slice(), dSteering.slice()];
    for (let i = 0; i < 2 * k + 2; i++) {
      next[0][i] += dt * (c * dv[i] - v * s * dHeading[i]);
      next[1][i] += dt * (s * dv[i] + v * c * dHeading[i]);
      next[2][i] += (dt / wheelbase) * (t * dv[i] + v * (1 + t * t) * dSteering[i]);
    }
    next[3][2 * k] += dt;
    next[4][2 * k + 1] += dt;
    rows.push(next);
  }
  return rows;
}

/** One quadratic program: cost by Gauss and Newton, limits, and φ + ∇φ · change + shortfall >= 0 at each state. */
function stepFrom(controls, trust) {
  const states = drive(controls);
  const changes = sensitivities(states);
  const P = new Float64Array(n * n);
  const c = new Float64Array(n);
  const [G, h] = [new Float64Array(room * n), new Float64Array(room)];
  let rows = 0;
  const add = (entries, bound) => {
    for (const [i, value] of entries) G[n * rows + i] = value;
    h[rows++] = bound;
  };
  for (let i = 0; i < n - 1; i++) {
    P[(n + 1) * i] = 0.02;
    c[i] = 0.02 * controls[i];
    const limit = i % 2 === 0 ? limits.acceleration : limits.steeringRate;
    add([[i, 1]], Math.min(trust, limit - controls[i]));
    add([[i, -1]], Math.min(trust, limit + controls[i]));
  }
  for (let row = 0; row < 5; row++) {
    const change = changes[steps][row];
    const miss = states[steps][row] - goal[row];
    for (let i = 0; i < n - 1; i++) {
      c[i] += weights[row] * miss * change[i];
      for (let j = 0; j < n - 1; j++) P[n * i + j] += weights[row] * change[i] * change[j];
    }
  }
  P[n * n - 1] = 1e-3;
  c[n - 1] = shortfallWeight;
  add([[n - 1, -1]], 0);
  for (let k = 1; k <= steps; k++) {
    const [, , dHeading, , dSteering] = changes[k];
    const [dx, dy] = changes[k];
    for (const sign of [1, -1])
      add(
        [...dSteering].map((d, i) => [i, sign * d]),
        limits.steering - sign * states[k][4],
      );
    proximity.solve(car, poseOf(states[k]), parked.pill, parked.pose);
    derivatives.solve(proximity);
    const [byX, byY, , , , byHeading] = derivatives.a;
    const along = [...dx].map((d, i) => [i, -(byX * d + byY * dy[i] + byHeading * dHeading[i])]);
    add([...along, [n - 1, -1]], proximity.value);
  }
  const status = solver.solve(P, c, G, h, n, rows);
  return status === 'optimal' || status === 'degenerate' ? solver.x : undefined;
}

/** What the rounds bring down: effort, distance to the goal, and the worst shortfall of the proximity. */
function meritOf(controls) {
  const states = drive(controls);
  const effort = controls.reduce((sum, u) => sum + 0.01 * u * u, 0);
  const miss = goal.reduce((sum, x, i) => sum + (weights[i] / 2) * (states[steps][i] - x) ** 2, 0);
  let worst = 0;
  for (const state of states) {
    proximity.solve(car, poseOf(state), parked.pill, parked.pose);
    worst = Math.max(worst, -proximity.value);
  }
  return effort + miss + shortfallWeight * worst;
}

function gapAt(state) {
  proximity.solve(car, poseOf(state), parked.pill, parked.pose);
  return proximity.distance;
}

/** A capsule lies along z of its frame: z points where the car does, x up. */
function poseOf([x, y, heading]) {
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  return Float64Array.of(0, s, c, x, 0, -c, s, y, 1, 0, 0, 0);
}

/** From above: the parked car, the way, and the car at every sixth step. */
function picture(states) {
  const shape = ([x, y, heading], { radius, reach }, style) => {
    const [c, s] = [Math.cos(heading) * reach * 0.5, Math.sin(heading) * reach * 0.5];
    const ends = [x - c, -(y - s), x + c, -(y + s)].map((value) => value.toFixed(3));
    const line = `x1="${ends[0]}" y1="${ends[1]}" x2="${ends[2]}" y2="${ends[3]}" stroke-linecap="round"`;
    return `<line ${line} stroke-width="${2 * radius}" ${style}/>`;
  };
  const outlines = states
    .filter((_, k) => k % 6 === 0)
    .map((state) => shape(state, car, 'stroke="#3b82c4" stroke-opacity="0.22"'));
  const way = states.map(([x, y]) => `${x.toFixed(3)},${(-y).toFixed(3)}`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -6 22 9" width="880" height="360" role="img">
<title>A car drives past a parked one</title>
<rect x="-3" y="-6" width="22" height="9" fill="#f6f7f9"/>
${shape([8, -0.35, 0.12], parked.pill, 'stroke="#b4554a"')}
${outlines.join('\n')}
<polyline points="${way}" fill="none" stroke="#1d4f80" stroke-width="0.08"/>
<circle cx="${goal[0]}" cy="${-goal[1]}" r="0.18" fill="#1d4f80"/>
</svg>
`;
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';

type Pose = readonly [x: number, y: number, heading: number];
interface Car {
  readonly radius: number;
  readonly rear: number;
  readonly front: number;
  readonly wheelbase: number;
}
interface Knot {
  readonly time: number;
  readonly pose: Pose;
  readonly speed: number;
  readonly steering: number;
}
interface Drive {
  readonly duration: number;
  readonly start: Pose;
  readonly goal: Pose;
  readonly clearance: number;
  readonly margin: number;
  readonly car: Car;
  readonly parked: Car & { readonly pose: Pose };
  readonly limits: Readonly<Record<'speed' | 'steering' | 'acceleration' | 'steeringRate', number>>;
  readonly knots: readonly Knot[];
}

/** Steps of the test's own integration of a piece, and of its samples of the gap. */
const STEPS = 500;

const run = promisify(execFile);
let drive: Drive;
let picture: string;
let stdout: string;

beforeAll(async () => {
  const folder = temporaryFolder();
  const [svg, json] = [join(folder, 'parking.svg'), join(folder, 'parking.json')];
  for (const file of [svg, json])
    ({ stdout } = await run(process.execPath, ['examples/parking.mjs', '-o', file], { cwd: root }));
  drive = JSON.parse(readFileSync(json, 'utf8'));
  picture = readFileSync(svg, 'utf8');
});

describe('examples/parking.mjs', () => {
  test('the picture in docs is the one that it makes', () => {
    expect(picture).toBe(readFileSync(join(root, 'docs/pictures/parking.svg'), 'utf8'));
  });

  test('the parked car stands in the straight way, and the drive leads around it from rest at the start to rest at the goal', () => {
    const { knots, start, goal } = drive;
    const straight = Array.from({ length: 101 }, (_, i): Pose => [start[0] + (i / 100) * (goal[0] - start[0]), 0, 0]);
    expect(Math.min(...straight.map((pose) => gapAt(drive, pose)))).toBeLessThan(-1);
    for (const [knot, end] of [
      [knots[0], start],
      [knots[knots.length - 1], goal],
    ] as const) {
      expect(Math.hypot(...knot.pose.map((value, i) => value - end[i]))).toBeLessThan(1e-9);
      expect([knot.speed, knot.steering]).toEqual([0, 0]);
    }
  });

  test('from the start on, the knots are where the model of the car leads to, to 1e-6', () => {
    const { knots } = drive;
    let pose = knots[0].pose;
    for (let k = 1; k < knots.length; k++) {
      pose = posesAlong(drive, { ...knots[k - 1], pose }, knots[k]).at(-1)!;
      expect(Math.hypot(...pose.map((value, i) => value - knots[k].pose[i]))).toBeLessThan(1e-6);
    }
  });

  test('speed, steering angle and their rates keep to the limits, and some reach them', () => {
    const { knots, limits } = drive;
    const slack = 1e-9;
    const rates = knots.slice(1).map(({ time, speed, steering }, k) => ({
      acceleration: (speed - knots[k].speed) / (time - knots[k].time),
      steering: (steering - knots[k].steering) / (time - knots[k].time),
    }));
    for (const { speed, steering } of knots) {
      expect(speed).toBeGreaterThanOrEqual(-slack);
      expect(speed).toBeLessThanOrEqual(limits.speed + slack);
      expect(Math.abs(steering)).toBeLessThanOrEqual(limits.steering + slack);
    }
    for (const { acceleration, steering } of rates) {
      expect(Math.abs(acceleration)).toBeLessThanOrEqual(limits.acceleration + slack);
      expect(Math.abs(steering)).toBeLessThanOrEqual(limits.steeringRate + slack);
    }
    expect(Math.max(...knots.map(({ speed }) => speed))).toBeCloseTo(limits.speed, 6);
    expect(Math.max(...rates.map(({ acceleration }) => acceleration))).toBeCloseTo(limits.acceleration, 6);
  });

  test('the gap is proved over continuous time, and what is printed of it holds', () => {
    const { knots, car, margin, clearance } = drive;
    expect(stdout).toContain(`above ${clearance} m`);
    let [bound, sampled] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let k = 1; k < knots.length; k++) {
      const [from, to] = [knots[k - 1], knots[k]];
      // No point of the car is faster than the axle and the turn at the full reach of the car together.
      const turn = Math.tan(Math.max(Math.abs(from.steering), Math.abs(to.steering))) / car.wheelbase;
      const fastest = Math.max(from.speed, to.speed) * (1 + turn * Math.max(car.front, -car.rear));
      const h = (to.time - from.time) / STEPS;
      const gaps = [from.pose, ...posesAlong(drive, from, to)].map((pose) => gapAt(drive, pose));
      for (let i = 1; i < gaps.length; i++) bound = Math.min(bound, (gaps[i - 1] + gaps[i] - fastest * h) / 2);
      sampled = Math.min(sampled, ...gaps);
      expect(gaps[0]).toBeGreaterThanOrEqual(margin - 1e-6);
    }
    expect(bound - 1e-6).toBeGreaterThan(margin - 0.01);
    expect(clearance).toBeLessThanOrEqual(sampled);
    expect(clearance).toBeGreaterThan(margin - 0.01);
  });
});

/**
 * ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / wheelbase by the rule of midpoints, v and δ going evenly: the pose after
 * each of the steps.
 */
function posesAlong({ car }: Drive, from: Knot, to: Knot): Pose[] {
  const h = (to.time - from.time) / STEPS;
  let [x, y, heading] = from.pose;
  return Array.from({ length: STEPS }, (_, i): Pose => {
    const along = (i + 0.5) / STEPS;
    const v = from.speed + along * (to.speed - from.speed);
    const turn = (v * Math.tan(from.steering + along * (to.steering - from.steering))) / car.wheelbase;
    x += h * v * Math.cos(heading + (h / 2) * turn);
    y += h * v * Math.sin(heading + (h / 2) * turn);
    heading += h * turn;
    return [x, y, heading];
  });
}

/** Distance of the capsules in the plane: of their cores, less both radii; cores that cross have the distance 0. */
function gapAt({ car, parked }: Drive, pose: Pose): number {
  const [p, q] = coreOf(car, pose);
  const [r, s] = coreOf(parked, parked.pose);
  const crossing = side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0;
  const apart = Math.min(toSegment(p, r, s), toSegment(q, r, s), toSegment(r, p, q), toSegment(s, p, q));
  return (crossing ? 0 : apart) - car.radius - parked.radius;
}

type Point = readonly [number, number];

function coreOf({ radius, rear, front }: Car, [x, y, heading]: Pose): [Point, Point] {
  const at = (d: number): Point => [x + d * Math.cos(heading), y + d * Math.sin(heading)];
  return [at(rear + radius), at(front - radius)];
}

const side = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function toSegment(p: Point, a: Point, b: Point): number {
  const [u, v] = [b[0] - a[0], b[1] - a[1]];
  const along = Math.min(1, Math.max(0, ((p[0] - a[0]) * u + (p[1] - a[1]) * v) / (u * u + v * v)));
  return Math.hypot(p[0] - a[0] - along * u, p[1] - a[1] - along * v);
}

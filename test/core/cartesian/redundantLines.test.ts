import { expect, test } from 'vitest';
import { type CartesianLeg, lineLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { followLeg } from '../../../src/core/cartesian/followLeg.ts';
import { FrameSpeed } from '../../../src/core/cartesian/frameSpeed.ts';
import { LegProver } from '../../../src/core/cartesian/legProver.ts';
import { jointPathOf, timedLeg } from '../../../src/core/cartesian/planLeg.ts';
import { sampledSelfMotions } from '../../../src/core/cartesian/selfMotion.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { examineMotion } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { limitsOf, pathFault, randomLine, TOOL } from './certifyLines.ts';
import { ChainOracle } from './chainOracle.ts';

const TOLERANCE = { position: 1e-4, angle: 0.1 * (Math.PI / 180) };

async function toolsOf(robot: string, link: string) {
  const model = createRobotModel(await loadRobot(robot));
  const frame = { link: linkNamed(model, link), T_link_frame: TOOL };
  const tracker = new ToolTracker(model, frame);
  return { tracker, prover: new LegProver(model, frame), speed: new FrameSpeed(model, frame) };
}

/** Random lines that paths of least norm cannot follow because of a joint limit. */
function limitedLines(tracker: ToolTracker, count: number): { q: Float64Array; leg: CartesianLeg }[] {
  const random = new Random(1, 1);
  const lines = Array.from({ length: count }, () => randomLine(tracker, random));
  return lines.filter(({ q, leg }) => followLeg(tracker, q, leg, 1 / 40, TOLERANCE).fault?.kind === 'joint-limit');
}

test.each([
  ['arm7', 'flange'],
  ['srs7', 'flange'],
])('self-motion of %s carries lines on where least norm ends at a joint limit', async (robot, link) => {
  const tools = await toolsOf(robot, link);
  const { model, frame } = tools.tracker;
  const limits = limitsOf(model);
  const rules = { limits, tolerance: TOLERANCE, tcpSpeed: Number.POSITIVE_INFINITY };
  let followed = 0;
  for (const { q, leg } of limitedLines(tools.tracker, 30)) {
    const { knots, fault } = jointPathOf(tools, q, leg, TOLERANCE);
    if (fault) continue;
    followed++;
    expect(knots.every((knot) => knot.avoidsLimits)).toBe(true);
    const motion = timedLeg(tools, leg, knots, rules)!;
    expect(motion).toBeDefined();
    expect(examineMotion(motion, limits).faults).toEqual([]);
    expect(pathFault(model, frame, leg, motion, [0, motion.points.at(-1)!.time_from_start!])).toBeUndefined();
    for (const { positions } of motion.points)
      for (const [j, { limits }] of model.variables.entries()) {
        expect(positions[j]).toBeGreaterThanOrEqual(limits.lower - 1e-9);
        expect(positions[j]).toBeLessThanOrEqual(limits.upper + 1e-9);
      }
  }
  expect(followed).toBeGreaterThan(2);
});

test('lines of arms without self-motion are those of least norm', async () => {
  const { tracker } = await toolsOf('ur5e', 'tool0');
  expect(tracker.isRedundant).toBe(false);
  // The first joint is close to its limit: one of two opposite lines turns it beyond.
  const q = Float64Array.of(2 * Math.PI - 0.01, -1.2, 1.7, -1.1, -1.5, 0);
  const start = tracker.pose(q).slice();
  const legs = [0.2, -0.2].map((by) => {
    const end = start.slice();
    const radius = Math.hypot(start[3], start[7]);
    end[3] -= (by * start[7]) / radius;
    end[7] += (by * start[3]) / radius;
    return lineLeg(start, end);
  });
  const tools = { tracker } as Parameters<typeof jointPathOf>[0];
  const paths = legs.map((leg) => jointPathOf(tools, q, leg, TOLERANCE));
  expect(paths.map(({ fault }) => fault?.kind)).toEqual(['joint-limit', undefined]);
  expect(paths.some(({ knots }) => knots.some((knot) => knot.avoidsLimits))).toBe(false);
  expect(sampledSelfMotions(tracker, [q], 100)).toEqual([]);
});

test('samples of self-motions have the pose of the tool, are within limits, and cover the solutions of the arm', async () => {
  const { tracker } = await toolsOf('arm7', 'flange');
  const { model, frame } = tracker;
  const chain = new ChainOracle(model, frame.link, TOOL);
  const start = Float64Array.of(0.3, -0.6, 0.4, -1.4, 0.2, 0.9, -0.3);
  const T = tracker.pose(start).slice();
  const samples = sampledSelfMotions(tracker, [start], 1000);
  expect(samples.length).toBeGreaterThan(10);
  for (const q of samples) {
    chain.forward(q);
    for (let k = 0; k < 12; k++) expect(Math.abs(chain.tool[k] - T[k])).toBeLessThan(1e-8);
    for (const [j, { limits }] of model.variables.entries()) {
      expect(q[j]).toBeGreaterThanOrEqual(limits.lower);
      expect(q[j]).toBeLessThanOrEqual(limits.upper);
    }
  }
  // A configuration that the elbow leads to has a sample nearby: no gap of the range is left out.
  const moved = start.slice();
  let reached = 0;
  for (let k = 0; k < 40; k++) {
    moved[2] += 0.02;
    if (chain.correct(moved, T, 50, 1e-6, 1e-9) > 1e-6) break;
    if (model.variables.some(({ limits }, j) => moved[j] < limits.lower || moved[j] > limits.upper)) break;
    const nearest = Math.min(...samples.map((q) => Math.hypot(...q.map((value, j) => value - moved[j]))));
    expect(nearest).toBeLessThan(0.25);
    reached++;
  }
  expect(reached).toBeGreaterThan(5);
  expect(sampledSelfMotions(tracker, [start], 7).length).toBeLessThanOrEqual(7);
});

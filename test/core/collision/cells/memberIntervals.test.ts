import { expect, test } from 'vitest';
import { CellMotion } from '../../../../src/core/collision/cells/cellMotion.ts';
import { DyadicMotion } from '../../../../src/core/collision/cells/dyadicMotion.ts';
import {
  BOX,
  CENTER,
  MemberIntervals,
  PART_SIZE,
  PartMotionBounds,
  REST,
  SPEED,
  SWEPT,
  TURNING,
  VELOCITY,
} from '../../../../src/core/collision/cells/memberIntervals.ts';
import { PiecewiseMotion } from '../../../../src/core/collision/cells/piecewiseMotion.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../../src/core/collision/model/posedParts.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { transformPoint } from '../../../../src/core/math/transform.ts';
import { create } from '../../../../src/core/math/vec3.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { curveMotions } from '../../../../src/tasks/checking/worldMotions.ts';
import { randomRobot } from '../../../helpers/robots.ts';

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, k >> 2]);

test('parts stay in their swept boxes and within the bounds on their displacement, and move to first order up to the rest', () => {
  const random = new Random(1);
  const seen = { points: 0, outside: 0, far: 0, curved: 0 };
  /** Largest ratio of a displacement to its bound: shows that the bounds are tight. */
  const share = { sweep: 0, speed: 0, rest: 0 };
  for (let k = 0; k < 30; k++) {
    const robot = createRobotModel(randomRobot(random, 1 + random.below(4)));
    const joints = robot.variables.map(({ name }) => name);
    if (joints.length === 0) continue;
    const values = () => joints.map(() => random.between(-1, 1));
    const points = [0, 1, 2].map((time) => ({ time_from_start: time, positions: values(), velocities: values() }));
    const curve = new TrajectoryCurve({ jointNames: joints, points });
    const motion = new DyadicMotion(new PiecewiseMotion(curveMotions(curve)), curve.end);
    const still = new DyadicMotion(new PiecewiseMotion(curveMotions(curve)), 0);
    const model = new CollisionModel(robot, { obstacles: [], attached: [], allow: [], padding: 0 });
    const posed = new PosedParts(model);
    const parts = [...model.robotParts.keys()];
    // The second robot has no part of its own: only the joints of the first one move anything.
    const cell = new CellMotion(motion, Object.assign(Object.create(still), { dof: 0, size: 0 }));
    const intervals = new MemberIntervals(new PartMotionBounds(new PosedParts(model)), cell, parts, true);
    const q = new Float64Array(robot.dof);
    const [atMiddle, now] = [create(), create()];
    let node = 0;
    for (let depth = 0; depth < 6; depth++) {
      const offset = intervals.evaluate(node);
      const numbers = intervals.values;
      const [from, to] = [motion.from[node], motion.to[node]];
      for (const sigma of [-1, 1, random.between(-1, 1)]) {
        for (const part of parts) {
          const o = offset + PART_SIZE * part;
          for (const corner of CORNERS) {
            // Support points of the core, which lies in the part.
            const point = create();
            const direction = Float64Array.from(corner, (c) => c - 0.5);
            const { shape } = model.robotParts[part];
            shape.support(point, shape, direction, -1);
            curve.position(q, 0.5 * (from + to));
            posed.pose(q);
            transformPoint(atMiddle, posed.T_world_part[part], point);
            curve.position(q, 0.5 * (from + to) + 0.5 * sigma * (to - from));
            posed.pose(q);
            transformPoint(now, posed.T_world_part[part], point);
            const arm = [0, 1, 2].map((i) => atMiddle[i] - numbers[o + CENTER + i]);
            const turning = [0, 1, 2].map((i) => numbers[o + TURNING + i]);
            const step = [0, 1, 2].map((i) => now[i] - atMiddle[i]);
            const rest = step.map((x, i) => {
              const [u, v] = [(i + 1) % 3, (i + 2) % 3];
              return x - sigma * (numbers[o + VELOCITY + i] + turning[u] * arm[v] - turning[v] * arm[u]);
            });
            seen.points++;
            for (let i = 0; i < 3; i++) {
              if (now[i] < numbers[o + SWEPT + i] - 1e-9 || now[i] > numbers[o + SWEPT + 3 + i] + 1e-9) seen.outside++;
              const [swept, box] = [SWEPT, BOX].map((k) => numbers[o + k + 3 + i] - numbers[o + k + i]);
              share.sweep = Math.max(share.sweep, Math.abs(step[i]) / (0.5 * (swept - box) + 1e-6));
            }
            if (Math.hypot(...step) > numbers[o + SPEED] + 1e-9) seen.far++;
            if (Math.hypot(...rest) > numbers[o + REST] + 1e-9) seen.curved++;
            share.speed = Math.max(share.speed, Math.hypot(...step) / (numbers[o + SPEED] + 1e-6));
            share.rest = Math.max(share.rest, Math.hypot(...rest) / (numbers[o + REST] + 1e-6));
          }
        }
      }
      node = motion.bisect(node) + random.below(2);
    }
  }
  expect(seen).toEqual({ points: seen.points, outside: 0, far: 0, curved: 0 });
  expect(seen.points).toBeGreaterThan(3000);
  expect(Math.min(share.sweep, share.speed, share.rest)).toBeGreaterThan(0.9);
});

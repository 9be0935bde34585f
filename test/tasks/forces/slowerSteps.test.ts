import { assert, test } from 'vitest';
import { loadScene } from '../../../src/host/node/files.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { createTorqueOracle, ownBodies } from './torqueOracle.ts';

/** Instants in each piece of a trajectory, and the relative tolerance of a limit: rounding. */
const [INSTANTS, ROUNDING] = [20, 1e-6];

// Scenes without masses of objects, and shares of the torques by which their steps, planned without limits of torque,
// exceed them while they accelerate, and not at rest: lines, blends, and a tool path.
test.each([
  ['shelf-insertion', 0.18],
  ['pick-and-place', 0.22],
  ['bin-to-bin', 0.3],
  ['sanding-raster', 0.25],
])(
  'the steps of %s are slowed down until they take %f of the torques',
  async (name, scale) => {
    const { scene, robot } = await loadScene(`scenes/${name}.yaml`);
    const model = createSceneRobot({ scene, robot });
    const torques = createTorqueOracle(model, ownBodies(model), [0, 0, -9.81]);
    const limits = model.variables.map(({ effort }) => scale * effort);
    /** Greatest share of a limit that a motion takes, at instants of each piece. */
    const greatest = (limited: boolean) => {
      const { trajectory } = planScene({ scene: limited ? { ...scene, torque: { scale } } : scene, robot });
      assert(trajectory);
      let most = 0;
      for (const [k, { time_from_start: end, positions: to, velocities: last }] of trajectory.points.entries()) {
        if (k === 0) continue;
        const { time_from_start: begin, positions: from, velocities: first } = trajectory.points[k - 1];
        const h = end! - begin!;
        for (let i = 0; i <= INSTANTS; i++) {
          const u = i / INSTANTS;
          const states = from.map((p, j) => cubicAt(u, h, p, to[j], first![j], last![j]));
          const taken = torques(
            states.map(([q]) => q),
            states.map(([, v]) => v),
            states.map(([, , a]) => a),
          );
          for (const [j, torque] of taken.entries()) most = Math.max(most, Math.abs(torque) / limits[j]);
        }
      }
      return most;
    };
    assert.isAbove(greatest(false), 1.001);
    assert.isAtMost(greatest(true), 1 + ROUNDING);
  },
  120_000,
);

/** Position, velocity and acceleration at a share of a cubic Hermite piece of duration h. */
function cubicAt(u: number, h: number, p: number, q: number, v: number, w: number): [number, number, number] {
  const [c2, c3] = [3 * (q - p) - h * (2 * v + w), 2 * (p - q) + h * (v + w)];
  const position = p + u * (h * v + u * (c2 + u * c3));
  return [position, v + (u * (2 * c2 + 3 * u * c3)) / h, (2 * c2 + 6 * u * c3) / (h * h)];
}

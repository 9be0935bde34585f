import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { createArmModel } from '../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../src/core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { accelerationAt } from '../../src/core/trajectory/polynomial.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import type { Table } from '../measure.ts';
import { type Mujoco, mujocoPeer } from '../peers/mujoco.ts';
import { installHint } from '../peers/npm.ts';
import type { PaperProblem } from './paper.ts';

/** Time step of the simulation and of the controller, s. */
const TIME_STEP = 0.002;
/** Natural frequency of the tracking error under the controller, rad/s; critically damped. */
const STIFFNESS = 30;
/** Time at the goal after the end of the trajectory, s. */
const SETTLING = 0.5;

type Problem = PaperProblem & { readonly scene: Scene; readonly robot: RobotModel };

/**
 * The tracked trajectory of [Thirugnanam26 §IV-C.2, Fig. 7]: a trajectory planned by RRT is tracked in MuJoCo by a
 * computed-torque controller with our inverse dynamics. Also with links that are heavier than the controller knows,
 * and along the straight joint path, which is not collision-free: MuJoCo must report its contacts.
 */
export async function trackingTable(problems: readonly Problem[]): Promise<Table> {
  const mujoco = await mujocoPeer();
  const title = 'trajectories of plain RRT, tracked in MuJoCo';
  if (mujoco === undefined) return { title, rows: [], notes: [`MuJoCo is not here: ${installHint}`] };
  const rows = problems.flatMap((problem) => {
    const { scene, robot, name } = problem;
    const result = planMotion({ scene, robot: robot.description, model: robot }, { seed: 1, planner: 'rrt' });
    const { trajectory } = result;
    if (trajectory === undefined) throw new Error(`${name}: ${result.status}`);
    const { points } = trajectory;
    const still = points[0].positions.map(() => 0);
    const ends = [points[0], points[points.length - 1]];
    const straight = ends.map((point) => ({ ...point, velocities: still, accelerations: still }));
    return [
      { motion: 'planned', ...track(mujoco, problem, trajectory, 1) },
      { motion: 'planned, links 10 % heavier', ...track(mujoco, problem, trajectory, 1.1) },
      { motion: 'straight in joint space', ...track(mujoco, problem, { ...trajectory, points: straight }, 1) },
    ].map((row) => ({ scene: name, ...row }));
  });
  return {
    title,
    rows,
    notes: [
      `MuJoCo ${mujoco.version} (WebAssembly), steps of ${1000 * TIME_STEP} ms; the same convex parts and pairs as ours`,
      `torques by our inverse dynamics at the measured state, errors at ${STIFFNESS} rad/s, critically damped; ` +
        'torques within the limits of the robot',
      'clearance: smallest distance of all pairs at the planned, and at the simulated states, by GJK',
    ],
  };
}

function track(mujoco: Mujoco, { model }: Problem, trajectory: Trajectory, massFactor: number) {
  const curve = new TrajectoryCurve(trajectory);
  const { variables, dof } = model.robot;
  const dynamics = new InverseDynamics(createArmModel(model.robot));
  const manager = new CollisionManager(model);
  const [q, v, a, torques] = [0, 1, 2, 3].map(() => new Float64Array(dof));
  curve.position(q, curve.start);
  const arm = mujoco.simulate(model, q, TIME_STEP, massFactor);
  const steps = Math.ceil((curve.end - curve.start + SETTLING) / TIME_STEP);
  let [largest, squares, contactSteps, largestShare] = [0, 0, 0, 0];
  let [planned, simulated] = [Infinity, Infinity];
  for (let i = 0; i < steps; i++) {
    reference(curve, Math.min(curve.end, curve.start + i * TIME_STEP), q, v, a);
    for (let j = 0; j < dof; j++) {
      const error = q[j] - arm.q[j];
      largest = Math.max(largest, Math.abs(error));
      squares += error * error;
      a[j] += STIFFNESS * STIFFNESS * error + 2 * STIFFNESS * (v[j] - arm.v[j]);
    }
    planned = manager.clearance(q, planned).distance;
    simulated = manager.clearance(Float64Array.from(arm.q), simulated).distance;
    dynamics.torques(torques, arm.q, arm.v, a);
    for (let j = 0; j < dof; j++) {
      const { effort } = variables[j];
      largestShare = Math.max(largestShare, Math.abs(torques[j]) / effort);
      torques[j] = Math.max(-effort, Math.min(effort, torques[j]));
    }
    arm.step(torques);
    if (arm.contacts > 0) contactSteps++;
  }
  arm.delete();
  return {
    s: curve.end - curve.start,
    'largest error mrad': 1000 * largest,
    'rms error mrad': 1000 * Math.sqrt(squares / (steps * dof)),
    'largest torque / limit': largestShare,
    'clearance planned mm': 1000 * planned,
    'clearance simulated mm': 1000 * simulated,
    'steps with contact': contactSteps,
    steps,
  };
}

/** Computes position, velocity and acceleration of the trajectory; at rest at its end. */
function reference(curve: TrajectoryCurve, t: number, q: Float64Array, v: Float64Array, a: Float64Array): void {
  curve.position(q, t);
  curve.velocity(v, t);
  const piece = curve.pieceAt(t);
  const u = curve.timeInPiece(piece, t);
  for (let j = 0; j < a.length; j++) {
    a[j] = t < curve.end ? accelerationAt(curve.polynomials, curve.polynomialIndex(piece, j), u) : 0;
  }
}

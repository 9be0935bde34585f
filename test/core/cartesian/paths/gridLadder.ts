import { forwardKinematics, jacobian, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import { poseError, transformOfPose } from '../../../../src/core/kinematics/pose.ts';
import { linkNamed } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { solveCholesky } from '../../../../src/core/math/cholesky.ts';
import type { Configuration } from '../../../../src/core/math/configuration.ts';
import { compose, create, type Transform } from '../../../../src/core/math/transform.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import type { PathRobot } from './toolPathAttack.ts';

/** Largest change of a joint that is solved for from one way point to the next, radians or metres. */
const MAX_CHANGE = 0.35;
/** Newton's method: steps, pose error at which it has converged (metres, radians), relative damping. */
const STEPS = 12;
const CONVERGED = 1e-8;
const DAMPING = 1e-12;
/** Cells by which a value may change from one way point to the next, if one value is free; if two are: one. */
const SPREAD = 3;
/** Configurations of a cell that differ by less are one, radians or metres; the most that are kept, as SPREAD. */
const SAME = 1e-3;
const KEPT = 3;

/** A joint whose values brute force tries: its index, and the distance from one value to the next (rad or m). */
export interface TriedJoint {
  readonly joint: number;
  readonly step: number;
}

/**
 * Decides by brute force if a tool path can be followed from a configuration: a graph of configurations at equal
 * angles of the free rotation, and at equal distances of one joint, at each way point; the other joints are continued
 * from way point to way point by Newton's method. Applies to any arm. Tilts are not used.
 * @param angle from one rotation of the tool to the next, radians
 */
export function gridFollows(
  robot: PathRobot,
  step: PathStep,
  isValid: (q: Configuration) => boolean,
  angle: number,
  tried: TriedJoint | undefined,
): boolean {
  const { model, home } = robot;
  const solver = new LockedSolver(robot, step.frame, tried?.joint);
  const turns = step.isYawFree ? Math.round((2 * Math.PI) / angle) : 1;
  const [spread, kept] = turns > 1 && tried ? [1, 1] : [SPREAD, KEPT];
  const offsets = Array.from({ length: 2 * spread + 1 }, (_, i) => i - spread);
  const [byYaw, byJoint] = [turns > 1 ? offsets : [0], tried ? offsets : [0]];
  const isGood = (q: Configuration) =>
    model.variables.every(({ limits }, j) => q[j] >= limits.lower && q[j] <= limits.upper) && isValid(q);
  const keyOf = (yaw: number, cell: number) => `${(yaw + turns) % turns} ${cell}`;
  let reached = new Map([[keyOf(0, 0), { yaw: 0, cell: 0, all: [home] }]]);
  for (const { xyz, quat_wxyz } of step.points.slice(1)) {
    const T = transformOfPose({ xyz, quat_wxyz: quat_wxyz! });
    const next: typeof reached = new Map();
    for (const { yaw, cell, all } of reached.values())
      for (const dYaw of byYaw)
        for (const dCell of byJoint) {
          const key = keyOf(yaw + dYaw, cell + dCell);
          const found = next.get(key) ?? { yaw: (yaw + dYaw + turns) % turns, cell: cell + dCell, all: [] };
          const target = spun(T, (2 * Math.PI * found.yaw) / turns);
          for (const from of found.all.length < kept ? all : []) {
            const q = from.slice();
            if (tried) q[tried.joint] = home[tried.joint] + found.cell * tried.step;
            if (!solver.solve(q, target)) continue;
            const isFar = q.some((x, j) => j !== tried?.joint && Math.abs(x - from[j]) > MAX_CHANGE);
            if (isFar || found.all.some((one) => one.every((x, j) => Math.abs(x - q[j]) < SAME)) || !isGood(q))
              continue;
            found.all.push(q);
            next.set(key, found);
          }
        }
    if (next.size === 0) return false;
    reached = next;
  }
  return true;
}

/** Newton's method for the pose of a tool in a frame, with the values of a joint, and of those of the frame, given. */
class LockedSolver {
  private readonly state: RobotState;
  private readonly J: Float64Array;
  private readonly error = new Float64Array(6);
  private readonly T_tool = create();
  private readonly T_target = create();
  private readonly columns: number[];
  private readonly frame: number | undefined;

  constructor(
    private readonly robot: PathRobot,
    frame: string,
    locked: number | undefined,
  ) {
    const { model, tcp } = robot;
    this.frame = frame === 'world' ? undefined : linkNamed(model, frame);
    this.state = new RobotState(model);
    this.J = new Float64Array(6 * model.dof);
    const ofTool = this.moving(tcp.link);
    const ofFrame = this.frame === undefined ? [] : this.moving(this.frame);
    this.columns = ofTool.filter((j) => j !== locked && !ofFrame.includes(j));
  }

  /** Changes q until the tool is at a pose in the frame; returns false if that fails. */
  solve(q: Configuration, T: Transform): boolean {
    const { state, robot, J, error, T_tool, T_target, columns, frame } = this;
    const n = columns.length;
    for (let i = 0; i < STEPS; i++) {
      forwardKinematics(state, q);
      compose(T_tool, state.T_world_link[robot.tcp.link], robot.tcp.T_link_frame);
      if (frame === undefined) T_target.set(T);
      else compose(T_target, state.T_world_link[frame], T);
      poseError(error, T_tool, T_target);
      if (error.every((x) => Math.abs(x) < CONVERGED)) return true;
      jacobian(J, state, robot.tcp.link, Float64Array.of(T_tool[3], T_tool[7], T_tool[11]));
      const column = (k: number, row: number) => J[row * robot.model.dof + columns[k]];
      const normal = new Float64Array(n * n);
      const right = new Float64Array(n);
      for (let a = 0; a < n; a++)
        for (let row = 0; row < 6; row++) {
          right[a] += column(a, row) * error[row];
          for (let b = 0; b < n; b++) normal[n * a + b] += column(a, row) * column(b, row);
        }
      for (let a = 0; a < n; a++) normal[(n + 1) * a] += DAMPING;
      if (!solveCholesky(normal, right, n)) return false;
      for (const [k, j] of columns.entries()) q[j] += right[k];
    }
    return false;
  }

  /** Returns the joints that move the origin or the orientation of a link. */
  private moving(link: number): number[] {
    const { J, state, robot } = this;
    forwardKinematics(state, robot.home);
    jacobian(J, state, link, Float64Array.of(3, 4, 5)); // a point on no axis
    const { dof } = robot.model;
    return Array.from({ length: dof }, (_, j) => j).filter((j) =>
      [0, 1, 2, 3, 4, 5].some((row) => Math.abs(J[row * dof + j]) > 1e-12),
    );
  }
}

function spun(T: Transform, angle: number): Transform {
  const out = create();
  compose(out, T, transformOfPose({ xyz: [0, 0, 0], quat_wxyz: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] }));
  return out;
}

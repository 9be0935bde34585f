import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { FrameBounds } from '../../core/kinematics/frameBounds.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { framePose, type LinkFrame, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { inJointOrder, isJointMove, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { MAX_WAY_POINTS } from '../toolpaths/wayPoint.ts';
import { TCP_HEADER } from './csvColumns.ts';
import { jointNamesOf, type MotionSetting, type TrajectoryWriter } from './trajectoryFormat.ts';

/** Upper bounds on the deviation of position (m) and orientation (rad) from the interpolation between two rows. */
const POSITION_TOLERANCE = 1e-5;
const ANGLE_TOLERANCE = (0.01 * PI) / 180;

/**
 * Table of the poses of the tool center point in the world: `time [s],x [m],y [m],z [m],qw,qx,qy,qz`, and `on` if the
 * program has signals: the value from that time on, 0 before the first signal. A `path` step reads it as way points.
 */
export const tcpCsv: TrajectoryWriter = {
  summary: 'a table of the poses of the tool center point over time, which a path step reads; no joint values',
  ending: '.csv',
  isWriteOnly: true,
  write,
};

function write(given: Trajectory, setting?: MotionSetting): string {
  if (setting === undefined) throw new InputError('tcp-csv needs the robot and the scene of the motion');
  if (!isTimed(given)) throw new InputError('tcp-csv: a path has no times', 'Use --format csv.');
  const { robot, scene } = setting;
  const frame = tcpOf(robot, scene.tcp);
  requirePlannedJoints(given, robot, frame);
  const { signals = [], ...motion } = inJointOrder(given, jointNamesOf(setting));
  const sampler = new PoseSampler(new TrajectoryCurve(motion), robot, frame);
  const rows = [TCP_HEADER];
  const times = sampler.times();
  if (signals.length === 0) return `${[...rows, ...times.map((time) => sampler.row(time))].join('\n')}\n`;
  rows[0] += ',on';
  let passed = 0;
  for (const time of times) {
    for (; signals[passed]?.time <= time; passed++)
      rows.push(`${sampler.row(signals[passed].time)},${Number(signals[passed].on)}`);
    const last = signals[passed - 1];
    if (last?.time !== time) rows.push(`${sampler.row(time)},${Number(last?.on ?? false)}`);
  }
  return `${rows.join('\n')}\n`;
}

/** Throws `InputError` if an event moves a joint between base and tool that is not planned. */
function requirePlannedJoints({ events = [] }: Trajectory, { links, joints }: RobotModel, { link }: LinkFrame): void {
  const chain = new Set<string>();
  for (let l = link; links[l].parent >= 0; l = links[l].parent) chain.add(joints[links[l].joint].name);
  const moved = events.filter(isJointMove).flatMap(({ set }) => Object.keys((set as { joints: object }).joints));
  const name = moved.find((joint) => chain.has(joint));
  if (name !== undefined)
    throw new InputError(`tcp-csv: an event moves ${name}, which moves the tool`, 'Use --format json.');
}

/** Samples the pose of a frame along a curve. */
class PoseSampler {
  private readonly state: RobotState;
  private readonly bounds: FrameBounds;
  /** Positions, velocities and accelerations of the joints. */
  private readonly rows: readonly Float64Array[];

  constructor(
    private readonly curve: TrajectoryCurve,
    robot: RobotModel,
    private readonly frame: LinkFrame,
  ) {
    this.state = new RobotState(robot);
    this.bounds = new FrameBounds(robot, frame);
    this.rows = Array.from({ length: 3 }, () => new Float64Array(curve.dof));
  }

  /** Returns the time and the pose at it, separated by commas. */
  row(time: number): string {
    const { xyz, quat_wxyz } = this.poseAt(time);
    return [time, ...xyz, ...quat_wxyz].map((value) => Number(value.toFixed(12))).join(',');
  }

  /** Returns times from start to end, between which the interpolation of positions and rotations is within bounds. */
  times(): number[] {
    const { curve } = this;
    const times = [curve.start];
    const divide = (from: number, to: number): void => {
      const middle = 0.5 * (from + to);
      if (!this.isWithin(from, to) && middle > from && middle < to) {
        divide(from, middle);
        divide(middle, to);
      } else if (times.push(to) > MAX_WAY_POINTS)
        throw new InputError(`tcp-csv: more than ${MAX_WAY_POINTS} rows`, 'Use --format json.');
    };
    for (let k = 0; k < curve.pieces; k++) if (curve.end > curve.start) divide(curve.times[k], curve.times[k + 1]);
    return times;
  }

  /**
   * With h = to - from: a position deviates from its chord by at most h²/8 max |p̈|. Unit quaternions have second
   * derivatives of at most |ω̇|/2 + |ω|²/4, those of slerp are at most max |ω|²/4, and angles are twice the distances
   * of unit quaternions: an orientation deviates from slerp by at most h²/8 (max |ω̇| + max |ω|²).
   */
  private isWithin(from: number, to: number): boolean {
    const { curve, bounds, rows } = this;
    const [, velocity, acceleration] = rows;
    const half = 0.5 * (to - from);
    const { xyz } = this.poseAt(from + half);
    curve.speedBounds(velocity, from, to);
    curve.accelerationBounds(acceleration, from, to);
    bounds.compute(this.state.T_world_link, xyz, velocity, acceleration, half);
    const turning = bounds.angularAcceleration + bounds.angularSpeed * bounds.angularSpeed;
    const share = 0.5 * half * half;
    return share * bounds.acceleration <= POSITION_TOLERANCE && share * turning <= ANGLE_TOLERANCE;
  }

  private poseAt(time: number) {
    const [q] = this.rows;
    this.curve.position(q, time);
    forwardKinematics(this.state, q);
    return framePose(this.state, this.frame);
  }
}

import { isTimed, segmentKinds, type Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { Problems, type TrajectoryFormat } from './trajectoryFormat.ts';
import { readUrscript } from './urscriptReader.ts';

/**
 * URScript of Universal Robots. A path is written as movej statements that stop at every waypoint, a timed motion as a
 * servoj stream with one set point per control cycle.
 */
export const urscript: TrajectoryFormat = {
  summary: "Universal Robots' script: servoj stream; movej with r=0 for a path",
  ending: '.script',
  write,
  recognises: (text, file) => /\.(script|urscript)$/i.test(file) || /^[^#\n\r]*\b(movej|servoj)[ \t]*\(/m.test(text),
  read: (text, file, joints) => {
    const problems = new Problems(file);
    const trajectory = readUrscript(text, joints, problems);
    problems.throwIfAny();
    return trajectory;
  },
};

/** Seconds. Control cycle of the e-Series. */
const CYCLE = 0.002;
/** Lookahead time in seconds and proportional gain of servoj, within the ranges of the script manual. */
const SERVO = 'lookahead_time=0.1, gain=300';
/** Acceleration (rad/s²) and velocity (rad/s) of the leading axis: the defaults of the script manual. */
const MOVE = 'a=1.4, v=1.05, r=0';

function write(trajectory: Trajectory): string {
  const lines = isTimed(trajectory)
    ? [...setPoints(trajectory).map((q) => `  servoj(${list(q)}, t=${CYCLE}, ${SERVO})`), '  stopj(1.4)']
    : trajectory.points.map(({ positions }) => `  movej(${list(positions)}, ${MOVE})`);
  return [
    'def elbowroom_motion():',
    `  # joints: ${trajectory.jointNames.join(', ')}`,
    '  # The arm must stand at the first point when this begins: nothing is known of its way there.',
    ...lines,
    'end',
    'elbowroom_motion()',
    '',
  ].join('\n');
}

/**
 * Samples the curve once per control cycle. Each interval between two instants of rest is stretched to a whole number
 * of cycles, so that a waypoint at rest is always a set point and no corner is cut. Slowing down keeps all limits.
 */
function setPoints(trajectory: Trajectory): number[][] {
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(curve.dof);
  const points = [[...trajectory.points[0].positions]];
  const rests = restTimes(trajectory);
  for (let i = 1; i < rests.length; i++) {
    const duration = rests[i] - rests[i - 1];
    const cycles = Math.ceil(duration / CYCLE - 1e-9);
    for (let k = 1; k <= cycles; k++) {
      curve.position(q, rests[i - 1] + (k / cycles) * duration);
      points.push([...q]);
    }
  }
  return points;
}

/**
 * Returns the times of the waypoints at rest, of both ends, and of the ends of linear segments, which may be corners of
 * the path.
 */
function restTimes(trajectory: Trajectory): number[] {
  const { points } = trajectory;
  const kinds = segmentKinds(trajectory);
  const rests = points.filter(({ velocities }, i) => {
    const isEnd = i === 0 || i === points.length - 1;
    return isEnd || kinds[i - 1] === 'linear' || kinds[i] === 'linear' || velocities!.every((v) => v === 0);
  });
  return rests.map((point) => point.time_from_start!);
}

const list = (q: readonly number[]) => `[${q.map(decimal).join(', ')}]`;

/** Formats a number with at most twelve decimals and without exponent, which URScript does not have. */
function decimal(value: number): string {
  const text = value.toFixed(12).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

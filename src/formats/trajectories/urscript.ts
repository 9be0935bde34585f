import { inJointOrder, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { jointNamesOf, type MotionSetting, Problems, plannedNames, type TrajectoryFormat } from './trajectoryFormat.ts';
import { programStatements } from './urscript/programScript.ts';
import { CYCLE, setPointTimes } from './urscript/setPoints.ts';
import { decimal } from './urscript/stepCalls.ts';
import { toolStatements } from './urscript/toolStatements.ts';

/**
 * URScript of Universal Robots. A path is written as movej statements that stop at every waypoint, a timed motion as a
 * servoj stream with one set point per control cycle. A program calls a function at each event, which its user defines:
 * see `programStatements`.
 */
export const urscript: TrajectoryFormat = {
  summary: "Universal Robots' script: servoj stream; movej with r=0 for a path",
  ending: '.script',
  write,
  recognises: (text, file) => /\.(script|urscript)$/i.test(file) || /^[^#\n\r]*\b(movej|servoj)[ \t]*\(/m.test(text),
  read: async (text, file, robot) => {
    const { readUrscript } = await import('./urscriptReader.ts');
    const problems = new Problems(file);
    const trajectory = readUrscript(text, plannedNames(robot), problems);
    problems.throwIfAny();
    return trajectory;
  },
};

/** Lookahead time in seconds and proportional gain of servoj, within the ranges of the script manual. */
const SERVO = 'lookahead_time=0.1, gain=300';
/** Acceleration (rad/s²) and velocity (rad/s) of the leading axis: the defaults of the script manual. */
const MOVE = 'a=1.4, v=1.05, r=0';

function write(given: Trajectory, setting?: MotionSetting): string {
  const trajectory = setting ? inJointOrder(given, jointNamesOf(setting)) : given; // controllers know no names
  return [
    'def elbowroom_motion():',
    `  # joints: ${trajectory.jointNames.join(', ')}`,
    '  # The arm must be at the first point when this program starts: the motion to it is not checked.',
    ...[...toolStatements(setting), ...statements(trajectory)].map((statement) => `  ${statement}`),
    'end',
    'elbowroom_motion()',
    '',
  ].join('\n');
}

function statements(trajectory: Trajectory): string[] {
  if (trajectory.segments !== undefined) return programStatements(trajectory, servoj);
  if (!isTimed(trajectory)) return trajectory.points.map(({ positions }) => `movej(${list(positions)}, ${MOVE})`);
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(curve.dof);
  const stream = setPointTimes(trajectory).map((time) => {
    curve.position(q, time);
    return servoj(q);
  });
  return [...stream, 'stopj(1.4)'];
}

const servoj = (q: ArrayLike<number>) => `servoj(${list(q)}, t=${CYCLE}, ${SERVO})`;
const list = (q: ArrayLike<number>) => `[${Array.from(q, decimal).join(', ')}]`;

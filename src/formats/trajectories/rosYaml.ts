import { executedPoints, type Trajectory, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { readDocuments, statesProgram, writeDocuments } from './programDocuments.ts';
import type { TrajectoryFormat } from './trajectoryFormat.ts';
import { readRecord } from './trajectoryRecord.ts';

/**
 * The message trajectory_msgs/JointTrajectory in YAML, as `ros2 topic pub` reads it and `ros2 topic echo` prints it.
 * A program is one document per interval between events: see `writeDocuments`.
 */
export const rosYaml: TrajectoryFormat = {
  summary: 'ROS trajectory_msgs/JointTrajectory as YAML',
  ending: '.yaml',
  write,
  recognises: (text, file) => /\.ya?ml$/i.test(file) || /^[ \t-]*["']?joint_names["']?[ \t]*:/m.test(text),
  read: (text, file, robot) =>
    statesProgram(text) ? readDocuments(text, file) : readRecord(withoutSeparator(text), file, robot),
};

/** Returns the text of a message without the separator `---` that `ros2 topic echo` prints after it. */
export const withoutSeparator = (text: string): string => text.replace(/\n---\s*$/, '\n');

/**
 * Writes the values from which a controller interpolates the curve that was checked: positions, velocities for cubics
 * and quintics, accelerations for quintics only.
 */
function write(trajectory: Trajectory): string {
  const message = (points: readonly TrajectoryPoint[]) => messageText(trajectory.jointNames, points);
  const points = executedPoints(trajectory);
  return trajectory.segments === undefined ? message(points) : writeDocuments(trajectory, points, message);
}

/** Returns the text of a message trajectory_msgs/JointTrajectory. */
export function messageText(jointNames: readonly string[], points: readonly TrajectoryPoint[]): string {
  return `joint_names: [${jointNames.map(yamlString).join(', ')}]\npoints:\n${points.map(pointText).join('')}`;
}

function pointText({ positions, velocities, accelerations, time_from_start: time }: TrajectoryPoint): string {
  const lines = [`  - positions: ${yamlNumbers(positions)}`];
  if (velocities) lines.push(`    velocities: ${yamlNumbers(velocities)}`);
  if (accelerations) lines.push(`    accelerations: ${yamlNumbers(accelerations)}`);
  if (time !== undefined) {
    const nanoseconds = Math.round(time * 1e9);
    const seconds = Math.floor(nanoseconds / 1e9);
    lines.push(`    time_from_start: {sec: ${seconds}, nanosec: ${nanoseconds - seconds * 1e9}}`);
  }
  return `${lines.join('\n')}\n`;
}

const yamlNumbers = (values: readonly number[]) => `[${values.map(yamlNumber).join(', ')}]`;

/**
 * Formats a number with a decimal point: YAML 1.1, which ROS parses, reads `1` as an integer and `1e-7` as a string.
 */
function yamlNumber(value: number): string {
  const [digits, exponent] = String(value).split('e');
  const decimal = digits.includes('.') ? digits : `${digits}.0`;
  return exponent === undefined ? decimal : `${decimal}e${exponent}`;
}

/** Quotes a name if YAML could parse it as another type. */
function yamlString(name: string): string {
  const isPlain = /^[A-Za-z_][\w/-]*$/.test(name) && !/^(true|false|yes|no|on|off|y|n|null)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}

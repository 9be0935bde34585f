import { executedPoints, type Trajectory, type TrajectoryPoint } from '../../trajectory/trajectory.ts';
import type { TrajectoryFormat } from './trajectoryFormat.ts';
import { readRecord } from './trajectoryRecord.ts';

/** The message trajectory_msgs/JointTrajectory as YAML, as `ros2 topic pub` takes it and `ros2 topic echo` prints it. */
export const rosYaml: TrajectoryFormat = {
  summary: 'ROS trajectory_msgs/JointTrajectory as YAML',
  ending: '.yaml',
  write,
  recognises: (text, file) => /\.ya?ml$/i.test(file) || /^[ \t-]*["']?joint_names["']?[ \t]*:/m.test(text),
  read: (text, file) => readRecord(withoutSeparator(text), file),
};

/** The text of one message, without what `echo` prints after each. */
export const withoutSeparator = (text: string): string => text.replace(/\n---\s*$/, '\n');

/** What controllers need for the curve that was checked: positions and velocities of cubics, and accelerations of quintics alone. */
function write(trajectory: Trajectory): string {
  const names = trajectory.jointNames.map(yamlString).join(', ');
  return `joint_names: [${names}]\npoints:\n${executedPoints(trajectory).map(pointText).join('')}`;
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

/** With a dot in any case: YAML 1.1, which ROS reads, takes `1` for an integer and `1e-7` for a string. */
function yamlNumber(value: number): string {
  const [digits, exponent] = String(value).split('e');
  const decimal = digits.includes('.') ? digits : `${digits}.0`;
  return exponent === undefined ? decimal : `${decimal}e${exponent}`;
}

/** Quoted where YAML could take it for something else. */
function yamlString(name: string): string {
  const isPlain = /^[A-Za-z_][\w/-]*$/.test(name) && !/^(true|false|yes|no|on|off|y|n|null)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}

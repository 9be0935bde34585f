import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError, suggestion } from '../../../errors.ts';
import { Field } from '../../scenes/moveit/messageValues.ts';
import { MessageError } from '../../scenes/moveit/rosMessage.ts';
import { placeOf } from '../../text/sourceText.ts';
import { jointPositions } from '../startState.ts';
import { type GivenRobot, plannedNames } from '../trajectoryFormat.ts';
import { dataOf, type RecordedMessage } from './mcapMotion.ts';

/**
 * Seconds: joint states farther apart are no set points, but straight lines with corners. Between states at 40 Hz an
 * acceleration of 10 rad/s² leads less than 1 mrad off the line.
 */
const MAX_INTERVAL = 0.025;

/** Radians or metres: difference between a measured position of a joint that is not planned and its value. */
const TOLERANCE = 1e-4;

/** Positions of joints at one instant. */
interface JointStates {
  readonly positions: ReadonlyMap<string, number>;
  /** Nanoseconds: the stamp of the message, 0 if it has none. */
  readonly stamp: bigint;
  readonly logTime: bigint;
  /** `FILE: TOPIC: message N`, for errors. */
  readonly place: string;
}

/**
 * Converts recorded joint states (sensor_msgs/JointState) to a trajectory of straight lines, whose time counts from the
 * first stamp; of messages without stamps, from the first time of recording. Each message has all planned joints or
 * none of them. Other joints must have the values of the robot, and are left out.
 * @param place prefix of error messages: file and topic
 */
export async function recordedStates(
  messages: readonly RecordedMessage[],
  place: string,
  robot: GivenRobot,
): Promise<Trajectory> {
  const planned = plannedNames(robot);
  const states: JointStates[] = [];
  for (const [i, message] of messages.entries()) states.push(await statesOf(message, `${place}: message ${i + 1}`));
  const whole = states.filter((state) => hasPlanned(state, planned));
  if (whole.length === 0) {
    const names = [...new Set(states.flatMap(({ positions }) => [...positions.keys()]))].slice(0, 20).join(', ');
    throw new InputError(`${place}: no message has the planned joints`, `The messages have: ${names}.`);
  }
  for (const state of states) requireValues(state, planned, robot);

  const isStamped = whole.every(({ stamp }) => stamp > 0n);
  const timeOf = (state: JointStates) => (isStamped ? state.stamp : state.logTime);
  const points: Trajectory['points'][number][] = [];
  let longest = 0;
  for (const [i, state] of whole.entries()) {
    const time_from_start = Number(timeOf(state) - timeOf(whole[0])) / 1e9;
    const positions = planned.map((name) => state.positions.get(name)!);
    const before = points.at(-1);
    const isRepeated = before?.positions.every((value, j) => value === positions[j]) === true;
    if (before !== undefined && !(time_from_start > before.time_from_start!)) {
      if (isRepeated && time_from_start === before.time_from_start) continue;
      throw new InputError(
        `${state.place}: its time ${time_from_start} s does not come after ${before.time_from_start} s of message ${i}`,
        'Times count from the first message; a recording has one publisher of these joints.',
      );
    }
    if (before !== undefined && !isRepeated) longest = Math.max(longest, time_from_start - before.time_from_start!);
    points.push({ time_from_start, positions });
  }
  return {
    jointNames: [...planned],
    points,
    ...(longest <= MAX_INTERVAL && { setPoints: true as const }),
    remarks: remarksOf(states, planned, points.length, longest, isStamped),
  };
}

function remarksOf(
  states: readonly JointStates[],
  planned: readonly string[],
  count: number,
  longest: number,
  isStamped: boolean,
): string[] {
  const others = new Set(states.flatMap(({ positions }) => [...positions.keys()]));
  for (const name of planned) others.delete(name);
  const farthest = `${Number((1000 * longest).toPrecision(3))} ms`;
  const corners =
    longest <= MAX_INTERVAL ? '' : `: more than ${1000 * MAX_INTERVAL} ms, so that corners are velocity jumps`;
  const distance = `while the arm moves they are up to ${farthest} apart${corners}`;
  return [
    `${count} joint states, judged on straight lines between them; ${distance}`,
    ...(isStamped ? [] : ['the messages have no stamps: their times are those of the recording']),
    ...(others.size === 0 ? [] : [`joints that are not planned are left out: ${[...others].join(', ')}`]),
  ];
}

async function statesOf(message: RecordedMessage, place: string): Promise<JointStates> {
  const data = await dataOf(message, place);
  try {
    const state = new Field(data).message('joint state');
    const positions = new Map(jointPositions(state).map(({ name, position }) => [name, position]));
    return { positions, stamp: stampOf(state.at('header')), logTime: message.logTime, place };
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    throw new InputError(`${place}: ${placeOf(error.path)}${error.what}`, error.note);
  }
}

/** Returns the stamp of a header in nanoseconds; 0 if it has none. */
function stampOf(header: Field): bigint {
  const stamp = header.message('header').at('stamp');
  if (stamp.value === undefined) return 0n;
  const { sec, secs, nanosec, nsecs, nsec } = stamp.mapping().value as Readonly<Record<string, unknown>>;
  const [seconds, nanoseconds] = [sec ?? secs ?? 0, nanosec ?? nsecs ?? nsec ?? 0];
  if (Number.isSafeInteger(seconds) && Number.isSafeInteger(nanoseconds))
    return BigInt(seconds as number) * 1_000_000_000n + BigInt(nanoseconds as number);
  throw stamp.error('it is no time', 'Give {sec, nanosec} of whole numbers.');
}

/** Returns true if a message has all planned joints, false if it has none; throws if it has some of them. */
function hasPlanned({ positions, place }: JointStates, planned: readonly string[]): boolean {
  const missing = planned.filter((name) => !positions.has(name));
  if (missing.length === planned.length || missing.length === 0) return missing.length === 0;
  throw new InputError(
    `${place}: planned joints are missing: ${missing.join(', ')}`,
    'A message has all planned joints, or none of them.',
  );
}

/** Throws if a joint that is not planned has another value than the robot: its fixed value, or what it mimics. */
function requireValues({ positions, place }: JointStates, planned: readonly string[], robot: GivenRobot): void {
  for (const [name, value] of positions) {
    if (planned.includes(name)) continue;
    if (!('variables' in robot))
      throw new InputError(`${place}: no planned joint "${name}"`, suggestion(name, planned));
    const joint = robot.joints.find((one) => one.name === name);
    if (joint === undefined) {
      const names = robot.joints.map((one) => one.name);
      throw new InputError(`${place}: "${robot.name}" has no joint "${name}"`, suggestion(name, names));
    }
    const leader = joint.variable < 0 ? undefined : robot.variables[joint.variable].name;
    const leading = leader === undefined ? 0 : positions.get(leader);
    const expected = leading === undefined ? undefined : joint.multiplier * leading + joint.offset;
    const known = joint.type === 'fixed' ? 0 : expected;
    if (known !== undefined && Math.abs(value - known) <= TOLERANCE) continue;
    const source = leader === undefined ? 'in the scene' : `by "${leader}"`;
    throw new InputError(
      `${place}: "${name}" is ${value}, but ${known ?? 'not known'} ${source}`,
      leader === undefined ? `In the scene: robot: {…, fixed: {${name}: ${value}}}, if it has this position.` : '',
    );
  }
}

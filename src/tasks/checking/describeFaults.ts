import type { JointUnit } from '../../core/trajectory/trajectory.ts';
import type { FullTurnFault, TimeFault } from '../../core/trajectory/trajectoryLimits.ts';
import type { VelocityJump } from '../../core/trajectory/velocityJumps.ts';
import type { CheckResult, StartFault } from './checkResult.ts';
import type { ContactInterval } from './contactInterval.ts';

/** Describes each difference from the steps of a program, each fault, collision and unresolved pair in one line. */
export function describeFaults({
  stepFaults = [],
  faults,
  collision,
  unresolved,
  interrupted,
  duration,
  leadIn,
}: Pick<CheckResult, 'faults' | 'collision' | 'unresolved' | 'interrupted' | 'duration' | 'leadIn'> & {
  readonly stepFaults?: readonly { readonly what: string }[];
}): string[] {
  const at = (time: number) => (duration === undefined ? `at waypoint ${round(time)}` : `at ${round(time)} s`);
  const motionFaults = faults.map((fault) => {
    if (fault.kind === 'time') return describeTime(fault);
    if (fault.kind === 'velocity-jump') return describeJump(fault);
    if (fault.kind === 'constraint')
      return fault.value > 0
        ? `constraint "${fault.label}" is violated by ${round(fault.value)} ${fault.unit} ${at(fault.time)}`
        : `constraint "${fault.label}" cannot be proved ${at(fault.time)}`;
    if (fault.kind === 'tcp-speed')
      return `the TCP: speed ${round(fault.value)} m/s ${at(fault.time)}, its limit is ${round(fault.limit)} m/s`;
    if (fault.kind === 'torque' && !fault.isFound) {
      const limit = withUnit(Math.abs(fault.limit), fault);
      return `${fault.joint}: its torque is not proved to be within ${limit} ${at(fault.time)}`;
    }
    if (fault.kind === 'start') return describeStart(fault);
    if (fault.kind === 'full-turn') return describeTurn(fault, at(fault.time));
    if (fault.kind === 'lead-in')
      return (
        `${fault.joint}: acceleration ${withUnit(fault.value, fault)} at points[0], ${at(fault.time)}: the motion ` +
        'from rest to there depends on the controller; use 0, or begin at time 0'
      );
    const [value, limit] = [fault.value, fault.limit].map((one) => withUnit(one, fault));
    return `${fault.joint}: ${fault.kind} ${value} ${at(fault.time)}, its limit is ${limit}`;
  });
  const lines = [...stepFaults.map(({ what }) => what), ...motionFaults];
  if (collision) lines.push(describeContact(collision, duration !== undefined));
  if (leadIn?.valid === false) lines.push(LEAD_IN_NOTE);
  if (interrupted) lines.push(`the time limit ended the proof ${at(interrupted.time)}`);
  if (unresolved) lines.push(`${unresolved.pair.join(' and ')} cannot be proved separated ${at(unresolved.time)}`);
  return lines;
}

/** Describes a contact: `forearm and post collide, first at 1.85657 s, until 2.14343 s, 5.3 mm deep`. */
function describeContact({ pair, from, until, depth }: ContactInterval, isTimed: boolean): string {
  const [first, last] = [from, until].map((time) => (isTimed ? `${round(time)} s` : `waypoint ${round(time)}`));
  const deep = depth > 0 ? `, ${Number((1000 * depth).toPrecision(3))} mm deep` : '';
  return `${pair.join(' and ')} collide, first at ${first}, until ${last}${deep}`;
}

const LEAD_IN_NOTE = 'the motion from the start of the scene to the first point, which a controller adds, is not valid';

function describeStart(fault: StartFault): string {
  const { joint, value, limit, turns } = fault;
  const turned = turns === undefined ? '' : `, ${turnsText(turns)} away: the same state`;
  return (
    'the trajectory does not begin at the start of the scene: at its first point, ' +
    `${joint} is ${withUnit(value, fault)}, at the start ${withUnit(limit, fault)}${turned}`
  );
}

function describeTurn({ joint, turns, point, count }: FullTurnFault, at: string): string {
  const more = count > 1 ? `, and ${count - 1} more such ${count === 2 ? 'jump' : 'jumps'}` : '';
  return `${joint}: jumps by ${turnsText(turns)} to points[${point}], ${at}${more}: it would turn all the way`;
}

const turnsText = (turns: number) => (Math.abs(turns) === 1 ? 'a full turn' : `${Math.abs(turns)} full turns`);

function describeTime({ value, limit }: TimeFault): string {
  const what = `time ${round(value)} s`;
  if (value > limit) return `times too close: ${value} s comes right after ${limit} s`;
  if (value === limit) return `${what} is that of the point before it`;
  return value < 0 ? `${what} is before 0: controllers begin at 0` : `${what} does not come after ${round(limit)} s`;
}

/**
 * Describes a velocity jump, which is an infinite acceleration; before the start and after the end the robot is at
 * rest.
 */
function describeJump(fault: VelocityJump): string {
  const { joint, point, place, time } = fault;
  const [before, after] = [fault.before, fault.after].map((velocity) => withUnit(velocity, fault));
  const where = `at ${point < 0 ? '' : `points[${point}], `}${round(time)} s`;
  if (place === 'start') return `${joint}: not at rest at the start: velocity ${after} ${where}`;
  if (place === 'end') return `${joint}: not at rest at the end: velocity ${before} ${where}`;
  return `${joint}: velocity jumps from ${before} to ${after} ${where}: infinite acceleration`;
}

const round = (value: number) => Number(value.toPrecision(6));

const PER_TIME: Readonly<Record<string, string>> = {
  velocity: '/s',
  'velocity-jump': '/s',
  acceleration: '/s²',
  'lead-in': '/s²',
  jerk: '/s³',
};

/** Formats a value of a joint with its unit, if that is known: `1.35 rad/s`, `2.5 m`. */
function withUnit(value: number, { kind, unit }: { readonly kind: string; readonly unit?: JointUnit }): string {
  if (unit === undefined) return String(round(value));
  if (kind === 'torque') return `${round(value)} ${unit === 'm' ? 'N' : 'N m'}`;
  return `${round(value)} ${unit}${PER_TIME[kind] ?? ''}`;
}

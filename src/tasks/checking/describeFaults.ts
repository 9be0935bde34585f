import type { FullTurnFault } from '../../core/trajectory/leadIn/turnJumps.ts';
import type { TimeFault } from '../../core/trajectory/trajectoryLimits.ts';
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
        ? `constraint "${fault.label}" is violated by ${round(fault.value)} ${at(fault.time)}`
        : `constraint "${fault.label}" cannot be proved ${at(fault.time)}`;
    if (fault.kind === 'tcp-speed')
      return `the TCP: speed ${round(fault.value)} m/s ${at(fault.time)}, its limit is ${round(fault.limit)} m/s`;
    if (fault.kind === 'torque' && !fault.isFound)
      return `${fault.joint}: its torque is not proved to be within ${round(Math.abs(fault.limit))} ${at(fault.time)}`;
    if (fault.kind === 'start') return describeStart(fault);
    if (fault.kind === 'full-turn') return describeTurn(fault, at(fault.time));
    if (fault.kind === 'lead-in')
      return (
        `${fault.joint}: acceleration ${round(fault.value)} at points[0], ${at(fault.time)}: the motion from ` +
        'rest to there depends on the controller; use 0, or begin at time 0'
      );
    return `${fault.joint}: ${fault.kind} ${round(fault.value)} ${at(fault.time)}, its limit is ${round(fault.limit)}`;
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

function describeStart({ joint, value, limit, turns }: StartFault): string {
  const turned = turns === undefined ? '' : `, ${turnsText(turns)} away: the same state`;
  return (
    `the trajectory does not begin at the start of the scene: at its first point, ${joint} is ${round(value)}, ` +
    `at the start ${round(limit)}${turned}`
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
function describeJump({ joint, before, after, point, place, time }: VelocityJump): string {
  const where = point < 0 ? `${round(time)} s` : `at points[${point}], ${round(time)} s`;
  if (place === 'start') return `${joint}: not at rest at the start: velocity ${round(after)} ${where}`;
  if (place === 'end') return `${joint}: not at rest at the end: velocity ${round(before)} ${where}`;
  return `${joint}: velocity jumps from ${round(before)} to ${round(after)} ${where}: infinite acceleration`;
}

const round = (value: number) => Number(value.toPrecision(6));

import { type Step, stepName } from '../../../core/scene/program.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import type { StepFailure } from '../failures/programFailures.ts';
import { ProgramTrajectory } from '../programTrajectory.ts';
import type { Piece, ProgramPieces } from './programPieces.ts';
import { type BlockedLeg, type MoveSearch, ProgramSchedule, type ScheduledLeg } from './programSchedule.ts';
import { type StopsAndLegs, stopsAndLegs } from './scheduleLegs.ts';

/**
 * Determines the times of a program among moving objects: waits are added at stops, and free motions may be replaced.
 * If no schedule is found, returns the step that none reaches.
 */
export function scheduledProgram(
  program: ProgramPieces,
  jointNames: readonly string[],
  linkOfTcp: string,
  search: MoveSearch,
  interrupt: () => boolean,
): Trajectory | StepFailure {
  const { pieces, world, initial, positions } = program;
  const divided = stopsAndLegs(pieces, world, positions, initial);
  const found = new ProgramSchedule(divided, initial.tree.end, search, interrupt).solve();
  if ('leg' in found) return failureOf(found, divided);
  const trajectory = new ProgramTrajectory(jointNames, divided.stops[0].q);
  for (const [k, { pieces: parts }] of divided.legs.entries()) {
    trajectory.waitUntil(found[k].departure, divided.stops[k].endsSegment);
    for (const piece of parts) append(trajectory, piece, found[k], linkOfTcp);
  }
  return trajectory.trajectory();
}

function append(trajectory: ProgramTrajectory, piece: Piece, { motion }: ScheduledLeg, linkOfTcp: string): void {
  if (piece.kind === 'rest') trajectory.wait(piece.step);
  else if (piece.kind === 'event') trajectory.event(piece.step, linkOfTcp);
  else if (motion) trajectory.motion(piece.step, piece.q, motion.points.slice(1));
  else piece.append(trajectory);
}

/**
 * Returns `step 3 (line "approach"): blocked at every time that was tried, by "carton" until 3.2 s`, or that an object
 * is to be attached before it rests.
 */
function failureOf({ leg, blocked }: BlockedLeg, { legs, stops }: StopsAndLegs): StepFailure {
  const list = blocked.slice(0, 3).map(([name, until]) => `${JSON.stringify(name)} until ${seconds(until)}`);
  const by = list.length === 0 ? '' : `, by ${list.join(', ')}`;
  if (legs.length === 0) return { step: 0, reason: `the start does not stay valid${by}` };
  const { pieces } = legs[Math.min(leg, legs.length - 1)];
  const late = stops[leg]?.mayWait ? undefined : pieces.find((piece) => piece.kind === 'event' && piece.from > 0);
  const step: Step = (late ?? pieces[0]).step;
  if (late?.kind === 'event' && by === '')
    return { step: step.index, reason: `${stepName(step)}: ${tooEarly(late.from)}` };
  const what = leg === legs.length ? 'its end does not stay valid' : 'blocked at every time that was tried';
  return { step: step.index, reason: `${stepName(step)}: ${what}${by}` };
}

const tooEarly = (rest: number) =>
  `the object rests from ${seconds(rest)} on, and no motion comes before it that could wait; add a wait or a motion`;

const seconds = (time: number) => `${Number(time.toPrecision(4))} s`;

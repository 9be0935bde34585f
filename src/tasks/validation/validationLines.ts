import { MotionReader } from '../../formats/streams/motions.ts';
import { type ReaderPlace, StateReader } from '../../formats/streams/states.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import { LineAnswers, type LineCounts } from './lineResults.ts';
import { createMotionValidator, type MotionAnswer } from './validateMotions.ts';
import { createStateValidator, type StateVerdict, type ValidationOptions } from './validateStates.ts';

export interface ValidationLinesOptions extends ValidationOptions {
  /** Lines are straight motions, not states. */
  readonly motions?: boolean;
}

/** Judges a list of states, or of motions, line by line. Holds caches; the answers do not depend on them. */
export class ValidationLines implements LineCounts {
  /** Of those that were read. */
  invalid = 0;
  private readonly reader: StateReader | MotionReader;
  private readonly answers: {
    readonly read: number;
    readonly unreadable: number;
    to(lines: readonly string[]): string;
  };

  /** @param name of the list, for errors */
  constructor(robot: RobotModel, scene: Scene, options: ValidationLinesOptions, name: string) {
    const joints = robot.variables.map((joint) => joint.name);
    if (options.motions) {
      const judge = createMotionValidator(robot, scene, options);
      const reader = new MotionReader(joints);
      this.reader = reader;
      this.answers = new LineAnswers(reader, ({ qFrom, qTo }) => motionText(this.counted(judge(qFrom, qTo))));
    } else {
      const judge = createStateValidator(robot, scene, options);
      const reader = new StateReader(joints, name);
      this.reader = reader;
      this.answers = new LineAnswers(reader, ({ q }) => verdictText(this.counted(judge(q))));
    }
  }

  get read(): number {
    return this.answers.read;
  }

  get unreadable(): number {
    return this.answers.unreadable;
  }

  /** Where the reader stands in its list: plain data. Undefined as long as the form of the list is not known. */
  get place(): ReaderPlace | undefined {
    return this.reader.place;
  }

  /** Goes on from a place in the same list. */
  goOn(place: ReaderPlace): void {
    this.reader.goOn(place);
  }

  /** The answers to some lines, each with its newline. */
  to(lines: readonly string[]): string {
    return this.answers.to(lines);
  }

  private counted<Verdict extends { readonly valid: boolean }>(verdict: Verdict): Verdict {
    if (!verdict.valid) this.invalid++;
    return verdict;
  }
}

/** The fields behind the id. */
function motionText({ valid, verdict, limits, contact }: MotionAnswer): string {
  const where = contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time };
  return JSON.stringify({ valid, verdict, limits, contact: where }).slice(1, -1);
}

/** The fields behind the id. Written out by hand: most states of a long list are valid. */
function verdictText({ valid, collisions, limits, clearance, gradient, differentiable }: StateVerdict): string {
  const verdict = valid
    ? '"valid":true,"collisions":[],"limits":[]'
    : `"valid":false,"collisions":${JSON.stringify(collisions)},"limits":${JSON.stringify(limits)}`;
  if (clearance === undefined) return verdict;
  const known = `${verdict},"clearance":${Number.isFinite(clearance) ? clearance : null}`;
  return gradient ? `${known},"gradient":${JSON.stringify(gradient)},"differentiable":${differentiable}` : known;
}

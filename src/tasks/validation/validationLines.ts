import { BATCH } from '../../core/collision/states/stateBatch.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { MotionReader } from '../../formats/streams/motions.ts';
import { type ReaderPlace, StateReader } from '../../formats/streams/states.ts';
import { withWiderLimits } from '../planning/startTolerance.ts';
import { type LineCounts, LineResults } from './lineResults.ts';
import { StateBytes } from './stateBytes.ts';
import { createMotionValidator, type MotionValidityResult } from './validateMotions.ts';
import { createStateValidator, type StateVerdict, type ValidationOptions } from './validateStates.ts';

/** Options of `ValidationLines`. */
export interface ValidationLinesOptions extends ValidationOptions {
  /** True if the lines are straight motions instead of states. */
  readonly motions?: boolean;
  /** Joint values out of limits by at most this are accepted, and checked as they are: rad or m; default 0. */
  readonly startTolerance?: number;
}

/** Checks a list of states or motions line by line. Contains caches, on which the results do not depend. */
export class ValidationLines implements LineCounts {
  /** Number of invalid states or motions. */
  invalid = 0;
  private readonly reader: StateReader | MotionReader;
  private readonly results: {
    readonly read: number;
    readonly unreadable: number;
    process(lines: readonly string[]): string;
  };
  /** Checks lines of bytes; undefined if a verdict needs more than one check of each state. */
  private readonly bytes: StateBytes | undefined;
  private readInBytes = 0;

  /** @param name name of the list, for error messages */
  constructor(stated: RobotModel, scene: Scene, options: ValidationLinesOptions, name: string) {
    const robot = withWiderLimits(stated, options.startTolerance ?? 0);
    const joints = robot.variables.map((joint) => joint.name);
    if (options.motions) {
      const check = createMotionValidator(robot, scene, options);
      const reader = new MotionReader(joints);
      this.reader = reader;
      this.results = new LineResults(reader, ({ qFrom, qTo }) => motionText(this.counted(check(qFrom, qTo))));
    } else {
      const check = createStateValidator(robot, scene, options);
      const reader = new StateReader(joints, name, !check.isStill);
      this.reader = reader;
      this.results = new LineResults(reader, ({ q, t }) => verdictText(this.counted(check(q, t))), {
        size: BATCH,
        copy: (line) => ({ ...line, q: line.q.slice() }),
        prepare: (batch) => check.prepare(batch.map(({ q }) => q)),
      });
      this.bytes = check.first && new StateBytes(robot, check.first, reader, this, verdictText);
    }
  }

  get read(): number {
    return this.results.read + this.readInBytes;
  }

  get unreadable(): number {
    return this.results.unreadable;
  }

  /** Position of the reader in its list, as plain data. Undefined until the format of the list is known. */
  get place(): ReaderPlace | undefined {
    return this.reader.place;
  }

  /** Continues from a position in the same list. */
  resumeAt(place: ReaderPlace): void {
    this.reader.resumeAt(place);
  }

  /** Returns the results of some lines, each with its newline. */
  to(lines: readonly string[]): string {
    return this.results.process(lines);
  }

  /** Returns the results of complete lines of ASCII, the last one with its newline, as UTF-8. */
  toBytes(lines: Uint8Array): Uint8Array {
    if (this.bytes !== undefined) return this.bytes.process(lines);
    const text = new TextDecoder('latin1').decode(lines.subarray(0, -1));
    return new TextEncoder().encode(this.to(text.split('\n')));
  }

  /** Counts lines that `toBytes` read by itself. @internal */
  countRead(lines: number): void {
    this.readInBytes += lines;
  }

  private counted<Verdict extends { readonly valid: boolean }>(verdict: Verdict): Verdict {
    if (!verdict.valid) this.invalid++;
    return verdict;
  }
}

/** Returns the fields after the id. */
function motionText({ valid, verdict, limits, constraints, contact }: MotionValidityResult): string {
  const where = contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time };
  return JSON.stringify({ valid, verdict, limits, constraints, contact: where }).slice(1, -1);
}

/**
 * Returns the fields after the id. Formatted without `JSON.stringify` for speed: most states of a long list are valid.
 */
function verdictText(given: StateVerdict): string {
  const { valid, collisions, limits, constraints, clearance, gradient, differentiable } = given;
  const basis = valid
    ? '"valid":true,"collisions":[],"limits":[]'
    : `"valid":false,"collisions":${JSON.stringify(collisions)},"limits":${JSON.stringify(limits)}`;
  const verdict = constraints === undefined ? basis : `${basis},"constraints":${JSON.stringify(constraints)}`;
  if (clearance === undefined) return verdict;
  const known = `${verdict},"clearance":${Number.isFinite(clearance) ? clearance : null}`;
  return gradient ? `${known},"gradient":${JSON.stringify(gradient)},"differentiable":${differentiable}` : known;
}

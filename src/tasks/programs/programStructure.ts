import { hasEvent, hasSegment, type Step, stepName } from '../../core/scene/program.ts';
import { eventOf, isEventOf, statedSignals } from '../../core/scene/programEvents.ts';
import { closedSegments, endBefore } from '../../core/trajectory/closedSegments.ts';
import type { Trajectory, TrajectorySegment } from '../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { eventCalls, stepCall } from '../../formats/trajectories/urscript/stepCalls.ts';

/** Difference between a trajectory and a step of its program. */
export interface StepFault {
  /** Index of the step. */
  readonly step: number;
  /** `step 4 (line "insert"): …` */
  readonly what: string;
}

/** Absolute tolerance of the ends of segments and the times of events, seconds. */
const TIME_TOLERANCE = 1e-9;

/** Compares the segments, events and signals of a trajectory with the steps of its program. */
export class ProgramStructure {
  /** The segments that the trajectory states, without the gaps of rounded times: they divide the motion. */
  readonly segments: readonly TrajectorySegment[];

  constructor(
    private readonly steps: readonly Step[],
    private readonly trajectory: Trajectory,
    private readonly curve: TrajectoryCurve,
    private readonly linkOfTcp: string,
  ) {
    this.segments = closedSegments(trajectory.segments ?? [], curve.start, curve.end);
  }

  /** Returns the end of the last segment before a step, seconds. */
  endBefore(index: number): number {
    const { start, end } = this.curve;
    return Math.min(end, Math.max(start, endBefore(this.segments, index, start))); // may be off by TIME_TOLERANCE
  }

  /**
   * Compares segments, events and signals with the steps: one each, in order, without gaps. Returns the differences;
   * where the tool is at a signal is not compared.
   */
  faults(): StepFault[] {
    const { steps, trajectory } = this;
    const { segments = [] } = trajectory;
    const events = trajectory.events ?? [];
    const timed = steps.filter(hasSegment);
    const instant = steps.filter(hasEvent).length;
    if (segments.length !== timed.length)
      return [faultOf(steps[0], `the trajectory has ${segments.length} segments, the steps need ${timed.length}`)];
    if (events.length !== instant)
      return [faultOf(steps[0], `the trajectory has ${events.length} events, the steps need ${instant}`)];
    return [
      ...this.segmentFaults(timed),
      ...this.eventFaults(),
      ...this.signalFaults(),
      ...callFaults(steps, trajectory.stepCalls, this.linkOfTcp),
    ];
  }

  private segmentFaults(timed: readonly Step[]): StepFault[] {
    const { steps, trajectory, curve } = this;
    const faults: StepFault[] = [];
    let end = curve.start;
    for (const [k, { step, kind, name, from, to }] of (trajectory.segments ?? []).entries()) {
      const wanted = timed[k];
      if (step !== wanted.index || kind !== wanted.kind || name !== wanted.name) {
        const stated = `${kind}${name === undefined ? '' : ` "${name}"`}`;
        faults.push(faultOf(wanted, `segments[${k}] is of step ${step} (${stated})`));
      }
      if (!(Math.abs(from - end) <= TIME_TOLERANCE && to >= from))
        faults.push(faultOf(wanted, `segments[${k}] is from ${from} to ${to} s, the one before it ends at ${end} s`));
      end = to;
    }
    if (!(Math.abs(end - curve.end) <= TIME_TOLERANCE))
      faults.push(faultOf(steps.at(-1), `the segments end at ${end} s, the trajectory at ${curve.end} s`));
    return faults;
  }

  private eventFaults(): StepFault[] {
    const { steps, trajectory, linkOfTcp } = this;
    const events = trajectory.events ?? [];
    const faults: StepFault[] = [];
    let k = 0;
    for (const step of steps) {
      if (!hasEvent(step)) continue;
      const wantedTime = this.endBefore(step.index);
      const { time } = events[k];
      if (!isEventOf(events[k], step, linkOfTcp))
        faults.push(faultOf(step, `events[${k}] is ${JSON.stringify(events[k])}`));
      else if (!(Math.abs(time - wantedTime) <= TIME_TOLERANCE))
        faults.push(faultOf(step, `events[${k}] is at ${time} s, the motion before it ends at ${wantedTime} s`));
      k++;
    }
    return faults;
  }

  private signalFaults(): StepFault[] {
    const { steps, trajectory } = this;
    const { signals = [] } = trajectory;
    const stated = statedSignals(steps);
    if (signals.length !== stated.length) {
      const step = stated[Math.min(signals.length, stated.length - 1)]?.step ?? steps[0];
      return [faultOf(step, `the trajectory has ${signals.length} signals, the steps need ${stated.length}`)];
    }
    const k = signals.findIndex(({ step, on, time }, i) => {
      return step !== stated[i].step.index || on !== stated[i].on || !(time >= (signals[i - 1]?.time ?? time));
    });
    return k < 0 ? [] : [faultOf(stated[k].step, `signals[${k}] is ${JSON.stringify(signals[k])}`)];
  }
}

/**
 * Compares the calls of a script with those of the steps; returns the first difference.
 * @param calls undefined: the trajectory is not that of a script
 */
export function callFaults(
  steps: readonly Step[],
  calls: readonly string[] | undefined,
  linkOfTcp: string,
): StepFault[] {
  if (calls === undefined) return [];
  const wanted = steps.flatMap((step) =>
    [
      ...(hasEvent(step) ? eventCalls(eventOf(step, 0, linkOfTcp)) : []),
      ...(hasSegment(step) ? [stepCall(step.index)] : []),
    ].map((call) => ({ step, call })),
  );
  const k = wanted.findIndex(({ call }, i) => call !== calls[i]);
  if (k < 0 && calls.length === wanted.length) return [];
  if (k < 0) return [faultOf(steps.at(-1), `the script calls ${calls[wanted.length]} after it`)];
  return [faultOf(wanted[k].step, `the script calls ${calls[k] ?? 'nothing'} instead of ${wanted[k].call}`)];
}

/** Returns a fault of a step; undefined: of a program without steps. */
export function faultOf(step: Step | undefined, what: string): StepFault {
  const place = step === undefined ? 'the program' : stepName(step);
  return { step: step?.index ?? 0, what: `${place}: ${what}` };
}

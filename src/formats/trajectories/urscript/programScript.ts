import type {
  Trajectory,
  TrajectoryEvent,
  TrajectorySegment,
  TrajectorySignal,
} from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { setPointTimes } from './setPoints.ts';
import { decimal, eventCalls, ON_ATTACH, ON_DETACH, ON_SIGNAL, ON_STEP, signalCall, stepCall } from './stepCalls.ts';

/**
 * Control cycles for which the last set point before an event is repeated: the arm trails its set points by the
 * lookahead time of servoj, 0.1 s.
 */
const SETTLING_CYCLES = 60;
/** Deceleration of stopj, rad/s²; at rest. */
const STOP = 'stopj(1.4)';

/**
 * Writes the statements of a program: definitions of the functions that events call, then for each motion a call with
 * the index of its step and a stream of set points, and for each wait a sleep. The set points at both ends of a motion
 * from or to rest are repeated, so that readers recognize the rest. The call of a signal follows the first set point at
 * or after its time.
 * @param servoj returns the statement of a set point
 */
export function programStatements(trajectory: Trajectory, servoj: (q: ArrayLike<number>) => string): string[] {
  const { segments = [], events = [], signals = [] } = trajectory;
  const steps = [...events, ...segments].sort((one, other) => one.step - other.step);
  const stream = new SetPointStream(trajectory, servoj);
  const statements = steps.flatMap((one, i) =>
    'kind' in one ? [...stream.segment(one, isStop(steps[i + 1]))] : eventCalls(one),
  );
  return [...definitions(events, signals.length > 0), ...statements, ...(segments.length > 0 ? [] : stream.atStart())];
}

/** True if the arm must have arrived before what follows a motion. */
const isStop = (next: TrajectorySegment | TrajectoryEvent | undefined) =>
  next === undefined || !('kind' in next) || next.kind === 'wait';

/** Returns the definitions of the functions that a program calls, with that of signals if it has any. */
export function definitions(events: readonly TrajectoryEvent[], hasSignals = false): string[] {
  const called = events.flatMap(eventCalls).map((call) => call.slice(0, call.indexOf('(')));
  const outputs = [...new Set(called)].filter((name) => name.startsWith('on_set_'));
  const define = (head: string, text: string, value: string) => [
    `def ${head}:`,
    `  textmsg("${text} ", ${value})`,
    'end',
  ];
  return [
    '# Functions that the program calls: write into them what the tool does. They must not move the arm.',
    ...define(`${ON_STEP}(index)`, 'step', 'index'),
    ...(called.includes(ON_ATTACH) ? define(`${ON_ATTACH}(object, link)`, 'attach', 'object') : []),
    ...(called.includes(ON_DETACH) ? define(`${ON_DETACH}(object)`, 'detach', 'object') : []),
    ...(hasSignals ? define(`${ON_SIGNAL}(on)`, 'signal', 'on') : []),
    ...outputs.flatMap((name) => define(`${name}(value)`, name.slice('on_'.length).replaceAll('_', ' '), 'value')),
  ];
}

/** Set points of a trajectory, by segment. */
class SetPointStream {
  private readonly curve: TrajectoryCurve;
  private readonly times: readonly number[];
  private readonly q: Float64Array;
  private readonly rates: Float64Array;
  private readonly signals: readonly TrajectorySignal[];
  private next = 1;
  private nextSignal = 0;
  private isStarted = false;

  constructor(
    trajectory: Trajectory,
    private readonly servoj: (q: ArrayLike<number>) => string,
  ) {
    this.curve = new TrajectoryCurve(trajectory);
    this.signals = trajectory.signals ?? [];
    this.times = setPointTimes(trajectory);
    this.q = new Float64Array(this.curve.dof);
    this.rates = new Float64Array(this.curve.dof);
  }

  /** Writes one segment. @param stops true if the arm must have arrived at its end */
  *segment({ step, kind, name, from, to }: TrajectorySegment, stops: boolean): Generator<string> {
    const label = name === undefined ? kind : `${kind} ${JSON.stringify(name).replace(/[^\x20-\x7e]/g, '?')}`;
    yield `# step ${step}: ${label}`;
    yield stepCall(step);
    yield* this.atStart();
    if (kind === 'wait') {
      while (this.times[this.next] <= to) this.next++;
      if (to > from) yield `sleep(${decimal(to - from)})`;
      return;
    }
    if (!(to > from) && !stops) return;
    if (this.isAtRest(from)) yield this.setPoint(from);
    yield* this.signalsAt(step, from);
    for (; this.times[this.next] <= to; this.next++) {
      yield this.setPoint(this.times[this.next]);
      yield* this.signalsAt(step, this.times[this.next]);
    }
    if (!this.isAtRest(to)) return;
    for (let i = 0; i < (stops ? SETTLING_CYCLES : 1); i++) yield this.setPoint(to);
    if (stops) yield STOP;
  }

  /** Writes the first set point of the program, once. */
  *atStart(): Generator<string> {
    if (!this.isStarted) yield this.setPoint(this.curve.start);
    this.isStarted = true;
  }

  /** Writes the calls of the signals of a step up to the time of the last set point. */
  private *signalsAt(step: number, time: number): Generator<string> {
    const { signals } = this;
    for (; signals[this.nextSignal]?.step === step && signals[this.nextSignal].time <= time; this.nextSignal++)
      yield signalCall(signals[this.nextSignal].on);
  }

  private setPoint(time: number): string {
    this.curve.position(this.q, time);
    return this.servoj(this.q);
  }

  private isAtRest(time: number): boolean {
    this.curve.velocity(this.rates, time);
    return this.rates.every((rate) => Math.abs(rate) <= REST);
  }
}

/** rad/s: velocities that are rounding errors. */
const REST = 1e-12;

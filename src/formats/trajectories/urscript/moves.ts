import { PI } from '../../../core/math/trigonometry.ts';
import type { ProgramMove, ProgramWait } from '../../../core/scene/moves/moveProgram.ts';
import type { ScriptArm } from './scriptArm.ts';
import { isEventFunction, ON_SIGNAL, ON_STEP, signalCall } from './stepCalls.ts';
import { ScriptProblem } from './tokens.ts';

/** An executed motion statement. */
export interface Move {
  readonly name: 'movej' | 'servoj';
  readonly positions: readonly number[];
  /** Seconds. Duration of a servoj or of a rest, 0 for movej. */
  readonly t: number;
  readonly line: number;
  /** Index of the step of a program. */
  readonly step?: number;
}

/** A call of a function that begins a step of a program, or of one that belongs to an event. */
export interface StepCall {
  readonly name: string;
  /** Returns the whole call, as `callText` writes it. */
  readonly text: () => string;
  readonly line: number;
}

/**
 * rad/s. An arm whose last set points are slower is considered at rest: at the default deceleration of 1.4 rad/s² it
 * stops within 0.15 mrad.
 */
const REST_SPEED = 0.02;
/** Seconds: rounding of sums of durations. */
const TIME_ROUNDING = 1e-9;
/** rad/s. Speed of the fastest joint of the series (180°/s), with tolerance for rounding. */
const MAX_SPEED = PI * 1.001;

/**
 * Records the moves of a program and rejects sequences in which the arm leaves the straight lines between the points: a
 * stream of set points that is interrupted or ends at speed, and a jump to the first set point of a stream.
 */
export class MoveRecorder {
  readonly moves: Move[] = [];
  /** Of a program: the texts of calls that begin steps or belong to events, in the order of execution. */
  readonly calls: string[] = [];
  /** Of a program: the signals of its tool paths, and the number of moves before each of them. */
  readonly signals: { readonly step: number; readonly moves: number; readonly on: boolean }[] = [];
  /** Of a program of moves: its rests. */
  readonly waits: ProgramWait[] = [];
  /** The statement that ended the preceding stream of set points. */
  private ended: { readonly name: string; readonly line: number } | undefined;
  /** Seconds. The largest lookahead time of servoj so far: the arm trails its set points by so much. */
  private lookahead = 0;
  /** The event function that is being executed. */
  private active: string | undefined;
  /** The step that moves belong to; undefined before the first one, and after an event. */
  private step: number | undefined;

  /**
   * @param isProgram true if the script is one of steps and events: it defines `ON_STEP`
   * @param arm records the moves of a program of moves, instead of `moves`
   */
  constructor(
    private readonly isProgram = false,
    readonly arm?: ScriptArm,
  ) {}

  movej(positions: readonly number[], line: number): void {
    if (this.isProgram)
      throw new ScriptProblem(line, `movej in a program of ${ON_STEP}`, 'Its duration is not known: use servoj.');
    this.requireRest('movej', line);
    this.ended = undefined;
    this.moves.push({ name: 'movej', positions, t: 0, line });
  }

  /** Records a move of a program of moves. */
  move(move: Omit<ProgramMove, 'frame' | 'step'>): void {
    if (this.isProgram) this.requireStep(move.kind, move.line);
    this.arm!.move({ ...move, ...(this.step !== undefined && { step: this.step }) });
  }

  servoj(positions: readonly number[], t: number, lookahead: number, line: number): void {
    if (this.arm)
      throw new ScriptProblem(line, 'servoj in a program of moves', 'Its path depends on where the arm is.');
    this.lookahead = Math.max(this.lookahead, lookahead);
    if (this.isProgram) this.requireStep('servoj', line);
    if (this.ended !== undefined && !(this.isProgram && this.isResting(positions)))
      throw new ScriptProblem(
        this.ended.line,
        `${this.ended.name} between two servoj`,
        'The arm leaves its line if set points are interrupted: send them without interruption, or continue with ' +
          'movej.',
      );
    this.ended = undefined;
    this.push(positions, t, line);
  }

  /**
   * Records a statement that takes time or stops the arm. Stops, and those in programs of steps, need an arm at rest.
   * @param duration of the rest, seconds; undefined: not known
   */
  pause(name: string, line: number, duration?: number, isStop = false): void {
    if (this.arm) {
      if (isStop || this.isProgram) this.arm.requireRest(name, line);
      this.arm.wait();
      const step = this.active === undefined && this.step !== undefined ? { step: this.step } : {};
      if (duration !== 0) this.waits.push({ after: this.arm.moves.length, line, name, duration, ...step });
    }
    if (this.moves.at(-1)?.name === 'servoj') this.ended ??= { name, line };
  }

  /** Records a pause of known duration, seconds: in a step of a program the arm rests. */
  sleep(t: number, line: number): void {
    this.pause('sleep', line, t);
    if (!this.isProgram || this.active !== undefined || t === 0) return;
    this.requireStep('sleep', line);
    if (this.arm) return;
    const last = this.moves.at(-1)?.positions;
    if (last === undefined || !this.isResting(last))
      throw new ScriptProblem(line, 'sleep while the arm moves', 'Repeat the last set point before it.');
    this.push(last, t, line);
  }

  /**
   * Writes the state of an arm at rest that further moves depend on. Undefined while it moves, and in a program of
   * steps, whose calls are compared with the scene.
   */
  get restText(): string | undefined {
    if (this.isProgram) return undefined;
    if (this.arm) return this.arm.restText;
    const last = this.moves.at(-1);
    return last?.name === 'servoj' ? undefined : JSON.stringify(last?.positions ?? 'start');
  }

  /** Number of moves and calls so far. */
  get effects(): number {
    return this.moves.length + this.calls.length + this.signals.length + (this.arm?.moves.length ?? 0);
  }

  /**
   * Records the call of a function, and returns a function to be called at its end. A function that begins a step or
   * belongs to an event must not move the arm, and the next move belongs to another step.
   */
  enter(call: StepCall): () => void {
    if (!this.isProgram || !isEventFunction(call.name)) return noEvent;
    if (this.active !== undefined)
      throw new ScriptProblem(call.line, `${call.name} within ${this.active}`, 'Call it in the program, at its event.');
    if (call.name === ON_SIGNAL) this.signal(call);
    else this.record(call);
    this.active = call.name;
    return () => {
      this.active = undefined;
    };
  }

  /** Records an output that the program sets, unless a function of `enter` does. */
  output(call: StepCall): void {
    if (this.isProgram && this.active === undefined) this.record(call);
  }

  private signal({ text, line, name }: StepCall): void {
    if (this.arm) throw new ScriptProblem(line, `${name} in a program of moves`, 'Its time is not known: use servoj.');
    this.requireStep(name, line);
    const on = [true, false].find((value) => signalCall(value) === text());
    if (on === undefined)
      throw new ScriptProblem(line, `${text().slice(0, 60)}: no truth value`, 'Give True or False.');
    if (this.moves.length === 0) throw new ScriptProblem(line, `${name} before the first servoj`);
    this.signals.push({ step: this.step!, moves: this.moves.length, on });
  }

  private record(call: StepCall): void {
    this.arm?.requireRest(call.name, call.line);
    if (call.name !== ON_STEP && this.restTime() < this.lookahead - TIME_ROUNDING)
      throw new ScriptProblem(
        call.line,
        `${call.name} before the arm has arrived`,
        `It trails its set points by the lookahead time: repeat the last one for at least ${this.lookahead} s.`,
      );
    const text = call.text();
    this.calls.push(text);
    this.step = call.name === ON_STEP ? Number(/^\w+\((\d+)\)$/.exec(text)?.[1] ?? Number.NaN) : undefined;
    if (Number.isNaN(this.step))
      throw new ScriptProblem(call.line, `${text.slice(0, 60)} names no step`, 'Give the index of a step.');
  }

  /**
   * Returns the time, seconds, for which the last set point has been repeated; Infinity if all set points are equal.
   */
  private restTime(): number {
    const { moves } = this;
    const last = moves.at(-1)?.positions;
    let time = 0;
    for (let i = moves.length - 1; i > 0; i--) {
      if (!moves[i - 1].positions.every((value, j) => value === last![j])) return time;
      time += moves[i].t;
      if (time >= this.lookahead) return time;
    }
    return Number.POSITIVE_INFINITY;
  }

  private requireStep(what: string, line: number): void {
    if (this.active !== undefined)
      throw new ScriptProblem(line, `${what} within ${this.active}`, 'Functions of events must not move the arm.');
    if (this.step === undefined)
      throw new ScriptProblem(
        line,
        `${what} outside of the steps`,
        `Call ${ON_STEP} with the index of its step first.`,
      );
  }

  private push(positions: readonly number[], t: number, line: number): void {
    const { step } = this;
    this.moves.push({ name: 'servoj', positions, t, line, ...(step !== undefined && { step }) });
  }

  /** True if the last set points are equal to each other and to these positions, so that the arm is at rest there. */
  private isResting(positions: readonly number[]): boolean {
    return this.moves.slice(-2).every((move) => move.positions.every((value, j) => value === positions[j]));
  }

  /** Checks the complete program: its last set points and the speed of each set point. */
  finish(): void {
    const { moves } = this;
    if (moves.every(({ name }) => name === 'servoj') || moves.every(({ name }) => name === 'movej')) return;
    this.requireRest('the end of the program', moves[moves.length - 1].line);
    for (const [i, { name, line }] of moves.entries()) {
      const speed = name === 'servoj' && i > 0 ? speedTo(moves, i) : 0;
      if (speed <= MAX_SPEED) continue;
      throw new ScriptProblem(
        line,
        `servoj to a point that requires ${speed.toPrecision(3)} rad/s`,
        'No joint is that fast: the arm would leave its straight line. Move to the first set point with movej.',
      );
    }
  }

  private requireRest(what: string, line: number): void {
    const { moves } = this;
    const last = moves.length - 1;
    if (last < 0 || moves[last].name !== 'servoj') return;
    const speed = last === 0 ? 0 : speedTo(moves, last);
    if (speed <= REST_SPEED) return;
    throw new ScriptProblem(
      line,
      `${what} while the arm moves at ${speed.toPrecision(3)} rad/s`,
      'Let the last set points of servoj slow down to rest.',
    );
  }
}

const noEvent = () => undefined;

/** Returns the maximum joint speed (rad/s) between points i − 1 and i. */
function speedTo(moves: readonly Move[], i: number): number {
  const [before, { positions, t }] = [moves[i - 1], moves[i]];
  return Math.max(...positions.map((value, j) => Math.abs(value - before.positions[j]) / t));
}

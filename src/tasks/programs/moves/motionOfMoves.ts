import { type MoveSet, walk } from '../../../core/cartesian/moves/moveSet.ts';
import type { ProgramPart } from '../../../core/cartesian/moves/programSets.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { MoveProgram, ProgramMove, ProgramWait } from '../../../core/scene/moves/moveProgram.ts';
import type { Trajectory, TrajectoryPoint } from '../../../core/trajectory/trajectory.ts';
import { InputError } from '../../../errors.ts';
import type { World } from '../../world.ts';
import { completeProgram } from '../completeProgram.ts';
import { ProgramJudge } from './moveJudge.ts';

/** One motion by which a controller may execute a program of moves. */
export interface MovesMotion {
  /** Timed; with the segments and events of a scene with steps. */
  readonly trajectory: Trajectory;
  /** Properties that the manual leaves open, one line each; if there are any, other motions are possible. */
  readonly open: readonly string[];
}

/** Seconds between the points of lines and arcs, and of joint moves, which cubics express exactly. */
const [INTERVAL, JOINT_INTERVAL] = [0.01, 0.05];
/** Fraction of a line: half of the difference by which its derivative is computed. */
const DIFFERENCE = 1e-4;
/** m/rad: a turn of the tool takes the time of a line of this length. */
const TURN_LENGTH = 0.3;
/** Limit of the points of a motion: more than an hour of lines. */
const MAX_POINTS = 500_000;
/** Points of a blend. */
const BLEND_POINTS = 16;
/** rad, m: shorter moves are skipped. */
const STILL = 1e-9;

/**
 * Returns a motion of a program of moves: each move from rest to rest with the trapezoidal profile of its speed and
 * acceleration. What the manual leaves open is assumed, and stated: turns are in step with lines, moves with a time
 * have a triangular profile, and blends are parabolas in joint space. Throws `InputError` if it has too many points, or
 * if the scene has steps and the program begins none.
 * @param place prefix of messages
 */
export function motionOfMoves(world: World, program: MoveProgram, place: string): MovesMotion {
  return new MotionWriter(world, program, place).motion();
}

/** Profile from rest to rest: times at which the acceleration changes; share of the length and its rate at a time. */
interface Profile {
  readonly times: readonly number[];
  at(time: number): { readonly share: number; readonly rate: number };
}

class MotionWriter {
  private readonly points: TrajectoryPoint[] = [];
  private readonly pointSteps: number[] = [];
  private readonly open: string[] = [];
  private readonly judge: ProgramJudge;
  private time = 0;

  constructor(
    private readonly world: World,
    private readonly program: MoveProgram,
    private readonly place: string,
  ) {
    this.judge = new ProgramJudge(world, program);
  }

  motion(): MovesMotion {
    const { place } = this;
    const { moves, waits = [], stepCalls } = this.program;
    const { parts, states } = this.judge;
    const { robot, scene } = this.world;
    if (scene.steps && !stepCalls)
      throw new InputError(
        `${place}: the scene has steps, but the script begins none`,
        'Call on_step(INDEX) before the moves of each step.',
      );
    const first = waits.find(({ after }) => after === 0)?.step ?? moves[0].step;
    this.add(
      states[0],
      states[0].map(() => 0),
      first,
    );
    for (const [i, part] of parts.entries()) {
      if (part.isBlend) this.blend(part, parts[i - 1], parts[i + 1]);
      else {
        for (const wait of waits) if (wait.after === part.move) this.rest(wait);
        this.line(part, moves[part.move]);
      }
    }
    for (const wait of waits) if (wait.after === moves.length) this.rest(wait);
    const { open, points, pointSteps } = this;
    const isKnown = open.length === 0;
    const motion: Trajectory = {
      jointNames: robot.variables.map(({ name }) => name),
      points: isKnown ? points : points.map(({ velocities: _, ...point }) => point),
      interpolation: isKnown ? 'cubic' : 'linear',
      scene: scene.name,
      ...(scene.steps && { pointSteps }),
    };
    const { pointSteps: _, ...trajectory } = completeProgram(motion, robot, scene, place);
    return { trajectory, open };
  }

  private add(q: Configuration, rates: ArrayLike<number>, step: number | undefined): void {
    this.points.push({ time_from_start: this.time, positions: Array.from(q), velocities: Array.from(rates) });
    this.pointSteps.push(step ?? -1);
  }

  private rest({ line, name, duration, step }: ProgramWait): void {
    if (duration === undefined) this.open.push(`line ${line}: how long ${name} takes is not known`);
    else if (this.world.scene.steps && step === undefined)
      this.open.push(`line ${line}: ${name} within a function of an event is no step of the scene`);
    else {
      const { positions } = this.points[this.points.length - 1];
      this.time += duration;
      this.add(
        Float64Array.from(positions),
        positions.map(() => 0),
        step,
      );
    }
  }

  /** Adds the states of a move between its blends. */
  private line(part: ProgramPart, move: ProgramMove): void {
    const { set, q } = part;
    const travel = this.travelOf(part);
    if (set === undefined) this.open.push(`line ${move.line}: ${part.reason}`);
    if (set === undefined || !(travel > STILL)) return;
    if (set.origin.length > 1) this.open.push(`line ${move.line}: the manual does not state when the tool turns`);
    if (move.time > 0)
      this.open.push(`line ${move.line}: the manual does not state how a move with a time t accelerates`);
    const profile = profileOf(move, travel);
    const [from, to] = [shareAt(set, -1), shareAt(set, 1)];
    const begin = timeAt(profile, from);
    const end = timeAt(profile, to);
    const changes = profile.times.filter((time) => time > begin && time < end);
    const interval = move.joints ? JOINT_INTERVAL : INTERVAL;
    if (!(this.points.length + (end - begin) / interval <= MAX_POINTS))
      throw new InputError(
        `${this.place}: line ${move.line}: the motion has more than ${MAX_POINTS} points, one per ${interval} s`,
        'State higher speeds.',
      );
    const times = [begin, ...changes, end].flatMap((time, k, all) =>
      k > 0 ? between(all[k - 1], time, interval) : [],
    );
    const start = this.time - begin;
    let at = { state: this.stateAt(set, q, set.origin[0], from), share: from };
    for (const time of times) {
      const { share, rate } = time === end ? { share: to, rate: profile.at(end).rate } : profile.at(time);
      at = { state: this.stateAt(set, at.state, at.share, share), share };
      this.time = start + time;
      this.add(at.state, this.ratesAt(set, at.state, share, rate), move.step);
    }
  }

  /** Returns the length to which the speed and acceleration of a move refer, m or rad. */
  private travelOf({ q, move }: ProgramPart): number {
    const { length, angle } = this.judge.sets.travelOf(q, this.program.moves[move]);
    return Math.max(length, TURN_LENGTH * angle);
  }

  private stateAt(set: MoveSet, q: Configuration, from: number, to: number): Configuration {
    const [begin, end] = [from, to].map((share) => set.origin.map(() => share));
    return walk(set, q, begin, end) ?? q; // the judge has followed the move
  }

  private ratesAt(set: MoveSet, q: Configuration, share: number, rate: number): number[] {
    const [low, high] = [Math.max(0, share - DIFFERENCE), Math.min(1, share + DIFFERENCE)];
    const [before, after] = [low, high].map((other) => this.stateAt(set, q, share, other));
    return Array.from(after, (value, j) => (rate * (value - before[j])) / (high - low));
  }

  /** Adds a parabola from the end of one move to the start of the next one about the corner between them. */
  private blend({ move, q: corner }: ProgramPart, before: ProgramPart, next: ProgramPart | undefined): void {
    const one = this.program.moves[move];
    this.open.push(`line ${one.line}: the manual does not state the motion within a blend`);
    const { set, q } = next ?? {};
    if (!set || !q) return;
    const first = Float64Array.from(this.points[this.points.length - 1].positions);
    const last = this.stateAt(set, q, set.origin[0], shareAt(set, -1));
    // a parabola begins and ends with twice its mean speed: at least the times that keep the speeds of both moves
    const times = [before, next!].map((part, k) => {
      const share = part.set ? shareAt(part.set, k === 0 ? 1 : -1) : 1 - k;
      const travel = this.travelOf(part);
      if (!(travel > STILL)) return 0;
      const profile = profileOf(this.program.moves[part.move], travel);
      const way = k === 0 ? 1 - share : share;
      return way > 0 ? (2 * way) / profile.at(timeAt(profile, share)).rate : 0;
    });
    const duration = Math.max(...times, STILL);
    const begin = this.time;
    for (let k = 1; k <= BLEND_POINTS; k++) {
      const x = k / BLEND_POINTS;
      this.time = begin + x * duration;
      const state = corner.map(
        (value, j) => value + (1 - x) * (1 - x) * (first[j] - value) + x * x * (last[j] - value),
      );
      this.add(state, [], one.step);
    }
  }
}

/** Returns the share of a move at the beginning (-1) or the end (1) of a part. */
const shareAt = ({ root: { at, half } }: MoveSet, side: number) => at[0] + side * half[0];

/** Returns times after one time until another, at most an interval apart. */
function between(begin: number, end: number, interval: number): number[] {
  const count = end - begin > STILL ? Math.ceil((end - begin) / interval) : 0;
  return Array.from({ length: count }, (_, k) => (k + 1 < count ? begin + ((k + 1) / count) * (end - begin) : end));
}

/** Returns the trapezoidal profile of a move of a length; the triangular one of a move with a time. */
function profileOf({ acceleration, speed, time }: ProgramMove, length: number): Profile {
  const a = time > 0 ? (4 * length) / (time * time) : acceleration;
  const peak = Math.min(time > 0 ? Number.POSITIVE_INFINITY : speed, Math.sqrt(a * length));
  const ramp = peak / a;
  const end = ramp + length / peak;
  const at = (t: number) => {
    if (t <= ramp) return { share: (0.5 * a * t * t) / length, rate: (a * t) / length };
    if (t <= end - ramp) return { share: (peak * (t - 0.5 * ramp)) / length, rate: peak / length };
    return { share: 1 - (0.5 * a * (end - t) * (end - t)) / length, rate: (a * (end - t)) / length };
  };
  return { times: end - 2 * ramp > STILL ? [0, ramp, end - ramp, end] : [0, 0.5 * end, end], at };
}

/** Returns the time at which a profile reaches a share of its length. */
function timeAt({ times, at }: Profile, share: number): number {
  if (share <= 0) return 0;
  let [low, high] = [0, times[times.length - 1]];
  if (share >= 1) return high;
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high);
    if (at(middle).share < share) low = middle;
    else high = middle;
  }
  return high;
}

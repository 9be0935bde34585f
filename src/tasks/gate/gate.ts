import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { requireSingleMotion } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { MotionLimits, Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import {
  type ProposedPoint,
  readMeasured,
  readPoints,
  type SceneChange,
  timeOf,
} from '../../formats/streams/gateMessages.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { Commitment, NONE } from './commitment.ts';
import { CommittedStops } from './committedStops.ts';
import { CubicCurve, type Knot, knotOf } from './cubicCurve.ts';
import { withDetour } from './detour.ts';
import { displacement } from './displacement.ts';
import {
  contactText,
  detoured,
  type GateAnswer,
  type GateVerdict,
  type Refusal,
  reasonOf,
  seconds,
} from './gateAnswer.ts';
import { type GateOptions, gateDefaults, requireGateOptions } from './gateOptions.ts';
import { type GateContact, GateWorld } from './gateWorld.ts';
import { type Joined, joinsOf, leavingTime, proposedCurve } from './joins.ts';
import { MotionFaults } from './motionFaults.ts';
import { slowerPaces, stopsBefore, withStop } from './paths.ts';

export { type GateOptions, gateDefaults } from './gateOptions.ts';

/**
 * Judges motions that others propose while a robot executes the motion that was committed before, which always ends at
 * rest and is certified in the world as it was seen last. Times are those of messages; there is no clock.
 */
export class Gate {
  /** Robot of the scene. */
  readonly robot: RobotModel;
  private readonly world: GateWorld;
  private readonly names: readonly string[];
  private readonly options: GateOptions;
  private readonly faults: MotionFaults;
  private readonly commitment: Commitment;
  private readonly stops: CommittedStops;

  /** Throws `InputError` if the scene is a program, has no start, or is in collision there. */
  constructor(
    private readonly problem: Problem,
    options: Partial<GateOptions> = {},
  ) {
    const { scene } = problem;
    this.options = { ...gateDefaults, ...options };
    requireGateOptions(this.options);
    requireSingleMotion(scene, 'gate');
    this.robot = createSceneRobot(problem);
    this.names = this.robot.variables.map(({ name }) => name);
    const start = startStateOf(this.robot, scene);
    if (start === undefined) throw new InputError('the scene has no start', 'State where the robot is at time 0.');
    this.world = new GateWorld(this.robot, scene);
    const rest = { q: Float64Array.from(start.q), v: new Float64Array(start.q.length) };
    const first = new CubicCurve(this.names, [knotOf(0, rest)]);
    this.faults = new MotionFaults(this.robot, scene, () => !(--this.world.checksLeft > 0));
    this.commitment = new Commitment(this.world, this.faults, first, this.options.keepsExecuted);
    this.stops = new CommittedStops(this.world, this.commitment, this.faults, this.options);
    const refusal = this.commitment.judge(first, NONE, true);
    if (refusal === undefined) this.stops.commit(first);
    else if (refusal.contact !== undefined && refusal.contact.time > 0 && refusal.faults.length === 0)
      this.stops.see(this.world.names); // the first answer reports it, unless a proposal avoids it
    else throw new InputError(`the robot cannot be at its start: ${reasonOf(refusal)}`);
  }

  /** The committed motion, from at most two points before the last message on. */
  get committed(): Trajectory {
    return this.current.trajectory;
  }

  /** All that was executed and is committed. Throws unless `keepsExecuted` is set. */
  get executed(): Trajectory {
    if (!this.options.keepsExecuted) throw new Error('the gate does not keep what was executed');
    const points = [...this.commitment.history, ...this.current.knots];
    return { jointNames: this.names, points, interpolation: 'cubic' };
  }

  /** The scene as it was seen last. */
  get scene(): Scene {
    return this.world.scene;
  }

  /** Time of the last message. */
  get time(): number {
    return this.commitment.now;
  }

  private get current(): CubicCurve {
    return this.commitment.current;
  }

  /** Judges a proposal. Throws `InputError` for points that cannot be read, and for times before the last message. */
  propose(now: number, given: readonly ProposedPoint[]): GateAnswer {
    const points = readPoints(given, this.names);
    this.begin(now);
    const proposal = proposedCurve(this.names, points, this.current);
    const earliest = now + this.options.lead;
    const t = leavingTime(this.current, now, Math.max(points[0].time, earliest), proposal);
    const last = points[points.length - 1].time;
    if (points.length > 1 ? last <= t : last < t)
      return this.refused(proposal, { reason: `late: it ends ${seconds(t - last)} s before it can begin` });
    let first: Refusal | undefined;
    for (const joined of joinsOf(this.current, proposal, t, this.faults.limits)) {
      const answer = this.judgeJoined(joined, proposal);
      if ('verdict' in answer) return answer;
      first ??= answer;
      if (answer.isOver) break;
    }
    if (first) return this.refused(proposal, { reason: reasonOf(first), contact: first.contact });
    const late = Math.max(0, earliest - points[0].time);
    const reason = `it cannot be joined to the committed motion${late > 0 ? `, ${seconds(late)} s late` : ''}`;
    return this.refused(proposal, { reason });
  }

  /**
   * Judges the committed motion in a world that changed. Throws `InputError`, and changes nothing, if a change is not
   * possible.
   */
  change(now: number, changes: readonly SceneChange[]): GateAnswer {
    this.requireTime(now);
    return this.see(now, this.world.after(changes, { now, q: this.current.at(now).q }));
  }

  /**
   * Judges the committed motion in a scene that differs in its objects, allowed pairs and clearances. Throws
   * `InputError`, and changes nothing, if it cannot be checked, or differs in more. Objects that are the same
   * JavaScript objects as before count as not seen again.
   */
  see(now: number, scene: Scene): GateAnswer {
    this.requireTime(now);
    const hasNewLoads = this.faults.changesLoads(this.scene, scene);
    const names = this.world.see(scene, now);
    if (hasNewLoads) this.faults.follow(scene);
    this.begin(now);
    this.stops.see(names, hasNewLoads);
    return this.stops.rejudge();
  }

  /**
   * Advances the time. Judges the committed motion if that was not finished before. Stops the robot if it is farther
   * from the committed motion than `tracking` of the scene. Throws `InputError` for joint values that cannot be read.
   * @param given measured joint values at that time
   */
  tick(now: number, given?: readonly number[]): GateAnswer {
    const { tracking } = this.world.scene;
    const measured = given === undefined ? undefined : readMeasured(given, this.names);
    if (measured !== undefined && tracking === undefined)
      throw new InputError('q is given, but the scene states no tracking', 'State it, for example tracking: 1 mm.');
    this.begin(now);
    const answer = this.stops.rejudge();
    if (measured === undefined || answer.verdict !== 'held') return answer;
    const { q } = this.current.at(now);
    if (displacement(this.world.world, q, measured) <= tracking!) return answer;
    const off = q.map((value, j) => Math.abs(value - measured[j]));
    const joint = off.indexOf(off.reduce((most, value) => Math.max(most, value)));
    const reason = `${this.names[joint]} is ${seconds(off[joint])} off the committed motion`;
    return this.stops.stopCertified(reason) ?? { ...this.commitment.answer('stopping'), reason };
  }

  /** Commits a joined proposal, slower or in part if necessary; otherwise returns why not. */
  private judgeJoined(joined: Joined, proposal: CubicCurve): GateAnswer | Refusal {
    const { knots, follows } = joined;
    const from = knots[0].time_from_start;
    const before = this.current.until(from);
    const withBody = (body: readonly Knot[]) => [...before, ...body.slice(1)];
    const bodyEnd = knots[knots.length - 1].time_from_start;
    const { motion: whole, refusal, limits } = this.judgeWithStop(withBody(knots), bodyEnd);
    const isLeftOut = follows > proposal.curve.start && !this.world.dependsOnTime;
    const skipped = isLeftOut ? this.contactOn(proposal, follows) : undefined;
    const commit = (motion: CubicCurve, verdict: GateVerdict, movesUntil: number, why: Partial<GateAnswer>) => {
      this.stops.commit(motion); // it was judged with all pairs
      return {
        ...this.commitment.answer(skipped ? 'trimmed' : verdict, from),
        movesUntil,
        ...why,
        ...(skipped && { pair: skipped.pair, reason: contactText(skipped) }),
      };
    };
    if (refusal === undefined) {
      if (joined.isExact) return commit(whole, 'accepted', bodyEnd, {});
      const reason = `it begins elsewhere: joined within ${seconds(knots[1].time_from_start - from)} s`;
      return commit(whole, 'slowed', bodyEnd, { reason });
    }
    const why = { reason: reasonOf(refusal), ...(refusal.contact && { pair: refusal.contact.pair }) };
    const path = new CubicCurve(this.names, knots);
    const timeOf = (one: Refusal) => Math.min(one.contact?.time ?? bodyEnd, ...one.faults.map(({ time }) => time));
    const isBodyFree = refusal.contact === undefined || refusal.contact.time > bodyEnd || this.world.dependsOnTime;
    if (isBodyFree && !refusal.isOver)
      for (const slower of slowerPaces(path, refusal.faults, limits)) {
        const motion = withStop(this.names, withBody(slower), limits);
        if (this.commitment.certifies(motion, 'limits'))
          return commit(motion, 'slowed', slower.at(-1)!.time_from_start, why);
        if (!(this.world.checksLeft > 0)) return { ...refusal, isOver: true };
      }
    for (const { body, keeps } of stopsBefore(path, Math.min(bodyEnd, timeOf(refusal)), limits)) {
      const motion = withStop(this.names, withBody(body), limits);
      if (this.commitment.certifies(motion, 'collisions')) {
        const around = refusal.contact && this.detour(motion, whole, knots);
        return around ? detoured(commit(around, 'trimmed', keeps, why)) : commit(motion, 'trimmed', keeps, why);
      }
      if (!(this.world.checksLeft > 0)) return { ...refusal, isOver: true };
    }
    const isAtRest = knots[0].velocities.every((v) => v === 0);
    const around = isAtRest && refusal.contact && this.detour(new CubicCurve(this.names, before), whole, knots);
    return around ? detoured(commit(around, 'trimmed', from, why)) : refusal;
  }

  /** Judges a motion with a stop from its end; tries slower stops if only the stop exceeds limits. */
  private judgeWithStop(knots: readonly Knot[], bodyEnd: number) {
    const isOfStop = ({ faults, contact, isOver }: Refusal) =>
      contact === undefined && !isOver && faults.every(({ time }) => time > bodyEnd);
    const judged = (limits: MotionLimits) => {
      const motion = withStop(this.names, knots, limits);
      return { motion, refusal: this.commitment.judge(motion, NONE, true), limits };
    };
    const [first, ...slower] = this.faults.stopLimits;
    let last = judged(first);
    for (const limits of slower) if (last.refusal && isOfStop(last.refusal)) last = judged(limits);
    return last;
  }

  /** Returns a certified motion that continues another one to the end of a proposal, or of the stop from there. */
  private detour(motion: CubicCurve, whole: CubicCurve, knots: readonly Knot[]): CubicCurve | undefined {
    if (!this.options.repair) return undefined;
    const goals = [whole.knots, knots].map((list) => list[list.length - 1].positions);
    const around = withDetour(this.problem, this.world, motion, goals);
    return around && this.commitment.certifies(around, 'limits') ? around : undefined;
  }

  /** Returns the first contact of a proposal before one of its times, in the world as it is. */
  private contactOn(proposal: CubicCurve, until: number): GateContact | undefined {
    const part = new CubicCurve(this.names, proposal.until(until));
    const verdict = this.world.prove(part, part.curve.start);
    return typeof verdict === 'string' ? undefined : verdict;
  }

  private refused(
    proposal: CubicCurve,
    { reason, contact }: { readonly reason: string; readonly contact?: GateContact | undefined },
  ): GateAnswer {
    if (!this.stops.isJudged) {
      this.world.checksLeft = this.options.budget;
      const answer = this.stops.rejudge();
      if (answer.verdict !== 'held') return answer;
    }
    const pair = (contact ?? this.contactOn(proposal, proposal.end))?.pair;
    return { ...this.commitment.answer('refused'), reason, ...(pair && { pair }) };
  }

  private begin(now: number): void {
    this.requireTime(now);
    this.commitment.now = now;
    this.world.begin(this.options.budget);
  }

  private requireTime(now: number): void {
    if (!(timeOf(now, 'now') >= this.time))
      throw new InputError(`now is ${now}, older than the last message (${this.time})`, 'Send messages in order.');
  }
}

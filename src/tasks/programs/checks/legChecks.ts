import { type BlendSphere, BlendSpheres } from '../../../core/cartesian/blendSphere.ts';
import { type CartesianLeg, reachWithin } from '../../../core/cartesian/cartesianLeg.ts';
import { LegProver, type LegVerdict } from '../../../core/cartesian/legProver.ts';
import type { PathTolerance } from '../../../core/cartesian/pathTolerance.ts';
import { stepLegs } from '../../../core/cartesian/stepLegs.ts';
import { ToolTracker } from '../../../core/cartesian/toolTracker.ts';
import { poseError } from '../../../core/kinematics/pose.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { Transform } from '../../../core/math/transform.ts';
import { norm } from '../../../core/math/vec3.ts';
import { type ArcStep, dependsOnLinks, type LineStep } from '../../../core/scene/program.ts';
import type { TrajectorySegment } from '../../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { linkPoses } from '../../world.ts';

/** Why a trajectory is not proved to follow a line or arc. */
export interface LegDeviation {
  readonly what: string;
  /** Seconds. */
  readonly time: number;
  /** True if the proof ended without a verdict. */
  readonly isUndecided: boolean;
}

/** Common point of two motions between which the robot does not stop. */
export interface Junction {
  /** Ideal pose of the tool center point at the end of the first motion, where the ideal path of the second begins. */
  readonly T_world_tcp: Transform;
  /** Radius within which the tool may leave its path, metres. */
  readonly radius: number;
}

/** Result of the check of a line or arc. */
export interface LegCheck {
  readonly deviation?: LegDeviation;
  /** Ideal pose of the tool center point at its end; undefined if the step has no path. */
  readonly end?: Transform;
}

/** Returns the sphere of the blend at a junction. */
const blendSphereOf = ({ T_world_tcp: T, radius }: Junction): BlendSphere => ({
  centre: Float64Array.of(T[3], T[7], T[11]),
  radius,
});

/** Proves that a trajectory follows the lines and arcs of a program. */
export class LegChecks {
  private readonly tracker: ToolTracker;
  private readonly prover: LegProver;
  private readonly spheres: BlendSpheres;
  private readonly q: Float64Array;

  constructor(
    private readonly robot: RobotModel,
    tcp: LinkFrame,
    private readonly curve: TrajectoryCurve,
    interrupt: Interrupt,
  ) {
    this.tracker = new ToolTracker(robot, tcp);
    this.prover = new LegProver(robot, tcp, interrupt);
    this.spheres = new BlendSpheres(robot, tcp, curve);
    this.q = new Float64Array(robot.dof);
  }

  /** Returns true if the tool is within the radius of a junction at a time. */
  isNear(junction: Junction, time: number): boolean {
    return this.spheres.contains(blendSphereOf(junction), time);
  }

  /** Returns the pose of the tool center point at a time. */
  poseAt(time: number): Transform {
    this.curve.position(this.q, time);
    return this.tracker.pose(this.q).slice();
  }

  /**
   * Proves that a line or arc is followed: each leg between the times at its ends, or, at a blended end, up to the
   * sphere of the blend. Inside the sphere the tool may leave its path.
   * @param start junction with the step before; undefined: the step begins at rest where the tool is
   * @param isBlended true if the step ends without a stop, in the sphere of its own blend
   */
  check(
    step: LineStep | ArcStep,
    { from, to }: Pick<TrajectorySegment, 'from' | 'to'>,
    start: Junction | undefined,
    isBlended: boolean,
  ): LegCheck {
    if (start && dependsOnLinks(step))
      return wrong(from, 'its frame is that of a link, which moves within the blend before it');
    const T_start = this.poseAt(from);
    const legs = stepLegs(step, start?.T_world_tcp ?? T_start, linkPoses(this.robot, this.q));
    if (!legs) return wrong(from, 'its points define no circle');
    const { spheres } = this;
    const end = legs[legs.length - 1].end;
    let radius = start?.radius;
    let begin = start ? spheres.exit(blendSphereOf(start), from, to) : from;
    for (const [i, leg] of legs.entries()) {
      const isLast = i === legs.length - 1;
      const interval = this.intervalOf(leg, step, begin, to, isLast, isBlended);
      if (!interval) return { ...wrong(to, `passes its corner ${i} farther away than its blend`), end };
      const deviation = this.legDeviation(leg, step, [begin, interval.until], [radius, interval.radius]);
      if (deviation) return { deviation, end };
      begin = interval.next;
      radius = interval.radius;
    }
    return { end };
  }

  /**
   * Proves that a leg is followed between two times.
   * @param radii of the blend spheres at its start and end, inside which the path need not be followed; undefined: none
   */
  private legDeviation(
    leg: CartesianLeg,
    { tolerance }: LineStep | ArcStep,
    [from, to]: readonly [number, number],
    [before, after]: readonly [number | undefined, number | undefined],
  ): LegDeviation | undefined {
    const reach = (radius: number | undefined, slack: number) =>
      radius === undefined ? 0 : reachWithin(leg, radius + slack) + FRACTION_ROUNDING;
    // Without a blend at its end, the end must be reached, even inside the blend sphere of the start.
    if (to <= from && after !== undefined) {
      const isCovered = reach(before, 0) + reach(after, 0) >= 1;
      return isCovered ? undefined : { what: 'leaves a part of its path out', time: from, isUndecided: false };
    }
    const [isStartFree, isEndFree] = [before !== undefined, after !== undefined];
    const verdict = this.prover.prove(this.curve, { leg, from, to, isStartFree, isEndFree }, tolerance);
    if (verdict.kind !== 'proved') return deviationOf(verdict);
    const isWhole =
      verdict.first <= reach(before, tolerance.position) && verdict.last >= 1 - reach(after, tolerance.position);
    return isWhole ? undefined : { what: 'leaves a part of its path out', time: from, isUndecided: false };
  }

  /**
   * Returns the time at which a leg ends (`until`), the time at which the next one begins (the exit from the blend
   * sphere if its end is blended), and the radius of that sphere. Undefined if the sphere is not reached.
   */
  private intervalOf(
    leg: CartesianLeg,
    step: LineStep | ArcStep,
    begin: number,
    to: number,
    isLast: boolean,
    isBlended: boolean,
  ): { readonly until: number; readonly next: number; readonly radius: number | undefined } | undefined {
    const { spheres } = this;
    const radius = step.blend;
    if (isLast && !isBlended) return { until: to, next: to, radius: undefined };
    if (!isLast && !(radius > 0)) {
      const corner = this.timeNearest(leg, begin, to, step.tolerance);
      return { until: corner, next: corner, radius: undefined };
    }
    const sphere = blendSphereOf({ T_world_tcp: leg.end, radius });
    if (isLast) return { until: spheres.entry(sphere, begin, to), next: to, radius };
    const inside = spheres.firstVisit(sphere, begin, to);
    if (inside === undefined) return undefined;
    return { until: spheres.entry(sphere, begin, inside), next: spheres.exit(sphere, inside, to), radius };
  }

  /**
   * Returns the time of the point of the trajectory whose tool pose is nearest to the end of a leg, at the first visit:
   * a polyline may return to a corner.
   */
  private timeNearest(leg: CartesianLeg, from: number, to: number, tolerance: PathTolerance): number {
    const error = new Float64Array(6);
    let best = to;
    let least = Number.POSITIVE_INFINITY;
    let isVisited = false;
    for (const time of this.curve.times) {
      if (time < from || time > to) continue;
      this.curve.position(this.q, time);
      poseError(error, this.tracker.pose(this.q), leg.end);
      const position = norm(error.subarray(0, 3)) / tolerance.position;
      const angle = norm(error.subarray(3, 6)) / tolerance.angle;
      const isWithin = position <= 1 && angle <= 1;
      if (isVisited && !isWithin) break;
      isVisited = isWithin;
      if (position + angle >= least) continue;
      least = position + angle;
      best = time;
    }
    return best;
  }
}

/** Rounding error of fractions of a leg. */
const FRACTION_ROUNDING = 1e-9;

const wrong = (time: number, what: string): LegCheck => ({ deviation: { what, time, isUndecided: false } });

/** Describes the result of a proof that failed. */
export function deviationOf(verdict: Exclude<LegVerdict, { kind: 'proved' }>): LegDeviation {
  const { time, position, angle, kind } = verdict;
  const off = `${round(1000 * position)} mm and ${round((angle * 180) / Math.PI)} deg off its path at ${round(time)} s`;
  const isUndecided = kind === 'undecided';
  return { what: isUndecided ? `cannot be proved to be on its path: at most ${off}` : off, time, isUndecided };
}

const round = (value: number) => Number(value.toPrecision(6));

import type { CartesianLeg } from '../../cartesian/cartesianLeg.ts';
import { LegProver, type LegVerdict, type PathTolerance } from '../../cartesian/legProver.ts';
import { stepLegs } from '../../cartesian/stepLegs.ts';
import { ToolTracker } from '../../cartesian/toolTracker.ts';
import { poseError } from '../../kinematics/poseError.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import { norm } from '../../math/vec3.ts';
import type { ArcStep, LineStep } from '../../scene/program.ts';
import type { TrajectorySegment } from '../../trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { linkPoses } from './programWorld.ts';

/** Why a trajectory is not proved to follow a line or arc. */
export interface LegDeviation {
  readonly what: string;
  /** Set if the proof ended without a decision: the time, seconds. */
  readonly undecidedAt?: number;
}

/** Proves that a trajectory follows the lines and arcs of a program. */
export class LegChecks {
  private readonly tracker: ToolTracker;
  private readonly prover: LegProver;
  private readonly q: Float64Array;

  constructor(
    private readonly robot: RobotModel,
    tcp: LinkFrame,
    private readonly curve: TrajectoryCurve,
    interrupt: Interrupt,
  ) {
    this.tracker = new ToolTracker(robot, tcp);
    this.prover = new LegProver(robot, tcp, interrupt);
    this.q = new Float64Array(robot.dof);
  }

  /** Proves that a line or arc is followed: each leg in the interval between the times at its ends. */
  deviation(step: LineStep | ArcStep, { from, to }: TrajectorySegment): LegDeviation | undefined {
    const { curve, q } = this;
    curve.position(q, from);
    const legs = stepLegs(step, this.tracker.pose(q), linkPoses(this.robot, q));
    if (!legs) return { what: 'its points define no circle' };
    let start = from;
    for (const [i, leg] of legs.entries()) {
      const end = i === legs.length - 1 ? to : this.timeNearest(leg, start, to, step.tolerance);
      const verdict = this.prover.prove(curve, { leg, from: start, to: end }, step.tolerance);
      if (verdict.kind !== 'proved')
        return {
          what: describeDeviation(verdict),
          ...(verdict.kind === 'undecided' && { undecidedAt: verdict.time }),
        };
      start = end;
    }
    return undefined;
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

function describeDeviation(verdict: Exclude<LegVerdict, { kind: 'proved' }>): string {
  const { time, position, angle, kind } = verdict;
  const off = `${round(1000 * position)} mm and ${round((angle * 180) / Math.PI)} deg off its path at ${round(time)} s`;
  return kind === 'deviates' ? off : `cannot be proved to be on its path: at most ${off}`;
}

const round = (value: number) => Number(value.toPrecision(6));
